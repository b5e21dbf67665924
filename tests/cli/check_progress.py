# check_progress.py PROGRAM EXERCISES: checks that each command that may take a long time shows its progress on
# a terminal and then removes the line, and that elsewhere it prints nothing. SHFLVIZ_PROGRESS=always
# skips the delay of one second before the line appears.
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

program, exercises = sys.argv[1:]
folder = tempfile.mkdtemp()
environment = dict(os.environ, TERM="xterm", LANG="C.UTF-8", LC_ALL="C.UTF-8", LANGUAGE="", SHFLVIZ_PROGRESS="always",
                   XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder)
OWN = """#include <cstdio>
__global__ void k() { __shfl_xor_sync(~0u, threadIdx.x, 1); }
int main() { k<<<4, 64>>>(); cudaDeviceSynchronize(); printf("done\\n"); }
"""


def standard_error(words, terminal=True, runs=program, **more):
    """The command's output on standard error, a terminal or a pipe; its standard output is a file."""
    given = dict(environment, **more)
    with open(os.path.join(folder, "out"), "w") as out:
        if not terminal:
            return subprocess.run([runs, *words], cwd=folder, env=given, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.PIPE, check=False).stderr.decode()
        master, slave = pty.openpty()
        child = subprocess.Popen([runs, *words], cwd=folder, env=given, stdin=subprocess.DEVNULL, stdout=out, stderr=slave)
        os.close(slave)
        said = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                piece = b""
            if not piece:
                break
            said += piece
        os.close(master)
        child.wait()
        return said.decode()


S = r", \d+ s"
LINE = re.compile(r"\r\x1b\[K([^\r\n]*)")


def expect(words, *patterns, **more):
    said = standard_error(words, **more)
    lines = [line for line in LINE.findall(said) if line]
    for pattern in patterns:
        assert any(re.fullmatch(pattern, line) for line in lines), f"{words}: no {pattern!r} in {said!r}"
    shown = ""  # the content of a terminal's last row
    for event in re.finditer(r"\r\x1b\[K|\r?\n|[^\r\n\x1b]+", said):
        shown = "" if event.group()[-1] in "K\n" and event.group()[0] in "\r\n" else shown + event.group()
    assert shown == "", f"{words}: {shown!r} stays"
    silent = standard_error(words, terminal=False, **more)
    assert "\x1b" not in silent and not re.search(S + r"\b", silent), f"{words}: in a pipe {silent!r}"


with open(os.path.join(folder, "own.cu"), "w") as file:
    file.write(OWN)
os.mkdir(os.path.join(folder, "handed-in"))
for name in ("broadcast", "rotate"):
    shutil.copy(os.path.join(exercises, name, "solution.cu"), os.path.join(folder, "handed-in", name + ".cu"))

expect(["kernel", "block-reduce", "-o", "a.svt"], "shflviz: running block-reduce" + S, "shflviz: writing" + S)
expect(["run", "own.cu", "-o", "own.svt"], "shflviz: building own.cu" + S, r"shflviz: launch \d+, \d+ steps" + S)
expect(["check", "own.cu", "--schedules", "2"], "shflviz: building own.cu" + S,
       r"shflviz: run 2 of 2: launch \d+, \d+ steps" + S, r"shflviz: checking: \d+%" + S)
expect(["check", "a.svt"], r"shflviz: checking: \d+%" + S)
expect(["diff", "a.svt", "a.svt"], r"shflviz: comparing: \d+%" + S)
expect(["replay", "a.svt", "--format", "text"], r"shflviz: writing: \d+%" + S)
expect(["replay", "a.svt", "--format", "text", "--overview"], "shflviz: counting" + S)
for end in ("json", "jsonl", "csv"):
    expect(["replay", "a.svt", "--format", end], r"shflviz: writing: [1-9]\d*%" + S)
    expect(["export", "a.svt", "-o", "a." + end], r"shflviz: writing: [1-9]\d*%" + S)
for end in ("svg", "tex", "md", "cast"):
    expect(["export", "a.svt", "-o", "a." + end], "shflviz: writing" + S)
expect(["lesson", "check", "lanes", "xor"], "shflviz: checking: 1 of 2" + S, "shflviz: running xor" + S)
expect(["lesson", "xor", "--worksheet"], "shflviz: running xor" + S)
expect(["exercise", "check", "handed-in/broadcast.cu"], "shflviz: building" + S, r"shflviz: run 2 of \d+(: \d+%)?" + S)
expect(["grade", "handed-in", "--format", "csv"], "shflviz: grading: 0 of 2" + S, "shflviz: grading: 1 of 2" + S)
expect(["bench", "shuffle", "--device", "cpu"], "shflviz: measuring" + S)
expect(["doctor"], "shflviz: looking at this machine" + S)
expect(["quiz", "own.cu", "--questions", "1"], "shflviz: building own.cu" + S)
expect(["check", "a.svt", "--lang", "zh"], r"shflviz：正在检查：\d+%，\d+ 秒")
expect(["check", "own.cu", "--lang", "zh"], "shflviz：正在编译 own.cu，0 秒")

# The recording of a killed run has no index; one is made first.
with open(os.path.join(folder, "a.svt"), "rb") as whole, open(os.path.join(folder, "cut.svt"), "wb") as cut:
    cut.write(whole.read()[:-200])
if "cut short" in standard_error(["replay", "cut.svt", "--format", "csv"]):
    expect(["diff", "cut.svt", "a.svt"], r"shflviz: comparing: \d+%" + S)

assert standard_error(["check", "a.svt"], SHFLVIZ_PROGRESS="never") == ""

# In a log, one message reports a program that is still running.
for setting, times in ("always", 1), ("never", 0):
    log = standard_error(["run", "own.cu", "-o", "own.svt"], terminal=False, SHFLVIZ_PROGRESS=setting)
    assert len(re.findall(r"shflviz: still running after \d s: launch \d+, \d+ steps; --time", log)) == times, log

# Nothing is drawn while output goes to a pager or the screen.
piped = standard_error(["-c", '"$0" replay a.svt --format csv | cat >/dev/null', program], runs="/bin/sh")
assert piped == "", piped
shutil.rmtree(folder)
