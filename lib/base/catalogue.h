/*
 * catalogue.h - the texts of one language, read from a gettext .po file.
 *
 * Reads comments, msgid, msgid_plural, msgstr, msgstr[N] and the header's Plural-Forms, as "GNU
 * gettext utilities" describes them under "The Format of PO Files". Skips entries marked fuzzy,
 * obsolete ones (#~) and empty translations. "<PRIu64>" and the like become the macro's text on
 * this machine. msgctxt is refused: no text needs it.
 */
#ifndef SHFLVIZ_BASE_CATALOGUE_H
#define SHFLVIZ_BASE_CATALOGUE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct catalogue;

/*
 * Reads a whole .po file. Leaves out an entry if its translation takes different arguments from the
 * English. On failure returns NULL, with the line and the error in err. catalogue_free() frees the
 * catalogue together with all texts that it returned.
 */
struct catalogue *catalogue_read(const char *po, struct error *err);
void catalogue_free(struct catalogue *catalogue);

size_t catalogue_count(const struct catalogue *catalogue); /* of entries in use */
/* The English text of entry `index` among those with a translation that was left out: marked
 * fuzzy, or taking different arguments. NULL after the last. */
const char *catalogue_left_out(const struct catalogue *catalogue, size_t index);

/* The translation, or NULL. */
const char *catalogue_find(const struct catalogue *catalogue, const char *english);
/* The same for a text with plural forms: the form to use for `count`. */
const char *catalogue_find_plural(const struct catalogue *catalogue, const char *one,
                                  unsigned long count);

/*
 * True if `translation` may replace `english` for printf: it takes every argument, with the same
 * type, but possibly in another order ("%2$s"). An English text that no printf takes ("by %") is
 * not a format, and anything may replace it.
 */
bool catalogue_formats_match(const char *english, const char *translation);

#endif
