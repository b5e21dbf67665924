/*
 * opencl.c - the programs of programs.cu in OpenCL, for bench/programs/run, with the same output,
 * on the first processor that a platform has.
 *
 *     opencl programs.cl
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "sizes.h"
#include <CL/cl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define TEXT(number) #number
#define SIZE(NAME)   " -D" #NAME "=" TEXT(NAME)

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_device_id device;

static void check(cl_int status, const char *what) {
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "opencl: %s: error %d\n", what, (int)status);
    exit(1);
}

static char *read_all(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0)
        check(-1, path);
    fclose(file);
    return text;
}

static void open_device(const char *path) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_int status = clGetPlatformIDs(8, platforms, &count);
    check(status, "no platform");
    status = CL_DEVICE_NOT_FOUND;
    for (cl_uint i = 0; i < count && status != CL_SUCCESS; i++)
        status = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL);
    check(status, "no processor among the devices");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "context");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "queue");
    char *text = read_all(path), log[4096] = "";
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &status);
    check(status, path);
    status = clBuildProgram(program, 1, &device, SIZE(TILE) SIZE(BLOCK) SIZE(ROW), NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    check(status, log);
    free(text);
}

/* Host memory that kernels read and write in place. */
struct array {
    void *memory;
    size_t size;
    cl_mem buffer;
};

static struct array made(size_t size) {
    cl_int status;
    struct array array = {aligned_alloc(4096, (size + 4095) & ~(size_t)4095), size, NULL};
    array.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size,
                                  array.memory, &status);
    check(status, "buffer");
    return array;
}

/* While the memory is mapped, it belongs to the host. */
static void map(struct array *array) {
    cl_int status;
    clEnqueueMapBuffer(queue, array->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, array->size, 0,
                       NULL, NULL, &status);
    check(status, "map");
}

static void unmap(struct array *array) {
    check(clEnqueueUnmapMemObject(queue, array->buffer, array->memory, 0, NULL, NULL), "unmap");
    clFinish(queue);
}

static struct array a, b, c, in, out;

/* Processor seconds used by the process. */
static double processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A kernel with up to three arrays, n (0: it takes none), and the shape of its launch. */
struct launch {
    const char *name, *kernel;
    struct array *arrays[3];
    cl_int n;
    cl_uint dimensions;
    size_t threads[2], block[2];
    bool clears; /* clears `out` before the launch */
    double (*sum)(void);
};

static void measure(const struct launch *launch) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, launch->kernel, &status);
    cl_uint argument = 0;
    double least = 1e9;
    check(status, launch->kernel);
    for (; argument < 3 && launch->arrays[argument]; argument++)
        clSetKernelArg(kernel, argument, sizeof(cl_mem), &launch->arrays[argument]->buffer);
    if (launch->n)
        clSetKernelArg(kernel, argument, sizeof launch->n, &launch->n);
    for (int i = 0; i < 3; i++) {
        if (launch->clears) {
            map(&out);
            memset(out.memory, 0, out.size);
            unmap(&out);
        }
        const double begin = processor();
        status = clEnqueueNDRangeKernel(queue, kernel, launch->dimensions, NULL, launch->threads,
                                        launch->block, 0, NULL, NULL);
        check(status, launch->name);
        clFinish(queue);
        const double took = processor() - begin;
        least = took < least ? took : least;
    }
    map(&c);
    map(&out);
    printf("%s %.3f %.6g\n", launch->name, least * 1e3, launch->sum());
    fflush(stdout);
    unmap(&c);
    unmap(&out);
    clReleaseKernel(kernel);
}

static double added(const float *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static double sum_out(size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += ((const int *)out.memory)[i];
    return sum;
}

static double sum_add(void) {
    return added(c.memory, ADD_N);
}
static double sum_matrix(void) {
    return added(c.memory, MATRIX_N * MATRIX_N);
}
static double two_bins(void) {
    return (double)((const int *)out.memory)[7] * ((const int *)out.memory)[200];
}
static double sum_scan(void) {
    return sum_out(SUM_N);
}
static double sum_forces(void) {
    return added(c.memory, 4 * BODIES);
}
static double sum_image(void) {
    return added(c.memory, IMAGE_N * IMAGE_N);
}
static double sum_rows(void) {
    return added(c.memory, ROWS * ROW);
}
static double weighed_image(void) {
    return weighed(c.memory, IMAGE_N * IMAGE_N);
}
static double sum_blocks(void) {
    return sum_out(SUM_N / BLOCK);
}

int main(int argc, char **argv) {
    const size_t adds = (ADD_N + 255) / 256 * 256;
    if (argc < 2)
        return 2;
    open_device(argv[1]);
    a = made(ADD_N * sizeof(float));
    b = made(ADD_N * sizeof(float));
    c = made(ADD_N * sizeof(float));
    in = made(SUM_N * sizeof(int));
    out = made(SUM_N * sizeof(int));
    fill(a.memory, b.memory, in.memory);
    /* clang-format off */
    const struct launch first[] = {
        {"vector-add", "vector_add", {&a, &b, &c}, ADD_N, 1, {adds}, {256}, false, sum_add},
        {"matrix-product", "product", {&a, &b, &c}, MATRIX_N, 2, {MATRIX_N, MATRIX_N}, {TILE, TILE}, false, sum_matrix},
        {"tiled-product", "tiled_product", {&a, &b, &c}, MATRIX_N, 2, {MATRIX_N, MATRIX_N}, {TILE, TILE}, false, sum_matrix},
        {"histogram", "histogram", {&in, &out}, SUM_N, 1, {64 * 256}, {256}, true, two_bins},
        {"scan", "scan", {&in, &out}, 0, 1, {SUM_N}, {BLOCK}, true, sum_scan},
        {"n-body", "nbody", {&a, &c}, BODIES, 1, {BODIES}, {256}, false, sum_forces},
    };
    const struct launch then[] = {
        {"stencil", "stencil", {&a, &c}, IMAGE_N, 2, {IMAGE_N, IMAGE_N}, {TILE, TILE}, false, sum_image},
        {"softmax", "softmax", {&a, &c}, 0, 1, {ROWS * BLOCK}, {BLOCK}, false, sum_rows},
        {"transpose", "transpose", {&a, &c}, IMAGE_N, 2, {IMAGE_N, IMAGE_N}, {TILE, TILE}, false, weighed_image},
        {"reduce-v0", "reduce0", {&in, &out}, SUM_N, 1, {SUM_N}, {BLOCK}, true, sum_blocks},
        {"reduce-v1", "reduce1", {&in, &out}, SUM_N, 1, {SUM_N}, {BLOCK}, true, sum_blocks},
        {"reduce-v2", "reduce2", {&in, &out}, SUM_N, 1, {SUM_N}, {BLOCK}, true, sum_blocks},
        {"reduce-v3", "reduce3", {&in, &out}, SUM_N, 1, {SUM_N / 2}, {BLOCK}, true, sum_blocks},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        measure(&first[i]);
    map(&c);
    memset(c.memory, 0, sizeof(float) * IMAGE_N * IMAGE_N);
    unmap(&c);
    for (size_t i = 0; i < sizeof then / sizeof then[0]; i++)
        measure(&then[i]);
    return 0;
}
