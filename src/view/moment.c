/*
 * Decodes a step once per frame into everything the views need, so that they agree and only draw.
 * Hidden texts are blanked here, so that no view can forget to.
 */
#include "view/moment.h"

#include "base/message.h"
#include "explain/explain.h"
#include "explain/findings/failure.h"

#include "replay/predict.h"

#include "warp/sectors.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool moment_present(const struct moment *moment, int lane) {
    return moment->present >> lane & 1;
}

bool moment_selects(const struct moment *moment, int lane) {
    return moment->replay->lane == lane && !moment->unmarked;
}

bool moment_shows_address(const struct moment *moment) {
    return moment->phase >= PHASE_ADDRESS && !(moment->hide & REPLAY_HIDES_READS);
}

bool moment_shows_reads(const struct moment *moment) {
    return moment->phase >= PHASE_RANGE && !(moment->hide & REPLAY_HIDES_READS);
}

bool moment_shows_out(const struct moment *moment) {
    return moment->phase >= PHASE_MOVE && !(moment->hide & REPLAY_HIDES_OUT);
}

bool moment_shows_changed(const struct moment *moment) {
    return moment->phase == PHASE_AFTER && !(moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_OUT));
}

/* The latest phase that texts may reveal. */
static enum phase moment_visible_phase(const struct moment *moment) {
    enum phase most = moment->hide & REPLAY_HIDES_READS ? PHASE_BEFORE
                      : moment->hide & REPLAY_HIDES_OUT ? PHASE_RANGE
                                                        : PHASE_AFTER;
    /* The result of a vote or a match reveals the values, and the callers. */
    if (!moment->info->is_shuffle && most > PHASE_RANGE &&
        moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_ABSENT))
        most = PHASE_RANGE;
    return moment->phase < most ? moment->phase : most;
}

/* For a question about one lane: the sign of the verdict at that lane, and its style. */
static uint32_t verdict_mark(const struct replay *replay, int lane, struct style *style) {
    bool right = replay->asking.state == PREDICTION_RIGHT;
    *style = style_role(right ? STYLE_GOOD : STYLE_BAD);
    if (replay->asking.lane != lane || (!right && replay->asking.state != PREDICTION_WRONG))
        return 0;
    return right ? 0x2713 : 0x2717;
}

uint32_t moment_mark(const struct moment *moment, int lane, struct style *style) {
    const struct replay *replay = moment->replay;
    bool marked = replay->asking.marks >> lane & 1, right = replay->asking.right >> lane & 1;
    if (replay->asking.state == PREDICTION_NONE)
        return 0;
    if (!question_is_set(&replay->asking.question))
        return verdict_mark(replay, lane, style);
    *style = style_role(moment->asked ? STYLE_ACTIVE : right ? STYLE_GOOD : STYLE_BAD);
    if (moment->asked)
        return marked ? 0x25a0 : 0;
    if ((!marked && !right) || replay->asking.either >> lane & 1)
        return 0;
    return !right ? 0x2717 : marked ? 0x2713 : 0x25a1;
}

struct style moment_number_style(const struct moment *moment, int lane) {
    bool pointed = moment->replay->points >> lane & 1;
    return style_with(moment_lane_style(moment, lane), STYLE_BOLD | (pointed ? STYLE_REVERSE : 0u));
}

/* ---- hidden parts ---- */

static unsigned hidden(const struct replay *replay) {
    static const enum replay_hidden all[] = {REPLAY_HIDES_IN,    REPLAY_HIDES_READS,
                                             REPLAY_HIDES_OUT,   REPLAY_HIDES_ABSENT,
                                             REPLAY_HIDES_LATER, REPLAY_HIDES_CALL};
    unsigned hide = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        hide |= replay_hides(replay, all[i]) ? (unsigned)all[i] : 0;
    return hide;
}

/* Removes the texts that must be hidden; their widths are kept, so that nothing moves when
 * they return. */
static void hide_texts(struct moment *moment) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (moment->hide & REPLAY_HIDES_IN)
            strcpy(moment->in[lane], moment->in_columns ? "░" : "");
        if (moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_OUT) && !moment->info->is_shuffle)
            moment->formula[lane][0] = '\0';
        if (moment->hide & REPLAY_HIDES_OUT)
            moment->out[lane][0] = '\0';
        if (moment->hide & REPLAY_HIDES_CALL && moment->group[lane] > 0)
            moment->group[lane] = 0; /* groups reveal the width */
    }
    if (moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_OUT))
        moment->changed = 0;
}

static int longest(char texts[WARP_LANES][WARP_VALUE_TEXT]) {
    int columns = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int length = (int)strlen(texts[lane]);
        columns = length > columns ? length : columns;
    }
    return columns;
}

static bool is_vote(enum warp_op op) {
    return op == WARP_OP_BALLOT || op == WARP_OP_ANY || op == WARP_OP_ALL;
}

/* The word and its bank, or the byte and its sector. */
static void format_place(const struct moment *moment, int32_t offset, char *text, size_t size) {
    const int32_t inside = offset - moment->variable.offset;
    if (warp_op_is_global(moment->operation->op))
        snprintf(text, size, "%6d %5d", inside, warp_sector(inside));
    else
        snprintf(text, size, "%5d %4d", inside / WARP_BANK_BYTES, warp_bank(offset));
}

/* The formula with its first number right-aligned to two digits, so that operators line up. */
static void fill_formula(struct moment *moment, int lane) {
    char text[sizeof moment->formula[lane] - 1], *formula = moment->formula[lane];
    if (is_vote(moment->operation->op)) {
        strcpy(formula, !moment_present(moment, lane) ? ""
                        : moment->operation->in[lane] ? "1"
                                                      : "0");
        return;
    }
    if (warp_op_is_access(moment->operation->op)) {
        const int32_t offset = moment->operation->arg[lane];
        if (moment_present(moment, lane))
            format_place(moment, offset, formula, sizeof moment->formula[lane]);
        else
            formula[0] = '\0';
        return;
    }
    explain_formula(moment->operation, lane, text, sizeof text);
    bool narrow = text[0] && strcspn(text, "+-^|") < 2;
    snprintf(formula, sizeof moment->formula[lane], "%s%s", narrow ? " " : "", text);
}

/* A lane's result as text. A shuffle's value has already been formatted for the lane that gave it:
 * finding the shortest text of a double is expensive. */
static void fill_out(struct moment *moment, int lane) {
    const struct warp_operation *operation = moment->operation;
    const struct lane_outcome *outcome = &moment->outcome[lane];
    int source = outcome->address.source;
    if (moment->info->is_shuffle && outcome->has_value &&
        operation->out[lane] == operation->in[source] && moment_present(moment, source) &&
        !((operation->doubtful_in >> source ^ operation->doubtful_out >> lane) & 1)) {
        memcpy(moment->out[lane], moment->in[source], sizeof moment->out[lane]);
        return;
    }
    explain_out_marked(operation, lane, moment->out[lane]);
    if (outcome->status == LANE_UNDEFINED && moment->out[lane][0])
        strcpy(moment->out[lane], "?");
}

static void fill_lane(struct moment *moment, int lane) {
    const struct warp_operation *operation = moment->operation;
    const struct lane_outcome *outcome = &moment->outcome[lane];
    fill_out(moment, lane);
    fill_formula(moment, lane);
    moment->group[lane] = explain_group(operation, lane);
    int length = (int)strlen(moment->formula[lane]);
    if (length > moment->formula_columns)
        moment->formula_columns = length;
    if (moment->info->is_shuffle && moment_present(moment, lane) &&
        operation->in[lane] != operation->out[lane] && outcome->status != LANE_UNDEFINED)
        moment->changed |= UINT32_C(1) << lane;
}

/* In a match, lanes with equal values form a group once the phase that brings them together is
 * reached; groups are numbered in the order of their first lanes. */
static void fill_match_groups(struct moment *moment) {
    const struct warp_operation *operation = moment->operation;
    bool match = operation->op == WARP_OP_MATCH_ANY || operation->op == WARP_OP_MATCH_ALL;
    int groups = 0;
    if (!match || !moment_shows_out(moment) ||
        moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_ABSENT))
        return;
    moment->has_groups = true;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        moment->group[lane] = -1;
        if (moment->outcome[lane].status != LANE_READ)
            continue;
        for (int other = 0; other < lane && moment->group[lane] < 0; other++)
            if (moment->group[other] >= 0 && operation->in[other] == operation->in[lane])
                moment->group[lane] = moment->group[other];
        if (moment->group[lane] < 0)
            moment->group[lane] = groups++;
    }
}

/* True if lanes of this warp wait forever, and no step follows. */
static bool is_stop(const struct moment *moment) {
    const struct cursor *cursor = &moment->replay->cursor;
    struct failure_waits waits = {.room = 0};
    if (moment->hide & REPLAY_HIDES_ABSENT ||
        (!moment->operation->unfinished &&
         (moment->phase != PHASE_AFTER || cursor->position + 1 < cursor->warp.steps)))
        return false;
    return failure_waits(cursor->trace, cursor->warp.warp, &waits) && waits.of_warp > 0 &&
           memcmp(waits.block, cursor->step.block_index, sizeof waits.block) == 0;
}

static enum picture picture_of(const struct moment *moment) {
    if (is_stop(moment))
        return PICTURE_STOP;
    if (warp_op_is_access(moment->operation->op))
        return PICTURE_MEMORY;
    switch (moment->operation->op) {
    case WARP_OP_BALLOT:
    case WARP_OP_ANY:
    case WARP_OP_ALL:
    case WARP_OP_ACTIVEMASK:
        return PICTURE_BITS;
    case WARP_OP_MATCH_ANY:
    case WARP_OP_MATCH_ALL:
        return PICTURE_GROUPS;
    case WARP_OP_REDUCE_ADD:
    case WARP_OP_REDUCE_MIN:
    case WARP_OP_REDUCE_MAX:
    case WARP_OP_REDUCE_AND:
    case WARP_OP_REDUCE_OR:
    case WARP_OP_REDUCE_XOR:
        return PICTURE_ARITHMETIC;
    case WARP_OP_SYNC:
        return PICTURE_WAITS;
    default:
        return PICTURE_WIRES;
    }
}

bool moment_init(struct moment *moment, const struct replay *replay) {
    moment->replay = replay;
    moment->phase = replay_shown_phase(replay);
    moment->asked = replay->asking.state == PREDICTION_ASKED;
    moment->formula_columns = moment->in_columns = moment->out_columns = 0;
    moment->changed = moment->present = 0;
    moment->finding_count = 0;
    moment->spread = moment->ghosts = moment->unmarked = false;
    moment->picture = PICTURE_WIRES;
    moment->hide = hidden(replay);
    moment->operation = NULL;
    moment->site = NULL;
    if (!replay->cursor.has_step)
        return false;
    moment->operation = &replay->cursor.step.operation;
    moment->outcome = replay->cursor.outcome;
    moment->info = warp_op_info(moment->operation->op);
    moment->present = moment->operation->present;
    moment->has_groups = moment->info->is_shuffle;
    moment->site = trace_site(replay->cursor.trace, replay->cursor.step.site);
    if (warp_op_is_access(moment->operation->op))
        moment->variable =
            shared_variable_at(replay->cursor.trace, moment->operation->op,
                               moment->operation->arg[__builtin_ctz(moment->present)]);
    for (int lane = 0; lane < WARP_LANES; lane++)
        explain_in_marked(moment->operation, lane, moment->in[lane]);
    for (int lane = 0; lane < WARP_LANES; lane++)
        fill_lane(moment, lane);
    moment->in_columns = longest(moment->in);
    moment->out_columns = longest(moment->out);
    if (moment->hide & REPLAY_HIDES_ABSENT)
        moment->present = WARP_FULL_MASK;
    fill_match_groups(moment);
    moment->picture = picture_of(moment);
    hide_texts(moment);
    /* Findings reveal undefined results, so they wait for an answer. */
    if (!(moment->hide & (REPLAY_HIDES_READS | REPLAY_HIDES_OUT)))
        moment->finding_count = warp_findings(moment->operation, moment->outcome, moment->findings);
    return true;
}

char moment_letter(const struct moment *moment, int lane) {
    bool blank = !moment->has_groups || moment->hide & REPLAY_HIDES_CALL ||
                 (!moment->info->is_shuffle && !moment_present(moment, lane));
    return blank ? ' ' : group_letter(moment->group[lane]);
}

struct style moment_lane_style(const struct moment *moment, int lane) {
    if (!moment_present(moment, lane))
        return style_role(STYLE_ABSENT);
    if (moment->group[lane] < 0)
        return style_role(STYLE_PLAIN);
    return (struct style){STYLE_GROUP, (uint8_t)moment->group[lane], 0};
}

struct style moment_group_style(const struct moment *moment, int lane) {
    if (moment->group[lane] < 0 && moment_present(moment, lane))
        return style_role(STYLE_UNDEFINED);
    return moment_lane_style(moment, lane);
}

struct style moment_out_style(const struct moment *moment, int lane) {
    if (moment->hide & REPLAY_HIDES_READS)
        return moment_present(moment, lane) ? style_role(STYLE_PLAIN) : style_role(STYLE_ABSENT);
    switch (moment->outcome[lane].status) {
    case LANE_UNDEFINED:
        return style_role(STYLE_UNDEFINED);
    case LANE_OWN:
        return style_role(STYLE_OWN);
    case LANE_ABSENT:
        return style_role(STYLE_ABSENT);
    case LANE_READ:
        break;
    }
    return moment_lane_style(moment, moment->info->is_shuffle ? moment->outcome[lane].address.source
                                                              : lane);
}

/* ---- texts ---- */

__attribute__((format(printf, 3, 4))) static void append(char *buffer, size_t size,
                                                         const char *format, ...) {
    size_t length = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + length, size - length, format, arguments);
    va_end(arguments);
}

/* Appends the cost of an access, if a lower cost would be possible. */
static void append_cost(const struct warp_operation *operation, char *buffer, size_t size) {
    if (warp_op_is_global(operation->op)) {
        struct sector_use use;
        warp_sector_use(operation, &use);
        if (use.sectors > use.least)
            append(buffer, size, _("  %d sectors for %d"), use.sectors, use.least);
    } else {
        struct bank_use use;
        warp_bank_use(operation, &use);
        if (use.ways > 1)
            append(buffer, size, _("  %d-way bank conflict"), use.ways);
    }
}

/* Shown instead of the call if the call is the answer. */
static const char *question_text(const struct moment *moment) {
    switch (moment->replay->asking.question.kind) {
    case QUESTION_BLANK:
        return _("what fits the blank?");
    case QUESTION_WHICH:
        return _("which of these?");
    case QUESTION_LINE:
        return _("which line is wrong?");
    default:
        return _("which call?");
    }
}

void moment_heading(const struct moment *moment, char *buffer, size_t size) {
    const struct warp_operation *operation = moment->operation;
    if (moment->hide & REPLAY_HIDES_CALL) {
        snprintf(buffer, size, "%s  %s", question_text(moment),
                 warp_type_info(operation->type)->cuda);
        return;
    }
    snprintf(buffer, size, "%s", moment->info->name);
    int32_t value;
    if (moment->info->is_shuffle) {
        if (warp_agree(operation->arg, operation->present, &value))
            append(buffer, size, "  %s %d", moment->info->argument, value);
        else
            append(buffer, size, _("  %s by lane"), moment->info->argument);
        if (warp_agree(operation->width, operation->present, &value))
            append(buffer, size,
                   warp_width_is_defined(value) ? _("  width %d") : _("  width %d (undefined)"),
                   value);
        else
            append(buffer, size, "%s", _("  width by lane"));
    }
    if (warp_op_is_access(operation->op)) {
        append(buffer, size, "  %s", moment->variable.name);
        append_cost(operation, buffer, size);
        return;
    }
    if (operation->type != WARP_TYPE_NONE)
        append(buffer, size, "  %s", warp_type_info(operation->type)->cuda);
    if (operation->members != WARP_FULL_MASK && moment->info->is_shuffle)
        append(buffer, size, _("  members 0x%08x"), operation->members);
}

static bool is_gpu(const struct replay *replay) {
    const char *device = trace_note(replay->cursor.trace, TRACE_NOTE_DEVICE);
    return device && strcmp(device, "gpu") == 0;
}

void moment_device(const struct replay *replay, char *buffer, size_t size) {
    const char *recorded = trace_note(replay->cursor.trace, TRACE_NOTE_RECORDED);
    const char *name = trace_note(replay->cursor.trace, TRACE_NOTE_NAME);
    recorded = recorded ? explain_recording_word(recorded) : _("recorded");
    if (is_gpu(replay))
        snprintf(buffer, size, _("%s on %s"), recorded, name ? name : _("a GPU"));
    else
        snprintf(buffer, size, _("%s on the %s"), recorded,
                 explain_recording_word(name ? name : "CPU warp"));
}

void moment_measured(const struct replay *replay, int columns, char *buffer, size_t size) {
    const char *recorded = trace_note(replay->cursor.trace, TRACE_NOTE_RECORDED);
    buffer[0] = '\0';
    if (!recorded || strcmp(recorded, "measured") != 0)
        return;
    moment_device(replay, buffer, size);
    if (utf8_columns(buffer) > columns)
        snprintf(buffer, size, "%s", explain_recording_word(recorded));
    if (utf8_columns(buffer) > columns)
        buffer[0] = '\0';
}

void moment_recording_note(const struct replay *replay, char *buffer, size_t size) {
    uint64_t dropped = trace_dropped(replay->cursor.trace);
    buffer[0] = '\0';
    if (replay->goes_on) {
        append(buffer, size,
               message_plural("running: %llu step so far", "running: %llu steps so far",
                              (unsigned long)replay->happened),
               (unsigned long long)replay->happened);
        return;
    }
    if (!trace_is_complete(replay->cursor.trace))
        append(buffer, size, "%s", _("recording ends early"));
    if (dropped)
        append(buffer, size, buffer[0] ? _(", ") : "");
    if (dropped)
        append(buffer, size,
               message_plural("%llu step not recorded", "%llu steps not recorded",
                              (unsigned long)dropped),
               (unsigned long long)dropped);
}

char *moment_finding(const struct moment *moment, const struct warp_finding *finding,
                     char buffer[MOMENT_FINDING_TEXT]) {
    char text[EXPLAIN_FINDING_TEXT];
    explain_finding(finding, moment->operation, moment->outcome, text, sizeof text);
    snprintf(buffer, MOMENT_FINDING_TEXT, _("! %s: %s"), warp_rule_name(finding->rule), text);
    return buffer;
}

const char *moment_status(const struct moment *moment, int lane) {
    static const char *const words[] = {
        [LANE_READ] = N_("read"),
        [LANE_OWN] = N_("own"),
        [LANE_UNDEFINED] = N_("undefined"),
        [LANE_ABSENT] = N_("absent"),
    };
    enum lane_status status = moment->outcome[lane].status;
    if (status == LANE_READ && !warp_op_info(moment->operation->op)->is_shuffle)
        return _("took part"); /* a vote, a match or a reduction does not read one lane */
    return _(words[status]);
}

/* The value that an undefined lane got, labelled as an observation. */
static void append_observation(const struct moment *moment, int lane, char *buffer, size_t size) {
    char value[WARP_VALUE_TEXT], bits[WARP_VALUE_TEXT];
    if (moment->operation->unfinished || !explain_out(moment->operation, lane, value)[0])
        return;
    if (is_gpu(moment->replay)) {
        append(buffer, size, _("; this GPU returned %s, an observation, not a rule"), value);
        return;
    }
    warp_value_format_bits(moment->operation->type, moment->operation->out[lane], bits);
    append(buffer, size, _("; the CPU warp returned %s, which no rule requires"), bits);
}

/* The call's input and output, under the names of the table's columns. How the lane uses the result
 * later is not included. */
static void append_result(const struct moment *moment, int lane, char *buffer, size_t size) {
    const struct lane_outcome *outcome = &moment->outcome[lane];
    if (outcome->status == LANE_UNDEFINED) {
        append_observation(moment, lane, buffer, size);
        return;
    }
    const char *in = moment->in[lane], *out = moment->out[lane];
    if (moment->phase == PHASE_MOVE && outcome->status != LANE_OWN)
        append(buffer, size, _(" and gives %s"), out);
    else
        append(buffer, size, _(": in %s, out %s"), in, out);
    if (moment->replay->cursor.disagreement >> lane & 1)
        append(buffer, size, "%s", _("; the rules say otherwise: the recording is wrong here"));
}

static bool states_result(const struct moment *moment, int lane) {
    return moment->info->is_shuffle && moment_present(moment, lane) && moment_shows_out(moment) &&
           !(moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_READS));
}

/* The last writer of the word that a lane accesses. */
static void append_writer(const struct moment *moment, int lane, char *buffer, size_t size) {
    const struct cursor *cursor = &moment->replay->cursor;
    struct shared_word word;
    if (!warp_op_is_access(moment->operation->op) || !moment_present(moment, lane) ||
        moment->hide & REPLAY_HIDES_LATER)
        return;
    shared_words(cursor->trace, &cursor->step, cursor->step.number,
                 moment->operation->arg[lane] / WARP_BANK_BYTES * WARP_BANK_BYTES, 1, &word);
    if (word.is_known && word.warp == cursor->step.warp)
        append(buffer, size, _("; last written by lane %d, step %llu"), word.lane,
               (unsigned long long)word.step);
    else if (word.is_known)
        append(buffer, size, _("; last written by lane %d of warp %u, step %llu"), word.lane,
               word.warp, (unsigned long long)word.step);
}

void moment_sentence(const struct moment *moment, int lane, char *buffer, size_t size) {
    enum phase phase = moment_visible_phase(moment);
    if (moment->hide & REPLAY_HIDES_CALL ||
        (moment->hide & REPLAY_HIDES_IN && phase == PHASE_BEFORE) ||
        (moment->hide & REPLAY_HIDES_ABSENT && !(moment->operation->present >> lane & 1))) {
        buffer[0] = '\0'; /* there is nothing to add beyond the value, or the lane makes no call */
        return;
    }
    struct warp_operation operation = *moment->operation;
    if (warp_op_is_global(operation.op)) /* the offset in the variable */
        operation.arg[lane] -= moment->variable.offset;
    explain_phase(&operation, &moment->outcome[lane], phase, lane, buffer, size);
    append_writer(moment, lane, buffer, size);
    if (states_result(moment, lane))
        append_result(moment, lane, buffer, size);
    if (!(moment->hide & REPLAY_HIDES_IN)) {
        const size_t length = strlen(buffer);
        explain_doubt(moment->operation, phase, lane, buffer + length, size - length);
    }
    if (!states_result(moment, lane))
        return;
    if (phase == PHASE_MOVE && warp_type_info(moment->operation->type)->bits == 64)
        append(buffer, size, "%s", _("; 64 bits travel as two 32-bit halves"));
}

/* "lane 5, group A (0-15): ..." without the group, which the picture shows too. */
static void drop_group(const struct moment *moment, int lane, char *sentence) {
    char clause[64];
    size_t length = strlen(explain_group_clause(moment->operation, lane, clause, sizeof clause));
    char *group = strstr(sentence, clause);
    if (length > 0 && group)
        memmove(group, group + length, strlen(group + length) + 1);
}

void moment_sentence_fit(const struct moment *moment, int lane, int columns, int rows, char *buffer,
                         size_t size) {
    moment_sentence(moment, lane, buffer, size);
    if (text_lines(buffer, columns, 2) <= rows)
        return;
    drop_group(moment, lane, buffer);
    if (text_lines(buffer, columns, 2) <= rows)
        return;
    const struct lane_outcome *outcome = &moment->outcome[lane];
    if (moment->hide & REPLAY_HIDES_CALL)
        return;
    explain_brief(moment->operation, outcome, moment_visible_phase(moment), lane, buffer, size);
    if (!states_result(moment, lane))
        return;
    size_t length = strlen(buffer);
    append_result(moment, lane, buffer, size);
    if (text_lines(buffer, columns, 2) > rows)
        buffer[length] = '\0';
}

/* A few words for a rule, where there is no room for its sentence. In English it is the rule's id,
 * which consists of words; other languages translate it, and `check` and view 5 name the id. */
static const char *rule_words(enum warp_rule rule) {
    static const char *const words[WARP_RULE_COUNT] = {
        [WARP_RULE_SOURCE_LANE_NOT_IN_MASK] = N_("source_lane_not_in_mask"),
        [WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK] = N_("participating_lane_not_in_mask"),
        [WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK] = N_("not_participating_lane_in_mask"),
        [WARP_RULE_DIVERGENT_MASK] = N_("divergent_mask"),
        [WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO] = N_("width_is_not_power_of_two"),
        [WARP_RULE_SOURCE_LANE_NOT_PRESENT] = N_("source_lane_not_present"),
        [WARP_RULE_MASK_FORGOTTEN] = N_("mask_forgotten"),
        [WARP_RULE_DISAGREES] = N_("recording_disagrees"),
    };
    return _(words[rule]);
}

void moment_finding_fit(const struct moment *moment, int lane, int columns, int rows, char *buffer,
                        size_t size) {
    char lanes[EXPLAIN_LANES_TEXT];
    buffer[0] = '\0';
    if (moment->finding_count == 0)
        return;
    const struct warp_finding *finding = &moment->findings[0];
    for (int i = moment->finding_count - 1; i >= 0; i--)
        if (moment->findings[i].lanes >> lane & 1)
            finding = &moment->findings[i];
    const char *rule = rule_words(finding->rule);
    char text[MOMENT_FINDING_TEXT];
    snprintf(buffer, size, "%s", moment_finding(moment, finding, text));
    if (text_lines(buffer, columns, 2) <= rows)
        return;
    snprintf(buffer, size, _("! %s: %s (5 explains)"), rule, explain_lanes(finding->lanes, lanes));
    if (utf8_columns(buffer) > columns)
        snprintf(buffer, size, _("! %s (5 explains)"), rule);
}

char *moment_formula_label(const struct moment *moment, int columns, char *buffer, size_t size) {
    const struct warp_operation *operation = moment->operation;
    const char *argument = moment->info->argument;
    int32_t arg;
    snprintf(buffer, size, "%s",
             is_vote(operation->op)             ? _("bit")
             : warp_op_is_shared(operation->op) ? _(" word bank")
             : warp_op_is_global(operation->op) ? _("  byte  sect")
                                                : "");
    if (!moment->info->is_shuffle)
        return buffer;
    if (operation->op == WARP_OP_IDX) {
        snprintf(buffer, size, "%s", columns >= (int)strlen(argument) ? argument : "src");
        return buffer;
    }
    char sign = explain_sign(operation->op);
    snprintf(buffer, size, "lane%c%s", sign, argument);
    if ((int)strlen(buffer) > columns) {
        if (warp_agree(operation->arg, operation->present, &arg))
            snprintf(buffer, size, "lane%c%d", sign, arg & 31);
        else
            snprintf(buffer, size, "l%carg", sign);
    }
    return buffer;
}

/* ---- values ---- */

/* "-1.23…e+30", "-92233…5799", "0x12…cdef": the end of a shortened integer, and the exponent of a
 * shortened float, still distinguish values. */
static void shorten(const char *value, int columns, char *buffer, size_t size) {
    const char *exponent = value[0] == '0' && value[1] == 'x' ? NULL : strchr(value, 'e');
    int length = (int)strlen(value), tail = exponent ? (int)strlen(exponent) : 0;
    if (!exponent && !strchr(value, '.'))
        tail = (columns - 1) / 2;
    if (columns - tail < 2)
        tail = 0;
    snprintf(buffer, size, "%.*s…%s", columns - 1 - tail, value, value + length - tail);
}

void draw_formula(struct area area, int x, int y, int columns, const char *formula,
                  struct style style) {
    char text[32];
    int length = (int)strlen(formula);
    if (length > columns && columns > 1) {
        snprintf(text, sizeof text, "…%s", formula + length - columns + 1);
        formula = text;
    }
    area_text_clipped(area, x, y, columns, formula, style);
}

void draw_value(struct area area, int x, int y, int columns, const char *value,
                struct style style) {
    char text[WARP_VALUE_TEXT + 8];
    int length = utf8_columns(value);
    if (columns <= 0)
        return;
    if (length > columns) {
        shorten(value, columns, text, sizeof text);
        value = text;
        length = columns;
    }
    area_text(area, x + columns - length, y, value, style);
}
