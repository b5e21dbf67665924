/* start_lists.h - the lists of the start screen, and the effects of their entries. */
#ifndef SHFLVIZ_SESSION_START_LISTS_H
#define SHFLVIZ_SESSION_START_LISTS_H

#include "teach/worklist.h"

#include <stdbool.h>

/* One property of this machine. */
typedef void start_machine_line(void *context, const char *name, bool present, const char *text);

struct start_options {
    /* Examines this machine, and reports each property; called when the user asks for it. */
    void (*machine)(start_machine_line *line, void *context);
};

/* The first list, and those that its entries open. */
enum start_list {
    START_FIRST,
    START_FAST,
    START_OWN,
    START_EXAMPLES,
    START_KERNELS,
    START_RECORDINGS,
    START_MACHINE,
    START_LISTS
};

/* The effect of choosing an entry. */
enum start_choice {
    START_NOTHING, /* there is nothing to choose */
    START_COMMAND, /* `text` is a command */
    START_SOURCE,  /* `text` is a program */
    START_CALL,    /* a line is to be typed */
    START_LIST     /* `opens` is shown */
};

struct start_entry {
    char *title, *about, *name, *note; /* as in a struct worklist_entry */
    enum start_choice choice;
    enum start_list opens;
    char *text;
};

/* Owns the texts of its entries, because lists are made while the screen is open. */
struct start_items {
    struct worklist list;
    struct start_entry *entries;
};

/* Makes a list, of at least one entry. */
void start_items_make(struct start_items *items, enum start_list list,
                      const struct start_options *opts);
void start_items_release(struct start_items *items);

/* The list that Back leads to. */
enum start_list start_list_parent(enum start_list list);

#endif
