/*
 * The output of `check --format sarif`, compared with the schema of SARIF 2.1.0: required and
 * allowed properties of its objects, and their form. Chapter numbers are those of the OASIS
 * Standard.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static json_object *check(const char *script, int status) {
    char command[4096];
    static char output[1 << 20];
    snprintf(command, sizeof(command),
             "d=$(mktemp -d) && cd \"$d\" && shflviz() { \"%s\" \"$@\"; } && { %s; }; s=$?; "
             "rm -rf \"$d\"; exit $s",
             SHFLVIZ_PROGRAM, script);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof(output) - 1, pipe)] = '\0';
    int end = pclose(pipe);
    assert_true(WIFEXITED(end));
    assert_int_equal(WEXITSTATUS(end), status);
    json_object *log = json_tokener_parse(output);
    assert_non_null(log);
    return log;
}

static json_object *get(json_object *object, const char *key) {
    json_object *value;
    if (!json_object_object_get_ex(object, key, &value))
        fail_msg("no \"%s\" in %s", key, json_object_to_json_string(object));
    return value;
}

static const char *string(json_object *object, const char *key) {
    assert_true(json_object_is_type(get(object, key), json_type_string));
    return json_object_get_string(get(object, key));
}

/* The schema allows no properties but its own. */
static void has_only(json_object *object, const char *allowed) {
    assert_true(json_object_is_type(object, json_type_object));
    json_object_object_foreach(object, key, value) {
        char word[80];
        (void)value;
        snprintf(word, sizeof(word), " %s ", key);
        if (!strstr(allowed, word))
            fail_msg("\"%s\" is not a property there", key);
    }
}

static void is_message(json_object *message) { /* 3.11 */
    has_only(message, " text ");
    assert_true(strlen(string(message, "text")) > 0);
}

static void is_location(json_object *location) { /* 3.28, 3.29, 3.4, 3.30 */
    json_object *kernels;
    has_only(location, " physicalLocation logicalLocations message ");
    if (json_object_object_get_ex(location, "logicalLocations", &kernels)) { /* 3.33 */
        json_object *kernel = json_object_array_get_idx(kernels, 0);
        has_only(kernel, " fullyQualifiedName kind ");
        assert_true(strlen(string(kernel, "fullyQualifiedName")) > 0);
        assert_string_equal(string(kernel, "kind"), "function");
    }
    json_object *physical = get(location, "physicalLocation");
    has_only(physical, " artifactLocation region ");
    has_only(get(physical, "artifactLocation"), " uri ");
    const char *uri = string(get(physical, "artifactLocation"), "uri");
    assert_true(strlen(uri) > 0);
    assert_null(strpbrk(uri, " \"<>\\^`{|}"));
    has_only(get(physical, "region"), " startLine ");
    assert_true(json_object_get_int(get(get(physical, "region"), "startLine")) >= 1);
}

static json_object *rules_of(json_object *log) {
    json_object *run = json_object_array_get_idx(get(log, "runs"), 0);
    return get(get(get(run, "tool"), "driver"), "rules");
}

static json_object *results_of(json_object *log) {
    return get(json_object_array_get_idx(get(log, "runs"), 0), "results");
}

static void is_result(json_object *result, json_object *rules) { /* 3.27 */
    has_only(result, " ruleId ruleIndex level message locations relatedLocations occurrenceCount "
                     "partialFingerprints ");
    is_message(get(result, "message"));
    assert_string_equal(string(result, "level"), "error"); /* one of none, note, warning, error */
    json_object *rule =
        json_object_array_get_idx(rules, json_object_get_uint64(get(result, "ruleIndex")));
    assert_string_equal(string(rule, "id"), string(result, "ruleId"));
    assert_true(json_object_get_int(get(result, "occurrenceCount")) >= 1);
    json_object *locations = get(result, "locations");
    assert_int_equal(json_object_array_length(locations), 1);
    is_location(json_object_array_get_idx(locations, 0));
    json_object_object_foreach(get(result, "partialFingerprints"), name, print) {
        assert_true(strlen(name) > 0);
        assert_true(json_object_is_type(print, json_type_string));
        assert_int_equal(strlen(json_object_get_string(print)), 16);
    }
}

static void is_log(json_object *log) { /* 3.13, 3.14, 3.18, 3.19 */
    has_only(log, " $schema version runs ");
    assert_string_equal(string(log, "version"), "2.1.0");
    assert_int_equal(json_object_array_length(get(log, "runs")), 1);
    json_object *run = json_object_array_get_idx(get(log, "runs"), 0);
    has_only(run, " tool columnKind results ");
    assert_string_equal(string(run, "columnKind"), "utf16CodeUnits");
    has_only(get(run, "tool"), " driver ");
    has_only(get(get(run, "tool"), "driver"), " name rules ");
    assert_string_equal(string(get(get(run, "tool"), "driver"), "name"), "shflviz");
    json_object *rules = rules_of(log);
    assert_true(json_object_array_length(rules) >= 15);
    for (size_t i = 0; i < json_object_array_length(rules); i++) { /* 3.49; ids differ */
        json_object *rule = json_object_array_get_idx(rules, i);
        has_only(rule, " id shortDescription fullDescription help ");
        is_message(get(rule, "shortDescription"));
        is_message(get(rule, "fullDescription"));
        is_message(get(rule, "help"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(string(rule, "id"),
                                    string(json_object_array_get_idx(rules, j), "id"));
    }
    for (size_t i = 0; i < json_object_array_length(results_of(log)); i++)
        is_result(json_object_array_get_idx(results_of(log), i), rules);
}

static const char *print_of(json_object *log, size_t result) {
    return string(get(json_object_array_get_idx(results_of(log), result), "partialFingerprints"),
                  "ruleFileText/v1");
}

#define KERNEL                                                                                     \
    "__global__ void k(int *p) { *p = __shfl_down_sync(0xff, 1,\\n 4); }\\n"                       \
    "int main() { int *p; cudaMalloc(&p, 4); k<<<1, 8>>>(p); }\\n"

static void each_place_has_a_result(void **state) {
    (void)state;
    json_object *log = check("shflviz down --delta 1 --members 0xf -o a >/dev/null && "
                             "shflviz check a --format sarif",
                             1);
    is_log(log);
    assert_int_equal(json_object_array_length(results_of(log)), 1);
    json_object *result = json_object_array_get_idx(results_of(log), 0);
    assert_string_equal(string(result, "ruleId"), "source_lane_not_in_mask");
    json_object_put(log);
}

static void nothing_found_is_a_log_without_results(void **state) {
    (void)state;
    json_object *log =
        check("shflviz xor --mask 3 -o a >/dev/null && shflviz check a --format sarif", 0);
    is_log(log);
    assert_int_equal(json_object_array_length(results_of(log)), 0);
    json_object_put(log);
}

/* Code added above a location moves it, but its fingerprint stays. */
static void a_fingerprint_stays_when_lines_move(void **state) {
    (void)state;
    json_object *before = check("printf '" KERNEL "' >a.cu; shflviz check a.cu --format sarif", 1);
    json_object *after =
        check("printf '\\n\\n\\n" KERNEL "' >a.cu; shflviz check a.cu --format sarif", 1);
    is_log(before);
    is_log(after);
    assert_true(json_object_array_length(results_of(before)) >= 1);
    assert_string_equal(print_of(before, 0), print_of(after, 0));
    json_object_put(before);
    json_object_put(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_has_a_result),
        cmocka_unit_test(nothing_found_is_a_log_without_results),
        cmocka_unit_test(a_fingerprint_stays_when_lines_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
