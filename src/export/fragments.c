/*
 * One walk over the elements serves both formats, so that they cannot differ in content.
 */
#include "export/fragments.h"

#include "export/json/json_parts.h"

#include <stdlib.h>
#include <string.h>

/* One element of one lane. */
struct element {
    const struct trace_registers *registers; /* NULL: no values */
    const struct fragment *fragment;
    const char *name; /* of the fragment */
    int lane, element;
    struct fragment_cell cell;
};

typedef void element_writer(void *context, const struct element *element);

static bool is_selected(const struct element *element, size_t which,
                        const struct fragments_options *opts) {
    if (opts->cell &&
        (which != opts->which || element->cell.matrix != opts->cell->matrix ||
         element->cell.row != opts->cell->row || element->cell.column != opts->cell->column))
        return false;
    return opts->lane < 0 || element->lane == opts->lane;
}

static void each_element(const struct fragments *fragments, size_t which,
                         const struct fragments_options *opts, element_writer *write,
                         void *context) {
    struct element element = {.registers = opts->registers,
                              .fragment = &fragments->list[which],
                              .name = fragments->names[which]};
    const int lanes = (int)layout_size(&element.fragment->layout.lanes);
    for (element.lane = 0; element.lane < lanes; element.lane++)
        for (element.element = 0; element.element < fragment_elements(element.fragment);
             element.element++) {
            element.cell = fragment_cell(element.fragment, element.lane, element.element);
            if (is_selected(&element, which, opts))
                write(context, &element);
        }
}

/* The register that has the element, and its lowest bit there. */
static int register_of(const struct element *element) {
    return element->element / fragment_per_register(element->fragment);
}
static int bit_of(const struct element *element) {
    return element->element % fragment_per_register(element->fragment) *
           (int)fragment_type_info(element->fragment->type)->bits;
}

static void put_value(json_object *object, const struct element *element) {
    char text[WARP_VALUE_TEXT], bits[24];
    const int digits = (int)fragment_type_info(element->fragment->type)->bits / 4;
    fragment_value(element->fragment, element->registers, element->lane, element->element, text);
    const bool is_word = text[strspn(text, "-")] > '9'; /* inf, nan */
    json_put(object, "value",
             element->fragment->type == FRAGMENT_B16 ? NULL
             : is_word                               ? json_string(text)
                                                     : json_object_new_double_s(atof(text), text));
    snprintf(bits, sizeof bits, "0x%0*llx", digits,
             (unsigned long long)fragment_bits(element->fragment, element->registers, element->lane,
                                               element->element));
    json_put(object, "bits", json_string(bits));
}

static void append_element(void *context, const struct element *element) {
    struct text name = TEXT_INIT;
    json_object *object = json_new();
    fragment_append_element(&name, element->fragment, element->element);
    json_put(object, "lane", json_int(element->lane));
    json_put(object, "register", json_string(name.data));
    json_put(object, "word", json_int(register_of(element)));
    json_put(object, "bit", json_int(bit_of(element)));
    json_put(object, "matrix", json_int(element->cell.matrix));
    json_put(object, "row", json_int(element->cell.row));
    json_put(object, "column", json_int(element->cell.column));
    if (element->registers)
        put_value(object, element);
    json_append(context, object);
    text_release(&name);
}

static json_object *fragment_object(const struct fragments *fragments, size_t which,
                                    const struct fragments_options *opts) {
    const struct fragment *fragment = &fragments->list[which];
    char layout[LAYOUT_TEXT];
    json_object *object = json_new();
    json_object *elements = json_list();
    json_put(object, "name", json_string(fragments->names[which]));
    json_put(object, "type", json_string(fragment_type_info(fragment->type)->name));
    json_put(object, "matrices", json_int(fragment->matrices));
    json_put(object, "rows", json_int(fragment->rows));
    json_put(object, "columns", json_int(fragment->columns));
    json_put(object, "layout", json_string(layout_format(&fragment->layout, layout)));
    json_put(object, "layout_counts", json_string(fragment->counts_columns ? "columns" : "rows"));
    each_element(fragments, which, opts, append_element, elements);
    json_put(object, "elements", elements);
    return object;
}

/* The rows in shared memory: the addressing lane and the banks of each, and each matrix's passes.
 */
static void put_rows(json_object *object, const struct fragments *fragments) {
    json_object *rows = json_list(), *passes = json_list();
    for (int matrix = 0; matrix < fragments->list[0].matrices; matrix++) {
        struct bank_use use;
        json_object *cost = json_new();
        matrix_rows_use(&fragments->rows, matrix, &use);
        json_put(cost, "matrix", json_int(matrix));
        json_put(cost, "passes", json_int(use.passes));
        json_put(cost, "least", json_int(use.least));
        json_append(passes, cost);
        for (int row = 0; row < MATRIX_MOVE_ROWS; row++) {
            const int lane = matrix_move_address_lane(matrix, row);
            if (!(fragments->rows.lanes >> lane & 1))
                continue;
            json_object *one = json_new();
            json_put(one, "matrix", json_int(matrix));
            json_put(one, "row", json_int(row));
            json_put(one, "lane", json_int(lane));
            json_put(one, "offset", json_int(fragments->rows.offset[lane]));
            json_put(one, "bank", json_int(warp_bank(fragments->rows.offset[lane])));
            json_append(rows, one);
        }
    }
    json_put(object, "rows", rows);
    json_put(object, "passes", passes);
}

void export_fragments_json(FILE *out, const struct fragments *fragments,
                           const struct fragments_options *opts) {
    json_object *object = json_new();
    json_object *list = json_list();
    json_put(object, "schema", json_string("shflviz-fragments/1"));
    json_put(object, "instruction", json_string(fragments->instruction));
    json_put(object, "architecture", json_int(fragments->architecture));
    json_put(object, "observed", fragments->mma.is_wmma ? json_string("H100, H200") : NULL);
    if (fragments->has_rows)
        put_rows(object, fragments);
    for (size_t which = 0; which < fragments->count; which++)
        if (!opts->cell || which == opts->which)
            json_append(list, fragment_object(fragments, which, opts));
    json_put(object, "fragments", list);
    json_write(out, object);
    fputc('\n', out);
}

/* The addresses that lanes passed; null for the others. */
static json_object *addresses(const struct trace_operand *operand, unsigned lanes) {
    json_object *list = json_list();
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        json_append(list, lane < lanes ? json_uint(trace_register(operand, 0, lane)) : NULL);
    return list;
}

json_object *json_registers(const struct trace_registers *registers) {
    const struct fragments_options opts = {.lane = -1, .registers = registers};
    struct fragments fragments;
    if (!registers || !fragments_recorded(&fragments, registers))
        return NULL;
    json_object *object = json_new(), *list = json_list();
    json_put(object, "instruction", json_string(fragments.instruction));
    if (registers->operands[0].letter == '@')
        json_put(object, "addresses",
                 addresses(&registers->operands[0],
                           (unsigned)fragments.list[0].matrices * MATRIX_MOVE_ROWS));
    if (fragments.has_rows)
        put_rows(object, &fragments);
    for (size_t which = 0; which < fragments.count; which++)
        json_append(list, fragment_object(&fragments, which, &opts));
    json_put(object, "fragments", list);
    return object;
}

static void write_element(void *context, const struct element *element) {
    struct text name = TEXT_INIT;
    fragment_append_element(&name, element->fragment, element->element);
    fprintf(context, "%s,%s,%d,%s,%d,%d,%d,%d,%d\r\n", element->name,
            fragment_type_info(element->fragment->type)->name, element->lane, name.data,
            register_of(element), bit_of(element), element->cell.matrix, element->cell.row,
            element->cell.column);
    text_release(&name);
}

void export_fragments_csv(FILE *out, const struct fragments *fragments,
                          const struct fragments_options *opts) {
    fprintf(out, "fragment,type,lane,register,word,bit,matrix,row,column\r\n");
    for (size_t which = 0; which < fragments->count; which++)
        each_element(fragments, which, opts, write_element, out);
}
