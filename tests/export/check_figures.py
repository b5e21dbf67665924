# check_figures.py PROGRAM WHAT: examines exported figures and films as a viewer shows them. A check
# whose tools are missing is skipped, with status 77.
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

program, what = sys.argv[1:]
folder = tempfile.mkdtemp()
SVG = "{http://www.w3.org/2000/svg}"


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: {tool} is not here")
            sys.exit(77)


def shflviz(*arguments):
    subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def path(name):
    return os.path.join(folder, name)


def record(name, *arguments):
    shflviz(*arguments, "-o", name + ".svt")


def export(name, *arguments):
    shflviz("export", *arguments, "-o", name)
    with open(path(name), encoding="utf-8") as file:
        return file.read()


# ---- the ends of wires ----

def lanes_of(points):
    """Maps x positions to lanes: 32 nodes in a row, from the left."""
    return {x: lane for lane, x in enumerate(sorted(points))}


def wires_of_svg(text):
    root = xml.etree.ElementTree.fromstring(text)
    curves = [re.findall(r"-?[\d.]+", path.get("d")) for path in root.iter(SVG + "path")
              if "C" in path.get("d")]
    return [(float(c[0]), float(c[6])) for c in curves]


def wires_of_tikz(text):
    pattern = r"\] \(([-\d.]+),[-\d.]+\) \.\. controls .* \.\. \(([-\d.]+),[-\d.]+\);"
    return [(float(a), float(b)) for a, b in re.findall(pattern, text)]


# The lane that each lane reads: its own lane, if the target is out of range. Worked out by hand
# from the arithmetic in the CUDA guide.
VECTORS = {
    ("xor", "--mask", "3", "--width", "16"): [lane ^ 3 for lane in range(32)],
    ("xor", "--mask", "16", "--width", "16"): list(range(16)) + list(range(16)),
    ("down", "--delta", "3", "--width", "16"):
        [*range(3, 16), 13, 14, 15, *range(19, 32), 29, 30, 31],
    ("up", "--delta", "3", "--width", "16"):
        [0, 1, 2, *range(0, 13), 16, 17, 18, *range(16, 29)],
    ("idx", "--src", "5", "--width", "16"): [5] * 16 + [21] * 16,
}


def check_wires():
    # The 32 lanes are 3 cells apart; a cell is 6 wide in SVG and 5.25 in TikZ.
    for arguments, sources in VECTORS.items():
        record("v", *arguments)
        for name, read, pitch in ("v.svg", wires_of_svg, 18), ("v.tex", wires_of_tikz, 15.75):
            wires = read(export(name, "v.svt", "--view", "wires"))
            assert len(wires) == 32, f"{arguments} {name}: {len(wires)} wires"
            left = min(to for _, to in wires)
            got = {round((to - left) / pitch): round((begin - left) / pitch)
                   for begin, to in wires}
            assert got == dict(enumerate(sources)), f"{arguments} {name}: {got}"
    print(f"{len(VECTORS)} shuffles, as SVG and as TikZ: each lane's wire comes from the lane that it reads")


# ---- undefined values ----

def check_undefined():
    """Lanes 0-15 read lanes 16-31, which do not take part: the values that the device returned appear nowhere."""
    record("u", "xor", "--mask", "16", "--members", "0xffff")
    document = json.loads(export("u.json", "u.svt"))
    lanes = document["steps"][0]["lanes"]
    observed = {str(lane["observed"]) for lane in lanes[:16]}
    assert observed and "None" not in observed
    assert all(lane["out"] is None and lane["out_bits"] is None for lane in lanes)
    for view in "lanes", "wires", "history":
        for suffix in "svg", "tex":
            text = export("u." + suffix, "u.svt", "--view", view)
            assert not [value for value in observed if value in text], (view, suffix)
            assert "?" in text
    for suffix in "md", "cast":
        text = export("u." + suffix, "u.svt")
        assert "?" in text
        assert suffix == "cast" or not [value for value in observed if value in text], suffix
    wires = xml.etree.ElementTree.fromstring(export("u.svg", "u.svt", "--view", "wires", "--mono"))
    dashed = [p for p in wires.iter(SVG + "path") if "C" in p.get("d") and p.get("stroke-dasharray")]
    assert len(dashed) == 16, len(dashed)
    print("undefined values are ? in figures, films and Markdown, null in JSON")


def check_mono():
    """There is no colour, and lines with different meanings have different dashes."""
    record("m", "down", "--delta", "5", "--width", "8")
    text = export("m.svg", "m.svt", "--view", "wires", "--mono")
    for color in re.findall(r"#([0-9a-f]{6})", text):
        assert color[:2] == color[2:4] == color[4:], color
    dashes = re.findall(r'<path d="M[^"]*C[^>]*?stroke-width="[\d.]+"( stroke-dasharray="[^"]*")?', text)
    # The last 5 of every 8 lanes are out of range.
    assert len([d for d in dashes if d]) == 20 and len(dashes) == 32, dashes
    print("in black and white own values are dotted")


# ---- memory ----

COLUMN = """__global__ void kernel(int *out) {
    __shared__ int tile[32][32];
    tile[threadIdx.x][1] = (int)threadIdx.x;
    __syncwarp();
    *out = tile[31][1];
}
int main() {
    int *out;
    cudaMalloc(&out, sizeof *out);
    kernel<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
"""


def check_memory():
    """32 lanes write a column of a tile: all 32 rows are shown, with the numbers separated from each other."""
    with open(path("c.cu"), "w") as file:
        file.write(COLUMN)
    said = subprocess.run([program, "run", "c.cu", "--memory-accesses", "-o", "c.svt"], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if b"itself built with a sanitizer" in said.stderr:
        print("skipped: this build cannot record accesses to memory")
        sys.exit(77)
    for phase, ways in ("before", None), ("move", "32"):
        root = xml.etree.ElementTree.fromstring(
            export("c.svg", "c.svt", "--view", "wires", "--step", "0", "--phase", phase))
        rows = ["".join(row.itertext()).split() for row in root.iter(SVG + "text")]
        assert ["bank", *map(str, range(32))] in rows, rows
        assert ways is None or ["ways", ways] in rows, rows
        for row in range(32):  # words that no lane accesses are dots, drawn as discs
            assert [f"+{128 * row}", *([str(row)] if ways else [])] in rows, (phase, row, rows)
    print("a column of a tile: 32 rows, and the lane in each")


# ---- two renderers ----

def read_png(name):
    """Grey levels 0..1, row by row. Reads only 8 bits per channel, which both tools write."""
    with open(path(name), "rb") as file:
        data = file.read()
    at, chunks = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert depth == 8 and color in (0, 2, 6), (depth, color)
        if kind == b"IDAT":
            chunks += data[at + 8:at + 8 + length]
        at += length + 12
    size = {0: 1, 2: 3, 6: 4}[color]
    raw, rows, before = zlib.decompress(chunks), [], bytes(width * size)
    for y in range(height):
        begin = y * (width * size + 1)
        kind, line = raw[begin], bytearray(raw[begin + 1:begin + 1 + width * size])
        for x in range(len(line)):
            a = line[x - size] if x >= size else 0
            b = before[x]
            c = before[x - size] if x >= size else 0
            if kind == 1:
                line[x] = (line[x] + a) & 255
            elif kind == 2:
                line[x] = (line[x] + b) & 255
            elif kind == 3:
                line[x] = (line[x] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
                line[x] = (line[x] + near[2]) & 255
        before = bytes(line)
        rows.append([sum(line[x:x + min(size, 3)]) / min(size, 3) / 255
                     for x in range(0, len(line), size)])
    return rows


def blocks(rows, columns, lines, side=6):
    return [[sum(rows[y * side + j][x * side + i] for i in range(side) for j in range(side))
             / side ** 2 for x in range(columns)] for y in range(lines)]


def check_renderers():
    """Compares librsvg and Chromium in cells of 6 x 6 pixels, half as high as a letter. On average they
    differ by at most 0.02 of the way from black to white, and at most 1 cell in 200 differs by more
    than 0.35: letters are hinted differently, but everything is in the same position."""
    need("rsvg-convert")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        need("chromium")
    record("r", "down", "--delta", "5", "--width", "8")
    record("k", "kernel", "reduce-xor-sum")
    record("m", "kernel", "match-any")
    record("t", "kernel", "votes")
    record("a", "kernel", "reduce-sync")
    for source, view in (("r", "lanes"), ("r", "wires"), ("k", "rounds"), ("k", "history"), ("m", "lanes"), ("m", "wires"),
                         ("t", "lanes"), ("a", "wires")):
        root = xml.etree.ElementTree.fromstring(export("f.svg", source + ".svt", "--view", view))
        width, height = int(float(root.get("width"))), int(float(root.get("height")))
        subprocess.run(["rsvg-convert", "-b", "white", "f.svg", "-o", "a.png"], cwd=folder, check=True)
        with open(path("f.html"), "w", encoding="utf-8") as page:
            page.write('<body style="margin:0"><img src="f.svg">')
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--window-size={max(width, 500)},{height + 200}",
                        f"--user-data-dir={path('profile')}",
                        "--screenshot=" + path("b.png"), path("f.html")], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        a, b = (blocks(read_png(name), width // 6, height // 6) for name in ("a.png", "b.png"))
        apart = [abs(p - q) for r, s in zip(a, b) for p, q in zip(r, s)]
        mean, far = sum(apart) / len(apart), sum(d > 0.35 for d in apart) / len(apart)
        dark = sum(p < 0.9 for r in a for p in r) / len(apart)
        print(f"{view}: {mean:.4f} apart on average, {far:.4f} far apart, {dark:.2f} not white")
        assert mean <= 0.02 and far <= 0.005 and dark > 0.03, view


# ---- LaTeX ----

DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{textcomp}\usepackage{tikz}
\begin{document}
%s
\end{document}
"""


def check_latex():
    need("pdflatex")
    record("r", "xor", "--mask", "16", "--members", "0xffff")
    record("k", "kernel", "reduce-xor-sum")
    record("t", "kernel", "votes")
    record("m", "kernel", "match-any")
    record("a", "kernel", "reduce-sync")
    names = []
    for source in "r", "k", "t", "m", "a":
        for view in "lanes", "wires", "history", "source", "explain":
            names.append(f"{source}-{view}.tex")
            export(names[-1], source + ".svt", "--view", view, *(["--mono"] if source == "k" else []))
    export("k.tex", "k.svt", "--view", "rounds", "--lane", "3")
    body = "\n\n".join(r"\resizebox{\linewidth}{!}{\input{%s}}" % name for name in [*names, "k.tex"])
    with open(path("t.tex"), "w", encoding="utf-8") as file:
        file.write(DOCUMENT % body)
    result = subprocess.run(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"],
                            cwd=folder, stdout=subprocess.PIPE, text=True, errors="replace")
    if "not found" in result.stdout and "tikz.sty" in result.stdout + "lmodern.sty":
        print("skipped: LaTeX lacks tikz or lmodern here")
        sys.exit(77)
    assert result.returncode == 0, result.stdout[-2000:]
    print(f"{len(names) + 1} figures compiled")


# ---- films ----

def check_cast():
    """Checks films against https://docs.asciinema.org/manual/asciicast/v2/, and plays them with asciinema if it is
    installed."""
    record("k", "kernel", "reduce-xor-sum")
    for name, source in ("k.cast", "k.svt"), ("l.cast", "xor"):
        lines = export(name, source).splitlines()
        header = json.loads(lines[0])
        assert header["version"] == 2 and header["width"] == 80 and header["height"] == 24
        events = [json.loads(line) for line in lines[1:]]
        assert all(len(event) == 3 and event[1] in "om" for event in events)
        times = [event[0] for event in events]
        assert times == sorted(times) and times[-1] > 5
        markers = [event[2] for event in events if event[1] == "m"]
        if source == "k.svt":  # 5 shuffles with 5 phases each, and a watched value
            assert len(markers) == 26 and markers[0] == "0 xor: before", markers
        else:
            # Each beat has a marker for each phase that it shows of its operation.
            assert markers[0] == "xor 1: Lanes in binary (before)", markers
            assert not [a for a, b in zip(markers, markers[1:]) if a == b], markers
            assert markers[1:5] == [f"xor 2: laneMask 1 ({phase})" for phase in ("before", "range", "move", "after")], markers
        assert events[-1][2].endswith("\x1b[?25h")
    if shutil.which("asciinema") and shutil.which("script"):
        for name, shown in ("k.cast", b"reduce_xor_sum.cu:25"), ("l.cast", b"Lanes in binary"):
            result = subprocess.run(["script", "-qec", "asciinema play -s 1000 " + name, "/dev/null"],
                                    cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
            assert result.returncode == 0 and shown in result.stdout, result.stdout[-1000:]
        print("asciinema plays it")
    else:
        print("asciinema is not here; the format is as documented")


def check_animation():
    record("d", "down", "--delta", "5", "--width", "8")
    root = xml.etree.ElementTree.fromstring(export("d.svg", "d.svt", "--view", "wires", "--animate"))
    frames = [g for g in root.iter(SVG + "g") if "frame" in g.get("class", "").split()]
    still = [g for g in frames if "still" in g.get("class").split()]
    moving = [g for g in frames if "moving" in g.get("class").split()]
    assert len(frames) == 6 and len(still) == 1 and len(moving) == 1  # five phases, and the dots
    assert len(list(moving[0].iter(SVG + "animateMotion"))) == 32
    style = "".join(root.find(SVG + "style").itertext())
    assert "prefers-reduced-motion:reduce" in style and "@keyframes f4" in style
    # With several operations each has its own dots, and all wires end in the same rows.
    record("k", "kernel", "reduce-xor-sum")
    root = xml.etree.ElementTree.fromstring(export("k.svg", "k.svt", "--view", "wires", "--step", "0-4", "--animate"))
    moving = [g for g in root.iter(SVG + "g") if "moving" in g.get("class", "").split()]
    assert [len(list(g.iter(SVG + "animateMotion"))) for g in moving] == [32] * 5
    ends = [[float(n) for n in re.findall(r"-?[\d.]+", path.get("path"))] for path in root.iter(SVG + "animateMotion")]
    assert len({(c[1], c[7]) for c in ends}) == 1 and len({c[0] for c in ends}) == 32, "the picture jumps"
    if shutil.which("rsvg-convert"):
        export("s.svg", "d.svt", "--view", "wires")
        for name in "d", "s":
            subprocess.run(["rsvg-convert", "-b", "white", name + ".svg", "-o", name + ".png"],
                           cwd=folder, check=True)
        a, b = read_png("d.png"), read_png("s.png")
        apart = [abs(p - q) for r, s in zip(a, b) for p, q in zip(r, s)]
        assert len(a) == len(b) and sum(apart) / len(apart) < 0.001, "librsvg shows another frame"
        print("a viewer without animation shows the last phase")


try:
    {"wires": check_wires, "undefined": check_undefined, "mono": check_mono,
     "renderers": check_renderers, "latex": check_latex, "cast": check_cast, "memory": check_memory,
     "animation": check_animation}[what]()
finally:
    shutil.rmtree(folder)
