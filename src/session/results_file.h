/*
 * results_file.h - the file that --results names. It is rewritten after every question, so that no
 * settled question is lost if the user leaves or the program is ended.
 */
#ifndef SHFLVIZ_SESSION_RESULTS_FILE_H
#define SHFLVIZ_SESSION_RESULTS_FILE_H

#include "base/error.h"
#include "export/json/results.h"

struct results_options {
    const char *path; /* NULL if it is not kept */
    const char *who;  /* may be NULL */
    bool has_seed;
    uint64_t seed;
    size_t questions; /* for a quiz: number of questions; 0 for endless */
};

struct results_file {
    struct results_options opts;
    struct results_heading heading;
    struct results results;
    char begun[24], ended[24];
    size_t saved; /* questions that were settled then */
    struct error trouble;
};

/* Writes a document without questions, so that an unwritable file is noticed before the first
 * question. Fails (ERROR_USAGE) with the reason. The caller has set `of`, `name` and `questions` in
 * `heading`. */
int results_file_begin(struct results_file *file, const struct results_options *opts,
                       const struct results_heading *heading, struct error *err);
/* The destination of answers; NULL if none are wanted. */
struct results *results_file_results(struct results_file *file);
/* Writes it if there is something new. */
void results_file_keep(struct results_file *file, int level);
/* Writes it and frees it; on failure (-1) err has the reason. */
int results_file_end(struct results_file *file, struct error *err);

#endif
