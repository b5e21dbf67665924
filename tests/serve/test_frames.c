/*
 * The frames that are sent to a class, moment by moment, as reviewed text (tests/view/reviewed.h):
 * the JSON up to the picture unchanged, each row of the picture as a line of CLASSES TEXT, and the
 * rest. Colours are those of the palette.
 *
 *     UPDATE_SCREENS=1 ctest -R serve_frames      rewrites them; read the diff before committing it
 */
#include "base/message.h"
#include "reviewed.h"
#include "sample_lesson.h"
#include "serve/frame.h"
#include "serve/qr.h"
#include "term/palette.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- strings ---- */

static void strings_are_valid_json(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "\"\""},
        {"a b", "\"a b\""},
        {"\"", "\"\\u0022\""},
        {"\\", "\"\\u005c\""},
        {"\n\t\x01\x1f", "\"\\u000a\\u0009\\u0001\\u001f\""},
        {" ~\x7f", "\" ~\\u007f\""},
        {"!#[]", "\"!#[]\""},
        {"\xc3\xa9\xe8\x87\xaa", "\"\xc3\xa9\xe8\x87\xaa\""},
        {"</script>", "\"</script>\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = TEXT_INIT;
        frame_string(&text, cases[i][0]);
        assert_string_equal(text.data, cases[i][1]);
        text_release(&text);
    }
}

/* ---- moments ---- */

/* Each row of the picture is on a separate line. */
static char *read_frame(const char *frame) {
    static const char begin[] = "\"picture\":[";
    struct text text = TEXT_INIT;
    const char *at = strstr(frame, begin);
    if (!at) {
        text_append_format(&text, "%s\n", frame);
        return text_detach(&text);
    }
    at += sizeof begin - 1;
    text_append_bytes(&text, frame, (size_t)(at - frame));
    while (*at == '[' || *at == ',') {
        at += *at == ',';
        text_append_char(&text, '\n');
        const char *end = at[1] == ']' ? at + 2 : strstr(at, "\"]]") + 3;
        text_append_bytes(&text, at, (size_t)(end - at));
        at = end;
    }
    text_append_format(&text, "\n%s\n", at);
    return text_detach(&text);
}

static const struct moment_case {
    const char *name;
    bool lesson;
    const char *keys;
    bool asks, shows; /* the room's question */
} moments[] = {
    {"frame-wait", false, "", false, false},
    {"frame-telling", true, "", false, false},
    {"frame-next-line", true, "Right", false, false},
    {"frame-asking", true, ":2 Enter Right", true, false},
    {"frame-typed", true, ":2 Enter Right 1 7", true, false},
    {"frame-shown", true, ":2 Enter Right Escape Escape", true, true},
    {"frame-left-out", true, ":5 Enter Right Escape Escape Right", false, false},
    {"frame-black", true, ".", false, false},
    {"frame-over", true, ":10 Enter Right Right Right Right Right Right Right", false, false},
};

static void moment_is_as_reviewed(void **state) {
    const struct moment_case *moment = *state;
    struct sample_lesson sample;
    struct room room;
    sample_lesson_open(&sample, "en");
    sample_lesson_keys(&sample, moment->keys);
    room_init(&room);
    if (moment->asks) {
        static const char *const answers[] = {"8", "6", "8", "own", "own", "6", "8"};
        room_ask(&room, "who");
        for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++) {
            char token[ROOM_TOKEN];
            snprintf(token, sizeof token, "%032x", i);
            room_join(&room, token, i)->streams = 1;
            room_answer(&room, room.students[i], room.round, answers[i], answers[i][0] == '6');
        }
    }
    if (moment->shows)
        room_show(&room, "who");
    char *frame = frame_of(moment->lesson ? &sample.player : NULL, &room);
    reviewed_compare(CLASS_SCREENS, moment->name, read_frame(frame));
    free(frame);
    room_release(&room);
    sample_lesson_close(&sample);
}

/* ---- the page's own texts, and its colours ---- */

static void words_and_an_answer_are_events(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    struct room_student student = {.round = 12, .answer = "0-3"};
    frame_own(&text, &student);
    assert_string_equal(text.data, "event: own\ndata: {\"round\":12,\"answer\":\"0-3\"}\n\n");
    text_clear(&text);
    frame_words(&text);
    static const char begin[] = "event: words\ndata: {\"language\":\"en\",\"wait\":\"";
    assert_int_equal(strncmp(text.data, begin, sizeof begin - 1), 0);
    assert_non_null(strstr(text.data, ",\"send\":\"Send\",\"sent\":\"You answered:\","));
    assert_string_equal(text.data + text.length - 3, "}\n\n");
    text_release(&text);
}

static void expect(struct text *text, const struct palette *palette, const char *name,
                   struct style style) {
    const struct paint paint = palette_paint(palette, style);
    text_append_format(text, ".%s%s{", name, style.flags ? ".band" : "");
    if (paint.foreground >= 0)
        text_append_format(text, "color:#%06x;", (unsigned)paint.foreground);
    if (paint.background >= 0)
        text_append_format(text, "background:#%06x;", (unsigned)paint.background);
    text_append_format(text, "%s}\n", paint.attributes & PAINT_BOLD ? "font-weight:bold;" : "");
}

static void expect_all(struct text *text, enum palette_background background) {
    const struct palette palette = {COLOR_TRUE, background};
    for (int band = 0; band < 2; band++) {
        char name[16];
        const uint8_t flags = band ? STYLE_SELECTED : 0;
        for (unsigned role = 0; role < STYLE_ROLE_COUNT; role++) {
            snprintf(name, sizeof name, "r%u", role);
            if (role != STYLE_GROUP)
                expect(text, &palette, name, (struct style){(uint8_t)role, 0, flags});
        }
        for (unsigned group = 0; group < 8; group++) {
            snprintf(name, sizeof name, "g%u", group);
            expect(text, &palette, name, (struct style){STYLE_GROUP, (uint8_t)group, flags});
        }
    }
}

static void colours_are_those_of_the_palette(void **state) {
    (void)state;
    struct text expected = TEXT_INIT, text = TEXT_INIT;
    assert_int_equal(PALETTE_GROUPS, 8);
    expect_all(&expected, BACKGROUND_DARK);
    text_append(&expected, "@media (prefers-color-scheme:light){\n");
    expect_all(&expected, BACKGROUND_LIGHT);
    text_append(&expected, "}\n");
    frame_colours(&text);
    assert_string_equal(text.data, expected.data);
    text_release(&text);
    text_release(&expected);
}

/* ---- the address as a code ---- */

/* The positions of a QR code's three finder patterns, and the timing patterns between them. */
static void a_code_has_its_finders(void **state) {
    (void)state;
    static const char finder[7][8] = {"#######", "#.....#", "#.###.#", "#.###.#",
                                      "#.###.#", "#.....#", "#######"};
    /* Version 1 holds at most 17 bytes at level L (ISO/IEC 18004, table 7): 21 modules a side. */
    static const struct {
        const char *text;
        int width;
    } cases[] = {{"x", 21}, {"a", 21}, {"abcdefghijklmnopq", 21}, {"abcdefghijklmnopqr", 25}};
    struct qr qr;
    if (!qr_is_built()) {
        qr_make(&qr, "x");
        assert_int_equal(qr.width, 0);
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        qr_make(&qr, cases[i].text);
        const int width = qr.width;
        assert_int_equal(width, cases[i].width);
        for (int y = 0; y < 7; y++)
            for (int x = 0; x < 7; x++) {
                const int black = finder[y][x] == '#';
                assert_int_equal(qr.black[y * width + x], black);
                assert_int_equal(qr.black[y * width + width - 7 + x], black);
                assert_int_equal(qr.black[(width - 7 + y) * width + x], black);
            }
        for (int x = 8; x < width - 8; x++)
            assert_int_equal(qr.black[6 * width + x], x % 2 == 0);
        qr_release(&qr);
        assert_int_equal(qr.width, 0);
        assert_null(qr.black);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_valid_json),
        cmocka_unit_test(words_and_an_answer_are_events),
        cmocka_unit_test(colours_are_those_of_the_palette),
        cmocka_unit_test(a_code_has_its_finders),
    };
    enum { COUNT = sizeof moments / sizeof *moments };
    struct CMUnitTest pictures[COUNT];
    for (int i = 0; i < COUNT; i++)
        pictures[i] = (struct CMUnitTest){.name = moments[i].name,
                                          .test_func = moment_is_as_reviewed,
                                          .initial_state = (void *)&moments[i]};
    return cmocka_run_group_tests(tests, NULL, NULL) + cmocka_run_group_tests(pictures, NULL, NULL);
}
