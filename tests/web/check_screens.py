"""check_screens.py SHFLVIZ SOURCE WORK SAMPLES - types the key scripts of the terminal's tests in a real browser, and
compares the page with the terminal's screens.

The tables of screens are read from the tests in C; the expected screens are the reviewed files. SAMPLES writes the
recordings that those tests make in memory. Exits with 77 if there is no browser or no page.
"""
import os, re, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser
from pages import (begin, check, differ, export, failures, live_page, rows_of, script, skip_without_page, source,
                   work)


# ---- files of screens (tests/view/reviewed.h) ----

def wanted_rows(path):
    """The rows of a file by their numbers, each as a list of its lines."""
    wanted, y = {}, -1
    for line in open(path).read().splitlines():
        if line.startswith("@"):
            y = int(line[1:]) - 1
        elif line.startswith("|"):
            y += 1
            wanted[y] = [line]
        elif line[:1] in (":", "^"):
            wanted[y].append(line)
    return wanted


def rows_within(lines, wanted):
    """The wanted rows out of `lines`, which has all rows of a screen, each with the lines below it."""
    rows = []
    for line in lines:
        if line.startswith("|"):
            rows.append([])
        rows[-1].append(line)
    return [line for y in wanted if y < len(rows) for line in rows[y]]


def letters(wanted, shown):
    """Returns the wanted rows, and the rows that are shown in their places."""
    return [rows[0][1:] for rows in wanted.values()], [shown[y] for y in wanted if y < len(shown)]


def compare(browser, kind, path, columns, rows):
    """Compares the letters as drawn, and the meaning of each cell."""
    wanted = wanted_rows(path)
    name = kind + " " + os.path.basename(path)
    meaning = browser.run(f"shflviz.meaning({columns}, {rows})").split("\n")
    differ(name, rows_within(meaning, wanted), [line for lines in wanted.values() for line in lines])
    expected, shown = letters(wanted, browser.run("shflviz.text()").split("\n"))
    differ(name + " as drawn", shown, expected)


# ---- the terminal's screens: letters ----

def terminal_screens(browser):
    path = os.path.join(source, "tests/term/test_program_screens.c")
    table = rows_of(path, r'\{"([^"]+)", (\d+), (\d+), "((?:[^"\\]|\\.)*)",\s*"([^"]*)",\s*"([^"]*)"\}')
    table = [row for row in table if "LC_ALL=C" not in row[3] and row[0] != "too-small-40x10"]
    commands = sorted({row[4].replace(" --lang zh", "") for row in table})
    opened = browser.open(live_page("terminal.html", commands))
    check(isinstance(opened, (int, float)), "terminal.html", opened)
    for name, columns, rows, _, command, keys in table:
        begin(browser, commands.index(command.replace(" --lang zh", "")), columns, rows,
              "zh" if "--lang zh" in command else "en")
        script(browser, keys)
        wanted, shown = letters(wanted_rows(f"{source}/tests/term/screens/{name}.txt"),
                                browser.run("shflviz.text()").split("\n"))
        differ("terminal " + name, shown, wanted)
    return len(table)


# ---- live changes: letters, and what each cell means ----

def live_screens(browser):
    path = os.path.join(source, "tests/session/test_live.c")
    table = rows_of(path, r'\{"([^"]+-\d+x\d+)", "([^"]+)", (\d+), (\d+),\s*"((?:[^"\\]|\\.)*)"\}')
    table = [row for row in table if "legend" not in row[0]]  # the legend is only shown to first-time users
    commands = sorted({row[1] for row in table})
    browser.open(live_page("live.html", commands))
    for name, command, columns, rows, keys in table:
        begin(browser, commands.index(command), columns, rows, "zh" if "zh-" in name else "en")
        script(browser, keys)
        compare(browser, "live", f"{source}/tests/session/screens/{name}.txt", columns, rows)
    return len(table)


# ---- the views of recordings, and lessons: letters, and what each cell means ----

def write_samples():
    """Writes the recordings that the tests in C make in memory; returns their folder."""
    folder = os.path.join(work, "samples")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([sys.argv[4], folder], check=True)
    return folder


def view_screens(browser):
    path = os.path.join(source, "tests/view/test_screens.c")
    table = rows_of(path, r'\{"([^"]+)", "([^"]+)", (\d+), (\d+),\s*"([^"]*)",\s*(true|false)\}')
    table = [row for row in table if row[3] != "0" and row[5] == "false"]  # leaves out --format text and --ascii
    samples = write_samples()
    names = sorted({row[1] for row in table})
    browser.open(export("samples.html", *(f"{samples}/{name}.svt" for name in names)))
    for name, sample, columns, rows, keys, _ in table:
        begin(browser, names.index(sample), columns, rows, "zh" if "zh-" in name else "en")
        script(browser, keys)
        compare(browser, "view", f"{source}/tests/view/screens/{name}.txt", columns, rows)
    return len(table)


def quiz_screens(browser):
    path = os.path.join(source, "tests/view/pages/test_list_screens.c")
    table = rows_of(path, r'\{"(quiz-[^"]+)", "([^"]+)", (\d), "(\w+)", (\d+), (\d+),\s*"([^"]*)",\s*(?:true|false)\}', 4)
    names = sorted({row[1] for row in table})
    browser.open(export("quiz.html", *(f"{write_samples()}/{name}.svt" for name in names)))
    for name, sample, level, language, columns, rows, keys in table:
        begin(browser, names.index(sample), columns, rows, language)
        browser.run(f"shflviz.quiz(1, {level})")
        script(browser, keys)
        compare(browser, "view", f"{source}/tests/view/screens/{name}.txt", columns, rows)
    return len(table)


def sample_lesson():
    """Copies the lesson of tests/view/lesson, with recordings in place of its launches; returns the folder."""
    folder = os.path.join(work, "lesson")
    shutil.copytree(write_samples(), folder, dirs_exist_ok=True)
    for language in ("en.md", "zh.md"):
        text = open(f"{source}/tests/view/lesson/{language}").read()
        for run, name in (("", "xor-3-w16"), (" sum", "reduce"), (" part", "partial-mask")):
            text = re.sub(rf"(?m)^launch{run}: .*\n", "", text)
            text = re.sub(rf"(?m)^kernel{run}: .*$", f"trace{run}: {name}.svt", text)
        open(os.path.join(folder, language), "w").write(text)
    return folder


def lesson_screens(browser):
    path = os.path.join(source, "tests/view/pages/test_lesson_screens.c")
    table = rows_of(path, r'\{"([^"]+)", (\w+), "(\w+)", (\d+), (\d+),\s*"([^"]*)",\s*(true|false)\}')
    table = [row for row in table if row[1] == "LESSON" and row[6] == "false"]
    browser.open(export("lesson.html", sample_lesson()))
    for name, _, language, columns, rows, keys, _ in table:
        begin(browser, 0, columns, rows, language)
        script(browser, keys)
        compare(browser, "view", f"{source}/tests/view/screens/{name}.txt", columns, rows)
    return len(table)


skip_without_page()
browser = Browser(2200, 1400)
try:
    print(terminal_screens(browser), "screens of the terminal")
    print(live_screens(browser), "screens of live changes")
    print(view_screens(browser), "screens of views")
    print(lesson_screens(browser), "screens of lessons")
    print(quiz_screens(browser), "screens of a quiz")
finally:
    browser.close()
sys.exit(1 if failures else 0)
