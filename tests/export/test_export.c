/*
 * Exports of recordings that no program of kernels/ makes: votes, watched variables, lanes of
 * different widths, foreign texts.
 */
#include "base/memory.h"
#include "export/export.h"
#include "export/lane_field.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making recordings ---- */

/* A recording in memory, with one launch of 32 threads and one site. */
static struct trace_writer *begin(const char *site_text, uint64_t step_limit) {
    const struct trace_writer_options options = {.value_bytes = 8, .step_limit = step_limit};
    const struct trace_launch launch = {.kernel = "made", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    const struct trace_site site = {
        .file = "made.cu", .line = 7, .function = "", .text = site_text};
    struct trace_writer *writer;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    assert_int_equal(trace_writer_launch(writer, &launch), 0);
    assert_int_equal(trace_writer_site(writer, &site), 0);
    trace_writer_note(writer, TRACE_NOTE_NAME, "made up");
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "emulated");
    return writer;
}

static void add(struct trace_writer *writer, const struct warp_operation *operation,
                uint16_t flags) {
    size_t count = 1;
    unsigned char *record = trace_writer_reserve(writer, &count);
    if (!record) {
        trace_writer_drop(writer, 1);
        return;
    }
    struct shflviz_record_header header = {
        .op = (uint8_t)operation->op,
        .type = (uint8_t)operation->type,
        .members = operation->members,
        .present = operation->present,
        .width = lane_width_first(operation),
        .flags = (uint16_t)(flags | SHFLVIZ_RECORD_EXITED_KNOWN),
        .sequence = trace_writer_next_sequence(writer),
    };
    for (size_t lane = 0; lane < WARP_LANES; lane++) {
        int16_t width = (int16_t)operation->width[lane];
        if (!(operation->present >> lane & 1))
            continue;
        if (flags & SHFLVIZ_RECORD_WIDTHS_DIFFER)
            memcpy(record + SHFLVIZ_RECORD_OFFSET_WIDTH + 2 * lane, &width, 2);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, &operation->arg[lane], 4);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_IN + 8 * lane, &operation->in[lane], 8);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_OUT(8) + 8 * lane, &operation->out[lane], 8);
    }
    memcpy(record, &header, sizeof(header));
}

static struct trace *end(struct trace_writer *writer) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    return trace;
}

/* idx 0 of a full warp: every lane reads lane 0, whose value is `value`. */
static struct warp_operation broadcast(uint64_t value) {
    struct warp_operation operation = {.op = WARP_OP_IDX,
                                       .type = WARP_TYPE_LONG_LONG,
                                       .members = WARP_FULL_MASK,
                                       .present = WARP_FULL_MASK,
                                       .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = 32;
        operation.in[lane] = value + (uint64_t)lane;
        operation.out[lane] = value;
    }
    return operation;
}

/* ---- reading exports ---- */

typedef int export_function(FILE *out, const struct trace *trace);

static int as_json(FILE *out, const struct trace *trace) {
    struct error err = ERROR_INIT;
    return export_json(out, trace, EXPORT_ALL, &err);
}

static int as_csv(FILE *out, const struct trace *trace) {
    struct error err = ERROR_INIT;
    return export_csv(out, trace, EXPORT_ALL, &err);
}

static int as_text(FILE *out, const struct trace *trace) {
    const struct text_style style = {
        .palette = {COLOR_PLAIN, BACKGROUND_UNKNOWN}, .ascii = true, .columns = 80};
    struct error err = ERROR_INIT;
    return export_text(out, trace, &style, &err);
}

/* The output of the export; the caller frees. The trace is closed. */
static char *exported(struct trace *trace, export_function *export) {
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_equal(export(out, trace), 0);
    size_t size = (size_t)ftell(out);
    char *data = memory_zeroed(size + 1, 1);
    rewind(out);
    assert_int_equal(fread(data, 1, size, out), size);
    fclose(out);
    trace_close(trace);
    return data;
}

static json_object *exported_json(struct trace *trace) {
    char *text = exported(trace, as_json);
    enum json_tokener_error error;
    json_object *document = json_tokener_parse_verbose(text, &error);
    assert_int_equal(error, json_tokener_success);
    free(text);
    return document;
}

/* The value at a path of keys and indices, as JSON text: at(document, "steps", "0", "op", NULL). */
static const char *at(json_object *object, ...) {
    va_list path;
    va_start(path, object);
    for (const char *key; (key = va_arg(path, const char *)) != NULL;)
        if (json_object_is_type(object, json_type_array))
            object = json_object_array_get_idx(object, (size_t)atoi(key));
        else
            assert_true(json_object_object_get_ex(object, key, &object));
    va_end(path);
    return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
}

/* ---- tests ---- */

/* Lanes 0..3 vote yes: the ballot is 0xf in every lane, a number without a sign. */
static void a_vote_has_no_address(void **state) {
    (void)state;
    struct warp_operation vote = {.op = WARP_OP_BALLOT,
                                  .type = WARP_TYPE_INT,
                                  .members = WARP_FULL_MASK,
                                  .present = WARP_FULL_MASK,
                                  .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        vote.in[lane] = lane < 4 || lane == 31;
        vote.out[lane] = 0x8000000f;
    }
    struct trace_writer *writer = begin("__ballot_sync(0xffffffff, yes)", 0);
    add(writer, &vote, 0);
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "steps", "0", "op", NULL), "\"ballot\"");
    assert_string_equal(at(document, "steps", "0", "width", NULL), "null");
    assert_string_equal(
        at(document, "steps", "0", "lanes", "5", NULL),
        "{\"lane\":5,\"group\":null,\"arg\":null,\"target\":null,\"in_range\":null,"
        "\"source\":null,\"status\":\"read\",\"in\":0,\"in_bits\":\"0x00000000\","
        "\"out\":2147483663,\"out_bits\":\"0x8000000f\",\"observed\":null,\"observed_bits\":null}");
    assert_string_equal(at(document, "findings", NULL), "[]");
    json_object_put(document);
}

static void a_barrier_moves_no_value(void **state) {
    (void)state;
    struct warp_operation barrier = {.op = WARP_OP_SYNC,
                                     .type = WARP_TYPE_NONE,
                                     .members = WARP_FULL_MASK,
                                     .present = WARP_FULL_MASK,
                                     .launched = WARP_FULL_MASK};
    struct trace_writer *writer = begin("__syncwarp()", 0);
    add(writer, &barrier, 0);
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "steps", "0", "lanes", "0", "in", NULL), "null");
    assert_string_equal(at(document, "steps", "0", "lanes", "0", "out_bits", NULL), "null");
    json_object_put(document);
}

static void sixty_four_bits_are_numbers_without_loss(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(UINT64_C(0x7ffffffffffffff0) - 31);
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0)", 0);
    add(writer, &operation, 0);
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "steps", "0", "lanes", "31", "in", NULL),
                        "9223372036854775792");
    assert_string_equal(at(document, "steps", "0", "lanes", "31", "in_bits", NULL),
                        "\"0x7ffffffffffffff0\"");
    json_object_put(document);
}

static void lanes_of_different_widths_are_listed_singly(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    operation.present = operation.members = 0x0000ffff;
    for (int lane = 8; lane < 16; lane++) {
        operation.width[lane] = 8; /* lanes 8..15 read lane 8 */
        operation.out[lane] = 108;
    }
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0, lane < 8 ? 32 : 8)", 0);
    add(writer, &operation, SHFLVIZ_RECORD_WIDTHS_DIFFER);
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "steps", "0", "width", NULL), "32");
    assert_string_equal(at(document, "steps", "0", "widths", NULL),
                        "[32,32,32,32,32,32,32,32,8,8,8,8,8,8,8,8,"
                        "null,null,null,null,null,null,null,null,"
                        "null,null,null,null,null,null,null,null]");
    assert_string_equal(at(document, "steps", "0", "lanes", "9", "source", NULL), "8");
    assert_string_equal(at(document, "steps", "0", "lanes", "9", "group", NULL), "1");
    json_object_put(document);
}

static void a_value_that_breaks_the_rules_is_found(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    operation.out[5] = 7;
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0)", 0);
    add(writer, &operation, 0);
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "findings", "0", "rule", NULL), "\"recording_disagrees\"");
    assert_string_equal(at(document, "findings", "0", "lanes", NULL), "\"0x00000020\"");
    json_object_put(document);
}

static void masks_that_overlap_are_found(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0)", 0);
    add(writer, &operation, SHFLVIZ_RECORD_MASK_DIVERGES);
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "findings", "0", "rule", NULL), "\"divergent_mask\"");
    assert_string_equal(at(document, "findings", "0", "lanes", NULL), "\"0xffffffff\"");
    json_object_put(document);
}

static void a_run_that_did_not_finish_is_found(void **state) {
    (void)state;
    struct trace_writer *writer = begin("", 0);
    trace_writer_note(writer, TRACE_NOTE_FAILURE, "lane 3 waits for lane 4");
    json_object *document = exported_json(end(writer));
    assert_string_equal(at(document, "steps", NULL), "[]");
    assert_string_equal(at(document, "findings", "0", NULL),
                        "{\"rule\":\"run_failed\",\"step\":null,\"lanes\":null,"
                        "\"message\":\"the run did not finish: lane 3 waits for lane 4\"}");
    json_object_put(document);
}

static void steps_that_were_dropped_are_counted(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0)", 2);
    for (int i = 0; i < 5; i++)
        add(writer, &operation, 0);
    struct trace *trace = end(writer);
    assert_int_equal(trace_step_count(trace), 2);
    json_object *document = exported_json(trace);
    assert_string_equal(at(document, "dropped", NULL), "3");
    json_object_put(document);
}

/* A recording from elsewhere may hold any bytes; a document must still be UTF-8. */
static void foreign_bytes_do_not_break_the_document(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    struct trace_writer *writer = begin("\"q\"\t\xff\xc3\x28 \xe2\x82\xac \xed\xa0\x80", 0);
    add(writer, &operation, 0);
    char *text = exported(end(writer), as_json);
    json_tokener *tokener = json_tokener_new();
    /* Without JSON_TOKENER_STRICT, with which json-c 0.18 takes every letter beyond ASCII for a
     * control character (https://github.com/json-c/json-c/issues/892). */
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    json_object *document = json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
    assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
    assert_string_equal(at(document, "steps", "0", "site", "text", NULL), "\"\\\"q\\\" ?"
                                                                          "?( \xe2\x82\xac ???\"");
    json_object_put(document);
    json_tokener_free(tokener);
    free(text);
}

static void csv_quotes_what_would_break_a_row(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    struct trace_writer *writer = begin("f(\"a\", b)", 0);
    add(writer, &operation, 0);
    char *text = exported(end(writer), as_csv);
    const char *row = strchr(text, '\n') + 1;
    static const char expected[] =
        "0,0,0 0 0,0,made.cu,7,\"f(\"\"a\"\", b)\",idx,long-long,32,0xffffffff,0xffffffff,"
        "0,0,0,0,true,0,read,100,0x0000000000000064,100,0x0000000000000064,,,,\r\n";
    assert_memory_equal(row, expected, sizeof(expected) - 1);
    free(text);
}

/* Two operations by hand: each lane has 100 + lane and gets 100 from lane 0. */
static void several_operations_end_in_one_table(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0)", 0);
    add(writer, &operation, 0);
    add(writer, &operation, 0);
    char *text = exported(end(writer), as_text);
    assert_non_null(strstr(text, "lane | idx 0     | idx 0\n"
                                 "     | has gets  | has gets\n"
                                 "   0 | 100  100  | 100  100\n"
                                 "   1 | 101  100  | 101  100\n"));
    assert_non_null(strstr(text, "  31 | 131  100  | 131  100\n"));
    free(text);
}

/* __activemask() has no inputs: its column has the results, below its heading. */
static void an_operation_without_values_has_one_row_of_figures(void **state) {
    (void)state;
    struct warp_operation shuffle = broadcast(100), mask = {.op = WARP_OP_ACTIVEMASK,
                                                            .type = WARP_TYPE_UNSIGNED,
                                                            .members = 0xfffffffd,
                                                            .present = 0xfffffffd,
                                                            .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++)
        mask.out[lane] = 0xfffffffd;
    struct trace_writer *writer = begin("", 0);
    add(writer, &mask, 0);
    add(writer, &shuffle, 0);
    char *text = exported(end(writer), as_text);
    if (!strstr(text, "lane | activemask  | idx 0\n"
                      "     |       gets  | has gets\n"
                      "   0 | 4294967293  | 100  100\n"
                      "   1 |          .  | 101  100\n"
                      "   2 | 4294967293  | 102  100\n"))
        fail_msg("%s", strstr(text, "lane |"));
    free(text);
}

static void text_reports_masks_that_overlap(void **state) {
    (void)state;
    struct warp_operation operation = broadcast(100);
    struct trace_writer *writer = begin("__shfl_sync(m, v, 0)", 0);
    add(writer, &operation, SHFLVIZ_RECORD_MASK_DIVERGES);
    char *text = exported(end(writer), as_text);
    assert_non_null(strstr(text, "divergent_mask in step 0: these lanes pass the mask 0xffffffff"));
    free(text);
}

static void an_empty_recording_says_so(void **state) {
    (void)state;
    char *text = exported(end(begin("", 0)), as_text);
    assert_string_equal(text, "no operation was recorded\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vote_has_no_address),
        cmocka_unit_test(a_barrier_moves_no_value),
        cmocka_unit_test(sixty_four_bits_are_numbers_without_loss),
        cmocka_unit_test(lanes_of_different_widths_are_listed_singly),
        cmocka_unit_test(a_value_that_breaks_the_rules_is_found),
        cmocka_unit_test(masks_that_overlap_are_found),
        cmocka_unit_test(a_run_that_did_not_finish_is_found),
        cmocka_unit_test(steps_that_were_dropped_are_counted),
        cmocka_unit_test(foreign_bytes_do_not_break_the_document),
        cmocka_unit_test(csv_quotes_what_would_break_a_row),
        cmocka_unit_test(several_operations_end_in_one_table),
        cmocka_unit_test(an_operation_without_values_has_one_row_of_figures),
        cmocka_unit_test(text_reports_masks_that_overlap),
        cmocka_unit_test(an_empty_recording_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
