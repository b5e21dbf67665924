/*
 * The content of the lessons, compared with values worked out by hand: the facts that a teacher
 * would check before the class does. None of them comes from the program; each group names its
 * source. Programming guide: CUDA C++ Programming Guide; PTX: the PTX ISA, "shfl.sync".
 */
#include "launch/course.h"
#include "oracle.h"
#include "replay/predict.h"
#include "teach/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAST 0

/*
 * One fact. `run` is "" for a lesson's first run; steps count from 1, as in a lesson. `what` is
 * "in LANES" or "out LANES", the recorded values; "source LANES", the lane read by the rules; or a
 * question about a set. The expected values are in lane order: "5", "7..9", "5x16" for
 * sixteen times 5; "5*" is the lane's own value, out of range, and "?" undefined.
 */
struct fact {
    const char *lesson, *run;
    unsigned launch, block, warp, step;
    const char *what, *expected;
};

static const struct fact facts[] = {
    /* Threads of a block are counted line by line, x first; lane = number % 32 (programming guide,
     * "Thread Hierarchy"). */
    {"lanes-and-warps", "", 0, 0, 0, 1, "in 0-31", "0..31"},
    {"lanes-and-warps", "", 0, 0, 1, 1, "in 0-31", "32..63"},
    {"lanes-and-warps", "odd", 0, 0, 1, 1, "in 0-2", "32..34"},
    {"lanes-and-warps", "odd", 0, 0, 1, 1, "lanes absent", "3-31"},
    {"lanes-and-warps", "rows", 0, 0, 0, 1, "in 0-31", "0..7 0..7 0..7 0..7"},
    {"lanes-and-warps", "rows", 0, 0, 0, 2, "in 0-31", "0..31"},
    /* 1 + 2^8 + 2^16 + 2^24 */
    {"lanes-and-warps", "rows", 0, 0, 0, 4, "out 0-31", "16843009x32"},
    {"lanes-and-warps", "rows", 0, 0, 0, 5, "out 0-31", "1x32"},
    {"lanes-and-warps", "rows", 0, 0, 1, 6, "out 0-31", "32x32"},

    /* idx reads srcLane % width of the lane's own group, always in range. */
    {"broadcast", "", 0, 0, 0, 1, "source 0-31", "5x32"},
    {"broadcast", "", 0, 0, 0, 1, "out 0-31", "105x32"},
    {"broadcast", "", 0, 0, 0, 1, "readers of lane 5", "all"},
    {"width-groups", "", 0, 0, 0, 1, "source 0-31", "5x16 21x16"},
    {"width-groups", "", 0, 0, 0, 1, "out 0-31", "105x16 121x16"},
    {"width-groups", "", 0, 0, 0, 1, "readers of lane 21", "16-31"},
    {"width-groups", "two", 0, 0, 0, 1, "out 0-31", "102x16 118x16"},
    {"width-groups", "four", 0, 0, 0, 1, "source 0-31", "2x4 6x4 10x4 14x4 18x4 22x4 26x4 30x4"},
    {"src-wraps", "", 0, 0, 0, 1, "source 0-31", "1x16 17x16"},
    {"src-wraps", "", 0, 0, 0, 1, "out 0-31", "101x16 117x16"},
    {"src-wraps", "twenty", 0, 0, 0, 1, "source 0-31", "4x16 20x16"},
    {"src-wraps", "minus", 0, 0, 0, 1, "source 0-31", "15x16 31x16"},
    {"src-wraps", "next", 0, 0, 0, 1, "source 0-31", "1..31 0"},
    {"src-wraps", "next", 0, 0, 0, 1, "out 0-31", "51..81 50"},

    /* Only a lane that is in the mask and calls can be read; a caller is in its own mask
     * (programming guide, "Warp Shuffle Functions"). */
    {"member-mask", "", 0, 0, 0, 1, "lanes absent", "8-31"},
    {"member-mask", "", 0, 0, 0, 1, "source 0-7", "5x8"},
    {"member-mask", "nine", 0, 0, 0, 1, "lanes undefined", "0-7"},
    {"member-mask", "given", 0, 0, 0, 1, "source 0-31", "1 0 3 2 5 4 7 6 ?x24"},
    {"member-mask", "given", 0, 0, 0, 1, "lanes undefined", "8-31"},
    {"member-mask", "halves", 0, 0, 0, 2, "lanes undefined", "16-31"},
    /* Measured: an observation (recordings/README.md). */
    {"member-mask", "h200", 0, 0, 0, 2, "lanes undefined", "8-31"},
    {"member-mask", "h200", 0, 0, 0, 2, "out 8-13", "9 8 11 10 13 12"},
    {"member-mask", "h200", 0, 0, 0, 2, "out 28-31", "29 28 31 30"},
    {"member-mask", "sub", 1, 0, 0, 2, "lanes undefined", "8,16,24"},
    {"member-mask", "sub", 1, 0, 0, 2, "lanes absent", "0-7,9-15,17-23,25-31"},

    /* up: lane - delta, not before the group's first lane. */
    {"up", "", 0, 0, 0, 1, "source 0-31", "0* 1* 0..13 16* 17* 16..29"},
    {"up", "", 0, 0, 0, 1, "lanes own", "0-1,16-17"},
    {"up", "", 0, 0, 0, 1, "out 0-31", "100 101 100..113 116 117 116..129"},
    {"up", "whole", 0, 0, 0, 1, "lanes own", "0-1"},
    {"up", "whole", 0, 0, 0, 1, "out 0-31", "100 101 100..129"},

    /* down: lane + delta, not beyond the group's last lane. */
    {"down", "", 0, 0, 0, 1, "source 0-31", "2..31 30* 31*"},
    {"down", "groups", 0, 0, 0, 1, "source 0-31", "2..15 14* 15* 18..31 30* 31*"},
    {"down", "groups", 0, 0, 0, 1, "readers of lane 17", "none"},
    {"down", "far", 0, 0, 0, 1, "source 0-31", "16..31 16*..31*"},
    {"down", "far", 0, 0, 0, 1, "out 0-31", "17..32 17..32"},

    /* xor: the lane's bits, with the bits of laneMask flipped. */
    {"xor", "", 0, 0, 0, 1, "source 0-7", "1 0 3 2 5 4 7 6"},
    {"xor", "three", 0, 0, 0, 1, "source 0-15", "3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12"},
    {"xor", "sixteen", 0, 0, 0, 1, "source 0-31", "16..31 0..15"},
    {"xor", "sixteen", 0, 0, 0, 1, "lanes own", "none"},
    {"xor", "six", 0, 0, 0, 1, "source 0-15", "6 7 4 5 2 3 0 1 14 15 12 13 10 11 8 9"},
    {"xor-width", "", 0, 0, 0, 1, "source 0-15", "3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12"},
    {"xor-width", "", 0, 0, 0, 1, "lanes own", "none"},
    /* Later groups are out of range, earlier ones are read (programming guide, __shfl_xor_sync). */
    {"xor-width", "sixteen", 0, 0, 0, 1, "source 0-31", "0*..15* 0..15"},
    {"xor-width", "sixteen", 0, 0, 0, 1, "out 0-31", "100..115 100..115"},
    {"xor-width", "twelve", 0, 0, 0, 1, "source 0-31", "0*..7* 4..7 0..3 16*..23* 20..23 16..19"},

    /* down 16 of number + 1, as floats, in blocks of 32, 64 and 35 threads. */
    {"partial-warps", "", 0, 0, 0, 1, "out 0-31", "17..32 17..32"},
    {"partial-warps", "two", 0, 0, 0, 1, "out 0-31", "17..32 17..32"},
    {"partial-warps", "two", 0, 0, 1, 1, "out 0-31", "49..64 49..64"},
    {"partial-warps", "odd", 0, 0, 0, 1, "out 0-31", "17..32 17..32"},
    {"partial-warps", "odd", 0, 0, 1, 1, "source 0-2", "?x3"},
    {"partial-warps", "odd", 0, 0, 1, 1, "lanes undefined", "0-2"},
    {"partial-warps", "odd", 0, 0, 1, 1, "lanes absent", "3-31"},
    /* Seven ones, seven twos, six threes: 2^7 * 3^6 = 128 * 729. */
    {"partial-warps", "least", 0, 0, 0, 21, "in 0", "0"},
    {"partial-warps", "least", 0, 0, 0, 22, "in 0", "1"},
    {"partial-warps", "least", 0, 0, 0, 23, "in 0", "0"},
    {"partial-warps", "least", 0, 0, 0, 24, "in 0", "93312"},
    /* 180 = 5 * 32 + 20 threads; lanes 4-15 name 20-31. */
    {"partial-warps", "sum", 0, 0, 5, 1, "lanes undefined", "4-15"},
    {"partial-warps", "sum", 0, 0, 5, 1, "lanes absent", "20-31"},
    {"partial-warps", "sum", 0, 0, 4, 6, "in 0-31", "32x32"},
    {"partial-warps", "padded", 0, 0, 5, 1, "lanes undefined", "none"},
    {"partial-warps", "padded", 0, 0, 5, 1, "out 0-31", "1x4 0x12 1x16"},
    {"partial-warps", "padded", 0, 0, 5, 6, "in 0-31", "20x32"},
    {"partial-warps", "padded", 0, 0, 0, LAST, "in 0", "180"},
    /* Measured: an observation (recordings/README.md). */
    {"partial-warps", "h200", 0, 0, 1, 1, "lanes undefined", "0-2"},
    {"partial-warps", "h200", 0, 0, 1, 1, "out 0-2", "0x3"},
    {"partial-warps", "h200-sum", 0, 0, 5, 1, "lanes undefined", "4-15"},
    {"partial-warps", "h200-sum", 0, 0, 5, 2, "in 0-19", "2x4 1x12 2x4"},
    {"partial-warps", "h200-sum", 0, 0, 5, LAST, "in 4", "20"},
    {"partial-warps", "h200-sum", 0, 0, 0, LAST, "in 0", "180"},

    /* Five bits of the argument count (PTX: bval = b[4:0]). */
    {"five-bits", "", 0, 0, 0, 1, "source 0-31", "0..31"},
    {"five-bits", "odd", 0, 0, 0, 1, "source 0-31", "1..31 31*"},
    {"five-bits", "high", 0, 0, 0, 1, "source 0-31", "0*..31*"},

    {"types", "", 0, 0, 0, 1, "out 0-5", "1.5 0.5 3.5 2.5 5.5 4.5"},
    {"types", "long", 0, 0, 0, 1, "out 4-5", "4294967301 4294967300"},
    {"types", "narrow", 0, 0, 0, 1, "out 4-5", "5 4"},
    {"types", "half2", 0, 0, 0, 1, "out 4", "5.5,5.5"},
    {"types", "cut", 0, 0, 0, 1, "out 4", "5"},
    /* 5.5 is 1.375 * 2^2: exponent 127 + 2, fraction 0.375; 0x40b00000. */
    {"types", "cut", 0, 0, 0, 2, "out 4", "1085276160"},
    {"types", "cut", 0, 0, 0, 3, "out 4", "5.5"},

    /* The table of the rounds: each lane keeps the larger of two, so after laneMask m the bit of m
     * is set in every lane's value. */
    {"butterfly-max", "", 0, 0, 0, 1, "in 0-31", "0..31"},
    {"butterfly-max", "", 0, 0, 0, 2, "in 0-31", "16..31 16..31"},
    {"butterfly-max", "", 0, 0, 0, 3, "in 0-31", "24..31 24..31 24..31 24..31"},
    {"butterfly-max", "", 0, 0, 0, 4, "in 0-11", "28..31 28..31 28..31"},
    {"butterfly-max", "", 0, 0, 0, 5, "in 0-3", "30 31 30 31"},
    {"butterfly-max", "", 0, 0, 0, LAST, "in 0-31", "31x32"},
    {"butterfly-max", "eights", 0, 0, 0, LAST, "in 0-31", "7x8 15x8 23x8 31x8"},
    {"butterfly-max", "partial", 0, 0, 0, 1, "lanes undefined", "8-15"},

    /* Lane i has the value 31 - i; 31 * 32 / 2 = 496. */
    {"allreduce", "", 0, 0, 0, 1, "out 0", "15"},
    {"allreduce", "", 0, 0, 0, 2, "in 0-15", "46 44 42 40 38 36 34 32 30 28 26 24 22 20 18 16"},
    /* 1 + 3 + ... + 31 = 256 in even lanes, 0 + 2 + ... + 30 = 240 in odd lanes. */
    {"allreduce", "", 0, 0, 0, 5, "in 30-31", "256 240"},
    {"allreduce", "", 0, 0, 0, 5, "out 31", "256"},
    {"allreduce", "", 0, 0, 0, LAST, "in 0-31", "496x32"},
    {"allreduce", "again", 0, 0, 0, 6, "lanes changed", "none"},
    {"allreduce", "again", 0, 0, 0, 6, "out 0-31", "496x32"},
    /* 10485 * 4950 + (0 + ... + 75) = 51900750 + 2850. */
    {"allreduce", "million", 1, 0, 0, 1, "in 0-31", "51903600 0x31"},
    {"allreduce", "million", 1, 0, 0, 1, "out 0-31", "51903600x32"},
    {"allreduce", "million", 1, 7, 3, 1, "out 0-31", "51903600x32"},

    /* 1 + ... + 32 = 32 * 33 / 2 = 528; lane 31 doubles its 32 five times. */
    {"down-tree", "", 0, 0, 0, 1, "lanes own", "16-31"},
    {"down-tree", "", 0, 0, 0, 1, "out 16-31", "17..32"},
    {"down-tree", "", 0, 0, 0, 2, "in 4", "26"},
    {"down-tree", "", 0, 0, 0, 2, "in 20", "42"},
    {"down-tree", "", 0, 0, 0, 5, "readers of lane 0", "none"},
    {"down-tree", "", 0, 0, 0, LAST, "in 0-1", "528 544"},
    {"down-tree", "", 0, 0, 0, LAST, "in 31", "1024"},

    /* Groups of 8: lane 5 has 6 + 6, then + 8 + 8 from lane 7, then + 4 * 7 from lane 6. */
    {"line-by-line", "", 0, 0, 0, 1, "lanes own", "4-7,12-15,20-23,28-31"},
    {"line-by-line", "", 0, 0, 0, 1, "out 1", "6"},
    {"line-by-line", "", 0, 0, 0, 1, "readers of lane 6", "2"},
    {"line-by-line", "", 0, 0, 0, 2, "in 1", "8"},
    {"line-by-line", "", 0, 0, 0, 2, "in 5", "12"},
    {"line-by-line", "", 0, 0, 0, 3, "in 5", "28"},
    {"line-by-line", "", 0, 0, 0, LAST, "in 5-6", "56 60"},

    /* Inclusive, of 31 - lane, in groups of 8: 31, 61, 90, 118, 145, 171, 196, 220; 23, 45, ... */
    {"scan", "", 0, 0, 0, 1, "lanes own", "0,8,16,24"},
    {"scan", "", 0, 0, 0, 2, "out 11", "45"},
    {"scan", "", 0, 0, 0, 3, "source 14", "10"},
    {"scan", "", 0, 0, 0, LAST, "in 0-7", "31 61 90 118 145 171 196 220"},
    {"scan", "", 0, 0, 0, LAST, "in 8-15", "23 45 66 86 105 123 140 156"},
    {"scan", "", 0, 0, 0, LAST, "in 16", "15"},
    {"scan", "whole", 0, 0, 0, 5, "lanes own", "0-15"},
    {"scan", "whole", 0, 0, 0, 6, "in 0-31", "1..32"},
    {"scan", "whole", 0, 0, 0, 7, "in 0-31", "0..31"}, /* exclusive */

    /* Warp w of numbers: 32 * 32 w + 496. All: 127 * 128 / 2 = 8128. */
    {"block-reduce", "", 0, 0, 2, 1, "out 0", "80"},
    {"block-reduce", "", 0, 0, 0, 6, "in 0-3", "496 1520 2544 3568"},
    {"block-reduce", "", 0, 0, 0, 6, "lanes absent", "4-31"},
    {"block-reduce", "", 0, 0, 0, LAST, "in 0", "8128"},
    {"block-reduce", "items", 0, 0, 0, 1, "in 0", "384"},
    {"block-reduce", "partial", 0, 0, 0, 6, "in 0-5", "32x5 20"},
    {"block-reduce", "partial", 0, 0, 0, 6, "lanes absent", "6-31"},
    {"block-reduce", "partial", 0, 0, 0, LAST, "in 0", "180"},

    /* Thread 0: 128 * (0 + ... + 7). Its warp: 32 * 128 * 28 + 8 * 496. */
    {"grid-reduce", "", 0, 0, 0, 1, "in 0", "3584"},
    {"grid-reduce", "", 0, 0, 0, LAST, "in 0", "118656"},
    {"grid-reduce", "few", 0, 1, 0, 1, "in 0-31", "1x8 0x24"},
    {"grid-reduce", "few", 0, 1, 0, 1, "lanes absent", "none"},
    /* Values 0 to 15, two blocks of 4: block 1 adds 2 + 10 where it should add 6 + 14. The wrong
     * total is twice 0+1+2+3+8+9+10+11 = 44. */
    {"grid-reduce", "bug", 0, 1, 0, 5, "out 0", "12"},
    {"grid-reduce", "bug", 1, 1, 0, 5, "out 0", "20"},
    {"grid-reduce", "bug", 2, 0, 0, 1, "in 0", "88"},
    {"grid-reduce", "bug", 2, 0, 0, 2, "in 0", "120"},
    {"grid-reduce", "ones", 2, 0, 0, 1, "in 0", "16"},
    {"grid-reduce", "ones", 2, 0, 0, 2, "in 0", "16"},

    {"cost", "", 0, 0, 0, 2, "in 0-15", "2x16"},
    {"cost", "", 0, 0, 0, LAST, "in 0", "32"},
    {"cost", "fence", 0, 0, 0, 8, "in 6", "-1"},
    {"cost", "tree", 0, 0, 0, 3, "lanes own", "28-31"},

    /* A lane whose branch does not make the call, or which has left the loop, is absent. */
    {"divergence", "", 0, 0, 0, 2, "lanes absent", "16-31"},
    {"divergence", "own", 0, 0, 0, 3, "lanes undefined", "none"},
    {"divergence", "own", 0, 0, 0, 3, "lanes absent", "0-15"},
    /* 0 + ... + 15 = 120. */
    {"divergence", "own", 0, 0, 0, LAST, "in 0", "120"},
    {"divergence", "own", 0, 0, 0, LAST, "in 16", "31"},
    {"divergence", "both", 0, 0, 0, 1, "lanes absent", "none"},
    {"divergence", "both", 0, 0, 0, 1, "out 0-7", "1 0 3 2 5 4 7 6"},
    {"divergence", "leaves", 0, 0, 0, 2, "lanes absent", "31"},
    /* There are 31 odd numbers from 0 to 62. */
    {"divergence", "stays", 0, 0, 0, LAST, "in 0-31", "31x32"},
    {"activemask", "", 0, 0, 0, 1, "out 0", "65535"},
    {"activemask", "", 0, 0, 0, LAST, "in 0", "120"},
    {"activemask", "split", 0, 0, 0, 1, "out 0", "1"},
    {"activemask", "split", 0, 0, 0, 1, "lanes absent", "1-31"},
    {"activemask", "split", 1, 0, 0, 2, "lanes undefined", "none"},
    {"activemask", "split", 1, 0, 0, LAST, "in 0", "120"},

    /* Each lane gets back its var, the offset: 16 + 8 + 4 + 2 + 1 = 31 is added to its value. */
    {"forgotten-mask", "", 0, 0, 0, LAST, "in 0", "496"},
    {"forgotten-mask", "", 1, 0, 0, 1, "source 0-31", "0..31"},
    {"forgotten-mask", "", 1, 0, 0, 1, "out 0-31", "16x32"},
    {"forgotten-mask", "", 1, 0, 0, LAST, "in 0", "31"},
    {"forgotten-mask", "ones", 1, 0, 0, LAST, "in 0", "32"},
    {"forgotten-mask", "", 2, 0, 0, 4, "lanes undefined", "3"},
    {"forgotten-mask", "zero", 0, 0, 0, 1, "lanes undefined", "all"},
    /* Measured: an observation (recordings/README.md). */
    {"forgotten-mask", "h200", 0, 0, 0, LAST, "in 0", "496"},
    {"forgotten-mask", "h200", 1, 0, 0, LAST, "in 0", "31"},

    {"odd-width", "", 0, 0, 0, 1, "lanes undefined", "all"},
    {"odd-width", "own", 0, 0, 0, 1, "source 0-31", "5x12 17x12 29x8"},
    /* Measured: an observation (recordings/README.md). Bits 0, 1 and 3 are replaced by 5's. */
    {"odd-width", "h200", 0, 0, 0, 1, "lanes undefined", "all"},
    {"odd-width", "h200", 0, 0, 0, 1, "out 0-31", "1x4 5x4 1x4 5x4 17x4 21x4 17x4 21x4"},
    /* 2^20 - 1 */
    {"odd-width", "small", 0, 0, 0, 1, "out 0", "1048575"},
    {"odd-width", "small", 0, 0, 0, 2, "lanes undefined", "4-15"},
    {"odd-width", "small", 0, 0, 0, 2, "lanes own", "16-19"},
    {"odd-width", "fold", 0, 0, 0, 1, "source 0-23", "16..23 8..23"},
    {"odd-width", "fold", 0, 0, 0, LAST, "in 0", "276"},

    /* 7 * lane % 32 is above 20 in lanes 3 and 4 of the first eight: 8 + 16; in all: 3, 4, 8, 9,
     * 13, 17, 18, 22, 26, 27, 31. */
    {"ballot", "few", 0, 0, 0, 1, "out 0-7", "24x8"},
    {"ballot", "few", 0, 0, 0, 1, "lanes absent", "8-31"},
    {"ballot", "", 0, 0, 0, 1, "out 31", "2353406744"},
    {"ballot", "", 0, 0, 0, 3, "out 0-31", "0x32"},
    {"ballot", "front", 0, 0, 0, 2, "in 13", "4"},
    {"ballot", "front", 0, 0, 0, 3, "source 0-10", "3 4 8 9 13 17 18 22 26 27 31"},
    {"ballot", "front", 0, 0, 0, 3, "out 0-10", "21 28 24 31 27 23 30 26 22 29 25"},
    {"match", "pairs", 0, 0, 0, 1, "out 4-5", "48 48"},
    {"match", "", 0, 0, 0, 2, "in 0-7", "0 0 0 3 3 3 6 6"},
    {"match", "", 0, 0, 0, 2, "in 13", "3"},
    {"match", "", 0, 0, 0, 3, "in 0-11", "12 0 0 12 0 0 8 0 0x4"},
    {"match", "all", 0, 0, 0, 1, "out 0-31", "0x32"},
    {"match", "all", 0, 0, 0, 2, "out 0-15", "65535x16"},
    {"match", "all", 0, 0, 0, 2, "lanes absent", "16-31"},
    /* 64 to 95: 32 * 79.5; bit 6 in 32 of them, each lower bit in 16. */
    {"reduce-sync", "", 0, 0, 0, 1, "out 0-31", "2544x32"},
    {"reduce-sync", "", 0, 0, 0, 2, "out 0-31", "64x32"},
    {"reduce-sync", "", 0, 0, 0, 3, "out 0-31", "95x32"},
    {"reduce-sync", "", 0, 0, 0, 4, "out 0-31", "64x32"},
    {"reduce-sync", "", 0, 0, 0, 5, "out 0-31", "95x32"},
    {"reduce-sync", "", 0, 0, 0, 6, "out 0-31", "0x32"},
    /* A tile of 8 passes its own 8 lanes and width 8. */
    {"tiles", "", 0, 0, 0, 2, "lanes absent", "0-7,16-31"},
    {"tiles", "", 0, 0, 0, 2, "source 8-15", "12..15 12*..15*"},
    {"tiles", "", 0, 0, 0, LAST, "in 0", "28"},
    {"tiles", "", 0, 0, 0, LAST, "in 8", "92"},
    {"tiles", "", 0, 0, 0, LAST, "in 16", "156"},
    {"tiles", "", 0, 0, 0, LAST, "in 24", "220"},
    {"tiles", "groups", 0, 0, 0, 25, "source 24-27", "24x4"},
    {"tiles", "groups", 0, 0, 0, 28, "in 24", "3"},

    /* Row r, column c of the tile is 10 r + c. */
    {"transpose", "", 0, 0, 0, 1, "out 0-3", "10 1 30 21"},
    {"transpose", "", 0, 0, 0, 3, "out 2", "2"},
    {"transpose", "", 0, 0, 0, 5, "in 0-3", "0..3"},
    {"transpose", "", 0, 0, 0, 6, "in 0-3", "10..13"},
    {"transpose", "", 0, 0, 0, 7, "in 0-3", "20..23"},
    {"transpose", "", 0, 0, 0, 8, "in 0-3", "30..33"},

    /* C[r][c] is 100 r + c; c0 is row lane / 4, column 2 (lane % 4), c2 the same 8 rows lower (PTX
     * ISA, "Matrix Fragments for mma.m16n8k16"). */
    {"fragments", "", 0, 0, 0, 2, "in 0-7", "0 2 4 6 100 102 104 106"},
    {"fragments", "", 0, 0, 0, 2, "in 13", "302"},
    {"fragments", "", 0, 0, 0, 2, "in 31", "706"},
    {"fragments", "", 0, 0, 0, 4, "in 13", "1102"},
    {"fragments", "", 0, 0, 0, 4, "in 31", "1506"},
    {"fragments", "", 0, 0, 0, 5, "in 0-31", "8x4 9x4 10x4 11x4 12x4 13x4 14x4 15x4"},

    /* Bank of a row: its pitch in words times its number, modulo 32; a swizzle adds 4 words for
     * each row. The element of a lane is as in the upper half of C. */
    {"ldmatrix", "", 0, 0, 0, 2, "in 0-7", "0x8"},
    {"ldmatrix", "", 1, 0, 0, 2, "in 0-7", "0 4 8 12 16 20 24 28"},
    {"ldmatrix", "", 2, 0, 0, 2, "in 0-7", "0 4 8 12 16 20 24 28"},
    {"ldmatrix", "", 0, 0, 0, 4, "in 0-7", "0 2 4 6 100 102 104 106"},
    {"ldmatrix", "", 1, 0, 0, 4, "in 13", "302"},
    {"ldmatrix", "", 1, 0, 0, 4, "in 31", "706"},
    {"ldmatrix", "", 2, 0, 0, 4, "in 13", "302"},
    {"ldmatrix", "", 2, 0, 0, 4, "in 31", "706"},
    {"ldmatrix", "", 3, 0, 0, 4, "in 5", "201"},
    {"ldmatrix", "", 3, 0, 0, 4, "in 13", "203"},

    /* S[r][c] is 100 r + c + 2; a lane passes the larger of two columns. */
    {"mma-tile", "", 0, 0, 0, 6, "in 4-7", "103 105 107 109"},
    {"mma-tile", "", 0, 0, 0, 6, "out 5", "103"},
    {"mma-tile", "", 0, 0, 0, 7, "out 5", "109"},
    {"mma-tile", "", 0, 0, 0, 8, "in 0-7", "9x4 109x4"},

    /* 11 * lane % 32, compared in pairs, alternately up and down. */
    {"bitonic-sort", "", 0, 0, 0, 1, "in 0-7", "0 11 22 1 12 23 2 13"},
    {"bitonic-sort", "", 0, 0, 0, 2, "in 0-7", "0 11 22 1 12 23 13 2"},
    {"bitonic-sort", "", 0, 0, 0, 2, "out 4", "13"},
    {"bitonic-sort", "", 0, 0, 0, 11, "source 20", "4"},
    {"bitonic-sort", "", 0, 0, 0, 11, "in 0-15", "0..5 11..15 22..26"},
    {"bitonic-sort", "", 0, 0, 0, LAST, "in 0-31", "0..31"},

    /* 32 + ... + 63 = 1520; with 496 it is 63 * 64 / 2 = 2016. */
    {"wave64", "", 0, 0, 1, 1, "out 0", "48"},
    {"wave64", "", 0, 0, 0, 6, "in 0-31", "496x32"},
    {"wave64", "", 0, 0, 1, 6, "in 0-31", "1520x32"},
    {"wave64", "", 0, 0, 1, LAST, "in 0-31", "2016x32"},
    {"wave64", "sixth", 0, 0, 0, 1, "lanes changed", "none"},
    {"wave64", "sixth", 0, 0, 0, 1, "source 0-31", "0..31"},
};

/* ---- expected values ---- */

#define WORD 48

/* "5x3 7*..9* ?" as a word for each lane. Returns how many. */
static int expand(const char *expected, char words[32][WORD]) {
    char copy[256];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", expected);
    char *rest = copy, *word;
    while ((word = strsep(&rest, " "))) {
        char *range = strstr(word, ".."), *times = strchr(word, 'x');
        bool own = strchr(word, '*') != NULL;
        int repeat = times ? atoi(times + 1) : 1;
        int first = atoi(word), last = range ? atoi(range + 2) : first;
        word[times ? (size_t)(times - word) : strlen(word)] = '\0';
        assert_in_range(count + (range ? last - first + 1 : repeat), 1, 32);
        for (int number = first; range && number <= last; number++)
            snprintf(words[count++], WORD, "%d%s", number, own ? "*" : "");
        for (int i = 0; !range && i < repeat; i++)
            snprintf(words[count++], WORD, "%s", word);
    }
    return count;
}

/* ---- actual values ---- */

static void read_lane(const struct replay *replay, const char *what, int lane, char text[WORD]) {
    const struct warp_operation *operation = &replay->cursor.step.operation;
    const struct lane_outcome *outcome = &replay->cursor.outcome[lane];
    char value[ORACLE_TEXT];
    bool in = strcmp(what, "in") == 0,
         is_mask = !in && operation->op >= WARP_OP_BALLOT && operation->op <= WARP_OP_MATCH_ALL;
    if (!(operation->present >> lane & 1))
        snprintf(text, WORD, "absent");
    else if (strcmp(what, "source") != 0)
        snprintf(text, WORD, "%s",
                 oracle_value(is_mask || (!in && operation->op == WARP_OP_ACTIVEMASK)
                                  ? WARP_TYPE_UNSIGNED
                                  : operation->type,
                              in ? operation->in[lane] : operation->out[lane], value));
    else if (outcome->status == LANE_UNDEFINED)
        snprintf(text, WORD, "?");
    else
        snprintf(text, WORD, "%d%s", outcome->address.source,
                 outcome->status == LANE_OWN ? "*" : "");
}

static unsigned fail_fact(const struct fact *fact, const char *found) {
    print_error("%s%s%s, launch %u, block %u, warp %u, step %u, %s: %s expected, %s found\n",
                fact->lesson, fact->run[0] ? " " : "", fact->run, fact->launch, fact->block,
                fact->warp, fact->step, fact->what, fact->expected, found);
    return 1;
}

static unsigned check_lanes(const struct fact *fact, const struct replay *replay) {
    char what[8], words[32][WORD], found[WORD];
    int first, last, read = sscanf(fact->what, "%7s %d-%d", what, &first, &last);
    assert_in_range(read, 2, 3);
    last = read == 2 ? first : last;
    if (expand(fact->expected, words) != last - first + 1)
        fail_msg("%s, %s: %s is not as many lanes", fact->lesson, fact->what, fact->expected);
    for (int lane = first; lane <= last; lane++) {
        read_lane(replay, what, lane, found);
        if (strcmp(found, words[lane - first]) != 0)
            return fail_fact(fact, found);
    }
    return 0;
}

static unsigned check_set(const struct fact *fact, const struct replay *replay) {
    struct question question;
    struct answer answer;
    struct error err = ERROR_INIT;
    char found[ANSWER_TEXT];
    assert_int_equal(question_parse(&question, fact->what, &err), 0);
    if (answer_of(replay_subject(replay), &question, &answer, &err) != 0)
        return fail_fact(fact, err.text);
    answer_format(replay_subject(replay), &question, &answer, found);
    return strcmp(found, fact->expected) != 0 ? fail_fact(fact, found) : 0;
}

/* ---- the table ---- */

static size_t find_run(const struct lesson *lesson, const char *name) {
    for (size_t run = 0; run < lesson->run_count; run++)
        if (strcmp(lesson->runs[run].name, name) == 0)
            return run;
    fail_msg("%s has no run '%s'", lesson->name, name);
    return 0;
}

static unsigned check_fact(const struct fact *fact, const struct lesson *lesson,
                           struct trace *const *traces) {
    struct replay replay;
    struct error err = ERROR_INIT;
    size_t run = find_run(lesson, fact->run);
    struct lesson_show show = {.run = run,
                               .launch = fact->launch,
                               .block = fact->block,
                               .warp = fact->warp,
                               .step = fact->step == LAST ? LESSON_STEP_LAST : fact->step - 1,
                               .phase_first = "before",
                               .phase_last = "before",
                               .view = "lanes"};
    if (scene_open(&replay, traces[run], &show, &err) != 0)
        return fail_fact(fact, err.text);
    bool values = strncmp(fact->what, "in ", 3) == 0 || strncmp(fact->what, "out ", 4) == 0 ||
                  (strncmp(fact->what, "source ", 7) == 0 && !strstr(fact->what, "of"));
    return values ? check_lanes(fact, &replay) : check_set(fact, &replay);
}

static void lessons_agree_with_hand_worked_facts(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof facts / sizeof *facts;) {
        struct course_recordings recordings;
        struct error err = ERROR_INIT;
        const char *name = facts[i].lesson;
        const struct lesson *lesson = lesson_built_in_find(name);
        if (!lesson || course_record(lesson, NULL, &recordings, &err) != 0)
            fail_msg("%s: %s", name, lesson ? err.text : "there is no such lesson");
        for (; i < sizeof facts / sizeof *facts && strcmp(facts[i].lesson, name) == 0; i++)
            wrong += check_fact(&facts[i], lesson, recordings.traces);
        course_release(&recordings);
    }
    assert_int_equal(wrong, 0);
}

/* Every warp of every recording, step by step, against the oracle. */
static unsigned check_recording(const struct lesson *lesson, const struct trace *trace) {
    unsigned wrong = 0;
    for (uint64_t number = 0; number < trace_step_count(trace); number++) {
        struct trace_step step;
        struct error err = ERROR_INIT;
        if (trace_step(trace, number, &step, &err) != 0)
            fail_msg("%s: %s", lesson->name, err.text);
        if (oracle_disagreement(&step.operation)) {
            print_error("%s: step %u: lanes %#x\n", lesson->name, (unsigned)number,
                        (unsigned)oracle_disagreement(&step.operation));
            wrong++;
        }
    }
    return wrong;
}

static void every_step_follows_the_rules(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        struct course_recordings recordings;
        struct error err = ERROR_INIT;
        if (course_record(lesson, NULL, &recordings, &err) != 0)
            fail_msg("%s: %s", lesson->name, err.text);
        for (size_t run = 0; run < recordings.count; run++)
            wrong += check_recording(lesson, recordings.traces[run]);
        course_release(&recordings);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_agree_with_hand_worked_facts),
        cmocka_unit_test(every_step_follows_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
