/* Steps of a recording as Markdown, with GitHub's tables. */
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "explain/explain.h"
#include "explain/findings/finding.h"
#include "explain/shared.h"
#include "export/figures/paper.h"
#include "export/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct document {
    FILE *out;
    const struct trace *trace;
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct shared_variable variable; /* of an access to memory */
};

/* Escapes what is special in Markdown: these texts come from programs. */
static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        if (strchr("\\`*_{}[]<>#|~&", *text))
            putc('\\', out);
        putc(*text == '\n' ? ' ' : *text, out);
    }
}

/* The same at the beginning of a line, where blanks, dashes and numbers are special, too: code, a
 * rule, a list. */
static void put_escaped_first(FILE *out, const char *text) {
    text += strspn(text, " \t\n");
    const size_t digits = strspn(text, "0123456789");
    fwrite(text, 1, digits, out);
    text += digits;
    if (*text && strchr(digits > 0 ? ".)" : "-+=", *text))
        putc('\\', out);
    put_escaped(out, text);
}

/* The most backticks in a row. */
static size_t backticks(const char *text) {
    size_t most = 0;
    for (text += strcspn(text, "`"); *text; text += strcspn(text, "`")) {
        const size_t row = strspn(text, "`");
        most = row > most ? row : most;
        text += row;
    }
    return most;
}

/* Code on one line; the text is enclosed in more backticks than it has in a row. */
static void put_code(FILE *out, const char *text) {
    const size_t fence = backticks(text) + 1;
    if (!*text)
        return;
    for (size_t i = 0; i < fence; i++)
        putc('`', out);
    fprintf(out, fence > 1 ? " %s " : "%s", text);
    for (size_t i = 0; i < fence; i++)
        putc('`', out);
}

static void put_reads(const struct document *document, int lane) {
    const struct lane_outcome *outcome = &document->outcome[lane];
    switch (outcome->status) {
    case LANE_READ:
        fprintf(document->out, "%d", outcome->address.source);
        break;
    case LANE_OWN:
        fprintf(document->out, _("%d (own)"), lane);
        break;
    case LANE_UNDEFINED:
        fprintf(document->out, _("%d (undefined)"), outcome->address.source);
        break;
    case LANE_ABSENT:
        break;
    }
}

/* For an access to memory: the byte in its variable, the old and the new value. */
static void put_access(const struct document *document, int lane) {
    const struct warp_operation *operation = &document->step.operation;
    char was[WARP_VALUE_TEXT], is[WARP_VALUE_TEXT];
    if (operation->present >> lane & 1)
        fprintf(document->out, "| %d | %" PRId32 " | %s | %s |\n", lane,
                operation->arg[lane] - document->variable.offset,
                explain_in_marked(operation, lane, was), explain_out_marked(operation, lane, is));
    else
        fprintf(document->out, "| %d | · | · | · |\n", lane);
}

static void put_lane(const struct document *document, int lane) {
    const struct warp_operation *operation = &document->step.operation;
    if (warp_op_is_access(operation->op)) {
        put_access(document, lane);
        return;
    }
    const bool shuffle = warp_op_info(operation->op)->is_shuffle;
    const bool present = operation->present >> lane & 1;
    char value[WARP_VALUE_TEXT], formula[64];
    const int group = shuffle ? explain_group(operation, lane) : -1;
    fprintf(document->out, "| %d |", lane);
    if (shuffle)
        fprintf(document->out, group < 0 ? " ? |" : " %c |", group < 0 ? '?' : group_letter(group));
    const bool brings = operation->op != WARP_OP_ACTIVEMASK; /* a query takes no value */
    fprintf(document->out, " %s |",
            !present ? "·"
            : brings ? explain_in_marked(operation, lane, value)
                     : "");
    if (shuffle) {
        putc(' ', document->out);
        put_escaped(document->out,
                    present ? explain_formula(operation, lane, formula, sizeof formula) : "");
        fputs(" | ", document->out);
        put_reads(document, lane);
        fputs(" |", document->out);
    }
    const bool undefined = document->outcome[lane].status == LANE_UNDEFINED;
    fprintf(document->out, " %s |\n",
            !present    ? "·"
            : undefined ? "?"
                        : explain_out_marked(operation, lane, value));
}

static void put_findings(const struct document *document) {
    struct warp_finding findings[WARP_FINDINGS_MAX];
    const int count = warp_findings(&document->step.operation, document->outcome, findings);
    char text[EXPLAIN_FINDING_TEXT];
    for (int i = 0; i < count; i++) {
        explain_finding(&findings[i], &document->step.operation, document->outcome, text,
                        sizeof text);
        fprintf(document->out, "- **%s**: ", warp_rule_name(findings[i].rule));
        put_escaped(document->out, text);
        putc('\n', document->out);
    }
    if (count)
        putc('\n', document->out);
}

static void put_step(const struct document *document) {
    const struct warp_operation *operation = &document->step.operation;
    const struct trace_site *site = trace_site(document->trace, document->step.site);
    char text[512];
    fprintf(document->out, _("## Step %" PRIu64 ": %s\n\n"), document->step.number,
            warp_op_info(operation->op)->name);
    if (site) {
        put_code(document->out, site->text);
        fputs(" (", document->out);
        put_escaped(document->out, site->file);
        fprintf(document->out, ":%" PRIu32 ")", site->line);
    }
    fprintf(document->out,
            site ? _(", block %" PRIu64 ", warp %" PRIu32 "\n\n")
                 : _("block %" PRIu64 ", warp %" PRIu32 "\n\n"),
            document->step.block, document->step.warp);
    if (warp_op_is_access(operation->op)) {
        put_escaped_first(document->out, document->variable.name);
        fputs(_(": "), document->out);
    }
    put_escaped(document->out, explain_operation(operation, text, sizeof text));
    fputs("\n\n", document->out);
    put_findings(document);
    if (warp_op_info(operation->op)->is_shuffle)
        fprintf(document->out, "| %s | %s | %s | %s | %s | %s |\n|--:|:-:|--:|:--|--:|--:|\n",
                _("lane"), _("group"), _("in"), _("formula"), _("reads"), _("out"));
    else if (warp_op_is_access(operation->op))
        fprintf(document->out, "| %s | %s | %s | %s |\n|--:|--:|--:|--:|\n", _("lane"), _("byte"),
                _("was"), _("is"));
    else
        fprintf(document->out, "| %s | %s | %s |\n|--:|--:|--:|\n", _("lane"), _("in"), _("out"));
    for (int lane = 0; lane < WARP_LANES; lane++)
        put_lane(document, lane);
    putc('\n', document->out);
}

/* Local variables line by line, in a block that no text in them can end. */
static int put_lines(FILE *out, const struct trace *trace, struct error *err) {
    char *text = NULL;
    size_t length = 0;
    FILE *lines = open_memstream(&text, &length);
    if (!lines)
        memory_exhausted();
    const int status = export_lines_text(lines, trace, NULL, err);
    if (fclose(lines) != 0)
        memory_exhausted();
    if (status == 0 && length > 0) {
        const size_t longest = backticks(text), fence = longest < 3 ? 3 : longest + 1;
        fprintf(out, "## %s\n\n", _("Local variables"));
        for (size_t i = 0; i < fence; i++)
            putc('`', out);
        fprintf(out, "text%s", text); /* it begins with an empty line */
        for (size_t i = 0; i < fence; i++)
            putc('`', out);
        putc('\n', out);
    }
    free(text);
    return status;
}

int paper_markdown(FILE *out, const struct trace *trace, const struct paper_options *opts,
                   const char *title, struct error *err) {
    uint64_t steps[PAPER_STEPS_MOST];
    size_t count;
    struct document document = {.out = out, .trace = trace};
    const char *device = trace_note(trace, TRACE_NOTE_NAME);
    const char *recorded = trace_note(trace, TRACE_NOTE_RECORDED);
    if (paper_steps(trace, opts, true, steps, &count, err) != 0)
        return -1;
    fputs("# ", out);
    put_escaped(out, title);
    fputs("\n\n", out);
    put_escaped_first(out, device ? device : "?");
    fputs(", ", out);
    put_escaped(out, recorded ? recorded : "?");
    fprintf(out, _("; %zu of %" PRIu64 " steps\n\n"), count, trace_step_count(trace));
    for (size_t i = 0; i < count && !ferror(out); i++) {
        if (trace_step(trace, steps[i], &document.step, err) != 0)
            return -1;
        warp_outcome(&document.step.operation, document.outcome);
        const struct warp_operation *operation = &document.step.operation;
        if (warp_op_is_access(operation->op))
            document.variable = shared_variable_at(
                trace, operation->op, operation->arg[__builtin_ctz(operation->present)]);
        put_step(&document);
    }
    return put_lines(out, trace, err);
}
