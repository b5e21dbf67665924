/*
 * record.cu - the work that is measured: butterflies, with nothing between the shuffles that could
 * hide the cost of recording.
 *
 * For a GPU nvcc compiles this file twice, with the recorder before it and without: the kernels are
 * the same text, and get different names through the extern "C" functions below. On the CPU warp
 * there is one build, which records if the device was given a sink.
 */
#include "measure/clock.cuh"
#include "measure/measure.h"

#include <cstdio>

/* Six blocks for each multiprocessor: with all the registers that the recorder would use, only
 * four fit, and then too few lanes wait for record numbers at a time. Compute capability 7.5 allows
 * no more than four. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define BLOCKS_WANTED 4
#else
#define BLOCKS_WANTED 6
#endif
static __global__ void __launch_bounds__(256, BLOCKS_WANTED)
    butterflies(unsigned rounds, unsigned *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = thread;
    for (unsigned round = 0; round < rounds; round++)
        for (int laneMask = 16; laneMask > 0; laneMask /= 2)
            value += __shfl_xor_sync(0xffffffff, value, laneMask);
    out[thread] = value;
}

/* The usual way without a recorder: a line from each lane, in any order. */
static __global__ void butterflies_printed(unsigned rounds, unsigned *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = thread;
    for (unsigned round = 0; round < rounds; round++)
        for (int laneMask = 16; laneMask > 0; laneMask /= 2) {
            unsigned got = __shfl_xor_sync(0xffffffff, value, laneMask);
            printf("thread id = %u, before shuffle value = %u, after shuffle value=%u\n", thread,
                   value, got);
            value += got;
        }
    out[thread] = value;
}

static cudaError_t launch(bool printed, unsigned blocks, unsigned threads, unsigned rounds,
                          unsigned *out) {
    void *arguments[] = {&rounds, &out};
    return printed ? cudaLaunchKernel(butterflies_printed, blocks, threads, arguments, 0, 0)
                   : cudaLaunchKernel(butterflies, blocks, threads, arguments, 0, 0);
}

#ifndef __CUDACC__

extern "C" int shflviz_cpu_butterflies(int printed, unsigned blocks, unsigned threads,
                                       unsigned rounds) {
    device_array<unsigned> out(size_t(blocks) * threads);
    if (out.error != cudaSuccess)
        return out.error;
    cudaError_t error = launch(printed, blocks, threads, rounds, out.data);
    cudaError_t finished = cudaDeviceSynchronize();
    return error == cudaSuccess ? finished : error;
}

#elif !defined(SHFLVIZ_RECORDING)

extern "C" int shflviz_bare_butterflies(int printed, unsigned blocks, unsigned threads,
                                        unsigned rounds, unsigned *out) {
    return launch(printed, blocks, threads, rounds, out);
}

#else /* the recorder, on a GPU */

#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

extern "C" int shflviz_bare_butterflies(int printed, unsigned blocks, unsigned threads,
                                        unsigned rounds, unsigned *out);

static constexpr unsigned THREADS = 256;
static constexpr unsigned ROUNDS = 8; /* of five shuffles */
static constexpr unsigned WAVES = 64; /* at most this many blocks for each that fits on the GPU */
static constexpr unsigned PRINTED_ROUNDS = 20; /* in one warp; a line per lane */
static constexpr unsigned VALUE_BYTES = 4;

struct bench {
    bench_record_report *report;
    unsigned blocks;
    double operations, bytes; /* the bytes of that many records */
    unsigned stripes_log2, places_log2, chunk_log2;
    unsigned *out;
    unsigned char *taken; /* a chunk, in the host's memory */
    cudaStream_t copies;
    uint64_t chunks_taken;
    unsigned char *records;
    shflviz_ring_state *state;
    shflviz_ring_host *host;
};

static bench_record_row *add_row(const bench *b, const char *name, double operations,
                                 double bytes) {
    bench_record_row *row = &b->report->rows[b->report->row_count++];
    *row = bench_record_row();
    row->name = name;
    row->operations = operations;
    row->bytes = bytes;
    return row;
}

/* A ring that holds all records. The recorder is measured without the transfer to the host, so its
 * memory here is device memory. */
static cudaError_t begin_recording(const bench *b) {
    shflviz_ring ring = {};
    ring.state = b->state;
    ring.host = b->host;
    ring.records = b->records;
    ring.limit = UINT64_MAX;
    ring.stripes_log2 = b->stripes_log2;
    ring.chunks_log2 = b->places_log2 - b->chunk_log2;
    ring.chunk_log2 = b->chunk_log2;
    ring.value_bytes = VALUE_BYTES;
    ring.tag = 1;
    ring_prepare(&ring, b->blocks);
    return cudaMemcpyToSymbol(shflviz::recording, &ring, sizeof ring);
}
static cudaError_t empty_ring(const bench *b) {
    return cudaMemsetAsync(b->state, 0, offsetof(shflviz_ring_state, sites), 0);
}

/* Takes chunks one after the other while the kernel runs, as a draining host does. */
static cudaError_t take_chunks(bench *b) {
    cudaEvent_t ended;
    cudaError_t error = cudaEventCreateWithFlags(&ended, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return error;
    cudaEventRecord(ended, 0);
    static shflviz_ring_stripe counts[SHFLVIZ_RING_STRIPES_MAX];
    const size_t chunk = size_t(SHFLVIZ_CELL_BYTES) << b->chunk_log2;
    const uint64_t chunks = uint64_t(1) << (b->places_log2 - b->chunk_log2);
    for (uint64_t i = 0; cudaEventQuery(ended) == cudaErrorNotReady && error == cudaSuccess; i++) {
        cudaMemcpyAsync(counts, b->state->stripe, sizeof counts, cudaMemcpyDeviceToHost, b->copies);
        cudaMemcpyAsync(b->taken, b->records + i % chunks * chunk, chunk, cudaMemcpyDeviceToHost,
                        b->copies);
        error = cudaStreamSynchronize(b->copies);
        b->chunks_taken++;
    }
    cudaEventDestroy(ended);
    return error;
}

static cudaError_t measure_memset(const bench *b) {
    cudaError_t error;
    bench_record_row *row = add_row(b, N_("memset of the same size"), 0, b->bytes);
    row->seconds = median_seconds(
        b->report->repeats, [&] { return cudaMemsetAsync(b->records, 0, size_t(b->bytes), 0); },
        &error);
    return error;
}

static cudaError_t measure_bare(const bench *b) {
    cudaError_t error;
    bench_record_row *row = add_row(b, N_("bare"), b->operations, 0);
    row->seconds = median_seconds(
        b->report->repeats,
        [&] { return shflviz_bare_butterflies(0, b->blocks, THREADS, ROUNDS, b->out); }, &error);
    return error;
}

/* The time includes emptying the ring; its counters take up some ten thousand bytes. */
static cudaError_t measure_recorded(bench *b, const char *name, bool drained) {
    bench_record_row *row = add_row(b, name, b->operations, b->bytes);
    cudaError_t error = begin_recording(b);
    if (error != cudaSuccess)
        return error;
    row->seconds = median_seconds(
        b->report->repeats,
        [&] {
            cudaError_t emptied = empty_ring(b);
            cudaError_t launched = emptied == cudaSuccess
                                       ? launch(false, b->blocks, THREADS, ROUNDS, b->out)
                                       : emptied;
            return drained && launched == cudaSuccess ? take_chunks(b) : launched;
        },
        &error);
    shflviz_ring_stripe counts[SHFLVIZ_RING_STRIPES_MAX];
    if (error == cudaSuccess)
        error = cudaMemcpy(counts, b->state->stripe, sizeof counts, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        return error;
    uint64_t room = (uint64_t)1 << (b->places_log2 - b->stripes_log2);
    uint64_t kept = 0, dropped = 0;
    for (unsigned stripe = 0; stripe < 1u << b->stripes_log2; stripe++) {
        uint64_t taken = counts[stripe].next;
        kept += std::min(taken, room);
        dropped += taken - std::min(taken, room);
    }
    b->report->records = kept;
    b->report->dropped += dropped;
    row->bytes = double(kept) * SHFLVIZ_CELL_BYTES;
    return cudaSuccess;
}

/* Kernels' output appears when the host waits for them, so the host's clock measures that wait,
 * too; the text goes to /dev/null. */
static cudaError_t measure_printed(const bench *b) {
    bench_record_row *row = add_row(b, N_("printf in each lane"), PRINTED_ROUNDS * 5, 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (kept < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return cudaErrorUnknown;
    double times[REPEATS_MAX];
    unsigned repeats = std::min(std::max(b->report->repeats, 1u), REPEATS_MAX);
    cudaError_t error = cudaSuccess;
    for (unsigned run = 0; run < repeats && error == cudaSuccess; run++) {
        double start = clock_seconds();
        error = cudaError_t(shflviz_bare_butterflies(1, 1, 32, PRINTED_ROUNDS, b->out));
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
        times[run] = clock_seconds() - start;
    }
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(nowhere);
    row->seconds = clock_median(times, repeats);
    return error;
}

static cudaError_t measure_all(bench *b) {
    cudaError_t error = measure_memset(b);
    if (error == cudaSuccess)
        error = measure_bare(b);
    if (error == cudaSuccess)
        error = measure_recorded(b, N_("recorded"), false);
    if (error == cudaSuccess)
        error = measure_recorded(b, "recorded, and drained", true);
    if (error == cudaSuccess)
        error = measure_printed(b);
    return error;
}

extern "C" int shflviz_gpu_measure_record(void *of) {
    bench_record_report *report = static_cast<bench_record_report *>(of);
    int device = 0, processors = 1, threads = THREADS;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    size_t unused = 0, memory = 0;
    cudaMemGetInfo(&unused, &memory);
    bench b = {};
    b.report = report;
    /* As many waves as fit in half of the memory: a longer kernel drains more chunks. Blocks are
     * not evenly spread over the stripes, so there is room for half as much again. */
    for (unsigned waves = WAVES; waves; waves /= 2) {
        b.blocks = unsigned(processors * (threads / int(THREADS))) * waves;
        b.operations = double(b.blocks) * (THREADS / 32) * ROUNDS * 5;
        b.places_log2 = 0;
        while (double((uint64_t)1 << b.places_log2) < 1.5 * b.operations)
            b.places_log2++;
        if ((size_t)SHFLVIZ_CELL_BYTES << b.places_log2 <= unused / 2)
            break;
    }
    b.bytes = b.operations * SHFLVIZ_CELL_BYTES;
    b.chunk_log2 = b.places_log2 > 12 + 12 ? b.places_log2 - 12 : 12;
    /* The same division as in device/gpu/drain.c: one stripe per 16 blocks, a power of two. */
    while (2u << b.stripes_log2 <= SHFLVIZ_RING_STRIPES_MAX && b.blocks >> (b.stripes_log2 + 5))
        b.stripes_log2++;
    cudaError_t error = cudaMalloc(&b.out, size_t(b.blocks) * THREADS * sizeof *b.out);
    if (error == cudaSuccess)
        error = cudaMalloc(&b.records, size_t(SHFLVIZ_CELL_BYTES) << b.places_log2);
    if (error == cudaSuccess)
        error = cudaMallocHost(&b.taken, size_t(SHFLVIZ_CELL_BYTES) << b.chunk_log2);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&b.copies, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaMalloc(&b.state, sizeof *b.state);
    if (error == cudaSuccess)
        error = cudaMemset(b.state, 0, sizeof *b.state);
    if (error == cudaSuccess)
        error = cudaMalloc(&b.host, sizeof *b.host);
    if (error == cudaSuccess)
        error = cudaMemset(b.host, 0, sizeof *b.host);
    if (error == cudaSuccess)
        error = measure_all(&b);
    cudaFree(b.out);
    cudaFree(b.records);
    cudaFree(b.state);
    cudaFree(b.host);
    cudaFreeHost(b.taken);
    if (b.copies)
        cudaStreamDestroy(b.copies);
    return error;
}

#endif
