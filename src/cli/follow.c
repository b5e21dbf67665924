#include "cli/follow.h"

#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SO_NOSIGPIPE then */
#endif

#define LESSON_WORD   "lesson "
#define POSITION_WORD "at "
#define LINE_MOST     65536

/* ---- where ------------------------------------------------------------------------------------
 */

/* A folder that only this user can enter. */
static int check_folder(const char *path, bool make, struct error *err) {
    struct stat status;
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s cannot be made"), path);
    if (!make && lstat(path, &status) != 0 && errno == ENOENT)
        return 0; /* so there is nobody in it */
    if (lstat(path, &status) != 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s cannot be looked at"), path);
    if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || status.st_mode & 077)
        return error_set(err, ERROR_USAGE,
                         _("%s is not a folder of this user's alone\n"
                           "try: remove it, or set XDG_RUNTIME_DIR to a folder of yours"),
                         path);
    return 0;
}

static int stage_address(struct sockaddr_un *address, bool make, struct error *err) {
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct text path = TEXT_INIT;
    if (runtime && runtime[0] == '/')
        text_append_format(&path, "%s/shflviz", runtime);
    else
        text_append_format(&path, "/tmp/shflviz-%lu", (unsigned long)getuid());
    /* Who follows looks, too: in a folder of somebody else's anybody may speak. */
    int status = check_folder(path.data, make, err);
    text_append(&path, "/stage");
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    if (status == 0 && path.length >= sizeof(address->sun_path))
        status = error_set(err, ERROR_USAGE,
                           _("%s is too long a name for a socket\n"
                             "try: XDG_RUNTIME_DIR=/tmp/NAME, a folder of yours"),
                           path.data);
    if (status == 0)
        memcpy(address->sun_path, path.data, path.length + 1);
    text_release(&path);
    return status;
}

static int new_socket(struct error *err) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("no socket can be had"));
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

static void do_not_wait(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/* ---- the presenter's end ----------------------------------------------------------------------
 */

static bool somebody_listens(const struct sockaddr_un *address) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    bool listens = descriptor >= 0 &&
                   connect(descriptor, (const struct sockaddr *)address, sizeof(*address)) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return listens;
}

static int stage_listen(int descriptor, const struct sockaddr_un *address, struct error *err) {
    if (somebody_listens(address))
        return error_set(err, ERROR_USAGE,
                         _("another presentation is on, and speaker's notes follow that one\n"
                           "try: end it, or give this one its own XDG_RUNTIME_DIR"));
    unlink(address->sun_path); /* left over from one that was killed */
    if (bind(descriptor, (const struct sockaddr *)address, sizeof(*address)) != 0 ||
        listen(descriptor, FOLLOWERS_MAX) != 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s: nobody can follow"),
                               address->sun_path);
    return 0;
}

int stage_open(struct stage *stage, struct error *err) {
    struct sockaddr_un address;
    *stage = (struct stage){.listener = -1};
    if (stage_address(&address, true, err) != 0)
        return -1;
    int descriptor = new_socket(err);
    if (descriptor < 0)
        return -1;
    if (stage_listen(descriptor, &address, err) != 0) {
        close(descriptor);
        return -1;
    }
    do_not_wait(descriptor);
    stage->listener = descriptor;
    stage->path = memory_string(address.sun_path);
    return 0;
}

void stage_close(struct stage *stage) {
    for (size_t i = 0; i < stage->follower_count; i++)
        close(stage->followers[i]);
    if (stage->listener >= 0) {
        unlink(stage->path);
        close(stage->listener);
    }
    free(stage->path);
    free(stage->lesson);
    free(stage->position);
    *stage = (struct stage){.listener = -1};
}

static bool send_line(int follower, const char *word, const char *line) {
    struct text text = TEXT_INIT;
    text_append_format(&text, "%s%s\n", word, line);
    /* A line is far shorter than a socket's buffer: it goes out whole or not at all. */
    bool sent = send(follower, text.data, text.length, MSG_NOSIGNAL) == (ssize_t)text.length;
    text_release(&text);
    return sent;
}

static void let_go(struct stage *stage, size_t index) {
    close(stage->followers[index]);
    stage->followers[index] = stage->followers[--stage->follower_count];
}

static void tell_all(struct stage *stage, const char *word, const char *line) {
    for (size_t i = stage->follower_count; i-- > 0;)
        if (!send_line(stage->followers[i], word, line))
            let_go(stage, i);
}

void stage_lesson(struct stage *stage, const char *lesson) {
    if (stage->listener < 0)
        return;
    free(stage->lesson);
    free(stage->position);
    stage->lesson = memory_string(lesson);
    stage->position = NULL;
    tell_all(stage, LESSON_WORD, lesson);
}

void stage_position(struct stage *stage, const char *position) {
    if (stage->listener < 0 || (stage->position && strcmp(stage->position, position) == 0))
        return;
    free(stage->position);
    stage->position = memory_string(position);
    tell_all(stage, POSITION_WORD, position);
}

size_t stage_descriptors(const struct stage *stage, int *descriptors, size_t most) {
    size_t count = 0;
    if (stage->listener >= 0 && count < most)
        descriptors[count++] = stage->listener;
    for (size_t i = 0; i < stage->follower_count && count < most; i++)
        descriptors[count++] = stage->followers[i];
    return count;
}

/* A follower that has gone is no reason to end. */
static void do_not_signal(int descriptor) {
#ifdef SO_NOSIGPIPE
    const int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#else
    (void)descriptor;
#endif
}

static void let_in(struct stage *stage) {
    int follower;
    while ((follower = accept(stage->listener, NULL, NULL)) >= 0) {
        if (stage->follower_count == FOLLOWERS_MAX) {
            close(follower);
            continue;
        }
        fcntl(follower, F_SETFD, FD_CLOEXEC);
        do_not_wait(follower);
        do_not_signal(follower);
        stage->followers[stage->follower_count++] = follower;
        if ((stage->lesson && !send_line(follower, LESSON_WORD, stage->lesson)) ||
            (stage->position && !send_line(follower, POSITION_WORD, stage->position)))
            let_go(stage, stage->follower_count - 1);
    }
}

void stage_ready(struct stage *stage) {
    char bytes[256];
    if (stage->listener < 0)
        return;
    /* A follower has nothing to say: what can be read is its end, or noise. */
    for (size_t i = stage->follower_count; i-- > 0;) {
        ssize_t count = recv(stage->followers[i], bytes, sizeof(bytes), 0);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
            let_go(stage, i);
    }
    let_in(stage);
}

/* ---- the follower's end ------------------------------------------------------------------------
 */

int seat_take(struct seat *seat, struct error *err) {
    struct sockaddr_un address;
    *seat = (struct seat){-1, TEXT_INIT};
    if (stage_address(&address, false, err) != 0)
        return -1;
    int descriptor = new_socket(err);
    if (descriptor < 0)
        return -1;
    if (connect(descriptor, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        close(descriptor);
        return error_set(err, ERROR_USAGE,
                         _("no presentation of yours is on, so there is nothing to follow\n"
                           "try: shflviz lesson NAME --present on the other terminal first"));
    }
    do_not_wait(descriptor);
    seat->descriptor = descriptor;
    return 0;
}

void seat_leave(struct seat *seat) {
    if (seat->descriptor >= 0)
        close(seat->descriptor);
    text_release(&seat->read);
    seat->descriptor = -1;
}

bool seat_ready(struct seat *seat) {
    char bytes[1024];
    ssize_t count;
    if (seat->descriptor < 0)
        return false;
    while ((count = recv(seat->descriptor, bytes, sizeof(bytes), 0)) > 0)
        text_append_bytes(&seat->read, bytes, (size_t)count);
    bool more = count < 0 && (errno == EAGAIN || errno == EINTR);
    /* What goes on without a line end is no presentation. */
    if (more && (seat->read.length < LINE_MOST || strchr(seat->read.data, '\n')))
        return true;
    close(seat->descriptor);
    seat->descriptor = -1;
    return false;
}

char *seat_line(struct seat *seat) {
    char *end = strchr(seat->read.data, '\n');
    if (!end)
        return NULL;
    struct text line = TEXT_INIT, rest = TEXT_INIT;
    text_append_bytes(&line, seat->read.data, (size_t)(end - seat->read.data));
    text_append(&rest, end + 1);
    text_release(&seat->read);
    seat->read = rest;
    return text_detach(&line);
}

char *seat_await_line(struct seat *seat, int milliseconds) {
    char *line;
    while (!(line = seat_line(seat)) && seat->descriptor >= 0) {
        struct pollfd wanted = {.fd = seat->descriptor, .events = POLLIN};
        if (poll(&wanted, 1, milliseconds) <= 0)
            return NULL;
        seat_ready(seat);
    }
    return line;
}

static const char *after_word(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

const char *seat_line_lesson(const char *line) {
    return after_word(line, LESSON_WORD);
}

const char *seat_line_position(const char *line) {
    return after_word(line, POSITION_WORD);
}
