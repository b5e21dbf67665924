/*
 * rule.h - the rules of `check`: one table, the source of the help, the manual and SARIF's list of
 * rules.
 */
#ifndef SHFLVIZ_CHECK_RULE_H
#define SHFLVIZ_CHECK_RULE_H

#include <stdbool.h>
#include <stddef.h>

struct check_rule {
    const char *id;      /* "shared_race": for scripts, never translated or renamed */
    const char *what;    /* one sentence, marked with N_() like the next two */
    const char *why;     /* the consequences, a few sentences */
    const char *instead; /* the fix, as worded in a finding */
    const char *wrong;   /* a few lines of CUDA C++ */
    const char *right;
    const char *source; /* the source of the rule: a document and its section */
    bool accesses;      /* found by watching memory, so only in programs, not in recordings */
    bool is_note;       /* it may be broken on purpose: it is reported, but is not a failure */
};

/* True if the rule may be broken on purpose: that is reported, but is not a failure. */
bool check_rule_is_note(const char *id);

/* NULL after the last. */
const struct check_rule *check_rule_at(size_t index);
const struct check_rule *check_rule_find(const char *id);

#endif
