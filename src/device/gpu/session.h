/*
 * session.h - one run on a device in a separate process, and its recording.
 *
 * The caller's process has the recording; the child has the device (channel.h). Between them are
 * shared memory, for records, and messages that announce them:
 *
 *     device --ring--> child: drain.c --shared memory--> caller: collect.c --> trace writer
 *
 * It does not use CUDA. device/gpu/cuda.c is the child of a real run; a test has a child made of
 * threads.
 */
#ifndef SHFLVIZ_GPU_SESSION_H
#define SHFLVIZ_GPU_SESSION_H

#include "device/gpu/channel.h"
#include "device/gpu/drain.h"
#include "trace/failure.h"

#include <stddef.h>
#include <stdint.h>

struct session_options {
    uint64_t memory;     /* bytes of the device's memory for the ring */
    uint64_t step_limit; /* records to keep; 0: no limit */
    double timeout;      /* seconds for all kernels of the run together; 0: no limit */
    double grace;        /* further seconds until a child that does not answer is killed */
    struct shflviz_filter watch;
    size_t output_count; /* 64-bit words that the child returns */
};

/* The data of a run that both processes share. */
struct session {
    struct link link;
    struct session_options options;
    struct ring_shape shape;
    unsigned value_bytes;
    /* Parts of the shared memory. */
    struct shflviz_ring_host *host;
    unsigned char *early;   /* RING_EARLY_RECORDS cells */
    unsigned char *slot[2]; /* a chunk each */
    uint64_t *output;
    /* The child's. */
    uint64_t chunks_sent;
    uint32_t launches;
    bool ended;
};

/*
 * Runs child(session, context) in a separate process and records its messages. Returns 0 with the
 * child's words copied to `output` (NULL: not wanted), or -1 with err as the child set it with
 * session_end(), or ERROR_RUN if it did not get that far because it was killed, crashed, or timed
 * out. In any case, the records that were sent are in the writer, and so are complete early
 * records; known losses are counted.
 */
int session_run(const struct session_options *options,
                void (*child)(struct session *session, void *context), void *context,
                struct trace_writer *writer, uint64_t *output, struct error *err);

/*
 * Runs child(session, job) in a process that outlives the run and keeps the device, so that the
 * next run begins immediately. Like session_run(), but without output; `job` is copied, and the
 * child gets the copy, in memory that both share. If *worker is NULL, a process is started; it is
 * replaced if `child` or the options' memory has changed. A run that fails ends the process, and
 * sets *worker to NULL.
 */
struct session_worker;
#define SESSION_JOB_MOST ((size_t)1 << 20)
int session_run_worker(struct session_worker **worker, const struct session_options *options,
                       void (*child)(struct session *session, void *job), const void *job,
                       size_t job_bytes, struct trace_writer *writer, struct error *err);
void session_worker_stop(struct session_worker *worker); /* NULL is fine */

/* ---- for the child ---- */

/* Announces launch number session->launches, and counts it. */
void session_launch(struct session *session, const struct trace_launch *launch);

/* early, room and deliver of struct drain_operations; their context is the session. */
int session_early(void *context, uint64_t first, size_t count);
void *session_room(void *context);
int session_deliver(void *context, void *room, size_t count);

/* The parameters of a ring for the device: all but the addresses. */
struct shflviz_ring session_ring(const struct session *session);

/* Announces the end of the run. `taken` is the number of records delivered and dropped, as far as
 * it is known. With TRACE_FAILURE_NONE, the run succeeded, and text is NULL. */
void session_end(struct session *session, uint64_t taken, enum trace_failure failure,
                 const char *text);

#endif
