/*
 * ptx.cpp - compares a PTX implementation with the tables of data/, through the CUDA driver API.
 *
 *     c++ -std=c++17 ptx.cpp -ldl -o ptx && ./ptx data
 *     ./ptx --print sm_80 >conformance.ptx
 *
 * Each instruction has a kernel of its own, in PTX text that the driver assembles; the driver is
 * found at run time, so this builds without a CUDA Toolkit. redux.sync needs sm_80.
 */
#include <dlfcn.h>

#include "scorecard.h"

/* A lane of the mask executes the instruction: %c, %b, %mask and %value are the row's, the result
   goes to %got, and a predicate to %q. */
struct kernel {
    question asked;
    int op, is_signed;
    const char *name, *instruction;
};

static const kernel kernels[] = {
    {INSTRUCTION, IDX, 0, "shfl_idx", "shfl.sync.idx.b32 %got|%q, %lane, %b, %c, %mask;"},
    {INSTRUCTION, UP, 0, "shfl_up", "shfl.sync.up.b32 %got|%q, %lane, %b, %c, %mask;"},
    {INSTRUCTION, DOWN, 0, "shfl_down", "shfl.sync.down.b32 %got|%q, %lane, %b, %c, %mask;"},
    {INSTRUCTION, XOR, 0, "shfl_bfly", "shfl.sync.bfly.b32 %got|%q, %lane, %b, %c, %mask;"},
    {VOTE, BALLOT, 0, "vote_ballot", "vote.sync.ballot.b32 %got, %v, %mask;"},
    {VOTE, ALL, 0, "vote_all", "vote.sync.all.pred %q, %v, %mask;"},
    {VOTE, ANY, 0, "vote_any", "vote.sync.any.pred %q, %v, %mask;"},
    {VOTE, MATCH_ANY, 0, "match_any", "match.any.sync.b32 %got, %value, %mask;"},
    {VOTE, MATCH_ALL, 0, "match_all", "match.all.sync.b32 %got, %value, %mask;"},
    {VOTE, MATCH_PRED, 0, "match_pred", "match.all.sync.b32 %c|%q, %value, %mask;"},
    {ACTIVEMASK, 0, 0, "activemask",
     "activemask.b32 %got; shr.u32 %got, %got, %lane; and.b32 %got, %got, 1;"},
    {REDUCE, ADD, 0, "redux_add_u32", "redux.sync.add.u32 %got, %value, %mask;"},
    {REDUCE, ADD, 1, "redux_add_s32", "redux.sync.add.s32 %got, %value, %mask;"},
    {REDUCE, MIN, 0, "redux_min_u32", "redux.sync.min.u32 %got, %value, %mask;"},
    {REDUCE, MIN, 1, "redux_min_s32", "redux.sync.min.s32 %got, %value, %mask;"},
    {REDUCE, MAX, 0, "redux_max_u32", "redux.sync.max.u32 %got, %value, %mask;"},
    {REDUCE, MAX, 1, "redux_max_s32", "redux.sync.max.s32 %got, %value, %mask;"},
    {REDUCE, AND, 0, "redux_and", "redux.sync.and.b32 %got, %value, %mask;"},
    {REDUCE, OR, 0, "redux_or", "redux.sync.or.b32 %got, %value, %mask;"},
    {REDUCE, BITS_XOR, 0, "redux_xor", "redux.sync.xor.b32 %got, %value, %mask;"},
};

static const char before[] = R"( (.param .u64 rows, .param .u64 out)
{
    .reg .u64 %at, %to, %lanes;
    .reg .u32 %lane, %row, %b, %c, %mask, %value, %got, %bit;
    .reg .pred %q, %v, %leaves;
    ld.param.u64 %at, [rows];
    ld.param.u64 %to, [out];
    mov.u32 %lane, %tid.x;
    mov.u32 %row, %ctaid.x;
    mad.wide.u32 %at, %row, 144, %at;
    mad.wide.u32 %to, %row, 128, %to;
    mul.wide.u32 %lanes, %lane, 4;
    add.u64 %to, %to, %lanes;
    add.u64 %lanes, %at, %lanes;
    ld.global.u32 %c, [%at+4];
    ld.global.u32 %b, [%at+8];
    ld.global.u32 %mask, [%at+12];
    ld.global.u32 %value, [%lanes+16];
    setp.ne.u32 %v, %value, 0;
    setp.ne.u32 %q, 0, 0;
    mov.u32 %got, 0;
    shr.u32 %bit, %mask, %lane;
    and.b32 %bit, %bit, 1;
    setp.eq.u32 %leaves, %bit, 0;
    @%leaves bra done;
    )";
static const char after[] = R"(
done:
    selp.u32 %bit, 256, 0, %q;
    or.b32 %got, %got, %bit;
    st.global.u32 [%to], %got;
    ret;
}
)";

static std::string text_for(int capability) {
    std::string text =
        ".version 7.0\n.target sm_" + std::to_string(capability) + "\n.address_size 64\n";
    for (const kernel &one : kernels)
        if (one.asked != REDUCE || capability >= 80)
            text += std::string("\n.visible .entry ") + one.name + before + one.instruction + after;
    return text;
}

/* ---- the driver ---- */

static void *driver, *module;
static int capability;

template <class... T> static int call(const char *name, T... arguments) {
    int (*const function)(T...) = (int (*)(T...))dlsym(driver, name);
    return function ? function(arguments...) : 500; /* CUDA_ERROR_NOT_FOUND */
}

static const char *error_name(int status) {
    const char *name = nullptr;
    if (status)
        call("cuGetErrorName", status, &name);
    return !status ? nullptr : name ? name : "an unknown error";
}

static const char *load() {
    int device = 0, major = 0, minor = 0, status;
    void *context = nullptr;
    char name[256] = "";
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
        return dlerror();
    (status = call("cuInit", 0u)) || (status = call("cuDeviceGet", &device, 0)) ||
        (status = call("cuDeviceGetName", (char *)name, 256, device)) ||
        (status = call("cuDeviceGetAttribute", &major, 75, device)) ||
        (status = call("cuDeviceGetAttribute", &minor, 76, device)) ||
        (status = call("cuDevicePrimaryCtxRetain", &context, device)) ||
        (status = call("cuCtxSetCurrent", context));
    if (status)
        return error_name(status);
    capability = major >= 8 ? 80 : 70;
    printf("%s, compute capability %d.%d, PTX for sm_%d\n", name, major, minor, capability);
    return error_name(
        call("cuModuleLoadData", &module, (const void *)text_for(capability).c_str()));
}

static const char *launch(const kernel &kernel, const std::vector<row> &rows, u32 *got) {
    const size_t bytes = rows.size() * 128;
    u64 in = 0, out = 0;
    void *function = nullptr;
    void *parameters[] = {&in, &out};
    int status;
    (status = call("cuModuleGetFunction", &function, module, kernel.name)) ||
        (status = call("cuMemAlloc_v2", &in, rows.size() * sizeof(row))) ||
        (status = call("cuMemAlloc_v2", &out, bytes)) ||
        (status =
             call("cuMemcpyHtoD_v2", in, (const void *)rows.data(), rows.size() * sizeof(row))) ||
        (status = call("cuLaunchKernel", function, (u32)rows.size(), 1u, 1u, 32u, 1u, 1u, 0u,
                       (void *)nullptr, (void **)parameters, (void **)nullptr)) ||
        (status = call("cuMemcpyDtoH_v2", (void *)got, out, bytes));
    (void)call("cuMemFree_v2", in);
    (void)call("cuMemFree_v2", out);
    return error_name(status);
}

static offer offers(question question, int) {
    if (question == SHUFFLE_64 || question == SHUFFLE_DOUBLE) /* two instructions each */
        return NOT_OFFERED;
    return question != REDUCE || capability >= 80 ? OFFERED : NOT_OFFERED;
}

/* The rows of a question belong to several kernels. */
static const char *ask(question question, const std::vector<row> &rows, std::vector<u32> &got) {
    const bool shuffles = question == SHUFFLE_32;
    const char *error = nullptr;
    for (const kernel &kernel : kernels) {
        std::vector<row> some;
        std::vector<size_t> indices;
        for (size_t i = 0; i < rows.size(); i++) {
            row r = rows[i];
            if (kernel.asked != (shuffles ? INSTRUCTION : question) || kernel.op != r.op ||
                (question == REDUCE && kernel.is_signed != r.width))
                continue;
            if (shuffles) /* the operand that the intrinsic passes */
                r.width = (32 - r.width) << 8 | (r.op == UP ? 0 : 31);
            some.push_back(r);
            indices.push_back(i);
        }
        std::vector<u32> answer(some.size() * 32);
        if (!some.empty() && !error)
            error = launch(kernel, some, answer.data());
        for (size_t i = 0; i < answer.size(); i++) {
            u32 word = answer[i];
            if (shuffles)
                word &= 255; /* without the predicate */
            else if (question == VOTE &&
                     (kernel.op == ALL || kernel.op == ANY || kernel.op == MATCH_PRED))
                word >>= 8; /* the predicate alone */
            got[indices[i / 32] * 32 + i % 32] = word;
        }
    }
    return error;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--print")) {
        fputs(text_for(atoi(argv[2] + strcspn(argv[2], "0123456789"))).c_str(), stdout);
        return 0;
    }
    if (const char *error = load()) {
        fprintf(stderr, "ptx: %s\n", error);
        return 77;
    }
    return scorecard(argc, argv);
}
