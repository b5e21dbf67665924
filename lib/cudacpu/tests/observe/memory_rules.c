/*
 * Plays the words in order, each as one call of the interface that instrumented code uses, so that
 * a test of a rule is one line of text.
 */
#include "memory_rules.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096

/* The array that compile/link.c makes for a program. */
__thread unsigned char cpu_dynamic_shared[CPU_SHARED_BYTES] __attribute__((aligned(128)));
static struct {
    char gap[ACCESS_SHARED_GAP], x[64], gap_y[ACCESS_SHARED_GAP], y[32], rest[2 * PAGE];
} sections __attribute__((aligned(64)));
extern char *const cpu_shared_sections[][2];
char *const cpu_shared_sections[][2] = {
    {sections.x, sections.gap_y}, {sections.y, sections.rest}, {NULL, NULL}};

const struct cpu_observer *rules_observer;
struct cpu_device rules_device;
static uint32_t variable[16];
static unsigned char *pages; /* contains g and h, far from each other */

unsigned char *rules_memory(char letter) {
    switch (letter) {
    case 'g':
        return pages + (size_t)2 * PAGE;
    case 'h':
        return pages + (size_t)8 * PAGE;
    case 's':
        return cpu_dynamic_shared;
    case 'x':
        return (unsigned char *)sections.x;
    case 'y':
        return (unsigned char *)sections.y;
    default:
        return (unsigned char *)variable;
    }
}

int rules_begin(void **state) {
    char path[] = "/tmp/shflviz-accesses-XXXXXX";
    (void)state;
    close(mkstemp(path));
    rules_observer = memory_check_begin(path);
    unlink(path);
    pages = aligned_alloc(PAGE, (size_t)16 * PAGE);
    if (!rules_observer || !pages)
        return -1;
    memset(pages, 0, (size_t)16 * PAGE);
    block_room(RULES_THREADS, &rules_device.warps, &rules_device.lanes);
    for (unsigned t = 0; t < RULES_THREADS; t++)
        rules_device.lanes[t].fiber = t;
    rules_device.thread_count = RULES_THREADS;
    rules_device.warp_count = RULES_THREADS / CPU_WARP_LANES;
    rules_device.shared_bytes = RULES_SHARED;
    rules_device.pool = fiber_pool_create();
    return fiber_pool_reserve(rules_device.pool, RULES_THREADS, 0);
}

int rules_end(void **state) {
    (void)state;
    check.on = memory_check_is_on = false;
    fiber_pool_destroy(rules_device.pool);
    free(rules_device.warps);
    free(rules_device.lanes);
    free(pages);
    return 0;
}

void rules_lane(int thread) {
    struct cpu_lane *lane = thread < 0 ? NULL : &rules_device.lanes[thread];
    cpu_now =
        (struct cpu_now){.lane = lane, .warp = lane ? lane->warp : NULL, .device = &rules_device};
}

void rules_reset(void) {
    settle_pending();
    rules_lane(-1);
    rules_observer->allocated(rules_memory('g'), RULES_ALLOCATION, false);
    rules_observer->allocated(rules_memory('h'), RULES_ALLOCATION, true);
    memset(check.entries, 0, ACCESS_ENTRIES * sizeof *check.entries);
    check.head->count = check.head->more = 0;
    for (unsigned w = 0; w < rules_device.warp_count; w++)
        rules_device.warps[w].at_barrier = rules_device.warps[w].exited = 0;
    rules_play("L B0 t0");
}

const void *rules_location(unsigned number) {
    return (const void *)(check.base + 16 * (uintptr_t)number);
}

static void block(char how, uint64_t number) {
    static struct cpu_block other;
    rules_device.block = number;
    if (how != 'b') {
        rules_device.waiting = how == 'P' ? &other : NULL;
        rules_device.interleaved = how == 'P';
        rules_observer->block();
    }
}

static void joined(const char *word) {
    char *colon;
    const unsigned long warp = strtoul(word, &colon, 10);
    rules_observer->joined(&rules_device.warps[warp], (uint32_t)strtoul(colon + 1, NULL, 16));
}

static void barrier(void) {
    const struct cpu_now before = cpu_now;
    cpu_now.lane = NULL;
    rules_observer->barrier();
    cpu_now = before;
}

static void access_memory(const char *word, unsigned number) {
    static const unsigned kinds[] = {
        ['r'] = ACCESS_READS,   ['w'] = ACCESS_WRITES,
        ['k'] = ACCESS_WRITES,  ['a'] = ACCESS_ATOMIC | ACCESS_WRITES,
        ['l'] = ACCESS_ATOMIC,  ['V'] = ACCESS_VOLATILE | ACCESS_WRITES,
        ['v'] = ACCESS_VOLATILE};
    static unsigned char value;
    char *plus;
    unsigned char *address = rules_memory(word[1]) + strtol(word + 2, &plus, 10);
    const size_t size = *plus == '+' ? strtoul(plus + 1, NULL, 10) : 4;
    if (*word == 'c') {
        memory_check_written(address, size);
        return;
    }
    const unsigned kind = kinds[(unsigned char)*word];
    memory_check_access(address, size, kind, rules_location(number));
    if (kind & ACCESS_WRITES && *word != 'k')
        memset(address, ++value, size);
}

void rules_play(const char *text) {
    static unsigned number;
    number = 0;
    for (const char *at = text; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (*at == 'L')
            rules_observer->launch();
        else if (*at == 'G')
            rules_observer->grid_barrier();
        else if (*at == '|')
            barrier();
        else if (*at == 'f')
            rules_observer->fence();
        else if (*at == 'm')
            clock_next((unsigned)atoi(at + 1));
        else if (*at == 'j')
            joined(at + 1);
        else if (*at == 't')
            rules_lane(atoi(at + 1));
        else if (*at == 'H')
            rules_lane(-1);
        else if (*at == '(' || *at == ')')
            cpu_now.in_atomic = *at == '(';
        else if (*at == 'F')
            rules_observer->freed(rules_memory(at[1]));
        else if (*at == 'A')
            rules_observer->allocated(rules_memory(at[1]), RULES_ALLOCATION, false);
        else if (*at == 'n' || *at == 'N')
            rules_observer->named(&rules_device.warps[0].named_barriers[1], NULL, *at == 'N');
        else if (strchr("BPb", *at))
            block(*at, strtoull(at + 1, NULL, 10));
        else
            access_memory(at, ++number);
    }
    settle_pending();
}

void rules_found(char *text, size_t size) {
    static const char rules[] = "?SGOUDWMHKN";
    *text = '\0';
    for (uint32_t i = 0; i < check.head->count; i++) {
        const struct access_entry *entry = &check.entries[i];
        const size_t length = strlen(text);
        int more = snprintf(text + length, size - length, "%s%c%llu", i ? " " : "",
                            rules[entry->rule], (unsigned long long)entry->me.pc / 16);
        if (entry->other.pc)
            snprintf(text + length + more, size - length - (size_t)more, "<%llu",
                     (unsigned long long)entry->other.pc / 16);
    }
}
