/*
 * Searches for common words find the lessons about them, in both languages of the course.
 */
#include "launch/course.h"
#include "lesson/built_in.h"
#include "teach/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LESSONS_MOST 64

/* Key by key; a character of several bytes is one key. */
static void search_for(struct catalog *catalog, const char *word) {
    catalog_key(catalog, catalog_press(catalog, "/"));
    while (*word) {
        char key[8];
        size_t length = 1;
        while ((word[length] & 0xc0) == 0x80 && length < sizeof key - 1)
            length++;
        memcpy(key, word, length);
        key[length] = '\0';
        catalog_key(catalog, catalog_press(catalog, key[0] == ' ' ? "Space" : key));
        word += length;
    }
    catalog_key(catalog, catalog_press(catalog, "Enter"));
}

static bool finds(const struct catalog *catalog, const char *lesson) {
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->entries[i].lesson->name, lesson) == 0)
            return catalog->entries[i].matches;
    fail_msg("there is no lesson %s", lesson);
    return false;
}

static void words_find_their_lessons(void **state) {
    (void)state;
    static const struct {
        const char *word, *lesson, *not_this;
    } expected[] = {
        {"前缀和", "scan", "xor"},
        {"扫描", "scan", "xor"},
        {"规约", "butterfly-max", "types"},
        {"规约", "allreduce", "types"},
        {"规约", "down-tree", "types"},
        {"规约", "block-reduce", "types"},
        {"归约", "reduce-sync", "types"},
        {"线程束", "lanes-and-warps", "transpose"},
        {"束内", "broadcast", "transpose"},
        {"死锁", "divergence", "types"},
        {"shfl", "broadcast", "ballot"},
        {"shfl_down", "down", "up"},
        {"掩码", "member-mask", "types"},
        {"直方图", "match", "xor"},
        {"prefix sum", "scan", "xor"},
        {"deadlock", "divergence", "types"},
        {"argmax", "butterfly-max", "xor"},
        {"cub", "allreduce", "xor"},
        {"fence", "cost", "xor"},
        {"compaction", "ballot", "xor"},
        {"合并访问", "cost", "xor"},
        {"内存顺序", "cost", "xor"},
        {"mma", "fragments", "xor"},
        {"swizzle", "ldmatrix", "xor"},
        {"张量核", "mma-tile", "xor"},
        {"束内洗牌", "broadcast", "xor"},
        {"网格跨步", "grid-reduce", "xor"},
        {"断点", "line-by-line", "xor"},
        {"debugger", "line-by-line", "xor"},
    };
    const struct lesson *lessons[LESSONS_MOST];
    size_t count = lesson_built_in_count();
    assert_true(count <= LESSONS_MOST);
    for (size_t i = 0; i < count; i++)
        lessons[i] = lesson_built_in(i);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct catalog catalog;
        catalog_init(&catalog, lessons, count, NULL, "zh");
        search_for(&catalog, expected[i].word);
        if (!finds(&catalog, expected[i].lesson))
            fail_msg("'%s' does not find %s", expected[i].word, expected[i].lesson);
        if (finds(&catalog, expected[i].not_this))
            fail_msg("'%s' finds %s, too", expected[i].word, expected[i].not_this);
        catalog_release(&catalog);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_find_their_lessons)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
