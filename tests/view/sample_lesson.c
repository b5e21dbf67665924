#include "sample_lesson.h"

#include "keys.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void sample_lesson_open(struct sample_lesson *sample, const char *language) {
    static const char *const names[] = {"xor-3-w16", "reduce", "partial-mask"};
    struct error err = ERROR_INIT;
    if (lesson_open(&sample->lesson, LESSON_FOLDER, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(sample->lesson->run_count, 3);
    for (int i = 0; i < 3; i++)
        sample->traces[i] = sample_open(names[i]);
    if (player_init(&sample->player, sample->lesson, sample->traces, language, NULL, &err) != 0)
        fail_msg("%s", err.text);
}

static bool press(void *player, const char *key) {
    return player_key(player, player_press(player, key));
}

static bool pass(void *player, long milliseconds) {
    return player_tick(player, milliseconds);
}

void sample_lesson_keys(struct sample_lesson *sample, const char *keys) {
    keys_run(&sample->player, press, pass, keys);
}

void sample_lesson_close(struct sample_lesson *sample) {
    player_release(&sample->player);
    for (int i = 0; i < 3; i++)
        trace_close(sample->traces[i]);
    lesson_free(sample->lesson);
}
