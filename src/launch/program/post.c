/*
 * Splits a text at its fences and classifies each block by its content, because the language after
 * a fence is often missing or wrong.
 */
#include "launch/program/post.h"

#include "base/memory.h"
#include "base/message.h"
#include "bring/functions.h"
#include "bring/mend.h"
#include "launch/call.h"
#include "launch/shell_commands.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

static const char *line_after(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static const char *skip_indent(const char *line) {
    return line + strspn(line, " \t>");
}

static bool is_fence(const char *line) {
    line = skip_indent(line);
    return strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0;
}

bool post_has_fences(const char *text) {
    size_t fences = 0;
    for (const char *line = text; *line; line = line_after(line))
        fences += is_fence(line);
    return fences >= 2;
}

bool post_is_file(const char *name) {
    static const char *const endings[] = {".md", ".markdown", ".txt"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (string_ends_with(name, endings[i]))
            return true;
    return false;
}

const char *post_kind_name(enum block_kind kind) {
    static const char *const names[] = {
        N_("program"),  N_("kernel"), N_("declaration"),      N_("call"),
        N_("commands"), N_("output"), N_("part of a kernel"), N_("text")};
    return message(names[kind]);
}

/* ---- parts of kernels ---- */

/* Appends the commands for a built-in kernel that contains such lines. */
static void suggest_kernel(const char *text, struct text *answer) {
    static const struct {
        const char *word, *command;
    } known[] = {
        {"NUM_PER_THREAD", "shflviz kernel grid-reduce-block\nshflviz lesson grid-reduce\n"},
        {"gridDim", "shflviz kernel grid-reduce-block\nshflviz lesson grid-reduce\n"},
        {"warpId", "shflviz kernel block-reduce\nshflviz lesson block-reduce\n"},
        {"warpLevelSums", "shflviz kernel block-reduce\nshflviz lesson block-reduce\n"},
        {"warpReduce", "shflviz kernel reduce-down-sum\nshflviz lesson down-tree\n"},
        {"__shared__", "shflviz kernel block-reduce\nshflviz lesson block-reduce\n"},
        {"laneId", "shflviz kernel block-reduce\nshflviz lesson lanes-and-warps\n"},
        {"atomicAdd", "shflviz kernel grid-reduce-warp\nshflviz lesson grid-reduce\n"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(text, known[i].word)) {
            text_append(answer, known[i].command);
            return;
        }
}

/* ---- the kind of a block ---- */

static char *first_line(const char *text) {
    struct text title = TEXT_INIT;
    text += strspn(text, " \t\r\n");
    text_append_bytes(&title, text, strcspn(text, "\r\n"));
    return text_detach(&title);
}

static bool find_kernel(struct block *block) {
    struct functions functions;
    struct mend mend;
    mend_text(&mend, block->text.data);
    functions_find(&functions, mend.text.data);
    const char *name = NULL;
    for (size_t i = 0; i < functions.count; i++)
        if (functions.function[i].kind != FUNCTION_HOST &&
            (!name || functions.function[i].kind == FUNCTION_KERNEL))
            name = functions.function[i].name;
    if (functions.has_main || name) {
        block->kind = functions.has_main ? BLOCK_PROGRAM : BLOCK_KERNEL;
        block->title = name ? memory_string(name) : first_line(block->text.data);
    }
    const bool found = functions.has_main || name;
    functions_release(&functions);
    mend_release(&mend);
    return found;
}

static bool find_call(struct block *block) {
    struct call call;
    struct error ignored = ERROR_INIT;
    if (!call_is_in(block->text.data))
        return false;
    const int status = call_read(&call, block->text.data, NULL, NULL, &ignored);
    block->kind = status == 0 && call.kind == CALL_DECLARATION ? BLOCK_DECLARATION : BLOCK_CALL;
    block->title = block->kind == BLOCK_DECLARATION ? memory_string(call.function)
                                                    : first_line(block->text.data);
    call_release(&call);
    return true;
}

static bool is_code(const char *text) {
    return strchr(text, ';') != NULL || strchr(text, '{') != NULL;
}

/* The last program, kernel or call before block `at`; `at` itself if there is none. */
static size_t printer_of(const struct post *post, size_t at) {
    for (size_t i = at; i-- > 0;)
        if (post->blocks[i].kind == BLOCK_PROGRAM || post->blocks[i].kind == BLOCK_KERNEL ||
            post->blocks[i].kind == BLOCK_CALL)
            return i;
    return at;
}

/* The line of the program that calls a function; NULL if there is none. */
static const char *find_caller(const char *program, const char *function) {
    struct cpp_reader reader = {.at = program};
    struct cpp_token token;
    while ((token = cpp_next(&reader)).kind != CPP_END)
        if (cpp_is(&token, function))
            return token.at;
    return NULL;
}

/* Replaces the line of the program that calls the same function as the call. */
static void replace_call(const struct text *program, const struct block *call, struct text *to) {
    struct call read;
    struct error ignored = ERROR_INIT;
    const int status = call_read(&read, call->text.data, NULL, NULL, &ignored);
    const char *found = status == 0 ? find_caller(program->data, read.function) : NULL;
    const char *begin = found;
    while (begin && begin > program->data && begin[-1] != '\n')
        begin--;
    if (found) {
        text_append_bytes(to, program->data, (size_t)(begin - program->data));
        text_append(to, call->title);
        text_append(to, found + strcspn(found, "\n"));
    } else {
        text_append(to, program->data);
    }
    call_release(&read);
}

long post_printer(const struct post *post, size_t output, struct text *program) {
    const struct block *call = NULL;
    for (size_t i = output; i-- > 0;) {
        const struct block *block = &post->blocks[i];
        if (block->kind == BLOCK_CALL && !call)
            call = block;
        if (block->kind != BLOCK_PROGRAM && block->kind != BLOCK_KERNEL)
            continue;
        if (call)
            replace_call(&block->text, call, program);
        else
            text_append(program, block->text.data);
        return (long)i;
    }
    return -1;
}

static void classify(struct post *post, size_t at) {
    struct block *block = &post->blocks[at];
    if (find_kernel(block) || find_call(block))
        return;
    block->title = first_line(block->text.data);
    if (shell_commands_answer(block->text.data, &block->answer)) {
        block->kind = BLOCK_COMMANDS;
        return;
    }
    text_clear(&block->answer);
    const size_t printer = printer_of(post, at);
    if (is_code(block->text.data)) {
        block->kind = BLOCK_PART;
        suggest_kernel(block->text.data, &block->answer);
    } else if (printer < at) {
        block->kind = BLOCK_OUTPUT;
        if (post->blocks[printer].kind == BLOCK_PROGRAM && !post->blocks[printer].output)
            post->blocks[printer].output = at;
    } else {
        block->kind = BLOCK_OTHER;
    }
}

static void add_block(struct post *post, const char *from, const char *to, unsigned long line) {
    post->blocks = memory_grow(post->blocks, post->count + 1, sizeof *post->blocks);
    struct block *block = &post->blocks[post->count++];
    *block = (struct block){.line = line, .text = TEXT_INIT, .answer = TEXT_INIT};
    text_append_bytes(&block->text, from, (size_t)(to - from));
    classify(post, post->count - 1);
}

bool post_read_whole(struct post *post, const char *text) {
    *post = (struct post){.count = 0};
    add_block(post, text, text + strlen(text), 1);
    const struct block *block = &post->blocks[0];
    switch (block->kind) {
    case BLOCK_PROGRAM:
    case BLOCK_KERNEL:
        return false;
    case BLOCK_PART: /* a project's file can look like part of a kernel */
        return block->answer.length > 0 && !strstr(text, "#include");
    default:
        return true;
    }
}

int post_read(struct post *post, const char *text, struct error *err) {
    const char *open = NULL;
    unsigned long number = 0, begin = 0;
    *post = (struct post){.count = 0};
    for (const char *line = text; *line; line = line_after(line)) {
        number++;
        if (!is_fence(line))
            continue;
        if (open) {
            add_block(post, open, line, begin);
            open = NULL;
        } else {
            open = line_after(line);
            begin = number + 1;
        }
    }
    if (open)
        add_block(post, open, open + strlen(open), begin);
    if (post->count == 0)
        return error_set(err, ERROR_USAGE,
                         _("the text contains no code block\nallowed: Markdown with its code "
                           "between lines of ```"));
    return 0;
}

void post_release(struct post *post) {
    for (size_t i = 0; i < post->count; i++) {
        text_release(&post->blocks[i].text);
        text_release(&post->blocks[i].answer);
        free(post->blocks[i].title);
    }
    free(post->blocks);
    *post = (struct post){.count = 0};
}

/* ---- outputs ---- */

/* A line without blanks at its ends and with single blanks inside, because web pages change
 * blanks. */
static void normalize_line(const char *line, struct text *plain) {
    struct mend mend;
    struct text copy = TEXT_INIT;
    text_append_bytes(&copy, line, strcspn(line, "\r\n"));
    mend_punctuation(&mend, copy.data);
    text_clear(plain);
    for (const char *c = mend.text.data; *c; c++)
        if (*c != ' ' && *c != '\t')
            text_append_char(plain, *c);
        else if (plain->length && plain->data[plain->length - 1] != ' ')
            text_append_char(plain, ' ');
    while (plain->length && plain->data[plain->length - 1] == ' ')
        plain->data[--plain->length] = '\0';
    text_release(&copy);
    mend_release(&mend);
}

static bool is_printed(const char *wanted, const char *printed) {
    struct text plain = TEXT_INIT;
    bool found = false;
    for (const char *line = printed; *line && !found; line = line_after(line)) {
        normalize_line(line, &plain);
        found = strcmp(plain.data, wanted) == 0;
    }
    text_release(&plain);
    return found;
}

size_t post_compare(const struct block *output, const char *printed, struct text *missing,
                    unsigned long *line) {
    struct text plain = TEXT_INIT;
    size_t agree = 0;
    unsigned long number = 0;
    for (const char *at = output->text.data; *at; at = line_after(at), number++) {
        normalize_line(at, &plain);
        if (!plain.length || plain.data[strspn(plain.data, ". ")] == '\0')
            continue;
        if (is_printed(plain.data, printed)) {
            agree++;
        } else if (missing->length == 0) {
            text_append(missing, plain.data);
            *line = number;
        }
    }
    text_release(&plain);
    return agree;
}
