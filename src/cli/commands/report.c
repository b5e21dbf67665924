#include "base/file.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/show.h"
#include "export/class_report.h"

#include <limits.h>

#define FILE_MOST (64 << 20) /* bytes */

static int add_files(struct class_report *report, const struct options *options,
                     struct error *err) {
    int status = 0;
    for (int i = 0; status == 0 && i < options->operand_count; i++) {
        struct text text = TEXT_INIT;
        const char *path = options->operands[i];
        status = file_read(path, FILE_MOST, &text, err) == FILE_READ
                     ? class_report_add(report, path, text.data, text.length, err)
                     : -1;
        text_release(&text);
    }
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    const enum format format = options->format == FORMAT_AUTO ? FORMAT_TEXT : options->format;
    if (format != FORMAT_TEXT && format != FORMAT_CSV) {
        show_refuse_format(options, _("is not a format for reports"), "text csv", err);
        return error_prefix(err, "%s", command->name);
    }
    struct class_report *report = class_report_new();
    int status = add_files(report, options, err);
    if (status == 0) {
        (format == FORMAT_CSV ? class_report_csv : class_report_text)(stdout, report);
        status = show_finish(err);
    } else {
        error_prefix(err, "%s", command->name);
    }
    class_report_free(report);
    return status;
}

const struct command command_report = {
    .name = "report",
    .summary = N_("a class at a glance: student by exercise, and common mistakes"),
    .about = N_("Reads the files that grade --format json, exercise check --format json, --results "
                "and --collect wrote. A file named after its exercise belongs to the student named "
                "by its folder; other files are named after the student. Shows an exercise's "
                "verdict, and how many answers in a lesson or quiz were right on the first try "
                "(with --collect: on any try)."),
    .operand = "FILE...",
    .operand_kinds = OPERAND_FILES,
    .operands_needed = 1,
    .operands_most = INT_MAX,
    .options = OPTION_BIT(OPTION_FORMAT),
    .examples = {"report grades.json", "report grades.json handed-in/*.json --format csv"},
    .run = run,
};
