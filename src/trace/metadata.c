#include "trace/metadata.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- encoding ----------------------------------------------------------------------------------
 */

static void encode_u32(struct text *bytes, uint32_t value) {
    text_append_bytes(bytes, &value, sizeof(value));
}

static void encode_u64(struct text *bytes, uint64_t value) {
    text_append_bytes(bytes, &value, sizeof(value));
}

static void encode_string(struct text *bytes, const char *string) {
    size_t length = strlen(string);
    if (length > TRACE_FILE_METADATA_MAX) /* the writer refuses the entry; keep the length true */
        length = TRACE_FILE_METADATA_MAX;
    encode_u32(bytes, (uint32_t)length);
    text_append_bytes(bytes, string, length);
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

void metadata_encode_pair(struct text *bytes, enum trace_file_tag tag, const char *first,
                          const char *second) {
    size_t at = entry_begin(bytes, tag);
    encode_string(bytes, first);
    encode_string(bytes, second);
    entry_end(bytes, at);
}

/* ---- strings that are safe to show -------------------------------------------------------------
 */

/* Length of the UTF-8 sequence at `from`, its code point in *code; 0 if there is none. */
static size_t utf8_decode(const unsigned char *from, size_t left, uint32_t *code) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = from[0] < 0x80             ? 1
                    : (from[0] & 0xe0) == 0xc0 ? 2
                    : (from[0] & 0xf0) == 0xe0 ? 3
                    : (from[0] & 0xf8) == 0xf0 ? 4
                                               : 0;
    if (length == 0 || length > left)
        return 0;
    *code = length == 1 ? from[0] : from[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((from[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (from[i] & 0x3fu);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

/* Whether a terminal may act on the character, or show what stands around it in another order. */
static bool code_is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

enum string_kind { STRING_LINE, STRING_LINES };

/* Copies `count` foreign bytes and a NUL to `to`; never longer than they were. Returns the end. */
static char *string_clean(char *to, const unsigned char *from, size_t count,
                          enum string_kind kind) {
    for (size_t i = 0, length; i < count; i += length) {
        uint32_t code = 0;
        length = utf8_decode(from + i, count - i, &code);
        bool space = length == 1 && (code == '\n' || code == '\t' || code == '\r');
        if (length == 0 || (code_is_control(code) && !space)) {
            *to++ = '?';
            length = length ? length : 1;
        } else if (!space) {
            memcpy(to, from + i, length);
            to += length;
        } else if (kind == STRING_LINE) {
            *to++ = ' ';
        } else if (code != '\r') {
            *to++ = (char)code;
        } else if (i + 1 == count || from[i + 1] != '\n') {
            *to++ = '\n';
        }
    }
    *to++ = '\0';
    return to;
}

/* ---- decoding ----------------------------------------------------------------------------------
 */

/* What is left of an entry's payload. Reading beyond it sets `failed` and gives zeros. */
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

static const char *payload_string(struct payload *payload, enum string_kind kind) {
    uint32_t length;
    payload_read(payload, &length, sizeof(length));
    if (length > payload->left)
        payload->failed = true;
    if (payload->failed)
        return "";
    struct metadata *metadata = payload->metadata;
    char *string = metadata->strings + metadata->strings_used;
    char *end = string_clean(string, payload->bytes, length, kind);
    metadata->strings_used += (size_t)(end - string);
    payload->bytes += length;
    payload->left -= length;
    return string;
}

/* The table, with room for one element more than it holds. */
static void *table_room(void *table, size_t count, size_t *room, size_t element) {
    if (count < *room)
        return table;
    *room = *room ? *room * 2 : 8;
    return memory_grow(table, *room, element);
}

uint32_t metadata_threads(const struct trace_launch *launch) {
    return launch->block[0] * launch->block[1] * launch->block[2];
}

uint64_t metadata_blocks(const struct trace_launch *launch) {
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
    launch.kernel = payload_string(payload, STRING_LINE);
    if (payload->failed)
        return "a launch is cut short";
    if (!launch_is_possible(&launch))
        return "a launch has an impossible size";
    metadata->launches = table_room(metadata->launches, metadata->launch_count,
                                    &metadata->launch_room, sizeof(launch));
    metadata->launches[metadata->launch_count++] = launch;
    return NULL;
}

static const char *decode_site(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct trace_site site;
    payload_read(payload, &site.line, sizeof(site.line));
    site.file = payload_string(payload, STRING_LINE);
    site.function = payload_string(payload, STRING_LINE);
    site.text = payload_string(payload, STRING_LINE);
    if (payload->failed)
        return "a call site is cut short";
    metadata->sites =
        table_room(metadata->sites, metadata->site_count, &metadata->site_room, sizeof(site));
    metadata->sites[metadata->site_count++] = site;
    return NULL;
}

static const char *decode_source(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct metadata_pair source;
    source.first = payload_string(payload, STRING_LINE);
    source.second = payload_string(payload, STRING_LINES);
    if (payload->failed)
        return "a source text is cut short";
    metadata->sources = table_room(metadata->sources, metadata->source_count,
                                   &metadata->source_room, sizeof(source));
    metadata->sources[metadata->source_count++] = source;
    return NULL;
}

static const char *decode_note(struct payload *payload) {
    struct metadata *metadata = payload->metadata;
    struct metadata_pair note;
    note.first = payload_string(payload, STRING_LINE);
    note.second = payload_string(payload, STRING_LINES);
    if (payload->failed)
        return "a note is cut short";
    metadata->notes =
        table_room(metadata->notes, metadata->note_count, &metadata->note_room, sizeof(note));
    metadata->notes[metadata->note_count++] = note;
    return NULL;
}

static const char *decode_entry(struct payload *payload, uint32_t tag) {
    switch (tag) {
    case TRACE_FILE_LAUNCH:
        return decode_launch(payload);
    case TRACE_FILE_SITE:
        return decode_site(payload);
    case TRACE_FILE_SOURCE:
        return decode_source(payload);
    case TRACE_FILE_NOTE:
        return decode_note(payload);
    default:
        return NULL; /* of a later writer, and nothing that is needed to read the steps */
    }
}

const char *metadata_decode(struct metadata *metadata, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        struct trace_file_entry entry;
        if (count < sizeof(entry))
            return "the metadata are cut short";
        memcpy(&entry, bytes, sizeof(entry));
        size_t padded = sizeof(entry) + (((size_t)entry.bytes + 7) & ~(size_t)7);
        if (padded > count)
            return "an entry reaches beyond the metadata";
        struct payload payload = {metadata, bytes + sizeof(entry), entry.bytes, false};
        const char *wrong = decode_entry(&payload, entry.tag);
        if (wrong)
            return wrong;
        bytes += padded;
        count -= padded;
    }
    return NULL;
}

void metadata_init(struct metadata *metadata, size_t bytes) {
    *metadata = (struct metadata){0};
    metadata->strings = memory_alloc(bytes ? bytes : 1);
}

void metadata_release(struct metadata *metadata) {
    free(metadata->launches);
    free(metadata->sites);
    free(metadata->sources);
    free(metadata->notes);
    free(metadata->strings);
    *metadata = (struct metadata){0};
}
