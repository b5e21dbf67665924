#include "launch/recording.h"

#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct recording *recording_find(const char *name) {
    for (const struct recording *at = shflviz_recordings; at->name; at++)
        if (strcmp(at->name, name) == 0)
            return at;
    return NULL;
}

/* Recordings are read from mapped files, so this one becomes a file without a name. */
int recording_open(const struct recording *recording, struct trace **trace, struct error *err) {
    FILE *file = tmpfile();
    *trace = NULL;
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno,
                               _("%s: cannot create a temporary file for it"), recording->name);
    int status = 0;
    if (fwrite(recording->bytes, 1, recording->size, file) != recording->size || fflush(file) != 0)
        status =
            error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be unpacked"), recording->name);
    else
        status = trace_open_descriptor(trace, fileno(file), recording->name, err);
    fclose(file);
    return status;
}

/* A pipe cannot be mapped, so what comes out of it becomes a file without a name. */
static int standard_input_open(struct trace **trace, struct error *err) {
    static char bytes[1 << 16];
    const char *name = _("standard input");
    if (isatty(STDIN_FILENO))
        return error_set(err, ERROR_USAGE,
                         _("-: standard input is a terminal, not a recording\n"
                           "try: shflviz run FILE.cu -o - | shflviz replay -"));
    FILE *file = tmpfile();
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno,
                               _("%s: cannot create a temporary file for it"), name);
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, stdin)) > 0 && !ferror(file))
        fwrite(bytes, 1, count, file);
    int status = 0;
    if (ferror(stdin) || fflush(file) != 0 || ferror(file))
        status = error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be unpacked"), name);
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
