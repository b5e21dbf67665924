/*
 * cuda.c - a run on a GPU, in its child process: the ring in the GPU's memory, launches, CUDA's
 * errors.
 */
#include "device/gpu/cuda.h"

#include "base/message.h"
#include "base/thread_pool.h"
#include "trace/kernel_name.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The compute capability that the recorder and CUDA's runtime need. */
#define LEAST_MAJOR 7
#define LEAST_MINOR 5

/* ---- choice of a GPU ---- */

static void missing(struct cuda_facts *facts, cudaError_t error) {
    char *text = facts->missing;
    const size_t size = sizeof facts->missing;
    const char *reason = cudaGetErrorString(error);
    if (facts->driver == 0)
        snprintf(text, size,
                 _("no NVIDIA driver on this machine (CUDA: %s)\n"
                   "try: --device cpu, the same kernel emulated; or install the driver"),
                 reason);
    else if (error == cudaErrorInsufficientDriver)
        snprintf(text, size,
                 _("the NVIDIA driver supports CUDA %d.%d, and this shflviz needs %d.%d (CUDA: "
                   "%s)\ntry: --device cpu, the same kernel emulated; or install a newer driver"),
                 facts->driver / 1000, facts->driver % 1000 / 10, facts->runtime / 1000,
                 facts->runtime % 1000 / 10, reason);
    else if (error == cudaErrorNoDevice)
        snprintf(text, size,
                 _("the NVIDIA driver sees no GPU (CUDA: %s)\ntry: --device cpu, the same kernel "
                   "emulated; or nvidia-smi, and check that CUDA_VISIBLE_DEVICES names a GPU"),
                 reason);
    else
        snprintf(text, size,
                 _("the GPU cannot be used (CUDA: %s)\n"
                   "try: --device cpu, the same kernel emulated; or nvidia-smi"),
                 reason);
}

void cuda_query(struct cuda_facts *facts) {
    struct cudaDeviceProp properties;
    int count = 0;
    cudaRuntimeGetVersion(&facts->runtime);
    if (cudaDriverGetVersion(&facts->driver) != cudaSuccess)
        facts->driver = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess) {
        missing(facts, error);
        return;
    }
    facts->major = properties.major;
    facts->minor = properties.minor;
    snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    facts->available = properties.major * 10 + properties.minor >= LEAST_MAJOR * 10 + LEAST_MINOR;
    if (!facts->available)
        snprintf(facts->missing, sizeof facts->missing,
                 _("%s has compute capability %d.%d, and shflviz needs %d.%d or later\n"
                   "try: --device cpu, the same kernel emulated"),
                 facts->name, facts->major, facts->minor, LEAST_MAJOR, LEAST_MINOR);
}

/* ---- the run ---- */

/*
 * The kernels' host parts call CUDA like any program; only their launches pass through
 * shflviz_gpu_begin_launch(). So a launch must find its run without a parameter for it, as CUDA
 * finds the current device. Only a child process has a run, and it has just one.
 */
static struct gpu_run {
    struct session *session;
    const struct cuda_job *job;
    struct drain drain;
    struct shflviz_ring_host *host_in_device; /* if the host's memory cannot be shared */
    cudaStream_t copies;                      /* for copies concurrent with the kernels */
    double deadline;                          /* set at the first launch; 0 for none */
    cudaError_t failure;                      /* the first */
    const char *failing;                      /* the action that failed */
} * current;

static cudaError_t record_failure(struct gpu_run *run, cudaError_t error, const char *doing) {
    if (error != cudaSuccess && run->failure == cudaSuccess) {
        run->failure = error;
        run->failing = doing;
    }
    return error;
}

static int copy(struct gpu_run *run, void *to, const void *from, size_t bytes,
                enum cudaMemcpyKind kind) {
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, run->copies);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(run->copies);
    return record_failure(run, error, "copying the recording");
}
static int read_device(void *context, void *to, const void *from, size_t bytes) {
    return copy(context, to, from, bytes, cudaMemcpyDeviceToHost);
}
static int write_device(void *context, void *to, const void *from, size_t bytes) {
    return copy(context, to, from, bytes, cudaMemcpyHostToDevice);
}
static int early(void *context, uint64_t first, size_t count) {
    return session_early(((struct gpu_run *)context)->session, first, count);
}
static void *room(void *context) {
    return session_room(((struct gpu_run *)context)->session);
}
static int deliver(void *context, void *at, size_t count) {
    return session_deliver(((struct gpu_run *)context)->session, at, count);
}

/* ---- its memory ---- */

static cudaError_t alloc_zeroed(void **at, size_t bytes) {
    cudaError_t error = cudaMalloc(at, bytes);
    return error == cudaSuccess ? cudaMemset(*at, 0, bytes) : error;
}

/* Lets the GPU see the memory that this process shares with its caller. If this fails, the ring is
 * drained only between launches, and records that do not fit into the ring are dropped. */
static cudaError_t share_host(struct gpu_run *run) {
    struct session *session = run->session;
    struct shflviz_ring *ring = &run->drain.ring;
    void *seen;
    if (cudaHostRegister(session->link.shared, session->link.shared_bytes,
                         cudaHostRegisterMapped | cudaHostRegisterPortable) == cudaSuccess &&
        cudaHostGetDevicePointer(&seen, session->link.shared, 0) == cudaSuccess) {
        unsigned char *base = session->link.shared;
        ring->host = (struct shflviz_ring_host *)seen;
        ring->early = (unsigned char *)seen + (session->early - base);
        run->drain.host = session->host;
        run->drain.early = session->early;
        return cudaSuccess;
    }
    cudaGetLastError(); /* the error has been handled */
    ring->waits = 0;
    ring->early_records = 0;
    cudaError_t error = alloc_zeroed((void **)&run->host_in_device, sizeof *run->host_in_device);
    ring->host = run->host_in_device;
    return error;
}

/* The bus limits how fast chunks are copied; the processors limit how fast they are encoded. */
#define LOOKERS_SHARE 4
#define LOOKERS_MOST  64

static cudaError_t prepare(struct gpu_run *run) {
    struct shflviz_ring *ring = &run->drain.ring;
    *ring = session_ring(run->session);
    run->drain.does = (struct drain_operations){.context = run,
                                                .read = read_device,
                                                .write = write_device,
                                                .early = early,
                                                .room = room,
                                                .deliver = deliver};
    run->drain.pool = thread_pool_new(thread_pool_processors() / LOOKERS_SHARE, LOOKERS_MOST);
    cudaError_t error = cudaSetDevice(0);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&run->copies, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = alloc_zeroed((void **)&ring->records, run->session->shape.bytes);
    if (error == cudaSuccess)
        error = alloc_zeroed((void **)&ring->state, sizeof *ring->state);
    if (error == cudaSuccess)
        error = share_host(run);
    return record_failure(run, error, "preparing the recording");
}

/* Frees what a successful run has allocated, because its process may continue. After a failed run
 * the process ends. */
static void release(struct gpu_run *run) {
    struct shflviz_ring *ring = &run->drain.ring;
    cudaFree(ring->records);
    cudaFree(ring->state);
    if (run->host_in_device)
        cudaFree(run->host_in_device);
    else
        cudaHostUnregister(run->session->link.shared);
    cudaStreamDestroy(run->copies);
    thread_pool_release(run->drain.pool);
}

/* ---- launches ---- */

/* Declared where the kernels call them: shflviz/record_gpu.cuh. */
int shflviz_gpu_begin_launch(struct shflviz_ring *ring, const char *text, const unsigned grid[3],
                             const unsigned block[3], size_t shared);
int shflviz_gpu_finish_launch(int launched);

int shflviz_gpu_begin_launch(struct shflviz_ring *ring, const char *text, const unsigned grid[3],
                             const unsigned block[3], size_t shared) {
    struct gpu_run *run = current;
    if (!run)
        return 0;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    if (drain_begin(&run->drain, blocks) != 0)
        record_failure(run, cudaErrorUnknown, "preparing the recording");
    char *name = launch_kernel_name(text);
    const bool watched =
        shflviz_filter_passes_launch(&run->drain.ring.filter, run->session->launches, name);
    session_launch(run->session, &(struct trace_launch){.kernel = name,
                                                        .grid = {grid[0], grid[1], grid[2]},
                                                        .block = {block[0], block[1], block[2]},
                                                        .shared = shared});
    free(name);
    *ring = run->drain.ring;
    if (!watched) {
        ring->state = NULL;
        ring->quick_places = 0;
    }
    if (run->deadline == 0 && run->session->options.timeout > 0)
        run->deadline = clock_seconds() + run->session->options.timeout;
    return 1;
}

static void nap(void) {
    const struct timespec some = {.tv_nsec = 50000};
    nanosleep(&some, NULL);
}

/* Called if the kernel does not end. Saves everything possible and ends the process, which is the
 * only way to stop the kernel. */
static void give_up(struct gpu_run *run) {
    char text[512];
    drain_salvage(&run->drain);
    snprintf(text, sizeof text,
             "a kernel on the GPU did not end within %g s\n"
             "try: a longer --timeout, or --device cpu, which says which lanes wait and for whom",
             run->session->options.timeout);
    session_end(run->session, run->drain.delivered + run->drain.dropped, TRACE_FAILURE_TIME, text);
    _exit(0);
}

int shflviz_gpu_finish_launch(int launched) {
    struct gpu_run *run = current;
    cudaError_t error = record_failure(run, (cudaError_t)launched, "launching the kernel");
    while (error == cudaSuccess && (error = cudaStreamQuery(0)) == cudaErrorNotReady) {
        uint64_t count = 0;
        error = (cudaError_t)drain_ready(&run->drain, &count);
        if (count == 0)
            nap();
        if (run->deadline > 0 && clock_seconds() > run->deadline &&
            cudaStreamQuery(0) == cudaErrorNotReady)
            give_up(run);
    }
    if (record_failure(run, error, "running the kernel") != cudaSuccess)
        return run->failure;
    if (run->host_in_device) /* before the records that name the sites */
        read_device(run, run->session->host->sites, run->host_in_device->sites,
                    sizeof run->host_in_device->sites);
    if (drain_finish(&run->drain) != 0)
        return record_failure(run, cudaErrorUnknown, "draining the recording");
    return run->failure;
}

/* ---- the end of a run ---- */

static const char *advice(cudaError_t error) {
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorHardwareStackError:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorAssert:
        return "The kernel did something the GPU forbids. Steps that were still in its memory are "
               "lost.\n"
               "try: --device cpu, which shows the steps up to there; compute-sanitizer, which "
               "names the line";
    case cudaErrorLaunchTimeout:
        return "The display's watchdog ended the kernel.\n"
               "try: fewer --blocks, or a GPU that drives no display";
    case cudaErrorMemoryAllocation:
        return "The GPU has no room for this run.\ntry: a smaller --memory, fewer --blocks";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
        return "This shflviz has no code that this GPU or its driver accepts.\n"
               "try: building it with -DSHFLVIZ_CUDA=ON, a newer driver, or --device cpu";
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
        return "The GPU refuses a launch of this shape.\ntry: fewer --threads";
    default:
        return "try: --device cpu, and nvidia-smi, which shows the GPU's state";
    }
}

static enum trace_failure failure_of(cudaError_t error) {
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorHardwareStackError:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorAssert:
        return TRACE_FAILURE_CRASH;
    case cudaErrorMemoryAllocation:
        return TRACE_FAILURE_MEMORY;
    case cudaErrorLaunchTimeout:
        return TRACE_FAILURE_TIME;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
        return TRACE_FAILURE_LAUNCH;
    default:
        return TRACE_FAILURE_OTHER;
    }
}

static void end(struct gpu_run *run, cudaError_t status) {
    uint64_t taken = run->drain.delivered + run->drain.dropped;
    char text[1024];
    record_failure(run, status, "running");
    if (run->failure == cudaSuccess) {
        session_end(run->session, taken, TRACE_FAILURE_NONE, NULL);
        return;
    }
    snprintf(text, sizeof text, "%s on %s failed while %s: %s (%s)\n%s",
             run->job->entry->program.name, run->job->facts->name, run->failing,
             cudaGetErrorString(run->failure), cudaGetErrorName(run->failure),
             advice(run->failure));
    session_end(run->session, taken, failure_of(run->failure), text);
}

void cuda_run(struct session *session, void *context) {
    const struct cuda_job *job = context;
    struct gpu_run run = {.session = session, .job = job};
    cudaError_t error = prepare(&run);
    if (error == cudaSuccess) {
        const struct shflviz_run call = {job->parameters,
                                         job->wants_output ? session->output : NULL};
        current = &run;
        error = (cudaError_t)job->entry->run(&call);
        current = NULL;
    }
    if (error == cudaSuccess && run.failure == cudaSuccess)
        release(&run);
    end(&run, error);
}
