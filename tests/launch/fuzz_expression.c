/*
 * Any text may be used as an expression. The first byte of the input chooses the type of the values
 * and the number of threads; the rest is the text. It either compiles or is refused with a reason,
 * and a compiled expression gives every lane a value, or a reason why there is none.
 */
#include "launch/expression.h"
#include "warp/warp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "fuzz_expression: %s\n", what);
    abort();
}

/* A message names the option and fits a terminal: no control characters but line ends. */
static void require_message(const struct error *err) {
    require(err->kind == ERROR_USAGE, "an error of another kind");
    require(strncmp(err->text, "--in: ", 6) == 0, "a message that does not name the option");
    for (const char *c = err->text; *c; c++)
        require((unsigned char)*c >= ' ' || *c == '\n', "a control character in a message");
}

static void evaluate_all(const struct expression *expression,
                         const struct expression_rules *rules) {
    for (uint64_t thread = 0; thread < rules->threads; thread++) {
        struct error err = ERROR_INIT;
        int lane = (int)(thread % WARP_LANES);
        uint64_t bits;
        int32_t argument;
        if (rules->type == WARP_TYPE_NONE) {
            if (expression_argument(expression, lane, thread, &argument, &err) < 0)
                require_message(&err);
        } else if (expression_bits(expression, lane, thread, &bits, &err) < 0) {
            require_message(&err);
        } else {
            require(bits == warp_value_mask(rules->type, bits), "bits beyond the type");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const struct expression_rules rules = {
        .option = "--in",
        .type = (enum warp_type)(data[0] % WARP_TYPE_COUNT),
        .threads = data[0] & 0x80 ? 40 : 1 + data[0] / WARP_TYPE_COUNT,
        .random_limit = 100,
    };
    char *text = malloc(size);
    require(text != NULL, "no memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';

    struct expression *expression;
    struct error err = ERROR_INIT;
    if (expression_compile(&expression, text, &rules, &err) < 0) {
        require(expression == NULL, "an expression beside an error");
        require_message(&err);
    } else {
        evaluate_all(expression, &rules);
    }
    expression_free(expression);
    free(text);
    return 0;
}
