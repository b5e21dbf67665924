/*
 * message.h - what the program says, in the language of who reads it.
 *
 * English is the source: a text stands in the code in English, marked with _(), and is looked up in
 * the catalogue of the language in use (po/zh.po, compiled in). What a catalogue lacks stays
 * English. Not translated: what scripts read (JSON, CSV, exit codes, names of options and rules).
 */
#ifndef SHFLVIZ_BASE_MESSAGE_H
#define SHFLVIZ_BASE_MESSAGE_H

/*
 * The text in the language in use. `english` is the key: a literal, or a string marked with N_()
 * where it was written. Lives as long as the program. printf conversions of a translation are those
 * of the English, if need be in another order ("%2$s").
 */
const char *message(const char *english) __attribute__((format_arg(1)));
/* The same for numbers: English has two forms, others as their catalogue says. */
const char *message_plural(const char *one, const char *many, unsigned long count)
    __attribute__((format_arg(1), format_arg(2)));

#define _(text)  message(text)
#define N_(text) (text)

/* The language in use: "en" or "zh". English until told otherwise. */
const char *message_language(void);

/* Uses the language nearest to `code` ("zh_CN.UTF-8" and "zh-Hans" are "zh"). Returns its code, or
 * NULL if there is none so near; then nothing changes. */
const char *message_language_use(const char *code);

/* The codes there are, "en" first; NULL after the last. */
const char *const *message_languages(void);

/*
 * What the environment asks for: the first that is known of LANGUAGE's list, else the first that is
 * set of LC_ALL, LC_MESSAGES, LANG. "en" if that is nothing, or nothing that is known. Where the
 * locale is set to "C" or "POSIX" LANGUAGE does not count, as with gettext: scripts rely on it.
 */
const char *message_language_of_environment(void);

#endif
