/* last_values FILE - prints the call of the last step of a recording, and the results of lanes 0
 * and 31.
 */
#include <shflviz/trace/trace.h>

#include <inttypes.h>

int main(int argc, char **argv) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    struct trace_step step;
    if (argc != 2 || trace_open(&trace, argv[1], &err) != 0) {
        fprintf(stderr, "%s\n", argc != 2 ? "usage: last_values FILE" : err.text);
        return 2;
    }
    if (trace_step(trace, trace_step_count(trace) - 1, &step, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        trace_close(trace);
        return 2;
    }
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&step.operation, outcome);
    printf("%s line %" PRIu32 ": lane 0 got %" PRIu64 " from lane %d, lane 31 got %" PRIu64 "\n",
           warp_op_info(step.operation.op)->intrinsic, trace_site(trace, step.site)->line,
           step.operation.out[0], outcome[0].address.source, step.operation.out[31]);
    trace_close(trace);
    return 0;
}
