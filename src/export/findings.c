/*
 * Each format has its own walk over the findings. SARIF's fingerprints are made from parts that do
 * not change when lines are added above, so that a code review tool recognises an old finding.
 */
#include "export/findings.h"

#include "check/rule.h"
#include "export/export.h"
#include "export/json/json_parts.h"

#include <inttypes.h>
#include <string.h>

#define SARIF_SCHEMA                                                                               \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* ---- JSON ---- */

static json_object *other_access(const struct check_other *other) {
    if (!other->file)
        return NULL;
    json_object *object = json_new();
    json_put(object, "file", json_string(other->file));
    json_put(object, "line", json_int(other->line));
    json_put(object, "block", json_triple(other->block));
    json_put(object, "warp", json_int(other->warp));
    json_put(object, "lanes", json_mask(other->lanes));
    return object;
}

json_object *json_finding(const struct check_finding *finding) {
    json_object *object = json_new();
    json_put(object, "rule", json_string(finding->rule));
    json_put(object, "step", finding->has_step ? json_uint(finding->step) : NULL);
    json_put(object, "lanes", finding->has_lanes ? json_mask(finding->lanes) : NULL);
    json_put(object, "message", json_string(finding->message));
    json_put(object, "file", json_string(finding->file));
    json_put(object, "line", finding->line ? json_int(finding->line) : NULL);
    json_put(object, "kernel", json_string(finding->kernel));
    json_put(object, "block", finding->has_lanes ? json_triple(finding->block) : NULL);
    json_put(object, "warp", finding->has_lanes ? json_int(finding->warp) : NULL);
    json_put(object, "count", json_uint(finding->count));
    json_put(object, "instead", json_string(finding->instead));
    json_put(object, "schedule", json_uint(finding->schedule));
    json_put(object, "other", other_access(&finding->other));
    json_put(object, "follows", json_flag(finding->follows));
    json_put(object, "note", json_flag(check_rule_is_note(finding->rule)));
    return object;
}

void export_report_json(FILE *out, const struct check_report *report, const struct trace *trace) {
    fputs("{", out);
    if (trace) {
        json_write_head(out, trace);
        fputs(",\n", out);
    } else {
        fputs("\"schema\":\"" EXPORT_SCHEMA "\",\n", out);
    }
    fputs("\"findings\":[\n", out);
    for (size_t i = 0; i < report->count; i++) {
        json_write(out, json_finding(&report->finding[i]));
        fputs(i + 1 < report->count ? ",\n" : "\n", out);
    }
    fprintf(out, "],\n\"dropped\":%" PRIu64 ",\"complete\":%s}\n", trace ? trace_dropped(trace) : 0,
            trace && trace_is_complete(trace) ? "true" : "false");
}

/* ---- SARIF ---- */

static json_object *message(const char *text) {
    json_object *object = json_new();
    json_put(object, "text", json_string(text ? text : ""));
    return object;
}

static json_object *rule_object(const struct check_rule *rule) {
    struct text help = TEXT_INIT;
    json_object *object = json_new();
    json_put(object, "id", json_string(rule->id));
    json_put(object, "shortDescription", message(rule->what));
    json_put(object, "fullDescription", message(rule->why));
    text_append_format(&help, "%s\nInstead: %s.", rule->why, rule->instead);
    if (*rule->source)
        text_append_format(&help, "\nSource: %s", rule->source);
    json_put(object, "help", message(help.data));
    text_release(&help);
    return object;
}

static json_object *location(const char *file, uint32_t line) {
    json_object *object = json_new(), *physical = json_new();
    json_object *artifact = json_new(), *region = json_new();
    struct text uri = TEXT_INIT;
    for (const char *c = file; *c; c++) /* RFC 3986 */
        if (strchr(" \"<>\\^`{|}%?#[]", *c) || (unsigned char)*c >= 0x80)
            text_append_format(&uri, "%%%02X", (unsigned char)*c);
        else
            text_append_char(&uri, *c);
    json_put(artifact, "uri", json_string(uri.data));
    text_release(&uri);
    json_put(region, "startLine", json_int(line));
    json_put(physical, "artifactLocation", artifact);
    json_put(physical, "region", region);
    json_put(object, "physicalLocation", physical);
    return object;
}

static json_object *kernel_location(const char *kernel) {
    json_object *object = json_new(), *array = json_list();
    json_put(object, "fullyQualifiedName", json_string(kernel));
    json_put(object, "kind", json_string("function"));
    json_append(array, object);
    return array;
}

/* Hashes (FNV-1a) the rule, the file, and the text of the line or call, none of which change when
 * lines are added above. */
static void fingerprint(const struct check_report *report, size_t index, const struct trace *trace,
                        char text[24]) {
    const struct check_finding *finding = &report->finding[index];
    const char *source = trace && finding->file ? trace_source(trace, finding->file) : NULL;
    for (uint32_t line = 1; source && line < finding->line; line++) {
        const char *end = strchr(source, '\n');
        source = end ? end + 1 : NULL;
    }
    uint64_t hash = UINT64_C(14695981039346656037);
    const char *const parts[] = {finding->rule, finding->file, source ? source : finding->text};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; c && *c && *c != '\n'; c++)
            if (*c != ' ' && *c != '\t')
                hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
        hash = hash * UINT64_C(1099511628211);
    }
    snprintf(text, 24, "%016" PRIx64, hash);
}

static json_object *result_object(const struct check_report *report, size_t index,
                                  const struct trace *trace) {
    const struct check_finding *finding = &report->finding[index];
    json_object *object = json_new(), *array;
    struct text words = TEXT_INIT;
    char hash[24];
    json_put(object, "ruleId", json_string(finding->rule));
    for (size_t i = 0; check_rule_at(i); i++)
        if (strcmp(check_rule_at(i)->id, finding->rule) == 0)
            json_put(object, "ruleIndex", json_uint(i));
    json_put(object, "level", json_string(check_rule_is_note(finding->rule) ? "note" : "error"));
    text_append(&words, finding->message ? finding->message : finding->rule);
    if (finding->instead)
        text_append_format(&words, ". Instead: %s.", finding->instead);
    json_put(object, "message", message(words.data));
    text_release(&words);
    if (finding->file && finding->line) {
        json_object *at = location(finding->file, finding->line);
        if (finding->kernel)
            json_put(at, "logicalLocations", kernel_location(finding->kernel));
        json_append(array = json_list(), at);
        json_put(object, "locations", array);
    }
    if (finding->other.file && finding->other.line) {
        json_object *related = location(finding->other.file, finding->other.line);
        json_put(related, "message", message("the other access"));
        json_append(array = json_list(), related);
        json_put(object, "relatedLocations", array);
    }
    json_put(object, "occurrenceCount", json_uint(finding->count ? finding->count : 1));
    json_object *prints = json_new();
    fingerprint(report, index, trace, hash);
    json_put(prints, "ruleFileText/v1", json_string(hash));
    json_put(object, "partialFingerprints", prints);
    return object;
}

void export_report_sarif(FILE *out, const struct check_report *report, const struct trace *trace) {
    json_object *driver = json_new(), *rules = json_list();
    for (size_t i = 0; check_rule_at(i); i++)
        json_append(rules, rule_object(check_rule_at(i)));
    json_put(driver, "name", json_string("shflviz"));
    json_put(driver, "rules", rules);
    json_object *tool = json_new(), *results = json_list();
    json_put(tool, "driver", driver);
    for (size_t i = 0; i < report->count; i++)
        json_append(results, result_object(report, i, trace));
    json_object *run = json_new(), *runs = json_list();
    json_put(run, "tool", tool);
    json_put(run, "columnKind", json_string("utf16CodeUnits"));
    json_put(run, "results", results);
    json_append(runs, run);
    json_object *log = json_new();
    json_put(log, "$schema", json_string(SARIF_SCHEMA));
    json_put(log, "version", json_string("2.1.0"));
    json_put(log, "runs", runs);
    json_write(out, log);
    fputs("\n", out);
}
