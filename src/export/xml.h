/*
 * xml.h - text within XML and HTML.
 */
#ifndef SHFLVIZ_EXPORT_XML_H
#define SHFLVIZ_EXPORT_XML_H

#include <stdio.h>

/* Writes text with special characters (< > & ") as entities: valid between tags and in
 * double-quoted attribute values. The caller must handle control characters. */
void xml_escaped(FILE *out, const char *text);

#endif
