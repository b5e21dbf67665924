#include "reviewed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

/* Prints the lines in which two texts differ, the expected one first. */
static void print_difference(const char *expected, const char *actual) {
    int printed = 0;
    for (int line = 1; (*expected || *actual) && printed < 24; line++) {
        size_t e = strcspn(expected, "\n"), a = strcspn(actual, "\n");
        if (e != a || memcmp(expected, actual, e) != 0) {
            print_message("  line %d\n  - %.*s\n  + %.*s\n", line, (int)e, expected, (int)a,
                          actual);
            printed++;
        }
        expected += e + (expected[e] == '\n');
        actual += a + (actual[a] == '\n');
    }
}

void reviewed_compare(const char *folder, const char *name, char *actual) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    char *expected = read_file(path);
    if (getenv("UPDATE_SCREENS")) {
        write_file(path, actual);
    } else if (!expected) {
        fail_msg("%s is missing: UPDATE_SCREENS=1 writes it", path);
    } else if (strcmp(expected, actual) != 0) {
        print_difference(expected, actual);
        fail_msg("%s differs", path);
    }
    free(actual);
    free(expected);
}
