/*
 * Lines of accesses, as printed by addr2line and objdump, and findings that are not the program's
 * fault. Scripts of these names, which print the text of a case, are first in the PATH.
 */
#include "base/file.h"
#include "cudacpu/observe/access_lines.h"
#include "cudacpu/observe/accesses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct test_folder {
    char folder[64], current[4096], accesses[128], lines[128];
    struct user_program program;
};

static void write_file(const struct test_folder *test, const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", test->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0755);
}

static void read_file(const struct test_folder *test, const char *name, struct text *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", test->folder, name);
    assert_int_equal(file_read(path, SIZE_MAX, text, NULL), FILE_READ);
}

/* In `text` F is the program's folder, C the current folder. */
static void say(const struct test_folder *test, const char *name, const char *text) {
    struct text said = TEXT_INIT;
    for (; *text; text++)
        if (*text == 'F')
            text_append(&said, test->folder);
        else if (*text == 'C')
            text_append(&said, test->current);
        else
            text_append_char(&said, *text);
    write_file(test, name, said.data);
    text_release(&said);
}

static int set_up(void **state) {
    static struct test_folder test;
    struct text path = TEXT_INIT, script = TEXT_INIT;
    strcpy(test.folder, "/tmp/shflviz-test-XXXXXX");
    assert_non_null(mkdtemp(test.folder));
    assert_non_null(getcwd(test.current, sizeof test.current));
    text_append_format(&script,
                       "#!/bin/sh\necho \"$@\" >%s/asked\n[ \"$1\" = -t ] && exec cat %s/symbols\n"
                       "[ \"$1\" = -d ] && exec cat %s/calls\ncat %s/said\nexit $(cat %s/status)\n",
                       test.folder, test.folder, test.folder, test.folder, test.folder);
    write_file(&test, "addr2line", script.data);
    write_file(&test, "objdump", script.data);
    write_file(&test, "status", "0");
    text_append_format(&path, "%s:%s", test.folder, getenv("PATH"));
    setenv("PATH", path.data, 1);
    text_release(&path);
    text_release(&script);
    static char program[] = "/program";
    snprintf(test.accesses, sizeof test.accesses, "%s/accesses", test.folder);
    snprintf(test.lines, sizeof test.lines, "%s/lines", test.folder);
    test.program = (struct user_program){.folder = {test.folder, -1},
                                         .path = program,
                                         .accesses = test.accesses,
                                         .lines = test.lines,
                                         .unset = 0xaa};
    child_words_add(&test.program.names, "a.cu", NULL);
    child_words_add(&test.program.names, "dir/b.cuh", NULL);
    child_words_add(&test.program.names, "/abs/c.cu", NULL);
    child_words_add(&test.program.headers, "/opt/ours", NULL);
    child_words_add(&test.program.headers, "/opt/more", NULL);
    *state = &test;
    return 0;
}

static int tear_down(void **state) {
    static const char *const files[] = {"addr2line", "objdump",  "status", "said", "asked",
                                        "calls",     "accesses", "lines",  "0.cu", "symbols"};
    struct test_folder *test = *state;
    char path[200];
    for (size_t i = 0; i < COUNT(files); i++) {
        snprintf(path, sizeof path, "%s/%s", test->folder, files[i]);
        unlink(path);
    }
    rmdir(test->folder);
    child_words_release(&test->program.names);
    child_words_release(&test->program.headers);
    return 0;
}

static void test_lines(void **state) {
    static const struct {
        const char *frames, *file;
        uint32_t line;
        enum access_author author;
    } cases[] = {
        {"F/0.cu:7\n", "a.cu", 7, ACCESS_AUTHOR_USER},
        {"F/1.cu:7 (discriminator 3)\n", "dir/b.cuh", 7, ACCESS_AUTHOR_USER},
        {"??:0\n", NULL, 0, ACCESS_AUTHOR_SYSTEM},
        {"??:?\n", NULL, 0, ACCESS_AUTHOR_SYSTEM},
        {"", NULL, 0, ACCESS_AUTHOR_UNKNOWN},
        {"whatever\n", NULL, 0, ACCESS_AUTHOR_UNKNOWN},
        /* The author of inlined code is determined by its file. */
        {"/usr/include/x.h:9\nF/2.cu:12\n", "/abs/c.cu", 12, ACCESS_AUTHOR_SYSTEM},
        {"/opt/ours/x.h:9\n/usr/y.h:1\nF/0.cu:12\n", "a.cu", 12, ACCESS_AUTHOR_US},
        {"/opt/more/x.h:9\nF/0.cu:12\nF/0.cu:13\n", "a.cu", 12, ACCESS_AUTHOR_US},
        {"F/0.cu:0\nF/1.cu:3\n", "dir/b.cuh", 3, ACCESS_AUTHOR_USER},
        {"F/0.cu:4294967296\nF/1.cu:4294967295\n", "dir/b.cuh", UINT32_MAX, ACCESS_AUTHOR_USER},
        /* Names as given, or relative to the current folder. */
        {"F/3.cu:2\n", "F/3.cu", 2, ACCESS_AUTHOR_USER},
        {"Fx/0.cu:2\n", "Fx/0.cu", 2, ACCESS_AUTHOR_USER},
        {"a.cu:2\n", "a.cu", 2, ACCESS_AUTHOR_USER},
        {"/x/a.cu:2\n", "a.cu", 2, ACCESS_AUTHOR_USER},
        {"/x/dir/b.cuh:2\n", "dir/b.cuh", 2, ACCESS_AUTHOR_USER},
        {"/x/b.cuh:2\n", "/x/b.cuh", 2, ACCESS_AUTHOR_USER},
        {"xa.cu:2\n", "xa.cu", 2, ACCESS_AUTHOR_USER},
        {"/abs/c.cu:2\n", "/abs/c.cu", 2, ACCESS_AUTHOR_USER},
        {"/other/abs/c.cu:2\n", "/abs/c.cu", 2, ACCESS_AUTHOR_USER},
        {"C/sub/x.h:2\n", "sub/x.h", 2, ACCESS_AUTHOR_USER},
        {"C/./x.h:2\n", "x.h", 2, ACCESS_AUTHOR_USER},
        {"Cx.h:2\n", "Cx.h", 2, ACCESS_AUTHOR_USER},
        {"././x.h:2\n", "x.h", 2, ACCESS_AUTHOR_USER},
        {"../x.h:2\n", "../x.h", 2, ACCESS_AUTHOR_USER},
        {"a:b.h:2\n", "a:b.h", 2, ACCESS_AUTHOR_USER},
        {"x\033.h:2\n", "x?.h", 2, ACCESS_AUTHOR_USER},
    };
    struct test_folder *test = *state;
    struct access_line lines[COUNT(cases)] = {{NULL, 0, ACCESS_AUTHOR_UNKNOWN}};
    struct text said = TEXT_INIT, asked = TEXT_INIT, wanted = TEXT_INIT, file = TEXT_INIT;
    uint64_t pc[COUNT(cases)] = {0};
    text_append(&said, "F/0.cu:99\n");
    text_append(&wanted, "-a -i -e /program");
    for (size_t i = 0; i < COUNT(cases); i++) {
        pc[i] = i == 1 ? 0 : UINT64_C(0x10000000000) + i; /* the address after the call */
        text_append_format(&wanted, " 0x%llx",
                           i == 1 ? 0ULL : (unsigned long long)(0xffffffffff + i));
        text_append_format(&said, "0x%zu\n%s", i, cases[i].frames);
    }
    text_append(&wanted, "\n");
    text_append(&said, "0x9999\nF/0.cu:99\n");
    say(test, "said", said.data);
    program_accesses_lines(&test->program, pc, COUNT(cases), lines);
    read_file(test, "asked", &asked);
    assert_string_equal(asked.data, wanted.data);
    for (size_t i = 0; i < COUNT(cases); i++) {
        text_clear(&file);
        for (const char *at = cases[i].file; at && *at; at++)
            if (*at == 'F' || *at == 'C')
                text_append(&file, *at == 'F' ? test->folder : test->current);
            else
                text_append_char(&file, *at);
        if (strcmp(lines[i].file ? lines[i].file : "", file.data) != 0 ||
            (lines[i].file != NULL) != (cases[i].file != NULL))
            fail_msg("%s: %s", cases[i].frames, lines[i].file ? lines[i].file : "none");
        assert_int_equal(lines[i].line, cases[i].line);
        assert_int_equal(lines[i].author, cases[i].author);
        free(lines[i].file);
    }
    /* The tool failed, so its output is not trusted. */
    struct access_line none = {NULL, 0, ACCESS_AUTHOR_UNKNOWN};
    say(test, "said", "0x1\nF/0.cu:7\n");
    write_file(test, "status", "1");
    program_accesses_lines(&test->program, pc, 1, &none);
    write_file(test, "status", "0");
    assert_null(none.file);
    assert_int_equal(none.author, ACCESS_AUTHOR_UNKNOWN);
    text_release(&said);
    text_release(&asked);
    text_release(&wanted);
    text_release(&file);
}

static void write_accesses(const struct test_folder *test, const struct access_head *head,
                           const struct access_entry *entry, size_t count) {
    FILE *file = fopen(test->accesses, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(head, sizeof *head, 1, file), 1);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(fwrite(entry, sizeof *entry, 1, file), 1);
    fclose(file);
}

#define OURS   "/opt/ours/x.h:1\nF/0.cu:3\n"
#define SYSTEM "/usr/x.h:1\nF/0.cu:3\n"
#define USER   "F/0.cu:3\n"
#define TWO    "F/0.cu:2\n" /* indices */

static void test_excused(void **state) {
    static const struct {
        enum access_rule rule;
        enum access_memory memory;
        const char *me, *other;
        bool is_inner, is_told;
    } cases[] = {
        /* A host access to device memory from one of our headers, which act as the device. */
        {ACCESS_WRONG_SPACE, ACCESS_DEVICES, USER, "", false, true},
        {ACCESS_WRONG_SPACE, ACCESS_DEVICES, SYSTEM, "", false, true},
        {ACCESS_WRONG_SPACE, ACCESS_DEVICES, OURS, "", false, false},
        {ACCESS_WRONG_SPACE, ACCESS_DEVICES, "??:0\n", "", false, false},
        /* A kernel's access to the host's memory. */
        {ACCESS_WRONG_SPACE, ACCESS_HOSTS, USER, "", false, true},
        {ACCESS_WRONG_SPACE, ACCESS_HOSTS, SYSTEM, "", false, false},
        {ACCESS_WRONG_SPACE, ACCESS_HOSTS, OURS, "", false, false},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_GLOBAL, OURS, "", true, true},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, OURS, "", false, false},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, SYSTEM, "", false, false},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, USER, "", false, true},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, USER, "", true, true},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, TWO, "", false, true},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, TWO, "", true, false},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, "F/0.cu:9\n", "", true, true},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, "F/1.cu:2\n", "", true, true}, /* no copy of it */
        /* A call that a lane skipped, if its next access is after the call. */
        {ACCESS_SKIPPED, ACCESS_GLOBAL, USER, "F/0.cu:4\n", false, true},
        {ACCESS_SKIPPED, ACCESS_GLOBAL, USER, "F/0.cu:3\n", false, false},
        {ACCESS_SKIPPED, ACCESS_GLOBAL, USER, "F/0.cu:2\n", false, false},
        {ACCESS_SKIPPED, ACCESS_GLOBAL, USER, "F/1.cu:4\n", false, false},
        {ACCESS_SKIPPED, ACCESS_GLOBAL, USER, "??:0\n", false, false},
        {ACCESS_SKIPPED, ACCESS_GLOBAL, "??:0\n", "F/0.cu:4\n", false, false},
        {ACCESS_MISALIGNED, ACCESS_GLOBAL, USER, "", false, true},
        {ACCESS_MISALIGNED, ACCESS_GLOBAL, SYSTEM, "", false, true},
        {ACCESS_MISALIGNED, ACCESS_GLOBAL, OURS, "", false, false},
        {ACCESS_SHIFT, ACCESS_GLOBAL, USER, "", false, true},
        {ACCESS_SHIFT, ACCESS_GLOBAL, OURS, "", false, false},
        {ACCESS_SHARED_RACE, ACCESS_SHARED, OURS, OURS, false, true},
        {ACCESS_GLOBAL_RACE, ACCESS_GLOBAL, "", "", false, true},
    };
    struct test_folder *test = *state;
    const struct access_head head = {.magic = ACCESS_FILE_MAGIC, .count = 1};
    say(test, "0.cu", "ours[0][0]\nx = a[1];\nx = a[1][2];\nx = a[3];\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct program_accesses accesses;
        struct error err = ERROR_INIT;
        struct text said = TEXT_INIT;
        const struct access_entry entry = {.rule = cases[i].rule,
                                           .memory = cases[i].memory,
                                           .count = 1,
                                           .is_inner = cases[i].is_inner,
                                           .me.pc = 0x11,
                                           .other.pc = 0x21};
        text_append_format(&said, "0x10\n%s0x20\n%s", cases[i].me, cases[i].other);
        say(test, "said", said.data);
        write_accesses(test, &head, &entry, 1);
        assert_int_equal(program_accesses_read(&test->program, &accesses, &err), 0);
        if (accesses.count != cases[i].is_told)
            fail_msg("case %zu: %zu findings", i, accesses.count);
        program_accesses_release(&accesses);
        assert_int_equal(accesses.count, 0);
        text_release(&said);
    }
}

/* Data in a finding takes precedence over addr2line's. */
static void test_read(void **state) {
    struct test_folder *test = *state;
    const struct access_head head = {
        .magic = ACCESS_FILE_MAGIC, .count = 3, .more = 7, .left_out = 2};
    struct access_entry entry = {.rule = ACCESS_BARRIER_DIVERGENCE,
                                 .memory = ACCESS_MEMORIES - 1,
                                 .count = 1,
                                 .me = {.thread = 1023},
                                 .other = {.thread = 1023, .pc = 0x21},
                                 .line = 8,
                                 .file = "said.cu"};
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    say(test, "said", "0x10\nF/0.cu:3\n0x20\nF/1.cu:4\n0x10\n0x20\n0x10\n0x20\nF/2.cu:5\n");
    write_accesses(test, &head, &entry, 3);
    assert_int_equal(program_accesses_read(&test->program, &accesses, &err), 0);
    assert_int_equal(accesses.count, 3);
    assert_int_equal(accesses.more, 7);
    assert_int_equal(accesses.left_out, true);
    assert_int_equal(accesses.unset, 0xaa);
    static const struct {
        const char *other;
        uint32_t line;
    } wanted[] = {{"dir/b.cuh", 4}, {NULL, 0}, {"/abs/c.cu", 5}};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_string_equal(accesses.access[i].file, "said.cu");
        assert_int_equal(accesses.access[i].line, 8);
        assert_int_equal(accesses.access[i].other_line, wanted[i].line);
        if (wanted[i].other)
            assert_string_equal(accesses.access[i].other_file, wanted[i].other);
        else
            assert_null(accesses.access[i].other_file);
    }
    program_accesses_release(&accesses);
    assert_int_equal(access(test->accesses, F_OK), -1);
}

static void test_limits(void **state) {
    struct test_folder *test = *state;
    struct access_head head = {.magic = ACCESS_FILE_MAGIC, .count = 1};
    const struct access_entry good = {.rule = ACCESS_RULES - 1,
                                      .memory = ACCESS_GLOBAL,
                                      .count = 1,
                                      .line = 1,
                                      .file = "a",
                                      .other_line = 2,
                                      .other_file = "a"};
    struct access_entry entries[] = {good, good, good, good, good, good};
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    say(test, "said", "");
    entries[1].rule = 0;
    entries[2].count = 0;
    entries[3].me.thread = 1024;
    entries[4].other.thread = 1024;
    memset(entries[5].other_file, 'a', ACCESS_FILE_NAME);
    for (size_t i = 0; i < COUNT(entries); i++) {
        write_accesses(test, &head, &entries[i], 1);
        assert_int_equal(program_accesses_read(&test->program, &accesses, &err), i ? -1 : 0);
        assert_int_equal(accesses.count, i == 0);
        program_accesses_release(&accesses);
    }
    head.count = ACCESS_ENTRIES;
    write_accesses(test, &head, &good, ACCESS_ENTRIES);
    assert_int_equal(program_accesses_read(&test->program, &accesses, &err), 0);
    assert_int_equal(accesses.count, ACCESS_ENTRIES);
    program_accesses_release(&accesses);
}

static void test_effect(void **state) {
    struct test_folder *test = *state;
    struct access_head head = {.magic = ACCESS_FILE_MAGIC, .effect = 0x123456789a};
    uint64_t effect = 0;
    write_accesses(test, &head, NULL, 0);
    assert_true(program_accesses_effect(&test->program, &effect));
    assert_int_equal(effect, 0x123456789a);
    assert_false(program_accesses_effect(&test->program, &effect)); /* the file has been removed */
    head.effect_unknown = 1;
    write_accesses(test, &head, NULL, 0);
    assert_false(program_accesses_effect(&test->program, &effect));
    head = (struct access_head){.magic = "wrong"};
    write_accesses(test, &head, NULL, 0);
    assert_false(program_accesses_effect(&test->program, &effect));
}

/* ---- access_lines.h ---- */

static void test_calls_and_variables(void **state) {
    struct test_folder *test = *state;
    struct text text = TEXT_INIT, wanted = TEXT_INIT;
    struct error err = ERROR_INIT;
    text_append(&text, "first\n \t second; x \t\r\nthird\n\nfifth");
    const struct user_source sources[] = {{"x/b", "dir/b.cuh", &wanted}, {"a.cu", "a.cu", &text}};
    say(test, "calls",
        "program:     file format\n\n0000000000001000 <main>:\n"
        "    1000:\tcall   2000 <__tsan_read4>\n    1005:\tmov    %eax\n"
        "    1006:\tcall   2000 <__tsan_write4@plt>\n    100b:\tcall   3000 <__tsan_read1>\n\n"
        "00000000000020a0 <f>:\n    20a0:\tnop\n    20a1:\tcall   3000 <puts>\n    20a6:\tnop\n"
        "    20a7:\tcall   2000 <__tsan_func_exit>\n    20ac:\tnop\n    20ad:\tnop\n"
        "    20ae:\tcall <__tsan_read2>\n    20b3:\tnop\n"
        "    20b4:\tcall <__tsan_read2>\n    20b9:\tnop\n");
    say(test, "symbols",
        "0000000000004040 g     O .bss\t0000000000000400              table\n"
        "0000000000005040 l     O .data\t000000000000000a              f(int)::kept value\n"
        "0000000000005050 l     O .data.rel.ro\t0000000000000001 x\n"
        "0000000000005060 l     O .rodata\t0000000000000004              constant\n"
        "0000000000005070 l     F .text\t0000000000000004              function\n"
        "0000000000005090 l     O .bss\t0000000000000008              guard variable for x\n"
        "00000000000050a0 l     O .bss\t0000000000000000              nothing\n"
        "00000000000050b0 l     O .bss\t0000000000000004\n"
        "00000000000050c0 l     O .bss 0000000000000004              blanks\n"
        "SYMBOL TABLE: O .bss\t0000000000000004              x\n");
    say(test, "said",
        "0x1\nF/0.cu:2\n0x2\n??:0\n0x3\nF/0.cu:5\n0x4\nF/0.cu:6\n0x5\nF/1.cu:1\n0x6\n/x/y:3\n");
    static const char lines[] = "1005 2 a.cu\tsecond; x\n20a0 5 a.cu\tfifth\n20ac 6 a.cu\t\n"
                                "20b3 1 dir/b.cuh\t\n20b9 3 /x/y\t\n";
    for (unsigned steps = RUN_ACCESSES_SHARED; steps <= RUN_ACCESSES_GLOBAL; steps++) {
        struct text written = TEXT_INIT, asked = TEXT_INIT;
        text_clear(&wanted);
        test->program.access_steps = steps;
        assert_int_equal(access_lines_write(&test->program, sources, COUNT(sources), &err), 0);
        read_file(test, "lines", &written);
        read_file(test, "asked", &asked);
        text_append(&wanted, lines);
        if (steps == RUN_ACCESSES_GLOBAL)
            text_append(&wanted, "=4040 1024 table\n=5040 10 f(int)::kept value\n=5050 1 x\n");
        assert_string_equal(written.data, wanted.data);
        assert_string_equal(asked.data, steps == RUN_ACCESSES_GLOBAL
                                            ? "-t -w -C /program\n"
                                            : "-a -i -e /program 0x1004 0x100a 0x209f 0x20ab "
                                              "0x20b2 0x20b8\n");
        text_clear(&wanted);
        text_release(&written);
        text_release(&asked);
    }
    /* Nothing to report, and nowhere to write it. */
    char absent[] = "/tmp/shflviz-test-absent/lines";
    struct user_program program = test->program;
    struct text written = TEXT_INIT;
    say(test, "calls", "");
    program.access_steps = RUN_ACCESSES_SHARED;
    assert_int_equal(access_lines_write(&program, sources, COUNT(sources), &err), 0);
    read_file(test, "lines", &written);
    assert_string_equal(written.data, "");
    program.lines = absent;
    assert_int_equal(access_lines_write(&program, sources, COUNT(sources), &err), -1);
    text_release(&written);
    text_release(&wanted);
    text_release(&text);
}

/* C++ names may be longer than any line that is examined; the lines after them count. */
static void test_long_lines(void **state) {
    static const size_t lengths[] = {4000, 4060, 4095, 4096, 4097, 4200, 20000};
    struct test_folder *test = *state;
    struct text calls = TEXT_INIT, wanted = TEXT_INIT, said = TEXT_INIT, written = TEXT_INIT;
    struct error err = ERROR_INIT;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const unsigned pc = 0x1000 + 16 * (unsigned)i;
        text_append_format(&calls, "    %x:\tcall 2000 <", pc);
        for (size_t n = 0; n < lengths[i]; n++)
            text_append_char(&calls, 'a');
        text_append_format(&calls, ">\n    %x:\tcall 2000 <__tsan_read4>\n    %x:\tnop\n", pc + 4,
                           pc + 9);
        text_append_format(&said, "0x1\nF/0.cu:%zu\n", i + 1);
        text_append_format(&wanted, "%x %zu a.cu\t\n", pc + 9, i + 1);
    }
    say(test, "calls", calls.data);
    say(test, "said", said.data);
    test->program.access_steps = RUN_ACCESSES_SHARED;
    assert_int_equal(access_lines_write(&test->program, NULL, 0, &err), 0);
    read_file(test, "lines", &written);
    assert_string_equal(written.data, wanted.data);
    text_release(&calls);
    text_release(&said);
    text_release(&wanted);
    text_release(&written);
}

/* More calls than the initial room holds. */
static void test_many_calls(void **state) {
    struct test_folder *test = *state;
    struct text calls = TEXT_INIT, said = TEXT_INIT, wanted = TEXT_INIT, written = TEXT_INIT;
    struct error err = ERROR_INIT;
    for (int i = 0; i < 1000; i++) {
        text_append_format(&calls, "    %x:\tcall <__tsan_read4>\n", 0x1000 + i);
        if (i > 0) {
            text_append_format(&said, "0x1\nF/0.cu:%d\n", i);
            text_append_format(&wanted, "%x %d a.cu\t\n", 0x1000 + i, i);
        }
    }
    say(test, "calls", calls.data);
    say(test, "said", said.data);
    test->program.access_steps = RUN_ACCESSES_SHARED;
    assert_int_equal(access_lines_write(&test->program, NULL, 0, &err), 0);
    read_file(test, "lines", &written);
    assert_string_equal(written.data, wanted.data);
    text_release(&calls);
    text_release(&said);
    text_release(&wanted);
    text_release(&written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),      cmocka_unit_test(test_excused),
        cmocka_unit_test(test_read),       cmocka_unit_test(test_limits),
        cmocka_unit_test(test_effect),     cmocka_unit_test(test_calls_and_variables),
        cmocka_unit_test(test_many_calls), cmocka_unit_test(test_long_lines),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
