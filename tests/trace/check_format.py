#!/usr/bin/env python3
"""Reads recordings by docs/TRACE_FORMAT.md alone: its tables, and its example as it stands there.

check_format.py DOCUMENT MAKE_RECORDING

The tables are taken from the document and applied to files that MAKE_RECORDING writes, with nothing
but Python's own modules; the example needs NumPy and is left out, saying so, where that is missing.
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
        sys.exit(f"{what}: the document leads to {got!r}, and {wanted!r} was recorded")


def section(document, title):
    return document.split(f"\n## {title}\n")[1].split("\n## ")[0]


def table(document, title, value_bytes=0):
    """{name: (offset, size)} of the first table of a section."""
    fields = {}
    for line in section(document, title).splitlines():
        row = re.fullmatch(r"\| ([\d+* a-z_]+) \| ([\d+* a-z_]+) \| (\w+) \| .* \|", line)
        if row and row[3] != "name":
            offset, size = (eval(row[i], {"value_bytes": value_bytes}) for i in (1, 2))
            fields[row[3]] = (offset, size)
    return fields


def numbers(document, name):
    """['idx', 'up', ...]: the names that the paragraph `name:` counts up."""
    paragraph = re.search(rf"\n{name}: (.*?)\n\n", document, re.S)[1]
    pairs = re.findall(r"(\d+) `([\w-]+)`", paragraph)
    check(f"the numbers of {name}", [int(n) for n, _ in pairs], list(range(len(pairs))))
    return [word for _, word in pairs]


def integer(data, at, size, signed=False):
    return int.from_bytes(data[at:at + size], "little", signed=signed)


def integers(data, at, size, count, signed=False):
    return [integer(data, at + i * size, size, signed) for i in range(count)]


class File:
    def __init__(self, document, data):
        self.document, self.data = document, data
        self.header = {name: integer(data, *place) for name, place in table(document, "Header").items()}

    def record(self, step, name, count=1, signed=False):
        fields = table(self.document, "Records", self.header["value_bytes"])
        offset, size = fields[name]
        at = self.header["records_offset"] + step * self.header["record_bytes"] + offset
        values = integers(self.data, at, size // count, count, signed)
        return values[0] if count == 1 else values

    def run(self, index):
        at = self.header["runs_offset"] + 40 * index
        return {name: integer(self.data, at + offset, size)
                for name, (offset, size) in table(self.document, "Index").items()}

    def entries(self):
        for region in ("front", "tail"):
            at = self.header[region + "_offset"]
            end = at + self.header[region + "_bytes"]
            while at < end:
                tag, size = struct.unpack_from("<II", self.data, at)
                yield tag, self.data[at + 8:at + 8 + size]
                at += 8 + (size + 7) // 8 * 8

    def check_sum(self):
        check = 0xcbf29ce484222325
        h = self.header
        for begin, size in ((0, 128), (h["front_offset"], h["front_bytes"]),
                            (h["tail_offset"], h["tail_bytes"])):
            for byte in self.data[begin:begin + size]:
                check = (check ^ byte) * 0x100000001b3 % 2**64
        return check


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
    for name, wanted in (("version", 1), ("byte_order", 0x01020304), ("header_bytes", 4096),
                         ("value_bytes", value_bytes), ("record_bytes", 256 + 64 * value_bytes),
                         ("flags", 1), ("records_offset", 32768), ("step_count", steps),
                         ("dropped", 0), ("front_offset", 4096), ("tail_bytes", 0),
                         ("warp_count", 3), ("run_count", steps),
                         ("file_bytes", len(file.data)), ("check", file.check_sum())):
        check(name, h[name], wanted)


def check_records(file, steps):
    """What sample.c writes: in step n lane l brings 100 n + l and gets that of lane l ^ 3."""
    ops, types = numbers(file.document, "op"), numbers(file.document, "type")
    for n in range(steps):
        check("sequence", file.record(n, "sequence"), n + 1)
        check("block", file.record(n, "block"), 0)
        check("launch", file.record(n, "launch"), 0)
        check("warp", file.record(n, "warp"), n % 3)
        check("site", file.record(n, "site"), 0)
        check("op", ops[file.record(n, "op")], "xor")
        check("type", types[file.record(n, "type")], "int")
        check("flags", file.record(n, "flags"), 2)
        check("members", file.record(n, "members"), 0xffffffff)
        check("present", file.record(n, "present"), 0xffffffff)
        check("width", file.record(n, "width", signed=True), 32)
        check("exited", file.record(n, "exited"), 0)
        check("lane_width", file.record(n, "lane_width", 32), [0] * 32)
        check("arg", file.record(n, "arg", 32, True), [3] * 32)
        check("in", file.record(n, "in", 32), [100 * n + lane for lane in range(32)])
        check("out", file.record(n, "out", 32), [100 * n + (lane ^ 3) for lane in range(32)])


def check_metadata(file):
    entries = list(file.entries())
    check("tags", [tag for tag, _ in entries], [1, 2, 3, 4])
    launch, site, source, note = (payload for _, payload in entries)
    check("grid and block", struct.unpack_from("<6I", launch), (4, 1, 1, 96, 1, 1))
    check("shared memory", integer(launch, 24, 8), 0)
    check("kernel", strings(launch[32:]), ["sample"])
    check("line", integer(site, 0, 4), 7)
    check("site", strings(site[4:]), ["sample.cu", "sample", "__shfl_xor_sync(~0u, value, 3)"])
    check("source", strings(source), ["sample.cu", "int a;\n\tint b;\n"])
    check("note", strings(note), ["title", "sample"])


def check_index(file, steps):
    """Warps 0, 1, 2 take turns, so each step is a run of its own."""
    at = file.header["warps_offset"]
    per_warp = [len(range(w, steps, 3)) for w in range(3)]
    check("warps", integers(file.data, at, 8, 3), [0, per_warp[0], per_warp[0] + per_warp[1]])
    wanted = [{"first": n, "block": 0, "launch": 0, "warp": w, "count": 1, "number": w,
               "position": i} for w in range(3) for i, n in enumerate(range(w, steps, 3))]
    check("runs", [file.run(i) for i in range(steps)], wanted)


def check_names(document, make_recording):
    names = subprocess.run([make_recording, "names"], check=True, capture_output=True, text=True)
    ops, types = (line.split() for line in names.stdout.splitlines())
    check("operations", numbers(document, "op"), ops)
    check("types", numbers(document, "type"), types)


def check_example(document, path, step):
    example = re.search(r"```python\n(.*?)```", document, re.S)[1]
    result = subprocess.run([sys.executable, "-c", example, path, str(step)],
                            capture_output=True, text=True)
    if result.returncode:
        sys.exit("the example of the document fails:\n" + result.stderr)
    wanted = [f"lane {lane:2}: brought {100 * step + lane}, got {100 * step + (lane ^ 3)}"
              for lane in range(32)]
    check("the example", result.stdout.splitlines(), wanted)


def main():
    document = open(sys.argv[1], encoding="utf-8").read()
    check_names(document, sys.argv[2])
    numpy = importlib.util.find_spec("numpy") is not None
    with tempfile.TemporaryDirectory() as folder:
        for value_bytes, steps in ((4, 5), (8, 200)):
            path = os.path.join(folder, f"sample{value_bytes}.svt")
            subprocess.run([sys.argv[2], path, str(value_bytes), str(steps)], check=True)
            with open(path, "rb") as recording:
                file = File(document, recording.read())
            check_header(file, value_bytes, steps)
            check_records(file, min(steps, 20))
            check_metadata(file)
            check_index(file, steps)
            if numpy:
                check_example(document, path, steps - 1)
    print(f"{CHECKS} checks by the tables of the document")
    if not numpy:
        print("skipped: the example of the document, for want of numpy")


main()
