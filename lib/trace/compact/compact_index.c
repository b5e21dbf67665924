#include "trace/compact/compact.h"
#include "trace/compact/packed.h"

/* The most bytes of a run: its count, launch, block, warp and first step. */
#define RUN_MOST (5 * PACKED_NUMBER_MOST)

void compact_encode_runs(struct text *to, const struct trace_file_run *runs, uint32_t count) {
    static const struct trace_file_run none;
    unsigned char room[RUN_MOST];
    struct sink out = {room};
    put_number(&out, runs->number);
    put_number(&out, runs->position);
    for (const struct trace_file_run *run = runs, *was = &none; run < runs + count; was = run++) {
        bool other = run == runs || run->number != was->number;
        text_append_bytes(to, room, (size_t)(out.at - room));
        out.at = room;
        put_number(&out, (uint64_t)run->count << 1 | other);
        if (other) {
            put_difference(&out, was->launch, run->launch);
            put_difference(&out, was->block, run->block);
            put_difference(&out, was->warp, run->warp);
        }
        put_difference(&out, was->first, run->first);
    }
    text_append_bytes(to, room, (size_t)(out.at - room));
}

bool compact_decode_runs(const unsigned char *bytes, size_t size, struct trace_file_run *runs,
                         uint32_t count) {
    struct source from = {bytes, bytes + size, false};
    struct trace_file_run run = {0};
    uint64_t number = take_number(&from), position = take_number(&from);
    for (uint32_t i = 0; i < count && !from.failed; i++) {
        uint64_t counted = take_number(&from);
        if (counted & 1) {
            run.launch = (uint32_t)take_difference(&from, run.launch);
            run.block = take_difference(&from, run.block);
            run.warp = (uint32_t)take_difference(&from, run.warp);
        }
        if (i > 0) {
            number += counted & 1;
            position = counted & 1 ? 0 : position + run.count;
        }
        run.first = take_difference(&from, run.first);
        run.count = (uint32_t)(counted >> 1);
        run.number = (uint32_t)number;
        run.position = position;
        runs[i] = run;
    }
    return !from.failed && from.at == from.end;
}

void compact_encode_numbers(struct text *to, const uint64_t *numbers, uint32_t count) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        unsigned char room[PACKED_NUMBER_MOST];
        struct sink out = {room};
        put_number(&out, numbers[i] - before);
        text_append_bytes(to, room, (size_t)(out.at - room));
        before = numbers[i];
    }
}

bool compact_decode_numbers(const unsigned char *bytes, size_t size, uint64_t *numbers,
                            uint32_t count) {
    struct source from = {bytes, bytes + size, false};
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = number += take_number(&from);
    return !from.failed && from.at == from.end;
}
