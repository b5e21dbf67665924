/*
 * trap.c - ends a kernel from inside: __trap() and a device-side assert. The lane ends, its block
 * continues as far as it can, no further block begins, and the host finds an error that stays
 * until cudaDeviceReset().
 */
#include "cudacpu/runtime/api.h"
#include "simt/block_workers.h"
#include "simt/fiber.h"

#include <signal.h>
#include <stdio.h>

extern char __executable_start[] __attribute__((weak)), __data_start[] __attribute__((weak));

static _Noreturn void end_kernel(enum cudaError error) {
    struct cpu_device *device = cpu_now.device;
    if (device->lasting == cudaSuccess)
        device->lasting = error;
    schedule_end_lane(device);
}

void cpu_exit(void) {
    schedule_end_lane(cpu_now.device);
}

void cpu_trap(void) {
    if (cpu_is_lane())
        end_kernel(cudaErrorLaunchFailure);
    raise(SIGTRAP); /* called by the host */
}

/* CUDA's wording: CUDA C++ Programming Guide, "Assertion". */
void cpu_assert_failed(const char *text, const char *file, unsigned line, const char *function) {
    const struct uint3 thread = cpu_now.lane->thread_index, block = cpu_block_index;
    struct cpu_device *device = cpu_now.device;
    if (device->worker && !block_worker_await_turn(device) && block_worker_is_cancelled(device))
        end_kernel(cudaErrorAssert);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, block.x, block.y, block.z, thread.x, thread.y, thread.z, text);
    end_kernel(cudaErrorAssert);
}

/* Called before an access of a submission (instrument/submission_memory.c), which may touch only
 * the running lane's stack and the program's read-only data. */
void cpu_answer_touches(const void *address);
void cpu_answer_touches(const void *address) {
    static bool told;
    const bool is_constant = __executable_start && (const char *)address >= __executable_start &&
                             (const char *)address < __data_start;
    if (!address || is_constant || !cpu_is_lane() ||
        fiber_holds(cpu_device_in_use()->pool, cpu_now.lane->fiber, address))
        return;
    if (!told) /* one lane reports for all */
        fputs("an answer to this exercise may access only its own variables\n", stderr);
    told = true;
    end_kernel(cudaErrorAssert);
}
