/*
 * server.h - a class over HTTP: pages, events to follow by, answers.
 *
 * Where, and what is there:
 *
 * - `/`: a form for the room code.
 * - `/CODE/`: the student's page, with a token as cookie: the program itself where the wish has it
 *   (export/page.h), else as `/CODE/plain`.
 * - `/CODE/plain`: the page of cells, with its script and style beside it; with a token, too.
 * - `/CODE/events`: server-sent events: "words" (what the page says itself), "own" (what this
 *   student has answered), "frame" (what is shown now; serve/frame.h), "bye" (another page of hers
 *   has taken its place).
 * - `/CODE/answer`: POST "ROUND\nANSWER": taken (200, the answer as it was understood), not
 *   understood (422, what can be), too late or answered before (409).
 *
 * Nothing here blocks and there is no thread: whoever holds a server waits for its descriptor and
 * calls server_run(). A slow reader skips to the newest frame; one that has gone is dropped.
 * The limits: SERVER_CONNECTIONS, as many streams for a student as SERVER_STREAMS_EACH, a request's
 * size, its time, and what each may ask for (serve/rate.h). An answer is taken from a student who
 * follows, so there are no more votes than pages that are open.
 */
#ifndef SHFLVIZ_SERVE_SERVER_H
#define SHFLVIZ_SERVE_SERVER_H

#include "base/error.h"
#include "base/text.h"
#include "serve/request.h"
#include "teach/room.h"

#include <stdbool.h>

#define SERVER_CONNECTIONS   2000 /* 900 where the system lets a process have no more */
#define SERVER_ONE_ADDRESS   700  /* of them for one address: a class behind a proxy */
#define SERVER_STREAMS_EACH  3
#define SERVER_SECONDS       20    /* for a request, and between two */
#define SERVER_SECONDS_REPLY 180   /* for reading a page, so at 5 kB/s; events have no end */
#define SERVER_BEAT          15000 /* milliseconds from one sign of life to the next */

/* Judges what a student typed at the question that is open: true, and its normal form and whether
 * it is right; false, with `said` what can be read. */
typedef bool server_judge(void *context, const char *typed, char normal[ANSWER_TEXT], bool *right,
                          struct text *said);

struct server_wish {
    struct serve_address address;
    struct room *room; /* borrowed: the server lets students in and takes their answers */
    server_judge *judge;
    void *context;
    const char *page; /* borrowed; NULL: students get the page of cells */
    size_t page_size;
    struct serve_proxy proxy; /* which says in X-Forwarded-For where each student is; without one
                                 that header means nothing */
};

struct server;

/* Whether this program can serve at all: it may have been built without the library. */
bool server_is_built(void);
/* Loads the libraries that a server needs, as server_open() does. Fails with ERROR_MISSING. */
int server_load(struct error *err);

/* Listens. Fails with ERROR_MISSING as server_load() does, with ERROR_USAGE if it cannot listen at
 * the address. */
int server_open(struct server **server, const struct server_wish *wish, struct error *err);
void server_close(struct server *server); /* NULL is fine */

/* "http://192.168.1.5:8000/k7mqp/": what students open. Where the address is all of the machine's,
 * the first that is not its own alone. */
const char *server_url(const struct server *server);
/* Whether only this machine can open it. */
bool server_is_local(const struct server *server);
const char *server_code(const struct server *server);

/* The last minute's events, for the teacher. */
struct server_minute {
    unsigned came;        /* new students */
    unsigned turned_away; /* others, of an address that too many came from */
    unsigned guesses;     /* wrong room codes */
};
struct server_minute server_minute(const struct server *server);

/* All students leave, with their answers, and the room has another code. Fails (ERROR_MISSING), and
 * the room is as it was, if the system gives no random numbers. */
int server_empty(struct server *server, struct error *err);

/* What all are shown from now on: an event "frame" with this JSON. */
void server_publish(struct server *server, const char *json);

/* What becomes readable when there is something to do; -1 where the system has no such thing: then
 * server_wait() is short. */
int server_descriptor(const struct server *server);
/* Milliseconds after which server_run() must be called at the latest. */
long server_wait(const struct server *server);
/* Does what there is to do. True if someone came, left or answered. */
bool server_run(struct server *server);

#endif
