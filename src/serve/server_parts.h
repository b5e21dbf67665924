/* server_parts.h - shared by the files of the server; not for other folders. */
#ifndef SHFLVIZ_SERVE_SERVER_PARTS_H
#define SHFLVIZ_SERVE_SERVER_PARTS_H

#include "base/clock.h"
#include "serve/libraries.h"
#include "serve/rate.h"
#include "serve/server.h"

#include <signal.h>
#include <stdint.h>

/* One event as sent, shared by all clients that are still reading it. */
struct frame {
    unsigned holders;
    char *bytes;
    size_t length;
};

/* One page that follows. */
struct stream {
    struct server *server;
    struct MHD_Connection *connection;
    struct room_student *student;
    struct stream *next, *previous;
    struct text first;   /* "words" and "own", sent before all frames */
    struct frame *frame; /* being sent; NULL between two */
    size_t sent;         /* of `first`, or else of `frame` */
    uint64_t shown;      /* number of the frame that was sent last */
    bool suspended, beats;
    bool ends, told; /* another page of the same student has replaced it; it has been notified */
};

/* One connection: it is closed when its time is up, however often it sends or reads a byte. */
struct visit {
    struct visit *next, **link; /* the list, and the pointer to this one */
    int descriptor;
    int64_t until; /* milliseconds, as clock_milliseconds(); INT64_MAX while it follows */
};

/* Counts events in the minute that began with the first of them. */
struct tally {
    int64_t since;
    unsigned count;
};

struct server {
    struct server_options opts;
    char own_name[SERVE_HOST_SIZE]; /* address of this machine; "" if unknown */
    uint16_t port;
    struct MHD_Daemon *daemon;
    struct text url;
    char code[SERVE_CODE + 1];
    char old_code[SERVE_CODE + 1]; /* before the room was emptied; "" if it never was */
    struct tally came, turned_away, guesses;
    struct rate rate;
    struct MHD_Response *page; /* opts.page for clients with a cookie; may be NULL */
    struct stream *streams;
    struct visit *visits;
    int64_t looked;      /* when their time was last checked */
    struct frame *frame; /* the newest; NULL before the first */
    uint64_t frames;     /* its number */
    int64_t beat;        /* when all streams last got a keep-alive comment */
    bool closing, changed;
    void (*on_pipe)(int); /* the earlier SIGPIPE handler; SIG_ERR if it was not changed */
};

/* libmicrohttpd's functions. server_open() has loaded them. */
const struct libraries *http(void);

/* Fills with random hexadecimal digits, or letters of a code. False if there is no randomness. */
bool server_token(char token[ROOM_TOKEN]);
bool server_random_code(char code[SERVE_CODE + 1]);

void tally_add(struct tally *tally);

/* ---- events (server_events.c) ---- */

/* Answers a request for events. */
enum MHD_Result events_begin(struct server *server, struct MHD_Connection *connection,
                             struct room_student *student);
/* Wakes all waiting streams, to look for new events. */
void events_wake(struct server *server);
void events_heartbeat(struct server *server);
/* Ends all streams; none of them has a student any more. */
void events_end(struct server *server);
void frame_release(struct frame *frame); /* NULL is fine */

/* ---- connections and requests (server_requests.c) ---- */

void visit_changed(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_ConnectionNotificationCode what);
/* The current work must be done within that many seconds; negative: no limit. */
void visit_until(struct MHD_Connection *connection, long seconds);
/* Ends connections whose time is up. */
void visits_end(struct server *server);

/* The page that is the program, with `cookie` unless that is NULL; NULL if memory is short. */
struct MHD_Response *request_page(const struct server_options *opts, const char *cookie);

enum MHD_Result request_handle(void *context, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *body,
                               size_t *body_size, void **request);
void request_ended(void *context, struct MHD_Connection *connection, void **request,
                   enum MHD_RequestTerminationCode how);

#endif
