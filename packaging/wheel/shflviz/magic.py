"""The magics %shflviz and %%shflviz. Each calls the program twice: to record, and to draw the picture."""
import base64
import html
import json
import os
import shlex
import subprocess
import tempfile

from IPython.core.magic import Magics as Base, cell_magic, line_magic, magics_class
from IPython.display import HTML, display

from . import program

SECONDS = 120  # the longest that a cell may take
EXPORT_OPTIONS = ("--view", "--phase", "--lane", "--step", "--size")


def split_options(words):
    """The words that are options of the picture, and all other words."""
    picture, others, rest = [], [], iter(words)
    for word in rest:
        if word.split("=")[0] in EXPORT_OPTIONS:
            picture += [word] if "=" in word else [word, next(rest, "")]
        else:
            others.append(word)
    return picture, others


class Said:
    """Runs the program and keeps its status, its standard output and its errors."""

    def __init__(self, folder, *words):
        environment = {**os.environ, "NO_COLOR": "1"}
        try:
            done = subprocess.run([program(), *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired as late:
            self.status, self.output = 4, ""
            self.errors = (late.stderr or b"").decode(errors="replace") + f"shflviz: ended after {SECONDS} seconds\n"
            return
        self.status = done.returncode
        self.output, self.errors = (text.decode(errors="replace") for text in (done.stdout, done.stderr))


def picture_html(folder, recording, options):
    """The animated picture of a recording as an HTML image, or the error message if there is none."""
    drawn = Said(folder, "export", recording, "-o", "picture.svg", "--animate", *options)
    path = os.path.join(folder, "picture.svg")
    if not os.path.exists(path):
        return text_html(drawn.errors)
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    return f'<img alt="shflviz" style="background:#fff;max-width:100%" src="data:image/svg+xml;base64,{data}">'


def text_html(text):
    return f"<pre>{html.escape(text)}</pre>" if text.strip() else ""


def findings_html(findings):
    rows = []
    for found in findings:
        place = f"line {found['line']}: " if found.get("line") else ""
        count = f" ({found['count']}×)" if found.get("count", 1) > 1 else ""
        instead = f"<br>→ {html.escape(found['instead'])}" if found.get("instead") else ""
        rows.append(f"<li><b>{found['rule']}</b> {html.escape(place + found['message'] + count)}{instead}</li>")
    return f"<ul>{''.join(rows)}</ul>" if rows else ""


@magics_class
class Magics(Base):
    @line_magic
    def shflviz(self, line):
        """%shflviz '__shfl_xor_sync(0xffffffff, x, 3, 16)', or the words of a command that shows one recording."""
        picture, words = split_options(shlex.split(line))
        with tempfile.TemporaryDirectory() as folder:
            recording = os.path.join(folder, "steps.svt")
            said = Said(None, *words, "-o", recording, "--format", "json")  # in the notebook's folder
            recorded = os.path.exists(recording)
            shown = picture_html(folder, "steps.svt", picture) if recorded else text_html(said.output)
        display(HTML(shown + text_html(said.errors)))

    @cell_magic("shflviz")
    def shflviz_cell(self, line, cell):
        """%%shflviz [OPTIONS] runs the cell, which is CUDA C++, and shows its warps, its findings and what it prints."""
        picture, words = split_options(shlex.split(line))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "cell.cu"), "w", encoding="utf-8") as file:
                file.write("\n" + cell)  # keeps the cell's line numbers: its first line is the magic
            said = Said(folder, "check", "cell.cu", "-o", "steps.svt", "--format", "json", "-I", os.getcwd(), *words)
            try:
                findings = json.loads(said.output)["findings"]
            except ValueError:  # the cell did not compile, or there is no compiler
                findings = []
            steps = [found["step"] for found in findings if found.get("step") is not None]
            if steps and "--step" not in " ".join(picture):  # show the first error
                picture += ["--step", str(steps[0])]
            recorded = os.path.exists(os.path.join(folder, "steps.svt"))
            shown = picture_html(folder, "steps.svt", picture) if recorded else ""
        errors = said.errors.replace("shflviz run cell.cu", "%%shflviz")  # the command to repeat it in a notebook
        display(HTML(shown + findings_html(findings) + text_html(errors)))
