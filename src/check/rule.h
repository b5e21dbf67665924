/*
 * rule.h - the rules that `check` holds a program against: one table, from which help, the manual
 * and SARIF's list of rules are made.
 */
#ifndef SHFLVIZ_CHECK_RULE_H
#define SHFLVIZ_CHECK_RULE_H

#include <stdbool.h>
#include <stddef.h>

struct check_rule {
    const char *id;      /* "shared_race": for scripts, never translated or renamed */
    const char *what;    /* one sentence, marked with N_() like the next two */
    const char *why;     /* what goes wrong, a few sentences */
    const char *instead; /* what to write, as it stands in a finding */
    const char *wrong;   /* CUDA C++, some lines */
    const char *right;
    const char *source; /* where the rule is from: a document and its section */
    bool accesses;      /* found by watching memory: in programs only, not in recordings */
};

/* True if breaking the rule may be meant: that is shown, and is no failure. */
bool check_rule_is_note(const char *id);

/* NULL beyond the last. */
const struct check_rule *check_rule_at(size_t index);
const struct check_rule *check_rule_find(const char *id);

#endif
