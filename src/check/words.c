/*
 * The sentences for accesses to memory. Each case has a whole sentence rather than one put together
 * from parts, because parts cannot be translated.
 */
#include "base/message.h"
#include "base/text.h"
#include "check/report.h"
#include "warp/warp.h"

#include <inttypes.h>

/* The two sides of an access, and the target. */
struct names {
    const char *who, *whom, *object;
    bool has_name; /* the object has a name in the program's source */
};

/* ---- the target of an access ---- */

static const char *verb(uint32_t kind) {
    return kind & ACCESS_LOADS    ? _("atomically reads")
           : kind & ACCESS_ATOMIC ? _("atomically updates")
           : kind & ACCESS_WRITES ? _("writes")
                                  : _("reads");
}

static const char *memory_name(uint32_t memory) {
    return memory == ACCESS_SHARED           ? _("shared memory")
           : memory == ACCESS_DYNAMIC_SHARED ? _("dynamic shared memory")
                                             : _("global memory");
}

/* "[3][0][1]" after the name, for the element at `index`. */
static void append_index(struct text *text, const struct access_object *object, uint64_t index) {
    uint64_t below[ACCESS_EXTENTS], part = 1;
    int count = 0;
    while (count < ACCESS_EXTENTS && object->extent[count])
        count++;
    for (int i = count; i-- > 0; part *= object->extent[i])
        below[i] = part; /* elements per step of this index */
    for (int i = 0; i < count; i++) {
        text_append_format(text, "[%" PRIu64 "]", index / below[i]);
        index %= below[i];
    }
}

/* Appends a variable, or a kernel's argument by its parameter's name: "out[5]", "p->count". False
 * if it has no name. */
static bool append_named(struct text *text, const struct program_access *access,
                         const struct trace *trace) {
    const struct access_object *object = &access->entry.object;
    const uint64_t bytes = object->element ? object->element : 1;
    const uint64_t index = object->offset / bytes;
    const uint64_t rest = *object->member ? object->rest : object->offset % bytes;
    char parameter[64];
    if (*object->name) {
        text_append(text, object->name);
        append_index(text, object, index);
        text_append(text, object->member);
    } else if (object->argument && object->element &&
               check_parameter_name(trace, access, parameter, sizeof parameter)) {
        if (object->extent[0] == 1 && *object->member)
            text_append_format(text, "%s->%s", parameter, object->member + 1);
        else
            text_append_format(text, "%s[%" PRIu64 "]%s", parameter, index, object->member);
    } else {
        return false;
    }
    if (rest)
        text_append_format(text, _(" (byte %" PRIu64 " of the value)"), rest);
    return true;
}

/* "tile[0][3]", "out[5]"; else "byte 20 of global memory". */
static bool append_object(struct text *text, const struct program_access *access,
                          const struct trace *trace) {
    const struct access_entry *entry = &access->entry;
    if (append_named(text, access, trace))
        return true;
    text_append_format(text, _("byte %" PRIu64 " of %s"), entry->offset,
                       memory_name(entry->memory));
    return false;
}

/* ---- sentences ---- */

/* "lane 3 of warp 0 in block (0,0,0)" */
static void append_party(struct text *text, const struct access_party *party,
                         const struct trace *trace, uint32_t launch) {
    uint32_t block[3];
    check_block_index(trace, launch, party->block, block);
    text_append_format(text, _("lane %u of warp %u in block (%u,%u,%u)"),
                       party->thread % WARP_LANES, party->thread / WARP_LANES, block[0], block[1],
                       block[2]);
}

/* The reason why the atomic operation at a line orders nothing. */
static const char *flaw_words(uint32_t flaw) {
    return flaw == ACCESS_FLAW_NO_ACQUIRE
               ? _(": the atomic read at %s:%" PRIu32 " is relaxed, and no fence follows it")
           : flaw == ACCESS_FLAW_SCOPE
               ? _(": the operation at %s:%" PRIu32
                   " that orders the accesses has only block scope")
               : _(": no fence separates the write from the atomic operation at %s:%" PRIu32);
}

static void append_race(struct text *text, const struct program_access *access,
                        const struct names *names) {
    const struct access_entry *entry = &access->entry;
    text_append_format(
        text, _("%s %s %s, which %s %s at %s:%" PRIu32 "; nothing orders the two accesses"),
        names->who, verb(entry->me.kind), names->object, names->whom, verb(entry->other.kind),
        access->other_file ? access->other_file : "?", access->other_line);
    if (entry->me.kind & ACCESS_VOLATILE && entry->rule == ACCESS_SHARED_RACE)
        text_append(text, _(" (volatile does not order accesses)"));
    if (entry->me.kind & entry->other.kind & ACCESS_ATOMIC)
        text_append(text, _(": the operation with block scope is atomic only within its block"));
    if (access->flag_file)
        text_append_format(text, flaw_words(entry->flaw), access->flag_file, access->flag_line);
}

/* The number of elements behind a pointer that a kernel was passed. */
static uint64_t elements_of(const struct access_entry *entry) {
    const struct access_object *object = &entry->object;
    return (entry->extent - (entry->offset - object->offset)) / object->element;
}

static void append_out_of_bounds(struct text *text, const struct program_access *access,
                                 const struct names *names, const struct trace *trace) {
    const struct access_entry *entry = &access->entry;
    const char *const who = names->who;
    char array[64];
    if (entry->memory == ACCESS_LOCAL && check_array_name(trace, access, array, sizeof array))
        text_append_format(text,
                           _("%s uses index %" PRId64 " of %s, which has %" PRIu64 " elements"),
                           who, (int64_t)entry->offset, array, entry->extent);
    else if (entry->memory == ACCESS_LOCAL)
        text_append_format(text,
                           _("%s uses index %" PRId64 " of an array that has %" PRIu64 " elements"),
                           who, (int64_t)entry->offset, entry->extent);
    else if (entry->memory == ACCESS_NOWHERE)
        text_append_format(text,
                           _("%s %s %" PRIu32 " bytes at an address where there is no memory"), who,
                           verb(entry->me.kind), entry->bytes);
    else if (entry->memory == ACCESS_CLOSED)
        text_append_format(text,
                           _("%s %s %s, which nvtxMemPermissionsAssign() has closed to such "
                             "accesses"),
                           who, verb(entry->me.kind), names->object);
    else if (entry->memory == ACCESS_GLOBAL && names->has_name && entry->object.argument)
        text_append_format(text,
                           message_plural("%s %s %s, beyond the end: there is %" PRIu64 " element",
                                          "%s %s %s, beyond the end: there are %" PRIu64
                                          " elements",
                                          (unsigned long)elements_of(entry)),
                           who, verb(entry->me.kind), names->object, elements_of(entry));
    else if (entry->memory == ACCESS_FREED)
        text_append_format(text,
                           _("%s %s %" PRIu32 " bytes at byte %" PRId64
                             " of an allocation of %" PRIu64 " bytes that has been freed"),
                           who, verb(entry->me.kind), entry->bytes, (int64_t)entry->offset,
                           entry->extent);
    else
        text_append_format(
            text,
            _("%s %s %" PRIu32 " bytes at byte %" PRId64 " of %s, which has %" PRIu64 " bytes"),
            who, verb(entry->me.kind), entry->bytes, (int64_t)entry->offset,
            memory_name(entry->memory), entry->extent);
}

static void append_unset(struct text *text, const struct access_entry *entry,
                         const struct names *names) {
    const char *const who = names->who;
    const bool is_part = entry->missing && entry->missing < entry->bytes;
    if (is_part && names->has_name)
        text_append_format(
            text, _("%s reads %s: %" PRIu32 " of its %" PRIu32 " bytes were never written"), who,
            names->object, entry->missing, entry->bytes);
    else if (names->has_name)
        text_append_format(text, _("%s reads %s, which was never written"), who, names->object);
    else if (is_part)
        text_append_format(text,
                           _("%s reads %" PRIu32 " bytes at byte %" PRIu64 " of %s, %" PRIu32
                             " of which were never written"),
                           who, entry->bytes, entry->offset, memory_name(entry->memory),
                           entry->missing);
    else
        text_append_format(
            text, _("%s reads %" PRIu32 " bytes at byte %" PRIu64 " of %s that were never written"),
            who, entry->bytes, entry->offset, memory_name(entry->memory));
}

static void append_wrong_space(struct text *text, const struct access_entry *entry,
                               const char *who) {
    const char *format =
        entry->memory == ACCESS_DEVICES
            ? _("the host %s %" PRIu32 " bytes of memory that belongs to the device alone")
        : entry->memory == ACCESS_LOCAL
            ? _("%s %s %" PRIu32 " bytes of another thread's local memory")
            : _("%s %s %" PRIu32 " bytes of memory that belongs to the host alone");
    if (entry->memory == ACCESS_DEVICES)
        text_append_format(text, format, verb(entry->me.kind), entry->bytes);
    else
        text_append_format(text, format, who, verb(entry->me.kind), entry->bytes);
}

static void append_misaligned(struct text *text, const struct access_entry *entry,
                              const struct names *names) {
    if (names->has_name)
        text_append_format(text,
                           _("%s %s %s, whose address must be a multiple of %" PRIu64
                             " for this type; the address leaves a remainder of %" PRIu64),
                           names->who, verb(entry->me.kind), names->object, entry->extent,
                           entry->offset);
    else
        text_append_format(text,
                           _("%s %s a value whose address must be a multiple of %" PRIu64
                             "; the address leaves a remainder of %" PRIu64),
                           names->who, verb(entry->me.kind), entry->extent, entry->offset);
}

static void append_barrier(struct text *text, const struct program_access *access,
                           const char *whom) {
    const struct access_entry *entry = &access->entry;
    if (access->other_line)
        text_append_format(
            text, _("threads of the block wait at this barrier while %s waits at %s:%" PRIu32),
            whom, access->other_file, access->other_line);
    else
        text_append_format(
            text,
            message_plural("the barrier opens although %" PRIu32
                           " thread of the block has left the kernel and does not reach it",
                           "the barrier opens although %" PRIu32
                           " threads of the block have left the kernel and do not reach it",
                           entry->exited),
            entry->exited);
}

static void append_coverage(struct text *text, const struct program_access *access,
                            const struct trace *trace) {
    const struct access_entry *entry = &access->entry;
    char parameter[64];
    if (!check_parameter_name(trace, access, parameter, sizeof parameter))
        *parameter = '\0';
    text_append_format(text,
                       _("all blocks read the same %" PRIu64 " of the %" PRIu64
                         " elements of %s, and no thread reads the other elements"),
                       entry->offset, entry->extent, *parameter ? parameter : _("an array"));
}

/* Appends a call that the host made, and its consequence. */
static void append_host_call(struct text *text, const struct program_access *access,
                             const struct trace *trace) {
    const struct access_entry *entry = &access->entry;
    struct check_host_call call;
    struct text name = TEXT_INIT;
    if (entry->rule >= ACCESS_RULES)
        return;
    check_host_call_at(trace && access->file ? trace_source(trace, access->file) : NULL,
                       access->line, &call);
    text_append(&name, call.is_launch ? _("the launch") : *call.name ? call.name : "cuda...");
    if (!call.is_launch)
        text_append(&name, "()");
    if (entry->rule == ACCESS_FAILED)
        text_append_format(text,
                           entry->is_seen || !call.is_dropped
                               ? _("%s fails with %s (%s), and the program checks the result")
                               : _("%s fails with %s (%s), and nothing checks the result"),
                           name.data, cpu_runtime_error_name((int)entry->offset),
                           cpu_runtime_error_string((int)entry->offset));
    else
        text_append_format(
            text,
            entry->rule == ACCESS_LEFT
                ? _("%s allocates memory that is never freed (bytes: %" PRIu64 ")")
                : _("%s allocates memory that nothing ever writes or reads (bytes: %" PRIu64 ")"),
            name.data, entry->extent);
    text_release(&name);
}

char *check_access_words(const struct program_access *access, const struct trace *trace) {
    const struct access_entry *entry = &access->entry;
    struct text text = TEXT_INIT, who = TEXT_INIT, whom = TEXT_INIT, object = TEXT_INIT;
    append_party(&who, &entry->me, trace, entry->launch);
    append_party(&whom, &entry->other, trace, entry->launch);
    const bool has_name = append_object(&object, access, trace);
    const struct names names = {who.data, whom.data, object.data, has_name};
    switch ((enum access_rule)entry->rule) {
    case ACCESS_SHARED_RACE:
    case ACCESS_GLOBAL_RACE:
        append_race(&text, access, &names);
        break;
    case ACCESS_OUT_OF_BOUNDS:
        append_out_of_bounds(&text, access, &names, trace);
        break;
    case ACCESS_UNINITIALIZED_READ:
        append_unset(&text, entry, &names);
        break;
    case ACCESS_WRONG_SPACE:
        append_wrong_space(&text, entry, who.data);
        break;
    case ACCESS_BARRIER_DIVERGENCE:
        append_barrier(&text, access, whom.data);
        break;
    case ACCESS_MISALIGNED:
        append_misaligned(&text, entry, &names);
        break;
    case ACCESS_SHIFT:
        text_append_format(&text, _("%s shifts a value of %" PRIu64 " bits by %" PRId64), who.data,
                           entry->extent, (int64_t)entry->offset);
        break;
    case ACCESS_SKIPPED:
        text_append_format(&text,
                           _("%s continues to line %" PRIu32
                             " without making this call, although the call's "
                             "member mask names the lane; %s makes the call"),
                           who.data, access->other_line, whom.data);
        break;
    case ACCESS_NARROWED:
        text_append_format(
            &text,
            entry->extent
                ? _("%s passes a floating-point number of %" PRIu32
                    " bits to a call that takes an unsigned int: whatever does not fit is lost")
                : _("%s passes an integer of %" PRIu32
                    " bits to a call that takes an unsigned int: whatever does not fit is lost"),
            who.data, 8 * entry->bytes);
        break;
    case ACCESS_READ_ONLY:
        text_append_format(
            &text,
            entry->me.kind & ACCESS_WRITES
                ? _("%s writes %s, which %s reads through the read-only cache at %s:%" PRIu32)
                : _("%s reads %s through the read-only cache, and %s writes it at %s:%" PRIu32),
            who.data, object.data, whom.data, access->other_file ? access->other_file : "?",
            access->other_line);
        break;
    case ACCESS_CROWDED:
        text_append_format(
            &text,
            _("%s waits for blocks that have not begun: %" PRIu64
              " blocks are waiting, as many as this device holds at once, and the grid has %" PRIu64
              " blocks"),
            who.data, entry->offset, entry->extent);
        break;
    case ACCESS_SAME_ELEMENTS:
        append_coverage(&text, access, trace);
        break;
    case ACCESS_COUNT:
        text_append_format(&text,
                           _("%s reaches a barrier for %" PRIu64
                             " threads, a number that is not a multiple of 32"),
                           who.data, entry->extent);
        break;
    case ACCESS_NOT_WAITED:
        text_append_format(
            &text, _("%s reads %s without waiting for the copy that %s makes to it at %s:%" PRIu32),
            who.data, object.data, whom.data, access->other_file ? access->other_file : "?",
            access->other_line);
        break;
    default:
        append_host_call(&text, access, trace);
        break;
    }
    text_release(&who);
    text_release(&whom);
    text_release(&object);
    return text_detach(&text);
}
