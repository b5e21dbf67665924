#include "cpu_yardstick.h"

#include "base/memory.h"
#include "simt/switch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LANES      YARDSTICK_LANES
#define STACK_SIZE 65536
#define HOST       LANES /* the program's own stack, as an additional lane */
#define KIND_XOR   0x100u

struct fiber {
    struct cpu_context context;
    uint32_t value[2]; /* used in turn, so that a lane that is ahead overwrites nothing */
    uint32_t turn;
    uint32_t lane;
    const void *site; /* of its last call */
    uint32_t call;
};

struct yardstick {
    struct yardstick_record *ring;
    unsigned last_record; /* their number; one less than a power of two */
    unsigned warp, rounds;
    uint64_t sum, recorded;
    char *stacks;
};

/* As in the device, the running lane is found without an argument. */
static struct fiber lanes[LANES + 1] __attribute__((aligned(64)));
static struct fiber *current;
static struct yardstick *here;

static void write_record(const struct fiber *me, uint32_t mask) {
    struct yardstick_record *record = &here->ring[here->recorded++ & here->last_record];
    uint32_t turn = me->turn ^ 1;
    record->warp = here->warp;
    record->mask = mask;
    for (unsigned lane = 0; lane < LANES; lane++) {
        record->in[lane] = lanes[lane].value[turn];
        record->out[lane] = lanes[lane ^ mask].value[turn];
    }
}

static __attribute__((noinline)) uint32_t shuffle_xor(uint32_t value, uint32_t mask) {
    struct fiber *me = current;
    me->value[me->turn] = value;
    me->turn ^= 1;
    me->site = __builtin_return_address(0);
    me->call = mask | KIND_XOR;
    if (me != lanes && (me[-1].site != me->site || ((me[-1].call ^ me->call) & KIND_XOR)))
        abort();
    struct fiber *next = me == lanes + LANES - 1 ? lanes : me + 1;
    current = next;
    CPU_SWITCH(&me->context, &next->context);
    me = current;
    uint32_t result = lanes[(me->lane ^ mask) % LANES].value[me->turn ^ 1];
    if (me == lanes)
        write_record(me, mask);
    return result;
}

static void work(uint32_t lane) {
    uint32_t x = here->warp * LANES + lane + 1;
    for (uint32_t round = 0; round < here->rounds; round++) {
        for (uint32_t mask = 16; mask; mask >>= 1)
            x += shuffle_xor(x, mask);
        x = x * 5 + lane + round;
    }
    here->sum += x;
}

static _Noreturn void lane_main(void) {
    for (;;) {
        work(current->lane);
        struct fiber *me = current;
        struct fiber *next = me + 1; /* the host follows the last lane */
        current = next == lanes + HOST ? lanes : next;
        CPU_SWITCH(&me->context, &next->context);
    }
}

struct yardstick *yardstick_create(struct yardstick_record *ring, unsigned records) {
    struct yardstick *yardstick = memory_zeroed(1, sizeof *yardstick);
    yardstick->ring = ring;
    yardstick->last_record = records - 1;
    yardstick->stacks =
        mmap(NULL, LANES * STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (yardstick->stacks == MAP_FAILED)
        abort();
    for (unsigned lane = 0; lane < LANES; lane++) {
        /* The tops are apart in the cache, and aligned as at a call. */
        char *top = yardstick->stacks + (lane + 1) * STACK_SIZE - lane * 320 % 8192 / 16 * 16 - 8;
        lanes[lane] = (struct fiber){.lane = lane};
        lanes[lane].context = (struct cpu_context){.stack_pointer = top};
        lanes[lane].context.resume = (void *)(uintptr_t)lane_main;
    }
    return yardstick;
}

void yardstick_destroy(struct yardstick *yardstick) {
    if (!yardstick)
        return;
    munmap(yardstick->stacks, LANES * STACK_SIZE);
    free(yardstick);
}

uint64_t yardstick_run(struct yardstick *yardstick, unsigned warps, unsigned rounds) {
    here = yardstick;
    yardstick->sum = 0;
    yardstick->rounds = rounds;
    for (yardstick->warp = 0; yardstick->warp < warps; yardstick->warp++) {
        current = lanes;
        CPU_SWITCH(&lanes[HOST].context, &lanes[0].context);
    }
    return yardstick->sum;
}
