#include "session/results_file.h"

#include "base/clock.h"
#include "base/file_beside.h"
#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <stdio.h>

static int write_file(struct results_file *file, struct error *err) {
    const char *path = file->opts.path;
    struct file_beside beside;
    FILE *out = file_beside_open(&beside, path);
    int failed = out ? 0 : errno;
    if (out) {
        clock_date(time(NULL), file->ended);
        export_results(out, &file->heading, &file->results);
        const bool written = !ferror(out);
        failed = fclose(out) == 0 && written ? 0 : errno;
        if (!failed && file_beside_commit(&beside, path) != 0)
            failed = errno;
    }
    file_beside_release(&beside, !failed);
    return failed ? error_set_errno(err, ERROR_USAGE, failed, _("--results: cannot write %s"), path)
                  : 0;
}

int results_file_begin(struct results_file *file, const struct results_options *opts,
                       const struct results_heading *heading, struct error *err) {
    *file = (struct results_file){.opts = *opts, .heading = *heading};
    file->heading.who = opts->who;
    file->heading.has_seed = opts->has_seed;
    file->heading.seed = opts->seed;
    clock_date(time(NULL), file->begun);
    file->heading.begun = file->begun;
    file->heading.ended = file->ended;
    return opts->path ? write_file(file, err) : 0;
}

struct results *results_file_results(struct results_file *file) {
    return file->opts.path ? &file->results : NULL;
}

void results_file_keep(struct results_file *file, int level) {
    file->heading.level = level;
    if (!file->opts.path || results_settled(&file->results) == file->saved)
        return;
    file->saved = results_settled(&file->results);
    if (file->trouble.kind == ERROR_NONE)
        write_file(file, &file->trouble);
}

int results_file_end(struct results_file *file, struct error *err) {
    int status = file->opts.path ? write_file(file, err) : 0;
    results_release(&file->results);
    return status;
}
