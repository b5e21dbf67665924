/*
 * make_recording PATH VALUE_BYTES STEPS: writes the sample recording for check_format.py.
 * make_recording names: prints a line of operations and a line of types, in the order of their
 * numbers.
 */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_names(void) {
    for (int op = 0; op < WARP_OP_COUNT; op++)
        printf("%s ", warp_op_info(op)->name);
    printf("\n");
    for (int type = 0; type < WARP_TYPE_COUNT; type++)
        printf("%s ", warp_type_info(type)->name);
    printf("\n");
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "names") == 0) {
        print_names();
        return 0;
    }
    if (argc != 4)
        return 2;
    const unsigned value_bytes = (unsigned)atoi(argv[2]);
    struct trace_writer *writer = sample_writer(argv[1], value_bytes);
    trace_writer_output(writer, 2, "two\nlines", 9);
    sample_steps(writer, value_bytes, strtoull(argv[3], NULL, 10));
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    return 0;
}
