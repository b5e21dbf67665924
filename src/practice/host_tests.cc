#include "practice/host_side.hpp"

#include <shflviz/exercise.cuh>
#undef calloc

#include <string.h>

#define PRACTICE_TEST(name, function) void function(exercise::trial &t);
#include "practice_tests.h"
#undef PRACTICE_TEST

static const struct {
    const char *name;
    void (*test)(exercise::trial &t);
} tests[] = {
#define PRACTICE_TEST(name, function) {name, function},
#include "practice_tests.h"
};

static int find(const char *name) {
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (strcmp(tests[i].name, name) == 0)
            return (int)i;
    return -1;
}

bool practice_has_test(const char *name) {
    return find(name) >= 0;
}

int practice_run_test(const char *name, FILE *out, uint64_t seed) {
    exercise::trial t(out, seed);
    tests[find(name)].test(t);
    fputs("end\n", out);
    return t.failed ? 1 : 0;
}
