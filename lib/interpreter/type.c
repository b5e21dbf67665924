/*
 * type.c - reads and makes types, and finds names.
 *
 * Each scalar type exists once; all others are allocated where they are read, so same_type()
 * compares their structure rather than their addresses.
 */
#include "interpreter/program.h"

#include "base/memory.h"
#include "base/message.h"

#include <string.h>

static const uint8_t sizes[] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8, 2, 8};
#define SCALAR(kind_, name_) [kind_] = {.kind = kind_, .name = name_}
static struct type scalars[KIND_POINTER] = {
    SCALAR(KIND_VOID, "void"),      SCALAR(KIND_BOOL, "bool"),
    SCALAR(KIND_I8, "signed char"), SCALAR(KIND_U8, "unsigned char"),
    SCALAR(KIND_I16, "short"),      SCALAR(KIND_U16, "unsigned short"),
    SCALAR(KIND_I32, "int"),        SCALAR(KIND_U32, "unsigned"),
    SCALAR(KIND_LONG, "long"),      SCALAR(KIND_ULONG, "unsigned long"),
    SCALAR(KIND_I64, "long long"),  SCALAR(KIND_U64, "unsigned long long"),
    SCALAR(KIND_F32, "float"),      SCALAR(KIND_F64, "double"),
    SCALAR(KIND_HALF, "__half")};

const struct type *scalar(enum kind kind) {
    scalars[kind].size = scalars[kind].align = sizes[kind];
    return &scalars[kind];
}

unsigned kind_bits(enum kind kind) {
    return kind == KIND_BOOL ? 1 : sizes[kind] * 8u;
}

static struct type *new_type(struct reader *r, struct type type, size_t members) {
    struct type *made = program_alloc(r->program, sizeof type + members * sizeof(struct member));
    memcpy(made, &type, sizeof type);
    return made;
}

const struct type *pointer_to(struct reader *r, const struct type *target) {
    return new_type(r, (struct type){.kind = KIND_POINTER, .size = 8, .align = 8, .target = target},
                    0);
}

const struct type *array_of(struct reader *r, const struct type *element, uint32_t count) {
    return new_type(r,
                    (struct type){.kind = KIND_ARRAY,
                                  .is_const = element->is_const,
                                  .size = element->size * count,
                                  .align = element->align,
                                  .count = count,
                                  .target = element},
                    0);
}

const struct type *with_const(struct reader *r, const struct type *type) {
    if (type->is_const)
        return type;
    struct type *made = new_type(r, *type, type->kind == KIND_STRUCT ? type->count : 0);
    if (type->kind == KIND_STRUCT)
        memcpy(made->members, type->members, type->count * sizeof type->members[0]);
    made->is_const = true;
    return made;
}

bool same_type(const struct type *a, const struct type *b) {
    if (a->kind != b->kind)
        return false;
    if (a->kind == KIND_STRUCT)
        return strcmp(a->name, b->name) == 0;
    return a->kind < KIND_POINTER || same_type(a->target, b->target);
}

const char *type_name(const struct type *type) {
    return type->kind == KIND_POINTER ? "a pointer"
           : type->kind == KIND_ARRAY ? "an array"
                                      : type->name;
}

/* ---- names ---- */

struct symbol *add_symbol(struct reader *r, const char *name, enum symbol_kind kind,
                          const struct type *type, uint32_t at) {
    r->symbols = memory_room(r->symbols, r->symbol_count, &r->symbol_capacity, sizeof *r->symbols);
    struct symbol *symbol = &r->symbols[r->symbol_count++];
    *symbol = (struct symbol){
        .name = name, .length = (uint32_t)strlen(name), .kind = kind, .type = type, .at = at};
    return symbol;
}

struct symbol *find_symbol(const struct reader *r, const struct token *token) {
    for (size_t i = r->symbol_count; token->kind == TOKEN_NAME && i-- > 0;)
        if (r->symbols[i].length == token->length &&
            memcmp(r->symbols[i].name, token->text, token->length) == 0)
            return &r->symbols[i];
    return NULL;
}

/* int2 ... ulonglong4, whose fields are x, y, z and w. */
static void add_vectors(struct reader *r, const char *name, enum kind kind) {
    static const char *const fields[] = {"x", "y", "z", "w"};
    for (uint32_t count = 1; count <= 4; count++) {
        char *full = program_alloc(r->program, strlen(name) + 2);
        strcpy(full, name);
        full[strlen(name)] = (char)('0' + count);
        const struct type *field = scalar(kind);
        const uint32_t align = count == 3 ? field->size : count * field->size;
        struct type *type = new_type(r,
                                     (struct type){.kind = KIND_STRUCT,
                                                   .size = count * field->size,
                                                   .align = align > 16 ? 16 : align,
                                                   .count = count,
                                                   .name = full},
                                     count);
        for (uint32_t i = 0; i < count; i++)
            type->members[i] = (struct member){fields[i], field, i * field->size};
        add_symbol(r, full, SYMBOL_TYPE, type, 0);
    }
}

void add_builtin_types(struct reader *r) {
    static const struct {
        const char *name;
        enum kind kind;
        bool is_vector;
    } names[] = {{"int", KIND_I32, true},         {"uint", KIND_U32, true},
                 {"float", KIND_F32, true},       {"double", KIND_F64, true},
                 {"short", KIND_I16, true},       {"ushort", KIND_U16, true},
                 {"char", KIND_I8, true},         {"uchar", KIND_U8, true},
                 {"longlong", KIND_I64, true},    {"ulonglong", KIND_U64, true},
                 {"size_t", KIND_ULONG, false},   {"int8_t", KIND_I8, false},
                 {"uint8_t", KIND_U8, false},     {"int16_t", KIND_I16, false},
                 {"uint16_t", KIND_U16, false},   {"int32_t", KIND_I32, false},
                 {"uint32_t", KIND_U32, false},   {"int64_t", KIND_LONG, false},
                 {"uint64_t", KIND_ULONG, false}, {"uintptr_t", KIND_ULONG, false},
                 {"__half", KIND_HALF, false},    {"half", KIND_HALF, false}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].is_vector)
            add_vectors(r, names[i].name, names[i].kind);
        else
            add_symbol(r, names[i].name, SYMBOL_TYPE, scalar(names[i].kind), 0);
}

/* ---- reading a type ---- */

static const char *const words[] = {
    "void",   "bool",     "char",  "short",     "int",      "long",   "float", "double",
    "signed", "unsigned", "const", "constexpr", "volatile", "struct", "auto",  "static"};

bool is_type(const struct reader *r, size_t ahead) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_ahead(r, ahead, words[i]))
            return true;
    const struct symbol *symbol = find_symbol(r, peek(r, ahead));
    return symbol && symbol->kind == SYMBOL_TYPE;
}

/* The scalar that the words name; `counts` is indexed by their positions above. */
static enum kind named_kind(const unsigned *counts) {
    const bool is_unsigned = counts[9] > 0;
    if (counts[0])
        return KIND_VOID;
    if (counts[1])
        return KIND_BOOL;
    if (counts[2])
        return is_unsigned ? KIND_U8 : KIND_I8;
    if (counts[3])
        return is_unsigned ? KIND_U16 : KIND_I16;
    if (counts[6] || counts[7])
        return counts[6] ? KIND_F32 : KIND_F64;
    if (counts[5] > 1)
        return is_unsigned ? KIND_U64 : KIND_I64;
    if (counts[5])
        return is_unsigned ? KIND_ULONG : KIND_LONG;
    return is_unsigned ? KIND_U32 : KIND_I32;
}

/* The number of the current word, or -1. */
static int current_word(const struct reader *r) {
    for (int i = 0; i < (int)(sizeof words / sizeof words[0]); i++)
        if (is(r, words[i]))
            return i;
    return -1;
}

/* *, const and __restrict__ after a type. */
static const struct type *read_pointers(struct reader *r, const struct type *type) {
    for (;;) {
        if (take(r, "*"))
            type = pointer_to(r, type);
        else if (take(r, "const"))
            type = with_const(r, type);
        else if (!take(r, "__restrict__"))
            return type;
    }
}

/* Reads the words of a type; *named is the type of a name among them. True if a keyword names the
 * type. */
static bool read_words(struct reader *r, unsigned *counts, const struct type **named) {
    bool any = false;
    for (;; r->at++) {
        const int word = current_word(r);
        const struct symbol *symbol = find_symbol(r, peek(r, 0));
        if (word >= 0) {
            counts[word]++;
            any |= word < 10;
        } else if (!any && !*named && !counts[14] && symbol && symbol->kind == SYMBOL_TYPE) {
            *named = symbol->type;
        } else {
            return any;
        }
    }
}

/* Returns NULL for `auto`. */
const struct type *read_type(struct reader *r) {
    unsigned counts[sizeof words / sizeof words[0]] = {0};
    const struct type *type = NULL;
    const bool any = read_words(r, counts, &type);
    if (counts[12])
        refuse_unknown(r, "volatile");
    if (!type && !any && !counts[14]) {
        refuse(r, _("\"%.*s\" where a type is expected"), (int)peek(r, 0)->length,
               peek(r, 0)->text);
        return scalar(KIND_I32);
    }
    if (any)
        type = scalar(named_kind(counts));
    if (type && (counts[10] || counts[11]))
        type = with_const(r, type);
    return type ? read_pointers(r, type) : NULL;
}
