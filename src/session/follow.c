/*
 * Uses a Unix socket, because its directory's permissions decide who may connect. The presenter
 * never waits for a follower: one that does not read is dropped.
 */
#include "session/follow.h"

#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* such systems have SO_NOSIGPIPE */
#endif

#define LESSON_WORD   "lesson "
#define POSITION_WORD "at "
#define LINE_MOST     65536

/* ---- the socket's path ---- */

/* Creates or checks a directory that only this user can enter. */
static int check_folder(const char *path, bool make, struct error *err) {
    struct stat status;
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot create the directory %s"), path);
    if (!make && lstat(path, &status) != 0 && errno == ENOENT)
        return 0; /* no presentation there */
    if (lstat(path, &status) != 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot stat %s"), path);
    if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || status.st_mode & 077)
        return error_set(err, ERROR_USAGE,
                         _("%s is not a directory that only you can enter\n"
                           "try: remove it, or set XDG_RUNTIME_DIR to a directory of yours"),
                         path);
    return 0;
}

static int presentation_address(struct sockaddr_un *address, bool make, struct error *err) {
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct text path = TEXT_INIT;
    if (runtime && runtime[0] == '/')
        text_append_format(&path, "%s/shflviz", runtime);
    else
        text_append_format(&path, "/tmp/shflviz-%lu", (unsigned long)getuid());
    /* Followers check it, too: in a directory that others can write to, any user could pose as the
     * presenter. */
    int status = check_folder(path.data, make, err);
    text_append(&path, "/presentation");
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    if (status == 0 && path.length >= sizeof(address->sun_path))
        status = error_set(err, ERROR_USAGE,
                           _("%s is too long for the name of a socket\n"
                             "try: XDG_RUNTIME_DIR=/tmp/NAME, a directory of yours"),
                           path.data);
    if (status == 0)
        memcpy(address->sun_path, path.data, path.length + 1);
    text_release(&path);
    return status;
}

static int new_socket(struct error *err) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot create a socket"));
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

static void set_nonblocking(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

enum connected { CONNECT_FINE, CONNECT_BUSY, CONNECT_NOBODY };

/* Connects without waiting: a stopped presenter accepts no one, and its queue may be full. */
static enum connected try_connect(int descriptor, const struct sockaddr_un *address) {
    set_nonblocking(descriptor);
    if (connect(descriptor, (const struct sockaddr *)address, sizeof(*address)) == 0)
        return CONNECT_FINE;
    return errno == EAGAIN || errno == EINPROGRESS ? CONNECT_BUSY : CONNECT_NOBODY;
}

/* ---- the presenter's end ---- */

static bool is_listening(const struct sockaddr_un *address) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    bool listens = descriptor >= 0 && try_connect(descriptor, address) != CONNECT_NOBODY;
    if (descriptor >= 0)
        close(descriptor);
    return listens;
}

static int presentation_listen(int descriptor, const struct sockaddr_un *address,
                               struct error *err) {
    if (is_listening(address))
        return error_set(err, ERROR_USAGE,
                         _("another presentation is running, and speaker's notes follow it\ntry: "
                           "end that presentation, or give this one its own XDG_RUNTIME_DIR"));
    unlink(address->sun_path); /* left by a killed process */
    if (bind(descriptor, (const struct sockaddr *)address, sizeof(*address)) != 0 ||
        listen(descriptor, FOLLOWERS_MAX) != 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot listen on %s"),
                               address->sun_path);
    return 0;
}

int presentation_open(struct presentation *presentation, struct error *err) {
    struct sockaddr_un address;
    *presentation = (struct presentation){.listener = -1};
    if (presentation_address(&address, true, err) != 0)
        return -1;
    int descriptor = new_socket(err);
    if (descriptor < 0)
        return -1;
    if (presentation_listen(descriptor, &address, err) != 0) {
        close(descriptor);
        return -1;
    }
    set_nonblocking(descriptor);
    presentation->listener = descriptor;
    presentation->path = memory_string(address.sun_path);
    return 0;
}

void presentation_close(struct presentation *presentation) {
    for (size_t i = 0; i < presentation->follower_count; i++)
        close(presentation->followers[i]);
    if (presentation->listener >= 0) {
        unlink(presentation->path);
        close(presentation->listener);
    }
    free(presentation->path);
    free(presentation->lesson);
    free(presentation->position);
    *presentation = (struct presentation){.listener = -1};
}

static bool send_line(int follower, const char *word, const char *line) {
    struct text text = TEXT_INIT;
    text_append_format(&text, "%s%s\n", word, line);
    /* A line is far shorter than a socket's buffer, so it is sent whole or not at all. */
    bool sent = send(follower, text.data, text.length, MSG_NOSIGNAL) == (ssize_t)text.length;
    text_release(&text);
    return sent;
}

static void drop_follower(struct presentation *presentation, size_t index) {
    close(presentation->followers[index]);
    presentation->follower_count--;
    memmove(&presentation->followers[index], &presentation->followers[index + 1],
            (presentation->follower_count - index) * sizeof presentation->followers[0]);
}

static void broadcast(struct presentation *presentation, const char *word, const char *line) {
    for (size_t i = presentation->follower_count; i-- > 0;)
        if (!send_line(presentation->followers[i], word, line))
            drop_follower(presentation, i);
}

void presentation_lesson(struct presentation *presentation, const char *lesson) {
    if (presentation->listener < 0)
        return;
    free(presentation->lesson);
    free(presentation->position);
    presentation->lesson = memory_string(lesson);
    presentation->position = NULL;
    broadcast(presentation, LESSON_WORD, lesson);
}

void presentation_position(struct presentation *presentation, const char *position) {
    if (presentation->listener < 0 ||
        (presentation->position && strcmp(presentation->position, position) == 0))
        return;
    free(presentation->position);
    presentation->position = memory_string(position);
    broadcast(presentation, POSITION_WORD, position);
}

size_t presentation_descriptors(const struct presentation *presentation, int *descriptors,
                                size_t most) {
    size_t count = 0;
    if (presentation->listener >= 0 && count < most)
        descriptors[count++] = presentation->listener;
    for (size_t i = 0; i < presentation->follower_count && count < most; i++)
        descriptors[count++] = presentation->followers[i];
    return count;
}

/* Writing to a follower that has left must not raise SIGPIPE. */
static void disable_sigpipe(int descriptor) {
#ifdef SO_NOSIGPIPE
    const int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#else
    (void)descriptor;
#endif
}

static void accept_new(struct presentation *presentation) {
    for (int i = 0; i < FOLLOWERS_MAX; i++) { /* the next call accepts more, if there are more */
        int follower = accept(presentation->listener, NULL, NULL);
        if (follower < 0)
            return;
        if (presentation->follower_count == FOLLOWERS_MAX)
            drop_follower(presentation, 0);
        fcntl(follower, F_SETFD, FD_CLOEXEC);
        set_nonblocking(follower);
        disable_sigpipe(follower);
        presentation->followers[presentation->follower_count++] = follower;
        if ((presentation->lesson && !send_line(follower, LESSON_WORD, presentation->lesson)) ||
            (presentation->position && !send_line(follower, POSITION_WORD, presentation->position)))
            drop_follower(presentation, presentation->follower_count - 1);
    }
}

void presentation_ready(struct presentation *presentation) {
    char bytes[256];
    if (presentation->listener < 0)
        return;
    /* Followers send nothing: a readable socket means that the follower has left, or never was
     * one. */
    for (size_t i = presentation->follower_count; i-- > 0;) {
        ssize_t count = recv(presentation->followers[i], bytes, sizeof(bytes), 0);
        if (count >= 0 || (errno != EAGAIN && errno != EINTR))
            drop_follower(presentation, i);
    }
    accept_new(presentation);
}

/* ---- the follower's end ---- */

int follower_join(struct follower *follower, struct error *err) {
    struct sockaddr_un address;
    *follower = (struct follower){.descriptor = -1, .read = TEXT_INIT};
    if (presentation_address(&address, false, err) != 0)
        return -1;
    int descriptor = new_socket(err);
    if (descriptor < 0)
        return -1;
    const enum connected connected = try_connect(descriptor, &address);
    if (connected != CONNECT_FINE)
        close(descriptor);
    if (connected == CONNECT_BUSY)
        return error_set(err, ERROR_USAGE,
                         _("your presentation does not answer\n"
                           "try: see whether it is stopped on the other terminal"));
    if (connected == CONNECT_NOBODY)
        return error_set(err, ERROR_USAGE,
                         _("you have no presentation running, so there is nothing to follow\n"
                           "try: shflviz lesson NAME --present on the other terminal first"));
    follower->descriptor = descriptor;
    return 0;
}

void follower_leave(struct follower *follower) {
    if (follower->descriptor >= 0)
        close(follower->descriptor);
    text_release(&follower->read);
    follower->taken = 0;
    follower->descriptor = -1;
}

bool follower_ready(struct follower *follower) {
    char bytes[1024];
    ssize_t count = 1;
    if (follower->descriptor < 0)
        return false;
    /* Limited, because a sender that never stops must not keep us from reading keys. */
    for (size_t taken = 0; count > 0 && taken < LINE_MOST; taken += (size_t)count)
        if ((count = recv(follower->descriptor, bytes, sizeof(bytes), 0)) > 0)
            text_append_bytes(&follower->read, bytes, (size_t)count);
        else
            break;
    bool more = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    /* A presentation never sends a line without end. */
    const char *rest = follower->read.data + follower->taken;
    if (more && (follower->read.length - follower->taken < LINE_MOST || strchr(rest, '\n')))
        return true;
    close(follower->descriptor);
    follower->descriptor = -1;
    return false;
}

char *follower_line(struct follower *follower) {
    const char *start = follower->read.data + follower->taken, *end = strchr(start, '\n');
    struct text line = TEXT_INIT;
    if (!end) { /* move the rest to the front, once for all lines that were returned */
        text_append(&line, start);
        text_release(&follower->read);
        follower->read = line;
        follower->taken = 0;
        return NULL;
    }
    text_append_bytes(&line, start, (size_t)(end - start));
    follower->taken += (size_t)(end - start) + 1;
    return text_detach(&line);
}

char *follower_await_line(struct follower *follower, int milliseconds) {
    char *line;
    while (!(line = follower_line(follower)) && follower->descriptor >= 0) {
        struct pollfd wanted = {.fd = follower->descriptor, .events = POLLIN};
        if (poll(&wanted, 1, milliseconds) <= 0)
            return NULL;
        follower_ready(follower);
    }
    return line;
}

static const char *after_word(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

const char *follower_lesson(const char *line) {
    return after_word(line, LESSON_WORD);
}

const char *follower_position(const char *line) {
    return after_word(line, POSITION_WORD);
}
