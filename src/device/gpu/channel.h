/*
 * channel.h - a separate process for calls that may not return, and messages to and from it.
 *
 * A kernel that faults leaves CUDA unusable in its process, and one that hangs can be stopped only
 * by ending its process. So CUDA runs in a child: it can be killed, its earlier messages are kept,
 * and the next run begins afresh. The child is forked, so it has a copy of the caller's memory; the
 * caller does not see its changes. Both can access the memory `shared`.
 *
 * CUDA does not survive fork(): a process that uses links must not have used CUDA itself before.
 */
#ifndef SHFLVIZ_GPU_CHANNEL_H
#define SHFLVIZ_GPU_CHANNEL_H

#include "base/clock.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LINK_PAYLOAD_MAX 4096

struct link_message {
    uint32_t kind; /* chosen by the caller */
    uint32_t bytes;
    uint64_t number[3];
    unsigned char payload[LINK_PAYLOAD_MAX]; /* `bytes` of it; a 0 follows, unless it is full */
};

struct link {
    int socket;  /* of this end */
    bool closed; /* the other end is gone */
    pid_t child; /* 0 in the child */
    void *shared;
    size_t shared_bytes; /* zeroed memory that both see, page-aligned */
};

/*
 * Makes shared memory and a child that calls run(link, context) and ends when it returns. Returns
 * 0, or -1 (ERROR_RUN) with the failed call. The child never returns from here.
 */
int link_start(struct link *link, size_t shared_bytes,
               void (*run)(struct link *link, void *context), void *context, struct error *err);

/* Sends a message from either end. Returns 0, or -1 when the other end is gone. Payloads are cut at
 * LINK_PAYLOAD_MAX. */
int link_send(struct link *link, uint32_t kind, uint64_t a, uint64_t b, uint64_t c,
              const void *payload, size_t bytes);

enum link_status { LINK_MESSAGE, LINK_CLOSED, LINK_LATE };
/* Waits until there is a message, the other end is gone, or `deadline` (clock_seconds()) has
 * passed; 0 for no deadline. */
enum link_status link_receive(struct link *link, struct link_message *message, double deadline);

/* Kills the child if it is still running, and frees what link_start() made. Returns the number of
 * the signal that had already ended the child, or 0. */
int link_stop(struct link *link);

#endif
