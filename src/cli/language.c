#include "cli/language.h"

#include "base/message.h"
#include "cli/option.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

static bool is_english(void) {
    return strcmp(message_language(), "en") == 0;
}

static bool has_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Terminals show UTF-8 today also where nobody has set a locale, as in containers. */
static bool take_utf8(void) {
    static const char *const locales[] = {"C.UTF-8", "en_US.UTF-8", "zh_CN.UTF-8", "UTF-8"};
    for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]) && !has_utf8(); i++)
        setlocale(LC_CTYPE, locales[i]);
    return has_utf8();
}

void language_begin(void) {
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

int language_settle(const char *wanted, bool ascii, struct error *err) {
    if (is_english())
        return 0;
    if (!wanted) {
        if (ascii)
            message_language_use("en");
        return 0;
    }
    if (!ascii && take_utf8())
        return 0;
    message_language_use("en"); /* or the complaint could not be read either */
    return complain(err, &(struct complaint){
                             .option = OPTION_LANG,
                             .value = wanted,
                             .wrong = ascii ? _("cannot be written with ASCII characters only")
                                            : _("needs UTF-8, and no such locale is installed"),
                             .allowed = ascii ? _("--lang en beside --ascii") : "--lang en",
                             .attempt = ascii ? _("the same without --ascii")
                                              : _("a UTF-8 locale, as LC_ALL=en_US.UTF-8"),
                         });
}
