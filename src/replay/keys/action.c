/*
 * The table, the user's changes to it, and the search for a key's action. Everything that names a
 * key is made from it, so that a rebound key is shown correctly everywhere.
 */
#include "replay/keys/action.h"

#include "base/message.h"
#include "base/text/utf8.h"
#include "replay/keys/input.h"

#include <string.h>

static const struct {
    const char *name, *title;
} modes[] = {
    [ACTION_MODE_REPLAY] = {"replay", N_("A replay")},
    [ACTION_MODE_LESSON] = {"lesson", N_("A lesson")},
    [ACTION_MODE_QUESTION] = {"question", N_("An open question of a lesson or a quiz")},
    [ACTION_MODE_LIST] = {"list", N_("The list of lessons")},
    [ACTION_MODE_QUIZ] = {"quiz", N_("A quiz, while it shows an answer")},
    [ACTION_MODE_PREDICT] = {"predict", N_("A prediction")},
    [ACTION_MODE_PROMPT] = {"prompt", N_("A prompt: find, search, go to a part")},
    [ACTION_MODE_HELP] = {"help", N_("The help screen")},
    [ACTION_MODE_NOTES] = {"notes", N_("The speaker's notes")},
    [ACTION_MODE_OVERVIEW] = {"overview", N_("The overview of a recording")},
    [ACTION_MODE_DIFF] = {"diff", N_("Two recordings side by side")},
    [ACTION_MODE_EXERCISE] = {"exercise", N_("An exercise")},
    [ACTION_MODE_EXERCISES] = {"exercises", N_("The list of exercises")},
    [ACTION_MODE_LIVE] = {"live", N_("A shuffle or a kernel, changed while it is shown")},
    [ACTION_MODE_MEMBERS] = {"members", N_("Marking the lanes of the member mask")},
    [ACTION_MODE_CONFIRM] = {"confirm", N_("Confirming that undefined results are shown")},
    [ACTION_MODE_WHICH] = {"which", N_("The calls that give the requested values")},
    [ACTION_MODE_START] = {"start", N_("The start screen")},
    [ACTION_MODE_FRAGMENTS] = {"fragments", N_("The fragments of an instruction")},
};
_Static_assert(sizeof modes / sizeof *modes == ACTION_MODE_COUNT, "each mode has a name");

/* The mode in which a key that has no row is looked up next; 0 for none. */
static const enum action_mode fallback_modes[ACTION_MODE_COUNT] = {
    [ACTION_MODE_REPLAY] = ACTION_MODE_LIVE,
    [ACTION_MODE_LESSON] = ACTION_MODE_LIVE,
    [ACTION_MODE_QUIZ] = ACTION_MODE_LIVE,
    [ACTION_MODE_LIVE] = ACTION_MODE_PROMPT,
};

const char *action_mode_name(enum action_mode mode) {
    return mode < ACTION_MODE_COUNT ? modes[mode].name : NULL;
}

const char *action_mode_title(enum action_mode mode) {
    return modes[mode].title;
}

static bool has_mode(const struct action_info *info, enum action_mode mode) {
    return info->modes >> mode & 1;
}

bool action_shared(const struct action_info *info) {
    return has_mode(info, ACTION_MODE_REPLAY);
}

size_t action_list(enum action_mode mode, const struct action_info *list[ACTION_ROWS_MAX]) {
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < action_row_count; i++) {
            bool last = mode != ACTION_MODE_REPLAY && has_mode(&action_rows[i], ACTION_MODE_REPLAY);
            if (has_mode(&action_rows[i], mode) && last == (pass == 1))
                list[count++] = &action_rows[i];
        }
    return count;
}

action_handler *action_run(enum action action) {
    for (size_t i = 0; i < action_row_count; i++)
        if (action_rows[i].action == action && action_rows[i].run)
            return action_rows[i].run;
    return NULL;
}

unsigned action_flags(enum action action) {
    unsigned flags = 0;
    for (size_t i = 0; i < action_row_count; i++)
        if (action_rows[i].action == action)
            flags |= action_rows[i].flags;
    return flags;
}

/* ---- keys ---- */

const char *action_key_name(size_t index) {
    static const char *const names[] = {
        "Right",     "Left", "Up",  "Down",   "Space",    "Tab",    "BackTab", "Enter", "Escape",
        "Backspace", "Home", "End", "PageUp", "PageDown", "Delete", "Insert",  "F1"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

bool action_key_exists(const char *key) {
    struct utf8_character first = utf8_decode(key, strlen(key));
    if (first.valid && !utf8_is_hidden(first.code) && key[first.bytes] == '\0')
        return true;
    for (size_t i = 0; action_key_name(i); i++)
        if (strcmp(action_key_name(i), key) == 0)
            return true;
    return strncmp(key, "Ctrl-", 5) == 0 && key[5] >= 'A' && key[5] <= 'Z' && key[6] == '\0';
}

/* The user's own bindings. Like the language, they belong to the whole program and are read once,
 * before the first screen opens. */
static struct bound {
    enum action_mode mode;
    char key[16];
    const struct action_info *info;
} bound[ACTION_BOUND_MAX];
static size_t bound_count;

bool action_bind(enum action_mode mode, const char *key, const struct action_info *info) {
    if (bound_count == ACTION_BOUND_MAX || strlen(key) >= sizeof bound->key)
        return false;
    struct bound *last = &bound[bound_count++];
    last->mode = mode;
    last->info = info;
    strcpy(last->key, key);
    return true;
}

void action_unbind_all(void) {
    bound_count = 0;
}

static const struct bound *bound_find(enum action_mode mode, const char *key) {
    for (size_t i = bound_count; i-- > 0;)
        if (bound[i].mode == mode && strcmp(bound[i].key, key) == 0)
            return &bound[i];
    return NULL;
}

const struct action_info *action_for_key(enum action_mode mode, const char *key) {
    const struct bound *own = bound_find(mode, key);
    if (own)
        return own->info;
    for (size_t i = 0; i < action_row_count; i++)
        for (int k = 0;
             has_mode(&action_rows[i], mode) && k < ACTION_KEYS && action_rows[i].keys[k]; k++)
            if (strcmp(action_rows[i].keys[k], key) == 0)
                return &action_rows[i];
    return NULL;
}

const struct action_info action_nothing = {.action = ACTION_NONE};

struct press action_press(enum action_mode mode, const char *key) {
    const bool line =
        mode == ACTION_MODE_PROMPT || mode == ACTION_MODE_QUESTION || mode == ACTION_MODE_PREDICT;
    const struct action_info *info = action_for_key(mode, key);
    while (!info && fallback_modes[mode]) {
        mode = fallback_modes[mode];
        info = action_for_key(mode, key);
        if (info && mode == ACTION_MODE_PROMPT && info->action != ACTION_ACCEPT)
            info = NULL;
    }
    return (struct press){key, info ? info : &action_nothing, line && !info && key_types(key)};
}

struct press action_help_press(bool help, struct press press) {
    if (!help)
        return press;
    press.types = false;
    const struct press closing = action_press(ACTION_MODE_HELP, press.key);
    return closing.info->action != ACTION_NONE ? closing : press;
}

size_t action_keys(enum action_mode mode, const struct action_info *info,
                   const char *keys[ACTION_KEYS]) {
    size_t count = 0;
    for (size_t i = bound_count; i-- > 0 && count + 1 < ACTION_KEYS;)
        if (bound[i].info == info && bound_find(mode, bound[i].key) == &bound[i])
            keys[count++] = bound[i].key;
    for (int k = 0; k < ACTION_KEYS && info->keys[k] && count + 1 < ACTION_KEYS; k++)
        if (!bound_find(mode, info->keys[k]))
            keys[count++] = info->keys[k];
    keys[count] = NULL;
    return count;
}

const char *action_key(enum action_mode mode, enum action action) {
    const char *keys[ACTION_KEYS];
    for (size_t i = 0; i < action_row_count; i++)
        if (action_rows[i].action == action && has_mode(&action_rows[i], mode) &&
            action_keys(mode, &action_rows[i], keys) > 0)
            return keys[0];
    return "";
}
