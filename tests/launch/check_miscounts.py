#!/usr/bin/env python3
"""check_miscounts.py SHFLVIZ [COUNT [SEED]] - checks random reductions and scans, right and wrong ones.

For a right kernel no line may be reported as miscounting. Then one of its lines is made wrong: the
first sentence of the report must name that line, or the loop that contains it.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

TYPES = ["int", "unsigned", "float", "double", "long long"]


def load(rng, lines, threads, each):
    """Each thread sums `each` elements of an array that has `each` elements per thread."""
    if each == 1:
        lines.append("  T v = in[t];")
    elif rng.random() < 0.5:
        lines += ["  T v = 0;", f"  for (int i = t; i < {threads * each}; i += {threads})",
                  "    v += in[i];"]
    else:
        lines += ["  T v = 0;", f"  for (int i = 0; i < {each}; i++)",
                  f"    v += in[t * {each} + i];"]


def tree(rng, lines, width=32, mask="~0u"):
    """The sum of each group of `width` lanes; it is right in the group's first lane."""
    kind = rng.choice(["down", "xor", "down_var"])
    lines.append(f"  for (int o = {width // 2}; o > 0; o /= 2)" + (" {" if kind == "down_var" else ""))
    call = f"__shfl_{'xor' if kind == 'xor' else 'down'}_sync({mask}, v, o{f', {width}' if width < 32 else ''})"
    if kind == "down_var":
        lines += [f"    T other = {call};", "    v = v + other;", "  }"]
    else:
        lines.append(f"    v += {call};")


def warp_sum(rng, lines):
    """One warp, or groups of lanes in it, with one result each."""
    width = rng.choice([32, 32, 16, 8])
    load(rng, lines, 32, each := rng.choice([1, 1, 2, 3]))
    tree(rng, lines, width)
    lines.append(f"  if (t % {width} == 0) out[t / {width}] = v;")
    return 32, each


def block_sum(rng, lines):
    threads = rng.choice([64, 128, 256])
    warps = threads // 32
    load(rng, lines, threads, each := rng.choice([1, 1, 2]))
    tree(rng, lines)
    lines += ["  if (t % 32 == 0)", "    s[t / 32] = v;", "  __syncthreads();"]
    how = rng.randrange(3)
    if how == 0:
        lines += ["  if (t == 0) {", "    T sum = 0;", f"    for (int w = 0; w < {warps}; w++)",
                  "      sum += s[w];", "    out[0] = sum;", "  }"]
    elif how == 1:
        lines += ["  if (t < 32) {", f"    v = t < {warps} ? s[t] : T(0);",
                  f"    for (int o = {warps // 2}; o > 0; o /= 2)",
                  "      v += __shfl_down_sync(~0u, v, o);", "    if (t == 0) out[0] = v;", "  }"]
    else:
        lines += ["  T all = 0;", f"  for (int w = 0; w < {warps}; w++)", "    all += s[w];",
                  "  out[t] = all;"]
    return threads, each


def shared_tree(rng, lines):
    threads = rng.choice([32, 64, 128])
    load(rng, lines, threads, each := rng.choice([1, 2]))
    lines += ["  s[t] = v;", "  __syncthreads();",
              f"  for (int o = {threads // 2}; o > 0; o /= 2) {{", "    if (t < o)",
              "      s[t] += s[t + o];", "    __syncthreads();", "  }",
              "  if (t == 0) out[0] = s[0];"]
    return threads, each


def scan(rng, lines):
    threads = rng.choice([32, 32, 64])
    lines += ["  T v = in[t];", "  for (int o = 1; o < 32; o *= 2) {",
              "    T left = __shfl_up_sync(~0u, v, o);", "    if (t % 32 >= o) v += left;", "  }"]
    if threads == 64:
        lines += ["  if (t % 32 == 31) s[t / 32] = v;", "  __syncthreads();",
                  "  if (t >= 32) v += s[0];"]
    lines.append("  out[t] = v;")
    return threads, 1


def maximum(rng, lines):
    lines += ["  T v = in[t];", "  for (int o = 16; o > 0; o /= 2) {",
              f"    T other = __shfl_{rng.choice(['xor', 'down'])}_sync(~0u, v, o);",
              "    v = v > other ? v : other;", "  }", "  if (t == 0) out[0] = v;"]
    return 32, 1


SHAPES = [warp_sum, warp_sum, block_sum, block_sum, shared_tree, scan, maximum]

# The mutations: a pattern in one line, its replacement, and a name.
FAULTS = [
    (r"(for \(int o = \d+; o >) 0(; o /= 2\).*)", r"\1 1\2", "a round too few"),
    (r"(v \+= |T other = )(__shfl_down_sync\(~0u, v, )o\)", r"\1\2o * 0)", "reads itself"),
    (r"(v = v \+ other);", r"v = other;", "does not add"),
    (r"v \+= in\[i\];", r"v += in[i]; v += in[t];", "reads one again"),
    (r"T v = in\[t\];", r"T v = in[t] + in[31 - t % 32];", "reads others"),
    (r"sum \+= s\[w\];", r"sum += s[0];", "one warp only"),
    (r"all \+= s\[w\];", r"all += s[w] + (w == 0 ? s[w] : T(0));", "one warp twice"),
    (r"s\[t / 32\] = v;", r"s[1 + t / 32] = v;", "a cell too far"),
    (r"s\[t\] \+= s\[t \+ o\];", r"s[t] += s[t + o] + s[t];", "itself again"),
    (r"if \(t % 32 >= o\) v \+= left;", r"v += left;", "no guard"),
    (r"(for \(int o = )16(;.*)", r"\g<1>8\2", "begins too late"),
]


def is_silent(shape, what):
    """True for faults that cannot be reported: a maximum has no counts, an element may be in the results
    of several groups, and a result of a few elements may be a copy."""
    return ((shape is maximum and what.startswith("reads")) or
            (shape is warp_sum and what in ("reads others", "does not add")))


def kernel(number, body, kind):
    """The kernel's text; the first line of the body is its line 3."""
    return (f"__global__ void k{number}(const {kind} *in, {kind} *out) {{\n  using T = {kind}; "
            f"__shared__ T s[256]; int t = threadIdx.x; (void)s;\n" + "\n".join(body) + "\n}\n")


def make(rng):
    body = []
    shape = rng.choice(SHAPES)
    threads, each = shape(rng, body)
    faults = [(i, what, body[i][: m.start()] + re.sub(pattern, to, body[i][m.start():], count=1))
              for pattern, to, what in FAULTS for i, line in enumerate(body)
              if (m := re.search(pattern, line))
              and not is_silent(shape, what)]
    wrong = rng.choice(faults) if faults else None
    return {"body": body, "threads": threads, "each": each, "kind": rng.choice(TYPES),
            "fault": wrong}


def main():
    shflviz, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    accused = missed = elsewhere = wrong = 0
    kernels, first = [], {}
    for i in range(count):
        one = make(rng)
        kernels.append((one, None))
        if one["fault"]:
            at, what, text = one["fault"]
            kernels.append((dict(one, body=one["body"][:at] + [text] + one["body"][at + 1:]),
                            (at, what)))
    text, calls = "", ""
    for i, (one, fault) in enumerate(kernels):
        first[i] = text.count("\n") + 3
        text += kernel(i, one["body"], one["kind"])
        elements = one["threads"] * one["each"]
        calls += (f"  {{ {one['kind']} *in, *o; cudaMalloc(&in, {elements} * sizeof *in);"
                  f" cudaMalloc(&o, {one['threads']} * sizeof *o);"
                  f" cudaMemset(in, 0, {elements} * sizeof *in);"
                  f" k{i}<<<1, {one['threads']}>>>(in, o); }}\n")
    with tempfile.TemporaryDirectory() as folder:
        path, saved = os.path.join(folder, "sums.cu"), os.path.join(folder, "sums.svt")
        # Each kernel's array of results gets a unique name, by which it is queried.
        for i in range(len(kernels)):
            text = re.sub(rf"(void k{i}\(const [a-z ]+\*in, [a-z ]+\*)out\)", rf"\1out{i})", text)
        parts = text.split("__global__")
        text = "__global__".join(
            [parts[0]] + [re.sub(r"\bout\[", f"out{i}[", part) for i, part in enumerate(parts[1:])])
        with open(path, "w", encoding="ascii") as to:
            to.write(text + "int main() {\n" + calls + "  return cudaDeviceSynchronize(); }\n")
        subprocess.run([shflviz, "run", path, "--whose", "out0", "-o", saved, "--lang", "en"],
                       check=True, stdout=subprocess.DEVNULL)
        for i, (one, fault) in enumerate(kernels):
            answer = subprocess.run([shflviz, "replay", saved, "--whose", f"out{i}", "--lang", "en"],
                                    check=True, capture_output=True, text=True).stdout
            said = [line for line in answer.splitlines()
                    if re.match(rf"out{i}\[\d+\]: line \d+", line)]
            shown = "\n".join(one["body"])
            if not fault:
                accused += bool(said)
                if said:
                    print(f"a right kernel is accused:\n{shown}\n{said}")
                continue
            wrong += 1
            at, what = fault
            line = first[i] + at
            if not said:
                missed += 1
                print(f"'{what}' is not reported:\n{shown}\n{answer[:300]}")
            elif not re.search(rf"\bline {line}\b", " ".join(said if what == "a cell too far" else
                                                            said[:1])):
                elsewhere += 1
                print(f"'{what}' is in line {line}, body begins in {first[i]}:\n{shown}\n{said}")
    print(f"{count} right kernels, {accused} accused; {wrong} wrong kernels, {missed} missed, "
          f"{elsewhere} reported at another line")
    sys.exit(accused + missed + elsewhere > 0)


main()
