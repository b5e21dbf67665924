/*
 * Any bytes may be a name, a text or a program's output. They are split completely, no control
 * character is left, and a cut does not split a character.
 */
#include "base/text.h"
#include "require.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(const char *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        char again[UTF8_MAX];
        const struct utf8_character character = utf8_decode(bytes + i, length - i);
        require(character.bytes >= 1 && character.bytes <= length - i, "a character's bytes");
        require(!character.valid || (utf8_encode(character.code, again) == character.bytes &&
                                     memcmp(again, bytes + i, character.bytes) == 0),
                "a character is written in another way");
        i += character.bytes;
    }
    for (size_t left = length; left > 0;) {
        const size_t last = utf8_last(bytes, left);
        require(last < left, "the last character is empty");
        left = last;
    }
}

static void show(const char *bytes, size_t length, enum utf8_layout layout) {
    char *shown = string_of((const unsigned char *)bytes, length);
    char *again = string_of((const unsigned char *)bytes, length);
    const size_t count = utf8_visible(shown, bytes, length, layout);
    require(count <= length, "more is shown than there was");
    require_shown(shown, count);
    require(layout == UTF8_LINES || !memchr(shown, '\n', count), "a name of two lines");
    require(utf8_visible(again, again, length, layout) == count && !memcmp(again, shown, count),
            "not the same in place");
    require(utf8_visible(again, shown, count, layout) == count && !memcmp(again, shown, count),
            "not the same a second time");
    free(shown);
    free(again);
}

static void cut(const char *string) {
    const size_t length = strlen(string);
    size_t fits = 0;
    for (size_t most = 0; most <= length && most < 40; most++) {
        const size_t before = fits;
        fits = utf8_cut_bytes(string, most);
        require(fits <= most && fits >= before, "a cut by bytes");
        char *start = string_of((const unsigned char *)string, utf8_cut_columns(string, (int)most));
        require(utf8_columns(start) <= (int)most, "a cut by columns");
        free(start);
    }
}

static void name(const char *string) {
    struct text message = TEXT_INIT;
    const char *shown = utf8_name(string);
    require(strlen(shown) < UTF8_NAME_SIZE && !strchr(shown, '\n'), "a name");
    require_shown(shown, strlen(shown));
    text_append_format(&message, "%s: no such file", string);
    utf8_join_names(message.data, &string, 1);
    require(!strpbrk(message.data, "\r\n"), "a name begins a line");
    text_release(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *string = string_of(data, size);
    decode(string, size);
    show(string, size, UTF8_LINE);
    show(string, size, UTF8_LINES);
    cut(string);
    name(string);
    free(string);
    return 0;
}
