/*
 * The list's state and actions without any drawing (view/pages/catalog.c), so that tests and the
 * page for browsers use it as the terminal does.
 */
#include "teach/catalog.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "base/unused.h"
#include "replay/keys/input.h"
#include "replay/message_change.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 10

/* ---- the search ---- */

static bool contains(const char *text, const char *word, size_t length) {
    return bytes_contain(text, strlen(text), word, length);
}

static bool lesson_contains(const struct lesson *lesson, const char *word, size_t length) {
    if (contains(lesson->name, word, length))
        return true;
    for (size_t i = 0; i < lesson->language_count; i++)
        if (contains(lesson_title(lesson, i), word, length) ||
            contains(lesson_summary(lesson, i), word, length) ||
            contains(lesson_chapter(lesson, i), word, length) ||
            (lesson->languages[i].keywords &&
             contains(lesson->languages[i].keywords, word, length)))
            return true;
    return false;
}

/* True if the lesson contains each word of the search. */
static bool lesson_matches(const struct lesson *lesson, const char *search) {
    while (*search) {
        size_t length = strcspn(search, " ");
        if (length > 0 && !lesson_contains(lesson, search, length))
            return false;
        search += length;
        search += strspn(search, " ");
    }
    return true;
}

/* The next entry after `from`, in that direction, that matches; `from` if there is none. */
static size_t next_match(const struct catalog *catalog, size_t from, int direction) {
    for (size_t i = from + (size_t)direction; i < catalog->count; i += (size_t)direction)
        if (catalog->entries[i].matches)
            return i; /* an index below 0 wraps around, which ends the loop, too */
    return from;
}

static void search(struct catalog *catalog) {
    for (size_t i = 0; i < catalog->count; i++)
        catalog->entries[i].matches = lesson_matches(catalog->entries[i].lesson, catalog->search);
    if (catalog->count == 0 || catalog->entries[catalog->selected].matches)
        return;
    size_t next = next_match(catalog, catalog->selected, 1);
    catalog->selected =
        next != catalog->selected ? next : next_match(catalog, catalog->selected, -1);
}

/* ---- beginning and end ---- */

/* The lesson that a learner probably wants next: the first unfinished one. */
static size_t first_unfinished(const struct catalog *catalog) {
    for (size_t i = 0; i < catalog->count; i++)
        if (!catalog->entries[i].progress || !catalog->entries[i].progress->finished)
            return i;
    return 0;
}

void catalog_init(struct catalog *catalog, const struct lesson *const *lessons, size_t count,
                  const struct progress *progress, const char *language) {
    memset(catalog, 0, sizeof *catalog);
    catalog->entries = memory_zeroed(count ? count : 1, sizeof *catalog->entries);
    catalog->count = count;
    for (size_t i = 0; i < count; i++) {
        struct catalog_entry *entry = &catalog->entries[i];
        entry->lesson = lessons[i];
        entry->language = language ? lesson_language_find(lessons[i], language) : 0;
        entry->progress = progress ? progress_find(progress, lessons[i]->name) : NULL;
        entry->matches = true;
    }
    catalog->selected = first_unfinished(catalog);
}

void catalog_release(struct catalog *catalog) {
    free(catalog->entries);
    catalog->entries = NULL;
    catalog->count = 0;
}

bool catalog_select(struct catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->count; i++) {
        if (strcmp(catalog->entries[i].lesson->name, name) != 0)
            continue;
        if (!catalog->entries[i].matches) { /* an old search must not hide the wanted lesson */
            catalog->search[0] = '\0';
            search(catalog);
        }
        catalog->selected = i;
        return true;
    }
    return false;
}

/* ---- actions ---- */

typedef bool catalog_handler(struct catalog *catalog, long argument);

/* Moves the selection by this many lessons, up if negative. */
static bool move(struct catalog *catalog, long lessons) {
    size_t from = catalog->selected;
    int direction = lessons < 0 ? -1 : 1;
    for (size_t at; lessons != 0; catalog->selected = at, lessons -= direction)
        if ((at = next_match(catalog, catalog->selected, direction)) == catalog->selected)
            break;
    if (catalog->selected == from && catalog->count > 0)
        utf8_format(catalog->message, sizeof catalog->message, "%s",
                    direction > 0 ? _("this is the last lesson") : _("this is the first lesson"));
    return catalog->selected != from;
}

static bool choose(struct catalog *catalog, long argument UNUSED) {
    catalog->chosen = catalog->count > 0 && catalog->entries[catalog->selected].matches;
    return catalog->chosen;
}

static bool select_or_choose(struct catalog *catalog, long index) {
    if (index < 0 || (size_t)index >= catalog->count)
        return false;
    if (catalog->selected == (size_t)index)
        return choose(catalog, 0);
    catalog->selected = (size_t)index;
    return true;
}

static bool open_search(struct catalog *catalog, long argument UNUSED) {
    catalog->searching = true;
    return true;
}

static bool toggle_help(struct catalog *catalog, long argument UNUSED) {
    catalog->help = !catalog->help;
    return true;
}

/* Closes the prompt and its search, or an active search; else goes back. */
static bool cancel(struct catalog *catalog, long argument UNUSED) {
    bool open = catalog->searching || catalog->search[0];
    catalog->searching = false;
    catalog->search[0] = '\0';
    search(catalog);
    catalog->quit = catalog->quit || !open;
    return true;
}

static bool leave(struct catalog *catalog, long argument UNUSED) {
    return catalog->quit = true;
}

static catalog_handler *const handlers[ACTION_COUNT] = {
    [ACTION_LESSON_GO] = select_or_choose, [ACTION_CONTINUE] = choose, [ACTION_FIND] = open_search,
    [ACTION_HELP] = toggle_help,           [ACTION_CANCEL] = cancel,   [ACTION_QUIT] = leave,
};

/* The actions that move the selection, and by how many lessons; a count applies to moves by one.
 * The wheel sends phase actions. */
static const long moves[ACTION_COUNT] = {
    [ACTION_LESSON_NEXT] = 1,         [ACTION_LESSON_PREVIOUS] = -1,
    [ACTION_PHASE_NEXT] = 1,          [ACTION_PHASE_PREVIOUS] = -1,
    [ACTION_LANE_NEXT] = 1,           [ACTION_LANE_PREVIOUS] = -1,
    [ACTION_LESSON_PAGE_NEXT] = PAGE, [ACTION_LESSON_PAGE_PREVIOUS] = -PAGE,
    [ACTION_LESSON_LAST] = LONG_MAX,  [ACTION_LESSON_FIRST] = -LONG_MAX,
};

static bool act(struct catalog *catalog, enum action action, long argument) {
    if (moves[action])
        return move(catalog, argument > 1 && labs(moves[action]) == 1 ? moves[action] * argument
                                                                      : moves[action]);
    return handlers[action] && handlers[action](catalog, argument);
}

static bool apply(struct catalog *catalog, enum action action, long argument) {
    bool closes = action != ACTION_HELP && action != ACTION_REDRAW && action != ACTION_NONE;
    bool changed = action == ACTION_REDRAW || (closes && catalog->help);
    if (closes)
        catalog->help = false;
    return act(catalog, action, argument) || changed;
}

bool catalog_apply(struct catalog *catalog, enum action action, long argument) {
    struct old_message was = message_begin(catalog->message);
    bool changed = apply(catalog, action, argument);
    return changed || message_changed(&was, catalog->message);
}

/* ---- keys ---- */

struct press catalog_press(const struct catalog *catalog, const char *key) {
    return catalog->searching
               ? action_press(ACTION_MODE_PROMPT, key)
               : action_help_press(catalog->help, action_press(ACTION_MODE_LIST, key));
}

static bool search_key(struct catalog *catalog, struct press press) {
    const enum action action = press.info->action;
    if (action == ACTION_ACCEPT || (action == ACTION_ERASE && !catalog->search[0])) {
        catalog->searching = false;
        return true;
    }
    if (handlers[action] || moves[action])
        return apply(catalog, action, press.info->argument);
    bool changed = action == ACTION_ERASE
                       ? line_erase(catalog->search, press.info->argument)
                       : line_type(catalog->search, sizeof catalog->search, press.key);
    search(catalog);
    return changed;
}

static bool list_key(struct catalog *catalog, struct press press) {
    if (press.info->action != ACTION_NONE)
        return apply(catalog, press.info->action, press.info->argument);
    utf8_format(catalog->message, sizeof catalog->message, _("%s does nothing: %s shows the keys"),
                press.key, action_key(ACTION_MODE_LIST, ACTION_HELP));
    return false;
}

bool catalog_key(struct catalog *catalog, struct press press) {
    if (press.info->action == ACTION_REDRAW)
        return true;
    struct old_message was = message_begin(catalog->message);
    const bool helped = catalog->help && !catalog->searching;
    catalog->help = catalog->help && !helped;
    bool changed = catalog->searching ? search_key(catalog, press) : list_key(catalog, press);
    return changed || helped || message_changed(&was, catalog->message);
}
