#include "base/message.h"

#include "base/catalogue.h"
#include "base/languages.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LANGUAGE(code, identifier) extern const char shflviz_catalogue_##identifier[];
LANGUAGES
#undef LANGUAGE

/* By index: English first, which needs no catalogue. */
#define LANGUAGE(code, identifier) #code,
static const char *const codes[] = {"en", LANGUAGES NULL};
#undef LANGUAGE
#define LANGUAGE(code, identifier) shflviz_catalogue_##identifier,
static const char *const sources[] = {NULL, LANGUAGES NULL};
#undef LANGUAGE

enum { LANGUAGE_COUNT = sizeof sources / sizeof *sources - 1 };

/* The whole program has one language, like the locale; otherwise every text would have to carry
 * one. Catalogues are kept once read, because their texts may be in use. */
static size_t in_use;
static struct catalogue *catalogues[LANGUAGE_COUNT + 1];

const char *message(const char *english) {
    const char *found = in_use ? catalogue_find(catalogues[in_use], english) : NULL;
    return found ? found : english;
}

const char *message_plural(const char *one, const char *many, unsigned long count) {
    const char *found = in_use ? catalogue_find_plural(catalogues[in_use], one, count) : NULL;
    if (found)
        return found;
    return count == 1 ? one : many;
}

const char *message_language(void) {
    return codes[in_use];
}

const char *const *message_languages(void) {
    return codes;
}

/* True if the first `length` bytes of a locale's name are this code; '-' and '_' are the same. */
static bool is_code(const char *code, const char *name, size_t length) {
    if (strlen(code) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = name[i] == '-' ? '_' : name[i];
        if (strncasecmp(&c, &code[i], 1) != 0)
            return false;
    }
    return true;
}

/* The index of the language nearest to the first `length` bytes of `name`, or -1. */
static int nearest(const char *name, size_t length) {
    const size_t bare = strcspn(name, ".@:");
    for (size_t end = bare < length ? bare : length; end > 0;) {
        for (int i = 0; i < LANGUAGE_COUNT; i++)
            if (is_code(codes[i], name, end))
                return i;
        do
            end--;
        while (end > 0 && name[end] != '_' && name[end] != '-');
    }
    return -1;
}

const char *message_language_use(const char *code) {
    const int found = nearest(code, strlen(code));
    if (found < 0)
        return NULL;
    if (found > 0 && !catalogues[found])
        catalogues[found] = catalogue_read(sources[found], NULL);
    /* A catalogue that cannot be read is a bug in the program, which a test finds; in that case
     * English is used. */
    in_use = catalogues[found] ? (size_t)found : 0;
    return codes[found];
}

static const char *set_variable(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

const char *message_language_of_environment(void) {
    const char *locale = set_variable("LC_ALL");
    if (!locale)
        locale = set_variable("LC_MESSAGES");
    if (!locale)
        locale = set_variable("LANG");
    if (locale && (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0))
        return codes[0];
    for (const char *at = set_variable("LANGUAGE"); at;) {
        const size_t length = strcspn(at, ":");
        const int found = nearest(at, length);
        if (found >= 0)
            return codes[found];
        at = at[length] ? at + length + 1 : NULL;
    }
    const int found = locale ? nearest(locale, strlen(locale)) : -1;
    return codes[found < 0 ? 0 : found];
}
