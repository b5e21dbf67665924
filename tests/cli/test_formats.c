/*
 * The data formats, from the real program, compared with values worked out by hand from the PTX
 * pseudo-code and the CUDA C++ Programming Guide. JSON is read by json-c's parser, CSV by a reader
 * of RFC 4180 written here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define LANES 32

/* Standard output of `shflviz ARGUMENTS`, which must succeed. The caller frees. */
static char *run(const char *arguments) {
    char command[2048];
    snprintf(command, sizeof(command), "\"%s\" %s", SHFLVIZ_PROGRAM, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t size = 0, capacity = 1 << 20;
    char *output = malloc(capacity);
    for (size_t got; (got = fread(output + size, 1, capacity - size - 1, pipe)) > 0;) {
        size += got;
        if (size == capacity - 1)
            output = realloc(output, capacity *= 2);
        assert_non_null(output);
    }
    output[size] = '\0';
    assert_int_equal(pclose(pipe), 0);
    return output;
}

static json_object *parse(const char *text) {
    enum json_tokener_error error;
    json_object *object = json_tokener_parse_verbose(text, &error);
    assert_int_equal(error, json_tokener_success);
    return object;
}

static json_object *run_json(const char *arguments) {
    char with_format[2048];
    snprintf(with_format, sizeof(with_format), "%s --format json", arguments);
    char *output = run(with_format);
    json_object *object = parse(output);
    free(output);
    return object;
}

/* The member, which must exist; NULL for null. */
static json_object *get(json_object *object, const char *key) {
    json_object *value;
    if (!json_object_object_get_ex(object, key, &value))
        fail_msg("no \"%s\" in %s", key, json_object_to_json_string(object));
    return value;
}

static const char *string(json_object *object, const char *key) {
    return json_object_get_string(get(object, key));
}

static int number(json_object *object, const char *key) {
    assert_true(json_object_is_type(get(object, key), json_type_int));
    return json_object_get_int(get(object, key));
}

static json_object *step_of(json_object *document, size_t index) {
    return json_object_array_get_idx(get(document, "steps"), index);
}

static json_object *lane_of(json_object *document, size_t step, size_t lane) {
    return json_object_array_get_idx(get(step_of(document, step), "lanes"), lane);
}

/* The keys of an object, in order, separated by blanks. */
static void assert_keys(json_object *object, const char *expected) {
    char keys[512] = "";
    json_object_object_foreach(object, key, value) {
        (void)value;
        strcat(keys, keys[0] ? " " : "");
        strcat(keys, key);
    }
    assert_string_equal(keys, expected);
}

/* ---- shape
 * ------------------------------------------------------------------------------------ */

static void the_document_has_its_keys_in_order(void **state) {
    (void)state;
    json_object *document = run_json("xor --mask 3 --width 16");
    assert_keys(document, "schema origin launch steps findings dropped complete");
    assert_string_equal(string(document, "schema"), "shflviz/2");
    json_object *origin = get(document, "origin");
    assert_string_equal(string(origin, "recorded"), "emulated");
    assert_string_equal(string(origin, "device"), "cpu");
    assert_true(strlen(string(origin, "name")) > 0);
    json_object *launch = json_object_array_get_idx(get(document, "launch"), 0);
    assert_keys(launch, "kernel grid block");
    assert_string_equal(json_object_to_json_string_ext(get(launch, "grid"), 0), "[1,1,1]");
    assert_string_equal(json_object_to_json_string_ext(get(launch, "block"), 0), "[32,1,1]");
    assert_int_equal(json_object_array_length(get(document, "findings")), 0);
    assert_int_equal(number(document, "dropped"), 0);
    assert_true(json_object_get_boolean(get(document, "complete")));
    json_object_put(document);
}

static void a_step_has_its_keys_in_order(void **state) {
    (void)state;
    json_object *document = run_json("xor --mask 3 --width 16");
    assert_int_equal(json_object_array_length(get(document, "steps")), 1);
    json_object *step = step_of(document, 0);
    assert_keys(step, "step launch block warp site op type width members present lanes");
    assert_int_equal(number(step, "step"), 0);
    assert_int_equal(number(step, "launch"), 0);
    assert_string_equal(json_object_to_json_string_ext(get(step, "block"), 0), "[0,0,0]");
    assert_int_equal(number(step, "warp"), 0);
    assert_string_equal(string(step, "op"), "xor");
    assert_string_equal(string(step, "type"), "int");
    assert_int_equal(number(step, "width"), 16);
    assert_string_equal(string(step, "members"), "0xffffffff");
    assert_string_equal(string(step, "present"), "0xffffffff");
    assert_keys(get(step, "site"), "file line text");
    assert_non_null(strstr(string(get(step, "site"), "text"), "__shfl_xor_sync"));
    assert_true(number(get(step, "site"), "line") > 0);
    assert_int_equal(json_object_array_length(get(step, "lanes")), LANES);
    for (size_t lane = 0; lane < LANES; lane++) {
        assert_keys(lane_of(document, 0, lane),
                    "lane group arg target in_range source status in in_bits out out_bits "
                    "observed observed_bits");
        assert_int_equal(number(lane_of(document, 0, lane), "lane"), lane);
    }
    json_object_put(document);
}

/* ---- the vectors
 * ------------------------------------------------------------------------------ */

struct vector {
    const char *arguments;
    int source[LANES];
    uint32_t own; /* lanes that are out of range and keep their own value */
};

static const struct vector vectors[] = {
    {"xor --mask 3 --width 16",
     {3,  2,  1,  0,  7,  6,  5,  4,  11, 10, 9,  8,  15, 14, 13, 12,
      19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28},
     0},
    {"xor --mask 16 --width 16",
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     0x0000ffff},
    {"xor --mask 12 --width 8",
     {0,  1,  2,  3,  4,  5,  6,  7,  4,  5,  6,  7,  0,  1,  2,  3,
      16, 17, 18, 19, 20, 21, 22, 23, 20, 21, 22, 23, 16, 17, 18, 19},
     0x00ff00ff},
    {"down --delta 3 --width 16",
     {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 13, 14, 15,
      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 29, 30, 31},
     0xe000e000},
    {"up --delta 3 --width 16",
     {0,  1,  2,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
      16, 17, 18, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28},
     0x00070007},
    {"idx --src 5 --width 16",
     {5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,
      21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21},
     0},
    {"idx --src 17 --width 16",
     {1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,
      17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17},
     0},
    {"idx --src 20 --width 16",
     {4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
      20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20},
     0},
    {"idx --src -1",
     {31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31,
      31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31},
     0},
    {"down --delta 16",
     {16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
     0xffff0000},
    {"down --delta 33",
     {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
      17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 31},
     0x80000000},
    {"up --delta 40 --width 8",
     {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
     0xffffffff},
    {"xor --mask 'lane & 1'",
     {0,  0,  2,  2,  4,  4,  6,  6,  8,  8,  10, 10, 12, 12, 14, 14,
      16, 16, 18, 18, 20, 20, 22, 22, 24, 24, 26, 26, 28, 28, 30, 30},
     0},
};

/* Values are 100 + lane, so that a value is never mistaken for a lane. */
static void check_vector(const struct vector *vector) {
    char arguments[256];
    snprintf(arguments, sizeof(arguments), "%s --in '100 + lane'", vector->arguments);
    json_object *document = run_json(arguments);
    for (int i = 0; i < LANES; i++) {
        json_object *lane = lane_of(document, 0, (size_t)i);
        bool own = vector->own >> i & 1;
        assert_int_equal(number(lane, "source"), vector->source[i]);
        assert_int_equal(json_object_get_boolean(get(lane, "in_range")), !own);
        assert_string_equal(string(lane, "status"), own ? "own" : "read");
        assert_int_equal(number(lane, "in"), 100 + i);
        assert_int_equal(number(lane, "out"), 100 + vector->source[i]);
    }
    json_object_put(document);
}

static void sources_are_those_of_the_pseudo_code(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
        check_vector(&vectors[i]);
}

/* The target is j before the range check, so 31 + 3 and 0 - 3 occur; the argument is unchanged. */
static void the_target_may_lie_outside_the_warp(void **state) {
    (void)state;
    json_object *down = run_json("down --delta 35");
    assert_int_equal(number(lane_of(down, 0, 31), "target"), 34);
    assert_int_equal(number(lane_of(down, 0, 31), "arg"), 35);
    json_object_put(down);
    json_object *up = run_json("up --delta 3");
    assert_int_equal(number(lane_of(up, 0, 0), "target"), -3);
    assert_int_equal(number(lane_of(up, 0, 0), "source"), 0);
    json_object_put(up);
    json_object * xor = run_json("xor --mask 12 --width 8");
    assert_int_equal(number(lane_of(xor, 0, 0), "target"), 12);
    assert_int_equal(number(lane_of(xor, 0, 0), "group"), 0);
    assert_int_equal(number(lane_of(xor, 0, 31), "group"), 3);
    json_object_put(xor);
}

/* ---- lanes that take part
 * --------------------------------------------------------------------------- */

static void assert_absent(json_object *lane, int group) {
    static const char *const nulls[] = {"arg",      "target",       "in_range", "source",
                                        "in",       "in_bits",      "out",      "out_bits",
                                        "observed", "observed_bits"};
    assert_string_equal(string(lane, "status"), "absent");
    assert_int_equal(number(lane, "group"), group);
    for (size_t i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++)
        assert_null(get(lane, nulls[i]));
}

static void lanes_outside_the_mask_are_absent_and_undefined_to_read(void **state) {
    (void)state;
    json_object *document =
        run_json("down --delta 1 --width 16 --members 0xf --poison 0x1122334455667788");
    json_object *step = step_of(document, 0);
    assert_string_equal(string(step, "members"), "0x0000000f");
    assert_string_equal(string(step, "present"), "0x0000000f");
    json_object *last = lane_of(document, 0, 3);
    assert_string_equal(string(last, "status"), "undefined");
    assert_int_equal(number(last, "source"), 4);
    assert_true(json_object_get_boolean(get(last, "in_range")));
    assert_string_equal(string(last, "observed_bits"), "0x55667788");
    assert_int_equal(number(last, "observed"), 0x55667788);
    assert_null(get(last, "out"));
    assert_null(get(last, "out_bits"));
    json_object *read = lane_of(document, 0, 2);
    assert_string_equal(string(read, "status"), "read");
    assert_int_equal(number(read, "out"), 3);
    assert_null(get(read, "observed"));
    assert_null(get(read, "observed_bits"));
    for (int lane = 4; lane < LANES; lane++)
        assert_absent(lane_of(document, 0, (size_t)lane), lane / 16);
    json_object *finding = json_object_array_get_idx(get(document, "findings"), 0);
    assert_keys(finding, "rule step lanes message");
    assert_string_equal(string(finding, "rule"), "source_lane_not_in_mask");
    assert_int_equal(number(finding, "step"), 0);
    assert_string_equal(string(finding, "lanes"), "0x00000008");
    assert_int_equal(json_object_array_length(get(document, "findings")), 1);
    json_object_put(document);
}

/* 35 threads: a full warp and a warp of three lanes, whose lane 2 would read lane 3. */
static void a_block_may_end_within_a_warp(void **state) {
    (void)state;
    json_object *document = run_json("down --delta 1 --threads 35 --in thread");
    assert_int_equal(json_object_array_length(get(document, "steps")), 2);
    for (size_t i = 0; i < 2; i++) {
        json_object *step = step_of(document, i);
        bool second = number(step, "warp") == 1;
        assert_string_equal(string(step, "present"), second ? "0x00000007" : "0xffffffff");
        if (!second)
            continue;
        assert_int_equal(number(lane_of(document, i, 0), "in"), 32);
        assert_int_equal(number(lane_of(document, i, 0), "out"), 33);
        assert_string_equal(string(lane_of(document, i, 1), "status"), "read");
        assert_string_equal(string(lane_of(document, i, 2), "status"), "undefined");
        assert_absent(lane_of(document, i, 3), 0);
    }
    json_object_put(document);
}

static void an_undefined_width_leaves_every_lane_undefined(void **state) {
    (void)state;
    json_object *document = run_json("xor --mask 3 --width 12 --undefined");
    assert_int_equal(number(step_of(document, 0), "width"), 12);
    for (size_t lane = 0; lane < LANES; lane++)
        assert_string_equal(string(lane_of(document, 0, lane), "status"), "undefined");
    /* c = (32 - 12) << 8 | 31: segment mask 20, so that lane 0 may read up to lane 11. */
    assert_int_equal(number(lane_of(document, 0, 0), "source"), 3);
    json_object *finding = json_object_array_get_idx(get(document, "findings"), 0);
    assert_string_equal(string(finding, "rule"), "width_is_not_power_of_two");
    assert_string_equal(string(finding, "lanes"), "0xffffffff");
    json_object_put(document);
}

/* ---- values
 * ----------------------------------------------------------------------------------- */

struct value {
    const char *type, *in;
    const char *json; /* as in the document */
    const char *bits;
};

/* Bit patterns by hand: sign, exponent with its bias, fraction. */
static const struct value values[] = {
    {"int", "-1", "-1", "0xffffffff"},
    {"int", "0x7fffffff", "2147483647", "0x7fffffff"},
    {"unsigned", "-1", "4294967295", "0xffffffff"},
    {"long-long", "1 << 63", "-9223372036854775808", "0x8000000000000000"},
    {"unsigned-long-long", "-1", "18446744073709551615", "0xffffffffffffffff"},
    {"float", "3", "3.0", "0x40400000"},
    {"float", "0.1", "0.1", "0x3dcccccd"},
    {"float", "-0.0", "-0.0", "0x80000000"},
    {"float", "1.0 / 0", "\"Infinity\"", "0x7f800000"},
    {"float", "-1.0 / 0", "\"-Infinity\"", "0xff800000"},
    {"float", "0.0 / 0", "\"NaN\"", "0x7fc00000"},
    {"double", "3", "3.0", "0x4008000000000000"},
    {"double", "0.1", "0.1", "0x3fb999999999999a"},
    {"half", "1", "1.0", "0x3c00"},
    {"half", "-2", "-2.0", "0xc000"},
    {"half2", "1", "[1.0,1.0]", "0x3c003c00"},
    {"bfloat16", "1", "1.0", "0x3f80"},
    {"bfloat16", "3", "3.0", "0x4040"},
};

static void values_read_back_exactly(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char arguments[256];
        const struct value *expected = &values[i];
        snprintf(arguments, sizeof(arguments), "xor --mask 1 --type %s --in '%s'", expected->type,
                 expected->in);
        json_object *document = run_json(arguments);
        json_object *lane = lane_of(document, 0, 7);
        assert_string_equal(string(step_of(document, 0), "type"), expected->type);
        assert_string_equal(json_object_to_json_string_ext(get(lane, "in"), 0), expected->json);
        assert_string_equal(json_object_to_json_string_ext(get(lane, "out"), 0), expected->json);
        assert_string_equal(string(lane, "in_bits"), expected->bits);
        assert_string_equal(string(lane, "out_bits"), expected->bits);
        json_object_put(document);
    }
}

/* ---- the other formats agree ---------------------------------------------------------- */

/* A run with absent, undefined and own lanes, two warps, and a text with commas in it. */
static const char *const mixed_runs[] = {
    "down --delta 3 --width 8 --members 0xfff --threads 40 --blocks 2",
    "xor --mask 1 --type half2 --in 'lane / 2.0'",
    "up --delta lane --type double --in '1.0 / lane'",
};
#define MIXED_RUNS (sizeof(mixed_runs) / sizeof(mixed_runs[0]))

static void jsonl_is_the_same_in_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < MIXED_RUNS; i++) {
        char arguments[512];
        snprintf(arguments, sizeof(arguments), "%s --format jsonl", mixed_runs[i]);
        char *output = run(arguments);
        json_object *document = run_json(mixed_runs[i]);
        size_t steps = json_object_array_length(get(document, "steps"));
        char *rest = output;
        json_object *head = parse(strsep(&rest, "\n"));
        assert_keys(head, "schema origin launch");
        assert_true(json_object_equal(get(head, "launch"), get(document, "launch")));
        json_object_put(head);
        for (size_t step = 0; step < steps; step++) {
            json_object *line = parse(strsep(&rest, "\n"));
            assert_true(json_object_equal(line, step_of(document, step)));
            json_object_put(line);
        }
        json_object *tail = parse(strsep(&rest, "\n"));
        assert_keys(tail, "findings dropped complete");
        assert_true(json_object_equal(get(tail, "findings"), get(document, "findings")));
        json_object_put(tail);
        assert_string_equal(rest, "");
        json_object_put(document);
        free(output);
    }
}

#define CSV_FIELDS 27
static const char csv_header[] =
    "step,launch,block,warp,file,line,text,op,type,width,members,present,"
    "lane,group,arg,target,in_range,source,status,in,in_bits,out,out_bits,observed,observed_bits,"
    "in_from_undefined,out_from_undefined";

/* Splits one record off *rest into fields, in place, as in RFC 4180. Returns their number. */
static int read_record(char **rest, char *fields[CSV_FIELDS]) {
    int count = 0;
    char *from = *rest, *to = *rest;
    for (;;) {
        assert_true(count < CSV_FIELDS);
        fields[count++] = to;
        bool quoted = *from == '"';
        from += quoted;
        while (quoted ? !(from[0] == '"' && from[1] != '"') : !strchr(",\r", *from)) {
            assert_int_not_equal(*from, '\0');
            from += quoted && from[0] == '"';
            *to++ = *from++;
        }
        from += quoted;
        char separator = *from++;
        *to++ = '\0';
        if (separator == ',')
            continue;
        assert_int_equal(separator, '\r');
        assert_int_equal(*from, '\n');
        *rest = from + 1;
        return count;
    }
}

/* A JSON value as it appears in CSV: strings bare, null empty, arrays with blanks. */
static void flatten(json_object *value, char *text, size_t size) {
    if (!value) {
        text[0] = '\0';
        return;
    }
    if (!json_object_is_type(value, json_type_array)) {
        snprintf(text, size, "%s", json_object_get_string(value));
        return;
    }
    text[0] = '\0';
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? " " : "",
                 json_object_get_string(json_object_array_get_idx(value, i)));
    }
}

static void compare_record(char *fields[CSV_FIELDS], json_object *step, json_object *lane) {
    static const struct {
        const char *key;
        enum { STEP, SITE, LANE } of;
    } columns[CSV_FIELDS] = {
        {"step", STEP},          {"launch", STEP}, {"block", STEP},    {"warp", STEP},
        {"file", SITE},          {"line", SITE},   {"text", SITE},     {"op", STEP},
        {"type", STEP},          {"width", STEP},  {"members", STEP},  {"present", STEP},
        {"lane", LANE},          {"group", LANE},  {"arg", LANE},      {"target", LANE},
        {"in_range", LANE},      {"source", LANE}, {"status", LANE},   {"in", LANE},
        {"in_bits", LANE},       {"out", LANE},    {"out_bits", LANE}, {"observed", LANE},
        {"observed_bits", LANE}, {NULL, STEP},     {NULL, STEP},
    };
    static const char *const marks[] = {"in_from_undefined", "out_from_undefined"};
    for (int i = 0; i < 2; i++) /* a missing member is false */
        assert_string_equal(fields[CSV_FIELDS - 2 + i],
                            json_object_object_get(lane, marks[i]) ? "true" : "");
    for (int i = 0; i < CSV_FIELDS - 2; i++) {
        char expected[512];
        json_object *object = columns[i].of == LANE   ? lane
                              : columns[i].of == SITE ? get(step, "site")
                                                      : step;
        flatten(get(object, columns[i].key), expected, sizeof(expected));
        assert_string_equal(fields[i], expected);
    }
}

static void csv_is_the_same_in_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < MIXED_RUNS; i++) {
        char arguments[512], *fields[CSV_FIELDS];
        snprintf(arguments, sizeof(arguments), "%s --format csv", mixed_runs[i]);
        char *output = run(arguments), *rest = output;
        json_object *document = run_json(mixed_runs[i]);
        assert_memory_equal(output, csv_header, sizeof(csv_header) - 1);
        assert_int_equal(read_record(&rest, fields), CSV_FIELDS);
        for (size_t step = 0; step < json_object_array_length(get(document, "steps")); step++)
            for (size_t lane = 0; lane < LANES; lane++) {
                assert_int_equal(read_record(&rest, fields), CSV_FIELDS);
                compare_record(fields, step_of(document, step), lane_of(document, step, lane));
            }
        assert_string_equal(rest, "");
        json_object_put(document);
        free(output);
    }
}

/* A reduction by hand: 0 + 1 + ... + 31 = 496 in every lane, and in the last exchange, xor 1,
 * each lane gets its neighbour's half of it: 240 from an even lane, 256 from an odd lane. */
static void a_kernel_has_its_steps_in_order(void **state) {
    (void)state;
    json_object *document = run_json("kernel reduce-xor-sum");
    static const int masks[] = {16, 8, 4, 2, 1};
    size_t found = 0;
    for (size_t i = 0; i < json_object_array_length(get(document, "steps")); i++) {
        if (strcmp(string(step_of(document, i), "op"), "xor") != 0)
            continue;
        assert_true(found < 5);
        assert_int_equal(number(lane_of(document, i, 9), "arg"), masks[found]);
        if (++found == 5) {
            assert_int_equal(number(lane_of(document, i, 0), "in"), 240);
            assert_int_equal(number(lane_of(document, i, 0), "out"), 256);
            assert_int_equal(number(lane_of(document, i, 31), "in"), 256);
            assert_int_equal(number(lane_of(document, i, 31), "out"), 240);
        }
    }
    assert_int_equal(found, 5);
    assert_int_equal(json_object_array_length(get(document, "findings")), 0);
    json_object_put(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_has_its_keys_in_order),
        cmocka_unit_test(a_step_has_its_keys_in_order),
        cmocka_unit_test(sources_are_those_of_the_pseudo_code),
        cmocka_unit_test(the_target_may_lie_outside_the_warp),
        cmocka_unit_test(lanes_outside_the_mask_are_absent_and_undefined_to_read),
        cmocka_unit_test(a_block_may_end_within_a_warp),
        cmocka_unit_test(an_undefined_width_leaves_every_lane_undefined),
        cmocka_unit_test(values_read_back_exactly),
        cmocka_unit_test(jsonl_is_the_same_in_lines),
        cmocka_unit_test(csv_is_the_same_in_rows),
        cmocka_unit_test(a_kernel_has_its_steps_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
