#include "exercise/translate.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define NUMBERS_MOST 8

/* The length in bytes of the number that begins at `at`; 0 if there is none. `before` is the byte
 * before it. */
static size_t number_length(const char *at, char before) {
    const size_t sign = *at == '-' && !isalnum((unsigned char)before);
    if (!isdigit((unsigned char)at[sign]) || isalpha((unsigned char)before) || before == '_')
        return 0;
    size_t length = sign + strspn(at + sign, "0123456789.");
    if (at[length] == 'e' && strchr("+-", at[length + 1]) && at[length + 1])
        length += 2 + strspn(at + length + 2, "0123456789");
    return length;
}

char *translate_case(const char *name) {
    struct text key = TEXT_INIT, text = TEXT_INIT;
    const char *numbers[NUMBERS_MOST];
    size_t lengths[NUMBERS_MOST], count = 0, used = 0;
    for (const char *c = name; *c;) {
        const size_t length = number_length(c, c > name ? c[-1] : ' ');
        if (length > 0 && count < NUMBERS_MOST) {
            numbers[count] = c;
            lengths[count++] = length;
            text_append(&key, "%s");
            c += length;
        } else {
            text_append_char(&key, *c++);
        }
    }
    const char *translation = message(key.data);
    if (translation == key.data)
        translation = name; /* and not the key: a name may itself contain a % */
    for (const char *c = translation; *c;) {
        if (translation != name && c[0] == '%' && c[1] == 's' && used < count) {
            text_append_bytes(&text, numbers[used], lengths[used]);
            used++;
            c += 2;
        } else {
            text_append_char(&text, *c++);
        }
    }
    text_release(&key);
    return text_detach(&text);
}

/* The start of a line's comment, or NULL. Skeletons have no strings with // in them. */
static const char *comment_of(const char *line, const char *end) {
    for (const char *c = line; c + 2 < end; c++)
        if (memcmp(c, "// ", 3) == 0)
            return c;
    return NULL;
}

static bool is_blank(const char *from, const char *to) {
    return from + strspn(from, " ") >= to;
}

char *translate_comments(const char *source) {
    struct text text = TEXT_INIT, words = TEXT_INIT;
    while (*source) {
        const char *end = source + strcspn(source, "\n");
        const char *comment = comment_of(source, end);
        if (!comment) {
            text_append_bytes(&text, source, (size_t)(end - source) + (*end == '\n'));
            source = end + (*end == '\n');
            continue;
        }
        const char *original = source;
        const bool alone = is_blank(source, comment);
        const size_t indent = (size_t)(comment - source);
        text_append_bytes(&text, source, indent);
        text_clear(&words);
        for (;;) {
            text_append_bytes(&words, comment + 3, (size_t)(end - comment) - 3);
            source = end + (*end == '\n');
            end = source + strcspn(source, "\n");
            comment = comment_of(source, end);
            if (!alone || !comment || !is_blank(source, comment))
                break;
            text_append_char(&words, ' ');
        }
        const char *translation = message(words.data);
        if (translation == words.data)
            text_append_bytes(&text, original + indent, (size_t)(source - original) - indent);
        else
            text_append_format(&text, "// %s\n", translation);
    }
    text_release(&words);
    return text_detach(&text);
}
