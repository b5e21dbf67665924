/*
 * message.h - the program's texts in the reader's language.
 *
 * English is the source: the code has each text in English, marked with _(), and looks it up in the
 * catalogue of the language in use (po/zh.po, compiled in). A text that is missing from a catalogue
 * stays in English. Not translated: what scripts read (JSON, CSV, exit codes, names of options and
 * rules).
 */
#ifndef SHFLVIZ_BASE_MESSAGE_H
#define SHFLVIZ_BASE_MESSAGE_H

/*
 * The text in the language in use. `english` is the key: a literal, or a string marked with N_()
 * where it was written. Lives as long as the program. A translation has the printf conversions of
 * the English text, possibly in another order ("%2$s").
 */
const char *message(const char *english) __attribute__((format_arg(1)));
/* The same for a text with a number: English has two forms, another language as many as its
 * catalogue says. */
const char *message_plural(const char *one, const char *many, unsigned long count)
    __attribute__((format_arg(1), format_arg(2)));

#define _(text)  message(text)
#define N_(text) (text)

/* The language in use: "en" or "zh". English at first. */
const char *message_language(void);

/* Uses the language nearest to `code` ("zh_CN.UTF-8" and "zh-Hans" are "zh"). Returns its code, or
 * NULL, with nothing changed, if none is near. */
const char *message_language_use(const char *code);

/* The codes of all languages, "en" first; NULL after the last. */
const char *const *message_languages(void);

/*
 * The language requested by the environment: the first known one of LANGUAGE's list, else the first
 * of LC_ALL, LC_MESSAGES and LANG that is set; "en" if none is, or the language is not known. Where
 * the locale is "C" or "POSIX", LANGUAGE is ignored, as in gettext: scripts rely on it.
 */
const char *message_language_of_environment(void);

#endif
