/*
 * The findings of memory_check.h: unordered accesses, accesses out of bounds, uninitialized reads.
 * Each case is a text (memory_rules.h) and its findings, from that header and the CUDA C++
 * Programming Guide, "Memory Fence Functions", "Synchronization Functions".
 */
#include "memory_rules.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

struct rule_case {
    const char *text, *found;
};

static void play(const struct rule_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char found[1024];
        rules_reset();
        rules_play(cases[i].text);
        rules_found(found, sizeof found);
        if (strcmp(found, cases[i].found) != 0)
            print_error("\"%s\": \"%s\" is found\n", cases[i].text, found);
        assert_string_equal(found, cases[i].found);
    }
}
#define PLAY(cases) play(cases, sizeof(cases) / sizeof(cases)[0])

/* ---- races ---- */

static void test_races(void **state) {
    static const struct rule_case cases[] = {
        {"ws0 t1 rs0", "S2<1"},
        {"wh0 t1 rh0", "G2<1"},
        {"wx0 t1 rx0", "S2<1"},
        {"wy28 t1 ry28", "S2<1"},
        {"wi0 t1 ri0", "G2<1"},
        {"ws0 rs0 ws0", ""}, /* a lane's own accesses, in program order */
        {"rh0 t1 wh0", "G2<1"},
        {"rh0 t1 rh0", ""},
        {"ws0 t1 ws0", "S2<1"},
        {"ws0 t1 ks0", ""}, /* the same value */
        {"ws0 t1 ks0 t2 ws0", "S3<2"},
        {"ws0 t1 ks0 | ws0", ""},
        {"wh0+16 t1 wh0+16", "G2<1"},
        {"wh0+16 t1 kh0+16", ""},
        {"wh0+17 t1 kh0+17", "G2<1"}, /* too large to be checked */
        /* The last read is remembered, or the last two if they are unordered. */
        {"rh0 t1 rh0 t2 wh0", "G3<1"},
        {"rh0 t1 rh0 t0 wh0", "G3<2"},
        {"rh0 t1 rh0 t1 wh0", "G3<1"},
        {"rh0 t1 rh0 t2 rh0 t0 wh0", "G4<3"},
        {"rh0 rh0 t1 wh0", "G3<2"},
        {"rh0 | rh0 t1 wh0", "G3<2"},
        {"rh0 t1 rh0 | t2 rh0 t1 wh0", "G4<3"},
        /* Later accesses are compared with the write. */
        {"wh0 | t1 wh0 t0 rh0", "G3<2"},
        {"wh0 t1 wh0 t2 rh0", "G2<1 G3<2"},
    };
    (void)state;
    PLAY(cases);
}

static void test_bytes(void **state) {
    static const struct rule_case cases[] = {
        {"wh0+1 t1 rh1+1", ""},
        {"wh1+1 t1 rh0+1", ""},
        {"wh0+1 t1 rh0+1", "G2<1"},
        {"wh3+1 t1 rh3+1", "G2<1"},
        {"wh3+1 t1 rh2+1", ""},
        {"wh3+1 t1 rh4+1", ""},
        {"wh0+4 t1 rh3+2", "G2<1"},
        {"wh4+4 t1 rh3+2", "G2<1"},
        {"wh0+3 t1 rh3+2", ""},
        {"wh5+3 t1 rh3+2", ""},
        {"wh0+2 t1 rh1+2", "G2<1"},
        {"wh0+2 t1 rh2+2", ""},
        {"wh0+16 t1 rh12", "G2<1"},
        {"wh0+16 t1 rh16", ""},
        {"wh15+1 t1 rh0+16", "G2<1"},
        {"wh16+1 t1 rh0+16", ""},
        {"rh0+1 t1 wh1+1", ""},
        {"rh1+1 t1 wh1+1", "G2<1"},
        {"rh1+1 t1 rh2+1 t2 wh2+1", "G3<2"},
        {"rh1+1 t1 rh2+1 t2 wh3+1", ""},
        /* Both accesses count if their lane does nothing in between. */
        {"wh0+1 wh1+1 t1 rh0+1", "G3<2"},
        {"rh0+1 rh1+1 t1 wh0+1", "G3<2"},
        {"rh0+1 rh1+1 t1 wh2+1", ""},
        {"wh0+1 | wh1+1 t1 rh0+1", ""},
    };
    (void)state;
    PLAY(cases);
}

/* Two atomic accesses are not a race. Old programs signal through volatile variables in global
 * memory; in shared memory such variables replace barriers. */
static void test_atomic(void **state) {
    static const struct rule_case cases[] = {
        {"ah0 t1 ah0", ""},
        {"as0 t1 as0", ""},
        {"ah0 t1 rh0", "G2<1"},
        {"rh0 t1 ah0", "G2<1"},
        {"wh0 t1 ah0", "G2<1"},
        {"ah0 t1 wh0", "G2<1"},
        {"ah0 t1 kh0", "G2<1"}, /* atomic: it does not matter whether it changes anything */
        {"ah0 t1 lh0", ""},
        {"lh0 t1 ah0", ""},
        {"lh0 t1 wh0", "G2<1"},
        {"wh0 t1 lh0", "G2<1"},
        {"lh0 t1 rh0", ""},
        {"( rh0 wh0 ) t1 ( rh0 wh0 )", ""},
        {"( rh0 wh0 ) t1 rh0", "G3<2"},
        {"rh0 t1 ( rh0 wh0 )", "G3<1"},
        {"wh0 t1 ( rh0 wh0 )", "G2<1 G3<1"},
        {"( rh0 ) t1 wh0", ""}, /* only an atomic write would count */
        {"Vh0 t1 vh0", ""},
        {"Vi0 t1 vi0", ""},
        {"Vh0 t1 rh0", "G2<1"},
        {"Vs0 t1 vs0", "S2<1"},
        {"Vx0 t1 vx0", "S2<1"},
        {"vs0 t1 Vs0", "U1 S2<1"},
        /* A thread's atomic write does not excuse its plain write. */
        {"wh0 ah0 t1 ah0", "G3<1"},
        {"ws0 as0 t1 as0", "S3<1"},
        {"wh0 | ah0 t1 ah0", ""},
        {"wh0 | ah0 B1 ah0", "G3<1"},
        {"wh0 ah0 t1 rh0", "G3<1"},
        {"ah0 | wh0 | ah0 t1 ah0", ""},
        {"ah0 | wh0 | ah0 t1 rh0", "G4<3"},
        {"ah0 wh0 t1 ah0", "G3<2"},
        {"wh0 | ah0 L B0 t1 ah0", ""},
        {"wh0 f ah0 B1 ah0", ""}, /* a lane that sees its atomic write sees the plain write */
        {"wh0 f Vh4 B1 vh4 ah0", ""},
        {"wh0+1 ah0 t1 ah0", "G3<1"},
        {"wh0+1 ah4 t1 ah4", ""},
    };
    (void)state;
    PLAY(cases);
}

/* ---- order ---- */

static void test_barriers(void **state) {
    static const struct rule_case cases[] = {
        {"ws0 | t1 rs0", ""},
        {"ws0 | t200 rs0", ""},
        {"ws0 | ws0 t1 rs0", "S3<2"},
        {"rh0 | t1 wh0", ""},
        {"wh0 L B0 t1 rh0", ""},
        {"wh0 B1 rh0", "G2<1"}, /* another block, whatever the lane's number */
        {"wh0 B1 t5 rh0", "G2<1"},
        {"wh0 B1 | rh0", "G2<1"}, /* each block has its own barrier */
        {"wh0 | B1 rh0", "G2<1"},
        {"rh0 B1 wh0", "G2<1"},
        {"wh0 G t1 rh0", ""},
        {"wh0 P1 G rh0", ""},
        {"wh0 P1 wh4 b0 rh4", "G3<2"},
        {"wh0 P1 wh4 b0 | rh4", "G3<2"},
        {"wh0 P1 | b0 t1 rh0", "G2<1"},
        {"P1 wh0 P2 wh4 b1 | t1 rh0", ""},
        {"P1 wh0 P2 wh4 b1 | b2 t1 rh4", "G3<2"},
        /* Each block has its own shared memory. */
        {"ws0 B1 ws0", ""},
        {"ws0 B1 t1 rs0", "U2"},
        {"ws0 P1 t1 ws0", ""},
    };
    (void)state;
    PLAY(cases);
}

static void test_syncwarp(void **state) {
    static const struct rule_case cases[] = {
        {"ws0 j0:3 t1 rs0", ""},
        {"ws0 j0:2 t1 rs0", "S2<1"}, /* the writer was not in the mask */
        {"ws0 j0:5 t1 rs0", "S2<1"}, /* the reader was not in it */
        {"ws0 j0:3 ws0 t1 rs0", "S3<2"},
        {"ws0 j0:3 j0:6 t2 rs0", ""}, /* lane 1 passes it on */
        {"ws0 j0:6 j0:3 t2 rs0", "S2<1"},
        {"ws0 j0:6 j0:3 t1 rs0", ""},
        {"ws0 j0:3 j0:6 j0:c t3 rs0", ""},
        {"t1 ws0 j0:6 j0:c t3 rs0", ""},
        {"t30 ws0 j0:60000000 j0:a0000000 t31 rs0", ""},
        {"ws0 j0:3 ws0 j0:6 t2 rs0", "S3<2"},
        {"t1 ws0 t2 ws4 j0:7 t0 rs0 rs4", ""},
        {"ws0 j0:3 t2 ws4 j0:6 t1 rs0 rs4", ""},
        {"t31 ws0 j0:c0000000 t30 rs0", ""},
        {"t31 ws0 j0:40000000 t30 rs0", "S2<1"},
        {"t32 ws0 j1:80000001 t63 rs0", ""},
        {"t32 ws0 j0:80000001 t63 rs0", "S2<1"},
        {"ws0 j0:ffffffff j1:ffffffff t32 rs0", "S2<1"}, /* it does not synchronize two warps */
        {"t32 ws0 j1:ffffffff j0:ffffffff t0 rs0", "S2<1"},
        {"rh0 j0:3 t1 wh0", ""},
        {"wh0 j0:3 L B0 wh0 t1 rh0", "G3<2"},
        {"ws0 j0:3 B1 ws0 t1 rs0", "S3<2"}, /* the __syncwarp() is the previous block's */
    };
    (void)state;
    PLAY(cases);
}

/* A fence, then an atomic or volatile write, seen by an atomic or volatile read. */
static void test_fences(void **state) {
    static const struct rule_case cases[] = {
        {"wh0 f Vh4 t40 vh4 rh0", ""},
        {"wh0 f ah4 t40 ah4 rh0", ""},
        {"wh0 f ah4 t40 lh4 rh0", ""},
        {"wh0 f as4 t40 ls4 rh0", ""},
        {"wh0 f Vh4 B1 vh4 rh0", ""},
        {"wh0 f Vh4 B1 vh4 wh0", ""},
        {"wh0 Vh4 t40 vh4 rh0", "G4<1"},
        {"wh0 Vh4 f t40 vh4 rh0", "G4<1"},
        {"wh0 f vh4 t40 vh4 rh0", "G4<1"}, /* no write announces it */
        {"wh0 f Vh4 t40 rh0 vh4", "G3<1"}, /* the read comes too soon */
        {"wh0 f Vh4 t40 vh8 rh0", "G4<1"}, /* another variable */
        {"wh0 f Vh4 t40 vh4 t41 rh0", "G4<1"},
        {"wh0 f wh0 Vh4 t40 vh4 rh0", "G5<2"},
        {"wh0 f Vh4 wh0 t40 vh4 rh0", "G5<3"},
        {"wh0 f Vh4 t40 vh4 f Vh8 t80 vh8 rh0", ""}, /* lane 40 passes it on */
        {"wh0 f Vh4 t40 vh4 Vh8 t80 vh8 rh0", "G6<1"},
        /* A fence covers what its lane had learned before it. */
        {"t40 f t0 wh0 f Vh4 t40 vh4 Vh8 t80 vh8 rh0", "G6<1"},
        /* A fence does not cover what other lanes did on their own. */
        {"wh0 t1 f Vh4 t40 vh4 rh0", "G4<1"},
        {"wh0 | t1 f Vh4 t40 vh4 rh0", ""},
        {"wh0 j0:3 t1 f Vh4 t40 vh4 rh0", ""},
        {"wh0 j0:5 t1 f Vh4 t40 vh4 rh0", "G4<1"},
        {"wh0 t1 wh8 f ah4 t0 f ah4 t2 f ah4 t3 f ah4 t5 f ah4 t6 f ah4 t7 f ah4 B1 lh4 rh0 rh8",
         ""},
        {"t9 wh0 t1 f ah4 t0 f ah4 t2 f ah4 t3 f ah4 t5 f ah4 t6 f ah4 t7 f ah4 B1 lh4 rh0",
         "G10<1"},
        /* The first release is still seen after a second one. */
        {"t3 f t0 wh0 f Vh4 t3 Vh4 t40 vh4 rh0", ""},
        /* One lane's fence after a barrier counts for all lanes. */
        {"t5 wh0 f | t0 Vh4 B1 vh4 rh0", ""},
        {"t5 wh0 f t0 Vh4 B1 vh4 rh0", "G4<1"},
        {"wh0 f Vh4 B1 vh4 | t1 rh0", ""},
        {"wh0 f Vh4 B1 vh4 | t255 rh0", ""},
        {"wh0 f Vh4 B1 vh4 t1 rh0", "G4<1"},
        {"wh0 f Vh4 B1 t1 vh4 | t0 rh0", ""},
        {"wh0 f Vh4 B1 vh4 j0:3 t1 rh0", ""},
        {"wh0 f Vh4 B1 vh4 j0:6 t1 rh0", "G4<1"},
        {"wh0 f Vh4 B1 t32 vh4 j1:3 t33 rh0", ""},
        {"wh0 f Vh4 B1 t33 vh4 j1:3 t32 rh0", ""},
        {"t33 wh0 f j1:3 t32 Vh4 B1 vh4 rh0", ""},
        {"t5 wh0 f j0:21 t0 Vh4 B1 vh4 rh0", ""},
        {"t5 wh0 f j0:1 t0 Vh4 B1 vh4 rh0", "G4<1"},
        {"t37 wh0 f j1:21 t32 Vh4 B1 vh4 rh0", ""},
        /* Knowledge that a lane gained and passed on is forgotten with its block. */
        {"wh0 f Vh4 B1 t40 vh4 B2 t40 rh0", "G4<1"},
        {"wh0 f Vh4 B1 t200 vh4 B2 t200 rh0", "G4<1"},
        {"wh0 f B1 Vh4 B2 vh4 rh0", "G4<1"},
        {"t200 wh0 f B1 t200 Vh4 B2 vh4 rh0", "G4<1"},
    };
    (void)state;
    PLAY(cases);
}

/* Orders and scopes of atomic operations: 16 relaxed, 32 release, 8 of the block, 64 load, 128
 * store. */
static void test_orders(void **state) {
    static const struct rule_case cases[] = {
        {"wh0 m176 ( rh4 wh4 ) B1 m64 ( rh4 wh4 ) rh0", ""},     /* store-release, load-acquire */
        {"wh0 m144 ( rh4 wh4 ) B1 m64 ( rh4 wh4 ) rh0", "G6<1"}, /* a relaxed store */
        {"wh0 f m144 ( rh4 wh4 ) B1 m64 ( rh4 wh4 ) rh0", ""},
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) rh0", "G6<1"}, /* a relaxed load */
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) f rh0", ""},
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) t1 f rh0", "G6<1"}, /* another lane's fence */
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) | t1 rh0", ""},
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) j0:3 t1 rh0", ""},
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) j0:6 t1 rh0", "G6<1"},
        {"wh0 m32 ( rh4 wh4 ) B1 m32 ( rh4 wh4 ) rh0", ""}, /* both acquire and release */
        {"m176 ( rh4 wh4 ) wh0 m144 ( rh4 wh4 ) B1 m64 ( rh4 wh4 ) rh0", "G8<3"},
        {"wh0 f B1 m64 ( rh4 wh4 ) B2 m64 ( rh4 wh4 ) rh0", "G6<1"}, /* a load announces nothing */
        {"wh0 f m64 ( rh4 wh4 ) B1 m64 ( rh4 wh4 ) rh0", "G6<1"},
        {"wh0 m176 ( rh4 wh4 ) B1 m144 ( rh4 wh4 ) f rh0", "G6<1"}, /* a store learns nothing */
        {"m64 ( rh4 wh4 ) B1 rh4", ""},                             /* two loads */
        {"m64 ( rh4 wh4 ) B1 wh4", "G3<1"},
        /* The scope of a block. */
        {"wh0 m8 f m144 ( rh4 wh4 ) B1 m64 ( rh4 wh4 ) rh0", "G6<1"},
        {"wh0 m8 f m144 ( rh4 wh4 ) t40 m64 ( rh4 wh4 ) rh0", ""},
        {"wh0 m184 ( rh4 wh4 ) t40 m72 ( rh4 wh4 ) rh0", ""},
        {"wh0 m184 ( rh4 wh4 ) B1 m72 ( rh4 wh4 ) rh0", "G4<3 G6<1"},
        {"wh0 m176 ( rh4 wh4 ) t40 m72 ( rh4 wh4 ) rh0", ""},
        {"wh0 m176 ( rh4 wh4 ) B1 m80 ( rh4 wh4 ) m8 f rh0", "G6<1"},
        {"ws0 m176 ( rs4 ws4 ) t40 m64 ( rs4 ws4 ) rs0", "U2"},
        {"ws0 m160 ( ws4 ) P1 m64 ( rs4 ) P2 m64 ( rs4 ) t1 rs4", ""},
    };
    (void)state;
    PLAY(cases);
}

/* A barrier of some warps orders the accesses before it for every lane that continues. */
static void test_named(void **state) {
    static const struct rule_case cases[] = {
        {"ws0 n t40 n N rs0", ""},
        {"t40 n t0 ws0 n N t40 N rs0", ""},
        {"ws0 n t40 n rs0", "S2<1"}, /* bar.arrive waits for nobody */
        {"t40 n t0 ws0 n ws0 t40 N rs0", "S3<2"},
        {"ws0 n t40 n N t80 rs0", "S2<1"}, /* lane 80 did not arrive */
        {"t40 n N t0 rs4 n t40 ws4", "U1 S2<1"},
    };
    (void)state;
    PLAY(cases);
}

/* Lanes signal each other through very many variables; each variable keeps its own signal. */
static void test_many_flags(void **state) {
    static uint32_t data[RULES_THREADS + 1], flag[RULES_THREADS];
    (void)state;
    rules_reset();
    for (unsigned i = 0; i < RULES_THREADS; i++) {
        memory_check_access(&data[i], 4, ACCESS_WRITES, rules_location(1));
        rules_observer->fence();
        memory_check_access(&flag[i], 4, ACCESS_ATOMIC | ACCESS_WRITES, rules_location(2));
    }
    rules_play("B1");
    for (unsigned i = 0; i < RULES_THREADS; i++) {
        rules_lane((int)i);
        memory_check_access(&flag[i], 4, ACCESS_ATOMIC, rules_location(3));
        memory_check_access(&data[i], 4, ACCESS_READS, rules_location(4));
        assert_int_equal(check.head->count, 0);
    }
    /* A lane knows nothing of later signals. */
    for (unsigned i = 0; i + 1 < RULES_THREADS; i++) {
        rules_lane((int)i);
        memory_check_access(&data[i + 1], 4, ACCESS_READS, rules_location(5));
        assert_int_equal(check.entries[0].count, i + 1);
    }
    assert_int_equal(check.head->count, 1);
}

/* ---- bounds ---- */

static void test_bounds(void **state) {
    static const struct rule_case cases[] = {
        {"wg60", ""},       {"wg0+64", ""},     {"wg0+65", "O1"},  {"wg61", "O1"},
        {"wg63+1", ""},     {"wg64+1", "O1"},   {"wg-1+1", "O1"},  {"wg-1+4", "O1"},
        {"wg-16+1", "O1"},  {"wg-17+1", "W1"}, /* too far from it: the host's memory */
        {"wg4159+1", "O1"}, {"wg4160+1", "W1"}, {"ws252", ""},     {"ws255+1", ""},
        {"ws253", "O1"},    {"ws256+1", "O1"},  {"wx60", ""},      {"wx61", "O1"},
        {"wx64+1", "O1"},   {"wx1087+1", "O1"}, {"wy0", ""},       {"wy-1+1", "O1"},
        {"wy28", ""},       {"wy29", "O1"},     {"wy32+1", "O1"},  {"wy1055+1", "O1"},
        {"wy1056+1", ""}, /* may be another variable of the program */
        {"Fg rg0", "O1"},   {"Fg wg60", "O1"},  {"Fg Ag wg0", ""}, {"wg0 Fg Ag rg0", "U2"},
        {"Fg wh0", ""},
    };
    (void)state;
    PLAY(cases);
}

/* ---- uninitialized reads ---- */

static void test_unset(void **state) {
    static const struct rule_case cases[] = {
        {"rg0", "U1"},
        {"rh0", ""},
        {"ri0", ""},
        {"rs0", "U1"},
        {"rx0", "U1"},
        {"ry0", "U1"},
        {"wg0 rg0", ""},
        {"wg0 rg4", "U2"},
        {"wg4 rg0", "U2"},
        {"wg0+1 rg0", "U2"}, /* only some of the bytes that the number needs */
        {"wg0+3 rg0", "U2"},
        {"wg3+1 rg0", "U2"},
        {"wg0+3 wg3+1 rg0", ""},
        {"wg3+1 rg0+3", "U2"},
        {"wg0+1 rg0+2", "U2"},
        {"wg0+1 rg0+1", ""},
        {"wg0+1 ag0", ""},
        {"wg2+4 rg2", ""}, /* spans two cells */
        {"wg2+3 rg2", "U2"},
        {"H cg0+63 t0 rg60", "U2"},
        {"wg4+1 rg0+8", ""},
        {"wg8+1 rg0+8", "U2"},
        {"ag0 rg0", ""},
        {"lg0", "U1"},
        {"vg0", "U1"},
        {"ws0 | rs0", ""},
        {"ws0 B1 rs0", "U2"},
        {"ws0 B1 ws4 rs0 rs4", "U3"},
        {"P1 rs0", ""}, /* its owner is not known */
        {"P1 rg0", "U1"},
        {"wg0 L B0 rg0", ""},
        /* Written by a function of the C library, or by the host. */
        {"H cg0+4 t0 rg0", ""},
        {"H cg0+4 t0 rg4", "U2"},
        {"H cg4+4 t0 rg0", "U2"},
        {"H cg1+1 t0 rg0+1", "U2"},
        {"H cg1+1 t0 rg1+1", ""},
        {"H cg0+64 t0 rg60", ""},
        {"H cg60+100 t0 rg60", ""},
        {"H cg60+100 t0 rg56", "U2"},
        {"H cg0+1000 t0 rg0", ""},
        {"H cg64+4 t0 rg60", "U2"},
        {"H cg-4+4 t0 rg0", "U2"},
        {"H wg0 t0 rg0", ""},
        {"H rg0 t0 rg0", "U2"},
    };
    (void)state;
    PLAY(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_atomic),   cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_syncwarp), cmocka_unit_test(test_fences),
        cmocka_unit_test(test_orders),   cmocka_unit_test(test_orders),
        cmocka_unit_test(test_named),    cmocka_unit_test(test_many_flags),
        cmocka_unit_test(test_bounds),   cmocka_unit_test(test_unset),
    };
    return cmocka_run_group_tests(tests, rules_begin, rules_end);
}
