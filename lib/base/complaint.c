#include "base/complaint.h"

#include "base/message.h"
#include "base/text.h"

int complain(struct error *err, const struct complaint *complaint) {
    struct text text = TEXT_INIT;
    text_append_format(&text, "--%s", complaint->option);
    if (complaint->value)
        text_append_format(&text, ": '%s'", complaint->value);
    text_append_format(&text, " %s", complaint->wrong);
    if (complaint->allowed)
        text_append_format(&text, _("\nallowed: %s"), complaint->allowed);
    if (complaint->attempt)
        text_append_format(&text, _("\ntry: %s"), complaint->attempt);
    error_set(err, ERROR_USAGE, "%s", text.data);
    text_release(&text);
    return -1;
}
