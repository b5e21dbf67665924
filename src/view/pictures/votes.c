/*
 * A vote: each lane's predicate becomes one bit of a number.
 *
 *     lane  3 3 2 2   ...   3 2 1 0      lane 31 on the left, as in the number
 *       in  0 0 4 1   ...   1 1 1 1
 *           o o * *   ...   * * * *      a filled node: not 0
 *           : : | |   ...   | | | |
 *      bit  0 0 1 1   ...   1 1 1 1      in binary
 *      hex  ---3---   ...   ---f---
 *
 * any and all combine the bits into one answer; activemask has no predicate: the bit is set for
 * every lane that is present.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "view/pictures/network.h"

#include <stdarg.h>
#include <stdio.h>

#define NOTES_MAX  7
#define LINE_LEAST 1

/* A note below the picture. */
struct note {
    char text[WARP_LANES_TEXT + 96];
    enum style_role role;
};

struct vote {
    struct network net;
    uint32_t asked;   /* lanes that the vote is taken over: callers in the mask */
    uint32_t yes;     /* of these, those whose predicate is not 0 */
    int example;      /* a lane with a result that the rules fix; -1 if there is none */
    bool shows_in;    /* predicates may be shown */
    bool shows_bits;  /* the vote has been taken and may be shown */
    bool shows_total; /* and its result */
    struct note notes[NOTES_MAX];
    int note_count;
};

static bool is_number(enum warp_op op) {
    return op == WARP_OP_BALLOT || op == WARP_OP_ACTIVEMASK;
}

static int find_example_lane(const struct moment *moment) {
    int selected = moment->replay->lane;
    if (moment->outcome[selected].status == LANE_READ)
        return selected;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (moment->outcome[lane].status == LANE_READ)
            return lane;
    return -1;
}

/* ---- notes below ---- */

__attribute__((format(printf, 3, 4))) static void add_note(struct vote *vote, enum style_role role,
                                                           const char *format, ...) {
    va_list arguments;
    if (vote->note_count >= NOTES_MAX)
        return;
    struct note *note = &vote->notes[vote->note_count++];
    va_start(arguments, format);
    vsnprintf(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
    note->role = role;
}

static void note_lanes(struct vote *vote, enum style_role role, const char *what, uint32_t lanes) {
    char text[EXPLAIN_LANES_TEXT];
    if (lanes)
        add_note(vote, role, _("%s: %s"), what, explain_lanes(lanes, text));
}

/* The reasons why lanes gave no bit. */
static void note_silent(struct vote *vote, const struct warp_operation *operation) {
    uint32_t silent = ~vote->asked;
    note_lanes(vote, STYLE_UNDEFINED, _("call without being in their mask"),
               operation->present & ~vote->asked);
    silent &= ~operation->present;
    note_lanes(vote, STYLE_DIM, _("no bit, do not exist"), silent & ~operation->launched);
    silent &= operation->launched;
    note_lanes(vote, STYLE_DIM, _("no bit, have left the kernel"), silent & operation->exited);
    silent &= ~operation->exited;
    if (operation->op == WARP_OP_ACTIVEMASK) {
        note_lanes(vote, STYLE_DIM, _("no bit, are not here"), silent);
        return;
    }
    note_lanes(vote, STYLE_DIM, _("no bit, not in the mask"), silent & ~operation->members);
    note_lanes(vote, STYLE_BAD, _("no bit, in the mask but make no call here"),
               silent & operation->members);
}

static void note_total(struct vote *vote, const struct moment *moment) {
    const struct warp_operation *operation = moment->operation;
    uint32_t no = vote->asked & ~vote->yes;
    if (vote->example < 0) {
        add_note(vote, STYLE_UNDEFINED, "%s", _("no rule says what the lanes get"));
        return;
    }
    uint32_t result = (uint32_t)operation->out[vote->example];
    if (is_number(operation->op)) {
        add_note(vote, STYLE_TITLE, "0x%08x  __popc %d", result, __builtin_popcount(result));
        note_lanes(vote, STYLE_PLAIN,
                   operation->op == WARP_OP_BALLOT ? _("bit 1") : _("bit 1, are here"), result);
    } else if (operation->op == WARP_OP_ANY) {
        note_lanes(vote, STYLE_TITLE, _("predicate not 0"), vote->yes);
        if (!vote->yes)
            add_note(vote, STYLE_TITLE, "%s", _("predicate not 0: no lane of the mask"));
    } else {
        note_lanes(vote, STYLE_TITLE, _("predicate 0"), no);
        if (!no)
            add_note(vote, STYLE_TITLE, "%s", _("predicate 0: no lane of the mask"));
    }
}

/* ---- the picture ---- */

static bool votes(const struct vote *vote, int lane) {
    return vote->asked >> lane & 1;
}

static void draw_nodes(const struct vote *vote, int y) {
    const struct network *net = &vote->net;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool yes = vote->yes >> lane & 1;
        uint32_t glyph = !vote->shows_in || yes ? 0x25cf : 0x25cb;
        struct style style = moment_lane_style(net->moment, lane);
        if (!moment_present(net->moment, lane)) {
            glyph = 0xb7;
        } else if (vote->shows_in && !votes(vote, lane)) {
            glyph = '?';
            style = style_role(STYLE_UNDEFINED);
        }
        if (!network_mark(net->area, y, net, lane))
            network_glyph(net->area, y, net, lane, glyph, style);
    }
}

static void draw_bit_lines(const struct vote *vote, int y, int rows) {
    const struct network *net = &vote->net;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool yes = vote->yes >> lane & 1;
        struct style style = moment_lane_style(net->moment, lane);
        if (!votes(vote, lane))
            continue;
        style = style_with(style, yes ? STYLE_BOLD : STYLE_FAINT);
        for (int i = 0; i < rows; i++)
            network_glyph(net->area, y + i, net, lane, yes ? 0x2502 : 0x250a, style);
    }
}

/* Draws the bits: those of a lane's result, else those of the predicates. */
static void draw_bits(const struct vote *vote, int y) {
    const struct network *net = &vote->net;
    const struct warp_operation *operation = net->moment->operation;
    uint32_t bits = is_number(operation->op) ? (uint32_t)operation->out[vote->example] : vote->yes;
    network_label(net->area, y, net, _("bit"));
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool bit = bits >> lane & 1;
        struct style style =
            votes(vote, lane) ? moment_lane_style(net->moment, lane) : style_role(STYLE_ABSENT);
        if (!votes(vote, lane) && !is_number(operation->op))
            network_glyph(net->area, y, net, lane, 0xb7, style);
        else
            network_glyph(net->area, y, net, lane, bit ? '1' : '0',
                          style_with(style, bit ? STYLE_BOLD : STYLE_FAINT));
    }
}

/* Four bits are one digit: a bracket and, below it, the digit. */
static void draw_digits(const struct vote *vote, int y) {
    const struct network *net = &vote->net;
    uint32_t bits = (uint32_t)net->moment->operation->out[vote->example];
    for (int digit = 0; digit < 8; digit++) {
        int left = network_x(net, digit * 4 + 3), right = network_x(net, digit * 4);
        int middle = (left + right) / 2;
        for (int x = left; x <= right; x++)
            area_glyph(net->area, x, y,
                       x == left     ? 0x2514
                       : x == right  ? 0x2518
                       : x == middle ? 0x252c
                                     : 0x2500,
                       style_role(STYLE_DIM));
        area_format(net->area, middle, y + 1, style_bold(STYLE_TITLE), "%x",
                    bits >> digit * 4 & 15);
    }
    network_label(net->area, y + 1, net, _("hex"));
}

/* The one answer under all bits. */
static void draw_answer(const struct vote *vote, int y) {
    const struct network *net = &vote->net;
    const struct moment *moment = net->moment;
    char text[64];
    int left = net->x0, end = net->x0 + network_columns(net);
    for (int x = left; x < end; x++)
        area_glyph(net->area, x, y, 0x2501, style_role(STYLE_KEY));
    snprintf(text, sizeof text, " %s ", moment->info->name);
    area_text(net->area, (left + end - utf8_columns(text)) / 2, y, text, style_bold(STYLE_ACTIVE));
    const char *out = moment->out[vote->example];
    area_text(net->area, (left + end - utf8_columns(out)) / 2, y + 1, out, style_bold(STYLE_TITLE));
    network_label(net->area, y + 1, net, _("out"));
}

static void vote_init(struct vote *vote, const struct moment *moment) {
    const struct warp_operation *operation = moment->operation;
    bool query = operation->op == WARP_OP_ACTIVEMASK;
    *vote = (struct vote){.net = {.falling = true}};
    vote->asked = query ? operation->present : operation->present & operation->members;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (query || operation->in[lane] != 0)
            vote->yes |= UINT32_C(1) << lane;
    vote->yes &= vote->asked;
    vote->example = find_example_lane(moment);
    const unsigned gives_away = REPLAY_HIDES_IN | REPLAY_HIDES_ABSENT;
    vote->shows_in = !(moment->hide & gives_away);
    bool shown = moment_shows_out(moment) && vote->shows_in;
    vote->shows_bits = shown && vote->example >= 0;
    vote->shows_total = shown && moment->phase == PHASE_AFTER;
    if (shown)
        note_total(vote, moment);
    if (vote->shows_in)
        note_silent(vote, operation);
}

void draw_votes(struct area area, const struct moment *moment) {
    struct vote vote;
    struct network *net = &vote.net;
    vote_init(&vote, moment);
    network_spread(net, area, moment);
    const int total = 2; /* rows of the digits, or of the answer */
    int fixed = net->number_rows + 2 + total + LINE_LEAST;
    network_rows(net, area.rows, fixed + 1);
    int spare = area.rows - fixed - net->in_rows;
    int notes = vote.note_count < spare ? vote.note_count : spare;
    /* Room goes first to space above the notes, then to longer lines. */
    int gap = spare > notes ? 1 : 0;
    int lines = LINE_LEAST + (spare - notes - gap > 5 ? 5 : spare - notes - gap);
    int y = network_head(net, 0);
    draw_nodes(&vote, y++);
    if (vote.shows_bits) {
        draw_bit_lines(&vote, y, lines);
        draw_bits(&vote, y + lines);
        if (!is_number(moment->operation->op))
            draw_answer(&vote, y + lines + 1);
        else if (vote.shows_total)
            draw_digits(&vote, y + lines + 1);
    }
    y += (vote.shows_bits ? lines + 1 + total : 0) + gap;
    for (int i = 0; i < notes; i++)
        area_text_clipped(area, net->x0, y + i, area.columns - net->x0 - 1, vote.notes[i].text,
                          style_role(vote.notes[i].role));
}
