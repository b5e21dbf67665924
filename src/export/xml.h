/*
 * xml.h - text within XML and HTML.
 */
#ifndef SHFLVIZ_EXPORT_XML_H
#define SHFLVIZ_EXPORT_XML_H

#include <stdio.h>

/* Writes text with what has a meaning there (< > & ") as entities: right between tags and in values
 * within double quotes. Control characters are the caller's affair. */
void xml_escaped(FILE *out, const char *text);

#endif
