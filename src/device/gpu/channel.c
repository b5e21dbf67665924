/* A socket carries the messages, so that when either process dies, the other reads the end of
 * the stream immediately. */
#include "device/gpu/channel.h"

#include "base/message.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

/* The bytes before a payload. */
#define MESSAGE_HEAD offsetof(struct link_message, payload)

static void run_child(struct link *link, void (*run)(struct link *link, void *context),
                      void *context) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG,
          SIGKILL); /* a hanging kernel must not outlive the process that waits for it */
#endif
    signal(SIGPIPE, SIG_IGN);
    link->child = 0;
    run(link, context);
    fflush(stdout); /* output of kernels */
    _exit(0);       /* ends immediately: exit handlers would wait for the kernel */
}

int link_start(struct link *link, size_t shared_bytes,
               void (*run)(struct link *link, void *context), void *context, struct error *err) {
    int ends[2];
    *link = (struct link){.socket = -1, .shared_bytes = shared_bytes ? shared_bytes : 1};
    link->shared =
        mmap(NULL, link->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (link->shared == MAP_FAILED)
        return error_set_errno(err, ERROR_RUN, errno,
                               _("cannot share %zu bytes with the process that runs a kernel"),
                               link->shared_bytes);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        error_set_errno(err, ERROR_RUN, errno,
                        _("cannot create a socket to the process that runs a kernel"));
        munmap(link->shared, link->shared_bytes);
        return -1;
    }
    fflush(NULL); /* pending data must be written only once */
    pid_t child = fork();
    if (child < 0) {
        error_set_errno(err, ERROR_RUN, errno, _("cannot start a process to run a kernel in"));
        close(ends[0]);
        close(ends[1]);
        munmap(link->shared, link->shared_bytes);
        return -1;
    }
    link->socket = ends[child == 0];
    close(ends[child != 0]);
    if (child == 0)
        run_child(link, run, context);
    link->child = child;
    return 0;
}

int link_send(struct link *link, uint32_t kind, uint64_t a, uint64_t b, uint64_t c,
              const void *payload, size_t bytes) {
    struct link_message message;
    if (bytes > LINK_PAYLOAD_MAX)
        bytes = LINK_PAYLOAD_MAX;
    memset(&message, 0, MESSAGE_HEAD);
    message.kind = kind;
    message.bytes = (uint32_t)bytes;
    message.number[0] = a;
    message.number[1] = b;
    message.number[2] = c;
    if (bytes)
        memcpy(message.payload, payload, bytes);
    const char *at = (const char *)&message;
    size_t left = MESSAGE_HEAD + bytes;
    while (left) {
        ssize_t sent = send(link->socket, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        at += sent;
        left -= (size_t)sent;
    }
    return 0;
}

static enum link_status read_whole(struct link *link, void *to, size_t bytes, double deadline) {
    char *at = to;
    while (bytes) {
        struct pollfd wait = {.fd = link->socket, .events = POLLIN};
        int milliseconds = -1;
        if (deadline > 0) {
            double left = deadline - clock_seconds();
            milliseconds = left <= 0 ? 0 : left > 1e6 ? 1000000000 : (int)(left * 1e3) + 1;
        }
        int ready = poll(&wait, 1, milliseconds);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0 && clock_seconds() >= deadline)
            return LINK_LATE;
        if (ready == 0)
            continue;
        ssize_t got = read(link->socket, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            link->closed = true;
            return LINK_CLOSED;
        }
        at += got;
        bytes -= (size_t)got;
    }
    return LINK_MESSAGE;
}

enum link_status link_receive(struct link *link, struct link_message *message, double deadline) {
    enum link_status news = read_whole(link, message, MESSAGE_HEAD, deadline);
    if (news != LINK_MESSAGE)
        return news;
    if (message->bytes > LINK_PAYLOAD_MAX)
        return LINK_CLOSED;
    news = read_whole(link, message->payload, message->bytes, deadline);
    if (message->bytes < LINK_PAYLOAD_MAX)
        message->payload[message->bytes] = 0;
    return news;
}

int link_stop(struct link *link) {
    int status = 0;
    int ended = 0;
    close(link->socket);
    if (!link->closed)
        kill(link->child, SIGKILL);
    while (waitpid(link->child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (link->closed && WIFSIGNALED(status))
        ended = WTERMSIG(status);
    munmap(link->shared, link->shared_bytes);
    return ended;
}
