/*
 * The source line of each instruction of an asm statement; and statements as listed by
 * cudacpu-instrument. Line numbers are worked out by hand.
 */
#include "cudacpu/ptx/lines.h"
#include "cudacpu/ptx/statement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The lines, one digit each, of the statement's beginning and of what follows each mark. */
static void assert_lines(const char *source, unsigned line, unsigned column, const char *wanted) {
    struct text text = TEXT_INIT, found = TEXT_INIT;
    struct ptx_lines lines;
    text_append(&text, source);
    ptx_lines_read(&lines, &text, line, column);
    for (size_t i = 0; i < lines.count; i++)
        text_append_format(&found, "%u", lines.line[i]);
    if (strcmp(found.data, wanted) != 0)
        fail_msg("%s\nhas %s, not %s", source, found.data, wanted);
    ptx_lines_release(&lines);
    text_release(&text);
    text_release(&found);
}

static void test_lines(void **state) {
    static const char *const cases[][2] = {
        {"asm(\"a; b;\");", "111"},
        {"asm volatile(\"a;\"\n\"b;\" : \"=r\"(x));", "122"},
        {"__asm__ __volatile__ (\n\"a;\\n\"\n\n\" b\" ::: \"memory\");", "24"},
        {"asm\nvolatile\n(\"a\")", "3"},
        {"asm(\"a;\\n\\t\"\n\"{ b, [c], @d; }\")", "1222222222"},
        {"asm(R\"(a;\nb;\n\n\nc;)\")", "1255"},
        {"asm(R\"x(a;)\" \nb;)x\"\n\"c\")", "113"},
        /* Comments of PTX and of C++, which may contain marks and line ends. */
        {"asm(\"a; // one; two\\n\"\n\"b;\")", "122"},
        {"asm(\"a; // one;\"\n\" two\\n\"\n\"b;\")", "133"},
        {"asm(\"a; /* one;\"\n\" two */ b;\")", "122"},
        {"asm(\"a;\" // one;\n\"b;\" /* two;\n */ \"c\")", "123"},
        {"asm(\"a; /* open", ""},
        {"asm(\"a; /* open\")", "11"},
        /* The lines of a macro, and of a string that continues. */
        {"asm(\"a;\" \\\n\"b;\")", "122"},
        {"asm(\"a;\\\nb\\x3b\\\";\")", "122"},
        /* Text that is not such a statement, or continues outside the file. */
        {"asm(a);", ""},
        {"ADD(\"a;\")", "11"},
        {"asm(\"a;\" B \"c;\")", ""},
        {"asm(\"a;\"\n#if 1\n\"c;\")", ""},
        {"asm(R\"x(a;)\")", ""},
        {"asm(R\"x", ""},
        {"asm(\"a", ""},
        {"asm(\"a\\", ""},
        {"asm(", ""},
        {"asm", ""},
        {"1 + (\"a\")", ""},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_lines(cases[i][0], 1, 1, cases[i][1]);
    assert_lines("x;\n  asm(\"a;\");", 2, 3, "22");
    assert_lines("x;\n  asm(\"a;\");", 2, 90, "");
    assert_lines("x;\n  asm(\"a;\");", 3, 1, "");
    assert_lines("asm(\"a;\");", 1, 0, "");
    assert_lines("asm(\"a;\"); asm(\"b, c\");", 1, 12, "11");
}

static void test_marks(void **state) {
    static const char text[] = "@p add %0, [%1], {a};";
    (void)state;
    assert_int_equal(ptx_mark_count(text, text), 0);
    assert_int_equal(ptx_mark_count(text, text + strlen(text)), 8);
}

/* The letters of the operands: outputs have '=' before them, and inputs that are tied to an output
 * are followed by its number. */
static void test_statements(void **state) {
    static const struct {
        const char *constraints, *operands, *llvm, *code;
    } cases[] = {
        {"", "", "exit;", "exit;"},
        {"~{memory}", "", "a $$L $0 $12", "a $L %0 %12"},
        {"=r,=&f,r,n", "=r=frn", "${0:x} ${1} ${:uid}_$", "%0 %1 _$"},
        {"=h,%l,d,~{cc},~{memory}", "=hld", "%laneid", "%laneid"},
        {"=r,=l,r,1,0", "=r=lrl1r0", "", ""},
        {"r,0,9", "rr09", "${0", "%0"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text list = TEXT_INIT, found = TEXT_INIT;
        struct ptx_statement s;
        text_append_bytes(&list, "12 34\0f.cu\0g", sizeof "12 34\0f.cu\0g");
        text_append_bytes(&list, cases[i].constraints, strlen(cases[i].constraints) + 1);
        text_append_bytes(&list, cases[i].llvm, strlen(cases[i].llvm) + 1);
        const char *at = list.data, *end = at + list.length;
        assert_true(ptx_statement_read(&s, &at, end));
        for (size_t number = 0; number < s.count; number++) {
            text_append_format(&found, "%s%c", s.operands[number].is_output ? "=" : "",
                               s.operands[number].letter);
            if (s.operands[number].is_tied)
                text_append_format(&found, "%zu", s.operands[number].output);
        }
        assert_string_equal(found.data, cases[i].operands);
        assert_string_equal(s.code.data, cases[i].code);
        assert_string_equal(s.file, "f.cu");
        assert_string_equal(s.function, "g");
        assert_int_equal(s.line, 12);
        assert_int_equal(s.column, 34);
        assert_ptr_equal(at, end);
        ptx_statement_release(&s);
        assert_false(ptx_statement_read(&s, &at, end));
        text_release(&list);
        text_release(&found);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
