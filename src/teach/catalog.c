#include "teach/catalog.h"

#include "base/memory.h"
#include "base/message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 10

/* ---- the search --------------------------------------------------------------------------------
 */

/* Whether the word stands in the text, capital or small; beyond ASCII letter for letter. */
static bool contains(const char *text, const char *word, size_t length) {
    for (; *text; text++) {
        size_t same = 0;
        while (same < length && text[same] &&
               tolower((unsigned char)text[same]) == tolower((unsigned char)word[same]))
            same++;
        if (same == length)
            return true;
    }
    return false;
}

static bool lesson_contains(const struct lesson *lesson, const char *word, size_t length) {
    if (contains(lesson->name, word, length))
        return true;
    for (size_t i = 0; i < lesson->language_count; i++)
        if (contains(lesson_title(lesson, i), word, length) ||
            contains(lesson_summary(lesson, i), word, length) ||
            contains(lesson_chapter(lesson, i), word, length))
            return true;
    return false;
}

/* Each word of the search has to be there. */
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

/* The next entry that matches, from `from` on in that direction; `from` if there is none. */
static size_t next_match(const struct catalog *catalog, size_t from, int direction) {
    for (size_t i = from + (size_t)direction; i < catalog->count; i += (size_t)direction)
        if (catalog->entries[i].matches)
            return i; /* going below 0 is going above the count, too */
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

/* ---- beginning and end -------------------------------------------------------------------------
 */

/* What a learner wants next: the first lesson not yet finished. */
static size_t first_open(const struct catalog *catalog) {
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
    catalog->selected = first_open(catalog);
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
        if (!catalog->entries[i].matches) { /* what is wanted is not hidden by an old search */
            catalog->search[0] = '\0';
            search(catalog);
        }
        catalog->selected = i;
        return true;
    }
    return false;
}

/* ---- actions -----------------------------------------------------------------------------------
 */

static void move(struct catalog *catalog, int direction, size_t count) {
    size_t from = catalog->selected;
    while (count-- > 0)
        catalog->selected = next_match(catalog, catalog->selected, direction);
    if (catalog->selected == from && catalog->count > 0)
        snprintf(catalog->message, sizeof catalog->message, "%s",
                 direction > 0 ? _("this is the last lesson") : _("this is the first lesson"));
}

static void choose(struct catalog *catalog) {
    catalog->chosen = catalog->count > 0 && catalog->entries[catalog->selected].matches;
}

static void select_or_choose(struct catalog *catalog, long index) {
    if (index < 0 || (size_t)index >= catalog->count)
        return;
    if (catalog->selected == (size_t)index)
        choose(catalog);
    catalog->selected = (size_t)index;
}

/* Closes what is open: the prompt, with its search, or a search that is left. */
static void cancel(struct catalog *catalog) {
    catalog->searching = false;
    catalog->search[0] = '\0';
    search(catalog);
}

static void apply(struct catalog *catalog, enum action action, long argument) {
    size_t count = argument > 0 ? (size_t)argument : 1;
    if (action != ACTION_HELP && action != ACTION_REDRAW && action != ACTION_NONE)
        catalog->help = false;
    switch (action) {
    case ACTION_LESSON_NEXT:
    case ACTION_PHASE_NEXT: /* the wheel */
    case ACTION_LANE_NEXT:
        move(catalog, 1, count);
        break;
    case ACTION_LESSON_PREVIOUS:
    case ACTION_PHASE_PREVIOUS:
    case ACTION_LANE_PREVIOUS:
        move(catalog, -1, count);
        break;
    case ACTION_LESSON_PAGE_NEXT:
        move(catalog, 1, PAGE);
        break;
    case ACTION_LESSON_PAGE_PREVIOUS:
        move(catalog, -1, PAGE);
        break;
    case ACTION_LESSON_FIRST:
        move(catalog, -1, catalog->count);
        break;
    case ACTION_LESSON_LAST:
        move(catalog, 1, catalog->count);
        break;
    case ACTION_LESSON_GO:
        select_or_choose(catalog, argument);
        break;
    case ACTION_CONTINUE:
        choose(catalog);
        break;
    case ACTION_FIND:
        catalog->searching = true;
        break;
    case ACTION_HELP:
        catalog->help = !catalog->help;
        break;
    case ACTION_CANCEL:
        cancel(catalog);
        break;
    case ACTION_QUIT:
        catalog->quit = true;
        break;
    default:
        break;
    }
}

/* The entries may change without the catalog: which of them match tells. */
struct state {
    struct catalog catalog;
    size_t matches;
};

static struct state state_of(const struct catalog *catalog) {
    struct state state;
    memset(&state, 0, sizeof state);
    memcpy(&state.catalog, catalog, sizeof state.catalog);
    for (size_t i = 0; i < catalog->count; i++)
        state.matches += catalog->entries[i].matches;
    return state;
}

static bool changed(const struct catalog *catalog, const struct state *was) {
    struct state now = state_of(catalog);
    return memcmp(&now, was, sizeof now) != 0;
}

bool catalog_apply(struct catalog *catalog, enum action action, long argument) {
    struct state was = state_of(catalog);
    catalog->message[0] = '\0';
    apply(catalog, action, argument);
    return action == ACTION_REDRAW || changed(catalog, &was);
}

/* ---- keys --------------------------------------------------------------------------------------
 */

static void type(struct catalog *catalog, const char *key) {
    size_t length = strlen(catalog->search);
    const char *typed = strcmp(key, "Space") == 0 ? " " : key;
    bool character = typed[0] && (typed[1] == '\0' || (unsigned char)typed[0] >= 0xc2);
    if (strcmp(key, "Backspace") == 0) {
        if (length == 0)
            catalog->searching = false;
        while (length > 0 && (catalog->search[length - 1] & 0xc0) == 0x80)
            length--; /* the bytes of a character behind its first */
        if (length > 0)
            catalog->search[length - 1] = '\0';
    } else if (character && length + strlen(typed) < sizeof catalog->search) {
        memcpy(catalog->search + length, typed, strlen(typed) + 1);
    }
    search(catalog);
}

static void search_key(struct catalog *catalog, const char *key) {
    if (strcmp(key, "Escape") == 0)
        cancel(catalog);
    else if (strcmp(key, "Enter") == 0)
        catalog->searching = false;
    else if (strcmp(key, "Down") == 0 || strcmp(key, "Up") == 0)
        move(catalog, key[0] == 'D' ? 1 : -1, 1);
    else
        type(catalog, key);
}

static void list_key(struct catalog *catalog, const char *key) {
    const struct action_info *info = action_for_key_at(ACTION_PLACE_LIST, key);
    if (info)
        apply(catalog, info->action, info->argument);
    else
        snprintf(catalog->message, sizeof catalog->message, _("%s does nothing: ? shows the keys"),
                 key);
}

static bool help_takes(struct catalog *catalog, const char *key) {
    static const char *const closing[] = {"?", "F1", "q", "Escape", "Enter", "Space", NULL};
    if (!catalog->help || strcmp(key, "Ctrl-L") == 0)
        return false;
    catalog->help = false;
    for (int i = 0; closing[i]; i++)
        if (strcmp(key, closing[i]) == 0)
            return true;
    return false;
}

bool catalog_key(struct catalog *catalog, const char *key) {
    struct state was = state_of(catalog);
    catalog->message[0] = '\0';
    if (strcmp(key, "Ctrl-L") == 0)
        return true;
    if (catalog->searching)
        search_key(catalog, key);
    else if (!help_takes(catalog, key))
        list_key(catalog, key);
    return changed(catalog, &was);
}
