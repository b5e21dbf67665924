#include "teach/worklist.h"

#define PAGE 10

static void move(struct worklist *list, long by) {
    const long last = (long)list->count - 1;
    long to = (long)list->selected + by;
    to = to < 0 ? 0 : to > last ? last : to;
    list->selected = (size_t)to;
}

enum action_mode worklist_key_mode(const struct worklist *list) {
    return list->start ? ACTION_MODE_START : ACTION_MODE_EXERCISES;
}

bool worklist_apply(struct worklist *list, enum action action, long argument) {
    if (action != ACTION_HELP)
        list->help = false;
    switch (action) {
    case ACTION_LESSON_NEXT:
    case ACTION_PHASE_NEXT: /* the wheel */
        move(list, 1);
        break;
    case ACTION_LESSON_PREVIOUS:
    case ACTION_PHASE_PREVIOUS:
        move(list, -1);
        break;
    case ACTION_LESSON_PAGE_NEXT:
        move(list, PAGE);
        break;
    case ACTION_LESSON_PAGE_PREVIOUS:
        move(list, -PAGE);
        break;
    case ACTION_LESSON_FIRST:
        list->selected = 0;
        break;
    case ACTION_LESSON_LAST:
        list->selected = list->count - 1;
        break;
    case ACTION_LESSON_GO:
        list->chosen = argument == (long)list->selected;
        if (argument >= 0 && (size_t)argument < list->count)
            list->selected = (size_t)argument;
        break;
    case ACTION_CONTINUE:
        list->chosen = true;
        break;
    case ACTION_HELP:
        list->help = !list->help;
        break;
    case ACTION_CANCEL:
        list->left = true;
        break;
    case ACTION_QUIT:
        list->quit = true;
        break;
    default:
        break;
    }
    return true;
}

struct press worklist_press(const struct worklist *list, const char *key) {
    return action_help_press(list->help, action_press(worklist_key_mode(list), key));
}
