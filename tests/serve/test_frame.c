/*
 * The frame that is sent to a class: each row of the picture as runs of cells that are drawn alike,
 * without trailing blanks, but with the whole band of the lane that is selected.
 */
#include "base/text/utf8.h"
#include "replay/replay.h"
#include "sample_lesson.h"
#include "serve/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The next row of a picture, without its outer brackets; false after the last. */
static bool next_row(const char **at, char *row, size_t size) {
    if (**at == ',')
        (*at)++;
    if (**at != '[')
        return false;
    const bool empty = (*at)[1] == ']';
    const char *end = empty ? *at : strstr(*at, "]]");
    assert_non_null(end);
    const size_t length = empty ? 0 : (size_t)(end - *at);
    assert_true(length < size);
    memcpy(row, *at + 1, length);
    row[length] = '\0';
    *at = end + 2;
    return true;
}

/* The band in a row, and whether the row ends with it: ["CLASSES","TEXT"],... */
struct measure {
    int band; /* columns */
    bool band_at_end;
};

static struct measure measure_row(char *row) {
    struct measure measure = {0, false};
    for (char *run = strstr(row, "[\""); run; run = strstr(run, "[\"")) {
        char *classes = run + 2, *text = strstr(classes, "\",\"");
        assert_non_null(text);
        *text = '\0';
        text += 3;
        char *end = strchr(text, '"'); /* no text in a picture contains a quote */
        assert_non_null(end);
        run = end + 1;
        *end = '\0';
        measure.band_at_end = strstr(classes, "band") != NULL;
        if (measure.band_at_end)
            measure.band += utf8_columns(text);
    }
    return measure;
}

/* The row of the selected lane; the other rows of the picture end where their text does. */
static struct measure selected_row(struct sample_lesson *sample, int lane) {
    struct room room;
    char row[4096];
    struct measure measure = {0, false};
    int rows = 0;
    room_init(&room);
    replay_set_lane(&sample->player.replay, lane);
    char *frame = frame_of(&sample->player, &room);
    const char *at = strstr(frame, "\"picture\":[");
    assert_non_null(at);
    at += strlen("\"picture\":[");
    while (next_row(&at, row, sizeof row)) {
        rows++;
        if (strstr(row, " band\",\"▸") || strstr(row, " band\",\"●")) /* ●: also pointed at */
            measure = measure_row(row);
        else if (*row) /* the last text ends before its quote */
            assert_int_not_equal(row[strlen(row) - 2], ' ');
    }
    assert_true(rows > 16);
    free(frame);
    room_release(&room);
    return measure;
}

static void test_the_band_reaches_the_edge(void **state) {
    (void)state;
    struct sample_lesson sample;
    sample_lesson_open(&sample, "en");
    player_go(&sample.player, 0);
    /* Two halves of 16 lanes are side by side in 72 columns: the band of a lane on the right
     * extends to the edge, as on the terminal. */
    const struct measure left = selected_row(&sample, 5), right = selected_row(&sample, 21);
    assert_in_range(left.band, 30, 37);
    assert_false(left.band_at_end);
    assert_in_range(right.band, 30, 37);
    assert_true(right.band_at_end);
    sample_lesson_close(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_band_reaches_the_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
