/* csv_field.h - text as a field of CSV that a spreadsheet does not evaluate. */
#ifndef SHFLVIZ_EXPORT_CSV_FIELD_H
#define SHFLVIZ_EXPORT_CSV_FIELD_H

#include "base/text.h"

/*
 * Appends one field in the form of RFC 4180: in quotes if it contains a comma, a quote or a line
 * break. A text that a spreadsheet would take for a formula gets a ' in front: one that begins
 * with = + - @, or their fullwidth forms (https://owasp.org/www-community/attacks/CSV_Injection).
 * The same happens after each semicolon, which separates fields where the comma is the decimal
 * point. Do not use it for numbers, which may begin with a minus.
 */
void csv_append_field(struct text *to, const char *field);

#endif
