/* The server of a program that was built without libmicrohttpd. */
#include "serve/server.h"

#include "base/message.h"
#include "base/unused.h"

bool server_is_built(void) {
    return false;
}

int server_load(struct error *err) {
    return error_set(err, ERROR_MISSING,
                     _("--serve: this shflviz was built without libmicrohttpd\n"
                       "try: install its library and headers (libmicrohttpd-dev, "
                       "libmicrohttpd-devel), and build again"));
}

int server_open(struct server **server, const struct server_options *opts UNUSED,
                struct error *err) {
    *server = NULL;
    return server_load(err);
}

void server_close(struct server *server UNUSED) {}

const char *server_url(const struct server *server UNUSED) {
    return "";
}

bool server_is_local(const struct server *server UNUSED) {
    return true;
}

const char *server_code(const struct server *server UNUSED) {
    return "";
}

struct server_minute server_minute(const struct server *server UNUSED) {
    return (struct server_minute){0};
}

int server_reset(struct server *server UNUSED, struct error *err) {
    return server_load(err);
}

void server_publish(struct server *server UNUSED, const char *json UNUSED) {}

int server_descriptor(const struct server *server UNUSED) {
    return -1;
}

long server_wait(const struct server *server UNUSED) {
    return -1;
}

bool server_run(struct server *server UNUSED) {
    return false;
}
