#!/usr/bin/env python3
"""check_whose.py SHFLVIZ [COUNT [SEED]] - compares random reductions and scans with symbolic sums.

Makes kernels of random steps on one value in each of 64 lanes (shuffles of all kinds, widths and
arguments, shared memory, multiples, sums of several elements, atomics), computes separately how often
each element of the input is in each result, and compares that with the output of `run --whose`.
Several kernels go into one program; each kernel's result array is queried by name.
"""
import random
import re
import subprocess
import sys
import tempfile
import os

LANES = 64


def shuffled(op, values, arg, width):
    """Each lane's result according to the CUDA C++ Programming Guide, "Warp Shuffle"."""
    out = []
    for t in range(LANES):
        lane, warp = t % 32, t - t % 32
        begin = lane - lane % width
        if op == "idx":
            source = begin + arg % width
        elif op == "up":
            source = lane - arg if lane - arg >= begin else lane
        elif op == "down":
            source = lane + arg if lane + arg < begin + width else lane
        else:
            source = lane ^ arg if (lane ^ arg) < begin + width else lane
        out.append(values[warp + source])
    return out


def plus(a, b, factor=1):
    total = dict(a)
    for key, count in b.items():
        total[key] = total.get(key, 0) + factor * count
    return {key: count for key, count in total.items() if count}


def make(number, rng):
    """A kernel's text, its type, and for each result the count of each element in it."""
    kind = rng.choice(["int", "float", "long long", "double", "unsigned"])
    elements = rng.choice([1, 1, 2])
    text = [f"__global__ void k{number}(const {kind} *in, {kind} *out{number}) {{",
            f"    __shared__ {kind} s[{LANES}];", "    const unsigned t = threadIdx.x;",
            f"    {kind} v = in[t];"]
    values = [{t: 1} for t in range(LANES)]
    if elements == 2:
        text.append(f"    for (int i = 1; i < 2; i++) v += in[t + i * {LANES}];")
        values = [plus(v, {t + LANES: 1}) for t, v in enumerate(values)]
    for _ in range(rng.randint(1, 6)):
        what = rng.randrange(6)
        if what <= 2:
            op = rng.choice(["idx", "up", "down", "xor"])
            width = rng.choice([32, 32, 16, 8, 4])
            arg = rng.randrange(width)
            name = "" if op == "idx" else "_" + op
            got = shuffled(op, values, arg, width)
            call = f"__shfl{name}_sync(0xffffffff, v, {arg}, {width})"
            if what == 0 and rng.random() < 0.5:
                guard = rng.randrange(32)
                text.append(f"    {{ {kind} o = {call}; if (t % 32 >= {guard}) v += o; }}")
                values = [plus(v, got[t]) if t % 32 >= guard else v for t, v in enumerate(values)]
            elif what == 1:
                text.append(f"    v = {call};")
                values = got
            else:
                text.append(f"    v {'-' if width == 4 else '+'}= {call};")
                values = [plus(v, g, -1 if width == 4 else 1) for v, g in zip(values, got)]
        elif what == 3:
            factor = rng.choice([2, 3, 5])
            text.append(f"    v = v * {factor};")
            values = [{k: factor * c for k, c in v.items()} for v in values]
        elif what == 4:
            far = rng.randrange(1, LANES)
            text.append(f"    s[t] = v; __syncthreads(); v += s[(t + {far}) % {LANES}]; "
                        "__syncthreads();")
            values = [plus(v, values[(t + far) % LANES]) for t, v in enumerate(values)]
        else:
            text.append("    for (int o = 16; o > 0; o /= 2) v += "
                        "__shfl_down_sync(0xffffffff, v, o);")
            for far in (16, 8, 4, 2, 1):
                got = shuffled("down", values, far, 32)
                values = [plus(v, g) for v, g in zip(values, got)]
    text += [f"    out{number}[t] = v;", "}"]
    return "\n".join(text), kind, values


def told(line):
    """The counts in "out3[5] = in[5..7], in[9] twice." """
    counts = {}
    words = line.split(" = ", 1)[1].rstrip(".\n")
    if words == "a constant":
        return counts
    for part in words.split(", "):
        match = re.fullmatch(r"in\[(\d+)(?:\.\.(\d+))?\](?: (twice|-?[\d.e+]+ times))?", part)
        if not match:
            return None
        count = {None: 1, "twice": 2}.get(match[3]) or float(match[3].split()[0])
        for index in range(int(match[1]), int(match[2] or match[1]) + 1):
            counts[index] = count
    return counts


def main():
    shflviz, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    kernels = [make(i, rng) for i in range(count)]
    wrong = unknown = values = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.cu")
        saved = os.path.join(folder, "random.svt")
        with open(path, "w", encoding="ascii") as to:
            to.write("\n".join(kernel[0] for kernel in kernels) + "\nint main() {\n")
            for i, (_, kind, _) in enumerate(kernels):
                to.write(f"  {{ {kind} *in, *out; cudaMalloc(&in, {2 * LANES} * sizeof *in); "
                         f"cudaMalloc(&out, {LANES} * sizeof *out); "
                         f"cudaMemset(in, 0, {2 * LANES} * sizeof *in); "
                         f"k{i}<<<1, {LANES}>>>(in, out); }}\n")
            to.write("  return cudaDeviceSynchronize(); }\n")
        subprocess.run([shflviz, "run", path, "--whose", "out0", "-o", saved], check=True,
                       stdout=subprocess.DEVNULL)
        for i, (text, _, expected) in enumerate(kernels):
            answer = subprocess.run([shflviz, "replay", saved, "--whose", f"out{i}"], check=True,
                                    capture_output=True, text=True).stdout
            lines = [line for line in answer.splitlines() if line.startswith(f"out{i}[")
                     and " = " in line]
            if len(lines) != LANES:
                sys.exit(f"kernel {i}: {len(lines)} results, not {LANES}\n{text}\n{answer}")
            for t, line in enumerate(lines):
                counts = told(line)
                values += 1
                unknown += counts is None
                if counts is not None and counts != expected[t]:
                    wrong += 1
                    if wrong <= 3:
                        print(f"{text}\ntold:     {line}\nexpected: {expected[t]}")
    print(f"{count} kernels, {values} values: {wrong} wrong, {unknown} without counts")
    sys.exit(wrong + unknown > 0)


main()
