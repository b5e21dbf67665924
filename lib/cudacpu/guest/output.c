#include "cudacpu/guest/output.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __GLIBC__

/* One process has one standard output, so these are globals. */
struct kept_stream {
    FILE *below; /* the stream as the program found it */
    FILE *above; /* the stream that the program prints to */
    unsigned number;
};
static struct kept_stream streams[2];
static struct trace_writer *output_writer; /* NULL if nothing is kept */
static pthread_t recording_thread;
static pid_t process;
static atomic_uint_fast64_t missed; /* bytes that other threads printed */

static void keep(unsigned stream, const char *bytes, size_t count) {
    if (!output_writer || getpid() != process)
        return;
    if (!pthread_equal(pthread_self(), recording_thread)) { /* one thread writes a recording */
        atomic_fetch_add(&missed, count);
        return;
    }
    trace_writer_output(output_writer, stream, bytes, count);
}

static ssize_t pass_on(void *cookie, const char *bytes, size_t count) {
    const struct kept_stream *stream = cookie;
    keep(stream->number, bytes, count);
    const size_t written = fwrite(bytes, 1, count, stream->below);
    return fflush(stream->below) == 0 ? (ssize_t)written : 0;
}

static FILE *replace(struct kept_stream *stream, FILE *below, unsigned number, int buffering) {
    *stream = (struct kept_stream){.below = below, .number = number};
    stream->above = fopencookie(stream, "w", (cookie_io_functions_t){.write = pass_on});
    if (!stream->above)
        return below;
    setvbuf(stream->above, NULL, buffering, BUFSIZ);
    return stream->above;
}

/* Runs before the C++ library starts, because std::cout takes the current stdout then (from GCC 13
 * on; before that, when the program's own objects are constructed). */
static void replace_streams(void) {
    stdout = replace(&streams[0], stdout, 1, _IOLBF);
    stderr = replace(&streams[1], stderr, 2, _IONBF);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = replace_streams;

void output_attach(struct trace_writer *writer) {
    process = getpid();
    recording_thread = pthread_self();
    output_writer = writer;
}

void output_detach(void) {
    if (!output_writer || getpid() != process)
        return;
    fflush(stdout);
    const uint64_t bytes = atomic_load(&missed);
    if (bytes)
        trace_writer_output_cut(output_writer, bytes);
    output_writer = NULL;
}

/* Replaces the C library's: a program may ask for its streams' descriptors. */
int fileno(FILE *stream) {
    for (int i = 0; i < 2; i++)
        if (streams[i].above && stream == streams[i].above)
            stream = streams[i].below;
    return fileno_unlocked(stream);
}

#else

void output_attach(struct trace_writer *writer) {
    (void)writer;
}

void output_detach(void) {}

#endif
