/*
 * Watched memory: allocations as they come and go, memory of the other side, the state of global
 * memory (memory_check.h, access_file.h); and the functions that a compiler calls for indices,
 * addresses or shifts that C++ leaves undefined (compiler-rt's ubsan_handlers.h).
 */
#include "memory_rules.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define GIB          (UINT64_C(1) << 30)
#define FAR          (UINT64_C(1) << 45) /* where nothing is */
#define NOWHERE      (FAR + (UINT64_C(1) << 40))

static void access_at(const void *address, size_t size, unsigned kind) {
    memory_check_access(address, size, kind, rules_location(1));
    settle_pending();
}

/* The rule that an access to the address breaks; 0 if none. */
static unsigned rule_of(const void *address, unsigned kind) {
    check.head->count = 0;
    access_at(address, 1, kind);
    return check.head->count ? check.entries[0].rule : 0;
}

/* ---- beginning ---- */

static int find_base(struct dl_phdr_info *info, size_t size, void *base) {
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

/* Locations count from the start of the executable's own addresses. */
static void test_base(void **state) {
    uintptr_t base = 1;
    (void)state;
    dl_iterate_phdr(find_base, &base);
    assert_int_equal(check.base, base);
    assert_int_equal(site_offset(site_number((const void *)(base + 4321))), 4321);
    assert_int_equal(site_offset(0), 0);
}

static void test_file(void **state) {
    char path[] = "/tmp/shflviz-accesses-XXXXXX";
    struct access_head *head = check.head, read_back;
    struct access_entry *entries = check.entries;
    struct stat status;
    (void)state;
    assert_false(found_open("/nowhere/at/all"));
    assert_null(memory_check_begin("/nowhere/at/all"));
    assert_ptr_equal(check.head, head);
    close(mkstemp(path));
    assert_int_equal(truncate(path, 1 << 20), 0); /* existing content is replaced */
    assert_true(found_open(path));
    check.head->more = 77; /* immediately visible in the file */
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(&read_back, sizeof read_back, 1, file), 1);
    fclose(file);
    assert_int_equal(stat(path, &status), 0);
    unlink(path);
    assert_memory_equal(read_back.magic, ACCESS_FILE_MAGIC, 8);
    assert_int_equal(read_back.count, 0);
    assert_int_equal(read_back.more, 77);
    assert_int_equal(status.st_size, sizeof read_back + 512 * sizeof(struct access_entry));
    munmap(check.head, (size_t)status.st_size);
    check.head = head;
    check.entries = entries;
}

/* ---- allocations ---- */

enum { BLOCKS = 200, BLOCK = 64, APART = 128 };
static unsigned char *arena; /* nothing watched before or after it */

static void allocate(size_t from, size_t size) {
    rules_observer->allocated(arena + from, size, false);
}

/* Each has its own bounds, in whatever order they were made. */
static void test_allocations(void **state) {
    (void)state;
    rules_reset();
    const uint64_t shadow = check.shadow;
    const size_t count = check.region_count;
    for (unsigned i = 0; i < BLOCKS; i++)
        allocate((size_t)(i * 77 % BLOCKS) * APART, BLOCK);
    assert_int_equal(check.region_count, count + BLOCKS);
    for (size_t i = 1; i < check.region_count; i++)
        assert_true(check.regions[i - 1].end <= check.regions[i].start);
    for (unsigned i = 0; i < BLOCKS; i++) {
        unsigned char *start = arena + (size_t)(i * 33 % BLOCKS) * APART;
        assert_int_equal(rule_of(start, ACCESS_WRITES), 0);
        assert_int_equal(rule_of(start + BLOCK - 1, ACCESS_WRITES), 0);
        assert_int_equal(rule_of(start + BLOCK, ACCESS_WRITES), ACCESS_OUT_OF_BOUNDS);
        assert_int_equal(check.entries[0].offset, BLOCK);
        assert_int_equal(rule_of(start + BLOCK - 1, ACCESS_READS), 0);
        assert_int_equal(rule_of(start + 1, ACCESS_READS), ACCESS_UNINITIALIZED_READ);
        assert_int_equal(check.entries[0].offset, 1);
    }
    /* Freed blocks are known as such until others replace them; then their data is released. */
    for (unsigned i = 0; i < BLOCKS; i++)
        rules_observer->freed(arena + (size_t)i * APART);
    assert_int_equal(check.shadow, shadow);
    assert_int_equal(check.region_count, count + BLOCKS);
    assert_int_equal(rule_of(arena + 3 * APART, ACCESS_READS), ACCESS_OUT_OF_BOUNDS);
    assert_int_equal(check.entries[0].memory, ACCESS_FREED);
    allocate(0, (size_t)BLOCKS * APART);
    assert_int_equal(check.region_count, count + 1);
    assert_int_equal(rule_of(arena + 3 * APART, ACCESS_WRITES), 0);
    rules_observer->freed(arena + 1); /* not the beginning of an allocation */
    assert_int_equal(rule_of(arena, ACCESS_WRITES), 0);
    rules_observer->freed(arena);
    assert_int_equal(check.shadow, shadow);
}

/* A new allocation at an old allocation's address replaces it; its neighbours stay. */
static void test_replaced(void **state) {
    static const struct {
        size_t from, size;
        unsigned left; /* a bit for each of four adjacent ones of 64 bytes */
    } cases[] = {
        {64, 64, 0xd}, {63, 65, 0xc}, {64, 65, 0x9},  {96, 1, 0xd},    {32, 160, 0x8},
        {0, 256, 0},   {256, 8, 0xf}, {128, 64, 0xb}, {192, 100, 0x7}, {0, 64, 0xe},
    };
    (void)state;
    rules_reset();
    for (size_t i = 0; i < COUNT(cases); i++) {
        allocate(0, (size_t)BLOCKS * APART);
        const size_t count = check.region_count - 1;
        for (unsigned block = 0; block < 4; block++)
            allocate((size_t)block * 64, 64);
        assert_int_equal(check.region_count, count + 4);
        allocate(cases[i].from, cases[i].size);
        assert_int_equal(check.region_count, count + 1 + (size_t)__builtin_popcount(cases[i].left));
        for (size_t r = 1; r < check.region_count; r++)
            assert_true(check.regions[r - 1].end <= check.regions[r].start);
        for (unsigned block = 0; block < 4; block++) {
            bool found = false;
            for (size_t r = 0; r < check.region_count; r++)
                found |= check.regions[r].start == (uintptr_t)arena + (size_t)block * 64 &&
                         (block * 64 != cases[i].from || cases[i].size == 64);
            if (cases[i].left >> block & 1)
                assert_true(found);
        }
    }
}

/* For an allocation that is too large only the bounds are known. */
static void test_large(void **state) {
    unsigned char *far = (unsigned char *)(uintptr_t)FAR;
    (void)state;
    rules_reset();
    check.head->left_out = 0;
    rules_observer->allocated(far, GIB, false);
    assert_int_equal(check.head->left_out, 1);
    assert_int_equal(rule_of(far, ACCESS_READS), 0);
    assert_int_equal(rule_of(far + GIB - 1, ACCESS_WRITES), 0);
    assert_int_equal(rule_of(far + GIB, ACCESS_WRITES), ACCESS_OUT_OF_BOUNDS);
    memory_check_written(far, 100); /* nothing is watched */
    rules_observer->freed(far);
    assert_int_equal(rule_of(far, ACCESS_WRITES), ACCESS_OUT_OF_BOUNDS);
    rules_observer->allocated(far, 1, false); /* takes its place */
    rules_observer->freed(far);
    /* There is still room for others. */
    check.head->left_out = 0;
    allocate(0, 1 << 14);
    assert_int_equal(check.head->left_out, 0);
    rules_observer->freed(arena);
}

/* For memory that a kernel makes with new, only the bounds are checked. */
static void test_made(void **state) {
    (void)state;
    rules_reset();
    rules_observer->made(arena, 64);
    assert_int_equal(rule_of(arena, ACCESS_READS), 0);
    assert_int_equal(rule_of(arena + 63, ACCESS_WRITES), 0);
    assert_int_equal(rule_of(arena + 64, ACCESS_WRITES), ACCESS_OUT_OF_BOUNDS);
    assert_int_equal(check.entries[0].memory, ACCESS_GLOBAL);
}

/* A template's shared variable, which each lane reports. */
static void test_shared(void **state) {
    static uint32_t of_template[4];
    (void)state;
    rules_reset();
    const size_t count = check.region_count;
    rules_observer->shared(of_template, sizeof of_template);
    assert_int_equal(check.region_count, count + 1);
    assert_int_equal(rule_of(of_template, ACCESS_READS), ACCESS_UNINITIALIZED_READ);
    assert_int_equal(check.entries[0].memory, ACCESS_SHARED);
    access_at(of_template, 4, ACCESS_WRITES);
    rules_observer->shared(of_template, sizeof of_template);
    assert_int_equal(check.region_count, count + 1);
    assert_int_equal(rule_of(of_template, ACCESS_READS), 0);
    rules_lane(1);
    assert_int_equal(rule_of(of_template, ACCESS_READS), ACCESS_SHARED_RACE);
    /* A variable that is known from the program is not reported again. */
    rules_observer->shared(rules_memory('x'), 64);
    rules_observer->shared(rules_memory('y') + 31, 1);
    assert_int_equal(check.region_count, count + 1);
    rules_observer->freed(of_template);
}

/* ---- memory of others ---- */

static __thread int of_thread[4];
static const int constant[4] = {1, 2, 3, 4};

/* A lane's stack, which may be anywhere in the process's memory. */
static unsigned char *stack_of(unsigned lane) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned char *found = NULL;
    while (!found && maps && fgets(line, sizeof line, maps)) {
        char *dash;
        const uintptr_t start = strtoull(line, &dash, 16), end = strtoull(dash + 1, NULL, 16);
        for (uintptr_t at = start; end - start < GIB && at < end && !found; at += 4096)
            if (fiber_holds(rules_device.pool, lane, (void *)at))
                found = (unsigned char *)at;
    }
    if (maps)
        fclose(maps);
    return found;
}

static void test_stacks(void **state) {
    unsigned char *own = stack_of(0), *other = stack_of(1);
    (void)state;
    rules_reset();
    if (!own || !other)
        skip();
    assert_int_equal(rule_of(own, ACCESS_WRITES), 0);
    assert_int_equal(rule_of(other, ACCESS_WRITES), ACCESS_WRONG_SPACE);
    assert_int_equal(check.entries[0].memory, ACCESS_LOCAL);
    rules_lane(1);
    assert_int_equal(rule_of(other, ACCESS_WRITES), 0);
    assert_int_equal(rule_of(own, ACCESS_READS), ACCESS_WRONG_SPACE);
}

static void test_other_side(void **state) {
    const uintptr_t distance = CPU_HOST_POINTER_BIT;
    int local = 0;
    (void)state;
    rules_reset();
    assert_int_equal(rule_of(of_thread, ACCESS_WRITES), 0);
    assert_int_equal(rule_of(&of_thread[3], ACCESS_WRITES), 0);
    assert_int_equal(rule_of(&cpu_now, ACCESS_READS), 0);
    assert_int_equal(rule_of(constant, ACCESS_READS), 0);
    assert_int_equal(rule_of(rules_device.warps, ACCESS_READS), 0);
    assert_int_equal(rule_of(&rules_device.lanes[RULES_THREADS - 1], ACCESS_READS), 0);
    /* The host's memory: its stack, its heap, and the addresses that a kernel gets instead of
     * the host's addresses. */
    assert_int_equal(rule_of(&local, ACCESS_READS), ACCESS_WRONG_SPACE);
    assert_int_equal(check.entries[0].memory, ACCESS_HOSTS);
    assert_int_equal(check.entries[0].bytes, 1);
    unsigned char *heap = malloc(1 << 20);
    assert_int_equal(rule_of(heap + (1 << 19), ACCESS_WRITES), ACCESS_WRONG_SPACE);
    assert_int_equal(check.entries[0].memory, ACCESS_HOSTS);
    assert_int_equal(rule_of((void *)((uintptr_t)(heap + (1 << 19)) ^ distance), ACCESS_WRITES),
                     ACCESS_WRONG_SPACE);
    assert_int_equal(check.entries[0].memory, ACCESS_HOSTS);
    free(heap);
    /* No memory at all. */
    static const uintptr_t nowhere[] = {0, 1, 4095, 65536,
#ifndef __SANITIZE_ADDRESS__ /* which uses memory everywhere */
                                        NOWHERE
#endif
    };
    for (size_t i = 0; i < COUNT(nowhere); i++) {
        assert_int_equal(rule_of((void *)nowhere[i], ACCESS_READS), ACCESS_OUT_OF_BOUNDS);
        assert_int_equal(check.entries[0].memory, ACCESS_NOWHERE);
    }
    assert_int_equal(rule_of((void *)distance, ACCESS_READS), ACCESS_OUT_OF_BOUNDS);
    assert_int_equal(check.entries[0].memory, ACCESS_NOWHERE);
}

static void test_thread_local(void **state) {
    static int of_all;
    int local = 0;
    (void)state;
    assert_true(memory_is_thread_local((uintptr_t)of_thread));
    assert_true(memory_is_thread_local((uintptr_t)(of_thread + 4) - 1));
    assert_true(memory_is_thread_local((uintptr_t)&cpu_now));
    assert_true(memory_is_thread_local((uintptr_t)&cpu_dynamic_shared[CPU_SHARED_BYTES - 1]));
    assert_false(memory_is_thread_local((uintptr_t)&of_all));
    assert_false(memory_is_thread_local((uintptr_t)&local));
    assert_false(memory_is_thread_local(0));
    assert_false(memory_is_thread_local(UINTPTR_MAX));
}

static void test_can_be_read(void **state) {
    unsigned char *page =
        mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_false(memory_can_be_read(0));
    assert_false(memory_can_be_read(4095));
    assert_true(memory_can_be_read((uintptr_t)page));
    assert_true(memory_can_be_read((uintptr_t)page + 4095));
    assert_true(memory_can_be_read((uintptr_t)page + 4096));
    munmap(page + 4096, 4096);
    munmap(page, 4096);
    /* A missing page is checked each time. */
    assert_false(memory_can_be_read(NOWHERE));
    assert_false(memory_can_be_read(NOWHERE));
}

/* ---- effects of undefined values ---- */

static uint64_t effect(void) {
    bool given = true;
    rules_device.options.undefined = &given;
    check.head->effect = check.head->effect_unknown = 0;
    rules_observer->ended();
    rules_device.options.undefined = NULL;
    assert_false(given);
    return check.head->effect;
}

static void test_effect(void **state) {
    static uint32_t variable[4];
    bool given = false;
    (void)state;
    rules_reset();
    memset(rules_memory('g'), 0, RULES_ALLOCATION);
    const uint64_t before = effect();
    assert_int_equal(effect(), before);
    /* Each byte that a kernel may have written counts, in any memory of the device. */
    for (unsigned i = 0; i < RULES_ALLOCATION; i++)
        for (const char *letter = "gh"; *letter; letter++) {
            unsigned char *byte = rules_memory(*letter) + i;
            *byte ^= 1;
            assert_true(effect() != before);
            *byte ^= 1;
            assert_int_equal(effect(), before);
        }
    /* A variable counts once a lane has written to it. */
    variable[1]++;
    assert_int_equal(effect(), before);
    access_at(&variable[1], 4, ACCESS_WRITES);
    const uint64_t written = effect();
    assert_true(written != before);
    variable[1]++;
    assert_true(effect() != written);
    variable[1]--;
    assert_int_equal(effect(), written);
    variable[0]++;
    variable[2]++;
    assert_int_equal(effect(), written);
    /* Shared memory does not count, nor does freed memory. */
    cpu_dynamic_shared[0]++;
    rules_memory('x')[0]++;
    assert_int_equal(effect(), written);
    rules_observer->freed(rules_memory('g'));
    const uint64_t freed = effect();
    rules_memory('g')[0]++;
    assert_int_equal(effect(), freed);
    rules_memory('g')[0]--;
    /* An odd size, to the last byte. */
    rules_observer->allocated(rules_memory('g'), 13, false);
    const uint64_t odd = effect();
    rules_memory('g')[12]++;
    assert_true(effect() != odd);
    rules_memory('g')[12]--;
    rules_memory('g')[13]++;
    assert_int_equal(effect(), odd);
    rules_memory('g')[13]--;
    /* Launches in which no lane got such a value are not examined; for others, each hash builds on
     * the previous one. */
    check.head->effect = 1;
    rules_device.options.undefined = &given;
    rules_observer->ended();
    assert_int_equal(check.head->effect, 1);
    rules_device.options.undefined = NULL;
    rules_observer->ended();
    assert_int_equal(check.head->effect, 1);
    given = true;
    rules_device.options.undefined = &given;
    rules_observer->ended();
    rules_device.options.undefined = NULL;
    assert_true(check.head->effect != 1 && check.head->effect != odd);
}

/* After 16 GiB in all of the program's launches, the hash is unknown. */
static void test_effect_unknown(void **state) {
    (void)state;
    rules_reset();
    check.effect_bytes = 0;
    effect();
    assert_int_equal(check.head->effect_unknown, 0);
    rules_observer->made((void *)(uintptr_t)FAR, 17 * GIB);
    effect();
    assert_int_equal(check.head->effect_unknown, 1);
    rules_observer->freed((void *)(uintptr_t)FAR);
    check.effect_bytes = 0;
    rules_observer->allocated((void *)(uintptr_t)FAR, 1, false);
    rules_observer->freed((void *)(uintptr_t)FAR);
    effect();
    assert_int_equal(check.head->effect_unknown, 0);
    check.effect_bytes = 16 * GIB;
    effect();
    assert_int_equal(check.head->effect_unknown, 1);
    check.effect_bytes = 0;
}

/* ---- undefined behaviour of C++ ---- */

#ifndef SHFLVIZ_SANITIZED
struct source_location {
    const char *file;
    uint32_t line, column;
};
struct type {
    uint16_t kind, info;
    char name[16];
};
struct bounds {
    struct source_location location;
    const struct type *array, *index;
};
struct mismatch {
    struct source_location location;
    const struct type *type;
    uint8_t alignment, kind;
};
struct shift {
    struct source_location location;
    const struct type *value, *amount;
};
void __ubsan_handle_out_of_bounds(const struct bounds *bounds, uintptr_t index);
void __ubsan_handle_type_mismatch_v1(const struct mismatch *mismatch, uintptr_t address);
void __ubsan_handle_shift_out_of_bounds(const struct shift *shift, uintptr_t value,
                                        uintptr_t amount);
bool cpu_misaligned_found(const void *address, size_t alignment, bool is_unseen, const void *pc);

static void test_index(void **state) {
    static const struct {
        struct type type;
        uintptr_t index;
        unsigned is_found, is_inner, extent;
    } cases[] = {
        {{0, 0, "'int [8]'"}, 8, 1, 1, 8},
        {{0, 0, "'int [3][70]'"}, UINTPTR_MAX, 1, 0, 3},
        {{0, 0, "'int'"}, 8, 0, 0, 0},
        {{0, 0, "'int [*]'"}, 8, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct bounds bounds = {.array = &cases[i].type};
        rules_reset();
        __ubsan_handle_out_of_bounds(&bounds, cases[i].index);
        assert_int_equal(check.head->count, cases[i].is_found);
        if (!cases[i].is_found)
            continue;
        assert_int_equal(check.entries[0].rule, ACCESS_OUT_OF_BOUNDS);
        assert_int_equal(check.entries[0].memory, ACCESS_LOCAL);
        assert_int_equal(check.entries[0].offset, cases[i].index);
        assert_int_equal(check.entries[0].extent, cases[i].extent);
        /* The location of the call, which is here. */
        assert_in_range(check.entries[0].me.pc + check.base, (uintptr_t)test_index,
                        (uintptr_t)test_index + 4096);
        assert_int_equal(check.entries[0].is_inner, cases[i].is_inner);
        rules_reset();
        rules_lane(-1); /* only lanes have findings */
        __ubsan_handle_out_of_bounds(&bounds, cases[i].index);
        assert_int_equal(check.head->count, 0);
    }
}

static void test_misaligned(void **state) {
    static const struct {
        uintptr_t address;
        uint8_t alignment, kind;
        unsigned is_found, offset, accesses;
    } cases[] = {
        {1000, 3, 0, 0, 0, 0}, {1001, 3, 0, 1, 1, ACCESS_READS}, {1007, 3, 1, 1, 7, ACCESS_WRITES},
        {1004, 2, 1, 0, 0, 0}, {1002, 2, 2, 1, 2, ACCESS_READS}, {1003, 0, 1, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct mismatch mismatch = {.alignment = cases[i].alignment, .kind = cases[i].kind};
        rules_reset();
        __ubsan_handle_type_mismatch_v1(&mismatch, cases[i].address);
        assert_int_equal(check.head->count, cases[i].is_found);
        if (!cases[i].is_found)
            continue;
        assert_int_equal(check.entries[0].rule, ACCESS_MISALIGNED);
        assert_int_equal(check.entries[0].me.kind, cases[i].accesses);
        assert_int_equal(check.entries[0].offset, cases[i].offset);
        assert_int_equal(check.entries[0].extent, 1 << cases[i].alignment);
        rules_reset();
        rules_lane(-1);
        __ubsan_handle_type_mismatch_v1(&mismatch, cases[i].address);
        assert_int_equal(check.head->count, 0);
    }
    rules_reset();
    assert_true(cpu_misaligned_found((void *)1006, 16, false, rules_location(3)));
    assert_int_equal(check.head->count, 0); /* already reported */
    assert_true(cpu_misaligned_found((void *)1006, 16, true, rules_location(3)));
    assert_int_equal(check.entries[0].rule, ACCESS_MISALIGNED);
    assert_int_equal(check.entries[0].me.pc + check.base, (uintptr_t)rules_location(3));
    assert_int_equal(check.entries[0].offset, 14);
    assert_int_equal(check.entries[0].extent, 16);
    check.on = false;
    assert_false(cpu_misaligned_found((void *)1006, 16, true, rules_location(3)));
    check.on = true;
    assert_int_equal(check.entries[0].count, 1);
}

static void test_shift(void **state) {
    /* 2 * log2 of the bits, + 1 if it is signed */
    static const struct type u8 = {0, 6, "'u'"}, i32 = {0, 11, "'int'"}, u32 = {0, 10, "'u'"},
                             i64 = {0, 13, "'long'"}, u64 = {0, 12, "'u'"};
    static const struct {
        const struct type *value, *amount;
        uintptr_t by;
        int64_t offset;
        unsigned bits;
    } cases[] = {
        {&i32, &i32, 32, 32, 32},
        {&u32, &i32, 0xffffffff, -1, 32},
        {&u64, &i32, 64, 64, 64},
        {&u64, &u32, 0xffffffff, 0xffffffff, 64},
        {&i64, &i64, UINTPTR_MAX, -1, 64},
        {&u8, &i64, UINT64_C(0x100000000), INT64_C(0x100000000), 8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct shift shift = {.value = cases[i].value, .amount = cases[i].amount};
        rules_reset();
        __ubsan_handle_shift_out_of_bounds(&shift, 1, cases[i].by);
        assert_int_equal(check.head->count, 1);
        assert_int_equal(check.entries[0].rule, ACCESS_SHIFT);
        assert_int_equal(check.entries[0].offset, (uint64_t)cases[i].offset);
        assert_int_equal(check.entries[0].extent, cases[i].bits);
        rules_reset();
        rules_lane(-1);
        __ubsan_handle_shift_out_of_bounds(&shift, 1, cases[i].by);
        assert_int_equal(check.head->count, 0);
    }
}

/* If nothing is checked, the first shift is reported, unless it is in a header of ours. */
static void test_shift_reported(void **state) {
    static const struct type i32 = {0, 11, "'int'"};
    static const struct {
        const char *file;
        uint32_t line;
    } sites[] = {
        {"/x/lib/cudacpu/math.h", 3}, {"/x/shflviz/lane.h", 4}, {"mine.cu", 17}, {"mine.cu", 18}};
    char told[512] = "";
    int ends[2];
    (void)state;
    rules_reset();
    assert_int_equal(pipe(ends), 0);
    const int before = dup(2);
    dup2(ends[1], 2);
    check.on = false;
    for (size_t i = 0; i < COUNT(sites); i++) {
        const struct shift shift = {
            .location = {sites[i].file, sites[i].line, 1}, .value = &i32, .amount = &i32};
        __ubsan_handle_shift_out_of_bounds(&shift, 1, 40);
    }
    check.on = true;
    dup2(before, 2);
    close(before);
    close(ends[1]);
    assert_true(read(ends[0], told, sizeof told - 1) > 0);
    close(ends[0]);
    assert_string_equal(told,
                        "shflviz: mine.cu:17: a value of 32 bits is shifted by 40: C++ leaves "
                        "this undefined; here all bits are shifted out, as on a GPU\n");
    assert_int_equal(check.head->count, 0);
}
#endif

/* ---- limits of counters ---- */

/* After too many barriers nothing is checked, and the file reports that. */
static void test_time_ends(void **state) {
    (void)state;
    rules_reset();
    const uint32_t now = check.now;
    check.head->left_out = 0;
    check.now = UINT32_MAX - 2;
    rules_observer->launch();
    assert_true(check.on);
    assert_int_equal(check.head->left_out, 0);
    rules_observer->launch();
    assert_false(check.on);
    assert_int_equal(check.head->left_out, 1);
    check.on = true;
    check.now = now;
    rules_reset();
}

/* 65535 sites have a number each; findings at further sites have none. */
static void test_sites_end(void **state) {
    uint16_t last = 0;
    (void)state;
    for (uintptr_t i = 0; check.site_count < 65535; i++)
        last = site_number((const void *)(check.base + 100000 + i));
    assert_int_equal(last, 65535);
    const uintptr_t known = (uintptr_t)check.sites[last];
    assert_int_equal(site_number((const void *)known), 65535);
    assert_int_equal(site_offset(65535), known - check.base);
    assert_int_equal(site_number((const void *)(known + 1)), 0);
    assert_int_equal(site_number((const void *)(known + 1)), 0);
    for (uintptr_t i = known; i > known - 60000; i--)
        assert_int_equal(site_offset(site_number((const void *)i)), i - check.base);
}

static int begin(void **state) {
    arena = malloc((size_t)BLOCKS * APART + 65536);
    return arena ? rules_begin(state) : -1;
}

static int end(void **state) {
    free(arena);
    return rules_end(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base),           cmocka_unit_test(test_file),
        cmocka_unit_test(test_allocations),    cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_made),
        cmocka_unit_test(test_shared),         cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_other_side),     cmocka_unit_test(test_thread_local),
        cmocka_unit_test(test_can_be_read),    cmocka_unit_test(test_effect),
        cmocka_unit_test(test_effect_unknown),
#ifndef SHFLVIZ_SANITIZED
        cmocka_unit_test(test_index),          cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_shift),          cmocka_unit_test(test_shift_reported),
#endif
        cmocka_unit_test(test_time_ends),      cmocka_unit_test(test_sites_end),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
