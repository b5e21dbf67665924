/*
 * Accesses on their way to the recording (memory_record.h): their offsets, names and lines. This
 * file replaces the recording and the list of allocations.
 */
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/memory_record.h"
#include "cudacpu/process/user_program.h"
#include "cudacpu/runtime/api.h"
#include "cudacpu/shared_report.h"
#include "simt/device_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define BOTH         (RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL)

static struct cpu_device device;
static struct cpu_warp warp, other_warp;
static struct cpu_lane lane = {.warp = &warp, .index = 5};
static uintptr_t base;

/* ---- replacements of the device and the recording ---- */

static struct cpu_access made[8];
static unsigned made_count, paced;
static const void *made_pc, *paced_pc;
static bool extends;
static char notes[2][4096]; /* the latest of each kind */
static unsigned note_count;
static struct api_allocation allocations[4];

void __wrap_cpu_shared_access(const struct cpu_access *access, const void *pc);
bool __wrap_cpu_shared_extends(const struct cpu_access *access);
void __wrap_schedule_keep_pace(const void *pc);
void __wrap_trace_writer_note(struct trace_writer *writer, const char *key, const char *value);
const struct api_allocation *__wrap_api_find(const struct cpu_device *of, const void *address);

void __wrap_cpu_shared_access(const struct cpu_access *access, const void *pc) {
    made[made_count++] = *access;
    made_pc = pc;
}

bool __wrap_cpu_shared_extends(const struct cpu_access *access) {
    (void)access;
    return extends;
}

void __wrap_schedule_keep_pace(const void *pc) {
    paced++;
    paced_pc = pc;
}

void __wrap_trace_writer_note(struct trace_writer *writer, const char *key, const char *value) {
    assert_non_null(writer);
    snprintf(notes[strcmp(key, TRACE_NOTE_GLOBAL) == 0], sizeof notes[0], "%s", value);
    note_count++;
}

const struct api_allocation *__wrap_api_find(const struct cpu_device *of, const void *address) {
    assert_ptr_equal(of, &device);
    for (size_t i = 0; i < COUNT(allocations); i++)
        if ((uintptr_t)address - (uintptr_t)allocations[i].start < allocations[i].size)
            return &allocations[i];
    return NULL;
}

static void begin(const char *text, unsigned which) {
    char path[] = "/tmp/shflviz-lines-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    memory_record_begin(path, (struct trace_writer *)&device, which);
    unlink(path);
}

static void access_from(uintptr_t pc, const void *address, size_t size, unsigned kind) {
    made_count = paced = 0;
    made_pc = paced_pc = NULL;
    memory_record_access(address, size, kind, (const void *)(base + pc));
}

static int find_base(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    *(uintptr_t *)found = info->dlpi_addr;
    return 1;
}

/* ---- shared memory ---- */

static unsigned char first[40], second[128], third[129], last[16], late[4];
static unsigned char dynamic[CPU_SHARED_BYTES];

/* Constructors report variables before anything has begun. Each variable begins at a multiple of
 * 128. */
static void test_reported(void **state) {
    (void)state;
    assert_false(memory_record_is_on);
    assert_int_equal(cpu_shared_reported("first", first, sizeof first, WARP_TYPE_INT, 0), 0);
    assert_int_equal(cpu_shared_reported("second", second, sizeof second, WARP_TYPE_FLOAT, 16), 0);
    assert_int_equal(cpu_shared_reported("third", third, sizeof third, WARP_TYPE_UNSIGNED, 0), 0);
    cpu_pointer_passed(first, "k", 0, (struct cpu_pointed){WARP_TYPE_INT, 0, 0, NULL});
    assert_int_equal(note_count, 0);
    begin("1000 12 mine.cu\tx = table[i];\n"
          "1010 7 a b.cu\ty(\"\");\n"
          "no line\n"
          "1018 no tab\n"
          "=5000 16 other one\n"
          "=4000 1024 table\n"
          "1020 4294967295 c.cu\t\n",
          BOTH);
    assert_true(memory_record_is_on);
    assert_string_equal(notes[0], "0 40 first\n128 128 second\n256 129 third\n");
    assert_int_equal(cpu_shared_reported("last", last, sizeof last, WARP_TYPE_DOUBLE, 0), 0);
    cpu_shared_reported("one", dynamic, 0, WARP_TYPE_FLOAT, 0);
    cpu_shared_reported("late", late, sizeof late, WARP_TYPE_INT, 0);
    const char *const all = "0 40 first\n128 128 second\n256 129 third\n512 16 last\n"
                            "640 166912 one\n167552 4 late\n";
    assert_string_equal(notes[0], all);
    /* A variable that is reported again stays the same, but gets the new name if that differs. */
    note_count = 0;
    cpu_shared_reported("late", late, sizeof late, WARP_TYPE_INT, 0);
    cpu_shared_reported("one", dynamic, 0, WARP_TYPE_INT, 8);
    assert_int_equal(note_count, 0);
    cpu_shared_reported("two", dynamic, 0, WARP_TYPE_INT, 8);
    assert_int_equal(note_count, 1);
    assert_string_equal(notes[0], "0 40 first\n128 128 second\n256 129 third\n512 16 last\n"
                                  "640 166912 two\n167552 4 late\n");
}

static void test_shared(void **state) {
    static const struct {
        unsigned char *address;
        size_t size;
        unsigned kind, offset;
        enum warp_op op;
        enum warp_type type;
        unsigned vector;
    } cases[] = {
        {first, 4, ACCESS_READS, 0, WARP_OP_SHARED_READ, WARP_TYPE_INT, 0},
        {first + 39, 1, ACCESS_READS, 39, WARP_OP_SHARED_READ, WARP_TYPE_INT, 0},
        {first + 36, 4, ACCESS_WRITES, 36, WARP_OP_SHARED_WRITE, WARP_TYPE_INT, 0},
        {second, 16, ACCESS_WRITES, 128, WARP_OP_SHARED_WRITE, WARP_TYPE_FLOAT, 16},
        {second + 127, 1, ACCESS_ATOMIC, 255, WARP_OP_SHARED_ATOMIC, WARP_TYPE_FLOAT, 16},
        {third, 1, ACCESS_ATOMIC | ACCESS_WRITES, 256, WARP_OP_SHARED_ATOMIC, WARP_TYPE_UNSIGNED,
         0},
        {third + 128, 1, ACCESS_VOLATILE, 384, WARP_OP_SHARED_READ, WARP_TYPE_UNSIGNED, 0},
        {last + 8, 8, ACCESS_VOLATILE | ACCESS_WRITES, 520, WARP_OP_SHARED_WRITE, WARP_TYPE_DOUBLE,
         0},
        {dynamic + CPU_SHARED_BYTES - 2, 2, ACCESS_READS, 640 + CPU_SHARED_BYTES - 2,
         WARP_OP_SHARED_READ, WARP_TYPE_INT, 8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        access_from(0x1000, cases[i].address, cases[i].size, cases[i].kind);
        assert_int_equal(made_count, 1);
        assert_ptr_equal(made[0].address, cases[i].address);
        assert_int_equal(made[0].bytes, cases[i].size);
        assert_int_equal(made[0].offset, cases[i].offset);
        assert_int_equal(made[0].op, cases[i].op);
        assert_int_equal(made[0].type, cases[i].type);
        assert_int_equal(made[0].vector, cases[i].vector);
        assert_int_equal(made[0].has_given_way, (cases[i].kind & ACCESS_VOLATILE) != 0);
        assert_ptr_equal(made_pc, (void *)(base + 0x1000));
    }
    static unsigned char none[4];
    access_from(0x1000, none, 4, ACCESS_READS);
    assert_int_equal(made_count, 0);
}

static void test_sites(void **state) {
    static const struct {
        uintptr_t pc;
        const char *file;
        unsigned line;
        const char *text;
    } cases[] = {
        {0x1000, "mine.cu", 12, "x = table[i];"},
        {0x1010, "a b.cu", 7, "y(\"\");"},
        {0x1020, "c.cu", 4294967295, ""},
        {0xfff, "", 0, ""},
        {0x1001, "", 0, ""},
        {0x1018, "", 0, ""},
        {0x1021, "", 0, ""},
        {0x4000, "", 0, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        access_from(cases[i].pc, first, 4, ACCESS_READS);
        assert_string_equal(made[0].site->file, cases[i].file);
        assert_int_equal(made[0].site->line, cases[i].line);
        assert_string_equal(made[0].site->text, cases[i].text);
        assert_string_equal(made[0].site->function, "");
    }
}

/* An access to more than 16 bytes is recorded as several. */
static void test_pieces(void **state) {
    static const struct {
        size_t size;
        unsigned count, last;
    } cases[] = {{0, 0, 0},  {1, 1, 1},   {15, 1, 15}, {16, 1, 16},
                 {17, 2, 1}, {32, 2, 16}, {40, 3, 8}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        access_from(0x1000, second + 3, cases[i].size, ACCESS_READS);
        assert_int_equal(made_count, cases[i].count);
        for (unsigned piece = 0; piece < made_count; piece++) {
            assert_ptr_equal(made[piece].address, second + 3 + 16 * (size_t)piece);
            assert_int_equal(made[piece].offset, 128 + 3 + 16 * piece);
            assert_int_equal(made[piece].bytes, piece + 1 < made_count ? 16 : cases[i].last);
        }
    }
    extends = true; /* part of a vector that has been accessed */
    access_from(0x1000, second, 4, ACCESS_READS);
    assert_int_equal(made_count, 0);
    extends = false;
}

/* The read and the write of an atomic operation are one access. */
static void test_atomic(void **state) {
    const struct cpu_touch same = {
        .warp = &warp, .lane = 5, .kind = WARP_OP_SHARED_ATOMIC, .address = first};
    struct cpu_touch others[4] = {same, same, same, same};
    (void)state;
    others[0].warp = &other_warp;
    others[1].lane = 6;
    others[2].kind = WARP_OP_SHARED_READ;
    others[3].address = first + 4;
    cpu_now.in_atomic = 1;
    device.touched.warp = NULL;
    access_from(0x1000, first, 4, ACCESS_READS);
    assert_int_equal(made_count, 1);
    assert_int_equal(made[0].op, WARP_OP_SHARED_ATOMIC);
    device.touched = same;
    access_from(0x1000, first, 4, ACCESS_WRITES);
    assert_int_equal(made_count, 0);
    access_from(0x1000, first, 4, ACCESS_READS); /* the next access begins */
    assert_int_equal(made_count, 1);
    for (size_t i = 0; i < COUNT(others); i++) {
        device.touched = others[i];
        access_from(0x1000, first, 4, ACCESS_WRITES);
        assert_int_equal(made_count, 1);
        assert_int_equal(made[0].op, WARP_OP_SHARED_ATOMIC);
    }
    cpu_now.in_atomic = 0;
    device.touched = same;
    access_from(0x1000, first, 4, ACCESS_WRITES | ACCESS_ATOMIC);
    assert_int_equal(made_count, 1);
    device.touched.warp = NULL;
}

/* 1 if the access is recorded, plus 2 if the lane keeps step at it. */
static unsigned recorded_as(const void *address, unsigned kind) {
    access_from(0x1010, address, 4, kind);
    const bool at_site = !paced || paced_pc == (const void *)(base + 0x1010);
    return at_site ? (made_count != 0) + 2 * paced : 4;
}

/* A program, in a process of its own, whose accesses to only one kind of memory are recorded.
 * Lanes still keep step at shared memory, because old programs rely on that. */
static bool is_right(unsigned which, const unsigned *expected) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const void *const table = (const void *)(base + 0x4000);
        cpu_shared_reported("first", first, sizeof first, WARP_TYPE_INT, 0);
        begin("=4000 1024 table\n", which);
        cpu_pointer_passed(table, "k", 0, (struct cpu_pointed){WARP_TYPE_INT, 0, 0, NULL});
        bool right = (*notes[1] != '\0') == (which == RUN_ACCESSES_GLOBAL);
        right = right && recorded_as(first, ACCESS_READS) == expected[0] &&
                recorded_as(first, ACCESS_WRITES) == expected[1] &&
                recorded_as(first, ACCESS_WRITES | ACCESS_VOLATILE) == expected[2] &&
                recorded_as(first, ACCESS_ATOMIC) == expected[3] &&
                recorded_as(table, ACCESS_READS) == expected[4];
        cpu_now.in_atomic = 1;
        _exit(right && recorded_as(first, ACCESS_READS) == expected[5] ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_one_memory(void **state) {
    (void)state;
    dl_iterate_phdr(find_base, &base);
    cpu_now = (struct cpu_now){.lane = &lane, .warp = &warp, .device = &device};
    assert_true(is_right(RUN_ACCESSES_SHARED, (const unsigned[]){1, 1, 1, 1, 0, 1}));
    assert_true(is_right(RUN_ACCESSES_GLOBAL, (const unsigned[]){2, 2, 0, 0, 1, 0}));
}

/* ---- global memory ---- */

static unsigned char heap[8192];

static void allocate(unsigned at, size_t from, size_t size) {
    allocations[at] = (struct api_allocation){.start = (char *)heap + from, .size = size};
}

static void at_offset(const void *address, int32_t offset) {
    access_from(0x1000, address, 4, ACCESS_READS);
    assert_int_equal(made_count, 1);
    assert_int_equal(made[0].op, WARP_OP_GLOBAL_READ);
    assert_int_equal(made[0].offset, offset);
}

/* Variables are placed in the order in which lanes reach them, each at a multiple of 256. */
static void test_global(void **state) {
    (void)state;
    allocate(0, 0, 1000);
    allocate(1, 1024, 256);
    allocate(2, 2048, 257);
    at_offset(heap + 1028, 4);
    assert_string_equal(notes[1], "0 256 @\n");
    at_offset(heap + 996, 256 + 996);
    assert_string_equal(notes[1], "0 256 @\n256 1000 @\n");
    at_offset(heap, 256);
    at_offset(heap + 2048, 1280);
    at_offset((void *)(base + 0x4000 + 1020), 1792 + 1020);
    assert_string_equal(notes[1], "0 256 @\n256 1000 @\n1280 257 @\n1792 1024 table\n");
    at_offset((void *)(base + 0x500c), 2816 + 12);
    assert_string_equal(notes[1], "0 256 @\n256 1000 @\n1280 257 @\n1792 1024 table\n"
                                  "2816 16 other one\n");
    note_count = 0;
    at_offset((void *)(base + 0x4000), 1792);
    at_offset((void *)(base + 0x43ff), 1792 + 0x3ff);
    at_offset(heap + 2048 + 256, 1280 + 256);
    assert_int_equal(note_count, 0);
    static const uintptr_t nothing[] = {0x3fff, 0x4400, 0x4fff, 0x5010};
    for (size_t i = 0; i < COUNT(nothing); i++) {
        access_from(0x1000, (void *)(base + nothing[i]), 4, ACCESS_READS);
        assert_int_equal(made_count, 0);
    }
    access_from(0x1000, heap, 4, ACCESS_WRITES);
    assert_int_equal(made[0].op, WARP_OP_GLOBAL_WRITE);
    assert_int_equal(made[0].type, WARP_TYPE_UNSIGNED); /* used until the type is known */
    access_from(0x1000, heap, 4, ACCESS_WRITES | ACCESS_ATOMIC);
    assert_int_equal(made[0].op, WARP_OP_GLOBAL_ATOMIC);
}

/* An allocation is named after the first kernel to which it is passed; a variable has its own
 * name. */
static void test_passed(void **state) {
    (void)state;
    cpu_pointer_passed(heap + 500, "sum", 1, (struct cpu_pointed){WARP_TYPE_FLOAT, 16, 0, NULL});
    assert_string_equal(notes[1], "0 256 @\n256 1000 @2 sum\n1280 257 @\n1792 1024 table\n"
                                  "2816 16 other one\n");
    access_from(0x1000, heap + 8, 4, ACCESS_READS);
    assert_int_equal(made[0].type, WARP_TYPE_FLOAT);
    assert_int_equal(made[0].vector, 16);
    note_count = 0;
    cpu_pointer_passed(heap, "later", 0, (struct cpu_pointed){WARP_TYPE_INT, 0, 0, NULL});
    cpu_pointer_passed(heap + 1024, "nothing known", 0, (struct cpu_pointed){-1, 4, 0, NULL});
    cpu_pointer_passed((void *)(base + 0x4000), "sum", 0,
                       (struct cpu_pointed){WARP_TYPE_HALF, 4, 0, NULL});
    cpu_pointer_passed(first, "sum", 0, (struct cpu_pointed){WARP_TYPE_INT, 0, 0, NULL});
    assert_int_equal(note_count, 0);
    access_from(0x1000, heap + 8, 4, ACCESS_READS);
    assert_int_equal(made[0].type, WARP_TYPE_INT);
    access_from(0x1000, heap + 1024, 4, ACCESS_READS);
    assert_int_equal(made[0].vector, 0);
    access_from(0x1000, (void *)(base + 0x4000), 4, ACCESS_READS);
    assert_int_equal(made[0].type, WARP_TYPE_HALF);
    /* An allocation that no lane has accessed yet. */
    allocate(3, 4096, 8);
    cpu_pointer_passed(heap + 4096, "min", 0, (struct cpu_pointed){WARP_TYPE_INT, 0, 0, NULL});
    assert_string_equal(notes[1], "0 256 @\n256 1000 @2 sum\n1280 257 @\n1792 1024 table\n"
                                  "2816 16 other one\n3072 8 @1 min\n");
}

/* An object at an old object's address is new, and the old object is still listed. */
static void test_replaced(void **state) {
    (void)state;
    allocate(0, 512, 768); /* across the end of one object and all of another */
    allocate(1, 0, 0);
    at_offset(heap + 600, 3328 + 88);
    assert_string_equal(notes[1], "0 256 @\n256 1000 @2 sum\n1280 257 @\n1792 1024 table\n"
                                  "2816 16 other one\n3072 8 @1 min\n3328 768 @\n");
    allocate(1, 0, 512); /* up to the start of the other object */
    at_offset(heap + 511, 4096 + 511);
    at_offset(heap + 600, 3328 + 88);
    allocate(0, 512, 767); /* it ends elsewhere */
    at_offset(heap + 600, 4608 + 88);
    at_offset(heap + 2048, 1280); /* the others stay */
    at_offset(heap + 4096, 3072);
    assert_string_equal(notes[1],
                        "0 256 @\n256 1000 @2 sum\n3328 768 @\n1280 257 @\n1792 1024 table\n"
                        "2816 16 other one\n3072 8 @1 min\n4096 512 @\n4608 767 @\n");
    allocations[1] = (struct api_allocation){.start = (char *)base + 0x3f00, .size = 0x600};
    at_offset((void *)(base + 0x3f00), 5376); /* across the lowest of all */
    assert_non_null(strstr(notes[1], "\n1792 1024 table\n1280 257 @\n"));
    at_offset((void *)(base + 0x4000), 5376 + 0x100);
}

/* Offsets end at 2 GiB: accesses beyond that are not recorded, which is reported once. */
static void test_full(void **state) {
    char told[512] = "";
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const int before = dup(2);
    dup2(ends[1], 2);
    const uintptr_t far = UINT64_C(1) << 45;
    const size_t room = INT32_MAX - 6912 - 256;
    allocations[2] = (struct api_allocation){.start = (char *)far, .size = room + 1};
    for (unsigned i = 0; i < 2; i++) {
        access_from(0x1000, (void *)far, 4, ACCESS_READS);
        assert_int_equal(made_count, 0);
    }
    allocations[2].size = room;
    access_from(0x1000, (void *)(far + room - 4), 4, ACCESS_READS);
    assert_int_equal(made_count, 1);
    assert_int_equal(made[0].offset, 6912 + room - 4);
    allocations[3].start += 1024; /* now nothing more fits */
    access_from(0x1000, allocations[3].start, 4, ACCESS_READS);
    assert_int_equal(made_count, 0);
    dup2(before, 2);
    close(before);
    close(ends[1]);
    assert_true(read(ends[0], told, sizeof told - 1) > 0);
    close(ends[0]);
    assert_string_equal(told, "shflviz: a recording has room for 2 GiB of global memory; "
                              "accesses to what lies beyond are not recorded\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_memory), cmocka_unit_test(test_reported),
        cmocka_unit_test(test_shared),     cmocka_unit_test(test_sites),
        cmocka_unit_test(test_pieces),     cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_global),     cmocka_unit_test(test_passed),
        cmocka_unit_test(test_replaced),   cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
