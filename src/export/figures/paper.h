/*
 * paper.h - moments of a recording or a lesson as figures, and as a film of a terminal.
 *
 * Undefined values are "?", as on the screen; parts that an open question hides are not shown. Each
 * function fails (ERROR_USAGE) with a message that names the given and the available values.
 */
#ifndef SHFLVIZ_EXPORT_PAPER_H
#define SHFLVIZ_EXPORT_PAPER_H

#include "base/error.h"
#include "export/figures/drawing.h"
#include "replay/replay.h"
#include "teach/player.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PAPER_STEPS_MOST 64 /* operations in one file */

struct paper_options {
    enum view_kind view; /* VIEW_KIND_COUNT for the view with which the screen begins */
    bool has_matrices;   /* show a tensor-core instruction's matrices, as `view` also does for a
                            step of such an instruction */
    int k;               /* products that are added in it; -1: all */
    enum phase phase;    /* PHASE_COUNT for the last */
    int lane;            /* -1: none is highlighted */
    bool has_steps;      /* else the first operation; all of the first warp for film and text */
    uint64_t first_step, last_step;
    int columns, rows; /* 0 for as many as are needed */
    struct drawing_look look;
};

/* Adds the steps' pictures, one below the other; for a view of a whole warp only one, at its
 * last step. */
int paper_draw(struct drawing *drawing, const struct trace *trace, const struct paper_options *opts,
               struct error *err);
/* Adds the picture of the player's beat. */
int paper_draw_player(struct drawing *drawing, const struct player *player,
                      const struct paper_options *opts, struct error *err);

/* An SVG that goes through the phases of the steps; for local variables, it goes through the lines,
 * forwards and then back. */
int paper_animate(FILE *out, const struct trace *trace, const struct paper_options *opts,
                  const char *title, struct error *err);

/* Writes a section for each step: the call, its effect, a table of the lanes, the findings. The
 * file says so if there are more steps. */
int paper_markdown(FILE *out, const struct trace *trace, const struct paper_options *opts,
                   const char *title, struct error *err);

/*
 * A film in asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/): begin, then any number
 * of recordings and lessons, then end. Each phase, beat and question is a marker.
 */
struct cast {
    FILE *out;
    const struct paper_options *opts;
    int columns, rows;
    double time;  /* seconds since the beginning */
    char **lines; /* the lines on the screen; NULL for none */
};
void cast_begin(struct cast *cast, FILE *out, const struct paper_options *opts, const char *title);
int cast_recording(struct cast *cast, const struct trace *trace, struct error *err);
void cast_lesson(struct cast *cast, struct player *player);
void cast_end(struct cast *cast);

/* The recording's own title: "xor  laneMask 3  width 16", or the command; never NULL. */
const char *paper_title(const struct trace *trace);

/* The requested steps: *first to *last. Fails if there are no steps with these numbers, or too
 * many. By default the first, or all of the first warp, as many as fit. */
int paper_steps(const struct trace *trace, const struct paper_options *opts, bool all,
                uint64_t steps[PAPER_STEPS_MOST], size_t *count, struct error *err);

#endif
