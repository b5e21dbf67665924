#include "export/csv_field.h"

#include <string.h>

static bool begins_formula(const char *field) {
    static const char *const signs[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    field += strspn(field, " \t\r\n\"'");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(field, signs[i], strlen(signs[i])) == 0)
            return true;
    return false;
}

void csv_append_field(struct text *to, const char *field) {
    const bool is_quoted = strpbrk(field, ",;\"\r\n") != NULL;
    if (is_quoted)
        text_append_char(to, '"');
    if (begins_formula(field))
        text_append_char(to, '\'');
    for (; *field; field++) {
        if (*field == '"')
            text_append_char(to, '"');
        text_append_char(to, *field);
        if (*field == ';' && begins_formula(field + 1))
            text_append_char(to, '\'');
    }
    if (is_quoted)
        text_append_char(to, '"');
}
