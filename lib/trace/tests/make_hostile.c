/*
 * make_hostile PATH TEXT: writes a recording that has a step of every operation, and TEXT wherever
 * a recording holds a string: in each note, as kernel, file, function, call, source, output and
 * name of memory. Notes that are lists keep their form around it.
 */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const notes[] = {
    TRACE_NOTE_NAME,     TRACE_NOTE_DEVICE,       TRACE_NOTE_RECORDED,   TRACE_NOTE_TITLE,
    TRACE_NOTE_COMMAND,  TRACE_NOTE_DATE,         TRACE_NOTE_DRIVER,     TRACE_NOTE_TOOLKIT,
    TRACE_NOTE_SCHEDULE, TRACE_NOTE_POISON,       TRACE_NOTE_CAPABILITY, TRACE_NOTE_OUTPUT_CUT,
    TRACE_NOTE_FAILURE,  TRACE_NOTE_FAILURE_KIND,
};

static void note_lists(struct trace_writer *writer, const char *text) {
    char list[4096];
    snprintf(list, sizeof list, "0 4096 %s\n", text);
    trace_writer_note(writer, TRACE_NOTE_SHARED, list);
    snprintf(list, sizeof list, "0 2048 %s\n2048 2048 @1 %s\n", text, text);
    trace_writer_note(writer, TRACE_NOTE_GLOBAL, list);
    snprintf(list, sizeof list, "block 0 0 0\nbarrier 0 0000000f %s:3 %s\nrunning 0 %s\n", text,
             text, text);
    trace_writer_note(writer, TRACE_NOTE_WAITING, list);
}

static void put_step(struct trace_writer *writer, enum warp_op op) {
    size_t room;
    unsigned char *record = trace_writer_reserve(writer, &room);
    if (!record)
        exit(1);
    sample_record(record, 4, op, (struct sample_where){0, 0, 0});
    struct shflviz_record_header *header = (void *)record;
    header->op = (uint8_t)op;
    header->width = warp_op_info(op)->is_shuffle ? 32 : warp_op_is_access(op) ? 4 : 0;
    for (int lane = 0; lane < WARP_LANES && warp_op_is_access(op); lane++) {
        const int32_t offset = 4 * lane;
        memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, &offset, 4);
    }
}

int main(int argc, char **argv) {
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4};
    if (argc != 3 || trace_writer_open(&writer, argv[1], &options, NULL) != 0)
        return 2;
    const char *text = argv[2];
    const struct trace_launch launch = {text, {1, 1, 1}, {32, 1, 1}, 4096};
    const struct trace_site site = {text, 1, text, text};
    if (trace_writer_launch(writer, &launch) != 0 || trace_writer_site(writer, &site) != 0)
        return 1;
    trace_writer_source(writer, text, text);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        trace_writer_note(writer, notes[i], text);
    note_lists(writer, text);
    trace_writer_output(writer, 1, text, strlen(text));
    trace_writer_output(writer, 2, text, strlen(text));
    for (int op = 0; op < WARP_OP_COUNT; op++)
        put_step(writer, (enum warp_op)op);
    return trace_writer_close(writer, NULL, NULL) != 0;
}
