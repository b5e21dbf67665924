#include "base/error.h"

#include "base/text.h"
#include "base/text/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Formats into err at `used`, and marks a text that did not fit. Returns the new length. */
static size_t error_format(struct error *err, size_t used, const char *format, va_list arguments) {
    int wanted = vsnprintf(err->text + used, sizeof(err->text) - used, format, arguments);
    if (wanted < 0)
        return used;
    if ((size_t)wanted >= sizeof(err->text) - used) {
        used = utf8_cut_bytes(err->text, sizeof(err->text) - 4);
        memcpy(err->text + used, "...", 4);
        return sizeof(err->text) - 1;
    }
    return used + (size_t)wanted;
}

int error_set(struct error *err, enum error_kind kind, const char *format, ...) {
    if (err) {
        va_list arguments;
        err->kind = kind;
        va_start(arguments, format);
        error_format(err, 0, format, arguments);
        va_end(arguments);
    }
    return -1;
}

void error_append(struct error *err, const char *format, ...) {
    if (err) {
        va_list arguments;
        va_start(arguments, format);
        error_format(err, strlen(err->text), format, arguments);
        va_end(arguments);
    }
}

int error_set_errno(struct error *err, enum error_kind kind, int errno_value, const char *format,
                    ...) {
    if (err) {
        va_list arguments;
        err->kind = kind;
        va_start(arguments, format);
        size_t used = error_format(err, 0, format, arguments);
        va_end(arguments);
        if (used < sizeof(err->text) - 1)
            snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(errno_value));
    }
    return -1;
}

int error_set_silent(struct error *err, enum error_kind kind) {
    return error_set(err, kind, "%s", "");
}

int error_set_signal(struct error *err, int number) {
    if (err)
        err->signal = number;
    return error_set_silent(err, ERROR_SIGNAL);
}

int error_set_status(struct error *err, int status) {
    if (err)
        err->status = status;
    return error_set_silent(err, ERROR_STATUS);
}
