/* The event streams: the events that each following page has been sent, and those it gets next. */
#include "serve/server_parts.h"

#include "base/memory.h"
#include "base/unused.h"
#include "serve/frame.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BLOCK              4096
#define SECONDS_UNANSWERED 60 /* how long sent events may stay unacknowledged */

void frame_release(struct frame *frame) {
    if (!frame || --frame->holders > 0)
        return;
    free(frame->bytes);
    free(frame);
}

/* ---- what is sent next ---- */

static size_t copy_part(char *to, size_t most, const char *from, size_t length, size_t *sent) {
    const size_t left = length - *sent, count = left < most ? left : most;
    memcpy(to, from + *sent, count);
    *sent += count;
    return count;
}

/* Takes the newest frame, unless it was the last one sent. True if there is a frame to send. */
static bool reserve_frame(struct stream *stream) {
    struct server *server = stream->server;
    if (stream->frame || !server->frame || stream->shown == server->frames)
        return stream->frame != NULL;
    stream->frame = server->frame;
    stream->frame->holders++;
    stream->shown = server->frames;
    stream->sent = 0;
    return true;
}

static ssize_t send_frame(struct stream *stream, char *to, size_t most) {
    struct frame *frame = stream->frame;
    const size_t count = copy_part(to, most, frame->bytes, frame->length, &stream->sent);
    if (stream->sent == frame->length) {
        stream->frame = NULL;
        frame_release(frame);
    }
    return (ssize_t)count;
}

static ssize_t send_next(void *context, uint64_t position UNUSED, char *to, size_t most) {
    struct stream *stream = context;
    if (stream->server->closing || (stream->ends && stream->told))
        return MHD_CONTENT_READER_END_OF_STREAM; /* the room was emptied in the middle of a frame */
    if (stream->ends && !stream->frame && stream->first.length == 0) {
        static const char bye[] = "event: bye\ndata: {}\n\n"; /* otherwise it would reconnect */
        if (most < sizeof bye - 1)
            return MHD_CONTENT_READER_END_OF_STREAM;
        stream->told = true;
        memcpy(to, bye, sizeof bye - 1);
        return sizeof bye - 1;
    }
    if (stream->first.length > 0) {
        const size_t count =
            copy_part(to, most, stream->first.data, stream->first.length, &stream->sent);
        if (stream->sent == stream->first.length)
            text_release(&stream->first);
        return (ssize_t)count;
    }
    if (reserve_frame(stream)) {
        stream->beats = false;
        return send_frame(stream, to, most);
    }
    if (stream->beats && most >= 3) { /* a comment, to detect pages that have gone */
        stream->beats = false;
        static const char comment[3] = {':', '\n', '\n'};
        memcpy(to, comment, sizeof comment);
        return sizeof comment;
    }
    stream->suspended = true;
    http()->suspend_connection(stream->connection);
    return 0;
}

/* ---- coming and going ---- */

static void wake(struct stream *stream) {
    if (!stream->suspended)
        return;
    stream->suspended = false;
    http()->resume_connection(stream->connection);
}

void events_wake(struct server *server) {
    for (struct stream *stream = server->streams; stream; stream = stream->next)
        wake(stream);
}

void events_heartbeat(struct server *server) {
    for (struct stream *stream = server->streams; stream; stream = stream->next) {
        stream->beats = true;
        wake(stream);
    }
}

void events_end(struct server *server) {
    for (struct stream *stream = server->streams; stream; stream = stream->next)
        stream->ends = stream->told = true;
    events_wake(server);
}

static void end_stream(void *context) {
    struct stream *stream = context;
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        stream->server->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    if (!stream->ends)
        stream->student->streams--;
    stream->server->changed = true;
    frame_release(stream->frame);
    text_release(&stream->first);
    free(stream);
}

/* If a student opens too many pages, the oldest is dropped. */
static void end_oldest(struct server *server, struct room_student *student) {
    struct stream *oldest = NULL;
    if (student->streams < SERVER_STREAMS_EACH)
        return;
    for (struct stream *stream = server->streams; stream; stream = stream->next)
        if (stream->student == student && !stream->ends)
            oldest = stream; /* the newest are first */
    if (!oldest)
        return;
    oldest->ends = true;
    student->streams--;
    wake(oldest);
}

static void detect_disconnect(struct MHD_Connection *connection UNUSED) {
#ifdef TCP_USER_TIMEOUT
    const union MHD_ConnectionInfo *info =
        http()->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const unsigned milliseconds = SECONDS_UNANSWERED * 1000;
    if (info)
        setsockopt(info->connect_fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds,
                   sizeof milliseconds);
#else
#endif
}

static struct stream *begin_stream(struct server *server, struct MHD_Connection *connection,
                                   struct room_student *student) {
    struct stream *stream = memory_zeroed(1, sizeof *stream);
    *stream = (struct stream){.server = server,
                              .connection = connection,
                              .student = student,
                              .next = server->streams,
                              .first = TEXT_INIT};
    frame_words(&stream->first);
    frame_own(&stream->first, student);
    if (stream->next)
        stream->next->previous = stream;
    server->streams = stream;
    student->streams++;
    student->followed = true;
    server->changed = true;
    return stream;
}

enum MHD_Result events_begin(struct server *server, struct MHD_Connection *connection,
                             struct room_student *student) {
    end_oldest(server, student);
    struct stream *stream = begin_stream(server, connection, student);
    struct MHD_Response *response = http()->create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK, send_next, stream, end_stream);
    if (!response) {
        end_stream(stream);
        return MHD_NO;
    }
    detect_disconnect(connection);
    visit_until(connection, -1);
    http()->add_response_header(response, "Content-Type", "text/event-stream");
    http()->add_response_header(response, "Cache-Control", "no-store");
    http()->add_response_header(response, "Connection", "close");
    http()->add_response_header(response, "X-Accel-Buffering", "no"); /* for nginx: no delay */
    const enum MHD_Result queued = http()->queue_response(connection, MHD_HTTP_OK, response);
    http()->destroy_response(response);
    return queued;
}
