/* One lane of a step as JSON and as a row, key by key (docs/JSON.md). */
#include "base/memory.h"
#include "export/export.h"
#include "export/json/json_parts.h"
#include "export/lane_field.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define ALL          UINT32_MAX
#define LOW          0xffffu
#define NULLS        "\"target\":null,\"in_range\":null,\"source\":null,"
#define NO_IN        "\"in\":null,\"in_bits\":null,"
#define NO_OUT       "\"out\":null,\"out_bits\":null,"
#define NOT_SEEN     "\"observed\":null,\"observed_bits\":null}"

enum { RECORD = 768 };

/* A step in which all lanes pass and get the same value. */
struct made {
    int op, type, width, arg;
    uint32_t present;
    uint64_t in, out;
    uint32_t from_undefined[2];
};

static struct trace *recording(const struct made *made) {
    unsigned char record[RECORD] = {0};
    const struct shflviz_record_header header = {.sequence = 1,
                                                 .op = (uint8_t)made->op,
                                                 .type = (uint8_t)made->type,
                                                 .members = made->present,
                                                 .present = made->present,
                                                 .width = made->width};
    const struct trace_writer_options options = {.value_bytes = 8};
    const struct trace_launch launch = {"k", {2, 1, 1}, {64, 1, 1}, 0};
    const struct trace_site site = {"a,b.cu", 7, "f", "say(\"x\")"};
    struct trace_writer *writer;
    struct trace *trace;
    size_t room = 1;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    memcpy(record, &header, sizeof header);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (made->present >> lane & 1) {
            memcpy(record + 128 + 4 * lane, &made->arg, 4);
            memcpy(record + 256 + 8 * lane, &made->in, 8);
            memcpy(record + 512 + 8 * lane, &made->out, 8);
        }
    void *to = trace_writer_reserve(writer, &room);
    assert_non_null(to);
    memcpy(to, record, RECORD);
    if (made->from_undefined[0] | made->from_undefined[1]) {
        trace_writer_mark(writer, 0, made->from_undefined[0], made->from_undefined[1]);
        trace_writer_note(writer, "followed", "yes");
    }
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

/* The lane's object, which ends before the next one. */
static void is_object(const struct trace *trace, int lane, const char *expected) {
    struct lane_outcome outcome[WARP_LANES];
    struct trace_step step;
    struct text text = TEXT_INIT;
    char begins[24];
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    warp_outcome(&step.operation, outcome);
    json_lanes(&text, &step.operation, outcome);
    assert_int_equal(text.data[0], '[');
    assert_int_equal(text.data[text.length - 1], ']');
    int commas = 0;
    for (const char *at = text.data; (at = strstr(at, "},{\"lane\":")) != NULL; at++)
        commas++;
    assert_int_equal(commas, 31);
    snprintf(begins, sizeof begins, "{\"lane\":%d,", lane);
    char *object = strstr(text.data, begins);
    assert_non_null(object);
    object += strlen(begins);
    *(strchr(object, '}') + 1) = '\0';
    assert_string_equal(object, expected);
    text_release(&text);
}

static void is_row(const struct trace *trace, int lane, const char *expected) {
    FILE *out = tmpfile();
    char line[1000] = "";
    assert_non_null(out);
    assert_int_equal(export_csv(out, trace, EXPORT_ALL, NULL), 0);
    rewind(out);
    for (int i = 0; i <= lane + 1; i++)
        assert_non_null(fgets(line, sizeof line, out));
    fclose(out);
    static const char common[] = "0,0,0 0 0,0,\"a,b.cu\",7,\"say(\"\"x\"\")\",";
    assert_memory_equal(line, common, strlen(common));
    line[strlen(line) - 2] = '\0'; /* CR LF */
    assert_string_equal(line + strlen(common), expected);
}

static void test_lanes(void **state) {
    static const struct {
        struct made made;
        int lane;
        const char *object, *row;
    } cases[] = {
        {{WARP_OP_DOWN, WARP_TYPE_FLOAT, 8, 1, ALL, 0x40400000, 0x40400000, {0}},
         7,
         "\"group\":0,\"arg\":1,\"target\":8,\"in_range\":false,\"source\":7,\"status\":\"own\","
         "\"in\":3.0,\"in_bits\":\"0x40400000\",\"out\":3.0,\"out_bits\":\"0x40400000\"," NOT_SEEN,
         "down,float,8,0xffffffff,0xffffffff,7,0,1,8,false,7,own,3.0,0x40400000,3.0,0x40400000,"
         ",,,"},
        {{WARP_OP_DOWN, WARP_TYPE_FLOAT, 8, 1, ALL, 0x3dcccccd, 0x7149f2ca, {0}},
         8,
         "\"group\":1,\"arg\":1,\"target\":9,\"in_range\":true,\"source\":9,\"status\":\"read\","
         "\"in\":0.1,\"in_bits\":\"0x3dcccccd\",\"out\":1e+30,\"out_bits\":"
         "\"0x7149f2ca\"," NOT_SEEN,
         "down,float,8,0xffffffff,0xffffffff,8,1,1,9,true,9,read,0.1,0x3dcccccd,1e+30,0x7149f2ca,"
         ",,,"},
        {{WARP_OP_IDX, WARP_TYPE_INT, 4, -5, ALL, 0xffffffff, 0x80000000, {0}},
         6,
         "\"group\":1,\"arg\":-5,\"target\":7,\"in_range\":true,\"source\":7,\"status\":\"read\","
         "\"in\":-1,\"in_bits\":\"0xffffffff\",\"out\":-2147483648,\"out_bits\":"
         "\"0x80000000\"," NOT_SEEN,
         "idx,int,4,0xffffffff,0xffffffff,6,1,-5,7,true,7,read,-1,0xffffffff,-2147483648,"
         "0x80000000,,,,"},
        {{WARP_OP_UP, WARP_TYPE_LONG_LONG, 32, 1, ALL, UINT64_C(1) << 63, INT64_MAX, {8, 0}},
         3,
         "\"group\":0,\"arg\":1,\"target\":2,\"in_range\":true,\"source\":2,\"status\":\"read\","
         "\"in\":-9223372036854775808,\"in_bits\":\"0x8000000000000000\","
         "\"out\":9223372036854775807,\"out_bits\":\"0x7fffffffffffffff\","
         "\"observed\":null,\"observed_bits\":null,\"in_from_undefined\":true}",
         "up,long-long,32,0xffffffff,0xffffffff,3,0,1,2,true,2,read,-9223372036854775808,"
         "0x8000000000000000,9223372036854775807,0x7fffffffffffffff,,,true,"},
        {{WARP_OP_XOR, WARP_TYPE_UNSIGNED_LONG_LONG, 32, 1, ALL, UINT64_MAX, 0, {0, 2}},
         1,
         "\"group\":0,\"arg\":1,\"target\":0,\"in_range\":true,\"source\":0,\"status\":\"read\","
         "\"in\":18446744073709551615,\"in_bits\":\"0xffffffffffffffff\",\"out\":0,"
         "\"out_bits\":\"0x0000000000000000\","
         "\"observed\":null,\"observed_bits\":null,\"out_from_undefined\":true}",
         "xor,unsigned-long-long,32,0xffffffff,0xffffffff,1,0,1,0,true,0,read,"
         "18446744073709551615,0xffffffffffffffff,0,0x0000000000000000,,,,true"},
        {{WARP_OP_DOWN, WARP_TYPE_HALF2, 16, 15, LOW, 0x40003e00, 0, {0}},
         20,
         "\"group\":1,\"arg\":null," NULLS "\"status\":\"absent\"," NO_IN NO_OUT NOT_SEEN,
         "down,half2,16,0x0000ffff,0x0000ffff,20,1,,,,,absent,,,,,,,,"},
        {{WARP_OP_DOWN, WARP_TYPE_HALF2, 32, 16, LOW, 0x40003e00, 0x8000fc00, {0}},
         0,
         "\"group\":0,\"arg\":16,\"target\":16,\"in_range\":true,\"source\":16,"
         "\"status\":\"undefined\",\"in\":[1.5,2.0],\"in_bits\":\"0x40003e00\"," NO_OUT
         "\"observed\":[\"-Infinity\",-0.0],\"observed_bits\":\"0x8000fc00\"}",
         "down,half2,32,0x0000ffff,0x0000ffff,0,0,16,16,true,16,undefined,1.5 2.0,0x40003e00,,,"
         "-Infinity -0.0,0x8000fc00,,"},
        {{WARP_OP_BALLOT, WARP_TYPE_INT, 0, 0, ALL, 5, 0x8000000f, {0}},
         31,
         "\"group\":null,\"arg\":null," NULLS "\"status\":\"read\",\"in\":5,"
         "\"in_bits\":\"0x00000005\",\"out\":2147483663,\"out_bits\":\"0x8000000f\"," NOT_SEEN,
         "ballot,int,,0xffffffff,0xffffffff,31,,,,,,read,5,0x00000005,2147483663,0x8000000f,,,,"},
        {{WARP_OP_ANY, WARP_TYPE_INT, 0, 0, LOW, 0, 1, {0}},
         15,
         "\"group\":null,\"arg\":null," NULLS "\"status\":\"read\",\"in\":0,"
         "\"in_bits\":\"0x00000000\",\"out\":1,\"out_bits\":\"0x00000001\"," NOT_SEEN,
         "any,int,,0x0000ffff,0x0000ffff,15,,,,,,read,0,0x00000000,1,0x00000001,,,,"},
        {{WARP_OP_MATCH_ALL, WARP_TYPE_UNSIGNED, 0, 1, ALL, 7, ALL, {0}},
         3,
         "\"group\":null,\"arg\":1," NULLS "\"status\":\"read\",\"in\":7,"
         "\"in_bits\":\"0x00000007\",\"out\":4294967295,\"out_bits\":\"0xffffffff\"," NOT_SEEN,
         "match_all,unsigned,,0xffffffff,0xffffffff,3,,1,,,,read,7,0x00000007,4294967295,"
         "0xffffffff,,,,"},
        {{WARP_OP_SYNC, WARP_TYPE_NONE, 0, 0, ALL, 0, 0, {0}},
         2,
         "\"group\":null,\"arg\":null," NULLS "\"status\":\"read\"," NO_IN NO_OUT NOT_SEEN,
         "syncwarp,none,,0xffffffff,0xffffffff,2,,,,,,read,,,,,,,,"},
        {{WARP_OP_ACTIVEMASK, WARP_TYPE_UNSIGNED, 0, 0, ALL, 0, ALL, {0}},
         2,
         "\"group\":null,\"arg\":null," NULLS "\"status\":\"read\"," NO_IN
         "\"out\":4294967295,\"out_bits\":\"0xffffffff\"," NOT_SEEN,
         "activemask,unsigned,,0xffffffff,0xffffffff,2,,,,,,read,,,4294967295,0xffffffff,,,,"},
        {{WARP_OP_REDUCE_MAX, WARP_TYPE_BFLOAT16, 0, 0, ALL, 0x7f80, 0x7fc0, {0}},
         1,
         "\"group\":null,\"arg\":null," NULLS "\"status\":\"read\",\"in\":\"Infinity\","
         "\"in_bits\":\"0x7f80\",\"out\":\"NaN\",\"out_bits\":\"0x7fc0\"," NOT_SEEN,
         "reduce_max,bfloat16,,0xffffffff,0xffffffff,1,,,,,,read,Infinity,0x7f80,NaN,0x7fc0,,,,"},
        {{WARP_OP_SHARED_WRITE, WARP_TYPE_INT, 4, 12, LOW, 5, 6, {0}},
         1,
         "\"group\":null,\"arg\":12," NULLS "\"status\":\"read\",\"in\":5,"
         "\"in_bits\":\"0x00000005\",\"out\":6,\"out_bits\":\"0x00000006\"," NOT_SEEN,
         "shared_write,int,4,0x0000ffff,0x0000ffff,1,,12,,,,read,5,0x00000005,6,0x00000006,,,,"},
        {{WARP_OP_SHARED_READ, WARP_TYPE_INT, 4, 12, LOW, 5, 6, {0}},
         1,
         "\"group\":null,\"arg\":12," NULLS "\"status\":\"read\"," NO_IN
         "\"out\":6,\"out_bits\":\"0x00000006\"," NOT_SEEN,
         "shared_read,int,4,0x0000ffff,0x0000ffff,1,,12,,,,read,,,6,0x00000006,,,,"},
        {{WARP_OP_GLOBAL_ATOMIC,
          WARP_TYPE_DOUBLE,
          8,
          8,
          1,
          UINT64_C(0x4008000000000000),
          UINT64_C(0x8000000000000000),
          {0}},
         0,
         "\"group\":null,\"arg\":8," NULLS "\"status\":\"read\",\"in\":3.0,"
         "\"in_bits\":\"0x4008000000000000\",\"out\":-0.0,\"out_bits\":"
         "\"0x8000000000000000\"," NOT_SEEN,
         "global_atomic,double,8,0x00000001,0x00000001,0,,8,,,,read,3.0,0x4008000000000000,-0.0,"
         "0x8000000000000000,,,,"},
        {{WARP_OP_SHARED_READ,
          WARP_TYPE_FLOAT,
          16,
          0,
          ALL,
          UINT64_C(0xc04000003f800000),
          UINT64_C(0x4000000040200000),
          {0}},
         31,
         "\"group\":null,\"arg\":0," NULLS "\"status\":\"read\"," NO_IN
         "\"out\":[2.5,2.0,1.0,-3.0],\"out_bits\":\"0xc04000003f8000004000000040200000\"," NOT_SEEN,
         "shared_read,float,16,0xffffffff,0xffffffff,31,,0,,,,read,,,2.5 2.0 1.0 -3.0,"
         "0xc04000003f8000004000000040200000,,,,"},
        {{WARP_OP_GLOBAL_WRITE, WARP_TYPE_INT, 12, 0, ALL, 9, UINT64_C(0x800000007), {0}},
         0,
         "\"group\":null,\"arg\":0," NULLS "\"status\":\"read\"," NO_IN
         "\"out\":[7,8,9],\"out_bits\":\"0x000000090000000800000007\"," NOT_SEEN,
         "global_write,int,12,0xffffffff,0xffffffff,0,,0,,,,read,,,7 8 9,"
         "0x000000090000000800000007,,,,"},
        {{WARP_OP_GLOBAL_WRITE, WARP_TYPE_UNSIGNED, 8, 0, ALL, 9, UINT64_MAX - 1, {0}},
         0,
         "\"group\":null,\"arg\":0," NULLS "\"status\":\"read\"," NO_IN
         "\"out\":[4294967294,4294967295],\"out_bits\":\"0xfffffffffffffffe\"," NOT_SEEN,
         "global_write,unsigned,8,0xffffffff,0xffffffff,0,,0,,,,read,,,4294967294 4294967295,"
         "0xfffffffffffffffe,,,,"},
        {{WARP_OP_GLOBAL_READ, WARP_TYPE_INT, 12, 0, 2, 9, 8, {0}},
         0,
         "\"group\":null,\"arg\":null," NULLS "\"status\":\"absent\"," NO_IN NO_OUT NOT_SEEN,
         "global_read,int,12,0x00000002,0x00000002,0,,,,,,absent,,,,,,,,"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace *trace = recording(&cases[i].made);
        is_object(trace, cases[i].lane, cases[i].object);
        is_row(trace, cases[i].lane, cases[i].row);
        trace_close(trace);
    }
}

static void test_widths(void **state) {
    struct warp_operation operation = {.op = WARP_OP_DOWN};
    (void)state;
    assert_int_equal(lane_width_first(&operation), 0);
    assert_false(lane_widths_differ(&operation));
    for (int lane = 0; lane < WARP_LANES; lane++)
        operation.width[lane] = lane < 4 ? 8 : 16;
    operation.present = 0xf0;
    assert_int_equal(lane_width_first(&operation), 16);
    assert_false(lane_widths_differ(&operation));
    operation.present = 0xf8;
    assert_int_equal(lane_width_first(&operation), 8);
    assert_true(lane_widths_differ(&operation));
    operation.present = 0x80000000;
    assert_int_equal(lane_width_first(&operation), 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes), cmocka_unit_test(test_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
