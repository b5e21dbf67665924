/* The keys that work here: the last row of every screen. */
#include "base/message.h"
#include "replay/lines.h"
#include "replay/predict.h"
#include "view/moment.h"

const char *key_label(const char *key, bool ascii) {
    static const char *const arrows[][2] = {
        {"Right", "→"}, {"Left", "←"}, {"Up", "↑"}, {"Down", "↓"}};
    for (size_t i = 0; !ascii && i < sizeof arrows / sizeof *arrows; i++)
        if (strcmp(key, arrows[i][0]) == 0)
            return arrows[i][1];
    return strcmp(key, "Escape") == 0 ? "Esc" : key;
}

/* The bar's entry for a row of the table: its first key and its label. */
struct entry {
    const struct action_info *info;
    const char *key, *label;
};

static int key_columns(const struct entry *entry) {
    return utf8_columns(entry->key) + 1 + utf8_columns(_(entry->label));
}

static int draw_key(struct area area, int x, const struct entry *entry) {
    const struct action_info *info = entry->info;
    int start = x;
    x = area_text(area, x, 0, entry->key, style_role(STYLE_KEY));
    x = area_text(area, x + 1, 0, _(entry->label), style_role(STYLE_DIM));
    area_hit(area, start, 0, x - start, 1, info->action, info->argument);
    return x + 2;
}

static bool is_right_aligned(const struct action_info *info) {
    return info->action == ACTION_HELP || info->action == ACTION_QUIT;
}

static bool is_typing(enum action_mode mode, const struct replay *replay) {
    return mode == ACTION_MODE_QUESTION && replay && replay->input.text[0];
}

/* A lane can be marked only if lanes are asked for; a letter typed after others is text, not a
 * key. */
static bool is_applicable(const struct action_info *info, enum action_mode mode, const char *key,
                          const struct replay *replay) {
    if (is_typing(mode, replay) && info->flags & ACTION_EMPTY && !key[1])
        return false;
    return info->action != ACTION_MARK || !replay || question_is_set(&replay->asking.question);
}

/* At a prompt Escape cancels the input. */
static const char *label_of(const struct action_info *info, enum action_mode mode,
                            const struct replay *replay) {
    if (info->action == ACTION_PHASE_NEXT && replay && replay_moves_by_line(replay))
        return N_("line");
    return info->action == ACTION_REVEAL && is_typing(mode, replay) ? N_("clear") : info->label;
}

/* The rows that the bar may show, in the table's order; the array must hold all rows. */
static size_t list_entries(enum action_mode mode, const struct replay *replay, bool ascii,
                           struct entry *entries) {
    const struct action_info *list[ACTION_ROWS_MAX];
    const char *keys[ACTION_KEYS];
    const bool live = mode == ACTION_MODE_REPLAY && replay && replay->live.on;
    size_t count = action_list(mode, list), shown = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i]->label && action_keys(mode, list[i], keys) > 0 &&
            is_applicable(list[i], mode, keys[0], replay)) {
            entries[shown++] =
                (struct entry){list[i], key_label(keys[0], ascii), label_of(list[i], mode, replay)};
            /* Keys that change the scene are placed next to those of the phases. */
            if (live && shown == 1)
                shown += list_entries(ACTION_MODE_LIVE, replay, ascii, entries + 1);
        }
    return shown;
}

void draw_keys(struct area area, enum action_mode mode, const struct replay *replay) {
    draw_keys_except(area, mode, replay, NULL, 0);
}

void draw_keys_except(struct area area, enum action_mode mode, const struct replay *replay,
                      const enum action *idle, size_t idle_count) {
    struct entry entries[ACTION_ROWS_MAX];
    size_t count = list_entries(mode, replay, area.grid->ascii, entries), kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_idle = false;
        for (size_t k = 0; k < idle_count; k++)
            is_idle = is_idle || entries[i].info->action == idle[k];
        if (!is_idle)
            entries[kept++] = entries[i];
    }
    count = kept;
    int x = 1, end = area.columns - 1;
    /* Draws from the right end: leaving, then help. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            bool leaves = entries[i].info->action == ACTION_QUIT;
            if (!is_right_aligned(entries[i].info) || leaves != (pass == 0) ||
                end - key_columns(&entries[i]) < 1)
                continue;
            end -= key_columns(&entries[i]);
            draw_key(area, end, &entries[i]);
            end -= 2;
        }
    for (size_t i = 0; i < count; i++)
        if (!is_right_aligned(entries[i].info) && x + key_columns(&entries[i]) <= end)
            x = draw_key(area, x, &entries[i]);
}
