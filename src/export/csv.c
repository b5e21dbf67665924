#include "export/export.h"

#include "base/progress_line.h"
#include "explain/shared.h"
#include "export/lane_field.h"

#include <inttypes.h>
#include <string.h>

static const char header[] = "step,launch,block,warp,file,line,text,op,type,width,members,present,"
                             "lane,group,arg,target,in_range,source,status,in,in_bits,out,out_bits,"
                             "observed,observed_bits,in_from_undefined,out_from_undefined";

/* A field as RFC 4180 wants it: in quotes if it has a comma, a quote or a line break in it. */
static void write_string(FILE *out, const char *string) {
    if (!strpbrk(string, ",\"\r\n")) {
        fputs(string, out);
        return;
    }
    putc('"', out);
    for (; *string; string++) {
        if (*string == '"')
            putc('"', out);
        putc(*string, out);
    }
    putc('"', out);
}

/* A comma, then the number, or nothing where there is none. */
static void write_number(FILE *out, bool exists, int64_t number) {
    putc(',', out);
    if (exists)
        fprintf(out, "%" PRId64, number);
}

/* The value and its bits; the parts of a packed value have a blank between them. */
static void write_value(FILE *out, bool exists, enum warp_type type, uint64_t bits) {
    char text[WARP_VALUE_TEXT];
    bool is_word;
    putc(',', out);
    for (unsigned part = 0; exists && part < lane_value_parts(type); part++)
        fprintf(out, "%s%s", part ? " " : "", lane_value_format(type, bits, part, text, &is_word));
    fprintf(out, ",%s", exists ? warp_value_format_bits(type, bits, text) : "");
}

/* Several, as write_value() has the parts of one. */
static void write_elements(FILE *out, const struct warp_operation *operation,
                           const struct lane_fields *is) {
    char text[WARP_VALUE_TEXT], bits[LANE_BITS_TEXT];
    bool is_word;
    putc(',', out);
    for (int i = 0; i < is->elements; i++)
        fprintf(out, "%s%s", i ? " " : "",
                lane_value_format(is->out_type, shared_element(operation, is->lane, i), 0, text,
                                  &is_word));
    fprintf(out, ",%s", lane_elements_bits(operation, is->lane, bits));
}

/* What all lanes of a step have in common, up to its width. */
static void write_step(FILE *out, const struct trace *trace, const struct trace_step *step) {
    const struct trace_site *site = trace_site(trace, step->site);
    fprintf(out, "%" PRIu64 ",%" PRIu32 ",%" PRIu32 " %" PRIu32 " %" PRIu32 ",%" PRIu32 ",",
            step->number, step->launch, step->block_index[0], step->block_index[1],
            step->block_index[2], step->warp);
    write_string(out, site ? site->file : "");
    write_number(out, site, site ? site->line : 0);
    putc(',', out);
    write_string(out, site ? site->text : "");
    fprintf(out, ",%s,%s", warp_op_info(step->operation.op)->name,
            warp_type_info(step->operation.type)->name);
}

static void write_lane(FILE *out, const struct warp_operation *operation,
                       const struct lane_fields *is) {
    bool calls = is->status != LANE_ABSENT;
    write_number(out, is->has_group || warp_op_is_access(operation->op),
                 calls ? operation->width[is->lane] : lane_width_first(operation));
    fprintf(out, ",0x%08" PRIx32 ",0x%08" PRIx32 ",%d", operation->members, operation->present,
            is->lane);
    write_number(out, is->has_group, is->group);
    write_number(out, is->has_arg, is->arg);
    write_number(out, is->has_address, is->target);
    fprintf(out, ",%s", !is->has_address ? "" : is->in_range ? "true" : "false");
    write_number(out, is->has_address, is->source);
    fprintf(out, ",%s", lane_status_name(is->status));
    write_value(out, is->has_in, is->in_type, is->in);
    if (is->elements)
        write_elements(out, operation, is);
    else
        write_value(out, is->has_out, is->out_type, is->out);
    write_value(out, is->has_observed, is->out_type, is->out);
    fprintf(out, ",%s,%s\r\n", operation->doubtful_in >> is->lane & 1 ? "true" : "",
            operation->doubtful_out >> is->lane & 1 ? "true" : "");
}

int export_csv(FILE *out, const struct trace *trace, struct error *err) {
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    fprintf(out, "%s\r\n", header);
    for (uint64_t number = 0; !ferror(out) && number < trace_step_count(trace); number++) {
        progress_line_part(number, trace_step_count(trace));
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        warp_outcome(&step.operation, outcome);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            struct lane_fields fields = lane_fields_of(&step.operation, outcome, lane);
            write_step(out, trace, &step);
            write_lane(out, &step.operation, &fields);
        }
    }
    return 0;
}
