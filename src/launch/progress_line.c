#include "launch/progress_line.h"

#include "base/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_AFTER 1000 /* milliseconds: most programs have ended by then */
#define AGAIN_AFTER 250
#define QUIET_FOR   500 /* after something else was printed */

static long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

void progress_line_begin(struct progress_line *line, uint32_t run, uint32_t runs) {
    const char *terminal = getenv("TERM");
    *line = (struct progress_line){.enabled = isatty(STDERR_FILENO) && terminal && *terminal &&
                                              strcmp(terminal, "dumb") != 0,
                                   .run = run,
                                   .runs = runs,
                                   .began = milliseconds_now()};
    line->next = line->began + FIRST_AFTER;
}

void progress_line_show(struct progress_line *line, const struct own_progress *progress) {
    const long now = line->enabled ? milliseconds_now() : 0;
    if (!line->enabled || line->within_line || now < line->next)
        return;
    fputs("\r\033[K", stderr);
    if (line->runs > 1)
        fprintf(stderr, _("shflviz: run %" PRIu32 " of %" PRIu32 ": "), line->run, line->runs);
    else
        fputs("shflviz: ", stderr);
    fprintf(stderr, _("launch %" PRIu64 ", %" PRIu64 " steps, %ld s"), progress->launches,
            progress->steps, (now - line->began) / 1000);
    fflush(stderr);
    line->shown = true;
    line->next = now + AGAIN_AFTER;
}

void progress_line_percent(struct progress_line *line, int percent) {
    const long now = line->enabled ? milliseconds_now() : 0;
    if (!line->enabled || now < line->next)
        return;
    fputs("\r\033[K", stderr);
    fprintf(stderr, _("shflviz: %d%% of the steps, %ld s"), percent, (now - line->began) / 1000);
    fflush(stderr);
    line->shown = true;
    line->next = now + AGAIN_AFTER;
}

void progress_line_clear(struct progress_line *line) {
    if (line->shown)
        fputs("\r\033[K", stderr);
    if (line->shown)
        fflush(stderr);
    line->shown = false;
}

void progress_line_printed(struct progress_line *line, const char *bytes, size_t count) {
    if (!line->enabled || count == 0)
        return;
    line->within_line = bytes[count - 1] != '\n';
    const long quiet = milliseconds_now() + QUIET_FOR;
    line->next = quiet > line->next ? quiet : line->next;
}
