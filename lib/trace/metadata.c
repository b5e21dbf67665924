/*
 * Each kind of entry has an encoder and a decoder; the decoder refuses anything that the encoder
 * cannot have written, because a recording may come from anywhere.
 */
#include "trace/metadata.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/search.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- encoding ---- */

static void encode_u32(struct text *bytes, uint32_t value) {
    text_append_bytes(bytes, &value, sizeof(value));
}

static void encode_u64(struct text *bytes, uint64_t value) {
    text_append_bytes(bytes, &value, sizeof(value));
}

static void encode_bytes(struct text *bytes, const char *string, size_t length) {
    if (length > TRACE_FILE_METADATA_MAX) /* the writer refuses the entry; the length must fit */
        length = TRACE_FILE_METADATA_MAX;
    encode_u32(bytes, (uint32_t)length);
    text_append_bytes(bytes, string, length);
}

static void encode_string(struct text *bytes, const char *string) {
    encode_bytes(bytes, string, strlen(string));
}

static size_t entry_begin(struct text *bytes, enum trace_file_tag tag) {
    size_t at = bytes->length;
    encode_u32(bytes, tag);
    encode_u32(bytes, 0);
    return at;
}

static void entry_end(struct text *bytes, size_t at) {
    uint32_t payload = (uint32_t)(bytes->length - at - sizeof(struct trace_file_entry));
    memcpy(bytes->data + at + offsetof(struct trace_file_entry, bytes), &payload, sizeof(payload));
    while (bytes->length % 8 != 0)
        text_append_char(bytes, '\0');
}

void metadata_encode_launch(struct text *bytes, const struct trace_launch *launch) {
    size_t at = entry_begin(bytes, TRACE_FILE_LAUNCH);
    for (int i = 0; i < 3; i++)
        encode_u32(bytes, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        encode_u32(bytes, launch->block[i]);
    encode_u64(bytes, launch->shared);
    encode_string(bytes, launch->kernel);
    entry_end(bytes, at);
}

void metadata_encode_site(struct text *bytes, const struct trace_site *site) {
    size_t at = entry_begin(bytes, TRACE_FILE_SITE);
    encode_u32(bytes, site->line);
    encode_string(bytes, site->file);
    encode_string(bytes, site->function);
    encode_string(bytes, site->text);
    entry_end(bytes, at);
}

void metadata_encode_output(struct text *bytes, const struct trace_output *output, size_t length) {
    size_t at = entry_begin(bytes, TRACE_FILE_OUTPUT);
    encode_u64(bytes, output->step);
    encode_u32(bytes, output->launches);
    encode_u32(bytes, output->stream);
    encode_bytes(bytes, output->text, length);
    entry_end(bytes, at);
}

void metadata_encode_mark(struct text *bytes, uint64_t step, uint32_t in, uint32_t out) {
    size_t at = entry_begin(bytes, TRACE_FILE_MARK);
    encode_u64(bytes, step);
    encode_u32(bytes, in);
    encode_u32(bytes, out);
    entry_end(bytes, at);
}

void metadata_encode_function(struct text *bytes, const struct trace_function *function) {
    const size_t words = trace_scope_words(function->variable_count);
    size_t at = entry_begin(bytes, TRACE_FILE_FUNCTION);
    encode_string(bytes, function->file);
    encode_string(bytes, function->name);
    encode_u32(bytes, function->variable_count);
    encode_u32(bytes, function->line_count);
    for (uint32_t i = 0; i < function->variable_count; i++) {
        encode_u32(bytes, function->variables[i].type);
        encode_u32(bytes, function->variables[i].bytes);
        encode_string(bytes, function->variables[i].name);
    }
    for (uint32_t i = 0; i < function->line_count; i++) {
        encode_u32(bytes, function->lines[i]);
        text_append_bytes(bytes, function->scope + i * words, words * sizeof *function->scope);
        for (size_t word = 0; word < words; word++)
            encode_u64(bytes, function->reads ? function->reads[i * words + word] : 0);
    }
    entry_end(bytes, at);
}

void metadata_encode_lines(struct text *bytes, const struct trace_line_chunk *chunk) {
    size_t at = entry_begin(bytes, TRACE_FILE_LINES);
    encode_u64(bytes, chunk->block);
    encode_u32(bytes, chunk->launch);
    encode_u32(bytes, chunk->warp);
    encode_u32(bytes, chunk->count);
    text_append_bytes(bytes, chunk->bytes, chunk->size);
    entry_end(bytes, at);
}

void metadata_encode_registers(struct text *bytes, const struct trace_registers *registers) {
    size_t at = entry_begin(bytes, TRACE_FILE_REGISTERS);
    encode_u64(bytes, registers->step);
    encode_u32(bytes, registers->lanes);
    encode_u32(bytes, registers->count);
    encode_string(bytes, registers->instruction);
    for (unsigned i = 0; i < registers->count; i++) {
        const struct trace_operand *operand = &registers->operands[i];
        encode_u32(bytes, (uint32_t)operand->letter);
        encode_u32(bytes, operand->registers);
        encode_u32(bytes, operand->bytes);
        text_append_bytes(bytes, operand->values,
                          (size_t)WARP_LANES * operand->registers * operand->bytes);
    }
    entry_end(bytes, at);
}

void metadata_encode_origins(struct text *bytes, const void *origins, size_t size) {
    size_t at = entry_begin(bytes, TRACE_FILE_ORIGINS);
    text_append_bytes(bytes, origins, size);
    entry_end(bytes, at);
}

void metadata_encode_pair(struct text *bytes, enum trace_file_tag tag, const char *first,
                          const char *second) {
    size_t at = entry_begin(bytes, tag);
    encode_string(bytes, first);
    encode_string(bytes, second);
    entry_end(bytes, at);
}

/* ---- decoding ---- */

/* The rest of an entry's payload. Reading beyond it sets `failed` and gives zeros. */
struct payload {
    struct metadata *metadata;
    const unsigned char *bytes;
    size_t left;
    bool failed;
};

static void payload_read(struct payload *payload, void *to, size_t count) {
    if (count > payload->left) {
        payload->failed = true;
        payload->left = 0;
        memset(to, 0, count);
        return;
    }
    memcpy(to, payload->bytes, count);
    payload->bytes += count;
    payload->left -= count;
}

static const char *payload_string(struct payload *payload, enum utf8_layout layout) {
    uint32_t length;
    payload_read(payload, &length, sizeof(length));
    if (length > payload->left)
        payload->failed = true;
    if (payload->failed)
        return "";
    struct metadata *metadata = payload->metadata;
    char *string = metadata->strings + metadata->strings_used;
    size_t shown = utf8_visible(string, (const char *)payload->bytes, length, layout);
    string[shown] = '\0';
    metadata->strings_used += shown + 1;
    payload->bytes += length;
    payload->left -= length;
    return string;
}

uint64_t metadata_grid_blocks(const struct trace_launch *launch) {
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

static bool launch_is_possible(const struct trace_launch *launch) {
    const uint64_t most = 1024; /* threads in a block, on every GPU so far */
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1];
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (launch->block[i] < 1 || launch->block[i] > most || launch->grid[i] < 1)
            return false;
        threads *= launch->block[i];
    }
    return threads <= most && !__builtin_mul_overflow(blocks, launch->grid[2], &blocks);
}

static const char *decode_launch(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_launch launch;
    payload_read(payload, launch.grid, sizeof(launch.grid));
    payload_read(payload, launch.block, sizeof(launch.block));
    payload_read(payload, &launch.shared, sizeof(launch.shared));
    launch.kernel = payload_string(payload, UTF8_LINE);
    if (payload->failed)
        return N_("a launch is cut short");
    if (!launch_is_possible(&launch))
        return N_("a launch has an invalid size");
    metadata->launches = memory_room(metadata->launches, metadata->launch_count,
                                     &metadata->launch_room, sizeof(launch));
    metadata->launches[metadata->launch_count++] = launch;
    return NULL;
}

static const char *decode_site(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_site site;
    payload_read(payload, &site.line, sizeof(site.line));
    site.file = payload_string(payload, UTF8_LINE);
    site.function = payload_string(payload, UTF8_LINE);
    site.text = payload_string(payload, UTF8_LINE);
    if (payload->failed)
        return N_("a call site is cut short");
    metadata->sites =
        memory_room(metadata->sites, metadata->site_count, &metadata->site_room, sizeof(site));
    metadata->sites[metadata->site_count++] = site;
    return NULL;
}

/* A source has lines, and so do the few notes that are lists. Any other note is shown inside a line
 * of ours, which a line end would break. */
static enum utf8_layout pair_layout(uint32_t tag, const char *key) {
    static const char *const lists[] = {TRACE_NOTE_SHARED, TRACE_NOTE_GLOBAL, TRACE_NOTE_WAITING};
    if (tag == TRACE_FILE_SOURCE)
        return UTF8_LINES;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(key, lists[i]) == 0)
            return UTF8_LINES;
    return UTF8_LINE;
}

static const char *decode_pair(struct payload *payload, uint32_t tag, struct metadata_pair **pairs,
                               size_t *count, size_t *room, const char *cut_short) {
    struct metadata_pair pair;
    pair.first = payload_string(payload, UTF8_LINE);
    pair.second = payload_string(payload, pair_layout(tag, pair.first));
    if (payload->failed)
        return cut_short;
    *pairs = memory_room(*pairs, *count, room, sizeof(pair));
    (*pairs)[(*count)++] = pair;
    return NULL;
}

/* A recording has some twenty notes and a source per file; each lookup goes through all of them. */
#define NOTES_MOST   4096
#define SOURCES_MOST 65536

static const char *decode_note(struct payload *payload, uint32_t tag) {
    struct metadata *metadata = payload->metadata;
    if (metadata->note_count == NOTES_MOST)
        return N_("there are too many notes");
    return decode_pair(payload, tag, &metadata->notes, &metadata->note_count, &metadata->note_room,
                       N_("a note is cut short"));
}

static const char *decode_source(struct payload *payload, uint32_t tag) {
    struct metadata *metadata = payload->metadata;
    if (metadata->source_count == SOURCES_MOST)
        return N_("there are too many source texts");
    return decode_pair(payload, tag, &metadata->sources, &metadata->source_count,
                       &metadata->source_room, N_("a source text is cut short"));
}

static const char *decode_output(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_output output;
    uint32_t stream;
    payload_read(payload, &output.step, sizeof(output.step));
    payload_read(payload, &output.launches, sizeof(output.launches));
    payload_read(payload, &stream, sizeof(stream));
    output.stream = stream;
    output.text = payload_string(payload, UTF8_LINES);
    if (payload->failed)
        return N_("a piece of output is cut short");
    metadata->outputs = memory_room(metadata->outputs, metadata->output_count,
                                    &metadata->output_room, sizeof(output));
    metadata->outputs[metadata->output_count++] = output;
    return NULL;
}

void metadata_mark(struct metadata *metadata, const struct metadata_mark *mark) {
    if (metadata->mark_count > 0 && metadata->marks[metadata->mark_count - 1].step >= mark->step)
        return;
    metadata->marks =
        memory_room(metadata->marks, metadata->mark_count, &metadata->mark_room, sizeof(*mark));
    metadata->marks[metadata->mark_count++] = *mark;
}

const struct metadata_mark *metadata_find_mark(const struct metadata *metadata, uint64_t step) {
    const size_t until =
        search_up_to(metadata->marks, metadata->mark_count, sizeof(*metadata->marks), step);
    return until > 0 && metadata->marks[until - 1].step == step ? &metadata->marks[until - 1]
                                                                : NULL;
}

static const char *decode_mark(struct payload *payload) {
    struct metadata_mark mark;
    payload_read(payload, &mark.step, sizeof(mark.step));
    payload_read(payload, &mark.in, sizeof(mark.in));
    payload_read(payload, &mark.out, sizeof(mark.out));
    if (payload->failed)
        return N_("a mark is cut short");
    metadata_mark(payload->metadata, &mark);
    return NULL;
}

static bool variable_is_possible(const struct trace_variable *variable) {
    const struct warp_type_info *info = warp_type_info(variable->type);
    const unsigned bytes = variable->bytes;
    return info && info->bits != 0 && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
           bytes <= (info->bits + 7) / 8;
}

static bool take_variables(struct payload *payload, struct trace_variable *variables,
                           uint32_t count) {
    for (uint32_t i = 0; i < count && !payload->failed; i++) {
        uint32_t type, bytes;
        payload_read(payload, &type, sizeof(type));
        payload_read(payload, &bytes, sizeof(bytes));
        variables[i] = (struct trace_variable){.type = (enum warp_type)type, .bytes = bytes};
        variables[i].name = payload_string(payload, UTF8_LINE);
        if (type >= WARP_TYPE_COUNT || !variable_is_possible(&variables[i]))
            payload->failed = true;
    }
    return !payload->failed;
}

static const char *decode_function(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_function function = {.first = metadata->variable_count};
    function.file = payload_string(payload, UTF8_LINE);
    function.name = payload_string(payload, UTF8_LINE);
    payload_read(payload, &function.variable_count, sizeof(function.variable_count));
    payload_read(payload, &function.line_count, sizeof(function.line_count));
    const size_t words = trace_scope_words(function.variable_count), line = 4 + 16 * words;
    if (payload->failed || function.variable_count > TRACE_FUNCTION_VARIABLES ||
        function.line_count > TRACE_FUNCTION_LINES || function.line_count * line > payload->left)
        return N_("a function is cut short");
    struct trace_variable *variables =
        memory_zeroed(function.variable_count + 1u, sizeof(*variables));
    uint32_t *lines = memory_zeroed(function.line_count + 1u, sizeof(*lines));
    uint64_t *scope = memory_zeroed(function.line_count * words + 1, sizeof(*scope));
    uint64_t *reads = memory_zeroed(function.line_count * words + 1, sizeof(*reads));
    take_variables(payload, variables, function.variable_count);
    for (uint32_t i = 0; i < function.line_count; i++) {
        payload_read(payload, &lines[i], sizeof(lines[i]));
        payload_read(payload, scope + i * words, words * sizeof(*scope));
        payload_read(payload, reads + i * words, words * sizeof(*reads));
    }
    function.variables = variables;
    function.lines = lines;
    function.scope = scope;
    function.reads = reads;
    metadata->functions = memory_room(metadata->functions, metadata->function_count,
                                      &metadata->function_room, sizeof(function));
    metadata->functions[metadata->function_count++] = function;
    metadata->variable_count += function.variable_count;
    return payload->failed ? N_("a function is cut short") : NULL;
}

static const char *decode_lines(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_line_chunk chunk;
    payload_read(payload, &chunk.block, sizeof(chunk.block));
    payload_read(payload, &chunk.launch, sizeof(chunk.launch));
    payload_read(payload, &chunk.warp, sizeof(chunk.warp));
    payload_read(payload, &chunk.count, sizeof(chunk.count));
    if (payload->failed)
        return N_("lines are cut short");
    chunk.bytes = payload->bytes;
    chunk.size = payload->left;
    metadata->chunks =
        memory_room(metadata->chunks, metadata->chunk_count, &metadata->chunk_room, sizeof(chunk));
    metadata->chunks[metadata->chunk_count++] = chunk;
    return NULL;
}

static const char *decode_origins(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    metadata->origins = memory_room(metadata->origins, metadata->origin_count,
                                    &metadata->origin_room, sizeof(*metadata->origins));
    metadata->origins[metadata->origin_count++] =
        (struct metadata_bytes){payload->bytes, payload->left};
    return NULL;
}

static bool take_operand(struct payload *payload, struct trace_operand *operand) {
    uint32_t letter, registers, bytes;
    payload_read(payload, &letter, sizeof(letter));
    payload_read(payload, &registers, sizeof(registers));
    payload_read(payload, &bytes, sizeof(bytes));
    const size_t size = (size_t)WARP_LANES * registers * bytes;
    if (payload->failed || letter < '@' || letter > 'z' || registers < 1 ||
        registers > TRACE_REGISTERS_MOST || (bytes != 4 && bytes != 8) || size > payload->left)
        return false;
    *operand = (struct trace_operand){(char)letter, registers, bytes, payload->bytes};
    payload->bytes += size;
    payload->left -= size;
    return true;
}

static const char *decode_registers(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_registers registers = {.step = 0};
    uint32_t count;
    payload_read(payload, &registers.step, sizeof(registers.step));
    payload_read(payload, &registers.lanes, sizeof(registers.lanes));
    payload_read(payload, &count, sizeof(count));
    registers.instruction = payload_string(payload, UTF8_LINE);
    if (payload->failed || count > TRACE_OPERANDS_MOST)
        return N_("registers are cut short");
    for (; registers.count < count; registers.count++)
        if (!take_operand(payload, &registers.operands[registers.count]))
            return N_("registers are cut short");
    metadata->registers = memory_room(metadata->registers, metadata->registers_count,
                                      &metadata->registers_room, sizeof(registers));
    metadata->registers[metadata->registers_count++] = registers;
    return NULL;
}

static const char *decode_entry(struct payload *payload, uint32_t tag) {
    switch (tag) {
    case TRACE_FILE_LAUNCH:
        return decode_launch(payload);
    case TRACE_FILE_SITE:
        return decode_site(payload);
    case TRACE_FILE_SOURCE:
        return decode_source(payload, tag);
    case TRACE_FILE_NOTE:
        return decode_note(payload, tag);
    case TRACE_FILE_OUTPUT:
        return decode_output(payload);
    case TRACE_FILE_MARK:
        return decode_mark(payload);
    case TRACE_FILE_FUNCTION:
        return decode_function(payload);
    case TRACE_FILE_LINES:
        return decode_lines(payload);
    case TRACE_FILE_ORIGINS:
        return decode_origins(payload);
    case TRACE_FILE_REGISTERS:
        return decode_registers(payload);
    default:
        return NULL; /* from a later writer; not needed to read the steps */
    }
}

const char *metadata_decode(struct metadata *metadata, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        struct trace_file_entry entry;
        if (count < sizeof(entry))
            return N_("the metadata are cut short");
        memcpy(&entry, bytes, sizeof(entry));
        size_t padded = sizeof(entry) + (((size_t)entry.bytes + 7) & ~(size_t)7);
        if (padded > count)
            return N_("an entry reaches beyond the metadata");
        struct payload payload = {metadata, bytes + sizeof(entry), entry.bytes, false};
        const char *wrong = decode_entry(&payload, entry.tag);
        if (wrong)
            return wrong;
        bytes += padded;
        count -= padded;
    }
    return NULL;
}

static int compare_numbers(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

int metadata_compare_chunks(const struct trace_line_chunk *a, const struct trace_line_chunk *b) {
    const int launch = compare_numbers(a->launch, b->launch);
    const int block = compare_numbers(a->block, b->block);
    return launch ? launch : block ? block : compare_numbers(a->warp, b->warp);
}

/* Chunks of one warp keep their order in the file, which is that of their bytes. */
static int compare_chunks(const void *one, const void *other) {
    const struct trace_line_chunk *a = one, *b = other;
    const int warp = metadata_compare_chunks(a, b);
    return warp ? warp : compare_numbers((uintptr_t)a->bytes, (uintptr_t)b->bytes);
}

static int compare_registers(const void *one, const void *other) {
    const struct trace_registers *a = one, *b = other;
    return compare_numbers(a->step, b->step);
}

void metadata_sort(struct metadata *metadata) {
    if (metadata->chunk_count)
        qsort(metadata->chunks, metadata->chunk_count, sizeof(*metadata->chunks), compare_chunks);
    if (metadata->registers_count)
        qsort(metadata->registers, metadata->registers_count, sizeof(*metadata->registers),
              compare_registers);
}

void metadata_init(struct metadata *metadata, size_t bytes) {
    *metadata = (struct metadata){0};
    metadata->strings = memory_alloc(bytes ? bytes : 1);
}

void metadata_release(struct metadata *metadata) {
    free(metadata->launches);
    free(metadata->sites);
    free(metadata->outputs);
    free(metadata->sources);
    free(metadata->notes);
    free(metadata->marks);
    for (size_t i = 0; i < metadata->function_count; i++) {
        free((void *)(uintptr_t)metadata->functions[i].variables);
        free((void *)(uintptr_t)metadata->functions[i].lines);
        free((void *)(uintptr_t)metadata->functions[i].scope);
        free((void *)(uintptr_t)metadata->functions[i].reads);
    }
    free(metadata->functions);
    free(metadata->chunks);
    free(metadata->origins);
    free(metadata->registers);
    free(metadata->strings);
    *metadata = (struct metadata){0};
}
