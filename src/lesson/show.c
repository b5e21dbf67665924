/* The ```show of a beat: omitted keys keep the values of the beat before. */
#include "base/message.h"
#include "base/text/suggest.h"
#include "lesson/reader.h"

#include <stdio.h>
#include <string.h>

static const char *const phases[] = {"before", "address", "range", "move", "after", NULL};
static const char *const views[] = {"lanes",   "wires",  "history", "source",
                                    "explain", "rounds", NULL};
static const char *const hides[] = {"in", "reads", "out", "call", NULL};
static const unsigned hide_bits[] = {LESSON_HIDE_IN, LESSON_HIDE_READS, LESSON_HIDE_OUT,
                                     LESSON_HIDE_CALL};

enum key { RUN, LAUNCH, BLOCK, WARP, STEP, PHASE, VIEW, LANE, HIDE, MARK, MATRIX, KEY_COUNT };
_Static_assert(LESSON_UNREAD_RUN == 1 << RUN && LESSON_UNREAD_STEP == 1 << STEP &&
                   LESSON_UNREAD_PLACE == (1 << (STEP + 1)) - 1 &&
                   LESSON_UNREAD_PHASE == 1 << PHASE && LESSON_UNREAD_VIEW == 1 << VIEW,
               "a bit for each key");
static const char *const keys[] = {"run",  "launch", "block", "warp", "step",   "phase",
                                   "view", "lane",   "hide",  "mark", "matrix", NULL};

/* Index of a name in a list that ends with NULL, or -1. */
static int name_index(const char *name, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

static int fail_value(struct reader *reader, enum key key, const char *value, const char *allowed,
                      const char *const *names) {
    char quoted[READER_QUOTE], suggestion[READER_QUOTE] = "";
    if (names)
        reader_suggest(value, names, suggestion);
    return reader_fail(reader, _("'%s' is not a value for %s\nallowed: %s%s"),
                       reader_quote(value, quoted), keys[key], allowed, suggestion);
}

static int read_number(struct reader *reader, enum key key, const char *value, uint64_t most,
                       const char *allowed, uint64_t *number) {
    return reader_number(value, most, number) ? 0 : fail_value(reader, key, value, allowed, NULL);
}

static int read_run(struct reader *reader, const struct lesson *lesson, const char *value,
                    struct lesson_show *show) {
    const char *name = strcmp(value, "first") == 0 ? "" : value;
    char names[400] = "";
    for (size_t i = 0; i < lesson->run_count; i++) {
        if (strcmp(lesson->runs[i].name, name) == 0) {
            show->run = i;
            return 0;
        }
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "",
                 *lesson->runs[i].name ? lesson->runs[i].name : "first");
    }
    struct lesson_run *runs = lesson->runs;
    const char *near[66] = {"first"};
    for (size_t i = 1; i < lesson->run_count && i < 65; i++)
        near[i] = runs[i].name;
    return fail_value(reader, RUN, value, names, near);
}

static int read_phase(struct reader *reader, char *value, struct lesson_show *show) {
    const char *allowed =
        _("before, address, range, move, after, or two of them in this order: before..after");
    char *last = strstr(value, "..");
    if (last) {
        *last = '\0';
        last = reader_trim(last + 2);
        value = reader_trim(value);
    }
    int from = name_index(value, phases), to = last ? name_index(last, phases) : from;
    if (from < 0)
        return fail_value(reader, PHASE, value, allowed, phases);
    if (to < 0)
        return fail_value(reader, PHASE, last, allowed, phases);
    if (to < from)
        return reader_fail(reader, _("'%s..%s' goes backwards\nallowed: %s\ntry: %s..%s"), value,
                           last, allowed, last, value);
    snprintf(show->phase_first, sizeof show->phase_first, "%s", phases[from]);
    snprintf(show->phase_last, sizeof show->phase_last, "%s", phases[to]);
    return 0;
}

static int read_step(struct reader *reader, const char *value, struct lesson_show *show) {
    show->step = LESSON_STEP_LAST;
    if (strcmp(value, "last") == 0)
        return 0;
    uint64_t number;
    if (!reader_number(value, INT64_MAX, &number) || number == 0)
        return fail_value(reader, STEP, value,
                          _("an operation of the warp, counted from 1, or last"), NULL);
    show->step = number - 1;
    return 0;
}

static int read_hide(struct reader *reader, char *value, struct lesson_show *show) {
    show->hide = 0;
    for (char *word; (word = reader_word(&value));) {
        int hidden = name_index(word, hides);
        if (hidden < 0)
            return fail_value(reader, HIDE, word, _("one or more of in, reads, out, call"), hides);
        show->hide |= hide_bits[hidden];
    }
    return 0;
}

/* "C", "C lanes" */
static int read_matrix(struct reader *reader, char *value, struct lesson_show *show) {
    static const char *const ways[] = {"", "lanes", "banks", NULL}; /* enum lesson_matrix */
    char given[READER_QUOTE];
    reader_quote(value, given);
    const char *name = reader_word(&value), *word = name ? reader_word(&value) : NULL;
    const int as = name_index(word ? word : "", ways);
    if (!name || strlen(name) != 1 || as < 0 || reader_word(&value))
        return fail_value(reader, MATRIX, given,
                          _("A, B, C, or r for ldmatrix; lanes or banks may follow, as in C lanes"),
                          NULL);
    show->matrix_as = (enum lesson_matrix)as;
    snprintf(show->matrix, sizeof show->matrix, "%s", name);
    return 0;
}

static int read_value(struct reader *reader, const struct lesson *lesson, enum key key, char *value,
                      struct lesson_show *show) {
    uint64_t number = 0;
    int status = 0;
    switch (key) {
    case RUN:
        return read_run(reader, lesson, value, show);
    case LAUNCH:
        status =
            read_number(reader, key, value, UINT32_MAX, _("a launch of the run, from 0"), &number);
        show->launch = (uint32_t)number;
        return status;
    case BLOCK:
        return read_number(reader, key, value, INT64_MAX, _("a block of the grid, from 0"),
                           &show->block);
    case WARP:
        status = read_number(reader, key, value, 31, _("a warp of the block, 0 to 31"), &number);
        show->warp = (uint32_t)number;
        return status;
    case STEP:
        return read_step(reader, value, show);
    case PHASE:
        return read_phase(reader, value, show);
    case VIEW:
        if (name_index(value, views) < 0)
            return fail_value(reader, key, value, "lanes, wires, history, source, explain, rounds",
                              views);
        snprintf(show->view, sizeof show->view, "%s", value);
        return 0;
    case LANE:
        status = read_number(reader, key, value, WARP_LANES - 1, _("a lane, 0 to 31"), &number);
        show->lane = (int)number;
        return status;
    case HIDE:
        return read_hide(reader, value, show);
    case MARK:
        if (!reader_lanes(value, &show->mark))
            return fail_value(reader, key, value, _("lanes such as 0-3,8 or all"), NULL);
        return 0;
    case MATRIX:
        return read_matrix(reader, value, show);
    case KEY_COUNT:
        break;
    }
    return 0;
}

/* True for a value given here but unknown in the previous beat: it is assumed to differ. */
static bool was_unread(const struct lesson_show *before, enum key key,
                       const bool given[KEY_COUNT]) {
    return given[key] && (before->unread >> key & 1);
}

static void start_over(struct lesson_show *show, bool other_run, bool other_launch,
                       const bool given[KEY_COUNT]) {
    if (other_run && !given[LAUNCH])
        show->launch = 0;
    if (other_launch && !given[BLOCK])
        show->block = 0;
    if (other_launch && !given[WARP])
        show->warp = 0;
    if (other_launch && !given[STEP])
        show->step = 0;
}

/* A beat in another run begins at the start of a replay, unless it names a position. */
static void reset_position(struct lesson_show *show, const struct lesson_show *before,
                           const bool given[KEY_COUNT]) {
    bool other_run = show->run != before->run || was_unread(before, RUN, given);
    bool other_launch =
        other_run || show->launch != before->launch || was_unread(before, LAUNCH, given);
    for (int key = other_run ? LAUNCH : BLOCK; other_launch && key <= STEP; key++)
        show->unread &= given[key] ? ~0u : ~(1u << key);
    if (was_unread(before, STEP, given) && !given[PHASE])
        show->unread |= LESSON_UNREAD_PHASE;
    start_over(show, other_run, other_launch, given);
    if ((other_launch || show->step != before->step) && !given[PHASE]) {
        strcpy(show->phase_first, "before");
        strcpy(show->phase_last, "before");
    }
}
void show_begin(struct lesson_show *show, const struct lesson_show *before) {
    if (!before) {
        *show =
            (struct lesson_show){.phase_first = "before", .phase_last = "before", .view = "lanes"};
        return;
    }
    *show = *before;
    show->hide = show->mark = 0;
    show->matrix[0] = '\0';
    show->matrix_as = LESSON_MATRIX_VALUES;
    /* The previous beat has gone to its last phase, and its picture is still shown. */
    memcpy(show->phase_first, show->phase_last, sizeof show->phase_first);
}

/* A line "KEY: VALUE". The value of an unreadable one is unknown from then on. */
static int read_line(struct reader *reader, const struct lesson *lesson, bool given[KEY_COUNT],
                     struct lesson_show *show) {
    char quoted[READER_QUOTE], suggestion[READER_QUOTE];
    char *key, *value;
    if (!reader_key(reader->text.data, &key, &value))
        return reader_fail(reader,
                           _("'%s' is not a line of a show block\nallowed: KEY: VALUE\n"
                             "try: end the block with a line '```'"),
                           reader_quote(reader->text.data, quoted));
    int index = name_index(key, keys);
    if (index < 0) {
        struct suggestion meant = {key, NULL, 0};
        for (int i = 0; i < KEY_COUNT; i++)
            suggestion_consider(&meant, keys[i]);
        if (meant.nearest)
            show->unread |= 1u << name_index(meant.nearest, keys);
        return reader_fail(
            reader,
            _("'%s' is not a key of a show block\nallowed: run, launch, block, warp, "
              "step, phase, view, lane, hide, mark, matrix%s"),
            reader_quote(key, quoted), reader_suggest(key, keys, suggestion));
    }
    if (given[index])
        return reader_fail(reader,
                           _("'%s' is given a second time\nallowed: each key once in a show "
                             "block\ntry: delete one of them"),
                           key);
    given[index] = true;
    show->unread &= ~(1u << index);
    if (read_value(reader, lesson, (enum key)index, value, show) == 0)
        return 0;
    show->unread |= 1u << index;
    return -1;
}

int show_read(struct reader *reader, const struct lesson *lesson, struct lesson_show *show) {
    const struct lesson_show before = *show;
    bool given[KEY_COUNT] = {false}, has_end = false;
    int begin = reader->line;
    while (!has_end && reader_next(reader) && !reader_is_past_block(reader)) {
        has_end = strcmp(reader->text.data, "```") == 0;
        if (!has_end && reader->text.length > 0 && read_line(reader, lesson, given, show) < 0 &&
            !reader_may_continue(reader))
            return -1;
    }
    reset_position(show, &before, given);
    if (has_end)
        return 0;
    return reader_fail_at(
        reader, begin,
        _("the block that begins here has no end\nallowed: a line '```' after its "
          "last key\ntry: add it"));
}
