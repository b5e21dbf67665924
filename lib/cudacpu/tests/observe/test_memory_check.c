/*
 * Host threads that allocate while others write, which `check` observes without the lock of CUDA's
 * calls. Here ThreadSanitizer reliably finds what a program would show only by luck.
 */
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/memory_check.h"
#include "cudacpu/observe/memory_state.h"
#include "simt/device_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 2000, WORDS = 64 };

/* As in guest/shared.c, for a program that declares none. */
__thread unsigned char cpu_dynamic_shared[CPU_SHARED_BYTES];

static const struct cpu_observer *observer;
static uint32_t below[5 * WORDS], *const written = below + 4 * WORDS;

/* The list moves each time: the new entries are below those to which the other thread writes. */
static void *allocate(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t *memory = below + i % 4 * WORDS;
        observer->allocated(memory, WORDS * sizeof *memory, false);
        observer->freed(memory);
    }
    return NULL;
}

static void *write_words(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < ROUNDS; i++)
        memory_check_access(&written[i % WORDS], sizeof *written, ACCESS_WRITES,
                            (const void *)(uintptr_t)(4096 + i));
    return NULL;
}

static void test_host_threads(void **state) {
    (void)state;
    char path[] = "/tmp/shflviz-accesses-XXXXXX";
    close(mkstemp(path));
    observer = memory_check_begin(path);
    unlink(path);
    assert_non_null(observer);
    observer->allocated(written, WORDS * sizeof *written, false);
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, allocate, NULL);
    pthread_create(&thread[1], NULL, write_words, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    /* Each word has been noted, in the cells of its own allocation. */
    const struct region *last = &check.regions[check.region_count - 1];
    assert_int_equal(last->start, (uintptr_t)written);
    for (unsigned i = 0; i < WORDS; i++)
        assert_int_equal(last->cells[i].written, BYTES);
    assert_int_equal(check.head->count, 0);
}

/* Locations have one number for each address, even if two threads ask for the first time. */
static void *number_sites(void *numbers) {
    for (unsigned i = 0; i < ROUNDS; i++)
        ((uint16_t *)numbers)[i] = site_number((const void *)(uintptr_t)(1000000 + i));
    return NULL;
}

static void test_sites(void **state) {
    (void)state;
    static uint16_t numbers[2][ROUNDS];
    const uint32_t before = check.site_count;
    pthread_t thread[2];
    for (unsigned i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, number_sites, numbers[i]);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]);
    assert_int_equal(check.site_count - before, ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_threads),
        cmocka_unit_test(test_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
