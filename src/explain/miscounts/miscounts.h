/*
 * miscounts.h - the lines at which a kernel's results get an element of the input twice, or lose
 * it.
 *
 * Each is a fact about the run, read from the origins of its values; whether the program intends it
 * is for the reader to decide. Only results that combine elements are examined, because copies and
 * broadcasts leave elements out on purpose.
 */
#ifndef SHFLVIZ_EXPLAIN_MISCOUNTS_MISCOUNTS_H
#define SHFLVIZ_EXPLAIN_MISCOUNTS_MISCOUNTS_H

#include "base/text.h"
#include "trace/lines/origins.h"
#include "trace/trace.h"

/* In the order in which they are reported: if several apply, the first is nearest to the cause. */
enum miscount_kind {
    MISCOUNT_OVERWRITTEN, /* the lane of the result had them, and its value was replaced */
    MISCOUNT_UNDEFINED,   /* a cell or variable is read that nothing has written */
    MISCOUNT_ABSENT,      /* they are in a lane that is read where it takes no part */
    MISCOUNT_READ_TWICE,  /* two lanes read them from memory */
    MISCOUNT_OWN,         /* lanes add a value that they read from themselves */
    MISCOUNT_TWICE,       /* a lane adds them to a value that has them */
    MISCOUNT_UNREAD_CELL, /* they are in a cell of shared memory that is not read afterwards */
    MISCOUNT_STAYED,      /* they are in lanes that no lane on the way to the result reads */
    MISCOUNT_EARLY,       /* a lane's value was taken before it had them */
    MISCOUNT_SUBTRACTED,  /* they are subtracted, and others are added */
    MISCOUNT_TAIL,        /* the last ones of the array, fewer than were read, are not read */
    MISCOUNT_KINDS
};

struct miscount {
    enum miscount_kind kind;
    uint32_t result, array; /* texts: of the result, of the input or the undefined cell */
    uint64_t result_index;
    uint64_t *elements; /* their indices, in order; none if a variable is undefined */
    size_t count;
    uint32_t line;       /* of the program */
    uint32_t other_line; /* the sentence's second line number: of the first read, the shuffle, the
                            call that reads an absent lane, or the write to the cell; 0 for none */
    uint32_t loop;       /* the line of the loop around the line; 0 if there is none */
    unsigned rounds;     /* how often the loop ran the line */
    bool has_warps;      /* the launch has several warps */
    uint64_t block;
    uint32_t warp;
    int lane, from;  /* -1 if it is not known */
    uint32_t lanes;  /* the lanes to which it happens there, or that hold the values at the end */
    uint32_t cell;   /* a text: the array of the cell */
    uint64_t at;     /* its index */
    bool is_partial; /* only a part of the elements was examined */
};

struct miscounts {
    struct miscount *item;
    size_t count;
};

/* Finds the miscounts of a launch, or of a single result if `array` is not UINT32_MAX or `index`
 * not UINT64_MAX. miscounts_release() releases them. */
void miscounts_find(const struct trace *trace, uint32_t launch, uint32_t array, uint64_t index,
                    struct miscounts *found);
void miscounts_release(struct miscounts *found);

/* The kind as a word for programs: "read-twice". */
const char *miscount_word(enum miscount_kind kind);
/* "out[0]: line 30 adds in[0..15] a second time: lane 0 reads itself", with at most `most` ranges
 * of elements. */
void miscount_append(struct text *text, const struct trace_origins *origins,
                     const struct miscount *miscount, size_t most);
/* "in[0..15], in[20]", at most `most` ranges. */
void miscount_append_elements(struct text *text, const struct trace_origins *origins,
                              const struct miscount *miscount, size_t most);

#endif
