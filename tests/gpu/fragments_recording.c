/*
 * fragments_recording.c - makes a recording of the registers that fragments.cu wrote on a GPU,
 * where inline PTX is not recorded. It has a step for each product, as on the CPU warp.
 *
 *     fragments_recording REGISTERS FILE.svt NAME DRIVER TOOLKIT CAPABILITY DATE
 *
 * The arguments after the file are the recording's notes about the machine.
 */
#include "base/error.h"
#include "trace/record.h"
#include "trace/trace.h"
#include "warp/fragment.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LANES      32
#define WORDS_MOST 16 /* as in fragments.cu */

typedef uint32_t lane_words[LANES][WORDS_MOST];
struct registers {
    char instruction[64];
    lane_words a, b, c, d;
};

struct kept {
    struct trace_registers registers;
    uint32_t values[TRACE_OPERANDS_MOST][TRACE_REGISTERS_MOST * LANES * 2];
};

static void keep(struct kept *kept, const struct fragment *fragment, const lane_words words) {
    const unsigned bytes = fragment_type_info(fragment->type)->bits == 64 ? 8 : 4, each = bytes / 4;
    const unsigned count =
        (unsigned)(fragment_elements(fragment) / fragment_per_register(fragment));
    uint32_t *to = kept->values[kept->registers.count];
    kept->registers.operands[kept->registers.count++] = (struct trace_operand){
        .letter = fragment->letter, .registers = count, .bytes = bytes, .values = to};
    for (unsigned number = 0; number < count; number++)
        for (unsigned lane = 0; lane < LANES; lane++, to += each)
            memcpy(to, &words[lane][number * each], bytes);
}

static int write_step(struct trace_writer *writer, const struct registers *from, uint32_t line) {
    const struct trace_site site = {
        .file = "fragments.cu", .line = line, .function = "products", .text = from->instruction};
    struct kept kept = {.registers = {.lanes = UINT32_MAX, .instruction = from->instruction}};
    struct shflviz_record_header header = {.site = trace_writer_site(writer, &site),
                                           .op = WARP_OP_SYNC,
                                           .type = WARP_TYPE_NONE,
                                           .flags = SHFLVIZ_RECORD_EXITED_KNOWN,
                                           .members = UINT32_MAX,
                                           .present = UINT32_MAX,
                                           .sequence = trace_writer_next_sequence(writer)};
    struct mma mma;
    const char *word;
    size_t length, count = 1;
    void *record = trace_writer_reserve(writer, &count);
    if (!record || mma_read(&mma, from->instruction, &word, &length) != MMA_GOOD)
        return -1;
    memcpy(record, &header, sizeof header);
    kept.registers.step = header.sequence - 1;
    keep(&kept, &mma.a, from->a);
    keep(&kept, &mma.b, from->b);
    keep(&kept, &mma.c, from->c);
    keep(&kept, &mma.d, from->d);
    trace_writer_registers(writer, &kept.registers);
    return 0;
}

int main(int count, char **words) {
    static const char *const keys[] = {TRACE_NOTE_NAME, TRACE_NOTE_DRIVER, TRACE_NOTE_TOOLKIT,
                                       TRACE_NOTE_CAPABILITY, TRACE_NOTE_DATE};
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {
        .kernel = "products", .grid = {1, 1, 1}, .block = {LANES, 1, 1}};
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    struct registers registers;
    uint32_t line = 0;
    FILE *file = count == 8 ? fopen(words[1], "rb") : NULL;
    if (!file || trace_writer_open(&writer, words[2], &options, &err) != 0) {
        fprintf(stderr, "fragments_recording: %s\n",
                err.text[0] ? err.text : "REGISTERS FILE.svt NAME DRIVER TOOLKIT CAPABILITY DATE");
        return 2;
    }
    trace_writer_launch(writer, &launch);
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "gpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "measured");
    trace_writer_note(writer, TRACE_NOTE_TITLE, "every mma.sync, with random small integers");
    for (int i = 0; i < 5; i++)
        trace_writer_note(writer, keys[i], words[3 + i]);
    int status = 0;
    while (status == 0 && fread(&registers, sizeof registers, 1, file) == 1)
        status = write_step(writer, &registers, ++line);
    fclose(file);
    if (trace_writer_close(writer, NULL, &err) != 0 || status != 0) {
        fprintf(stderr, "fragments_recording: %s\n", err.text);
        return 1;
    }
    return 0;
}
