#include "failure.h"

#include "explain/findings/failure.h"

#include <stdlib.h>
#include <string.h>

void memory_sink_failure(const struct memory_sink *sink, struct text *text) {
    const struct trace_writer_options options = {.value_bytes = sink->sink.value_bytes};
    const size_t size = SHFLVIZ_RECORD_SIZE(sink->sink.value_bytes);
    struct trace_launch launch = sink->launch;
    struct trace_writer *writer;
    struct trace *trace;
    launch.kernel = "kernel";
    if (trace_writer_open(&writer, NULL, &options, NULL) != 0)
        abort();
    for (unsigned i = 0; i < sink->launch_count; i++)
        trace_writer_launch(writer, &launch);
    for (unsigned i = 0; i < sink->site_count; i++)
        trace_writer_site(writer, &sink->sites[i]);
    for (size_t done = 0, steps = memory_sink_steps(sink), count; done < steps; done += count) {
        void *room = trace_writer_reserve(writer, &count);
        if (count > steps - done)
            count = steps - done;
        memcpy(room, memory_sink_record(sink, done), count * size);
    }
    trace_writer_note(writer, TRACE_NOTE_FAILURE, "the device's words");
    if (sink->failure_kind)
        trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, sink->failure_kind);
    if (sink->waiting)
        trace_writer_note(writer, TRACE_NOTE_WAITING, sink->waiting);
    if (trace_writer_close(writer, &trace, NULL) != 0)
        abort();
    failure_append(text, trace);
    trace_close(trace);
}
