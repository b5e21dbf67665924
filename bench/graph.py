#!/usr/bin/env python3
"""graph.py TABLE - plots the table of work_bench as SVG: time over steps, both logarithmic."""
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 420, 70, 20, 150, 50
# Name, column of the table, a function that converts its value to milliseconds for that many steps, and colour.
LINES = (
    ("JSON lines", 9, lambda value, steps: value * steps / 1e6, "#b45309"),
    ("recording", 2, lambda value, steps: value * steps / 1e6, "#1d4ed8"),
    ("checking", 7, lambda value, steps: value * steps / 1e6, "#15803d"),
    ("closing", 3, lambda value, steps: value * steps / 1e6, "#7c3aed"),
    ("open and draw", 4, lambda value, steps: value, "#b91c1c"),
    ("jump", 5, lambda value, steps: value, "#0f766e"),
    ("draw", 6, lambda value, steps: value, "#475569"),
)


def read(path):
    with open(path, encoding="utf-8") as table:
        cells = [[cell.strip() for cell in line.strip().strip("|").split("|")]
                 for line in table if line.startswith("|")]
    return [row for row in cells if row[0].isdigit()]


def points(rows, column, milliseconds):
    return [(int(row[0]), milliseconds(float(row[column]), int(row[0])))
            for row in rows if row[column] and float(row[column]) > 0]


def main():
    rows = read(sys.argv[1])
    if not rows:
        sys.exit(f"{sys.argv[1]}: no table of work_bench")
    series = [(name, points(rows, column, way), colour) for name, column, way, colour in LINES]
    xs = [int(row[0]) for row in rows]
    ys = [y for _, line, _ in series for _, y in line]
    x0, x1 = math.log10(min(xs)), max(math.log10(max(xs)), math.log10(min(xs)) + 1)
    y0, y1 = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def at(x, y):
        return (LEFT + (math.log10(x) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (math.log10(y) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM))

    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
          f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">')
    print("<title>What recordings cost as they get longer</title>")
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>')
    for power in range(y0, y1 + 1):
        _, y = at(min(xs), 10.0 ** power)
        label = f"{10.0 ** power / 1e3:g} s" if power >= 3 else f"{10.0 ** power:g} ms"
        print(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e2e8f0"/>'
              f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for x in xs:
        place, _ = at(x, 10.0 ** y0)
        print(f'<text x="{place:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">10'
              f'<tspan dy="-5" font-size="9">{round(math.log10(x))}</tspan></text>')
    print(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 10}" '
          'text-anchor="middle">steps</text>')
    ends, last = [], {}
    for name, line, colour in series:
        path = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in line)
        print(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        ends.append((at(*line[-1]), name, colour))
    for (x, y), name, colour in sorted(ends, key=lambda end: end[0][1]):
        last[x] = max(y + 4, last.get(x, 0) + 14)
        print(f'<text x="{x + 8:.1f}" y="{last[x]:.1f}" fill="{colour}">{name}</text>')
    print("</svg>")


main()
