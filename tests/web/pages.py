"""Shared by the tests of the page: making pages, typing keys, and collecting failures."""
import os, re, subprocess, sys, tempfile, time

from browser import find_browser

program, source = sys.argv[1], sys.argv[2]
work = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
os.makedirs(work, exist_ok=True)
failures = []


def check(condition, *words):
    if not condition:
        failures.append(" ".join(str(word) for word in words))
        print("FAILED:", *words)


def export(name, *sources, fails=None):
    path = os.path.join(work, name)
    ended = subprocess.run([program, "export", *sources, "-o", path], capture_output=True, text=True)
    if fails is None and ended.returncode == 3 and "without the page" in ended.stderr:
        print(ended.stderr)
        sys.exit(77)
    check((ended.returncode == 0) == (fails is None), "export", *sources, ended.stderr)
    if fails is not None:
        check(fails in ended.stderr, "export", *sources, "says", ended.stderr, "and not", fails)
    return path


def differ(name, shown, wanted):
    """Reports the first line that differs, ignoring spaces at the ends of lines."""
    shown, wanted = [line.rstrip() for line in shown], [line.rstrip() for line in wanted]
    while shown and not shown[-1]:
        shown.pop()
    while wanted and not wanted[-1]:
        wanted.pop()
    if shown == wanted:
        return
    first = next(i for i in range(len(shown) + len(wanted) + 1) if shown[i:i + 1] != wanted[i:i + 1])
    check(False, f"{name}, line {first + 1}:\n  page     {shown[first:first + 1]}\n  reviewed {wanted[first:first + 1]}")


NAMED = {"Right": "ArrowRight", "Left": "ArrowLeft", "Up": "ArrowUp", "Down": "ArrowDown", "Space": " "}
OTHERS = {"Tab", "Enter", "Escape", "Backspace", "Home", "End", "PageUp", "PageDown", "F1"}


def script(browser, keys):
    """Types `keys`: words that name a key press it, other words are typed; "+500" or "+500ms" lets time pass."""
    for word in keys.split():
        if word[0] == "+" and len(word) > 1:
            browser.run(f"shflviz.pass({int(word[1:].replace('ms', ''))})")
        elif word in NAMED or word in OTHERS:
            browser.press(NAMED.get(word, word), text={"Space": " ", "Enter": "\r"}.get(word))
        else:
            for letter in word:
                browser.press(letter)


def rows_of(path, pattern, least=6):
    """The rows of a table in a test in C, without those about the clicks on each cell, which are not screens."""
    text = re.sub(r'"\s*\n\s*"', "", open(path).read())
    found = re.findall(pattern, text)
    check(len(found) >= least, path, "has no table of screens that this test can read")
    return [row for row in found if "-clicks-" not in row[0]]


def begin(browser, page, columns, rows, language):
    """Resets the page to how it looks when just opened, with this size and language, and stops its clock, so that
    the result does not depend on the machine's load."""
    browser.run("shflviz.stand()")
    browser.run(f"shflviz.start({page})")
    browser.run(f"shflviz.language('{language}')")
    browser.run(f"shflviz.size({columns}, {rows})")


def live_page(name, commands):
    """Exports a page with recordings of these commands, which can be changed in the page."""
    files = []
    for number, command in enumerate(commands):
        files.append(os.path.join(work, f"{number}.svt"))
        subprocess.run(f"{program} {command} --format text -o {files[-1]}", shell=True, stdout=subprocess.DEVNULL)
    return export(name, *files)


def skip_without_page():
    if not find_browser():
        print("no Chromium here: skipped")
        sys.exit(77)
    export("probe.html", "xor")
