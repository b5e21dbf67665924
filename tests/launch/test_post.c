/* The code blocks of a text, the kind of each, and the comparison of a program's output with the
 * text's. */
#include "launch/program/post.h"
#include "launch/shell_commands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "# A post\n"
                           "```c++\n"
                           "T __shfl_sync(unsigned mask, T var, int srcLane, int width=warpSize);\n"
                           "```\n"
                           "```cuda\n"
                           "// __shfl_sync below\n"
                           "__global__ void k() { int v = 3;\n"
                           "int r = __shfl_sync(~0u, v, 5, 32);\n"
                           "}\n"
                           "int main() { k<<<1, 32>>>(); }\n"
                           "```\n"
                           "```\n"
                           "thread 0  has 5\n"
                           "...\n"
                           "thread 31 has 5\n"
                           "```\n"
                           "```c++\n"
                           "int r = __shfl_sync(~0u, v, 5, 16);\n"
                           "```\n"
                           "```shell\n"
                           "thread 31 has 21\n"
                           "```\n"
                           "```\n"
                           "nvcc a/b.cu -o b\n"
                           "nsys profile -o b ./b\n"
                           "./b\n"
                           "```\n"
                           "```\n"
                           "_global__ void other(int *x) { }\n"
                           "```\n"
                           "```\n"
                           "if (laneId == 0) sums[warpId] = sum;\n"
                           "```\n";

static void each_block_has_a_kind(void **state) {
    (void)state;
    static const struct {
        enum block_kind kind;
        unsigned long line;
        const char *title, *answer;
    } wanted[] = {
        {BLOCK_DECLARATION, 3, "__shfl_sync", ""},
        {BLOCK_PROGRAM, 6, "k", ""},
        {BLOCK_OUTPUT, 13, "thread 0  has 5", ""},
        {BLOCK_CALL, 18, "int r = __shfl_sync(~0u, v, 5, 16);", ""},
        {BLOCK_OUTPUT, 21, "thread 31 has 21", ""},
        {BLOCK_COMMANDS, 24, "nvcc a/b.cu -o b",
         "shflviz run a/b.cu\nshflviz run a/b.cu --overview\n"},
        {BLOCK_KERNEL, 29, "other", ""},
        {BLOCK_PART, 32, "if (laneId == 0) sums[warpId] = sum;",
         "shflviz kernel block-reduce\nshflviz lesson block-reduce\n"},
    };
    struct post post;
    struct error err = ERROR_INIT;
    assert_int_equal(post_read(&post, text, &err), 0);
    assert_int_equal(post.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < post.count; i++) {
        assert_int_equal(post.blocks[i].kind, wanted[i].kind);
        assert_int_equal(post.blocks[i].line, wanted[i].line);
        assert_string_equal(post.blocks[i].title, wanted[i].title);
        assert_string_equal(post.blocks[i].answer.data, wanted[i].answer);
    }
    assert_int_equal(post.blocks[1].output, 2);
    post_release(&post);
}

/* The relevant parts of a CUDA tool's command line are kept: sources, their options, arguments. */
static void tool_commands_are_translated(void **state) {
    (void)state;
    static const struct {
        const char *lines, *answer;
        bool all;
    } wanted[] = {
        {"$ nvcc -O3 -arch=sm_80 -I inc -DN=5 main.cu \\\n  b.cu -std=c++20 -o t/a\n./t/a 10 x > "
         "log\n",
         "shflviz run main.cu b.cu -I inc -DN=5 --std c++20\n"
         "shflviz run main.cu b.cu -I inc -DN=5 --std c++20 -- 10 x\n",
         true},
        {"# profile\nnsys profile -t cuda,nvtx -o x ./a.out 3",
         "shflviz run FILE.cu --overview -- 3\n", true},
        {"compute-sanitizer --tool racecheck a.out; nvcc", "shflviz check FILE.cu\n", true},
        {"nvcc a.cu\nthread 0 has 5", "shflviz run a.cu\n", false},
        {"nvccx a.cu\n\n", "", false},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct text answer = TEXT_INIT;
        assert_int_equal(shell_commands_answer(wanted[i].lines, &answer), wanted[i].all);
        assert_string_equal(answer.data, wanted[i].answer);
        text_release(&answer);
    }
}

/* A text without fences is one block, for the compiler or not. */
static void a_whole_text_is_one_block(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum block_kind kind;
        bool answered;
    } wanted[] = {
        {"nvcc a.cu -o a\n", BLOCK_COMMANDS, true},
        {"int r = __shfl_sync(~0u, v, 5);", BLOCK_CALL, true},
        {"if (laneId == 0) sums[warpId] = sum;", BLOCK_PART, true},
        {"thread 0 has 5\n", BLOCK_OTHER, true},
        {"#include \"a.h\"\nint laneId();", BLOCK_PART, false},
        {"struct point { int x; };", BLOCK_PART, false},
        {"__global__ void k() { }", BLOCK_KERNEL, false},
        {"int main() { }", BLOCK_PROGRAM, false},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct post post;
        assert_int_equal(post_read_whole(&post, wanted[i].text), wanted[i].answered);
        assert_int_equal(post.blocks[0].kind, wanted[i].kind);
        post_release(&post);
    }
}

/* Output below a call is that of the previous program, with its call replaced by this call. */
static void output_belongs_to_its_program(void **state) {
    (void)state;
    struct post post;
    struct text program = TEXT_INIT;
    struct error err = ERROR_INIT;
    assert_int_equal(post_read(&post, text, &err), 0);
    assert_int_equal(post_printer(&post, 4, &program), 1);
    assert_non_null(strstr(program.data, "// __shfl_sync below\n"));
    assert_non_null(strstr(program.data, "\nint r = __shfl_sync(~0u, v, 5, 16);\n"));
    assert_null(strstr(program.data, "5, 32"));
    text_clear(&program);
    assert_int_equal(post_printer(&post, 0, &program), -1);
    text_release(&program);
    post_release(&post);
}

static void outputs_are_compared(void **state) {
    (void)state;
    struct post post;
    struct text missing = TEXT_INIT;
    struct error err = ERROR_INIT;
    unsigned long line = 99;
    assert_int_equal(post_read(&post, text, &err), 0);
    const struct block *output = &post.blocks[2];
    /* Lines may be in any order, with different spacing; dots mean omitted lines. */
    assert_int_equal(
        post_compare(output, "thread 31 has 5\nthread 7 has 5\nthread 0 has 5\n", &missing, &line),
        2);
    assert_int_equal(missing.length, 0);
    assert_int_equal(post_compare(output, "thread 0 has 5\nthread 31 has 6\n", &missing, &line), 1);
    assert_string_equal(missing.data, "thread 31 has 5");
    assert_int_equal(line, 2);
    text_release(&missing);
    post_release(&post);
}

static void a_text_without_blocks_is_refused(void **state) {
    (void)state;
    struct post post;
    struct error err = ERROR_INIT;
    assert_int_equal(post_read(&post, "only prose\n", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    post_release(&post);
    assert_false(post_has_fences("only prose\n"));
    assert_true(post_has_fences(text));
    assert_true(post_is_file("a.md"));
    assert_false(post_is_file("a.cu"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_has_a_kind),
        cmocka_unit_test(tool_commands_are_translated),
        cmocka_unit_test(a_whole_text_is_one_block),
        cmocka_unit_test(output_belongs_to_its_program),
        cmocka_unit_test(outputs_are_compared),
        cmocka_unit_test(a_text_without_blocks_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
