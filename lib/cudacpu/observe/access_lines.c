#include "cudacpu/observe/access_lines.h"

#include "base/memory.h"
#include "cudacpu/observe/accesses.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST  4096
#define CALLS_MOST 65536

/* objdump's output, read line by line. */
struct calls {
    char line[LINE_MOST];
    size_t length;
    bool follows; /* the line before was a call: this line's address is its return address */
    uint64_t *pc;
    size_t count, room;
    struct text *variables; /* lines that describe them */
};

/* "0000000000004040 g     O .bss  0000000000000400              table": a variable's address, size
 * and name. */
static void take_symbol(struct calls *calls) {
    char *at, *tab = strchr(calls->line, '\t');
    const uint64_t address = strtoull(calls->line, &at, 16);
    if (at == calls->line || !tab || !(strstr(at, " O .data") || strstr(at, " O .bss")))
        return;
    const uint64_t size = strtoull(tab + 1, &at, 16);
    at += strspn(at, " ");
    /* A lane that yielded at one of C++'s guard variables would leave it half initialised for the
     * next. */
    if (strncmp(at, "guard variable", 14) == 0)
        return;
    if (size && *at)
        text_append_format(calls->variables, "=%" PRIx64 " %" PRIu64 " %s\n", address, size, at);
}

static void take_line(struct calls *calls) {
    char *colon;
    if (calls->variables) {
        take_symbol(calls);
        return;
    }
    const uint64_t address = strtoull(calls->line, &colon, 16);
    if (colon == calls->line || *colon != ':')
        return;
    if (calls->follows && calls->count < CALLS_MOST) {
        calls->pc = memory_room(calls->pc, calls->count, &calls->room, sizeof *calls->pc);
        calls->pc[calls->count++] = address;
    }
    calls->follows = strstr(colon, "<__tsan_") != NULL;
}

static void take_listing(void *context, int stream, const char *bytes, size_t count) {
    struct calls *calls = context;
    for (size_t i = 0; stream == 1 && i < count; i++) {
        if (bytes[i] != '\n') {
            if (calls->length < LINE_MOST - 1)
                calls->line[calls->length++] = bytes[i];
            continue;
        }
        calls->line[calls->length] = '\0';
        calls->length = 0;
        take_line(calls);
    }
}

static void run_objdump(const struct user_program *program, const char *options,
                        struct calls *calls) {
    struct child_words words = {0}, environment = {0};
    /* Its input, like a compiler's, was made from an untrusted source file. */
    const enum confine_role role = program->confined ? CONFINE_COMPILER : CONFINE_NOTHING;
    struct confine confine = {
        .role = role, .limits = confine_limits(role), .folder = program->folder.path};
    confine.limits.output = 0; /* the listing is long, and not kept */
    child_words_split(&words, options);
    child_words_add(&words, program->path, NULL);
    child_environment(&environment, program->confined ? program->folder.path : NULL);
    const struct child_command command = {.words = words.word,
                                          .environment = environment.word,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = take_listing,
                                          .output_context = calls};
    child_run(&command);
    child_words_release(&words);
    child_words_release(&environment);
}

/* The source line, without the blanks around it. */
static void append_text(struct text *to, const struct text *source, uint32_t line) {
    const char *at = source->data;
    for (uint32_t i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    if (!at)
        return;
    size_t length = strcspn(at, "\r\n");
    for (; length && isspace((unsigned char)*at); length--)
        at++;
    while (length && isspace((unsigned char)at[length - 1]))
        length--;
    text_append_bytes(to, at, length);
}

int access_lines_write(const struct user_program *program, const struct user_source *sources,
                       size_t source_count, struct error *err) {
    struct calls calls = {.length = 0};
    struct text text = TEXT_INIT;
    run_objdump(program, "objdump -d -w --no-show-raw-insn", &calls);
    struct access_line *lines = memory_zeroed(calls.count + 1, sizeof *lines);
    if (calls.count)
        program_accesses_lines(program, calls.pc, calls.count, lines);
    for (size_t i = 0; i < calls.count; i++) {
        const struct access_line *at = &lines[i];
        if (at->file) {
            text_append_format(&text, "%" PRIx64 " %" PRIu32 " %s\t", calls.pc[i], at->line,
                               at->file);
            for (size_t s = 0; s < source_count; s++)
                if (strcmp(sources[s].name, at->file) == 0)
                    append_text(&text, sources[s].text, at->line);
            text_append_char(&text, '\n');
        }
        free(at->file);
    }
    if (program->access_steps & RUN_ACCESSES_GLOBAL) {
        calls.variables = &text;
        run_objdump(program, "objdump -t -w -C", &calls);
    }
    int status = private_file_write(program->lines, "", &text, err);
    text_release(&text);
    free(lines);
    free(calls.pc);
    return status;
}
