#include "launch/recording.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct recording *recording_find(const char *name) {
    for (const struct recording *at = shflviz_recordings; at->name; at++)
        if (strcmp(at->name, name) == 0)
            return at;
    return NULL;
}

/* Recordings are read from mapped files, so this one is copied to an unnamed file. */
int recording_open(const struct recording *recording, struct trace **trace, struct error *err) {
    FILE *file = tmpfile();
    *trace = NULL;
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot create a temporary file"),
                               recording->name);
    int status = 0;
    if (fwrite(recording->bytes, 1, recording->size, file) != recording->size || fflush(file) != 0)
        status =
            error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be unpacked"), recording->name);
    else
        status = trace_open_descriptor(trace, fileno(file), recording->name, err);
    fclose(file);
    return status;
}

/* Describes input that is not a recording, such as the greeting of a shell or the output of a
 * command that fails. */
static int refuse_stream(const char *bytes, size_t count, struct error *err) {
    struct text line = TEXT_INIT;
    size_t length = 0;
    while (length < count && length < 120 && bytes[length] && bytes[length] != '\n')
        length++;
    char *begin = memory_alloc(length + 1);
    memcpy(begin, bytes, length);
    begin[length] = '\0';
    text_append_visible(&line, begin, UTF8_LINE);
    free(begin);
    error_set(err, ERROR_USAGE,
              count == 0 ? _("-: nothing arrived on standard input\ntry: see what the command "
                             "before the pipe says; it has to end in -o -")
                         : _("-: standard input is not a recording; it begins: %s\ntry: a command "
                             "before the pipe that ends in -o - and prints nothing else: ssh "
                             "without -t, a shell without a greeting"),
              line.data);
    text_release(&line);
    return -1;
}

/* A pipe cannot be mapped, so its content is copied to an unnamed file. */
static int standard_input_open(struct trace **trace, struct error *err) {
    static char bytes[1 << 16];
    const char *name = _("standard input");
    if (isatty(STDIN_FILENO))
        return error_set(err, ERROR_USAGE,
                         _("-: standard input is a terminal, not a recording\n"
                           "try: shflviz run FILE.cu -o - | shflviz replay -"));
    FILE *file = tmpfile();
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot create a temporary file"),
                               name);
    size_t count, total = 0;
    char first[128] = "";
    while ((count = fread(bytes, 1, sizeof bytes, stdin)) > 0 && !ferror(file)) {
        if (total == 0)
            memcpy(first, bytes, count < sizeof first ? count : sizeof first);
        if (total == 0) /* before this, the writing program may show its progress */
            progress_line_begin(_("reading standard input"));
        total += count;
        fwrite(bytes, 1, count, file);
    }
    int status = 0;
    if (total > 0)
        progress_line_end();
    if (ferror(stdin) || fflush(file) != 0 || ferror(file))
        status = error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be unpacked"), name);
    else if (total == 0 || isprint((unsigned char)first[0])) /* no recording begins with a letter */
        status = refuse_stream(first, total < sizeof first ? total : sizeof first, err);
    else
        status = trace_open_descriptor(trace, fileno(file), name, err);
    fclose(file);
    return status;
}

int recording_or_file_open(const char *name, struct trace **trace, struct error *err) {
    *trace = NULL;
    if (strcmp(name, "-") == 0)
        return standard_input_open(trace, err);
    const struct recording *recording = access(name, F_OK) == 0 ? NULL : recording_find(name);
    return recording ? recording_open(recording, trace, err) : trace_open(trace, name, err);
}

int recordings_list(FILE *out, struct error *err) {
    int widest = 0;
    for (const struct recording *at = shflviz_recordings; at->name; at++)
        if ((int)strlen(at->name) > widest)
            widest = (int)strlen(at->name);
    for (const struct recording *at = shflviz_recordings; at->name; at++) {
        struct trace *trace;
        if (recording_open(at, &trace, err) != 0)
            return -1;
        const char *title = trace_note(trace, TRACE_NOTE_TITLE);
        const char *device = trace_note(trace, TRACE_NOTE_NAME);
        fprintf(out, "%-*s  %s  (%s)\n", widest, at->name, title ? title : "",
                device ? device : "?");
        trace_close(trace);
    }
    return 0;
}
