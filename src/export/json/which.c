#include "export/json/which.h"

#include "export/json/json_parts.h"

#include <stdlib.h>

static json_object *text_object(struct text *text) {
    json_object *made = json_string(text->data);
    text_release(text);
    return made;
}

/* Lists each width separately, so that a reader need not know which of them are equivalent. */
static json_object *call_object(const struct which_call *call) {
    json_object *object = json_new();
    json_object *widths = json_list();
    json_object *sources = json_list();
    struct text command = TEXT_INIT;
    text_append(&command, "shflviz ");
    which_append_command(call, &command);
    json_put(object, "op", json_string(warp_op_info(call->op)->name));
    json_put(object, "arg", call->expression[0] ? NULL : json_int(call->argument));
    json_put(object, "expression", call->expression[0] ? json_string(call->expression) : NULL);
    for (int width = WARP_LANES; width > 0; width /= 2)
        if (call->widths & (unsigned)width)
            json_append(widths, json_int(width));
    json_put(object, "widths", widths);
    json_put(object, "command", text_object(&command));
    for (int lane = 0; lane < WARP_LANES; lane++)
        json_append(sources, json_int(call->source[lane]));
    json_put(object, "sources", sources);
    json_put(object, "own", json_mask(call->own));
    return object;
}

void export_which_json(FILE *out, const struct which *which, const struct which_request *request,
                       const char *asked) {
    json_object *object = json_new();
    json_object *calls = json_list();
    struct text reason = TEXT_INIT;
    json_put(object, "schema", json_string("shflviz-which/1"));
    json_put(object, "asked", json_string(asked));
    json_put(object, "width", request->width ? json_int(request->width) : NULL);
    for (size_t i = 0; i < which->count; i++)
        json_append(calls, call_object(&which->calls[i]));
    json_put(object, "calls", calls);
    json_put(object, "nearest", which->has_nearest ? call_object(&which->nearest) : NULL);
    which_append_reason(which, request, &reason);
    json_put(object, "reason", reason.length ? json_string(reason.data) : NULL);
    text_release(&reason);
    json_write(out, object);
    fputc('\n', out);
}
