#include "export/export.h"

#include "base/progress_line.h"
#include "base/text.h"
#include "explain/shared.h"
#include "export/csv_field.h"
#include "export/lane_field.h"

#include <inttypes.h>
#include <string.h>

static const char header[] = "step,launch,block,warp,file,line,text,op,type,width,members,present,"
                             "lane,group,arg,target,in_range,source,status,in,in_bits,out,out_bits,"
                             "observed,observed_bits,in_from_undefined,out_from_undefined";

/* A comma, then the number, or nothing if there is none. */
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

/* The same for several elements, with blanks between them. */
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

/* The fields before the width, which a step's lanes share: formatted once, written 32 times. */
static void append_step(struct text *to, const struct trace *trace, const struct trace_step *step) {
    const struct trace_site *site = trace_site(trace, step->site);
    text_append_format(to, "%" PRIu64 ",%" PRIu32 ",%" PRIu32 " %" PRIu32 " %" PRIu32 ",%" PRIu32,
                       step->number, step->launch, step->block_index[0], step->block_index[1],
                       step->block_index[2], step->warp);
    text_append_char(to, ',');
    csv_append_field(to, site ? site->file : "");
    text_append_char(to, ',');
    if (site)
        text_append_format(to, "%" PRIu32, site->line);
    text_append_char(to, ',');
    csv_append_field(to, site ? site->text : "");
    text_append_format(to, ",%s,%s", warp_op_info(step->operation.op)->name,
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

int export_csv(FILE *out, const struct trace *trace, uint64_t most, struct error *err) {
    const uint64_t steps = trace_step_count(trace), count = steps < most ? steps : most;
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct text common = TEXT_INIT;
    int status = 0;
    fprintf(out, "%s\r\n", header);
    for (uint64_t number = 0; status == 0 && !ferror(out) && number < count; number++) {
        progress_line_part(number, count);
        status = trace_step(trace, number, &step, err);
        if (status != 0)
            break;
        warp_outcome(&step.operation, outcome);
        text_clear(&common);
        append_step(&common, trace, &step);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            struct lane_fields fields = lane_fields_of(&step.operation, outcome, lane);
            fwrite(common.data, 1, common.length, out);
            write_lane(out, &step.operation, &fields);
        }
    }
    text_release(&common);
    return status;
}
