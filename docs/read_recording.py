"""Reads a recording with NumPy, as TRACE_FORMAT.md describes it; only the blocks that it needs.

python3 read_recording.py FILE.svt STEP prints what each lane passed and got in that step.
"""
import struct, sys
import numpy as np

def number(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value

def difference(data):
    folded = number(data)
    return folded >> 1 if folded % 2 == 0 else -(folded >> 1) - 1

def integer(data, size):
    return int.from_bytes(bytes(next(data) for _ in range(size)), "little")

def column(data, how, lanes, values):
    if how in (16, 17):
        begin, each = number(data), difference(data)
        for lane in lanes:
            values[lane] = (begin + lane * each) % 2 ** (32 if how == 16 else 64)
    else:
        least = number(data)
        for lane in lanes:
            values[lane] = least + integer(data, how)

def add(kind, a, b):
    if kind in (6, 7):
        code, whole = ("<f", "<I") if kind == 6 else ("<d", "<Q")
        x, y = (np.frombuffer(struct.pack(whole, v), code)[0] for v in (a, b))
        total = x + y
        return a if np.isnan(total) else int(np.frombuffer(total.tobytes(), whole)[0])
    return (a + b) % 2 ** (64 if 2 <= kind <= 5 else 32)

def rule(s, lane):
    width = int(s["lane_width"][lane]) if s["flags"] & 1 else s["width"]
    if s["op"] == 7:
        return sum(1 << l for l in s["lanes"] if s["in"][l] == s["in"][lane])
    if s["op"] > 3 or width not in (1, 2, 4, 8, 16, 32):
        return s["in"][lane]
    arg = (s["arg"][lane] ^ 2 ** 31) - 2 ** 31
    base = lane - lane % width
    source = (base + arg % width, lane - arg, lane + arg, lane ^ arg)[s["op"]]
    low = 0 if s["op"] == 3 else base
    return s["in"][source if low <= source < base + width else lane]

def compact(payload, count):
    data, last = iter(payload), {}
    s = dict.fromkeys("block launch warp site op type flags members present width exited".split(), 0)
    s["arg"] = [0] * 32
    for _ in range(count):
        bits, before = number(data), s["arg"]
        s = dict(s, arg=[0] * 32, lane_width=[0] * 32, **{"in": [0] * 32, "out": [0] * 32})
        for bit, name in enumerate(("block", "launch", "warp", "site")):
            if bits >> bit & 1:
                s[name] += difference(data)
        for bit, name in ((4, "op"), (5, "type"), (6, "flags")):
            if bits >> bit & 1:
                s[name] = number(data)
        for bit, name in ((7, "members"), (8, "present"), (9, "width"), (10, "exited")):
            if bits >> bit & 1:
                s[name] = number(data) if name == "width" else integer(data, 4)
        if bits >> 11 & 1:
            s["lane_width"] = [(integer(data, 2) ^ 2 ** 15) - 2 ** 15 for _ in range(32)]
        lanes = s["lanes"] = [lane for lane in range(32) if s["present"] >> lane & 1]
        how = next(data)
        if how == 24:
            for lane in lanes:
                s["arg"][lane] = before[lane]
        else:
            column(data, how, lanes, s["arg"])
        slot = (s["warp"] + 32 * s["block"] + 61 * s["launch"]) % 64
        how = next(data)
        if 32 <= how <= 35:
            guesses = integer(data, 8) if how == 35 else (how - 32) * 0x5555555555555555
            for lane in lanes:
                a, b = last[slot]["in"][lane], last[slot]["out"][lane]
                s["in"][lane] = (a, b, add(s["type"], a, b), 0)[guesses >> 2 * lane & 3]
            none = [lane for lane in lanes if guesses >> 2 * lane & 3 == 3]
            if none:
                column(data, next(data), none, s["in"])
        else:
            column(data, how, lanes, s["in"])
        how = next(data)
        if how in (40, 41):
            s["out"] = [rule(s, lane) if lane in lanes else 0 for lane in range(32)]
            if how == 41:
                other = integer(data, 4)
                column(data, next(data), [l for l in lanes if other >> l & 1], s["out"])
        else:
            column(data, how, lanes, s["out"])
        last[slot] = s
        yield s

def raw(payload, value_bytes):
    record = np.dtype({
        "names": ["block", "launch", "warp", "site", "op", "type", "present", "arg", "in", "out"],
        "formats": ["<u8", "<u4", "<u4", "<u4", "u1", "u1", "<u4", "(32,)<i4",
                    f"(32,)<u{value_bytes}", f"(32,)<u{value_bytes}"],
        "offsets": [8, 16, 20, 24, 28, 29, 36, 128, 256, 256 + 32 * value_bytes],
        "itemsize": 256 + 64 * value_bytes})
    return np.frombuffer(payload, record)

class Recording:
    def __init__(self, path):
        self.data = np.memmap(path, mode="r")
        magic, version, _, self.value_bytes = struct.unpack_from("<8s3I", self.data)
        assert magic == b"\x89SHFL\r\n\x1a" and version == 2
        end = struct.unpack_from("<Q", self.data, 32)[0]  # set when the recording is closed
        self.end = self.block(end)[2]
        self.count = int(np.frombuffer(self.end[:8], "<u8")[0])

    def block(self, offset):
        encoding, = struct.unpack_from("<H", self.data, offset + 6)
        count, size = struct.unpack_from("<2I", self.data, offset + 32)
        return encoding, count, self.data[offset + 64:offset + 64 + size].tobytes()

    def steps(self, block):
        group, = struct.unpack_from("<Q", self.end, 40 + block // 512 * 8)
        offset, = struct.unpack_from("<Q", self.block(group)[2], block % 512 * 8)
        encoding, count, payload = self.block(offset)
        return list(compact(payload, count)) if encoding else raw(payload, self.value_bytes)

if __name__ == "__main__":
    path, wanted = sys.argv[1], int(sys.argv[2])
    step = Recording(path).steps(wanted // 256)[wanted % 256]
    for lane in range(32):
        if step["present"] >> lane & 1:
            print(f"lane {lane:2}: brought {step['in'][lane]}, got {step['out'][lane]}")
