/*
 * launch/program/post.h splits a text into blocks; this file chooses one and runs it as if it were
 * a file, so that the rest of the program knows nothing about Markdown.
 */
#include "cli/post_command.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/direct_input.h"
#include "cli/show.h"
#include "launch/call.h"
#include "launch/program/post.h"
#include "launch/program/user_run.h"
#include "launch/word_list.h"
#include "session/screens/exercise_screen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int check_length(const char *name, size_t length, struct error *err) {
    if (length <= POST_MOST)
        return 0;
    return error_set(err, ERROR_USAGE, _("%s has more than %d MiB of text"), name,
                     (int)(POST_MOST >> 20));
}

int post_command_read(const char *name, struct text *text, struct error *err) {
    const bool is_input = strcmp(name, "-") == 0;
    FILE *in = is_input ? stdin : fopen(name, "rb");
    char bytes[4096];
    size_t count;
    if (!in)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), name);
    while (text->length <= POST_MOST && (count = fread(bytes, 1, sizeof bytes, in)) > 0)
        text_append_bytes(text, bytes, count);
    const bool failed = ferror(in);
    const int number = errno;
    if (is_input)
        show_keys_from_terminal();
    else
        fclose(in);
    if (failed)
        return error_set_errno(err, ERROR_USAGE, number, _("cannot read %s"), name);
    if (check_length(name, text->length, err) != 0)
        return -1;
    if (strlen(text->data) != text->length)
        return error_set(err, ERROR_USAGE, _("%s is not text: it has a 0 byte"), name);
    if (text->data[strspn(text->data, " \t\r\n")] == '\0')
        return error_set(err, ERROR_USAGE, _("%s is empty"), name);
    return 0;
}

/* True for a CUDA file that holds only a call, command lines, a program's output or a part of a
 * kernel: a compiler's messages about it would be useless. */
static bool is_snippet(const char *name) {
    struct text text = TEXT_INIT;
    bool loose = false;
    if (file_read(name, POST_MOST, &text, NULL) == FILE_READ && strlen(text.data) == text.length &&
        text.data[strspn(text.data, " \t\r\n")] != '\0') {
        struct post post;
        loose = post_read_whole(&post, text.data);
        post_release(&post);
    }
    text_release(&text);
    return loose;
}

bool post_command_matches(const struct options *options) {
    const char *name = options->own_operands == 1 ? options->operands[0] : NULL;
    return name && (strcmp(name, "-") == 0 || post_is_file(name) ||
                    (!(options->given & OPTION_BIT(OPTION_CALL)) && is_cuda_source(name) &&
                     is_snippet(name)));
}

/* ---- one block ---- */

static void report_comparison(const struct block *output, const char *printed) {
    struct text missing = TEXT_INIT;
    unsigned long line = 0;
    const size_t agree = post_compare(output, printed, &missing, &line);
    if (missing.length == 0)
        fprintf(stderr,
                message_plural("shflviz: the output matches the text (%lu line)\n",
                               "shflviz: the output matches the text (%lu lines)\n", agree),
                (unsigned long)agree);
    else
        fprintf(stderr, _("shflviz: line %lu of the text was not printed: %s\n"),
                output->line + line, missing.data);
    text_release(&missing);
}

/* Runs a program or a kernel, under a name with its position; `output` is its output in the text,
 * or NULL. */
static int run_source(const struct block *block, const struct text *text,
                      const struct block *output, const char *name, const struct options *asked,
                      struct error *err) {
    struct options options = *asked;
    struct text path = TEXT_INIT, printed = TEXT_INIT;
    const char *base = strcmp(name, "-") == 0 ? "standard-input" : file_base_name(name);
    text_append_format(&path, "%s-%lu.cu", base, block->line);
    const struct user_source source = {path.data, path.data, text};
    options.source_text = &source;
    options.printed = &printed;
    const int status = command_run.run(&command_run, &options, err);
    if (output && printed.length)
        report_comparison(output, printed.data);
    text_release(&path);
    text_release(&printed);
    return status;
}

/* Runs a call, which is shown as on the command line. */
static int run_call(const char *text, const struct options *asked, struct error *err) {
    const option_set passed = OPTIONS_SHOW | OPTION_BIT(LAUNCH_OUTPUT);
    struct word_list words = {0};
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!(asked->given & passed & OPTION_BIT(id)))
            continue;
        struct text name = TEXT_INIT;
        text_append_format(&name, "--%s", option_at(id)->name);
        words_add(&words, name.data);
        if (*asked->text[id])
            words_add(&words, asked->text[id]);
        text_release(&name);
    }
    const int status = direct_input_run(text, words.count, words.word, asked->moved, err);
    words_release(&words);
    return status;
}

/* Runs the program that printed an output, and compares the two. */
static int run_printer(const struct post *post, size_t index, const char *name,
                       const struct options *options, struct error *err) {
    struct text program = TEXT_INIT;
    const long printer = post_printer(post, index, &program);
    int status = 0;
    if (printer >= 0)
        status =
            run_source(&post->blocks[printer], &program, &post->blocks[index], name, options, err);
    else
        fputs(post->blocks[index].text.data, stdout);
    text_release(&program);
    return status;
}

static int print_commands(const struct block *block, struct error *err) {
    printf(_("The same without a GPU:\n%s"), block->answer.data);
    return show_finish(err);
}

/* Shows the kernel itself on a screen; elsewhere prints its name. */
static int show_part(const struct block *block, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct text line = TEXT_INIT;
    int status = show_resolve_format(&resolved, err);
    if (status == 0 && block->answer.length && resolved.format == FORMAT_TUI) {
        const char *command = block->answer.data + strlen("shflviz ");
        text_append_bytes(&line, command, strcspn(command, "\n"));
        status = direct_input_run_line(line.data, err);
    } else if (status == 0) {
        if (block->answer.length)
            printf(_("Part of a kernel; the kernel and lesson that contain it:\n%s"),
                   block->answer.data);
        else
            fputs(block->text.data, stdout);
        status = show_finish(err);
    }
    text_release(&line);
    return status;
}

static int open_block(const struct post *post, size_t index, const char *name,
                      const struct options *options, struct error *err) {
    const struct block *block = &post->blocks[index];
    switch (block->kind) {
    case BLOCK_PROGRAM:
    case BLOCK_KERNEL:
        return run_source(block, &block->text, block->output ? &post->blocks[block->output] : NULL,
                          name, options, err);
    case BLOCK_OUTPUT:
        return run_printer(post, index, name, options, err);
    case BLOCK_DECLARATION:
    case BLOCK_CALL:
        return run_call(block->text.data, options, err);
    case BLOCK_COMMANDS:
        return print_commands(block, err);
    default:
        return show_part(block, options, err);
    }
}

/* ---- the list ---- */

static void append_command(const struct block *block, size_t number, const char *name,
                           struct text *command) {
    if (block->answer.length)
        text_append_bytes(command, block->answer.data, strcspn(block->answer.data, "\n"));
    else if (block->kind != BLOCK_OUTPUT && block->kind != BLOCK_PART && block->kind != BLOCK_OTHER)
        text_append_format(command, "shflviz run %s --block %zu", name, number);
}

static int print_list(const struct post *post, const char *name, struct error *err) {
    int kinds = 0;
    for (int kind = 0; kind <= BLOCK_OTHER; kind++) {
        const int columns = utf8_columns(post_kind_name((enum block_kind)kind));
        kinds = columns > kinds ? columns : kinds;
    }
    for (size_t i = 0; i < post->count; i++) {
        const struct block *block = &post->blocks[i];
        struct text line = TEXT_INIT, command = TEXT_INIT;
        text_append_format(&line, "%2zu  ", i + 1);
        text_append_column(&line, post_kind_name(block->kind), kinds + 2);
        text_append_visible(&line, block->title, UTF8_LINE);
        append_command(block, i + 1, name, &command);
        puts(line.data);
        if (command.length)
            printf("    %*s%s\n", kinds + 2, "", command.data);
        text_release(&line);
        text_release(&command);
    }
    return show_finish(err);
}

/* The parts of a block's list entry. */
struct entry {
    char *title, *task;
    struct text command;
};

static void make_entry(struct entry *entry, struct worklist_entry *row, const struct block *block,
                       size_t number, const char *name) {
    struct text title = TEXT_INIT, task = TEXT_INIT;
    text_append_visible(&title, block->title, UTF8_LINE);
    text_append(&task, "```cuda\n");
    text_append_visible(&task, block->text.data, UTF8_LINES);
    text_append(&task, "\n```\n");
    entry->command = (struct text)TEXT_INIT;
    append_command(block, number, name, &entry->command);
    entry->title = text_detach(&title);
    entry->task = text_detach(&task);
    *row = (struct worklist_entry){entry->command.data,
                                   entry->title,
                                   post_kind_name(block->kind),
                                   entry->task,
                                   false,
                                   NULL,
                                   NULL,
                                   false};
}

static int show_list(const struct post *post, const char *name, const struct options *options,
                     struct error *err) {
    const struct screen_options screen = show_screen_options(options);
    struct worklist_entry *rows = memory_zeroed(post->count, sizeof *rows);
    struct entry *entries = memory_zeroed(post->count, sizeof *entries);
    size_t selected = 0;
    bool opened = true;
    int status = 0;
    for (size_t i = 0; i < post->count; i++)
        make_entry(&entries[i], &rows[i], &post->blocks[i], i + 1, name);
    while (status == 0 && opened) {
        status = exercise_list_run(_("Code blocks"), rows, post->count, &selected, &opened, &screen,
                                   err);
        if (status == 0 && opened)
            status = open_block(post, selected, name, options, err);
        if (status == 0 && opened)
            opened = show_wait_for_reader(_("Enter: back to the list "));
    }
    for (size_t i = 0; i < post->count; i++) {
        free(entries[i].title);
        free(entries[i].task);
        text_release(&entries[i].command);
    }
    free(entries);
    free(rows);
    return status;
}

/* ---- the command ---- */

static int run_post(const char *text, const char *name, const struct options *options,
                    struct error *err) {
    struct options resolved = *options;
    struct post post;
    int status = post_read(&post, text, err);
    if (status == 0 && options->block > post.count)
        status = error_set(err, ERROR_USAGE,
                           _("--block: there is no block %" PRIu32 "\nallowed: 1 to %zu"),
                           options->block, post.count);
    if (status == 0 && options->block)
        status = open_block(&post, options->block - 1, name, options, err);
    else if (status == 0 && show_resolve_format(&resolved, err) != 0)
        status = -1;
    else if (status == 0 && resolved.format == FORMAT_TUI)
        status = show_list(&post, name, options, err);
    else if (status == 0)
        status = print_list(&post, name, err);
    post_release(&post);
    return status;
}

static int run_program(const char *text, const char *name, const struct options *asked,
                       struct error *err) {
    struct options options = *asked;
    struct text copy = TEXT_INIT, path = TEXT_INIT;
    text_append(&copy, text);
    text_append_format(&path, "%s.cu",
                       strcmp(name, "-") == 0 ? "standard-input" : file_base_name(name));
    const struct user_source source = {path.data, path.data, &copy};
    options.source_text = &source;
    const int status = command_run.run(&command_run, &options, err);
    text_release(&copy);
    text_release(&path);
    return status;
}

/* Runs a text without fences. Sets `*printed` if its answer is text rather than a screen. */
static int run_unfenced(const char *text, const char *name, const struct options *options,
                        bool *printed, struct error *err) {
    struct post post;
    int status;
    *printed = false;
    if (!post_read_whole(&post, text)) {
        status = run_program(text, name, options, err);
    } else if (post.blocks[0].kind == BLOCK_OTHER) {
        status = error_set(err, ERROR_USAGE,
                           _("%s has no CUDA code, call or command line\nallowed: a program, a "
                             "kernel, a call, nvcc command lines, or a Markdown text with code "
                             "blocks; a program's output together with the program"),
                           strcmp(name, "-") == 0 ? _("the text") : name);
    } else {
        *printed =
            post.blocks[0].kind == BLOCK_DECLARATION || post.blocks[0].kind == BLOCK_COMMANDS;
        status = open_block(&post, 0, name, options, err);
    }
    post_release(&post);
    return status;
}

int post_command_run(const struct options *options, struct error *err) {
    const char *name = options->operands[0];
    struct text text = TEXT_INIT;
    bool printed;
    int status = post_command_read(name, &text, err);
    if (status != 0)
        error_prefix(err, "run");
    else if (post_has_fences(text.data))
        status = run_post(text.data, name, options, err);
    else
        status = run_unfenced(text.data, name, options, &printed, err);
    text_release(&text);
    return status;
}

int post_command_text(const char *text, bool *printed, struct error *err) {
    char name[] = "-", *words[] = {name};
    struct options options;
    *printed = false;
    int status = check_length(_("what was pasted"), strlen(text), err);
    if (status != 0)
        return status;
    status = options_parse(&options, &command_run, 1, words, err);
    options.moved = LAUNCH_DISTINCT_VALUES; /* a command line gets the defaults of its options */
    if (status == 0)
        status = post_has_fences(text) ? run_post(text, name, &options, err)
                                       : run_unfenced(text, name, &options, printed, err);
    options_release(&options);
    return status;
}
