#!/usr/bin/env python3
"""Writes lib/base/text/utf8_ranges.inc from the Unicode Character Database.

    lib/base/text/unicode/ranges.py FOLDER > lib/base/text/utf8_ranges.inc

FOLDER contains UnicodeData.txt and EastAsianWidth.txt; with Debian's package unicode-data it is
/usr/share/unicode. The build needs neither file: the result is part of the sources. base/text/utf8.h
explains the kinds.
"""

import re
import sys

LAST = 0x10FFFF
CODES = r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?"
HANGUL_MEDIALS_AND_FINALS = [(0x1160, 0x11FF), (0xD7B0, 0xD7FB)]
# Format characters that are visible: the soft hyphen, and signs drawn under the digits that follow
# them.
DRAWN_FORMATS = {0xAD, *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
JOINERS = {0x200C, 0x200D}


def categories(folder):
    category = ["Cn"] * (LAST + 1)
    first = None
    for line in open(f"{folder}/UnicodeData.txt", encoding="ascii"):
        fields = line.split(";")
        code = int(fields[0], 16)
        if fields[1].endswith(", First>"):
            first = code
            continue
        for c in range(code if first is None else first, code + 1):
            category[c] = fields[2]
        first = None
    return category


def wide_codes(folder):
    wide, version = set(), None
    for line in open(f"{folder}/EastAsianWidth.txt", encoding="utf-8"):
        version = version or re.match(r"# EastAsianWidth-([0-9.]+)\.txt", line)[1]
        match = re.match(CODES + r"\s*;\s*[WF]\b", line)
        if match:
            wide.update(range(int(match[1], 16), int(match[2] or match[1], 16) + 1))
    return wide, version


def kind(code, category, wide):
    if code in DRAWN_FORMATS:
        return None
    if code in JOINERS or category in ("Mn", "Me"):
        return "ZERO"
    if category in ("Cc", "Cf", "Zl", "Zp", "Cs"):
        return "HIDDEN"
    if any(first <= code <= last for first, last in HANGUL_MEDIALS_AND_FINALS):
        return "ZERO" if category == "Lo" else None
    return "WIDE" if code in wide else None


def main(folder):
    category = categories(folder)
    wide, version = wide_codes(folder)
    print("/* Written by lib/base/text/unicode/ranges.py; not to be edited. */")
    print(f'#define UTF8_UNICODE_VERSION "{version}"')
    first, current = 0, None
    for code in range(LAST + 2):
        now = kind(code, category[code], wide) if code <= LAST else None
        if now == current:
            continue
        if current:
            print(f"{{0x{first:04x}, 0x{code - 1:04x}, {current}}},")
        first, current = code, now


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
