/* Compilers' messages as shown to users, with the wording of gcc 12 and clang 14. */
#include "cudacpu/frontend/compiler_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void becomes(const char *said, const char *expected) {
    static char ours[] = "/opt/shflviz/include", built[] = "/srv/me/src";
    char *const folders[] = {ours, built, NULL};
    struct text text = TEXT_INIT;
    text_append(&text, said);
    compiler_words_tidy(&text, folders);
    assert_string_equal(text.data, expected);
    text_release(&text);
}

static void stays(const char *said) {
    becomes(said, said);
}

/* The messages about the user's own lines, without columns. */
static void test_own_lines(void **state) {
    (void)state;
    becomes("a.cu: In function 'void f()':\n"
            "a.cu:3:5: error: 'x' was not declared in this scope\n"
            "    3 |     x = 1;\n"
            "      |     ^\n",
            "a.cu:3: error: 'x' was not declared in this scope\n"
            "    3 |     x = 1;\n"
            "      |     ^\n");
    becomes("a.cu:3: fatal error: b.h: No such file or directory\ncompilation terminated.\n",
            "a.cu:3: error: b.h: No such file or directory\ncompilation terminated.\n");
    becomes("a.cu:3:5: warning: unused\n    3 | x\n", "a.cu:3: error: unused\n    3 | x\n");
    becomes("a.cu:3:5: note: here\n    3 | x\n", "a.cu:3: note: here\n    3 | x\n");
    becomes("a.cu: At global scope:\n1.o: in function `main':\nx y:\n z:\n", "x y:\n z:\n");
    becomes("a.cu: error: what\nc++: error: no input files\n",
            "a.cu: error: what\nc++: error: no input files\n");
    becomes("a.cu:5:: error: what\n", "a.cu:5:: error: what\n");
    stays("whatever\n");
    stays("a:3/b.cu:7: error: what\n"); /* a file in a folder with a colon */
    becomes("", "");
}

/* The same error in one line is reported once; notes and warnings about other files are not
 * reported. */
static void test_repeated_and_foreign(void **state) {
    (void)state;
    becomes("a.cu:3:5: error: twice\n    3 | x\na.cu:3:9: error: twice\n    3 | x\n"
            "a.cu:4:9: error: twice\n",
            "a.cu:3: error: twice\n    3 | x\na.cu:4: error: twice\n");
    becomes("a.cu:3:5: error: one\n/usr/include/c++/12/x:7:1: note: candidate\n    7 | y\n"
            "/opt/shflviz/include/x.h:1:1: note: ours\n<built-in>: note: in\n"
            "/opt/shflviz/includes/x.h:1: note: whose\n",
            "a.cu:3: error: one\n");
    becomes("/srv/me/src/x.h:1:2: note: ours\n/srv/me/srcs/x.h:1:2: note: whose\n"
            "/srv/me/src:1:2: note: a file\n/srv/me/sr/x.h:3: note: whose\n",
            "/srv/me/srcs/x.h:1: note: whose\n/srv/me/src:1: note: a file\n"
            "/srv/me/sr/x.h:3: note: whose\n");
    becomes("/usr/include/x.h:7:1: warning: w\n/usr/include/x.h:7:1: error: e\n    7 | y\n",
            "/usr/include/x.h:7: error: e\n    7 | y\n");
    /* If nothing is left, the whole output is shown. */
    stays("/usr/include/x.h:7:1: note: n\n");
}

/* An error in a file that is not the user's is reported at the user's line that led there. */
static void test_contexts(void **state) {
    (void)state;
    becomes("In file included from a.cu:2:\n/usr/include/x.h:7:1: error: e\n    7 | y\n",
            "a.cu:2: error: e\n");
    becomes("In file included from /usr/include/y.h:9,\n"
            "                 from a.cu:2:\n/usr/include/x.h:7:1: error: e\n",
            "a.cu:2: error: e\n");
    becomes("In file included from <built-in>:\n/usr/include/x.h:7:1: error: e\n",
            "/usr/include/x.h:7: error: e\n");
    becomes("/usr/include/x.h: In instantiation of 'f<int>':\n"
            "a.cu:12:9:   required from here\n/usr/include/x.h:7:1: error: e\n",
            "a.cu:12: error: e\n");
    becomes("a.cu:12:9:   recursively required from 'f<int>'\n/usr/include/x.h:7:1: error: e\n"
            "/usr/include/x.h:8:1: error: f\n",
            "a.cu:12: error: e\n/usr/include/x.h:8: error: f\n");
    becomes("a.cu:12:9:   required from here\na.cu:7:1: error: e\n", "a.cu:7: error: e\n");
}

/* Intrinsics are shown by CUDA's names, without the argument for the call's site. */
static void test_names(void **state) {
    (void)state;
    becomes("a.cu:3:5: error: no matching function for call to 'shfl_xor'\n",
            "a.cu:3: error: no matching function for call to '__shfl_xor_sync'\n"
            "  allowed: __shfl_xor_sync(mask, value, laneMask, width = 32)\n");
    becomes("a.cu:3:5: error: no matching function for call to 'ballot'\n",
            "a.cu:3: error: no matching function for call to '__ballot_sync'\n"
            "  allowed: __ballot_sync(mask, predicate)\n");
    becomes("a.cu:3:5: error: no matching function for call to 'ballots'\n",
            "a.cu:3: error: no matching function for call to 'ballots'\n");
    becomes("a.cu:3:5: note: candidate function not viable: call to '\n",
            "a.cu:3: note: candidate function not viable: call to '\n");
}

/* The number of errors and the device are left out. */
static void test_counts(void **state) {
    (void)state;
    becomes("a.cu:3:5: error: e\n1 error generated when compiling for sm_80.\n",
            "a.cu:3: error: e\n");
    becomes("a.cu:3:5: error: e\n2 errors generated when compiling for host.\n",
            "a.cu:3: error: e\n");
}

/* Markers beyond the end of the user's line point at text of ours. */
static void test_excerpts(void **state) {
    (void)state;
    becomes("a.cu:3:5: error: e\n    3 | x(1);\n      | ^   ~~~~~~~~~~~\n",
            "a.cu:3: error: e\n    3 | x(1);\n      | ^   ~\n");
    becomes("a.cu:3:5: error: e\n    3 | x(1);\n      |                  ^\n",
            "a.cu:3: error: e\n    3 | x(1);\n");
    becomes("a.cu:3:5: error: e\n    3 | x(1);\n      | ^         ~~~\n",
            "a.cu:3: error: e\n    3 | x(1);\n      | ^\n");
    becomes("a.cu:3:5: error: e\n      | ^\n", "a.cu:3: error: e\n      | ^\n");
}

static void test_linkers(void **state) {
    (void)state;
    becomes("/usr/bin/ld: /tmp/x/0.o: in function `main':\n"
            "/usr/bin/ld: /src/a.cu:9: undefined reference to `f(int)'\n"
            "/usr/bin/ld: a.cu:10: undefined reference to `g()'\n"
            "a.cu:11: undefined reference to `h()'\n"
            "/usr/bin/ld: /src/a.cu:13:(.text+0x7): undefined reference to `k()'\n"
            "/usr/bin/ld: /tmp/x/0.o:/src/a.cu:12: more undefined references to `g()' follow\n"
            "collect2: error: ld returned 1 exit status\n",
            "a.cu:9: undefined reference to `f(int)'\na.cu:10: undefined reference to `g()'\n"
            "a.cu:11: undefined reference to `h()'\na.cu:13: undefined reference to `k()'\n");
    becomes("/usr/bin/ld: crt1.o: in function `_start':\n"
            "(.text+0x1b): undefined reference to `main'\n"
            "clang: error: linker command failed with exit code 1\n",
            "none of the files has a main()\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_lines), cmocka_unit_test(test_repeated_and_foreign),
        cmocka_unit_test(test_contexts),  cmocka_unit_test(test_names),
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_excerpts),
        cmocka_unit_test(test_linkers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
