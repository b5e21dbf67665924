/*
 * make_corpus FOLDER - writes the recordings that fuzzing starts from, lib/trace/tests/corpus. Run
 * it again when the format changes. Those of version 1 (v1-...) were made by its writer and are
 * kept.
 */
#include "trace/lines/code.h"
#include "trace/lines/origins.h"

#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 35 threads: the second warp has three lanes, of which one has exited and one passes a mask of its
 * own; the widths differ. */
static void partial_warp(const char *path) {
    size_t room;
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 8};
    const struct trace_launch launch = {"\x1b]0;name\x07", {2, 2, 1}, {7, 5, 1}, 16};
    const struct trace_site site = {"a\nb.cu", 1, "f\xff", "__shfl_up_sync(\xe2\x80\xae)"};
    assert_int_equal(trace_writer_open(&writer, path, &options, NULL), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    trace_writer_note(writer, TRACE_NOTE_FAILURE, "lanes 0 and 1\nwait");
    for (uint64_t n = 0; n < 3; n++) {
        unsigned char *record = trace_writer_reserve(writer, &room);
        assert_non_null(record);
        sample_record(record, 8, n, (struct sample_where){0, n, 1});
        struct shflviz_record_header *header = (void *)record;
        header->op = n == 1 ? WARP_OP_BALLOT : WARP_OP_UP;
        header->type = n == 2 ? WARP_TYPE_DOUBLE : WARP_TYPE_INT;
        header->flags |= SHFLVIZ_RECORD_WIDTHS_DIFFER | SHFLVIZ_RECORD_MASK_DIVERGES;
        header->present = 5;
        header->exited = 2;
    }
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

/* Output between the steps, in pieces; more than is kept. */
static void printed(const char *path) {
    struct trace_writer *writer = sample_writer(path, 4);
    trace_writer_output(writer, 1, "before\n\tthe \x1b[31mfirst", 19);
    sample_steps(writer, 4, 2);
    trace_writer_output(writer, 2, "\xff\0\n", 3);
    trace_writer_output(writer, 1, "", 0);
    trace_writer_output_cut(writer, UINT64_MAX / 2);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

/* Lines of two warps, with an invalid name. */
static void with_lines(const char *path) {
    static const struct trace_variable variables[] = {{"a\x1b", WARP_TYPE_INT, 4},
                                                      {"b", WARP_TYPE_DOUBLE, 8}};
    static const uint32_t numbers[] = {3, 4};
    static const uint64_t scopes[] = {1, 3};
    static const struct trace_function function = {"a.cu",  "f",    2,    2, variables,
                                                   numbers, scopes, NULL, 0};
    struct trace_writer *writer = sample_writer(path, 4);
    trace_writer_function(writer, &function);
    for (uint32_t warp = 0; warp < 2; warp++) {
        struct text bytes = TEXT_INIT;
        struct line_coder coder = {0};
        for (uint32_t i = 0; i < 6; i++) {
            const struct line_code line = {0, i % 2, i == 3 ? 0xffff : 0xffffffff, i / 3, i == 0,
                                           i, 1};
            struct line_code_change change = {i % 2, line.lanes, i == 4, {0}};
            for (int lane = 0; lane < WARP_LANES; lane++)
                change.value[lane] = i == 2 ? (uint64_t)(lane * lane) % 7 : i + (uint64_t)lane;
            line_code_put(&coder, &bytes, &line);
            line_code_put_change(&coder, &bytes, &change, variables[i % 2].type, 2);
        }
        const struct trace_line_chunk chunk = {0, 0, warp, 6, bytes.data, bytes.length};
        trace_writer_lines(writer, &chunk);
        line_coder_release(&coder);
        text_release(&bytes);
    }
    sample_steps(writer, 4, 3);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

/* A node of each kind, a variable and an element of each node. */
static void with_origins(const char *path) {
    static const struct trace_variable variable = {"v", WARP_TYPE_FLOAT, 4};
    static const uint32_t number = 3;
    static const uint64_t scope = 1;
    static const struct trace_function function = {"a.cu",  "f",    1,    1, &variable,
                                                   &number, &scope, NULL, 0};
    struct trace_writer *writer = sample_writer(path, 4);
    struct text bytes = TEXT_INIT;
    trace_writer_function(writer, &function);
    trace_origin_put_text(&bytes, "in");
    trace_origin_put_text(&bytes, "a\x1b");
    for (uint32_t kind = 0; kind < TRACE_ORIGIN_KINDS; kind++) {
        const uint32_t a = kind < TRACE_ORIGIN_SUM ? kind % 2 : kind - 1;
        const struct trace_origin node = {(enum trace_origin_kind)kind, a, 1, kind, kind * 5u};
        const struct trace_origin_value value = {0, 0, 0, kind, 0, kind, kind};
        const struct trace_origin_element element = {0, kind % 2, kind, kind};
        trace_origin_put_node(&bytes, &node);
        trace_origin_put_value(&bytes, &value, 0);
        trace_origin_put_element(&bytes, &element);
    }
    trace_writer_origins(writer, bytes.data, bytes.length);
    text_release(&bytes);
    sample_steps(writer, 4, 1);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
}

static void killed(const char *path, const char *partial, uint64_t steps) {
    size_t room;
    struct trace_writer *writer = sample_writer(path, 4);
    sample_steps(writer, 4, steps);
    memset((unsigned char *)trace_writer_reserve(writer, &room) + 8, 0xff, 504);
    size_t size;
    unsigned char *live = sample_read(partial, &size); /* as if a process had been killed here */
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    sample_replace(path, live, 128 + 64 + 192 + 64 + 8 * 512); /* with room for two more records */
    free(live);
}

int main(int argc, char **argv) {
    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    sample_file("no-steps.svt", 4, 0);
    sample_file("one-step.svt", 4, 1);
    sample_file("turns.svt", 4, 9);
    sample_file("wide.svt", 8, 4);
    partial_warp("partial.svt");
    printed("printed.svt");
    with_lines("lines.svt");
    with_origins("origins.svt");
    killed("killed.svt", "killed.svt.partial", 5);
    sample_replace("letter.svt", "no recording at all\n", 20);
    return 0;
}
