/* json_parts.h - parts of JSON that several documents of this folder share. */
#ifndef SHFLVIZ_EXPORT_JSON_PARTS_H
#define SHFLVIZ_EXPORT_JSON_PARTS_H

#include "base/text.h"
#include "check/report.h"
#include "trace/trace.h"

#include <json-c/json.h>
#include <stdio.h>

/* Takes ownership of the value. `key` is a literal and new to the object, so json-c need neither
 * copy it nor look for it. */
void json_put(json_object *object, const char *key, json_object *value);
void json_append(json_object *array, json_object *value); /* takes over the value */
json_object *json_new(void);                              /* {} */
json_object *json_list(void);                             /* [] */
json_object *json_int(int64_t number);
json_object *json_uint(uint64_t number);
json_object *json_flag(bool truth);
/* Strings of a trace are UTF-8 whatever its file holds (trace.h); json-c escapes the rest. NULL is
 * null. */
json_object *json_string(const char *string);
/* For untrusted strings: typed by a user, or cut within a character. */
json_object *json_visible(const char *string, enum utf8_layout layout);
json_object *json_mask(uint32_t bits);              /* "0x0000ffff" */
json_object *json_triple(const uint32_t values[3]); /* [x,y,z] */

/* The registers of a step as elements of matrices; NULL if the recording has none that are known
 * here. */
json_object *json_registers(const struct trace_registers *registers);

/* A finding, as docs/JSON.md describes it. */
json_object *json_finding(const struct check_finding *finding);

/* Writes the object and frees it. */
void json_write(FILE *out, json_object *object);
/* The same without the brace at its end. */
void json_write_open(FILE *out, json_object *object);

/* The array of a step's lanes. */
void json_lanes(struct text *to, const struct warp_operation *operation,
                const struct lane_outcome outcome[WARP_LANES]);

/* "schema", "origin" and "launch" of a recording, without braces. */
void json_write_head(FILE *out, const struct trace *trace);

#endif
