/*
 * The placement of views: a screen of a given size consists, cell by cell, of what the views draw
 * into the parts listed in a table.
 *
 * The parts follow from what layout.c says. For 32 lanes in two halves a table has 17 rows,
 * including its heading. Wires have three columns per lane and their labels from 99 columns on:
 * views beside them get the rest. From 118 columns on there are views beside the lane table, which
 * keeps 76 columns, and from 170x47 on everything is shown. A requested view gets its space first.
 */
#include "view/moment.h"
#include "view/view.h"

#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct screen {
    const char *sample, *keys;
    int columns, rows;
    bool alone; /* a lesson's picture, beside its text */
    /* Each part is the view's letter, after a '+' if its first row is a heading, then its x, y,
     * columns and rows; or '|', then the x, y and rows of a divider. */
    const char *parts;
};

static const struct screen screens[] = {
    /* One view alone; lanes and wires from 23 rows on; a requested view where there is room for
     * it. */
    {"xor-3-w16", "5j lll 1 Escape", 80, 22, false, "L 0 0 80 22"},
    {"xor-3-w16", "5j lll 1 Escape", 80, 23, false, "L 0 0 80 17 +W 0 17 80 6"},
    {"xor-3-w16", "5j lll 1 Escape", 75, 32, false, "L 0 0 75 17 +W 0 17 75 15"},
    {"xor-3-w16", "5j lll 1 Escape", 75, 33, false, "L 0 0 75 33"},
    {"xor-3-w16", "5j lll 1 Escape", 76, 33, false, "L 0 0 76 17 +W 0 17 76 16"},
    {"xor-3-w16", "5j lll 1 Escape", 117, 34, false, "L 0 0 117 17 +W 0 17 117 17"},
    {"xor-3-w16", "5j lll 2 Escape", 80, 28, false, "W 0 0 80 28"},
    {"xor-3-w16", "5j lll 2 Escape", 80, 29, false, "L 0 0 80 17 +W 0 17 80 12"},
    {"xor-3-w16", "5j lll 2 Escape", 75, 33, false, "L 0 0 75 17 +W 0 17 75 16"},
    {"xor-3-w16", "5j lll 2 Escape", 117, 34, false, "L 0 0 117 17 +W 0 17 117 17"},
    {"xor-3-w16", "5j lll 3 Escape", 80, 23, false, "H 0 0 80 23"},
    {"xor-3-w16", "5j lll 3 Escape", 117, 40, false, "H 0 0 117 40"},
    {"xor-3-w16", "5j lll 4 Escape", 80, 29, false, "S 0 0 80 29"},
    {"xor-3-w16", "5j lll 4 Escape", 80, 30, false, "L 0 0 80 17 +S 0 17 80 13"},
    {"xor-3-w16", "5j lll 5 Escape", 80, 29, false, "E 0 0 80 29"},
    {"xor-3-w16", "5j lll 5 Escape", 80, 30, false, "L 0 0 80 17 +E 0 17 80 13"},
    {"xor-3-w16", "5j lll 5 Escape", 117, 34, false, "L 0 0 117 17 +E 0 17 117 17"},
    /* With views beside the lanes: the explanation, and the source below it where there is room
     * for both. */
    {"xor-3-w16", "5j lll 1 Escape", 118, 22, false, "L 0 0 77 22 | 77 0 22 +E 79 0 39 22"},
    {"xor-3-w16", "5j lll 1 Escape", 138, 22, false, "L 0 0 90 22 | 90 0 22 +E 92 0 46 22"},
    {"xor-3-w16", "5j lll 1 Escape", 139, 22, false, "L 0 0 99 22 | 99 0 22 +E 101 0 38 22"},
    {"xor-3-w16", "5j lll 1 Escape", 140, 22, false, "L 0 0 99 22 | 99 0 22 +E 101 0 39 22"},
    {"xor-3-w16", "5j lll 1 Escape", 180, 22, false, "L 0 0 118 22 | 118 0 22 +E 120 0 60 22"},
    {"xor-3-w16", "5j lll 1 Escape", 183, 22, false, "L 0 0 121 22 | 121 0 22 +E 123 0 60 22"},
    {"xor-3-w16", "5j lll 2 Escape", 118, 22, false, "W 0 0 77 22 | 77 0 22 +E 79 0 39 22"},
    {"xor-3-w16", "5j lll 2 Escape", 138, 22, false, "W 0 0 90 22 | 90 0 22 +E 92 0 46 22"},
    {"xor-3-w16", "5j lll 2 Escape", 139, 22, false, "W 0 0 99 22 | 99 0 22 +E 101 0 38 22"},
    {"xor-3-w16", "5j lll 4 Escape", 118, 22, false, "S 0 0 77 22 | 77 0 22 +E 79 0 39 22"},
    {"xor-3-w16", "5j lll 5 Escape", 118, 22, false, "L 0 0 77 22 | 77 0 22 +E 79 0 39 22"},
    {"xor-3-w16", "5j lll 3 Escape", 118, 30, false, "H 0 0 77 30 | 77 0 30 +E 79 0 39 30"},
    {"xor-3-w16", "5j lll 3 Escape", 118, 31, false,
     "H 0 0 77 31 | 77 0 31 +E 79 0 39 23 +S 79 23 39 8"},
    {"xor-3-w16", "5j lll 3 Escape", 118, 32, false,
     "H 0 0 77 32 | 77 0 32 +E 79 0 39 23 +S 79 23 39 9"},
    {"xor-3-w16", "5j lll 3 Escape", 169, 47, false,
     "H 0 0 111 47 | 111 0 47 +E 113 0 56 23 +S 113 23 56 24"},
    {"xor-3-w16", "5j lll 3 Escape", 170, 47, false,
     "H 0 0 112 47 | 112 0 47 +E 114 0 56 23 +S 114 23 56 24"},
    {"xor-3-w16", "5j lll 3 Escape", 183, 47, false,
     "H 0 0 121 47 | 121 0 47 +E 123 0 60 23 +S 123 23 60 24"},
    {"partial-mask", "5j llll 3 Escape", 118, 30, false, "H 0 0 77 30 | 77 0 30 +E 79 0 39 30"},
    {"partial-mask", "5j llll 3 Escape", 118, 31, false,
     "H 0 0 77 31 | 77 0 31 +E 79 0 39 23 +S 79 23 39 8"},
    {"partial-mask", "5j llll 3 Escape", 118, 32, false,
     "H 0 0 77 32 | 77 0 32 +E 79 0 39 24 +S 79 24 39 8"},
    {"partial-mask", "5j llll 3 Escape", 118, 40, false,
     "H 0 0 77 40 | 77 0 40 +E 79 0 39 32 +S 79 32 39 8"},
    {"xor-3-w16", "5j lll 1 Escape", 146, 22, false, "L 0 0 99 22 | 99 0 22 +E 101 0 45 22"},
    {"stopped", "G 8j 1 Escape", 118, 25, false, "L 0 0 77 25 | 77 0 25 +E 79 0 39 25"},
    /* Lanes and explanation above the wires, and the source below the wires from 35 rows on. */
    {"xor-3-w16", "5j lll 1 Escape", 118, 23, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 6"},
    {"xor-3-w16", "5j lll 1 Escape", 127, 23, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 49 17 +W 0 17 127 6"},
    {"xor-3-w16", "5j lll 1 Escape", 128, 23, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 50 17 +W 0 17 128 6"},
    {"xor-3-w16", "5j lll 1 Escape", 129, 23, false,
     "L 0 0 77 17 | 77 0 17 +E 79 0 50 17 +W 0 17 129 6"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 34, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 17"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 35, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 12 +S 0 29 118 6"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 41, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 18 +S 0 35 118 6"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 42, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 19 +S 0 36 118 6"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 43, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 19 +S 0 36 118 7"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 46, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 21 +S 0 38 118 8"},
    {"xor-3-w16", "5j lll 1 Escape", 169, 47, false,
     "L 0 0 117 17 | 117 0 17 +E 119 0 50 17 +W 0 17 169 21 +S 0 38 169 9"},
    {"xor-3-w16", "5j lll 1 Escape", 170, 46, false,
     "L 0 0 118 17 | 118 0 17 +E 120 0 50 17 +W 0 17 170 21 +S 0 38 170 8"},
    {"xor-3-w16", "5j lll 4 Escape", 118, 23, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +S 0 17 118 6"},
    {"xor-3-w16", "5j lll 4 Escape", 118, 35, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +S 0 17 118 18"},
    {"xor-3-w16", "5j lll 5 Escape", 118, 35, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 12 +S 0 29 118 6"},
    /* All of these views. */
    {"xor-3-w16", "5j lll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +E 46 0 124 11 +S 46 11 124 24 +W 0 35 170 12"},
    {"xor-3-w16", "5j lll 1 Escape", 210, 60, false,
     "L 0 0 44 35 | 44 0 35 +E 46 0 164 11 +S 46 11 164 24 +W 0 35 210 25"},
    {"xor-3-w16", "5j lll 5 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +E 46 0 124 23 +S 46 23 124 12 +W 0 35 170 12"},
    {"partial-mask", "5j llll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +E 46 0 124 23 +S 46 23 124 12 +W 0 35 170 12"},
    {"reduce", "n lll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 37 35 | 83 0 35 +E 85 0 85 11 +S 85 11 85 24 +W 0 35 170 12"},
    {"tree", "n llll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 33 35 | 79 0 35 +E 81 0 89 11 +S 81 11 89 24 +W 0 35 170 12"},
    {"ballot", "3j ll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 42 35 | 88 0 35 +E 90 0 80 11 +S 90 11 80 24 +W 0 35 170 12"},
    {"threads-35", "w llll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 21 35 | 67 0 35 +E 69 0 101 23 +S 69 23 101 12 +W 0 35 170 12"},
    {"sort", "2j lll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 29 35 | 75 0 35 +E 77 0 93 11 +S 77 11 93 24 +W 0 35 170 12"},
    {"double", "9j llll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +E 46 0 124 11 +S 46 11 124 24 +W 0 35 170 12"},
    {"pairs", "n llll 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 29 35 | 75 0 35 +E 77 0 93 11 +S 77 11 93 24 +W 0 35 170 12"},
    {"match", "4j 1 Escape", 170, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 56 35 | 102 0 35 +E 104 0 66 11 +S 104 11 66 24 +W 0 35 170 "
     "12"},
    {"match", "4j 1 Escape", 195, 47, false,
     "L 0 0 44 35 | 44 0 35 +H 46 0 64 35 | 110 0 35 +E 112 0 83 11 +S 112 11 83 24 +W 0 35 195 "
     "12"},
    /* Bits, which are below the lanes from 30 rows on; there is no source. */
    {"ballot", "3j ll 1 Escape", 80, 29, false, "L 0 0 80 29"},
    {"ballot", "3j ll 1 Escape", 80, 30, false, "L 0 0 80 17 +W 0 17 80 13"},
    {"ballot", "3j ll 1 Escape", 118, 29, false, "L 0 0 77 29 | 77 0 29 +E 79 0 39 29"},
    {"ballot", "3j ll 1 Escape", 118, 30, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 13"},
    {"ballot", "3j ll 1 Escape", 118, 36, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 19"},
    {"ballot", "3j ll 2 Escape", 80, 22, false, "W 0 0 80 22"},
    {"ballot", "3j ll 2 Escape", 80, 30, false, "L 0 0 80 17 +W 0 17 80 13"},
    {"ballot", "3j ll 2 Escape", 118, 30, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 13"},
    {"ballot", "3j ll 2 Escape", 118, 35, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 18"},
    {"ballot", "3j ll 4 Escape", 80, 29, false, "S 0 0 80 29"},
    {"ballot", "3j ll 4 Escape", 80, 30, false, "L 0 0 80 17 +S 0 17 80 13"},
    {"match", "4j ll 1 Escape", 118, 39, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 22"},
    {"match", "4j ll 1 Escape", 118, 40, false, "L 0 0 44 40 | 44 0 40 +E 46 0 72 40"},
    /* Wires that are not visible yet leave the other rows to the source, and so does a watched
     * value. */
    {"xor-3-w16", "5j 2 Escape", 80, 9, false, "W 0 0 80 9"},
    {"xor-3-w16", "5j 2 Escape", 80, 14, false, "W 0 0 80 14"},
    {"xor-3-w16", "5j 2 Escape", 80, 15, false, "W 0 0 80 10 +S 0 10 80 5"},
    {"xor-3-w16", "5j 2 Escape", 80, 33, false, "W 0 0 80 10 +S 0 10 80 23"},
    {"xor-3-w16", "5j 2 Escape", 80, 34, false, "L 0 0 80 17 +W 0 17 80 17"},
    {"xor-3-w16", "5j 2 Escape", 118, 22, false, "W 0 0 77 22 | 77 0 22 +E 79 0 39 22"},
    {"xor-3-w16", "5j 1 Escape", 118, 35, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 11 +S 0 28 118 7"},
    {"xor-3-w16", "5j 1 Escape", 118, 36, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 11 +S 0 28 118 8"},
    {"double", "2 Escape", 80, 22, false, "W 0 0 80 22"},
    {"reduce", "G ll 2 Escape", 80, 9, false, "W 0 0 80 3 +S 0 3 80 6"},
    {"reduce", "G ll 2 Escape", 80, 10, false, "W 0 0 80 5 +S 0 5 80 5"},
    {"reduce", "G ll 2 Escape", 80, 33, false, "W 0 0 80 5 +S 0 5 80 28"},
    {"reduce", "G ll 2 Escape", 117, 34, false, "L 0 0 117 17 +W 0 17 117 17"},
    {"reduce", "G ll 2 Escape", 118, 33, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 16"},
    {"reduce", "G ll 2 Escape", 118, 34, false, "L 0 0 44 34 | 44 0 34 +E 46 0 72 34"},
    {"reduce", "G ll 2 Escape", 118, 41, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 5 +S 0 22 118 19"},
    {"reduce", "G ll 4 Escape", 118, 34, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +S 0 17 118 17"},
    {"stopped", "G 8j 2 Escape", 80, 15, false, "W 0 0 80 15"},
    {"stopped", "G 8j 2 Escape", 80, 16, false, "W 0 0 80 11 +S 0 11 80 5"},
    {"stopped", "G 8j 2 Escape", 80, 20, false, "W 0 0 80 11 +S 0 11 80 9"},
    {"stopped", "G 8j 2 Escape", 80, 33, false, "W 0 0 80 11 +S 0 11 80 22"},
    {"stopped", "G 8j 2 Escape", 118, 30, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 13"},
    {"stopped", "G 8j 2 Escape", 118, 35, false,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 11 +S 0 28 118 7"},
    {"barrier", "n 2 Escape", 118, 33, false, "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 16"},
    {"barrier", "n 2 Escape", 118, 34, false, "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 17"},
    {"barrier", "n 2 Escape", 118, 36, false, "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 19"},
    {"barrier", "n 1 Escape", 118, 34, false, "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 17"},
    {"barrier", "n 1 Escape", 118, 36, false, "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 19"},
    {"barrier", "n 4 Escape", 118, 34, false, "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +S 0 17 118 17"},
    {"match", "4j 1 Escape", 118, 34, false, "L 0 0 44 34 | 44 0 34 +E 46 0 72 34"},
    {"match", "4j 1 Escape", 118, 40, false, "L 0 0 44 40 | 44 0 40 +E 46 0 72 40"},
    /* Memory is below the lanes where there is room for both, and an explanation is beside them on
     * a wide screen. */
    {"shared", "n ll 9j 2 Escape", 80, 22, false, "W 0 0 80 22"},
    {"shared", "n ll 9j 2 Escape", 80, 30, false, "L 0 0 80 17 +W 0 17 80 13"},
    {"shared", "n ll 9j 2 Escape", 118, 23, false, "W 0 0 77 23 | 77 0 23 +E 79 0 39 23"},
    {"shared", "n ll 9j 2 Escape", 118, 30, false,
     "L 0 0 77 17 +W 0 17 77 13 | 77 0 30 +E 79 0 39 30"},
    {"shared", "n ll 9j 2 Escape", 129, 41, false,
     "L 0 0 84 17 +W 0 17 84 24 | 84 0 41 +E 86 0 43 23 +S 86 23 43 18"},
    {"shared", "n ll 9j 2 Escape", 169, 47, false,
     "L 0 0 111 17 +W 0 17 111 30 | 111 0 47 +E 113 0 56 23 +S 113 23 56 24"},
    {"shared", "n ll 9j 2 Escape", 170, 46, false,
     "L 0 0 112 17 +W 0 17 112 29 | 112 0 46 +E 114 0 56 23 +S 114 23 56 23"},
    {"shared", "n ll 9j 2 Escape", 170, 47, false,
     "L 0 0 108 17 +W 0 17 108 30 | 108 0 47 +E 110 0 60 23 +S 110 23 60 24"},
    {"shared", "n ll 9j 2 Escape", 250, 60, false,
     "L 0 0 188 17 +W 0 17 188 43 | 188 0 60 +E 190 0 60 23 +S 190 23 60 37"},
    {"shared", "n ll 9j 1 Escape", 118, 29, false, "L 0 0 77 29 | 77 0 29 +E 79 0 39 29"},
    {"shared", "n ll 9j 1 Escape", 118, 30, false,
     "L 0 0 77 17 +W 0 17 77 13 | 77 0 30 +E 79 0 39 30"},
    {"shared", "n ll 9j 5 Escape", 118, 35, false,
     "L 0 0 77 17 +W 0 17 77 18 | 77 0 35 +E 79 0 39 35"},
    {"shared", "n ll 9j 4 Escape", 118, 35, false,
     "L 0 0 77 17 +S 0 17 77 18 | 77 0 35 +E 79 0 39 35"},
    /* All rounds are alone if they would otherwise not have three columns per lane. */
    {"reduce", "n lll", 80, 22, false, "R 0 0 80 22"},
    {"reduce", "n lll", 117, 50, false, "R 0 0 117 50"},
    {"reduce", "n lll", 118, 22, false, "R 0 0 118 22"},
    {"reduce", "n lll", 138, 40, false, "R 0 0 138 40"},
    {"reduce", "n lll", 139, 40, false, "R 0 0 99 40 | 99 0 40 +E 101 0 38 23 +S 101 23 38 17"},
    {"reduce", "n lll", 170, 47, false, "R 0 0 112 47 | 112 0 47 +E 114 0 56 23 +S 114 23 56 24"},
    /* Beside a lesson's text, the code is below the picture where there is room for both. */
    {"xor-3-w16", "5j lll 1 Escape", 80, 22, true, "L 0 0 80 22"},
    {"xor-3-w16", "5j lll 1 Escape", 80, 23, true, "L 0 0 80 17 +S 0 17 80 6"},
    {"xor-3-w16", "5j lll 1 Escape", 117, 33, true, "L 0 0 117 17 +S 0 17 117 16"},
    {"xor-3-w16", "5j lll 1 Escape", 117, 34, true, "L 0 0 117 17 +S 0 17 117 17"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 22, true, "L 0 0 118 22"},
    {"xor-3-w16", "5j lll 1 Escape", 118, 23, true,
     "L 0 0 76 17 | 76 0 17 +E 78 0 40 17 +W 0 17 118 6"},
    {"xor-3-w16", "5j lll 2 Escape", 80, 22, true, "W 0 0 80 22"},
    {"xor-3-w16", "5j lll 2 Escape", 80, 23, true, "L 0 0 80 17 +W 0 17 80 6"},
    {"xor-3-w16", "5j lll 2 Escape", 80, 29, true, "L 0 0 80 17 +W 0 17 80 12"},
    {"xor-3-w16", "5j lll 2 Escape", 117, 34, true, "L 0 0 117 17 +W 0 17 117 17"},
    {"xor-3-w16", "5j lll 3 Escape", 80, 22, true, "H 0 0 80 22"},
    {"xor-3-w16", "5j lll 3 Escape", 80, 23, true, "H 0 0 80 18 +S 0 18 80 5"},
    {"xor-3-w16", "5j lll 3 Escape", 117, 33, true, "H 0 0 117 18 +S 0 18 117 15"},
    {"xor-3-w16", "5j lll 3 Escape", 117, 34, true, "H 0 0 117 34"},
    {"xor-3-w16", "5j lll 3 Escape", 118, 23, true, "H 0 0 77 23 | 77 0 23 +E 79 0 39 23"},
    {"xor-3-w16", "5j lll 4 Escape", 80, 29, true, "S 0 0 80 29"},
    {"xor-3-w16", "5j lll 4 Escape", 80, 30, true, "L 0 0 80 17 +S 0 17 80 13"},
    {"xor-3-w16", "5j lll 5 Escape", 80, 22, true, "E 0 0 80 22"},
    {"xor-3-w16", "5j lll 5 Escape", 80, 23, true, "E 0 0 80 14 +S 0 14 80 9"},
    {"xor-3-w16", "5j lll 5 Escape", 117, 33, true, "E 0 0 117 24 +S 0 24 117 9"},
    {"xor-3-w16", "5j lll 5 Escape", 117, 34, true, "L 0 0 117 17 +E 0 17 117 17"},
    {"double", "llll 1 Escape", 80, 22, true, "L 0 0 80 22"},
    {"double", "llll 1 Escape", 80, 23, true, "L 0 0 80 17 +W 0 17 80 6"},
    {"double", "llll 3 Escape", 80, 23, true, "H 0 0 80 23"},
    {"double", "llll 5 Escape", 80, 29, true, "E 0 0 80 29"},
    {"xor-3-w16", "5j 2 Escape", 80, 15, true, "W 0 0 80 10 +S 0 10 80 5"},
    {"xor-3-w16", "5j 2 Escape", 80, 23, true, "W 0 0 80 10 +S 0 10 80 13"},
};

static enum view_kind kind_of(char letter) {
    static const char letters[] = "LWHSER";
    const char *at = strchr(letters, letter);
    assert_non_null(at);
    return (enum view_kind)(at - letters);
}

/* A rule with the view's name; a click on it chooses the view. */
static void draw_name(struct area area, const struct moment *moment, enum view_kind kind) {
    const bool chosen = replay_view(moment->replay) == kind;
    draw_rule(area, 0);
    if (area.columns > 14)
        area_format(area, 1, 0, style_role(chosen ? STYLE_ACTIVE : STYLE_LABEL), " %s ",
                    view_label(moment, kind));
    area_hit(area, 0, 0, area.columns, 1, ACTION_VIEW_GO, kind);
}

static void draw_parts(struct area area, const struct moment *moment, const char *parts) {
    int x, y, columns, rows, length;
    char sign[3];
    while (sscanf(parts, " %2[+|LWHSER] %d %d %d%n", sign, &x, &y, &columns, &length) == 4) {
        parts += length;
        if (sign[0] == '|') { /* the third number is the divider's rows */
            draw_divider(area_within(area, 0, y, area.columns, columns), x);
            continue;
        }
        assert_int_equal(sscanf(parts, "%d%n", &rows, &length), 1);
        parts += length;
        const bool headed = sign[0] == '+';
        const enum view_kind kind = kind_of(sign[headed]);
        if (headed)
            draw_name(area_within(area, x, y, columns, 1), moment, kind);
        view_of(kind)->draw(area_within(area, x, y + headed, columns, rows - headed), moment);
    }
    assert_int_equal(strspn(parts, " "), strlen(parts));
}

static void compare(const struct grid *grid, const struct grid *expected,
                    const struct screen *screen) {
    for (int i = 0; i < grid->columns * grid->rows; i++) {
        const struct cell *cell = &grid->cells[i], *other = &expected->cells[i];
        if (cell->glyph != other->glyph || cell->hit.action != other->hit.action ||
            cell->hit.argument != other->hit.argument ||
            memcmp(&cell->style, &other->style, sizeof cell->style) != 0)
            fail_msg("%s, %s at %dx%d: cell %d,%d is not of: %s", screen->sample, screen->keys,
                     screen->columns, screen->rows, i % grid->columns, i / grid->columns,
                     screen->parts);
    }
}

static void parts_are_where_they_belong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        const struct screen *screen = &screens[i];
        struct trace *trace = sample_open(screen->sample);
        struct replay replay;
        struct moment moment;
        struct grid grid, expected;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, screen->keys);
        assert_true(moment_init(&moment, &replay));
        grid_init(&grid, screen->columns, screen->rows, false);
        grid_init(&expected, screen->columns, screen->rows, false);
        (screen->alone ? layout_draw_alone : layout_draw)(grid_area(&grid), &moment);
        draw_parts(grid_area(&expected), &moment, screen->parts);
        compare(&grid, &expected, screen);
        assert_false(grid.failed_to_fit);
        grid_release(&grid);
        grid_release(&expected);
        trace_close(trace);
    }
}

/* The names in moment.h: the wires are named after their picture, "waits" if the run stopped. */
static void views_have_names(void **state) {
    (void)state;
    static const struct {
        const char *sample, *keys, *name;
    } cases[] = {{"xor-3-w16", "", "wires"}, {"ballot", "", "bits"},
                 {"match", "", "groups"},    {"reductions", "", "arithmetic"},
                 {"barrier", "n", "waits"},  {"stopped", "G", "waits"},
                 {"shared", "", "memory"},   {"global", "", "memory"}};
    static const char *const names[] = {"lanes",   "wires",  "history",   "source",
                                        "explain", "rounds", "variables", "block"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = sample_open(cases[i].sample);
        struct replay replay;
        struct moment moment;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, cases[i].keys);
        assert_true(moment_init(&moment, &replay));
        for (int kind = 0; kind < VIEW_KIND_COUNT; kind++) {
            assert_string_equal(view_of((enum view_kind)kind)->name, names[kind]);
            assert_string_equal(view_label(&moment, (enum view_kind)kind),
                                kind == VIEW_WIRES ? cases[i].name : names[kind]);
        }
        /* The explanation is requested, or the screen is wide enough for it. */
        assert_int_equal(layout_has_explanation(&replay, 117), false);
        assert_int_equal(layout_has_explanation(&replay, 118), true);
        script_run(&replay, "5 Escape");
        assert_int_equal(layout_has_explanation(&replay, 60), true);
        trace_close(trace);
    }
}

/* In 14 columns a name would touch the other part, so the rule has no name. The chosen view is lit,
 * and a click on the rule chooses its view. */
static void a_narrow_part_has_no_name(void **state) {
    (void)state;
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    struct moment moment;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    script_run(&replay, "4 Escape");
    assert_true(moment_init(&moment, &replay));
    for (int columns = 14; columns <= 15; columns++) {
        struct grid grid;
        grid_init(&grid, columns, 40, false);
        layout_draw(grid_area(&grid), &moment);
        const struct cell *rule = &grid.cells[17 * columns];
        assert_int_equal(rule[0].glyph, 0x2500);
        assert_int_equal(rule[2].glyph, columns == 15 ? 's' : 0x2500);
        assert_int_equal(rule[2].style.role, columns == 15 ? STYLE_ACTIVE : STYLE_DIM);
        assert_int_equal(rule[columns - 1].hit.action, ACTION_VIEW_GO);
        assert_int_equal(rule[columns - 1].hit.argument, VIEW_SOURCE);
        grid_release(&grid);
    }
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_where_they_belong),
                                       cmocka_unit_test(views_have_names),
                                       cmocka_unit_test(a_narrow_part_has_no_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
