#include "stage.h"

#include "base/memory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct stage_step *plays;
static int calls;
static bool was_left;

/* ---- messages ---- */

static int output = -1, errors = -1;

void stage_listen(void) {
    fflush(stdout);
    output = dup(1);
    errors = dup(2);
    const int file = open("heard", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, 1);
    dup2(file, 2);
    close(file);
}

/* Also called before a failure is reported. */
static void stop_listening(void) {
    fflush(stdout);
    if (output < 0)
        return;
    dup2(output, 1);
    dup2(errors, 2);
    close(output);
    close(errors);
    output = errors = -1;
}

char *stage_heard(void) {
    char *text = memory_zeroed(1, 1 << 20);
    stop_listening();
    FILE *file = fopen("heard", "r");
    assert_non_null(file);
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* ---- the screen ---- */

void stage_plays(const struct stage_step *script) {
    plays = script;
    calls = 0;
    was_left = false;
}

int stage_calls(void) {
    return calls;
}

bool stage_was_left(void) {
    return was_left;
}

struct screen_program *stage_press(struct screen_program *program, const char *keys) {
    while (*keys) {
        char word[64];
        const size_t length = strcspn(keys, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, keys);
        keys += length + (keys[length] == ' ');
        if (!program)
            fail_msg("the screen was left before '%s'", word);
        if (word[0] == '+' && word[1])
            program->tick(program->state, strtol(word + 1, NULL, 10));
        else if (action_key_exists(word))
            screen_key(program, program->press(program->state, word));
        else
            for (const char *c = word; *c; c++)
                screen_key(program, program->press(program->state, (const char[]){*c, '\0'}));
        if (program->done(program->state))
            program = program->next ? program->next(program) : NULL;
    }
    return program;
}

char *stage_drawn(const struct screen_program *program) {
    struct grid grid;
    grid_init(&grid, 80, 24, true);
    grid_clear(&grid);
    program->draw(program->state, &grid);
    char *text = grid_to_text(&grid, false);
    grid_release(&grid);
    return text;
}

void stage_shows(const struct screen_program *program, const char *wanted) {
    char *text = stage_drawn(program);
    if (!strstr(text, wanted)) {
        stop_listening();
        fail_msg("not on the screen: %s\n%s", wanted, text);
    }
    free(text);
}

void stage_hides(const struct screen_program *program, const char *unwanted) {
    char *text = stage_drawn(program);
    if (strstr(text, unwanted)) {
        stop_listening();
        fail_msg("on the screen: %s\n%s", unwanted, text);
    }
    free(text);
}

int __wrap_screen_run(struct screen_program *program, const struct screen_options *options,
                      struct error *err);

int __wrap_screen_run(struct screen_program *program, const struct screen_options *options,
                      struct error *err) {
    struct screen_program *shown = program;
    const struct stage_step *step = plays;
    (void)options;
    if (!plays)
        return error_set(err, ERROR_USAGE, "no screen is wanted");
    calls++;
    for (; shown && (step->keys || step->call); step++) {
        if (step->keys)
            shown = stage_press(shown, step->keys);
        else
            step->call(shown);
        if (shown && step->shows)
            stage_shows(shown, step->shows);
        if (shown && step->hides)
            stage_hides(shown, step->hides);
        if (shown && shown->done(shown->state))
            shown = shown->next ? shown->next(shown) : NULL;
    }
    plays = step; /* the rest is played if the screen opens again */
    was_left = !shown;
    return 0;
}
