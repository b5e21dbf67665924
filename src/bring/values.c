#include "bring/values.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

int bring_value_read(struct bring_value *value, const char *text, struct error *err) {
    const char *equals = strchr(text, '=');
    *value = (struct bring_value){.count = 0};
    if (!equals || equals == text || equals[1] == '\0')
        return error_set(err, ERROR_USAGE,
                         _("--arg: '%s' is not a parameter value\nallowed: NAME=VALUE, "
                           "NAME=TYPE[COUNT]:VALUES\ntry: --arg n=64, --arg in=float[64]:lane"),
                         text);
    const char *begin = equals + 1, *bracket = begin + strcspn(begin, "[:(");
    struct text name = TEXT_INIT, type = TEXT_INIT;
    text_append_bytes(&name, text, (size_t)(equals - text));
    value->name = text_detach(&name);
    if (*bracket == '[') {
        char *end;
        const unsigned long count = strtoul(bracket + 1, &end, 0);
        if (*end != ']' || count == 0 || count > (1ul << 26) || (end[1] && end[1] != ':'))
            return error_set(err, ERROR_USAGE,
                             _("--arg: '%s' does not say how many values it has\n"
                               "allowed: 1 to 67108864 between [ and ], then : and the values\n"
                               "try: --arg in=float[64]:lane"),
                             text);
        text_append_bytes(&type, begin, (size_t)(bracket - begin));
        value->count = count;
        begin = end[1] ? end + 2 : "0";
    }
    value->type = text_detach(&type);
    value->values = memory_string(begin);
    return 0;
}

void bring_value_release(struct bring_value *value) {
    free(value->name);
    free(value->type);
    free(value->values);
}

static void copy_value(struct bring_value *to, const struct bring_value *from) {
    *to = (struct bring_value){memory_string(from->name), memory_string(from->type),
                               memory_string(from->values), from->count};
}

void bring_launch_set_value(struct bring_launch *launch, const struct bring_value *value) {
    for (size_t i = 0; i < launch->value_count; i++)
        if (strcmp(launch->values[i].name, value->name) == 0) {
            bring_value_release(&launch->values[i]);
            copy_value(&launch->values[i], value);
            return;
        }
    launch->values = memory_grow(launch->values, launch->value_count + 1, sizeof *launch->values);
    copy_value(&launch->values[launch->value_count++], value);
}
