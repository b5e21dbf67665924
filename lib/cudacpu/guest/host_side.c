/*
 * host_side.c - the functions that clang calls in the host side of a CUDA file (its CGCUDANV.cpp;
 * the names are nvcc's): before main() to register the file's kernels and variables, and at each
 * launch for the configuration.
 */
#include "cudacpu/module.h"
#include "cudacpu/runtime/api.h"

/* Contains the file's name instead of a GPU's binary. */
struct fat_binary {
    int magic, version;
    const char *name;
    void *unused;
};

void **__cudaRegisterFatBinary(void *binary);
void **__cudaRegisterFatBinary(void *binary) {
    const char **name = &((struct fat_binary *)binary)->name;
    return (void **)name;
}
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}
void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle) {
    (void)handle;
}

int __cudaRegisterFunction(void **handle, const char *stub, char *symbol, const char *name,
                           int threads, void *thread, void *block, void *block_dim, void *grid_dim,
                           int *warp);
int __cudaRegisterFunction(void **handle, const char *stub, char *symbol, const char *name,
                           int threads, void *thread, void *block, void *block_dim, void *grid_dim,
                           int *warp) {
    (void)name, (void)threads, (void)thread, (void)block, (void)block_dim, (void)grid_dim;
    (void)warp;
    cudacpu_kernel_add(stub, *(const char **)handle, symbol);
    return 0;
}

void __cudaRegisterVar(void **handle, char *shadow, char *symbol, const char *name, int is_extern,
                       size_t size, int is_constant, int is_global);
void __cudaRegisterVar(void **handle, char *shadow, char *symbol, const char *name, int is_extern,
                       size_t size, int is_constant, int is_global) {
    (void)name, (void)is_extern, (void)size, (void)is_constant, (void)is_global;
    cudacpu_variable_add(shadow, *(const char **)handle, symbol);
}

/* ---- between <<< and >>> ---- */

/* Pushed before the launch's arguments are evaluated, which may launch kernels, too. */
#define CONFIGURATIONS_MOST 64
static _Thread_local struct configuration {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
    const void *place;
} configurations[CONFIGURATIONS_MOST];
static _Thread_local size_t configuration_count;
static bool launches_skipped;

/* For exercise.cuh, which declares it. */
void cudacpu_skip_launches(void);
void cudacpu_skip_launches(void) {
    launches_skipped = true;
}

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     void *stream);
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     void *stream) {
    if (configuration_count == CONFIGURATIONS_MOST || launches_skipped)
        return 1;
    configurations[configuration_count++] =
        (struct configuration){grid, block, shared, stream, __builtin_return_address(0)};
    return 0;
}

int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                               void **stream);
int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                               void **stream) {
    if (configuration_count == 0)
        return cudaErrorInvalidConfiguration;
    const struct configuration *last = &configurations[--configuration_count];
    *grid = last->grid;
    *block = last->block;
    *shared = last->shared;
    *stream = last->stream;
    cpu_launch_place = last->place;
    return 0;
}

/* clang's stubs call it by this name, whatever its declaration is. */
cudaError_t launch_kernel(const void *function, struct dim3 grid, struct dim3 block,
                          void **arguments, size_t shared,
                          cudaStream_t stream) __asm__("cudaLaunchKernel");
cudaError_t launch_kernel(const void *function, struct dim3 grid, struct dim3 block,
                          void **arguments, size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}
