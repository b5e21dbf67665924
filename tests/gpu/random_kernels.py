#!/usr/bin/env python3
"""random_kernels.py - generates random CUDA kernels from a seed, with the result that each must have.

    random_kernels.py cuda FIRST COUNT     prints a CUDA program that runs the kernels of COUNT seeds
                                           and prints a line for each: "kernel SEED CHECKSUM"
    random_kernels.py expect FIRST COUNT   prints the lines that the program must print, as computed
                                           by an interpreter

Kernels have nested branches, loops, breaks, early returns, votes, shuffles of all widths and types,
matches, reductions, groups, and shared memory with barriers. Everything they compute is defined by
the CUDA C++ Programming Guide: the mask of each call names exactly the lanes that make it (and perhaps
some that have left the kernel), and a value read from a lane outside the mask is dropped. So every
device must give the same checksums (tests/gpu/random_kernels compares them).

The interpreter and the CUDA text share the random choices, but not the way in which they track
lanes: the interpreter runs the threads of a block side by side and keeps a list of the active ones,
while the text computes member masks with __ballot_sync(). Each statement is generated in both forms.
"""
import sys

M = 0xFFFFFFFF
THREADS = (32, 40, 64, 96, 33)
BLOCKS = 2

PRELUDE = r"""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
typedef unsigned u32;
typedef unsigned long long u64;
__device__ inline u32 mix(u32 x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
__device__ inline u32 fold(u64 x) { return (u32)x + 3 * (u32)(x >> 32); }
/* The lane that a shuffle reads (PTX ISA, "shfl.sync"). */
__device__ inline int from_idx(int lane, int k, int w) { return (lane & ~(w - 1)) | (k & (w - 1)); }
__device__ inline int from_up(int lane, int k, int w) {
    return lane - k >= (lane & ~(w - 1)) ? lane - k : lane;
}
__device__ inline int from_down(int lane, int k, int w) {
    return lane + k <= (lane | (w - 1)) ? lane + k : lane;
}
__device__ inline int from_xor(int lane, int k, int w) {
    return (lane ^ k) <= (lane | (w - 1)) ? lane ^ k : lane;
}
#define DONE out[blockIdx.x * n + t] = mix(a + mix(b + mix(c + mix(d))))
"""

# A type: its name, the expression that makes a value from two words, the one that turns it into a word
# again, and the same conversion in Python.
TYPES = (
    ("int", "(int)(%s + 0 * %s)", "(u32)r", lambda x, y: x),
    ("u32", "(%s + 0 * %s)", "r", lambda x, y: x),
    ("long", "(long)((u64)%s << 32 | %s)", "fold((u64)r)", lambda x, y: y + 3 * x & M),
    ("unsigned long", "(unsigned long)((u64)%s << 32 | %s)", "fold(r)", lambda x, y: y + 3 * x & M),
    ("long long", "(long long)((u64)%s << 32 | %s)", "fold((u64)r)", lambda x, y: y + 3 * x & M),
    ("u64", "((u64)%s << 32 | %s)", "fold(r)", lambda x, y: y + 3 * x & M),
    ("float", "__uint_as_float((%s + 0 * %s) & 0xbfffffffu)", "__float_as_uint(r)",
     lambda x, y: x & 0xBFFFFFFF),
    ("double", "__longlong_as_double((long long)((u64)(%s & 0xbfffffffu) << 32 | %s))",
     "fold((u64)__double_as_longlong(r))", lambda x, y: y + 3 * (x & 0xBFFFFFFF) & M),
    ("__half", "__ushort_as_half((unsigned short)((%s + 0 * %s) & 0xbfffu))", "__half_as_ushort(r)",
     lambda x, y: x & 0xBFFF),
    ("__half2", "__halves2half2(__ushort_as_half((unsigned short)(%s & 0xbfffu)), "
     "__ushort_as_half((unsigned short)(%s & 0xbfffu)))",
     "(__half_as_ushort(__low2half(r)) + 7u * __half_as_ushort(__high2half(r)))",
     lambda x, y: (x & 0xBFFF) + 7 * (y & 0xBFFF)),
    ("__nv_bfloat16", "__ushort_as_bfloat16((unsigned short)((%s + 0 * %s) & 0xbfffu))",
     "__bfloat16_as_ushort(r)", lambda x, y: x & 0xBFFF),
)


# ---- the interpreter's functions ----

def mix(x):
    x = (x ^ x >> 16) * 0x7FEB352D & M
    x = (x ^ x >> 15) * 0x846CA68B & M
    return x ^ x >> 16


def signed(x):
    return x - (1 << 32) if x >> 31 else x


def source(kind, lane, k, w):
    end = lane | w - 1
    if kind == "idx":
        return lane & ~(w - 1) | k & w - 1
    j = {"up": lane - k, "down": lane + k, "xor": lane ^ k}[kind]
    return j if (j >= lane & ~(w - 1) if kind == "up" else j <= end) else lane


def warps(active):
    """The active threads, grouped by warp."""
    found = {}
    for t in active:
        found.setdefault(t >> 5, []).append(t)
    return found.values()


def ballot(lanes, pred):
    return sum(1 << (t & 31) for t in lanes if pred(t))


def reduced(op, values):
    result = values[0]
    for v in values[1:]:
        result = {"add": lambda: result + v & M, "min": lambda: min(result, v),
                  "max": lambda: max(result, v), "and": lambda: result & v,
                  "or": lambda: result | v, "xor": lambda: result ^ v,
                  "smin": lambda: min(result, v, key=signed),
                  "smax": lambda: max(result, v, key=signed)}[op]()
    return result


# ---- kernels ----

class Draw:
    """Random numbers from a seed, the same in every version of Python."""

    def __init__(self, seed):
        self.state = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & (1 << 64) - 1

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return (self.state >> 33) * n >> 31

    def of(self, choices):
        return choices[self.below(len(choices))]


class At:
    """A point in the kernel: the names of the mask in the CUDA text and of the list of active threads
    in the interpreter, and the statements that may be drawn there."""

    def __init__(self, mask, active, depth=0, block=False, loop=None):
        self.mask, self.active, self.depth = mask, active, depth
        self.block = block  # either all threads of the block get here, or none
        self.loop = loop  # the mask and the list of the lanes that stay in the loop


class Kernel:
    def __init__(self, seed):
        self.draw = Draw(seed)
        self.seed = seed
        self.threads = self.draw.of(THREADS)
        self.names = 0
        self.cu, self.py = [], []
        self.cu_in, self.py_in = 1, 1
        self.has_left = False
        self.calls = 0  # the depth of nested function calls
        self.functions = []
        self.budget = 3 + self.draw.below(8)
        at = At("m", "A0", block=True)
        while self.budget > 0:
            self.statement(at)

    def name(self, letter):
        self.names += 1
        return letter + str(self.names)

    def c(self, line):
        closes = line.startswith("}")
        self.cu_in -= closes
        self.cu.append("    " * self.cu_in + line)
        self.cu_in += line.endswith("{")

    def p(self, line):
        self.py.append(" " * self.py_in + line)

    # Draws an expression, in CUDA and in Python.
    def value(self, depth=0):
        d = self.draw
        if depth > 2 or d.below(3) == 0:
            kind = d.below(8)
            if kind < 5:
                v = d.of("abcd")
                return v, v + "[t]"
            if kind == 5:
                return "(u32)lane", "(t & 31)"
            number = d.of((1, 2, 3, 7, 31, 255, 0x9E3779B9, d.below(1 << 16)))
            return "%du" % number, str(number)
        x, px = self.value(depth + 1)
        y, py = self.value(depth + 1)
        s = 1 + d.below(31)
        forms = (
            ("(%s + %s)" % (x, y), "(%s + %s & M)" % (px, py)),
            ("(%s - %s)" % (x, y), "(%s - %s & M)" % (px, py)),
            ("(%s * %s)" % (x, y), "(%s * %s & M)" % (px, py)),
            ("(%s ^ %s)" % (x, y), "(%s ^ %s)" % (px, py)),
            ("(%s & %s)" % (x, y), "(%s & %s)" % (px, py)),
            ("(%s | %s)" % (x, y), "(%s | %s)" % (px, py)),
            ("(%s >> %d)" % (x, s), "(%s >> %d)" % (px, s)),
            ("(%s << %d)" % (x, s), "(%s << %d & M)" % (px, s)),
            ("(u32)__popc(%s)" % x, "bin(%s).count('1')" % px),
            ("(u32)__clz((int)%s)" % x, "(32 - (%s).bit_length())" % px),
            ("__brev(%s)" % x, "int(format(%s, '032b')[::-1], 2)" % px),
            ("(%s %% %du)" % (x, s), "(%s %% %d)" % (px, s)),
            ("(%s < %s ? %s : %s)" % (x, y, y, x), "max(%s, %s)" % (px, py)),
            ("mix(%s)" % x, "mix(%s)" % px),
        )
        return d.of(forms)

    def condition(self):
        d = self.draw
        kind = d.below(5)
        if kind == 0:
            n = 1 + d.below(32)
            return "(lane < %d)" % n, "((t & 31) < %d)" % n
        if kind == 1:
            n = 1 + d.below(3)
            return "((lane & %d) == 0)" % n, "(t & %d == 0)" % n
        if kind == 2:
            n = d.below(31)
            x, px = self.value(1)
            return "((%s >> %d & 1) != 0)" % (x, n), "(%s >> %d & 1 != 0)" % (px, n)
        if kind == 3:
            n = 1 + d.below(self.threads)
            return "(t < %d)" % n, "(t < %d)" % n
        n = 2 + d.below(4)
        x, px = self.value(1)
        return "(%s %% %du == 0)" % (x, n), "(%s %% %d == 0)" % (px, n)

    def condition_kept(self):
        """A condition, stored in a variable, because the values that it depends on may change."""
        x, px = self.condition()
        cu, py = self.name("q"), self.name("Q")
        self.c("const bool %s = %s;" % (cu, x))
        self.p("%s = {t: %s for t in A}" % (py, px))
        return cu, py + "[t]"

    def statement(self, at):
        d = self.draw
        self.budget -= 1
        self.p("A = " + at.active)
        kinds = [self.assign, self.shuffle, self.shuffle, self.vote, self.match, self.reduce,
                 self.exchange, self.index]
        if at.depth < 3:
            kinds += [self.branch, self.branch, self.loop, self.switch, self.any_loop, self.leaders,
                      self.call]
        if at.depth > 0 and not at.block and not self.calls and d.below(3) == 0:
            kinds += [self.leave]
        if at.loop:
            kinds += [self.go_on, self.stop]
        if at.block and not self.has_left:
            kinds += [self.barrier, self.counter, self.uniform]
            if self.threads % 32 == 0:
                kinds += [self.tile, self.tile, self.partition]
        d.of(kinds)(at)

    def body(self, at, most=3):
        for _ in range(1 + self.draw.below(most)):
            self.statement(at)

    def inside(self, at, mask, active, depth=1, **more):
        """Draws a part with its own mask; returns True if lanes may have left the kernel in it."""
        had, self.has_left = self.has_left, False
        self.body(At(mask, active, at.depth + depth, **more))
        left, self.has_left = self.has_left, self.has_left or had
        return left

    def rejoin(self, at, left):
        if left:
            self.c("%s = __ballot_sync(%s, 1);" % (at.mask, at.mask))
            self.p("%s = [t for t in %s if t not in gone]" % (at.active, at.active))

    # ---- statements without control flow ----

    def assign(self, at):
        v = self.draw.of("abcd")
        x, px = self.value()
        self.c("%s = %s;" % (v, x))
        self.p("for t in A: %s[t] = %s" % (v, px))

    def shuffle(self, at):
        d = self.draw
        kind, width, v = d.of(("idx", "up", "down", "xor")), 1 << d.below(6), d.of("abcd")
        number = d.below(len(TYPES))
        name, make, back, _ = TYPES[number]
        x, px = self.value(1)
        y, py = self.value(1)
        k, pk = self.value(1) if d.below(2) else (("%du" % (1 << d.below(5)),) * 2)
        pk = pk.rstrip("u")
        self.c("{")
        self.c("const int k = (int)(%s & 31);" % k)
        self.c("const %s x = %s;" % (name, make % (x, y)))
        w = "" if width == 32 and d.below(2) else ", %d" % width
        self.c("const %s r = __shfl%s_sync(%s, x, k%s);" % (
            name, "" if kind == "idx" else "_" + kind, at.mask, w))
        self.c("%s = %s >> from_%s(lane, k, %d) & 1 ? %s : %s + 1;" % (
            v, at.mask, kind, width, back, v))
        self.c("}")
        self.p("X = {t: (%s, %s) for t in A}" % (px, py))
        self.p("K = {t: t & ~31 | source('%s', t & 31, %s & 31, %d) for t in A}" % (kind, pk, width))
        self.p("for t in A: %s[t] = TYPES[%d][3](*X[K[t]]) if K[t] in X else %s[t] + 1 & M" % (
            v, number, v))

    def vote(self, at):
        v = self.draw.of("abcd")
        x, px = self.condition()
        kind = self.draw.of(("ballot", "any", "all"))
        form = "__ballot_sync(%s, %s)" if kind == "ballot" else "(__%s_sync(%%s, %%s) ? 5u : 9u)" % kind
        self.c("%s += %s;" % (v, form % (at.mask, x)))
        self.p("for W in warps(A):")
        self.p(" B = ballot(W, lambda t: %s)" % px)
        self.p(" G = " + {"ballot": "B", "any": "5 if B else 9",
                          "all": "5 if B == ballot(W, lambda t: True) else 9"}[kind])
        self.p(" for t in W: %s[t] = %s[t] + G & M" % (v, v))

    def match(self, at):
        v, n = self.draw.of("abcd"), 1 + self.draw.below(5)
        x, px = self.value(1)
        wide = self.draw.below(2)
        key = ("(u64)(%s %% %du) << 33" if wide else "%s %% %du") % (x, n)
        if self.draw.below(2):
            self.c("%s += __match_any_sync(%s, %s);" % (v, at.mask, key))
            self.p("X = {t: %s %% %d for t in A}" % (px, n))
            self.p("for W in warps(A):")
            self.p(" for t in W: %s[t] = %s[t] + ballot(W, lambda u: X[u] == X[t]) & M" % (v, v))
            return
        self.c("{")
        self.c("int pred;")
        self.c("const u32 peers = __match_all_sync(%s, %s, &pred);" % (at.mask, key))
        self.c("%s += peers + (pred ? 3u : 4u);" % v)
        self.c("}")
        self.p("X = {t: %s %% %d for t in A}" % (px, n))
        self.p("for W in warps(A):")
        self.p(" B = ballot(W, lambda t: True) + 3 if len({X[t] for t in W}) == 1 else 4")
        self.p(" for t in W: %s[t] = %s[t] + B & M" % (v, v))

    def reduce(self, at):
        v = self.draw.of("abcd")
        op = self.draw.of(("add", "min", "max", "and", "or", "xor", "smin", "smax"))
        x, px = self.value(1)
        cast = "(int)" if op[0] == "s" else ""
        self.c("%s ^= (u32)__reduce_%s_sync(%s, %s(%s));" % (v, op.lstrip("s"), at.mask, cast, x))
        self.p("X = {t: %s for t in A}" % px)
        self.p("for W in warps(A):")
        self.p(" G = reduced('%s', [X[t] for t in W])" % op)
        self.p(" for t in W: %s[t] ^= G" % v)

    def exchange(self, at):
        """An exchange of values through shared memory, between the lanes of the mask."""
        v = self.draw.of("abcd")
        x, px = self.value(1)
        k, pk = self.value(1)
        self.c("{")
        self.c("s[t] = %s;" % x)
        self.c("__syncwarp(%s);" % at.mask)
        self.c("const int k = (int)(%s & 31);" % k)
        self.c("if (%s >> k & 1)" % at.mask)
        self.c("    %s ^= s[(t & ~31) | k];" % v)
        self.c("__syncwarp(%s);" % at.mask)
        self.c("}")
        self.p("for t in A: s[t] = %s" % px)
        self.p("K = {t: t & ~31 | %s & 31 for t in A}" % pk)
        self.p("I = set(A)")
        self.p("for t in A: %s[t] ^= s[K[t]] if K[t] in I else 0" % v)

    def index(self, at):
        """A local array, read with an index that is only known at run time."""
        v = self.draw.of("abcd")
        k, pk = self.value(1)
        self.c("{")
        self.c("u32 own[4] = {a, b, c, d};")
        self.c("own[%s & 3] += 17;" % k)
        self.c("%s = own[(%s >> 2) & 3];" % (v, k))
        self.c("}")
        self.p("for t in A:")
        self.p(" X, G = [a[t], b[t], c[t], d[t]], %s" % pk)
        self.p(" X[G & 3] = X[G & 3] + 17 & M")
        self.p(" %s[t] = X[G >> 2 & 3]" % v)

    # ---- control flow ----

    def branch(self, at):
        q, pq = self.condition_kept()
        yes, no, both = self.name("m"), self.name("m"), self.draw.below(2)
        py_yes, py_no = self.name("A"), self.name("A")
        self.c("u32 %s = __ballot_sync(%s, %s);" % (yes, at.mask, q))
        if both:
            self.c("u32 %s = %s & ~%s;" % (no, at.mask, yes))
        self.p("%s = [t for t in A if %s]" % (py_yes, pq))
        self.p("%s = [t for t in A if not %s]" % (py_no, pq))
        self.c("if (%s) {" % q)
        left = self.inside(at, yes, py_yes)
        if both:
            self.c("} else {")
            left |= self.inside(at, no, py_no)
        self.c("}")
        self.rejoin(at, left)

    def switch(self, at):
        n = 2 + self.draw.below(3)
        x, px = self.value(1)
        key, peers, pkey = self.name("q"), self.name("m"), self.name("Q")
        self.c("const u32 %s = %s %% %du;" % (key, x, n))
        self.c("u32 %s = __match_any_sync(%s, %s);" % (peers, at.mask, key))
        self.p("%s = {t: %s %% %d for t in A}" % (pkey, px, n))
        parts = [self.name("A") for _ in range(n)]
        for i, part in enumerate(parts):
            self.p("%s = [t for t in A if %s[t] == %d]" % (part, pkey, i))
        self.c("switch (%s) {" % key)
        left = False
        for i, part in enumerate(parts):
            self.c("case %d: {" % i)
            left |= self.inside(at, peers, part)
            self.c("break;")
            self.c("}")
        self.c("}")
        self.rejoin(at, left)

    def loop(self, at):
        x, px = self.value(1)
        n, head, mask, i = self.name("n"), self.name("m"), self.name("m"), self.name("i")
        pn, py_head, py_in = self.name("N"), self.name("L"), self.name("A")
        self.c("const int %s = (int)(%s & 3);" % (n, x))
        self.c("u32 %s = %s;" % (head, at.mask))
        self.c("for (int %s = 0;; %s++) {" % (i, i))
        self.c("%s = __ballot_sync(%s, %s < %s);" % (head, head, i, n))
        self.c("if (%s >= %s)" % (i, n))
        self.c("    break;")
        self.c("u32 %s = %s;" % (mask, head))
        self.p("%s = {t: %s & 3 for t in A}" % (pn, px))
        self.p("%s, %s = A, 0" % (py_head, i))
        self.p("while True:")
        self.py_in += 1
        self.p("%s = [t for t in %s if %s < %s[t] and t not in gone]" % (py_head, py_head, i, pn))
        self.p("%s += 1" % i)
        self.p("if not %s: break" % py_head)
        self.p("%s = %s" % (py_in, py_head))
        left = self.inside(at, mask, py_in, loop={"mask": head, "active": py_head, "went": False})
        self.py_in -= 1
        self.c("}")
        self.rejoin(at, left)

    def go_on(self, at):
        q, pq = self.condition_kept()
        k = self.name("m")
        self.c("const u32 %s = __ballot_sync(%s, %s);" % (k, at.mask, q))
        self.c("if (%s)" % q)
        self.c("    continue;")
        self.c("%s &= ~%s;" % (at.mask, k))
        self.p("%s = [t for t in %s if not %s]" % (at.active, at.active, pq))
        at.loop["went"] = True

    def stop(self, at):
        if at.loop["went"]:  # lanes that have continued at the loop's head do not know which lanes stop
            return self.assign(at)
        q, pq = self.condition_kept()
        k, deep = self.name("m"), self.draw.below(2)
        if deep:  # break from within a branch
            r, pr = self.condition_kept()
            self.c("const u32 %s = __ballot_sync(%s, %s && %s);" % (k, at.mask, q, r))
            py = self.name("A")
            yes = self.name("m")
            self.c("u32 %s = __ballot_sync(%s, %s);" % (yes, at.mask, q))
            self.p("%s = [t for t in A if %s]" % (py, pq))
            self.c("if (%s) {" % q)
            left = self.inside(at, yes, py, depth=2)
            self.c("if (%s)" % r)
            self.c("    break;")
            self.c("}")
            pq = "(%s and %s)" % (pq, pr)
        else:
            left = False
            self.c("const u32 %s = __ballot_sync(%s, %s);" % (k, at.mask, q))
            self.c("if (%s)" % q)
            self.c("    break;")
        for mask, active in ((at.mask, at.active), (at.loop["mask"], at.loop["active"])):
            self.c("%s &= ~%s;" % (mask, k))
            self.p("%s = [t for t in %s if t not in gone and not %s]" % (active, active, pq))
        self.rejoin(at, left)

    def leave(self, at):
        q, pq = self.condition_kept()
        k = self.name("m")
        self.c("const u32 %s = __ballot_sync(%s, %s);" % (k, at.mask, q))
        self.c("if (%s) {" % q)
        self.c("DONE;")
        self.c("return;")
        self.c("}")
        self.c("%s &= ~%s;" % (at.mask, k))
        self.p("gone.update(t for t in A if %s)" % pq)
        self.p("%s = [t for t in %s if t not in gone]" % (at.active, at.active))
        self.has_left = True

    def any_loop(self, at):
        """A loop that all lanes leave together, after a vote."""
        x, px = self.value(1)
        n, i, pn = self.name("n"), self.name("i"), self.name("N")
        self.c("const int %s = (int)(%s & 3);" % (n, x))
        self.c("int %s = 0;" % i)
        self.c("do {")
        self.p("%s = {t: %s & 3 for t in A}" % (pn, px))
        self.p("%s = {t: 0 for t in A}" % i)
        head, body = self.name("L"), self.name("A")
        self.p("%s = A" % head)
        self.p("while %s:" % head)
        self.py_in += 1
        self.p("%s = %s" % (body, head))
        left = self.inside(at, at.mask, body)
        if left:
            self.c("%s = __ballot_sync(%s, 1);" % (at.mask, at.mask))
        self.c("%s++;" % i)
        self.p("%s = [t for W in warps([t for t in %s if t not in gone]) if "
               "any(%s[t] + 1 < %s[t] for t in W) for t in W]" % (head, head, i, pn))
        self.p("for t in %s: %s[t] += 1" % (i, i))
        self.py_in -= 1
        self.c("} while (__any_sync(%s, %s < %s));" % (at.mask, i, n))
        self.rejoin(at, left)

    def leaders(self, at):
        """A loop over the distinct values, each handled by the smallest lane that has it."""
        v, n = self.draw.of("abcd"), 1 + self.draw.below(4)
        x, px = self.value(1)
        self.c("{")
        self.c("const u32 x = %s %% %du;" % (x, n))
        self.c("for (u32 left = %s, round = 1; left; round++) {" % at.mask)
        self.c("const int leader = __ffs((int)left) - 1;")
        self.c("const bool same = __shfl_sync(%s, x, leader) == x;" % at.mask)
        self.c("if (same)")
        self.c("    %s += round * (u32)leader;" % v)
        self.c("left &= ~__ballot_sync(%s, same);" % at.mask)
        self.c("}")
        self.c("}")
        self.p("X = {t: %s %% %d for t in A}" % (px, n))
        self.p("for W in warps(A):")
        self.p(" seen = list(dict.fromkeys(X[t] for t in W))")
        self.p(" for t in W: %s[t] = %s[t] + (seen.index(X[t]) + 1) * "
               "(min(u for u in W if X[u] == X[t]) & 31) & M" % (v, v))

    def call(self, at):
        """A call of a function that the compiler does not inline."""
        py = self.name("A")
        name = "part_%d_%d" % (self.seed, self.names)
        self.c("%s(%s, t, a, b, c, d, s);" % (name, at.mask))
        self.p("%s = A" % py)
        outside, self.cu, self.cu_in = (self.cu, self.cu_in), [], 1
        self.calls += 1
        self.inside(at, "m", py)
        self.calls -= 1
        self.functions += [
            "__device__ __noinline__ void %s(u32 m, int t, u32 &a, u32 &b, u32 &c, u32 &d, u32 *s) {"
            % name, "    const int lane = t & 31;", *self.cu, "    (void)lane;", "}"]
        self.cu, self.cu_in = outside

    # ---- what the whole block does ----

    def barrier(self, at):
        v = self.draw.of("abcd")
        x, px = self.value(1)
        k, pk = self.value(1)
        kind = self.draw.below(4)
        self.c("__syncthreads();")
        self.c("s[t] = %s;" % x)
        self.p("for t in A: s[t] = %s" % px)
        if kind == 0:
            self.c("__syncthreads();")
        else:
            q, pq = self.condition()
            word = ("", "count", "and", "or")[kind]
            self.c("%s += (u32)(__syncthreads_%s(%s)%s);" % (v, word, q, "" if kind == 1 else " != 0"))
            self.p("G = [%s for t in A]" % pq)
            self.p("G = " + ("", "sum(G)", "int(all(G))", "int(any(G))")[kind])
            self.p("for t in A: %s[t] = %s[t] + G & M" % (v, v))
        self.c("%s ^= s[%s %% n];" % (v, k))
        self.c("__syncthreads();")
        self.p("for t in A: %s[t] ^= s[%s %% %d]" % (v, pk, self.threads))

    def counter(self, at):
        v, bins = self.draw.of("abcd"), 1 << self.draw.below(4)
        x, px = self.value(1)
        k, pk = self.value(1)
        op = self.draw.of(("Add", "Xor", "Max"))
        self.c("__syncthreads();")
        self.c("s[t] = 0;")
        self.c("__syncthreads();")
        self.c("atomic%s(&s[%s %% %du], %s);" % (op, k, bins, x))
        self.c("__syncthreads();")
        self.c("%s += s[(u32)t %% %du];" % (v, bins))
        self.c("__syncthreads();")
        self.p("for t in A: s[t] = 0")
        self.p("for t in A:")
        self.p(" G, u = %s, %s %% %d" % (px, pk, bins))
        self.p(" s[u] = " + {"Add": "s[u] + G & M", "Xor": "s[u] ^ G", "Max": "max(s[u], G)"}[op])
        self.p("for t in A: %s[t] = %s[t] + s[t %% %d] & M" % (v, v, bins))

    def uniform(self, at):
        if at.depth >= 3:
            return self.barrier(at)
        py = self.name("A")
        if self.draw.below(2):
            self.c("if (blockIdx.x == %du) {" % self.draw.below(BLOCKS))
            self.p("%s = A if block == %d else []" % (py, int(self.cu[-1].split("== ")[1][0])))
            self.p("if %s:" % py)
        else:
            n, i = 1 + self.draw.below(3), self.name("i")
            self.c("for (int %s = 0; %s < %d; %s++) {" % (i, i, n, i))
            self.p("%s = A" % py)
            self.p("for _ in range(%d):" % n)
        self.py_in += 1
        # Lanes that leave the kernel would be missing at the block's barriers.
        self.body(At(at.mask, py, 3, block=True), 3)
        self.py_in -= 1
        self.c("}")

    def tile(self, at):
        d = self.draw
        v, width = d.of("abcd"), 1 << d.below(6)
        x, px = self.value(1)
        self.c("{")
        self.c("const auto tile = cg::tiled_partition<%d>(cg::this_thread_block());" % width)
        self.p("X = {t: %s for t in A}" % px)
        kind = d.below(4)
        if kind == 0:
            name = d.of(("shfl", "shfl_up", "shfl_down", "shfl_xor"))
            arg = d.below(width)
            self.c("%s ^= tile.%s(%s, %d);" % (v, name, x, arg))
            self.p("K = {t: t & ~31 | source('%s', t & 31, %d, %d) for t in A}" % (
                {"shfl": "idx"}.get(name, name[5:]), arg, width))
            self.p("for t in A: %s[t] ^= X[K[t]]" % v)
        elif kind == 1:
            op = d.of((("plus", "add"), ("less", "min"), ("greater", "max"), ("bit_and", "and"),
                       ("bit_or", "or"), ("bit_xor", "xor")))
            self.c("%s ^= cg::reduce(tile, %s, cg::%s<u32>());" % (v, x, op[0]))
            self.p("for t in A: %s[t] ^= reduced('%s', [X[u] for u in A if u // %d == t // %d])" % (
                v, op[1], width, width))
        elif kind == 2:
            n = 1 + d.below(4)
            self.c("%s += tile.match_any(%s %% %du) * 3 + tile.thread_rank();" % (v, x, n))
            self.p("for t in A: %s[t] = %s[t] + 3 * sum(1 << u %% %d for u in A if u // %d == t // %d "
                   "and X[u] %% %d == X[t] %% %d) + t %% %d & M" % (
                       v, v, width, width, width, n, n, width))
        else:
            self.c("%s += tile.ballot(%s & 1) + (tile.any(%s & 2) ? 1u : 0u) + tile.meta_group_rank();" % (
                v, x, x))
            self.p("for t in A:")
            self.p(" W = [u for u in A if u // %d == t // %d]" % (width, width))
            self.p(" %s[t] = %s[t] + sum(1 << u %% %d for u in W if X[u] & 1) + "
                   "any(X[u] & 2 for u in W) + t // %d & M" % (v, v, width, width))
        self.c("}")

    def partition(self, at):
        v = self.draw.of("abcd")
        x, px = self.value(1)
        q, pq = self.condition()
        self.c("{")
        self.c("const auto warp = cg::tiled_partition<32>(cg::this_thread_block());")
        if self.draw.below(2):
            self.c("const u32 part = %s;" % q)
            self.c("const auto group = cg::binary_partition(warp, part != 0);")
            self.p("Q = {t: int(%s) for t in A}" % pq)
        else:
            n = 1 + self.draw.below(5)
            y, py = self.value(1)
            self.c("const u32 part = %s %% %du;" % (y, n))
            self.c("const auto group = cg::labeled_partition(warp, part);")
            self.p("Q = {t: %s %% %d for t in A}" % (py, n))
        self.c("const u32 next = group.shfl(%s, (group.thread_rank() + 1) %% group.num_threads());" % x)
        self.c("%s = next + group.num_threads() * 5 + group.thread_rank() + part;" % v)
        self.c("%s ^= cg::reduce(group, next, cg::plus<u32>());" % v)
        self.c("}")
        self.p("X = {t: %s for t in A}" % px)
        self.p("for W in warps(A):")
        self.p(" for t in W:")
        self.p("  G = [u for u in W if Q[u] == Q[t]]")
        self.p("  u = G.index(t)")
        self.p("  %s[t] = (X[G[(u + 1) %% len(G)]] + len(G) * 5 + u + Q[t] & M) ^ "
               "(sum(X[u] for u in G) & M)" % v)

    # ---- the whole kernel ----

    def cuda(self):
        # A block of several rows has the same threads in the same order.
        return "\n".join([
            *self.functions,
            "__global__ void kernel_%d(u32 *out) {" % self.seed,
            "    const int n = %d, t = (int)(threadIdx.x + threadIdx.y * blockDim.x), lane = t & 31;"
            % self.threads,
            "    __shared__ u32 s[n];",
            "    const int lanes = n - (t & ~31);",
            "    u32 m = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;",
            "    u32 a = mix(%du + 4 * (t + n * blockIdx.x)), b = mix(a), c = mix(b), d = mix(c);"
            % (self.seed % 99991),
            *self.cu, "    DONE;", "}"])

    def outcome(self):
        source_text = "\n".join(["def run(block, a, b, c, d, s, A0):", " gone = set()",
                                 *self.py])
        scope = dict(globals())
        exec(compile(source_text, "kernel_%d" % self.seed, "exec"), scope)
        words = []
        for block in range(BLOCKS):
            n = self.threads
            a = [mix(self.seed % 99991 + 4 * (t + n * block)) for t in range(n)]
            b = [mix(x) for x in a]
            c = [mix(x) for x in b]
            d = [mix(x) for x in c]
            scope["run"](block, a, b, c, d, [0] * n, list(range(n)))
            words += [mix(a[t] + mix(b[t] + mix(c[t] + mix(d[t]) & M) & M) & M) for t in range(n)]
        return words


def checksum(words):
    total = 14695981039346656037
    for word in words:
        total = (total ^ word) * 1099511628211 & (1 << 64) - 1
    return total


MAIN = r"""
static void run(int seed, void (*kernel)(u32 *), int n, int rows) {
    static u32 *out;
    if (!out)
        cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    kernel<<<%d, dim3(n / rows, rows)>>>(out);
    std::vector<u32> words(%d * n);
    cudaError_t status = cudaMemcpy(words.data(), out, words.size() * 4, cudaMemcpyDeviceToHost);
    u64 total = 14695981039346656037ull;
    for (u32 word : words)
        total = (total ^ word) * 1099511628211ull;
    if (status != cudaSuccess) {
        printf("kernel %%d %%s\n", seed, cudaGetErrorName(status));
        exit(1);
    }
    printf("kernel %%d %%016llx\n", seed, total);
    fflush(stdout); /* the next one may never end */
}
int main() {
"""


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("cuda", "expect"):
        sys.exit(__doc__.split("\n\n")[1])
    first, count = int(sys.argv[2]), int(sys.argv[3])
    kernels = [Kernel(seed) for seed in range(first, first + count)]
    if sys.argv[1] == "expect":
        for kernel in kernels:
            print("kernel %d %016x" % (kernel.seed, checksum(kernel.outcome())))
        return
    print("// Kernels %d to %d of tests/gpu/random_kernels.py." % (first, first + count - 1))
    print(PRELUDE)
    for kernel in kernels:
        print(kernel.cuda())
    print(MAIN % (BLOCKS, BLOCKS))
    for kernel in kernels:
        rows = 2 if kernel.threads % 2 == 0 and kernel.seed % 3 == 0 else 1
        print("    run(%d, kernel_%d, %d, %d);" % (kernel.seed, kernel.seed, kernel.threads, rows))
    print("}")


if __name__ == "__main__":
    main()
