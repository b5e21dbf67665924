/*
 * User programs (user_program.h), built by a compiler that is a script. It logs its arguments
 * and prints a test's messages, and its output is a script, too. This way tests see the arguments
 * of each step, the handling of each message, and the settings of a run. For the device's side it
 * makes the LLVM IR of an empty file, so that cudacpu-instrument has some input.
 */
#include "base/file.h"
#include "cudacpu/process/settings_file.h"
#include "cudacpu/process/user_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char compiler_text[] =
    "#!/bin/sh\n"
    "stage=link out= last=\n"
    "for word; do\n"
    "    [ \"$last\" = -o ] && out=$word\n"
    "    case $word in\n"
    "    -c) [ $stage = link ] && stage=compile;;\n"
    "    --cuda-device-only) stage=device;;\n"
    "    --cuda-host-only) stage=host;;\n"
    "    esac\n"
    "    last=$word\n"
    "done\n"
    "{ echo \"== $stage\"; printf '%s\\n' \"$@\"; echo \"== end\"; } >> \"$FAKE_LOG.$stage\"\n"
    "if [ \"$stage\" = \"$FAKE_STAGE\" ]; then cat \"$FAKE_SAYS\" >&2; exit 1; fi\n"
    "case $stage in\n"
    "device) cp \"$FAKE_CODE\" \"$out\";;\n"
    "host | compile) : > \"$out\";;\n"
    "link) cp \"$FAKE_PROGRAM\" \"$out\"; chmod +x \"$out\";;\n"
    "esac\n";

static char folder[] = "/tmp/shflviz-test-words-XXXXXX";
static char compiler[64], word_log[64], says[64], script[64], code[64];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *const stages[] = {"device", "host", "compile", "link"};

/* The sides of a file are compiled at the same time: each stage has a log of its own. */
static const char *log_of(const char *stage) {
    static char path[80];
    snprintf(path, sizeof path, "%s.%s", word_log, stage);
    return path;
}

static void forget_words(void) {
    for (size_t i = 0; i < COUNT(stages); i++)
        unlink(log_of(stages[i]));
}

/* All arguments of the compiler at a stage. */
static const char *read_log(const char *stage) {
    static char text[65536];
    FILE *file = fopen(log_of(stage), "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* True if some call of a stage got these consecutive words. */
static bool was_passed(const char *stage, const char *words) {
    char begin[32], wanted[256];
    bool found = false;
    snprintf(begin, sizeof begin, "== %s\n", stage);
    snprintf(wanted, sizeof wanted, "\n%s\n", words);
    for (const char *at = strstr(read_log(stage), begin); at && !found;
         at = strstr(at + 1, begin)) {
        const char *end = strstr(at, "== end"), *said = strstr(at, wanted);
        found = said && said < end;
    }
    return found;
}

struct files {
    struct user_source source[3];
    struct text text[3];
};

/* Builds sources from pairs of a path and a text; NULL ends the list. */
static int build(struct user_program *program, struct user_build how, const char *const *pairs,
                 struct error *err) {
    struct files files = {.text = {TEXT_INIT, TEXT_INIT, TEXT_INIT}};
    for (how.source_count = 0; pairs[2 * how.source_count]; how.source_count++) {
        const size_t at = how.source_count;
        text_append(&files.text[at], pairs[2 * at + 1]);
        files.source[at] = (struct user_source){.path = pairs[2 * at], .text = &files.text[at]};
        const char *slash = strrchr(pairs[2 * at], '/');
        files.source[at].name = slash ? slash + 1 : pairs[2 * at];
    }
    how.sources = files.source;
    forget_words();
    memset(program, 0, sizeof *program);
    const int status = user_program_build(program, &how, err);
    for (size_t i = 0; i < COUNT(files.text); i++)
        text_release(&files.text[i]);
    return status;
}

/* ---- words ---- */

static const char plain[] = "int main() {}\n", parallel[] = "#pragma omp parallel\nint main() {}\n";

static void test_words(void **state) {
    static char *const includes[] = {"/some/headers", NULL};
    static char *const defines[] = {"A=1", "B", NULL};
    static const struct {
        const char *path, *text;
        struct user_build how;
        const char *stage, *words; /* NULL: both sides of CUDA */
        bool told;
    } cases[] = {
        {"/src/a.cpp", plain, {0}, "compile", "-std=c++17", true},
        {"/src/a.cpp", plain, {.standard = "c++20"}, "compile", "-std=c++20", true},
        {"/src/a.cpp", plain, {.standard = "c++20"}, "compile", "-std=c++17", false},
        {"/src/a.c", plain, {0}, "compile", "-std=c++17", false},
        {"/src/a.c", plain, {0}, "compile", "-x\nc", true},
        {"/src/a.cpp", plain, {0}, "compile", "-x\nc++", true},
        {"/src/a.cpp", plain, {0}, "compile", "-iquote\n/src/", true},
        {"/src/a.cpp", plain, {0}, "compile", "-I/src/", true},
        {"a.cpp", plain, {0}, "compile", "-I./", true},
        {"/a.cpp", plain, {0}, "compile", "-I/", true},
        {"/src/a.cpp", plain, {.include = includes}, "compile", "-I/some/headers", true},
        {"/src/a.cpp", plain, {.define = defines}, "compile", "-DA=1\n-DB", true},
        {"/src/a.cpp", plain, {0}, "compile", "-fopenmp", false},
        {"/src/a.cpp", plain, {0}, "link", "-fopenmp", false},
        {"/src/a.cpp", parallel, {0}, "compile", "-fopenmp", true},
        {"/src/a.cpp", parallel, {0}, "link", "-fopenmp", true},
        {"/src/a.cpp", plain, {0}, "link", "-lm\n-pthread", true},
        {"/src/a.cpp", plain, {0}, "device", "-c", false},
        {"/src/a.cu", plain, {0}, "compile", "-c", false},
        {"/src/a.cu", plain, {0}, "link", "-lm\n-pthread", true},
        {"/src/a.cu", parallel, {0}, "link", "-lgomp", true},
        {"/src/a.cu", plain, {0}, NULL, "-x\ncuda", true},
        {"/src/a.cu", plain, {0}, NULL, "-std=c++17", true},
        {"/src/a.cu", plain, {0}, NULL, "-include\ncudacpu/program.cuh", true},
        {"/src/a.cu", plain, {0}, NULL, "-iquote\n/src/", true},
        {"/src/a.cu", plain, {0}, NULL, "-fopenmp", false},
        {"/src/a.cu", plain, {.standard = "c++20"}, NULL, "-std=c++20", true},
        {"/src/a.cu", plain, {.include = includes}, NULL, "-I/some/headers", true},
        {"/src/a.cu", plain, {.define = defines}, NULL, "-DA=1\n-DB", true},
        {"/src/a.cu", parallel, {0}, NULL, "-fopenmp", false},
        {"/src/a.cu", plain, {0}, "device", "-emit-llvm", true},
        {"/src/a.cu", plain, {0}, "host", "-emit-llvm", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t stage = 0; stage < 2; stage++) {
            const char *const pairs[] = {cases[i].path, cases[i].text, NULL};
            const char *at = cases[i].stage ? cases[i].stage : stages[stage];
            struct user_program program;
            struct error err = ERROR_INIT;
            if (build(&program, cases[i].how, pairs, &err) != 0)
                fail_msg("%zu: %s", i, err.text);
            if (was_passed(at, cases[i].words) != cases[i].told)
                fail_msg("%zu: %s: '%s':\n%s", i, at, cases[i].words, read_log(at));
            user_program_release(&program);
            if (cases[i].stage)
                break;
        }
}

/* A program that reports its accesses is compiled accordingly, and its memory copies are redirected
 * to us. */
static void test_access_words(void **state) {
    static const struct {
        struct user_build how;
        const char *stage, *words;
        bool told;
    } cases[] = {
        {{0}, "device", "-fsanitize=thread", false},
        {{0}, "host", "-fsanitize=thread", false},
        {{.accesses = true}, "device", "-fsanitize=thread", true},
        {{.accesses = true}, "host", "-fsanitize=thread", true},
        {{.access_steps = 1}, "device", "-fsanitize=thread", true},
        {{.access_steps = 1}, "host", "-fsanitize=thread", true},
        {{.accesses = true}, "device", "-fsanitize=array-bounds,alignment", true},
        {{.accesses = true}, "host", "-fsanitize=array-bounds,alignment", false},
        {{.access_steps = 1}, "device", "-fsanitize=array-bounds,alignment", false},
        {{0}, "device", "-fsanitize=shift-exponent", true},
        {{.accesses = true}, "device", "-ftrivial-auto-var-init=pattern", true},
        {{.access_steps = 1}, "device", "-ftrivial-auto-var-init=pattern", false},
        {{.accesses = true}, "link", "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset", true},
        {{0}, "link", "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset", false},
    };
    static const char *const pairs[] = {"/src/a.cu", plain, NULL};
    (void)state;
    if (!user_program_can_see_accesses())
        skip();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct user_program program;
        struct error err = ERROR_INIT;
        const int status = build(&program, cases[i].how, pairs, &err);
        if (status != 0 && !cases[i].how.access_steps) /* objdump finds no program there */
            fail_msg("%zu: %s", i, err.text);
        if (was_passed(cases[i].stage, cases[i].words) != cases[i].told)
            fail_msg("%zu: %s: '%s':\n%s", i, cases[i].stage, cases[i].words,
                     read_log(cases[i].stage));
        assert_int_equal(program.accesses != NULL, cases[i].how.accesses);
        assert_int_equal(program.lines != NULL, cases[i].how.access_steps != 0);
        assert_int_equal(program.unset, cases[i].how.accesses ? 0xaa : 0);
        user_program_release(&program);
    }
}

/* A file in the folder in which the program is built. */
static const char *read_made(const struct user_program *program, const char *name) {
    static char text[16384];
    char *path = private_folder_path(&program->folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("no %s", name);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    free(path);
    return text;
}

/* The copies that are compiled begin with the name of the user's file, and have no byte order mark
 * after that. */
static void test_copies(void **state) {
    static const char *const pairs[] = {"/src/a\"b\\c.cpp",
                                        "\xef\xbb\xbf"
                                        "int main() {}\n",
                                        "/src/d\ne.cu", "int x;\n", NULL};
    struct text before_text = TEXT_INIT;
    const struct user_source before = {"/src/first.h", "first.h", &before_text};
    struct user_program program;
    struct error err = ERROR_INIT;
    char expected[512];
    (void)state;
    text_append(&before_text, "int first;\n");
    assert_int_equal(build(&program, (struct user_build){.before = &before}, pairs, &err), 0);
    assert_string_equal(read_made(&program, "0.source"),
                        "#line 1 \"a\\\"b\\\\c.cpp\"\nint main() {}\n");
    assert_string_equal(read_made(&program, "1.cu"), "#line 1 \"d\\ne.cu\"\nint x;\n");
    assert_string_equal(read_made(&program, "2.cu"), "#line 1 \"first.h\"\nint first;\n");
    snprintf(expected, sizeof expected,
             "a\"b\\c.cpp\n%s/0.source\nd\ne.cu\n%s/1.cu\nfirst.h\n%s/2.cu\n", program.folder.path,
             program.folder.path, program.folder.path);
    assert_string_equal(read_made(&program, "sources"), expected);
    snprintf(expected, sizeof expected, "-include\n%s/2.cu", program.folder.path);
    assert_true(was_passed("device", expected));
    assert_true(was_passed("host", expected));
    snprintf(expected, sizeof expected, "%s/0.o\n%s/1.o\n%s/1.device.o", program.folder.path,
             program.folder.path, program.folder.path);
    assert_true(was_passed("link", expected));
    /* The host's side has the name with which the device's side registers. */
    snprintf(expected, sizeof expected, "-fcuda-include-gpubinary\n-Xclang\n%s/1.module",
             program.folder.path);
    assert_true(was_passed("host", expected));
    assert_string_equal(read_made(&program, "1.module"), "1.module");
    assert_non_null(read_made(&program, "1.device.o"));
    assert_int_equal(program.names.count, 3);
    assert_string_equal(program.names.word[2], "first.h");
    user_program_release(&program);
    text_release(&before_text);
}

/* If either side fails, the build fails; if both fail, the device's message is shown. */
static void test_sides_fail(void **state) {
    static const char *const failing[] = {"device", "host"};
    static const char *const pairs[] = {"/src/a.cu", plain, NULL};
    (void)state;
    write_file(says, "a.cu:3:5: error: no\n");
    for (size_t i = 0; i < COUNT(failing); i++) {
        struct user_program program;
        struct error err = ERROR_INIT;
        setenv("FAKE_STAGE", failing[i], 1);
        assert_int_equal(build(&program, (struct user_build){0}, pairs, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_string_equal(err.text, "a.cu does not compile for the CPU warp:\n"
                                      "a.cu:3: error: no");
        user_program_release(&program);
    }
    unsetenv("FAKE_STAGE");
}

/* Without clang CUDA is not built, but everything else is. */
static void test_without_clang(void **state) {
    static const char *const cuda[] = {"/src/a.cu", plain, NULL};
    static const char *const other[] = {"/src/a.cpp", plain, NULL};
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    setenv("SHFLVIZ_CLANG", "/nowhere/clang++", 1);
    assert_int_equal(build(&program, (struct user_build){0}, cuda, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "SHFLVIZ_CLANG: cannot run '/nowhere/clang++'\n"));
    user_program_release(&program);
    assert_int_equal(build(&program, (struct user_build){0}, other, &err), 0);
    user_program_release(&program);
    setenv("SHFLVIZ_CLANG", compiler, 1);
    setenv("CXX", "/nowhere/c++", 1);
    if (user_program_can_see_accesses()) { /* with a sanitizer, CXX links the program; otherwise
                                            * CUDA does not need it
                                            */
        assert_int_equal(build(&program, (struct user_build){0}, cuda, &err), 0);
        user_program_release(&program);
    }
    assert_int_equal(build(&program, (struct user_build){0}, other, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "no C++ compiler: cannot run '/nowhere/c++'\n"));
    user_program_release(&program);
    setenv("CXX", compiler, 1);
}

/* ---- complaints ---- */

#define CPU " does not compile for the CPU warp:\n"
#define LIBS                                                                                       \
    "\nthe CPU warp does not have all of a toolkit's libraries: docs/CUDA.md lists the libraries " \
    "it has"
#define WHERE "\ntry: -I DIR, the folder of that header"
#define NAMES "\ntry: name all source files of the program, or its folder; one of them has main()"

static void test_complaints(void **state) {
    static const struct {
        const char *stage, *says, *text;
    } cases[] = {
        {"compile", "a.cpp:3:5: error: no\n", "a.cpp" CPU "a.cpp:3: error: no"},
        {"compile", "one\ntwo\n\n\n", "a.cpp" CPU "one\ntwo"},
        {"compile", "", "a.cpp" CPU},
        {"compile", "a.cpp:1: fatal error: mine.h: none\n",
         "a.cpp" CPU "a.cpp:1: error: mine.h: none" WHERE},
        {"compile", "a.cpp:1: fatal error: 'mine.h' file not found\n",
         "a.cpp" CPU "a.cpp:1: error: 'mine.h' file not found" WHERE},
        {"compile", "a.cpp:1: fatal error: helper_cuda.h: none\n",
         "a.cpp" CPU "a.cpp:1: error: helper_cuda.h: none\n"
         "try: -I with the folder Common of NVIDIA's CUDA samples"},
        {"compile", "a.cpp:1: fatal error: 'helper_cuda.h': none\n",
         "a.cpp" CPU "a.cpp:1: error: 'helper_cuda.h': none\n"
         "try: -I with the folder Common of NVIDIA's CUDA samples"},
        {"compile", "a.cpp:1: fatal error: nccl.h: none\n",
         "a.cpp" CPU "a.cpp:1: error: nccl.h: none" LIBS},
        {"compile", "a.cpp:1: fatal error: 'cutlass/gemm.h' not found\n",
         "a.cpp" CPU "a.cpp:1: error: 'cutlass/gemm.h' not found" LIBS},
        {"link", "ld: undefined reference to `other'\n",
         "a.cpp" CPU "undefined reference to `other'" NAMES},
        {"link", "ld: undefined reference to `cusolverDnCreate'\n",
         "a.cpp" CPU "undefined reference to `cusolverDnCreate'" LIBS},
        {"compile", "a.cpp:1: fatal error: error writing: No space left on device\n",
         "a.cpp" CPU "a.cpp:1: error: error writing: No space left on device\n"
         "the disk is full; try: TMPDIR=DIR, a folder with more room"},
        {"compile",
         "In file included from a.cpp:2:\n"
         "/x/nccl.h:5:2: error: #error \"NCCL is not on the CPU warp; docs/CUDA.md\"\n"
         "a.cpp:9:1: error: something that follows\n",
         "a.cpp" CPU "a.cpp:2: error: NCCL is not on the CPU warp; docs/CUDA.md"},
        {"compile",
         "In file included from /x/all.h:7,\n                 from a.cpp:2:\n"
         "In file included from a.cpp:3,\n"
         "/x/nccl.h:5:2: error: \"NCCL is not on the CPU warp; docs/CUDA.md\"\n",
         "a.cpp" CPU "a.cpp:3: error: NCCL is not on the CPU warp; docs/CUDA.md"},
    };
    static const char *const pairs[] = {"/src/a.cpp", plain, NULL};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct user_program program;
        struct error err = ERROR_INIT;
        write_file(says, cases[i].says);
        setenv("FAKE_STAGE", cases[i].stage, 1);
        assert_int_equal(build(&program, (struct user_build){0}, pairs, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_string_equal(err.text, cases[i].text);
        user_program_release(&program);
    }
    unsetenv("FAKE_STAGE");
}

/* Long output is cut after a whole line, so that advice has room. */
static void test_long_complaint(void **state) {
    static const char *const pairs[] = {"/src/a.cpp", plain, NULL};
    struct user_program program;
    struct error err = ERROR_INIT;
    FILE *file = fopen(says, "w");
    (void)state;
    assert_non_null(file);
    fprintf(file, "a.cpp:1: fatal error: mine.h: none\n");
    for (unsigned i = 0; i < 2000; i++)
        fprintf(file, "line %04u\n", i);
    fclose(file);
    setenv("FAKE_STAGE", "compile", 1);
    assert_int_equal(build(&program, (struct user_build){0}, pairs, &err), -1);
    unsetenv("FAKE_STAGE");
    const char *advice = strstr(err.text, WHERE);
    assert_non_null(advice);
    assert_string_equal(advice, WHERE);
    assert_int_equal(strncmp(advice - 9, "line ", 5), 0);
    assert_true(strlen(err.text) > ERROR_TEXT_SIZE - 700);
    user_program_release(&program);
}

static void test_mains(void **state) {
    static const char *const pairs[] = {"/src/a.cpp", plain, "/src/b.cpp", plain,
                                        "/src/c.cpp", plain, NULL};
    static const struct {
        const char *says, *files;
    } cases[] = {
        {"ld: /t/2.o:b.cpp:1: multiple definition of `main'; /t/0.o: first here\n",
         "/src/a.cpp, /src/c.cpp"},
        {"/t/1.o: in function `main':\nb.cpp:1: multiple definition of `main'; /t/0.o: first\n",
         "/src/a.cpp, /src/b.cpp"},
        {"/t/2.o: unused\nother\n/t/1.o: multiple definition of `main'; /t/0.o: first\n",
         "/src/a.cpp, /src/b.cpp"},
        {"/t/1.o: multiple definition of `other'; /t/0.o: first\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct user_program program;
        struct error err = ERROR_INIT;
        char text[256];
        write_file(says, cases[i].says);
        setenv("FAKE_STAGE", "link", 1);
        assert_int_equal(build(&program, (struct user_build){0}, pairs, &err), -1);
        snprintf(text, sizeof text,
                 "several files have a main(): %s\ntry: name only the files of one program",
                 cases[i].files);
        if (cases[i].files)
            assert_string_equal(err.text, text);
        else
            assert_null(strstr(err.text, "several files"));
        user_program_release(&program);
    }
    unsetenv("FAKE_STAGE");
}

/* ---- a GPU ---- */

static void test_shown_on_gpu(void **state) {
    static const struct user_shown shown[] = {{"v", 5}, {"sum", 12}, {"v + other", 5}};
    static const char *const one[] = {"/src/a.cu", plain, NULL};
    struct user_build gpu = {.gpu = true};
    struct user_program program;
    struct error err = ERROR_INIT;
    struct text words = TEXT_INIT, header = TEXT_INIT;
    (void)state;
    setenv("NVCC", compiler, 1);
    assert_int_equal(build(&program, gpu, one, &err), 0);
    assert_null(strstr(read_log("compile"), "shown.h"));
    user_program_release(&program);
    gpu.shown = shown;
    gpu.shown_count = COUNT(shown);
    assert_int_equal(build(&program, gpu, one, &err), 0);
    char *path = private_folder_path(&program.folder, "shown.h");
    text_append_format(&words, "-include\n%s\n-DSHFLVIZ_GPU_PROGRAM", path);
    assert_true(was_passed("compile", words.data));
    assert_int_equal(file_read(path, 4096, &header, &err), FILE_READ);
    assert_string_equal(header.data,
                        "#define SHFLVIZ_SHOW_5 ~, SHFLVIZ_SHOWN(v) SHFLVIZ_SHOWN(v + other)\n"
                        "#define SHFLVIZ_SHOW_12 ~, SHFLVIZ_SHOWN(sum)\n");
    free(path);
    text_release(&words);
    text_release(&header);
    user_program_release(&program);
}

static void test_gpu(void **state) {
    static const char *const one[] = {"/src/a.cu",
                                      "int main() {\n  // \"asm\"\n  asm(\"add; vote.sync\"\n"
                                      "      \"shfl.sync\");\n}\n",
                                      NULL};
    static const char *const two[] = {"/src/a.cu", "/* shfl.sync */ int x; // asm\n", "/src/b.cpp",
                                      parallel, NULL};
    const struct user_build gpu = {.gpu = true};
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    setenv("NVCC", compiler, 1);
    assert_int_equal(build(&program, gpu, one, &err), 0);
    assert_string_equal(program.remarks.data,
                        "a.cu:3: inline PTX (vote.sync) is not recorded on a GPU; on "
                        "the CPU warp it is\n");
    assert_true(
        was_passed("compile", "-DSHFLVIZ_GPU_PROGRAM\n-include\nshflviz/record.cuh\n-x\ncu"));
    assert_true(was_passed("link", "-Xlinker\n--wrap=cudaLaunchKernel"));
    assert_true(was_passed("link", "-Xlinker\n--wrap=__cudaLaunchKernel_ptsz"));
    assert_false(was_passed("compile", "-rdc=true"));
    assert_false(was_passed("compile", "-iquote"));
    assert_false(was_passed("link", "-Xcompiler\n-fopenmp"));
    user_program_release(&program);
    assert_int_equal(build(&program, gpu, two, &err), 0);
    assert_string_equal(program.remarks.data, "");
    assert_true(was_passed("compile", "-rdc=true"));
    assert_true(was_passed("link", "-rdc=true"));
    assert_true(was_passed("compile", "-Xcompiler\n-fopenmp"));
    assert_true(was_passed("link", "-Xcompiler\n-fopenmp"));
    assert_true(was_passed("compile", "-std=c++17"));
    user_program_release(&program);
    /* The message about a missing header of the toolkit names the toolkit's folder. */
    write_file(says, "a.cu:1: fatal error: nccl.h: none\n");
    setenv("FAKE_STAGE", "compile", 1);
    assert_int_equal(build(&program, gpu, one, &err), -1);
    unsetenv("FAKE_STAGE");
    assert_string_equal(err.text, "a.cu does not compile for a GPU:\n"
                                  "a.cu:1: error: nccl.h: none" WHERE);
    user_program_release(&program);
    setenv("NVCC", "/nowhere/nvcc -x", 1);
    assert_int_equal(build(&program, gpu, one, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_string_equal(err.text,
                        "cannot run '/nowhere/nvcc', which builds for a GPU\n"
                        "try: name the nvcc of a CUDA Toolkit in NVCC, or use --device cpu");
    user_program_release(&program);
}

/* ---- running ---- */

static struct text output = TEXT_INIT;

static void take(void *context, int stream, const char *bytes, size_t count) {
    (void)stream;
    text_append_bytes(context, bytes, count);
}

static int run_script(const char *text, struct user_run run, int *status, struct error *err) {
    static const char *const pairs[] = {"/src/a.cpp", plain, NULL};
    struct user_program program;
    write_file(script, text);
    assert_int_equal(build(&program, (struct user_build){0}, pairs, err), 0);
    run.input = -1;
    run.output = take;
    run.output_context = &output;
    text_clear(&output);
    const int result = user_program_run(&program, &run, status, err);
    user_program_release(&program);
    return result;
}

static void test_run(void **state) {
    static char *const arguments[] = {"first", "second one", NULL};
    struct settings_file file;
    struct error err = ERROR_INIT;
    char copied[64];
    int status = 0;
    (void)state;
    const struct user_run run = {.arguments = arguments,
                                 .trace_path = "/some/run.svt",
                                 .title = "a title",
                                 .command = "a command",
                                 .settings = {.schedule = 1, .variant = 2, .limits.seconds = 50}};
    snprintf(copied, sizeof copied, "%s/copied", folder);
    setenv("COPY", copied, 1);
    assert_int_equal(run_script("#!/bin/sh\necho \"$1,$2,$#\"\n"
                                "cp \"$SHFLVIZ_WATCH\" \"$COPY\"\nexit 7\n",
                                run, &status, &err),
                     0);
    assert_int_equal(status, 7);
    assert_string_equal(output.data, "first,second one,2\n");
    setenv(SETTINGS_FILE_VARIABLE, copied, 1);
    assert_true(settings_file_read(&file));
    unsetenv(SETTINGS_FILE_VARIABLE);
    unlink(copied);
    assert_int_equal(file.settings.schedule, 1);
    assert_int_equal(file.settings.variant, 2);
    assert_int_equal(file.settings.limits.seconds, 50);
    assert_string_equal(file.text[SETTINGS_TRACE], "/some/run.svt");
    assert_string_equal(file.text[SETTINGS_TITLE], "a title");
    assert_string_equal(file.text[SETTINGS_COMMAND], "a command");
    assert_string_equal(strrchr(file.text[SETTINGS_SOURCES], '/'), "/sources");
    assert_null(file.text[SETTINGS_ACCESSES]); /* not compiled to report accesses */
    assert_null(file.text[SETTINGS_LINES]);
    assert_null(file.text[SETTINGS_PROGRESS]); /* nobody asked for it */
    free((char *)file.text[SETTINGS_TRACE]);
}

static void test_run_failures(void **state) {
    static const struct {
        const char *text;
        struct confine_limits limits;
        const char *says;
    } cases[] = {
        {"#!/bin/sh\nkill -XCPU $$\n",
         {0},
         "/src/a.cpp exceeded its limit on processor time and was killed"},
        {"#!/bin/sh\nkill -XFSZ $$\n",
         {0},
         "/src/a.cpp exceeded its limit on file size and was killed"},
        {"#!/bin/sh\nkill -KILL $$\n",
         {0},
         "/src/a.cpp was killed (SIGKILL), as happens when memory runs out"},
        {"#!/bin/sh\nkill -SEGV $$\n", {0}, "/src/a.cpp crashed: Segmentation fault"},
        {"#!/bin/sh\necho 0123456789; exec sleep 1000\n",
         {.output = 10},
         "/src/a.cpp printed more than 10 bytes and was killed"},
        {"#!/nowhere/at/all\n",
         {0},
         "/src/a.cpp was built, but cannot be run: No such file or directory"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error err = ERROR_INIT;
        int status = 0;
        assert_int_equal(run_script(cases[i].text,
                                    (struct user_run){.settings.limits = cases[i].limits}, &status,
                                    &err),
                         -1);
        assert_int_equal(status, -1);
        assert_int_equal(err.kind, ERROR_RUN);
        assert_string_equal(err.text, cases[i].says);
    }
}

static void note_progress(void *context, const struct user_progress *now) {
    *(struct user_progress *)context = *now;
}

static void test_progress_and_recording(void **state) {
    static const char *const pairs[] = {"/src/a.cpp", plain, NULL};
    struct user_program program;
    struct user_progress progress = {9, 9};
    struct error err = ERROR_INIT;
    struct trace *trace;
    int status, descriptor = 9;
    (void)state;
    assert_int_equal(
        run_script("#!/bin/sh\nprintf '\\1\\0\\0\\0\\0\\0\\0\\0\\2\\0\\0\\0\\0\\0\\0\\0' > "
                   "\"${SHFLVIZ_WATCH%/*}/progress\"; sleep 0.2\n",
                   (struct user_run){.tick = note_progress, .tick_context = &progress}, &status,
                   &err),
        0);
    const uint16_t one = 1;
    if (*(const unsigned char *)&one) { /* the byte order that the script wrote */
        assert_int_equal(progress.launches, 1);
        assert_int_equal(progress.steps, 2);
    }
    assert_int_equal(build(&program, (struct user_build){0}, pairs, &err), 0);
    assert_int_equal(user_program_open(&program, &trace, &descriptor, &err), -1);
    assert_null(trace);
    assert_int_equal(descriptor, -1);
    assert_int_equal(err.kind, ERROR_RUN);
    assert_string_equal(err.text,
                        "/src/a.cpp ran, but its recording has been removed or overwritten");
    user_program_release(&program);
}

static void test_read(void **state) {
    char path[64], expected[160];
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    snprintf(path, sizeof path, "%s/source.cu", folder);
    write_file(path, "int x;\n");
    assert_int_equal(user_program_read(path, &text, &err), 0);
    assert_int_equal(user_program_read(path, &text, &err), 0);
    assert_string_equal(text.data, "int x;\nint x;\n"); /* it is appended */
    assert_int_equal(user_program_read(folder, &text, &err), -1);
    snprintf(expected, sizeof expected, "%s is not a regular file", folder);
    assert_string_equal(err.text, expected);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(user_program_read(path, &text, &err), -1);
    snprintf(expected, sizeof expected,
             "%s is not text: it has a 0 byte\nallowed: a source file in UTF-8", path);
    assert_string_equal(err.text, expected);
    assert_int_equal(truncate(path, (64 << 20) + 1), 0);
    assert_int_equal(user_program_read(path, &text, &err), -1);
    snprintf(expected, sizeof expected, "%s is larger than a source file may be (64 MiB)", path);
    assert_string_equal(err.text, expected);
    unlink(path);
    assert_int_equal(user_program_read(path, &text, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    snprintf(expected, sizeof expected, "cannot read %s: No such file or directory", path);
    assert_string_equal(err.text, expected);
    text_release(&text);
}

static int begin(void **state) {
    char command[512];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(compiler, sizeof compiler, "%s/compiler", folder);
    snprintf(word_log, sizeof word_log, "%s/log", folder);
    snprintf(says, sizeof says, "%s/says", folder);
    snprintf(script, sizeof script, "%s/script", folder);
    snprintf(code, sizeof code, "%s/code", folder);
    snprintf(command, sizeof command, SHFLVIZ_TEST_CLANG " -x c -emit-llvm -c /dev/null -o '%s'",
             code);
    if (system(command) != 0)
        return -1;
    write_file(compiler, compiler_text);
    write_file(script, "#!/bin/sh\n");
    chmod(compiler, 0700);
    setenv("CXX", compiler, 1);
    setenv("CC", compiler, 1);
    setenv("SHFLVIZ_CLANG", compiler, 1);
    setenv("FAKE_CODE", code, 1);
    setenv("FAKE_LOG", word_log, 1);
    setenv("FAKE_SAYS", says, 1);
    setenv("FAKE_PROGRAM", script, 1);
    setenv("HOME", "", 1); /* so that no header is compiled */
    return setenv("XDG_CACHE_HOME", "", 1);
}

static int end(void **state) {
    const char *const files[] = {compiler, says, script, code};
    (void)state;
    text_release(&output);
    forget_words();
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(files[i]);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_access_words),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_sides_fail),
        cmocka_unit_test(test_without_clang),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_long_complaint),
        cmocka_unit_test(test_mains),
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_shown_on_gpu),
        cmocka_unit_test(test_run_failures),
        cmocka_unit_test(test_progress_and_recording),
        cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
