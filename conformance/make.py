#!/usr/bin/env python3
"""make.py - writes data/*.csv: the required results of warp operations, row by row.

    make.py            writes the files
    make.py --check    says which files differ from what would be written; status 1 if one does
    make.py --json     prints everything as one JSON object: a key per table, an object per row

The rules follow the PTX ISA ("shfl.sync", "vote.sync", "match.sync", "redux.sync") and the way in
which the toolkit's intrinsics call these instructions. They share no code with any emulator.
"""
import json
import os
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FULL = 0xFFFFFFFF
WIDTHS = (1, 2, 4, 8, 16, 32)


def shfl(mode, b, c):
    """PTX ISA, shfl.sync: for each lane the lane that it reads, and the predicate p."""
    bval, cval, segment = b & 31, c & 31, c >> 8 & 31
    sources, in_range = [], 0
    for lane in range(32):
        max_lane = (lane & segment) | (cval & ~segment & 31)
        min_lane = lane & segment
        if mode == "up":
            j, p = lane - bval, lane - bval >= max_lane
        elif mode == "down":
            j, p = lane + bval, lane + bval <= max_lane
        elif mode == "xor":
            j, p = lane ^ bval, lane ^ bval <= max_lane
        else:
            j = min_lane | (bval & ~segment & 31)
            p = j <= max_lane
        sources.append(j if p else lane)
        in_range |= p << lane
    return sources, in_range


def c_of(op, width):
    """The operand c that the toolkit's intrinsics pass."""
    return (32 - width) << 8 | (0 if op == "up" else 31)


def shuffle_rows():
    for op in ("idx", "up", "down", "xor"):
        for width in WIDTHS:
            for argument in range(-2, 35):
                sources, in_range = shfl(op, argument, c_of(op, width))
                yield [op, width, argument, sources, "0x%08x" % in_range]


def instruction_rows():
    for op in ("idx", "up", "down", "xor"):
        for segment in (0, 16, 24, 28, 30, 31, 21):
            for clamp in (0, 5, 15, 31):
                for b in (0, 1, 3, 5, 8, 16, 17, 31):
                    c = segment << 8 | clamp
                    sources, in_range = shfl(op, b, c)
                    yield [op, b, "0x%04x" % c, sources, "0x%08x" % in_range]


def numbers(seed):
    """Words from xorshift32, the same on every machine."""
    x = seed
    while True:
        x ^= x << 13 & FULL
        x ^= x >> 17
        x ^= x << 5 & FULL
        yield x


def masks():
    yield from (FULL, 0xFFFF, 0xFFFF0000, 1, 0x80000000, 0x55555555, 0x7FFFFFFF, 0x0F0F0F0F)
    words = numbers(20240917)
    for _ in range(24):
        yield next(words) | 1 << (next(words) & 31)


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


def vote_rows():
    words = numbers(7)
    for mask in masks():
        for predicates in (0, FULL, mask, next(words), next(words) & mask):
            ballot = predicates & mask
            yield ["0x%08x" % mask, "0x%08x" % predicates, "0x%08x" % ballot,
                   int(ballot == mask), int(ballot != 0)]


def match_rows():
    words = numbers(11)
    for mask in masks():
        for kinds in (1, 2, 5):
            values = [next(words) % kinds * 0x01010101 for _ in range(32)]
            groups = [sum(1 << other for other in lanes_of(mask) if values[other] == values[lane])
                      if mask >> lane & 1 else 0 for lane in range(32)]
            alike = len({values[lane] for lane in lanes_of(mask)}) == 1
            yield ["0x%08x" % mask, values, ["0x%08x" % group for group in groups],
                   "0x%08x" % (mask if alike else 0), int(alike)]


def signed(word):
    return word - (1 << 32) if word >> 31 else word


def reduced(op, kind, some):
    by = signed if kind == "int" else int
    if op in ("add", "min", "max"):
        return {"add": lambda: sum(some) & FULL, "min": lambda: min(some, key=by), "max": lambda: max(some, key=by)}[op]()
    value = some[0]
    for other in some[1:]:
        value = {"and": value & other, "or": value | other, "xor": value ^ other}[op]
    return value


def reduce_rows():
    words = numbers(13)
    for mask in masks():
        for op in ("add", "min", "max", "and", "or", "xor"):
            for kind in ("unsigned", "int") if op in ("add", "min", "max") else ("unsigned",):
                values = [next(words) for _ in range(32)]
                yield [op, kind, "0x%08x" % mask, values, reduced(op, kind, [values[lane] for lane in lanes_of(mask)])]


def fragment_rows():
    """The formulas for row and column of each shape in the PTX ISA ("Warp-level matrix fragment"),
    with g = groupID = lane / 4 and t = threadID_in_group = lane % 4."""
    def half(i, g, t):  # matrix A of m16n8k8 and m16n8k16 with 16-bit elements
        return g + 8 * (i >> 1 & 1), 2 * t + (i & 1) + 8 * (i >> 2)

    def byte(i, g, t):
        return g + 8 * (i >> 2 & 1), 4 * t + (i & 3) + 16 * (i >> 3)

    def sums(i, g, t):
        return g + 8 * (i >> 1), 2 * t + (i & 1)

    def tf32(i, g, t):
        return g + 8 * (i & 1), t + 4 * (i >> 1)

    def half_b(i, g, t):
        return 2 * t + (i & 1) + 8 * (i >> 1), g

    def byte_b(i, g, t):
        return 4 * t + (i & 3) + 16 * (i >> 2), g

    def tf32_b(i, g, t):
        return t + 4 * i, g

    shapes = (  # for each matrix: elements per lane, and the place of element i
        ("m16n8k8", "f16", (4, half), (2, half_b), (4, sums)),
        ("m16n8k16", "f16", (8, half), (4, half_b), (4, sums)),
        ("m16n8k4", "tf32", (2, tf32), (1, tf32_b), (4, sums)),
        ("m16n8k8", "tf32", (4, tf32), (2, tf32_b), (4, sums)),
        ("m8n8k16", "s8", (4, byte), (4, byte_b), (2, sums)),
        ("m16n8k16", "s8", (8, byte), (4, byte_b), (4, sums)),
        ("m16n8k32", "s8", (16, byte), (8, byte_b), (4, sums)),
        ("m8n8k4", "f64", (1, tf32), (1, tf32_b), (2, sums)),
    )
    for shape, kind, *matrices in shapes:
        for matrix, (count, place) in zip("ABC", matrices):
            for lane in range(32):
                for i in range(count):
                    row, column = place(i, lane // 4, lane % 4)
                    yield [shape, kind, matrix, lane, matrix.lower() + str(i), row, column]


TABLES = (
    ("shuffle", "op,width,argument,source,in_range", shuffle_rows),
    ("instruction", "op,b,c,source,p", instruction_rows),
    ("vote", "mask,predicate,ballot,all,any", vote_rows),
    ("match", "mask,value,match_any,match_all,pred", match_rows),
    ("reduce", "op,type,mask,value,result", reduce_rows),
    ("fragment", "shape,type,matrix,lane,register,row,column", fragment_rows),
)


def texts():
    for name, header, rows in TABLES:
        lines = [header] + [",".join(" ".join(map(str, cell)) if isinstance(cell, list) else str(cell)
                                     for cell in row) for row in rows()]
        yield name + ".csv", "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["--json"]:
        print(json.dumps({name: [dict(zip(header.split(","), row)) for row in rows()]
                          for name, header, rows in TABLES}))
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__.split("\n\n")[1])
    differs = False
    for name, text in texts():
        path = os.path.join(HERE, name)
        if sys.argv[1:]:
            with open(path) as file:
                if file.read() != text:
                    print("conformance/data/%s is not what make.py writes" % name)
                    differs = True
        else:
            with open(path, "w") as file:
                file.write(text)
    sys.exit(differs)


if __name__ == "__main__":
    main()
