#include "cli/language.h"

#include "base/complaint.h"
#include "base/message.h"
#include "base/program.h"
#include "base/text/utf8.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_english(const char *language) {
    return strcmp(language, "en") == 0;
}

static bool has_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* A portable package ships its own locale, for systems without one (packaging/wheel). Only
 * setlocale() must see its path. */
static void use_own_utf8(void) {
    struct text own = TEXT_INIT, others = TEXT_INIT;
    const char *folders = getenv("LOCPATH");
    program_folder(&own);
    text_append(&own, SHFLVIZ_LOCALE_FROM_PROGRAM);
    text_append(&others, folders ? folders : "");
    setenv("LOCPATH", own.data, 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    if (folders)
        setenv("LOCPATH", others.data, 1);
    else
        unsetenv("LOCPATH");
    text_release(&own);
    text_release(&others);
}

/* Terminals show UTF-8 today even where no locale is set, as in containers. */
static bool use_utf8(void) {
    static const char *const locales[] = {"C.UTF-8", "en_US.UTF-8", "zh_CN.UTF-8", "UTF-8"};
    for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]) && !has_utf8(); i++)
        setlocale(LC_CTYPE, locales[i]);
    if (!has_utf8())
        use_own_utf8();
    return has_utf8();
}

/* The variable that determines the locale for characters, in setlocale()'s order of precedence;
 * NULL if none is set. */
static const char *locale_variable(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return names[i];
    }
    return NULL;
}

/* The character set that a locale's name ends with ("UTF-8" of zh_CN.UTF-8@x); NULL if it has
 * none. */
static const char *named_charset(const char *locale) {
    const char *dot = strchr(locale, '.');
    return dot ? dot + 1 : NULL;
}

static bool is_utf8_name(const char *charset) {
    return strncasecmp(charset, "UTF-8", 5) == 0 || strncasecmp(charset, "utf8", 4) == 0;
}

/* The variable that asks for a character set other than UTF-8; NULL if none does. The C locale
 * asks for nothing: it is the default. */
static const char *non_utf8_variable(void) {
    const char *variable = locale_variable();
    const char *locale = variable ? getenv(variable) : "C";
    const char *charset = named_charset(locale);
    if (has_utf8() || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0)
        return NULL;
    return charset && is_utf8_name(charset) ? NULL : variable;
}

void language_begin(void) {
    const char *variable = locale_variable();
    const char *charset = variable ? named_charset(getenv(variable)) : NULL;
    /* A locale that is not installed still names the terminal's character set. */
    if (!setlocale(LC_CTYPE, "") && (!charset || is_utf8_name(charset)))
        use_utf8();
    if (has_utf8())
        message_language_use(message_language_of_environment());
}

void language_look_ahead(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--lang=", 7) == 0)
            message_language_use(argv[i] + 7);
        else if (strcmp(argv[i], "--lang") == 0 && i + 1 < argc)
            message_language_use(argv[i + 1]);
    }
}

/* If the environment's language cannot be shown, reports why, once. */
static void warn_environment(void) {
    const char *variable = non_utf8_variable();
    if (variable && !is_english(message_language_of_environment()))
        fprintf(stderr,
                "shflviz: %s=%s is not a UTF-8 locale, so this is English in ASCII; "
                "try: %s=zh_CN.UTF-8\n",
                variable, utf8_name(getenv(variable)), variable);
}

int language_settle(const char *wanted, struct error *err) {
    const char *variable = non_utf8_variable();
    if (!wanted)
        warn_environment();
    if (!wanted || is_english(message_language()) || (!variable && use_utf8()))
        return 0;
    message_language_use("en"); /* otherwise the complaint itself would be unreadable */
    char wrong[160];
    snprintf(wrong, sizeof(wrong), _("needs UTF-8, and %.60s=%.60s asks for another character set"),
             variable ? variable : "", variable ? getenv(variable) : "");
    return complain(err, "lang", wanted,
                    variable ? wrong : _("needs UTF-8, and no such locale is installed"),
                    "--lang en", _("a UTF-8 locale, such as LC_ALL=C.UTF-8"));
}
