/*
 * Every change reads, merges and replaces the file under a lock, because several terminals may be
 * in use simultaneously. A damaged file is set aside rather than overwritten: it may be months of
 * work.
 */
#include "lesson/progress.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_BYTES_MAX (4 << 20)
#define FIELDS         9          /* the last may be left out */
#define LOCK_TRIES     5000       /* of 1 ms each: writing a file takes far less */
#define BESIDE         ".new-"    /* and six letters: the file until it is complete */
#define DAMAGED        ".damaged" /* an unreadable file is kept under this name */
#define LEFT_SECONDS   60         /* if older than this, such a file was left by a killed process */

static const char heading[] =
    "# How far the lessons of shflviz have been played: lesson, beat, finished, "
    "beats, seen, asked, right, date, questions\n";

char *progress_path(void) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct text path = TEXT_INIT;
    /* XDG Base Directory Specification: a path that is not absolute must be ignored. */
    if (state && *state == '/')
        text_append_format(&path, "%s/shflviz/progress", state);
    else if (home && *home == '/')
        text_append_format(&path, "%s/.local/state/shflviz/progress", home);
    return text_detach(&path);
}

/* ---- lines ---- */

/* A lesson's name is that of a file, so it can be anything: bytes that would break a line are
 * written as "%0a". */
static void append_name(struct text *text, const char *name) {
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        if (*c < ' ' || *c == 0x7f || *c == '%' || (*c == '#' && text->length == 0))
            text_append_format(text, "%%%02x", *c);
        else
            text_append_char(text, (char)*c);
}

static bool read_name(char *field) {
    char *to = field;
    for (const char *from = field; *from; from++) {
        unsigned code = (unsigned char)*from;
        int read = 0;
        if (code == '%' && (sscanf(from + 1, "%2x%n", &code, &read) != 1 || read != 2 || code == 0))
            return false;
        *to++ = (char)code;
        from += read;
    }
    *to = '\0';
    return true;
}

static bool read_count(const char *field, unsigned *count) {
    if (!*field || strlen(field) > 6 || field[strspn(field, "0123456789")])
        return false;
    *count = (unsigned)atoi(field);
    return true;
}

static void append_line(struct text *text, const struct lesson_progress *lesson) {
    struct text line = TEXT_INIT;
    append_name(&line, lesson->lesson);
    text_append_char(&line, '\t');
    append_name(&line, lesson->beat);
    text_append_format(&line, "\t%d\t%u\t%u\t%u\t%u\t%s", lesson->finished, lesson->beats,
                       lesson->seen, lesson->asked, lesson->right, lesson->date);
    if (lesson->questions && *lesson->questions)
        text_append_format(&line, "\t%s", lesson->questions);
    text_append_char(&line, '\n');
    text_append_bytes(text, line.data, line.length);
    text_release(&line);
}

/* ---- questions ---- */

static const char signs[] = {[BEAT_REVEALED] = '-', [BEAT_HINTED] = '~', [BEAT_RIGHT] = '+'};

static enum beat_result result_of(char sign) {
    for (int result = BEAT_REVEALED; result <= BEAT_RIGHT; result++)
        if (signs[result] == sign)
            return (enum beat_result)result;
    return BEAT_UNSEEN;
}

void progress_note(struct text *questions, const char *beat, enum beat_result result) {
    text_append_format(questions, "%s%c%s", questions->length ? " " : "", signs[result], beat);
}

/* The next result from *rest on: its beat's id as a piece of the text. BEAT_UNSEEN at the end, and
 * for invalid text. */
static enum beat_result next_result(const char **rest, const char **beat, size_t *length) {
    const char *at = *rest + strspn(*rest, " ");
    const enum beat_result result = *at ? result_of(*at) : BEAT_UNSEEN;
    if (result == BEAT_UNSEEN)
        return BEAT_UNSEEN;
    *beat = at + 1;
    *length = strcspn(*beat, " ");
    *rest = *beat + *length;
    return result;
}

static enum beat_result find_result(const char *questions, const char *wanted, size_t length) {
    const char *rest = questions ? questions : "", *beat;
    size_t found;
    for (enum beat_result result; (result = next_result(&rest, &beat, &found)) != BEAT_UNSEEN;)
        if (found == length && strncmp(beat, wanted, length) == 0)
            return result;
    return BEAT_UNSEEN;
}

enum beat_result progress_result(const struct lesson_progress *lesson, const char *beat) {
    return find_result(lesson->questions, beat, strlen(beat));
}

/* "+who -both": signs and ids with one blank between. */
static bool is_question_list(const char *field) {
    for (;; field++) {
        size_t length = 0;
        if (!*field || result_of(*field) == BEAT_UNSEEN)
            return false;
        while (isalnum((unsigned char)field[1 + length]) || field[1 + length] == '-')
            length++;
        field += 1 + length;
        if (length == 0 || (*field && *field != ' '))
            return false;
        if (!*field)
            return true;
    }
}

/* Keeps the better of the two results for each question; those of `questions` come first. */
static char *merge_questions(const char *questions, const char *before) {
    struct text merged = TEXT_INIT;
    const char *lists[] = {questions ? questions : "", before ? before : ""};
    for (int list = 0; list < 2; list++) {
        const char *rest = lists[list], *beat;
        size_t length;
        for (enum beat_result result; (result = next_result(&rest, &beat, &length));) {
            const enum beat_result other = find_result(lists[!list], beat, length);
            char *id = memory_alloc(length + 1);
            memcpy(id, beat, length);
            id[length] = '\0';
            if (list == 0 || other == BEAT_UNSEEN)
                progress_note(&merged, id, other > result ? other : result);
            free(id);
        }
    }
    return text_detach(&merged);
}

/* "2026-11-20T12:00:00Z" */
static bool is_date(const char *text) {
    static const char form[] = "0000-00-00T00:00:00Z";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

/* Splits the line at its tabs; the strings point into it. */
static bool read_line(char *line, struct lesson_progress *lesson) {
    char *fields[FIELDS];
    size_t count = 0;
    for (char *field; (field = strsep(&line, "\t"));) {
        if (count == FIELDS)
            return false;
        fields[count++] = field;
    }
    unsigned finished;
    if (count < FIELDS - 1 || (count == FIELDS && !is_question_list(fields[8])) || !*fields[0] ||
        !read_name(fields[0]) || !read_name(fields[1]) || !read_count(fields[2], &finished) ||
        finished > 1 || !read_count(fields[3], &lesson->beats) ||
        !read_count(fields[4], &lesson->seen) || !read_count(fields[5], &lesson->asked) ||
        !read_count(fields[6], &lesson->right) || !is_date(fields[7]) ||
        lesson->seen > lesson->beats || lesson->right > lesson->asked)
        return false;
    lesson->lesson = fields[0];
    lesson->beat = fields[1];
    lesson->questions = count == FIELDS ? fields[8] : NULL;
    lesson->finished = finished;
    snprintf(lesson->date, sizeof lesson->date, "%s", fields[7]);
    return true;
}

/* ---- a progress ---- */

static struct lesson_progress *find(const struct progress *progress, const char *lesson) {
    for (size_t i = 0; i < progress->count; i++)
        if (strcmp(progress->lessons[i].lesson, lesson) == 0)
            return &progress->lessons[i];
    return NULL;
}

enum progress_mark progress_mark(const struct lesson_progress *lesson, unsigned questions) {
    if (!lesson)
        return MARK_NONE;
    if (!lesson->finished)
        return MARK_STARTED;
    return questions > 0 && lesson->right >= questions && lesson->right >= lesson->asked
               ? MARK_FIRST_TRY
               : MARK_FINISHED;
}

unsigned progress_answered(const struct lesson_progress *lesson) {
    unsigned helped = 0;
    const char *rest = lesson->questions ? lesson->questions : "", *beat;
    size_t length;
    for (enum beat_result result; (result = next_result(&rest, &beat, &length)) != BEAT_UNSEEN;)
        helped += result == BEAT_HINTED;
    return lesson->right + helped;
}

const struct lesson_progress *progress_find(const struct progress *progress, const char *lesson) {
    return find(progress, lesson);
}

static void release_lesson(struct lesson_progress *lesson) {
    free(lesson->lesson);
    free(lesson->beat);
    free(lesson->questions);
}

/* Stores a copy, replacing the one of the same name. */
static void put(struct progress *progress, const struct lesson_progress *lesson) {
    struct lesson_progress copy = *lesson, *place = find(progress, lesson->lesson);
    copy.lesson = memory_string(lesson->lesson);
    copy.beat = memory_string(lesson->beat ? lesson->beat : "");
    copy.questions = memory_string(lesson->questions ? lesson->questions : "");
    if (place) {
        release_lesson(place);
    } else {
        progress->lessons =
            memory_grow(progress->lessons, progress->count + 1, sizeof *progress->lessons);
        place = &progress->lessons[progress->count++];
    }
    *place = copy;
}

static void forget(struct progress *progress, const char *lesson) {
    struct lesson_progress *place = find(progress, lesson);
    if (!place)
        return;
    release_lesson(place);
    size_t after = progress->count - (size_t)(place - progress->lessons) - 1;
    memmove(place, place + 1, after * sizeof *place);
    progress->count--;
}

void progress_release(struct progress *progress) {
    for (size_t i = 0; i < progress->count; i++)
        release_lesson(&progress->lessons[i]);
    free(progress->lessons);
    *progress = (struct progress){NULL, 0, 0};
}

/* ---- the file ---- */

/* Reads the bytes of the file; none if there is no such file. */
static int read_file(const char *path, struct text *bytes, struct error *err) {
    const enum file_status status = file_read(path, FILE_BYTES_MAX, bytes, NULL);
    if (status == FILE_READ || (status == FILE_UNREADABLE && errno == ENOENT))
        return 0;
    if (status == FILE_UNREADABLE)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read your progress from %s"),
                               path);
    return error_set(err, ERROR_USAGE,
                     status == FILE_IRREGULAR
                         ? _("cannot read your progress from %s: it is not a regular file\n"
                             "try: move it away")
                         : _("cannot read your progress from %s: it is far too large\n"
                             "try: move it away"),
                     path);
}

static void read_lines(struct progress *progress, const struct text *bytes) {
    char *copy = memory_alloc(bytes->length + 1);
    memcpy(copy, bytes->data, bytes->length + 1);
    for (char *line = copy, *end = copy + bytes->length; line < end;) {
        char *line_end = memchr(line, '\n', (size_t)(end - line));
        bool whole = line_end != NULL;
        if (!whole)
            line_end = end;
        *line_end = '\0';
        struct lesson_progress lesson = {0};
        bool has_zero = strlen(line) != (size_t)(line_end - line);
        /* A line without its end was cut off. */
        if (!has_zero && whole && (*line == '#' || !*line))
            ;
        else if (!has_zero && whole && read_line(line, &lesson))
            put(progress, &lesson);
        else
            progress->damaged++;
        line = line_end + 1;
    }
    free(copy);
}

static int load(struct progress *progress, const char *path, struct text *bytes,
                struct error *err) {
    *progress = (struct progress){NULL, 0, 0};
    if (read_file(path, bytes, err) < 0)
        return -1;
    read_lines(progress, bytes);
    return 0;
}

int progress_load(struct progress *progress, const char *path, struct error *err) {
    struct text bytes = TEXT_INIT;
    int status = *path ? load(progress, path, &bytes, err) : 0;
    if (!*path)
        *progress = (struct progress){NULL, 0, 0};
    text_release(&bytes);
    return status;
}

int progress_make_folders(const char *path, struct error *err) {
    char *folder = memory_string(path);
    int status = 0;
    for (char *slash = strchr(folder + 1, '/'); status == 0 && slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) < 0 && errno != EEXIST && errno != EISDIR) {
            int reason = errno;
            struct stat there;
            if (stat(folder, &there) < 0) /* an existing folder may be refused for other reasons */
                status = error_set_errno(err, ERROR_USAGE, reason,
                                         _("cannot save your progress: cannot create directory %s"),
                                         folder);
        }
        *slash = '/';
    }
    free(folder);
    return status;
}

static int write_all(int descriptor, const char *data, size_t length) {
    while (length > 0) {
        ssize_t count = write(descriptor, data, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        data += count;
        length -= (size_t)count;
    }
    return 0;
}

/* Writes a file beside the old one and renames it, so that there is always a complete file. */
static int replace_file(const char *path, const struct text *bytes, struct error *err) {
    struct text beside = TEXT_INIT;
    text_append_format(&beside, "%s" BESIDE "XXXXXX", path);
    int descriptor = mkstemp(beside.data), reason = 0;
    if (descriptor < 0) {
        reason = errno;
    } else {
        if (write_all(descriptor, bytes->data, bytes->length) < 0 || fsync(descriptor) < 0)
            reason = errno;
        if (close(descriptor) < 0 && !reason)
            reason = errno;
        if (!reason && rename(beside.data, path) < 0)
            reason = errno;
        if (reason)
            unlink(beside.data);
    }
    text_release(&beside);
    if (reason)
        return error_set_errno(err, ERROR_USAGE, reason, _("cannot save your progress to %s"),
                               path);
    return 0;
}

/* True for a temporary file of a process that writes `name`, or sets aside a damaged one. */
static bool is_beside(const char *entry, const char *name) {
    size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0)
        return false;
    entry += length;
    entry += strncmp(entry, DAMAGED, strlen(DAMAGED)) == 0 ? strlen(DAMAGED) : 0;
    return strncmp(entry, BESIDE, strlen(BESIDE)) == 0 && strlen(entry) == strlen(BESIDE) + 6;
}

/* Removes files left behind by processes that were killed while writing. */
static void sweep(const char *path) {
    char *folder = file_folder(path);
    const char *name = file_base_name(path);
    DIR *entries = opendir(folder);
    const time_t now = time(NULL);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        if (is_beside(entry->d_name, name) &&
            fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            now - status.st_mtime > LEFT_SECONDS)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
    free(folder);
}

/* One writer at a time: the folder is the lock, so that no lock file is left behind. If locks are
 * not supported, or a stopped process keeps its lock, the last writer wins: a terminal must not
 * hang because of that. */
static int lock_folder(const char *path) {
    char *folder = file_folder(path);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    const struct timespec moment = {0, 1000000};
    for (int tries = 0; descriptor >= 0 && tries < LOCK_TRIES; tries++) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
            break;
        nanosleep(&moment, NULL);
    }
    return descriptor;
}

/* A file with unreadable lines is kept, because the user may be able to read it. */
static int keep_damaged(const char *path, const struct text *bytes, struct error *err) {
    struct text beside = TEXT_INIT;
    text_append_format(&beside, "%s" DAMAGED, path);
    int status = replace_file(beside.data, bytes, err);
    text_release(&beside);
    return status;
}

static int write_progress(const char *path, const struct progress *progress, struct error *err) {
    struct text bytes = TEXT_INIT;
    text_append(&bytes, heading);
    for (size_t i = 0; i < progress->count; i++)
        append_line(&bytes, &progress->lessons[i]);
    int status = replace_file(path, &bytes, err);
    text_release(&bytes);
    return status;
}

/* Progress never decreases as long as the lesson is the same. */
static void merge(struct lesson_progress *lesson, const struct lesson_progress *before) {
    lesson->finished |= before->finished;
    if (before->beats != lesson->beats)
        return;
    if (lesson->seen < before->seen)
        lesson->seen = before->seen;
    if (lesson->asked < before->asked)
        lesson->asked = before->asked;
    if (lesson->right < before->right)
        lesson->right = before->right;
}

/* A change to the file: one of these. */
struct change {
    const struct lesson_progress *store;
    const char *forget;  /* a lesson's name */
    const char *mend[2]; /* a lesson's name, a beat's id */
    bool forget_all;
};

static void store(struct progress *progress, const struct lesson_progress *lesson) {
    struct lesson_progress merged = *lesson;
    const struct lesson_progress *before = find(progress, lesson->lesson);
    const bool same = before && before->beats == lesson->beats;
    if (before)
        merge(&merged, before);
    merged.questions = merge_questions(lesson->questions, same ? before->questions : NULL);
    if (!*merged.date)
        clock_date(time(NULL), merged.date);
    put(progress, &merged);
    free(merged.questions);
}

static void mend(struct progress *progress, const char *lesson, const char *beat) {
    struct lesson_progress *found = find(progress, lesson);
    struct text mended = TEXT_INIT;
    if (!found || progress_result(found, beat) != BEAT_REVEALED)
        return;
    progress_note(&mended, beat, BEAT_HINTED);
    char *merged = merge_questions(found->questions, mended.data);
    text_release(&mended);
    free(found->questions);
    found->questions = merged;
}

static int change_locked(const char *path, const struct change *change, struct error *err) {
    struct text bytes = TEXT_INIT;
    struct progress progress;
    int status = load(&progress, path, &bytes, err);
    if (status == 0 && progress.damaged)
        status = keep_damaged(path, &bytes, err);
    if (status == 0 && change->store)
        store(&progress, change->store);
    else if (status == 0 && change->forget)
        forget(&progress, change->forget);
    else if (status == 0 && change->mend[0])
        mend(&progress, change->mend[0], change->mend[1]);
    else if (status == 0 && change->forget_all)
        progress_release(&progress);
    if (status == 0)
        status = write_progress(path, &progress, err);
    progress_release(&progress);
    text_release(&bytes);
    return status;
}

/* The same under a lock, while the signals that end a program are blocked: a closed terminal sends
 * SIGHUP, and a shell sends it again. */
static int change(const char *path, const struct change *what, struct error *err) {
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t held, before;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    int lock = lock_folder(path);
    sweep(path);
    int status = change_locked(path, what, err);
    if (lock >= 0)
        close(lock);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* A symbolic link is followed, so that the file stays where it is kept. */
static char *resolve_link(const char *path) {
    char *real = realpath(path, NULL);
    return real ? real : memory_string(path);
}

int progress_store(const char *path, const struct lesson_progress *lesson, struct error *err) {
    if (!*path)
        return error_set(err, ERROR_USAGE,
                         _("cannot save your progress: neither XDG_STATE_HOME nor HOME is set"));
    if (progress_make_folders(path, err) < 0)
        return -1;
    char *real = resolve_link(path);
    int status = change(real, &(struct change){.store = lesson}, err);
    free(real);
    return status;
}

/* If there is no file, nothing needs to be kept. */
static int change_if_there(const char *path, const struct change *what, struct error *err) {
    struct stat there;
    if (!*path || (lstat(path, &there) < 0 && errno == ENOENT))
        return 0;
    char *real = resolve_link(path);
    int status = change(real, what, err);
    free(real);
    return status;
}

int progress_mark_solved(const char *path, const char *lesson, const char *beat,
                         struct error *err) {
    return change_if_there(path, &(struct change){.mend = {lesson, beat}}, err);
}

int progress_reset(const char *path, const char *lesson, struct error *err) {
    return change_if_there(path, &(struct change){.forget = lesson, .forget_all = !lesson}, err);
}
