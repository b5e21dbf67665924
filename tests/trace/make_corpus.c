/*
 * make_corpus FOLDER - writes the recordings that fuzzing begins with, tests/trace/corpus. Run it
 * again when the format changes. The recordings are as short as they can be: readers take the
 * places of all regions from the header, so the space that a writer keeps free can go.
 */
#include "sample.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the metadata behind the launch move to the tail. */
enum metadata_place { ALL_IN_FRONT, MOST_IN_TAIL };

struct bytes {
    unsigned char *data;
    size_t size;
};

/* Appends a region at a multiple of 64; returns where. */
static uint64_t append(struct bytes *to, const unsigned char *from, size_t count) {
    to->size = (size_t)trace_file_align(to->size);
    if (count > 0)
        memcpy(to->data + to->size, from, count);
    to->size += count;
    return count > 0 ? to->size - count : 0;
}

static void shorten(const char *path, enum metadata_place place) {
    struct trace_file_header header;
    size_t size;
    unsigned char *old = sample_read(path, &size);
    struct bytes new = {calloc(1, size + 1024), TRACE_FILE_FRONT};
    assert_non_null(new.data);
    memcpy(&header, old, sizeof(header));
    size_t front = header.front_bytes;
    if (place == MOST_IN_TAIL) {
        struct trace_file_entry launch;
        memcpy(&launch, old + header.front_offset, sizeof(launch));
        front = sizeof(launch) + (launch.bytes + 7) / 8 * 8;
    }
    size_t tail = header.front_bytes - front;
    size_t records = header.step_count * header.record_bytes;
    if (!(header.flags & TRACE_FILE_CLOSED)) /* what a killed run leaves behind its last step */
        records += 2 * header.record_bytes;
    append(&new, old + header.front_offset, front);
    header.front_bytes = front;
    new.size = (size_t)trace_file_align(new.size);
    uint64_t at = new.size;
    append(&new, old + header.records_offset, records);
    header.records_offset = at;
    header.tail_offset = append(&new, old + header.front_offset + front, tail);
    header.tail_bytes = tail;
    header.runs_offset = append(&new, old + header.runs_offset, header.run_count * 40);
    header.warps_offset = append(&new, old + header.warps_offset, header.warp_count * 8);
    header.file_bytes = header.flags & TRACE_FILE_CLOSED ? new.size : 0;
    memcpy(new.data, &header, sizeof(header));
    if (header.flags & TRACE_FILE_CLOSED)
        walk_fix_check(new.data, new.size);
    sample_replace(path, new.data, new.size);
    free(new.data);
    free(old);
}

/* 35 threads: the second warp has three lanes, of which one is gone and one passes a mask of its
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

static void killed(const char *path, uint64_t steps) {
    size_t room;
    struct trace_writer *writer = sample_writer(path, 4);
    sample_steps(writer, 4, steps);
    memset((unsigned char *)trace_writer_reserve(writer, &room) + 8, 0xff, 504);
    struct bytes live; /* as a process killed here would leave it */
    live.data = sample_read(path, &live.size);
    assert_int_equal(trace_writer_close(writer, NULL, NULL), 0);
    sample_replace(path, live.data, live.size);
    free(live.data);
    shorten(path, ALL_IN_FRONT);
}

int main(int argc, char **argv) {
    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    sample_file("no-steps.svt", 4, 0), shorten("no-steps.svt", ALL_IN_FRONT);
    sample_file("one-step.svt", 4, 1), shorten("one-step.svt", ALL_IN_FRONT);
    sample_file("turns.svt", 4, 9), shorten("turns.svt", MOST_IN_TAIL);
    sample_file("wide.svt", 8, 4), shorten("wide.svt", MOST_IN_TAIL);
    partial_warp("partial.svt"), shorten("partial.svt", ALL_IN_FRONT);
    killed("killed.svt", 5);
    sample_replace("letter.svt", "no recording at all\n", 20);
    return 0;
}
