#!/usr/bin/env python3
"""Checks recordings against docs/TRACE_FORMAT.md: with its tables, and with the Python reader beside it.

check_format.py DOCUMENT MAKE_RECORDING RAW

Takes the tables from the document and applies them to files that MAKE_RECORDING writes, using only
Python's standard library. The reader needs NumPy; without it, the reader is skipped and the output
says so.
"""
import importlib.util
import os
import re
import struct
import subprocess
import sys
import tempfile

CHECKS = 0


def check(what, got, wanted):
    global CHECKS
    CHECKS += 1
    if got != wanted:
        sys.exit(f"{what}: according to the document it is {got!r}, but {wanted!r} was recorded")


def section(document, title):
    return document.split(f"\n## {title}\n")[1].split("\n## ")[0]


def table(document, title, value_bytes=0):
    """The first table of a section as {name: (offset, size)}."""
    fields = {}
    for line in section(document, title).splitlines():
        row = re.fullmatch(r"\| ([\d+* a-z_]+) \| ([\d+* a-z_]+) \| (\w+) \| .* \|", line)
        if row and row[3] != "name":
            offset, size = (eval(row[i], {"value_bytes": value_bytes}) for i in (1, 2))
            fields[row[3]] = (offset, size)
    return fields


def numbers(document, name):
    """The names that the paragraph `name:` lists: ['idx', 'up', ...]."""
    paragraph = re.search(rf"\n{name}: (.*?)\n\n", document, re.S)[1]
    pairs = re.findall(r"(\d+) `([\w-]+)`", paragraph)
    check(f"the numbers of {name}", [int(n) for n, _ in pairs], list(range(len(pairs))))
    return [word for _, word in pairs]


def integer(data, at, size, signed=False):
    return int.from_bytes(data[at:at + size], "little", signed=signed)


def integers(data, at, size, count, signed=False):
    return [integer(data, at + i * size, size, signed) for i in range(count)]


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


class File:
    """All blocks of a file, in order."""

    def __init__(self, document, data):
        self.document, self.data = document, data
        self.header = {name: integer(data, *place) for name, place in table(document, "Header").items()}
        fields, self.blocks, at = table(document, "Blocks"), [], 128
        while at < len(data):
            block = {name: integer(data, at + offset, size) for name, (offset, size) in fields.items()}
            end = at + 64 + (block["bytes"] + 63) // 64 * 64
            check("mark", block["mark"], 0x4b4c4253)
            check("the check of a block", block["check"], crc32c(data[at:at + 60] + data[at + 64:end]))
            block["offset"], block["payload"] = at, data[at + 64:at + 64 + block["bytes"]]
            self.blocks.append(block)
            at = end
        check("the end of the blocks", at, len(data))

    def of(self, kind):
        return [block for block in self.blocks if block["kind"] == kind]

    def entries(self):
        data = b"".join(block["payload"] for block in self.of(1))
        at = 0
        while at < len(data):
            tag, size = struct.unpack_from("<II", data, at)
            yield tag, data[at + 8:at + 8 + size]
            at += 8 + (size + 7) // 8 * 8


def strings(data):
    found = []
    while data:
        size = integer(data, 0, 4)
        found.append(data[4:4 + size].decode())
        data = data[4 + size:]
    return found


def check_header(file, value_bytes, steps):
    h = file.header
    check("magic", file.data[:8], b"\x89SHFL\r\n\x1a")
    for name, wanted in (("version", 2), ("byte_order", 0x01020304), ("value_bytes", value_bytes),
                         ("record_bytes", 256 + 64 * value_bytes), ("flags", 1), ("block_steps", 256),
                         ("end_offset", file.of(32)[0]["offset"]), ("check", crc32c(file.data[:60]))):
        check(name, h[name], wanted)
    check("the rest of the header", file.data[64:128], bytes(64))
    fields, end = table(file.document, "End"), file.of(32)[0]["payload"]
    for name, wanted in (("step_count", steps), ("dropped", 0), ("run_count", steps), ("warp_count", 3),
                         ("last_metadata", file.of(1)[-1]["offset"])):
        check(name, integer(end, *fields[name]), wanted)
    groups = [block["offset"] for kind in (18, 19, 20) for block in file.of(kind)]
    check("the groups", integers(end, 40, 8, len(groups)), groups)
    check("nothing else", len(end), 40 + 8 * len(groups))
    for kind in (2, 3, 4):
        listed = [offset for group in file.of(16 + kind)
                  for offset in integers(group["payload"], 0, 8, group["count"])]
        check("what a group lists", listed, [block["offset"] for block in file.of(kind)])


def check_records(file, steps, example):
    """Checks the steps that sample.c writes: in step n lane l passes 100 n + l and gets the value of lane l ^ 3."""
    ops, types = numbers(file.document, "op"), numbers(file.document, "type")
    found = [step for block in file.of(2) for step in example.compact(block["payload"], block["count"])]
    check("steps", len(found), steps)
    for n, step in enumerate(found):
        wanted = {"block": 0, "launch": 0, "warp": n % 3, "site": 0, "flags": 2, "members": 0xffffffff,
                  "present": 0xffffffff, "width": 32, "exited": 0, "lane_width": [0] * 32,
                  "arg": [3] * 32, "in": [100 * n + lane for lane in range(32)],
                  "out": [100 * n + (lane ^ 3) for lane in range(32)]}
        for name, value in wanted.items():
            check(name, step[name], value)
        check("op", ops[step["op"]], "xor")
        check("type", types[step["type"]], "int")


def check_raw(file, example):
    """Checks the recording `partial` of the corpus: its records, which the compact encoding cannot represent."""
    block = file.of(2)[0]
    fields = table(file.document, "Records", file.header["value_bytes"])
    check("encoding", block["encoding"], 0)
    for n, step in enumerate(example.raw(block["payload"], file.header["value_bytes"])):
        at = n * file.header["record_bytes"]
        for name in ("block", "launch", "warp", "site", "op", "type", "present"):
            check(name, int(step[name]), integer(block["payload"], at + fields[name][0], fields[name][1]))
        check("sequence", integer(block["payload"], at + fields["sequence"][0], 8), n + 1)


def check_metadata(file):
    entries = list(file.entries())
    check("tags", [tag for tag, _ in entries], [1, 2, 3, 4, 5])
    launch, site, source, note, output = (payload for _, payload in entries)
    check("grid and block", struct.unpack_from("<6I", launch), (4, 1, 1, 96, 1, 1))
    check("shared memory", integer(launch, 24, 8), 0)
    check("kernel", strings(launch[32:]), ["sample"])
    check("line", integer(site, 0, 4), 7)
    check("site", strings(site[4:]), ["sample.cu", "sample", "__shfl_xor_sync(~0u, value, 3)"])
    check("source", strings(source), ["sample.cu", "int a;\n\tint b;\n"])
    check("note", strings(note), ["title", "sample"])
    check("steps, launches, stream", struct.unpack_from("<Q2I", output), (0, 1, 2))
    check("output", strings(output[16:]), ["two\nlines"])


def check_index(file, steps, example):
    """Warps 0, 1, 2 take turns, so each step is a separate run."""
    per_warp = [len(range(w, steps, 3)) for w in range(3)]
    firsts, total = [], 0
    data = iter(file.of(4)[0]["payload"])
    for _ in range(3):
        total += example.number(data)
        firsts.append(total)
    check("warps", firsts, [0, per_warp[0], per_warp[0] + per_warp[1]])
    found = []
    for block in file.of(3):
        data = iter(block["payload"])
        number, position, run = example.number(data), example.number(data), None
        for _ in range(block["count"]):
            count = example.number(data)
            launch, where, warp, first = (run[:4] if run else (0, 0, 0, 0))
            if run:
                number, position = (number + 1, 0) if count & 1 else (number, position + run[4])
            if count & 1:
                launch += example.difference(data)
                where += example.difference(data)
                warp += example.difference(data)
            run = (launch, where, warp, first + example.difference(data), count >> 1, number, position)
            found.append(run)
    wanted = [(0, 0, w, n, 1, w, i) for w in range(3) for i, n in enumerate(range(w, steps, 3))]
    check("runs", found, wanted)


def check_names(document, make_recording):
    names = subprocess.run([make_recording, "names"], check=True, capture_output=True, text=True)
    ops, types = (line.split() for line in names.stdout.splitlines())
    check("operations", numbers(document, "op"), ops)
    check("types", numbers(document, "type"), types)


def check_example(example, path, step):
    result = subprocess.run([sys.executable, example, path, str(step)], capture_output=True, text=True)
    if result.returncode:
        sys.exit("the document's example fails:\n" + result.stderr)
    wanted = [f"lane {lane:2}: brought {100 * step + lane}, got {100 * step + (lane ^ 3)}"
              for lane in range(32)]
    check("the example", result.stdout.splitlines(), wanted)


def load_example(document, folder):
    """The example as a module; without NumPy, the parts that need it are left out."""
    text = open(os.path.join(os.path.dirname(document), "read_recording.py"), encoding="utf-8").read()
    if importlib.util.find_spec("numpy") is None:
        text = text.replace("import numpy as np\n", "")
    path = os.path.join(folder, "lanes.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    spec = importlib.util.spec_from_file_location("lanes", path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return path, example


def main():
    document = open(sys.argv[1], encoding="utf-8").read()
    check_names(document, sys.argv[2])
    numpy = importlib.util.find_spec("numpy") is not None
    with tempfile.TemporaryDirectory() as folder:
        example_path, example = load_example(sys.argv[1], folder)
        for value_bytes, steps in ((4, 5), (8, 600)):
            path = os.path.join(folder, f"sample{value_bytes}.svt")
            subprocess.run([sys.argv[2], path, str(value_bytes), str(steps)], check=True)
            with open(path, "rb") as recording:
                file = File(document, recording.read())
            check_header(file, value_bytes, steps)
            check_records(file, steps, example)
            check_metadata(file)
            check_index(file, steps, example)
            if numpy:
                check_example(example_path, path, steps - 1)
        if numpy:
            with open(sys.argv[3], "rb") as recording:
                check_raw(File(document, recording.read()), example)
    print(f"{CHECKS} checks against the document's tables")
    if not numpy:
        print("skipped: the document's example, because NumPy is not installed")


main()
