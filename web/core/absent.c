/*
 * absent.c - stubs for things that a page does not have: other processes, other terminals, files
 * that persist. A lesson's user program ran when the page was made, so the page has its recording.
 */
#include "base/message.h"
#include "device/gpu/gpu.h"
#include "launch/kernel_details.h"
#include "launch/program/program_file.h"
#include "session/classroom.h"
#include "session/follow.h"
#include "session/journey.h"
#include "session/results_file.h"
#include "term/screen.h"

#include <stdio.h>
#include <stdlib.h>

int program_file_record(struct program_files *files, const char *path, const char *launch,
                        const char *where, struct trace **trace, struct error *err) {
    struct text name = TEXT_INIT;
    (void)files;
    text_append_format(&name, "%s %s", path, launch);
    const int status = trace_open(trace, name.data, err);
    text_release(&name);
    if (status != 0)
        error_prefix(err, "%s", where);
    return status;
}

void program_files_release(struct program_files *files) {
    (void)files;
}

bool launch_has_details(void) {
    return false;
}

bool launch_set_cancel_poll(bool (*ends)(void)) {
    (void)ends;
    return false;
}

bool screen_poll_cancel(void) {
    return false;
}

int launch_record_details(const struct launch *launch, const struct trace *was,
                          struct trace **trace, struct error *err) {
    (void)launch, (void)was;
    *trace = NULL;
    return error_set(err, ERROR_MISSING, "no compiler");
}

/* Nothing here builds an answer to an exercise. */
bool journey_stop_after(const struct journey *journey, const struct lesson *lesson,
                        struct journey_step *step) {
    (void)journey, (void)lesson, (void)step;
    return false;
}
bool journey_practice(const struct journey *journey, const struct lesson *lesson,
                      struct journey_step *step) {
    (void)journey, (void)lesson, (void)step;
    return false;
}

/* ---- what WASI's C library lacks ---- */

struct order {
    int (*compare)(const void *, const void *, void *);
    void *context;
};
static const struct order *sorting;

static int compare_in_context(const void *a, const void *b) {
    return sorting->compare(a, b, sorting->context);
}

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *context) {
    const struct order order = {compare, context}, *const before = sorting;
    sorting = &order;
    qsort(base, count, size, compare_in_context);
    sorting = before;
}

char *realpath(const char *path, char *resolved) {
    (void)path, (void)resolved;
    return NULL;
}

/* Nobody else writes to a page's files. */
int flock(int descriptor, int how);
int flock(int descriptor, int how) {
    (void)descriptor, (void)how;
    return 0;
}

/* ---- presentations and results ---- */

int presentation_open(struct presentation *presentation, struct error *err) {
    (void)presentation;
    return error_set(err, ERROR_MISSING, "a page cannot be followed");
}
void presentation_close(struct presentation *presentation) {
    (void)presentation;
}
void presentation_lesson(struct presentation *presentation, const char *lesson) {
    (void)presentation, (void)lesson;
}
void presentation_position(struct presentation *presentation, const char *position) {
    (void)presentation, (void)position;
}
size_t presentation_descriptors(const struct presentation *presentation, int *descriptors,
                                size_t most) {
    (void)presentation, (void)descriptors, (void)most;
    return 0;
}
void presentation_ready(struct presentation *presentation) {
    (void)presentation;
}

int classroom_open(struct classroom **room, const struct classroom_options *opts,
                   struct error *err) {
    (void)room, (void)opts;
    return error_set(err, ERROR_MISSING, "a page serves nobody");
}
int classroom_close(struct classroom *room, struct error *err) {
    (void)room, (void)err;
    return 0;
}
void classroom_update(struct classroom *room, const struct player *player) {
    (void)room, (void)player;
}
bool classroom_key(struct classroom *room, struct press press) {
    (void)room, (void)press;
    return false;
}
bool classroom_takes(const struct classroom *room, struct press press) {
    (void)room, (void)press;
    return false;
}
bool classroom_covers(const struct classroom *room) {
    (void)room;
    return false;
}
void classroom_draw(const struct classroom *room, struct grid *grid) {
    (void)room, (void)grid;
}
size_t classroom_descriptors(const struct classroom *room, int *descriptors, size_t most) {
    (void)room, (void)descriptors, (void)most;
    return 0;
}
long classroom_wait(const struct classroom *room) {
    (void)room;
    return -1;
}
bool classroom_run(struct classroom *room) {
    (void)room;
    return false;
}

int results_file_begin(struct results_file *file, const struct results_options *opts,
                       const struct results_heading *heading, struct error *err) {
    (void)file, (void)heading;
    return opts->path ? error_set(err, ERROR_MISSING, "a page keeps no results") : 0;
}
struct results *results_file_results(struct results_file *file) {
    (void)file;
    return NULL;
}
void results_file_keep(struct results_file *file, int level) {
    (void)file, (void)level;
}
int results_file_end(struct results_file *file, struct error *err) {
    (void)file, (void)err;
    return 0;
}

/* ---- devices ---- */

bool gpu_driver_exists(void) {
    return false;
}
