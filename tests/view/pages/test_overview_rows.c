/*
 * The lists of a recording as a whole: a column has room for its longest text.
 */
#include "view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Space for the longest grid, whichever launch has it. */
static void the_longest_grid_is_shown_whole(void **state) {
    (void)state;
    for (int longest = 0; longest < 3; longest++) {
        struct trace_writer_options options = {.value_bytes = 4};
        struct error err = ERROR_INIT;
        struct trace_writer *writer;
        struct trace *trace;
        struct overview overview;
        struct replay replay;
        struct grid grid;
        assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
        for (int i = 0; i < 3; i++) {
            const struct trace_launch launch = {
                "k", {i == longest ? 1234567 : 1, 1, 1}, {32, 1, 1}, 0};
            trace_writer_launch(writer, &launch);
        }
        const struct trace_site site = {"k.cu", 1, "k", "__shfl_sync(0xffffffff, value, 0)"};
        const struct shflviz_record_header header = {.sequence = trace_writer_next_sequence(writer),
                                                     .site = trace_writer_site(writer, &site),
                                                     .type = WARP_TYPE_INT,
                                                     .members = WARP_FULL_MASK,
                                                     .present = WARP_FULL_MASK,
                                                     .width = 32};
        size_t count = 1;
        memcpy(trace_writer_reserve(writer, &count), &header, sizeof header);
        assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
        overview_init(&overview, trace);
        while (overview_tick(&overview))
            continue;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        grid_init(&grid, 80, 24, false);
        view_draw_overview(&grid, &overview, &replay);
        char *text = grid_to_text(&grid, true);
        assert_non_null(strstr(text, " 1234567 "));
        free(text);
        grid_release(&grid);
        overview_release(&overview);
        trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_longest_grid_is_shown_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
