#include "replay/pages/which_page.h"

#include <stdio.h>

int which_page_init(struct which_page *page, const char *asked, struct error *err) {
    *page = (struct which_page){.selected = 0};
    if (which_parse(&page->request, asked, err) != 0)
        return -1;
    snprintf(page->asked, sizeof page->asked, "%s", asked);
    which_find(&page->which, &page->request);
    return 0;
}

void which_page_release(struct which_page *page) {
    which_release(&page->which);
}

static bool go(struct which_page *page, long to) {
    const long last = (long)page->which.count - 1, was = (long)page->selected;
    to = to > last ? last : to;
    page->selected = (size_t)(to < 0 ? 0 : to);
    return (long)page->selected != was;
}

static bool act(struct which_page *page, enum action action, long argument) {
    const long at = (long)page->selected;
    switch (action) {
    case ACTION_ROW_NEXT:
        return go(page, at + 1);
    case ACTION_ROW_PREVIOUS:
        return go(page, at - 1);
    case ACTION_ROW_FIRST:
        return go(page, 0);
    case ACTION_ROW_LAST:
        return go(page, (long)page->which.count - 1);
    case ACTION_ROW_GO: /* a click; a second one chooses it */
        page->chosen = argument == at;
        return go(page, argument) || page->chosen;
    case ACTION_CONTINUE:
        page->chosen = page->which.count > 0;
        return true;
    case ACTION_CANCEL:
        page->left = true;
        return true;
    case ACTION_HELP:
        page->help = !page->help;
        return true;
    default:
        return false;
    }
}

bool which_page_apply(struct which_page *page, enum action action, long argument) {
    const bool helped = page->help;
    page->help = helped && action == ACTION_HELP;
    return act(page, action, argument) || helped;
}

struct press which_page_press(const struct which_page *page, const char *key) {
    return action_help_press(page->help, action_press(ACTION_MODE_WHICH, key));
}
