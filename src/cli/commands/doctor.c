#include "cli/doctor.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/show.h"
#include "cudacpu/cudacpu.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

static void print_columns(const char *string, int columns) {
    const int rest = columns - utf8_columns(string);
    printf("%s%*s", string, (rest > 0 ? rest : 0) + 2, "");
}

static void print_text(const struct doctor_report *report) {
    printf("shflviz %s\n\n", SHFLVIZ_VERSION);
    for (size_t i = 0; i < report->count; i++) {
        print_columns(report->lines[i].name, 10);
        print_columns(report->lines[i].present ? _("yes") : _("no"), 3);
        puts(report->lines[i].text);
    }
}

static void print_json(const struct doctor_report *report) {
    json_object *object = json_object_new_object();
    json_object *list = json_object_new_array();
    json_object_object_add(object, "version", json_object_new_string(SHFLVIZ_VERSION));
    for (size_t i = 0; i < report->count; i++) {
        json_object *line = json_object_new_object();
        json_object_object_add(line, "name", json_object_new_string(report->lines[i].name));
        json_object_object_add(line, "present", json_object_new_boolean(report->lines[i].present));
        json_object_object_add(line, "text", json_object_new_string(report->lines[i].text));
        json_object_array_add(list, line);
    }
    json_object_object_add(object, "machine", list);
    puts(json_object_to_json_string_ext(object,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct doctor_report report;
    if (options->given & OPTION_BIT(OPTION_FORMAT) && options->format != FORMAT_TEXT &&
        options->format != FORMAT_JSON) {
        show_refuse_format(options, _("is not a format for this report"), "text json", err);
        return error_prefix(err, "%s", command->name);
    }
    if (options->format == FORMAT_JSON)
        message_language_use("en"); /* scripts read it */
    progress_line_begin(_("looking at this machine"));
    doctor_examine(&report);
    progress_line_end();
    if (options->format == FORMAT_JSON)
        print_json(&report);
    else
        print_text(&report);
    user_program_prepare(); /* so that the first program builds as fast as the others */
    return show_finish(err);
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = N_("what this machine offers: devices, compilers, terminal"),
    .about = N_("Looks at what shflviz can use on this machine: the CPU warp, a GPU, compilers, "
                "the terminal. Only the CPU warp is required; the exit status is 0. The header "
                "that your own programs begin with is compiled afterwards, in the background, and "
                "kept; doctor names its folder, which may be removed."),
    .options = OPTION_BIT(OPTION_FORMAT),
    .examples = {"doctor", "doctor --format json"},
    .run = run,
};
