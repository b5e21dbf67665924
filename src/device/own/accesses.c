#include "device/own/accesses.h"

#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LISTING_MOST (8 << 20) /* of addr2line */
#define SECONDS_MOST 120

/* ---- the file ---- */

static int damaged(const struct own_program *program, struct error *err) {
    return error_set(err, ERROR_USAGE, _("%s is damaged"), program->accesses);
}

static bool is_possible(const struct access_entry *entry) {
    return entry->rule > 0 && entry->rule < ACCESS_RULES && entry->memory < ACCESS_MEMORIES &&
           entry->count > 0 && entry->me.thread < 1024 && entry->other.thread < 1024 &&
           memchr(entry->file, '\0', sizeof entry->file) &&
           memchr(entry->other_file, '\0', sizeof entry->other_file);
}

static int read_entries(const struct own_program *program, struct own_accesses *accesses,
                        struct error *err) {
    struct access_head head;
    int descriptor = open(program->accesses, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (!file)
        return errno == ENOENT ? 0
                               : error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"),
                                                 program->accesses);
    int status = 0;
    if (fread(&head, sizeof head, 1, file) != 1 ||
        memcmp(head.magic, ACCESS_FILE_MAGIC, sizeof head.magic) != 0 ||
        head.count > ACCESS_ENTRIES)
        status = damaged(program, err);
    if (status == 0 && head.count) {
        accesses->more = head.more;
        accesses->left_out = head.left_out != 0;
        accesses->access = memory_zeroed(head.count, sizeof *accesses->access);
        for (uint32_t i = 0; status == 0 && i < head.count; i++) {
            struct access_entry *entry = &accesses->access[i].entry;
            if (fread(entry, sizeof *entry, 1, file) != 1 || !is_possible(entry))
                status = damaged(program, err);
            else
                accesses->count++;
        }
    }
    fclose(file);
    return status;
}

/* ---- lines ---- */

/* A name that the program or its debugging information gave, safe to show. */
static char *shown(const char *name) {
    char *copy = memory_string(name);
    copy[utf8_visible(copy, copy, strlen(copy), UTF8_LINE)] = '\0';
    return copy;
}

/* A file's name as sites have it: as it was given, else from the current folder. */
static char *name_of(const struct own_program *program, const char *path) {
    const size_t length = strlen(path), folder_length = strlen(program->folder.path);
    if (strncmp(path, program->folder.path, folder_length) == 0 && path[folder_length] == '/') {
        unsigned long number = strtoul(path + folder_length + 1, NULL, 10); /* the copy's */
        if (number < program->names.count)
            return memory_string(program->names.word[number]);
    }
    for (size_t i = 0; i < program->names.count; i++) {
        const char *name = program->names.word[i];
        size_t tail = strlen(name);
        if (length >= tail && strcmp(path + length - tail, name) == 0 &&
            (length == tail || name[0] == '/' || path[length - tail - 1] == '/'))
            return memory_string(name);
    }
    char folder[4096];
    size_t from = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (from && strncmp(path, folder, from) == 0 && path[from] == '/')
        path += from + 1;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return shown(path);
}

/* Whether a frame is in a header of ours or the system's, and not where a person wrote. */
static bool is_header(const struct own_program *program, const char *path) {
    for (size_t i = 0; i < program->headers.count; i++)
        if (strncmp(path, program->headers.word[i], strlen(program->headers.word[i])) == 0)
            return true;
    return strncmp(path, "/usr/", 5) == 0 || strncmp(path, "??", 2) == 0;
}

struct line_reader {
    const struct own_program *program;
    char **file; /* to be filled, in the order that was asked for */
    uint32_t *line;
    size_t count, at; /* at: the one whose frames follow, plus one */
};

static void take_line(struct line_reader *reader, char *text) {
    if (strncmp(text, "0x", 2) == 0) {
        reader->at++;
        return;
    }
    char *colon = strrchr(text, ':');
    if (reader->at == 0 || reader->at > reader->count || !colon)
        return;
    *colon = '\0';
    unsigned long line = strtoul(colon + 1, NULL, 10);
    const size_t i = reader->at - 1;
    if (reader->file[i] || line == 0 || line > UINT32_MAX || is_header(reader->program, text))
        return;
    reader->file[i] = name_of(reader->program, text);
    reader->line[i] = (uint32_t)line;
}

static void take_listing(void *context, int stream, const char *bytes, size_t count) {
    struct text *listing = context;
    if (stream == 1 && listing->length + count < LISTING_MOST)
        text_append_bytes(listing, bytes, count);
}

void own_accesses_lines(const struct own_program *program, const uint64_t *pc, size_t count,
                        char **file, uint32_t *line) {
    struct child_words words = {0}, environment = {0};
    struct text listing = TEXT_INIT;
    /* The program may have put any file in place of its own: it is read as a source is. */
    const enum confine_role role = program->confined ? CONFINE_COMPILER : CONFINE_NOTHING;
    struct confine confine = {
        .role = role, .limits = confine_limits(role), .folder = program->folder.path};
    confine.limits.seconds = SECONDS_MOST;
    child_words_split(&words, "addr2line -a -i -e");
    child_words_add(&words, program->path, NULL);
    for (size_t i = 0; i < count; i++) {
        char address[32]; /* the call before the one that follows it */
        snprintf(address, sizeof address, "0x%" PRIx64, pc[i] ? pc[i] - 1 : 0);
        child_words_add(&words, address, NULL);
    }
    child_environment(&environment, program->confined ? program->folder.path : NULL);
    const struct child_command command = {.words = words.word,
                                          .environment = environment.word,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = take_listing,
                                          .output_context = &listing};
    struct child_result result = child_run(&command);
    struct line_reader reader = {.program = program, .file = file, .line = line, .count = count};
    if (result.end == CHILD_EXITED && result.code == 0)
        for (char *text = listing.data, *end; *text; text = end) {
            end = text + strcspn(text, "\n");
            end += *end ? (*end = '\0', 1) : 0;
            char *more = strstr(text, " (discriminator");
            if (more)
                *more = '\0';
            take_line(&reader, text);
        }
    text_release(&listing);
    child_words_release(&words);
    child_words_release(&environment);
}

int own_accesses_read(const struct own_program *program, struct own_accesses *accesses,
                      struct error *err) {
    *accesses = (struct own_accesses){0};
    if (!program->accesses)
        return 0;
    int status = read_entries(program, accesses, err);
    const size_t count = accesses->count;
    if (count == 0)
        return status;
    uint64_t *pc = memory_zeroed(2 * count, sizeof *pc);
    char **file = memory_zeroed(2 * count, sizeof *file);
    uint32_t *line = memory_zeroed(2 * count, sizeof *line);
    for (size_t i = 0; i < count; i++) {
        pc[2 * i] = accesses->access[i].entry.me.pc;
        pc[2 * i + 1] = accesses->access[i].entry.other.pc;
    }
    own_accesses_lines(program, pc, 2 * count, file, line);
    for (size_t i = 0; i < count; i++) {
        struct own_access *access = &accesses->access[i];
        const struct access_entry *entry = &access->entry;
        access->file = entry->line ? shown(entry->file) : file[2 * i];
        access->line = entry->line ? entry->line : line[2 * i];
        access->other_file = entry->other_line ? shown(entry->other_file) : file[2 * i + 1];
        access->other_line = entry->other_line ? entry->other_line : line[2 * i + 1];
    }
    free(pc);
    free(file);
    free(line);
    unlink(program->accesses);
    return status;
}

void own_accesses_release(struct own_accesses *accesses) {
    for (size_t i = 0; i < accesses->count; i++) {
        free(accesses->access[i].file);
        free(accesses->access[i].other_file);
    }
    free(accesses->access);
    *accesses = (struct own_accesses){0};
}
