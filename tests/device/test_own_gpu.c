/* Ordinary programs, built by nvcc with the recorder included first. Skipped where there
 * is no nvcc. Without a GPU they must start, get CUDA's error, and leave a recording without steps;
 * tests/gpu/run checks recordings made on a GPU. */
#include "base/memory.h"
#include "cudacpu/process/user_program.h"
#include "device/gpu/gpu.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-test-XXXXXX";
static char recording[64];

static int build(struct user_program *program, const char *const names[], const char *const texts[],
                 struct error *err) {
    struct user_source sources[4];
    struct text text[4], path[4];
    size_t count = 0;
    for (; names[count]; count++) {
        text_init(&text[count]);
        text_init(&path[count]);
        text_append(&text[count], texts[count]);
        text_append_format(&path[count], "%s/%s", folder, names[count]);
        sources[count] = (struct user_source){path[count].data, names[count], &text[count]};
    }
    int status = user_program_build(
        program, &(struct user_build){.sources = sources, .source_count = count, .gpu = true}, err);
    for (size_t i = 0; i < count; i++) {
        text_release(&text[i]);
        text_release(&path[i]);
    }
    return status;
}

static void take_output(void *context, int stream, const char *bytes, size_t count) {
    (void)stream;
    text_append_bytes(context, bytes, count);
}

static int run_built(const struct user_program *program, struct text *output, int *status,
                     struct error *err) {
    const struct user_run run = {.trace_path = recording,
                                 .settings.limits.seconds = 60,
                                 .input = -1,
                                 .output = take_output,
                                 .output_context = output};
    return user_program_run(program, &run, status, err);
}

static void skip_without_nvcc(void) {
    if (system("\"${NVCC:-nvcc}\" --version >/dev/null 2>&1") != 0 &&
        access("/usr/local/cuda/bin/nvcc", X_OK) != 0)
        skip();
}

static const char reduce[] =
    "#include <cstdio>\n"
    "#include <cooperative_groups.h>\n"
    "namespace cg = cooperative_groups;\n"
    "namespace mine {\n"
    "template <class T> __global__ void sum(const T *in, T *out) {\n"
    "    extern __shared__ unsigned char bytes[];\n"
    "    T *part = reinterpret_cast<T *>(bytes), value = in[threadIdx.x];\n"
    "    for (int offset = 16; offset; offset /= 2)\n"
    "        value += __shfl_down_sync(0xffffffff, value, offset);\n"
    "    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;\n"
    "    __syncthreads();\n"
    "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
    "    if (threadIdx.x < 32) {\n"
    "        value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;\n"
    "        value = tile.shfl_xor(value, 1);\n"
    "        if (__ballot_sync(~0u, value > 0) && threadIdx.x == 0) *out = value;\n"
    "    }\n"
    "}\n"
    "}\n"
    "int main(int argc, char **argv) {\n"
    "    float *in, *out;\n"
    "    printf(\"arguments %d\\n\", argc);\n"
    "    if (cudaMalloc(&in, 256 * 4) || cudaMalloc(&out, 4)) { puts(\"no GPU\"); return 5; }\n"
    "    cudaMemset(in, 0, 256 * 4);\n"
    "    mine::sum<float><<<1, 64, 64>>>(in, out);\n"
    "    return cudaDeviceSynchronize();\n"
    "}\n";

static void a_program_builds_and_starts(void **state) {
    struct user_program program;
    struct text output = TEXT_INIT;
    struct error err = ERROR_INIT;
    struct trace *trace;
    int status = -1;
    (void)state;
    skip_without_nvcc();
    if (build(&program, (const char *const[]){"reduce.cu", NULL}, (const char *const[]){reduce},
              &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(run_built(&program, &output, &status, &err), 0);
    user_program_release(&program);
    assert_int_equal(trace_open(&trace, recording, &err), 0);
    assert_string_equal(trace_note(trace, TRACE_NOTE_DEVICE), "gpu");
    assert_string_equal(trace_note(trace, TRACE_NOTE_RECORDED), "measured");
    assert_string_equal(trace_source(trace, "reduce.cu"), reduce);
    assert_string_equal(trace_output(trace, 0)->text, "arguments 1\n");
    if (gpu_driver_exists()) {
        assert_int_equal(status, 0);
        assert_string_equal(trace_launch(trace, 0)->kernel, "mine::sum");
    } else {
        assert_int_equal(status, 5);
        assert_string_equal(output.data, "arguments 1\nno GPU\n");
        assert_int_equal(trace_launch_count(trace), 0);
    }
    trace_close(trace);
    text_release(&output);
}

static void several_files_and_a_mistake(void **state) {
    static const char kernel[] = "__device__ int twice(int value);\n"
                                 "__global__ void k(int *v) { *v = twice(__activemask()); }\n"
                                 "void go(int *v) { k<<<1, 32>>>(v); }\n";
    static const char other[] = "__device__ int twice(int value) { return 2 * value; }\n";
    static const char host[] = "void go(int *);\nint main() { go(nullptr); }\n";
    static const char wrong[] = "__global__ void k() {}\nint main() {\n    nonsense();\n}\n";
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    skip_without_nvcc();
    if (build(&program, (const char *const[]){"k.cu", "d.cu", "main.cpp", NULL},
              (const char *const[]){kernel, other, host}, &err) != 0)
        fail_msg("%s", err.text);
    user_program_release(&program);
    assert_int_equal(build(&program, (const char *const[]){"wrong.cu", NULL},
                           (const char *const[]){wrong}, &err),
                     -1);
    user_program_release(&program);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "wrong.cu does not compile for a GPU"));
    assert_non_null(strstr(err.text, "wrong.cu(3)"));
}

/* Libraries that the CPU warp lacks, and the driver, are linked as their headers request. */
static void libraries_are_linked(void **state) {
    static const char text[] = "#include <cufft.h>\n"
                               "#include \"cusparse.h\"\n"
                               "#include <cuda.h>\n"
                               "int main() {\n"
                               "    cufftHandle plan;\n"
                               "    cusparseHandle_t sparse;\n"
                               "    CUmemGenericAllocationHandle memory;\n"
                               "    cufftPlan1d(&plan, 8, CUFFT_C2C, 1);\n"
                               "    cusparseCreate(&sparse);\n"
                               "    cuMemCreate(&memory, 0, nullptr, 0);\n"
                               "}\n";
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    skip_without_nvcc();
    if (build(&program, (const char *const[]){"libraries.cu", NULL}, (const char *const[]){text},
              &err) != 0)
        fail_msg("%s", err.text);
    user_program_release(&program);
}

/* nvcc compiles inline PTX unchanged, bypassing the recorder: a message names what is not
 * recorded. */
static void inline_ptx_is_named(void **state) {
    static const char text[] =
        "__global__ void k(int *v) {\n"
        "    int lane, got;\n"
        "    asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n"
        "    asm volatile(\"shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;\"\n"
        "                 : \"=r\"(got) : \"r\"(lane));\n"
        "    asm volatile(\"bar.warp.sync 0xffffffff;\");\n"
        "    v[lane] = got; // vote.sync, in a comment\n"
        "}\n"
        "int main() {}\n";
    static const char plain[] = "__global__ void k(unsigned *v) {\n"
                                "    asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(*v));\n"
                                "}\n"
                                "int main() {}\n";
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    skip_without_nvcc();
    if (build(&program, (const char *const[]){"ptx.cu", NULL}, (const char *const[]){text}, &err) !=
        0)
        fail_msg("%s", err.text);
    assert_string_equal(program.remarks.data,
                        "ptx.cu:4: inline PTX (shfl.sync) is not recorded on a GPU; on "
                        "the CPU warp it is\n");
    user_program_release(&program);
    if (build(&program, (const char *const[]){"plain.cu", NULL}, (const char *const[]){plain},
              &err) != 0)
        fail_msg("%s", err.text);
    assert_string_equal(program.remarks.data, "");
    user_program_release(&program);
}

static void no_nvcc(void **state) {
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    setenv("NVCC", "/nonexistent/nvcc -v", 1);
    assert_int_equal(build(&program, (const char *const[]){"reduce.cu", NULL},
                           (const char *const[]){reduce}, &err),
                     -1);
    user_program_release(&program);
    unsetenv("NVCC");
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "/nonexistent/nvcc"));
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(recording, sizeof(recording), "%s/run.svt", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(recording);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_builds_and_starts),
        cmocka_unit_test(several_files_and_a_mistake),
        cmocka_unit_test(libraries_are_linked),
        cmocka_unit_test(inline_ptx_is_named),
        cmocka_unit_test(no_nvcc),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
