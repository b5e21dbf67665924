/*
 * server.h - a class over HTTP: pages, events for followers, answers.
 *
 * The paths:
 *
 * - `/`: a form for the room code.
 * - `/CODE/`: the student's page, with a token as a cookie: the program itself if `opts.page` has
 *   it (export/page.h), else the same as `/CODE/plain`.
 * - `/CODE/plain`: the page of cells, with its script and style beside it; with a token, too.
 * - `/CODE/events`: server-sent events: "words" (the page's own texts), "own" (this student's
 *   answer), "frame" (the current content; serve/frame.h), "bye" (another page of the same student
 *   has replaced it).
 * - `/CODE/answer`: POST "ROUND\nANSWER": accepted (200, with the answer as it was understood), not
 *   understood (422, with the allowed forms), too late or already answered (409).
 *
 * Nothing here blocks, and there is no thread: the server's owner waits for its descriptor and
 * calls server_run(). A slow reader skips to the newest frame; one that has disconnected is
 * dropped. The limits are SERVER_CONNECTIONS, SERVER_STREAMS_EACH streams for each student, a
 * request's size and time, and each client's rate of requests (serve/rate.h). An answer is accepted
 * only from a student whose page follows, so there are never more votes than open pages.
 */
#ifndef SHFLVIZ_SERVE_SERVER_H
#define SHFLVIZ_SERVE_SERVER_H

#include "base/error.h"
#include "base/text.h"
#include "serve/outside_input.h"
#include "teach/room.h"

#include <stdbool.h>

#define SERVER_CONNECTIONS   2000 /* 900 if the system does not allow a process that many */
#define SERVER_ONE_ADDRESS   700  /* of these from one address: a class behind a proxy */
#define SERVER_STREAMS_EACH  3
#define SERVER_SECONDS       20    /* for a request, and between two */
#define SERVER_SECONDS_REPLY 180   /* for a page, at 5 kB/s or more; events have no limit */
#define SERVER_BEAT          15000 /* milliseconds between two keep-alive comments */

/* Judges a student's answer to the open question: true, with its normal form and the verdict;
 * false, with the allowed forms in `said`. */
typedef bool server_judge(void *context, const char *typed, char normal[ANSWER_TEXT], bool *right,
                          struct text *said);

struct server_options {
    struct serve_address address;
    struct room *room; /* borrowed: the server lets students in and takes their answers */
    server_judge *judge;
    void *context;
    const char *page; /* borrowed; NULL if students get the page of cells */
    size_t page_size;
    struct serve_proxy proxy; /* a proxy that reports each student's address in X-Forwarded-For;
                                 without one that header is ignored */
};

struct server;

/* True if this program can serve at all: it may have been built without the library. */
bool server_is_built(void);
/* Loads the libraries that a server needs, like server_open(). Fails with ERROR_MISSING. */
int server_load(struct error *err);

/* Listens. Fails with ERROR_MISSING, like server_load(), or with ERROR_USAGE if it cannot listen at
 * the address. */
int server_open(struct server **server, const struct server_options *opts, struct error *err);
void server_close(struct server *server); /* NULL is fine */

/* "http://192.168.1.5:8000/k7mqp/": the address for students. If the server listens on all
 * addresses, the first one that is not local. */
const char *server_url(const struct server *server);
/* True if only this machine can open it. */
bool server_is_local(const struct server *server);
const char *server_code(const struct server *server);

/* Events of the last minute, for the teacher. */
struct server_minute {
    unsigned came;        /* new students */
    unsigned turned_away; /* others, from an address with too many requests */
    unsigned guesses;     /* wrong room codes */
};
struct server_minute server_minute(const struct server *server);

/* All students leave, with their answers, and the room gets a new code. Fails (ERROR_MISSING),
 * with the room unchanged, if the system gives no random numbers. */
int server_reset(struct server *server, struct error *err);

/* Sets the content shown to all from now on: an event "frame" with this JSON. */
void server_publish(struct server *server, const char *json);

/* A descriptor that becomes readable when there is work; -1 if the system has none, in which case
 * server_wait() is short. */
int server_descriptor(const struct server *server);
/* Milliseconds after which server_run() must be called at the latest. */
long server_wait(const struct server *server);
/* Does the pending work. True if someone came, left or answered. */
bool server_run(struct server *server);

#endif
