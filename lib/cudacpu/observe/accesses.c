/*
 * Reads the findings that the checked program left in its file. That program is not trusted, so
 * every entry is checked before it is used, and the listing from which addresses get their lines is
 * limited in size.
 */
#include "cudacpu/observe/accesses.h"

#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTING_MOST (8 << 20) /* of addr2line */
#define SECONDS_MOST 120

/* ---- the file ---- */

static int damaged(const struct user_program *program, struct error *err) {
    return error_set(err, ERROR_USAGE, _("%s is damaged"), program->accesses);
}

static bool is_possible(const struct access_entry *entry) {
    return entry->rule > 0 && entry->rule < ACCESS_RULES && entry->memory < ACCESS_MEMORIES &&
           entry->count > 0 && entry->me.thread < 1024 && entry->other.thread < 1024 &&
           memchr(entry->object.name, '\0', sizeof entry->object.name) &&
           memchr(entry->object.member, '\0', sizeof entry->object.member) &&
           memchr(entry->file, '\0', sizeof entry->file) &&
           memchr(entry->other_file, '\0', sizeof entry->other_file);
}

/* The file, positioned after its head; NULL if there is none (*status is 0), or if it cannot
 * be read. */
static FILE *open_entries(const struct user_program *program, struct access_head *head, int *status,
                          struct error *err) {
    int descriptor = open(program->accesses, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    *status = 0;
    if (!file) {
        if (errno != ENOENT)
            *status =
                error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), program->accesses);
    } else if (fread(head, sizeof *head, 1, file) != 1 ||
               memcmp(head->magic, ACCESS_FILE_MAGIC, sizeof head->magic) != 0 ||
               head->count > ACCESS_ENTRIES) {
        *status = damaged(program, err);
        fclose(file);
        return NULL;
    }
    return file;
}

bool program_accesses_exist(const struct user_program *program) {
    struct stat status;
    return !program->accesses ||
           (lstat(program->accesses, &status) == 0 && S_ISREG(status.st_mode));
}

bool program_accesses_effect(const struct user_program *program, uint64_t *effect) {
    struct access_head head;
    struct error unread = ERROR_INIT;
    int status;
    FILE *file = open_entries(program, &head, &status, &unread);
    if (!file)
        return false;
    fclose(file);
    unlink(program->accesses);
    *effect = head.effect;
    return !head.effect_unknown;
}

static int read_entries(const struct user_program *program, struct program_accesses *accesses,
                        struct error *err) {
    struct access_head head;
    int status;
    FILE *file = open_entries(program, &head, &status, err);
    if (!file)
        return status;
    if (head.count) {
        accesses->more = head.more;
        accesses->left_out = head.left_out != 0;
        accesses->access = memory_zeroed(head.count, sizeof *accesses->access);
        for (uint32_t i = 0; status == 0 && i < head.count; i++) {
            struct access_entry *entry = &accesses->access[i].entry;
            char *const name = entry->object.name;
            if (fread(entry, sizeof *entry, 1, file) != 1 || !is_possible(entry)) {
                status = damaged(program, err);
                continue;
            }
            name[utf8_visible(name, name, strlen(name), UTF8_LINE)] = '\0';
            char *const member = entry->object.member;
            member[utf8_visible(member, member, strlen(member), UTF8_LINE)] = '\0';
            accesses->count++;
        }
    }
    fclose(file);
    return status;
}

/* ---- lines ---- */

/* A name from the program or its debugging information, safe to show. */
static char *copy_visible(const char *name) {
    char *copy = memory_string(name);
    copy[utf8_visible(copy, copy, strlen(copy), UTF8_LINE)] = '\0';
    return copy;
}

/* A file's name as in sites: as it was given, else relative to the current folder. */
static char *name_of(const struct user_program *program, const char *path) {
    const size_t length = strlen(path), folder_length = strlen(program->folder.path);
    if (strncmp(path, program->folder.path, folder_length) == 0 && path[folder_length] == '/') {
        unsigned long number = strtoul(path + folder_length + 1, NULL, 10); /* the copy's */
        if (number < program->names.count)
            return memory_string(program->names.word[number]);
    }
    for (size_t i = 0; i < program->names.count; i++) {
        const char *name = program->names.word[i];
        size_t tail = strlen(name);
        if (string_ends_with(path, name) &&
            (length == tail || name[0] == '/' || path[length - tail - 1] == '/'))
            return memory_string(name);
    }
    char folder[4096];
    size_t from = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (from && strncmp(path, folder, from) == 0 && path[from] == '/')
        path += from + 1;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return copy_visible(path);
}

/* The author of the code in a frame. */
static enum access_author author_of(const struct user_program *program, const char *path) {
    for (size_t i = 0; i < program->headers.count; i++)
        if (strncmp(path, program->headers.word[i], strlen(program->headers.word[i])) == 0)
            return ACCESS_AUTHOR_US;
    return strncmp(path, "/usr/", 5) == 0 || strncmp(path, "??", 2) == 0 ? ACCESS_AUTHOR_SYSTEM
                                                                         : ACCESS_AUTHOR_USER;
}

struct line_reader {
    const struct user_program *program;
    struct access_line
        *lines;       /* to be filled, in the order in which they were passed to addr2line */
    size_t count, at; /* at: 1 + the index of the line whose frames follow */
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
    struct access_line *to = &reader->lines[reader->at - 1];
    const enum access_author author = author_of(reader->program, text);
    if (to->author == ACCESS_AUTHOR_UNKNOWN)
        to->author = author;
    if (to->file || line == 0 || line > UINT32_MAX || author != ACCESS_AUTHOR_USER)
        return;
    to->file = name_of(reader->program, text);
    to->line = (uint32_t)line;
}

static void take_listing(void *context, int stream, const char *bytes, size_t count) {
    struct text *listing = context;
    if (stream == 1 && listing->length + count < LISTING_MOST)
        text_append_bytes(listing, bytes, count);
}

void program_accesses_lines(const struct user_program *program, const uint64_t *pc, size_t count,
                            struct access_line *lines) {
    struct child_words words = {0}, environment = {0};
    struct text listing = TEXT_INIT;
    /* The program may have replaced its file: it is read with the same care as a source. */
    const enum confine_role role = program->confined ? CONFINE_COMPILER : CONFINE_NOTHING;
    struct confine confine = {
        .role = role, .limits = confine_limits(role), .folder = program->folder.path};
    confine.limits.seconds = SECONDS_MOST;
    child_words_split(&words, "addr2line -a -i -e");
    child_words_add(&words, program->path, NULL);
    for (size_t i = 0; i < count; i++) {
        char address[32]; /* inside the call, not after it */
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
    struct line_reader reader = {.program = program, .lines = lines, .count = count};
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

/* True if the line of the program has an index directly after another, as in a[i][j]. */
static bool has_two_indices(const struct user_program *program, const char *name, uint32_t line) {
    char text[4096], ending[32];
    bool found = false;
    for (size_t i = 0; name && i < program->names.count && !found; i++) {
        if (strcmp(program->names.word[i], name) != 0)
            continue;
        snprintf(ending, sizeof ending, "%zu.cu", i);
        char *path = private_folder_path(&program->folder, ending);
        FILE *file = fopen(path, "r");
        free(path);
        /* The copy begins with a line of our own. */
        for (uint32_t at = 0; file && at <= line && fgets(text, sizeof text, file);
             at += strchr(text, '\n') != NULL)
            found = found || (at == line && strstr(text, "]["));
        if (file)
            fclose(file);
    }
    return found;
}

/*
 * True for accesses that are not the program's fault:
 * - a kernel's read of host memory within a header, which fetches its arguments;
 * - an access of the host to device memory within one of our headers, which acts as the device;
 * - a call that a lane skipped, if its next access is not after the call in the source;
 * - undefined behaviour of C++ within our headers;
 * - a call of the host by a library;
 * - a[0][i] with i beyond the row, which leaves the row but not the array: many programs do it.
 */
static bool is_excused(const struct user_program *program, const struct program_access *access,
                       enum access_author author) {
    const struct access_entry *entry = &access->entry;
    switch ((enum access_rule)entry->rule) {
    case ACCESS_WRONG_SPACE:
        return entry->memory == ACCESS_DEVICES
                   ? author == ACCESS_AUTHOR_US || !access->file
                   : entry->memory != ACCESS_LOCAL && !(entry->me.kind & ACCESS_WRITES) &&
                         author != ACCESS_AUTHOR_USER;
    case ACCESS_OUT_OF_BOUNDS:
        return entry->memory == ACCESS_LOCAL &&
               (author != ACCESS_AUTHOR_USER ||
                (entry->is_inner && has_two_indices(program, access->file, access->line)));
    case ACCESS_SKIPPED:
        return !access->file || !access->other_file || access->other_line <= access->line ||
               strcmp(access->file, access->other_file) != 0;
    case ACCESS_FAILED:
    case ACCESS_LEFT:
    case ACCESS_UNUSED:
        return !access->file;
    case ACCESS_MISALIGNED:
    case ACCESS_SHIFT:
        return author == ACCESS_AUTHOR_US;
    default:
        return false;
    }
}

static void release_names(struct program_access *access) {
    free(access->file);
    free(access->other_file);
    free(access->flag_file);
}

int program_accesses_read(const struct user_program *program, struct program_accesses *accesses,
                          struct error *err) {
    *accesses = (struct program_accesses){.unset = program->unset};
    if (!program->accesses)
        return 0;
    int status = read_entries(program, accesses, err);
    const size_t count = accesses->count;
    if (count == 0)
        return status;
    uint64_t *pc = memory_zeroed(3 * count, sizeof *pc);
    struct access_line *lines = memory_zeroed(3 * count, sizeof *lines);
    for (size_t i = 0; i < count; i++) {
        pc[2 * i] = accesses->access[i].entry.me.pc;
        pc[2 * i + 1] = accesses->access[i].entry.other.pc;
        pc[2 * count + i] = accesses->access[i].entry.flag_pc;
    }
    program_accesses_lines(program, pc, 3 * count, lines);
    accesses->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct program_access access = accesses->access[i];
        const struct access_entry *entry = &access.entry;
        if (entry->line) /* a location that is known by name, whatever the addresses say */
            free(lines[2 * i].file);
        if (entry->other_line)
            free(lines[2 * i + 1].file);
        access.file = entry->line ? copy_visible(entry->file) : lines[2 * i].file;
        access.line = entry->line ? entry->line : lines[2 * i].line;
        access.other_file =
            entry->other_line ? copy_visible(entry->other_file) : lines[2 * i + 1].file;
        access.other_line = entry->other_line ? entry->other_line : lines[2 * i + 1].line;
        access.flag_file = lines[2 * count + i].file;
        access.flag_line = lines[2 * count + i].line;
        if (!is_excused(program, &access, lines[2 * i].author)) {
            accesses->access[accesses->count++] = access;
            continue;
        }
        release_names(&access);
    }
    free(pc);
    free(lines);
    unlink(program->accesses);
    return status;
}

void program_accesses_release(struct program_accesses *accesses) {
    for (size_t i = 0; i < accesses->count; i++)
        release_names(&accesses->access[i]);
    free(accesses->access);
    *accesses = (struct program_accesses){0};
}
