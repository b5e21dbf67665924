/*
 * Compares the outputs of two runs word by word. Leaves out words that differ when the same run is
 * repeated, and differences that rounding explains.
 */
#include "launch/program/orders.h"

#include "base/memory.h"
#include "base/text.h"
#include "trace/failure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINTED_MOST (1 << 20)
#define WORDS_MOST   (1 << 17)
/* Tolerance, relative to the larger value, for sums of floats or halves in another order. */
#define ROUNDING 5e-4

struct orders_result orders_result_of(const struct trace *trace, int status) {
    struct text printed = TEXT_INIT;
    if (!trace || !trace_is_complete(trace) || trace_failure(trace) != TRACE_FAILURE_NONE)
        return (struct orders_result){NULL, status};
    for (size_t i = 0; i < trace_output_count(trace) && printed.length <= PRINTED_MOST; i++)
        text_append(&printed, trace_output(trace, i)->text);
    if (printed.length > PRINTED_MOST) {
        text_release(&printed);
        return (struct orders_result){NULL, status};
    }
    return (struct orders_result){text_detach(&printed), status};
}

void orders_result_release(struct orders_result *result) {
    free(result->printed);
    result->printed = NULL;
}

bool orders_same(const struct orders_result *a, const struct orders_result *b) {
    return !a->printed || !b->printed ||
           (a->status == b->status && strcmp(a->printed, b->printed) == 0);
}

/* ---- words ---- */

struct word {
    const char *text;
    size_t length;
};

struct words {
    struct word *word;
    size_t count;
};

static struct words words_of(const char *text) {
    static const char between[] = " \t\r\n,;:=()[]{}<>|\"'";
    struct words words = {0};
    size_t capacity = 0;
    for (text += strspn(text, between); *text && words.count < WORDS_MOST;
         text += strspn(text, between)) {
        const size_t length = strcspn(text, between);
        words.word = memory_room(words.word, words.count, &capacity, sizeof *words.word);
        words.word[words.count++] = (struct word){text, length};
        text += length;
    }
    return words;
}

static int by_text(const void *a, const void *b) {
    const struct word *one = a, *other = b;
    const size_t least = one->length < other->length ? one->length : other->length;
    const int differ = memcmp(one->text, other->text, least);
    return differ ? differ : (one->length > other->length) - (one->length < other->length);
}

static bool is_real(const struct word *word, double *value) {
    char text[48], *end;
    if (word->length >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)word->length, word->text);
    *value = strtod(text, &end);
    return *end == '\0' && end != text && text[strcspn(text, ".eE")] != '\0';
}

static bool is_rounding(const struct word *a, const struct word *b) {
    double one, other;
    return is_real(a, &one) && is_real(b, &other) &&
           fabs(one - other) <= ROUNDING * (fabs(one) + fabs(other));
}

static bool same_words(const struct words *a, const struct words *b) {
    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (by_text(&a->word[i], &b->word[i]) != 0)
            return false;
    return a->count == b->count;
}

/* ---- runs ---- */

static void show(const struct word *word, char *text, size_t size) {
    snprintf(text, size, "%.*s", (int)word->length, word->text);
}

/* The words of each run and of its repetition. */
struct compared {
    struct words first[2], other[2];
};

static bool is_unit(const char *text, size_t length) {
    static const char *const units[] = {
        "s",  "sec",  "secs",         "seconds",      "ms",   "msec", "us",
        "ns", "usec", "milliseconds", "microseconds", "GB/s", "MB/s"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i]) == length && strncmp(units[i], text, length) == 0)
            return true;
    return false;
}

/* True for a number with a unit of time or speed, in its word ("0.1s") or the next: a coarse clock
 * may give the same number in a repetition. */
static bool is_time(const struct words *words, size_t i) {
    const struct word *word = &words->word[i], *next = word + 1;
    const size_t digits = strspn(word->text, "0123456789.");
    if (digits == 0)
        return false;
    return digits < word->length ? is_unit(word->text + digits, word->length - digits)
                                 : i + 1 < words->count && is_unit(next->text, next->length);
}

/* Removes times, and words that change in a repetition. */
static void keep_steady(struct compared *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->first[0].count; i++) {
        if (is_time(&c->first[0], i) || by_text(&c->first[0].word[i], &c->first[1].word[i]) != 0 ||
            by_text(&c->other[0].word[i], &c->other[1].word[i]) != 0)
            continue;
        c->first[0].word[kept] = c->first[0].word[i];
        c->other[0].word[kept++] = c->other[0].word[i];
    }
    c->first[0].count = c->other[0].count = kept;
}

static void compare_steady(struct compared *c, struct orders_difference *difference) {
    struct words *const a = &c->first[0], *const b = &c->other[0];
    bool rounding = false, values = false;
    for (size_t i = 0; i < a->count; i++) {
        if (by_text(&a->word[i], &b->word[i]) == 0)
            continue;
        const bool is_small = is_rounding(&a->word[i], &b->word[i]);
        if (!is_small && !values) {
            show(&a->word[i], difference->first_word, sizeof difference->first_word);
            show(&b->word[i], difference->other_word, sizeof difference->other_word);
        }
        rounding = rounding || is_small;
        values = values || !is_small;
    }
    difference->kind = values ? ORDERS_VALUES : rounding ? ORDERS_ROUNDING : ORDERS_ALIKE;
    if (!values)
        return;
    qsort(a->word, a->count, sizeof *a->word, by_text);
    qsort(b->word, b->count, sizeof *b->word, by_text);
    if (same_words(a, b))
        difference->kind = ORDERS_SEQUENCE;
}

void orders_compare(const struct orders_result first[2], const struct orders_result other[2],
                    struct orders_difference *difference) {
    struct compared c;
    *difference = (struct orders_difference){.kind = ORDERS_ALIKE};
    for (int i = 0; i < 2; i++)
        if (!first[i].printed || !other[i].printed || first[i].status != first[0].status ||
            other[i].status != other[0].status)
            return;
    for (int i = 0; i < 2; i++) {
        c.first[i] = words_of(first[i].printed);
        c.other[i] = words_of(other[i].printed);
    }
    const size_t count = c.first[0].count;
    if (first[0].status != other[0].status) {
        difference->kind = ORDERS_VALUES;
    } else if (count == c.first[1].count && count == c.other[0].count &&
               count == c.other[1].count) {
        keep_steady(&c);
        compare_steady(&c, difference);
    } else if (same_words(&c.first[0], &c.first[1]) && same_words(&c.other[0], &c.other[1])) {
        difference->kind = ORDERS_VALUES; /* more words, or fewer */
    }
    for (int i = 0; i < 2; i++) {
        free(c.first[i].word);
        free(c.other[i].word);
    }
}
