#include "base/complaint.h"

#include "base/message.h"
#include "base/text.h"

int complain(struct error *err, const char *option, const char *value, const char *wrong,
             const char *allowed, const char *attempt) {
    struct text text = TEXT_INIT;
    text_append_format(&text, "--%s", option);
    if (value)
        text_append_format(&text, ": '%s'", value);
    text_append_format(&text, " %s", wrong);
    if (allowed)
        text_append_format(&text, _("\nallowed: %s"), allowed);
    if (attempt)
        text_append_format(&text, _("\ntry: %s"), attempt);
    error_set(err, ERROR_USAGE, "%s", text.data);
    text_release(&text);
    return -1;
}
