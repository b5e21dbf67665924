/* which_page.h - the calls that give the requested values, on a screen: a list to choose from. */
#ifndef SHFLVIZ_REPLAY_WHICH_PAGE_H
#define SHFLVIZ_REPLAY_WHICH_PAGE_H

#include "explain/which.h"
#include "replay/keys/action.h"

#include <stdbool.h>
#include <stddef.h>

struct which_page {
    struct which_request request;
    struct which which;
    char asked[128]; /* as it was typed */
    size_t selected;
    bool help;
    bool chosen; /* the selected call is to be shown */
    bool left;
};

/* Fails (ERROR_USAGE) like which_parse(). Release it after success. */
int which_page_init(struct which_page *page, const char *asked, struct error *err);
void which_page_release(struct which_page *page);

struct press which_page_press(const struct which_page *page, const char *key);
/* Applies one action of a key or a click. True if anything visible changed. */
bool which_page_apply(struct which_page *page, enum action action, long argument);

#endif
