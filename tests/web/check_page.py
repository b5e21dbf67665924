"""check_page.py SHFLVIZ SOURCE [WORK] - the page in a real browser: the terminal's scripts of keys, the terminal's screens.

Exits with 77 where there is no browser or no page. Pictures are left in WORK, if it is given.
"""
import os, re, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_browser

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
    """Lines that differ, with blanks at their ends left out."""
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
OTHERS = {"Tab", "Enter", "Escape", "Backspace", "Home", "End", "PageUp", "PageDown"}


def script(browser, keys):
    """Words that name a key press it, others are typed; "+500" lets time pass."""
    for word in keys.split():
        if word[0] == "+" and len(word) > 1:
            browser.run(f"shflviz.pass({int(word[1:])})")
        elif word in NAMED or word in OTHERS:
            browser.press(NAMED.get(word, word), text={"Space": " ", "Enter": "\r"}.get(word))
        else:
            for letter in word:
                browser.press(letter)


def rows_of(path, pattern):
    text = re.sub(r'"\s*\n\s*"', "", open(path).read())
    found = re.findall(pattern, text)
    check(len(found) > 5, path, "has no table of screens that this test can read")
    return found


def begin(browser, page, columns, rows, language):
    """The page as if just opened, at this size."""
    browser.run(f"shflviz.start({page})")
    browser.run(f"shflviz.language('{language}')")
    browser.run(f"shflviz.size({columns}, {rows})")


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
        wanted = [line[1:] for line in open(f"{source}/tests/term/screens/{name}.txt").read().splitlines()
                  if line.startswith("|")]
        differ("terminal " + name, browser.run("shflviz.text()").split("\n"), wanted)
    return len(table)


# ---- live changes: letters, and what each cell means ----

def live_screens(browser):
    path = os.path.join(source, "tests/sitting/test_live.c")
    table = rows_of(path, r'\{"([^"]+-\d+x\d+)", "([^"]+)", (\d+), (\d+),\s*"((?:[^"\\]|\\.)*)"\}')
    table = [row for row in table if "legend" not in row[0]]  # shown to whoever has never seen a picture
    commands = sorted({row[1] for row in table})
    browser.open(live_page("live.html", commands))
    for name, command, columns, rows, keys in table:
        begin(browser, commands.index(command), columns, rows, "zh" if name.startswith("zh-") else "en")
        script(browser, keys)
        wanted = open(f"{source}/tests/sitting/screens/{name}.txt").read().splitlines()
        differ("live " + name, browser.run(f"shflviz.meaning({columns}, {rows})").split("\n"), wanted)
        differ("live " + name + " as drawn", browser.run("shflviz.text()").split("\n"),
               [line[1:] for line in wanted if line.startswith("|")])
    return len(table)


def live_page(name, commands):
    """Recordings of these commands, each of which can be changed in the page."""
    files = []
    for number, command in enumerate(commands):
        files.append(os.path.join(work, f"{number}.svt"))
        subprocess.run(f"{program} {command} --format text -o {files[-1]}", shell=True, stdout=subprocess.DEVNULL)
    return export(name, *files)


# ---- the course ----

def course(browser):
    """Every lesson opens, and is walked through by a key; what the page shows in between is what the
    program in a terminal shows at the same place, by a link to it."""
    page = export("course.html", "course")
    size = os.path.getsize(page)
    check(size < 1000000, "course.html has", size, "bytes")
    opened = browser.open(page)
    names = [line.split()[0] for line in open(os.path.join(source, "lessons/order")) if line[0] not in "#\n"]
    for name in names:
        browser.run(f"shflviz.go('{name}/1')")
        check(browser.run("location.hash").startswith(f"#{name}/"), name, "does not open:", browser.run("location.hash"))
        seen = set()
        for _ in range(200):
            seen.add(browser.run("location.hash"))
            browser.run("shflviz.key('Right'); shflviz.key('Escape'); shflviz.key('Escape')")
        beats = len([line for line in open(f"{source}/lessons/{name}/en.md") if line.startswith("## ")])
        check(len(seen) == beats, name, "has", beats, "beats, and by its keys one comes to", len(seen))
        check(browser.run("document.getElementById('trouble').hidden"), name, browser.run("document.getElementById('trouble').textContent"))
    return len(names)


# ---- links, a hostile page, languages, mouse and touch ----

def links(browser):
    files = [os.path.join(work, "a<b>&'\".svt"), os.path.join(work, "reduce.svt")]
    subprocess.run([program, "xor", "--mask", "3", "--format", "text", "-o", files[0]], stdout=subprocess.DEVNULL)
    subprocess.run([program, "kernel", "block-reduce", "--format", "text", "-o", files[1]], stdout=subprocess.DEVNULL)
    page = export("links.html", *files, "xor")
    browser.open(page, "#2:3,7,2,4")
    check(browser.run("location.hash") == "#2:3,7,2,4", "the link is", browser.run("location.hash"))
    check("4/" in browser.run("shflviz.text()").split("\n")[2], "the fourth operation is not shown")
    browser.press("ArrowRight")
    check(browser.run("location.hash") == "#2:3,7,2,5", "the link is", browser.run("location.hash"))
    browser.run("shflviz.go('3:one')")
    check(browser.run("location.hash") == "#3:one", "the link is", browser.run("location.hash"))
    browser.run("shflviz.go('9:nonsense,,,-1')")
    browser.run("shflviz.go('2:99999999999999999999,99,99,99')")
    check(browser.run("document.getElementById('trouble').hidden"), "a wrong link is a trouble")
    browser.open(page)
    check(browser.run("document.scripts.length") == 3, "there are scripts that the page did not have")


def mouse(browser):
    browser.open(live_page("mouse.html", ["xor --mask 3 --width 16"]))
    browser.run("shflviz.size(80, 24)")

    def click(row, column):
        x, y = browser.run(f"""(() => {{ const box = document.getElementById('screen').children[{row}].getBoundingClientRect();
            return [box.left + ({column} + 0.5) * shflviz.letter(), box.top + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            browser.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        return x, y

    click(7, 10)
    check(",2," in browser.run("location.hash"), "a click on lane 2 gave", browser.run("location.hash"))
    x, y = click(12, 10)
    browser.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=120)
    time.sleep(0.1)
    check(browser.run("location.hash").endswith(",2"), "the wheel gave", browser.run("location.hash"))
    browser.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 400, "y": 300}])
    browser.send("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": 300, "y": 300}])
    browser.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    time.sleep(0.1)
    check(browser.run("location.hash").endswith(",3"), "a swipe gave", browser.run("location.hash"))


def ears(browser):
    """What a screen reader finds."""
    browser.open(os.path.join(work, "mouse.html"))
    tree = browser.send("Accessibility.getFullAXTree")["nodes"]
    names = [node.get("name", {}).get("value", "") for node in tree if not node.get("ignored")]
    check(any("xor" in name and "width 16" in name for name in names), "the title is not to be read")
    check("next phase" in names, "a button has no name", names[:40])
    browser.press("ArrowRight")
    said = browser.run("document.getElementById('spoken').textContent")
    check("address" in said or "3" in said, "nothing is said after a key:", said)
    check(browser.run("""(() => { const range = document.createRange();
        range.selectNodeContents(document.getElementById('screen').children[1]); getSelection().addRange(range);
        return String(getSelection()); })()""").strip().startswith("shuffle_xor.cu"), "the text cannot be selected")


def damaged(browser):
    """A recording that is damaged in a page is an error that is said, or what is left of it."""
    good = open(os.path.join(work, "mouse.html"), encoding="utf-8").read()
    begins = good.index('"bytes":"') + len('"bytes":"')
    ends = good.index('"', begins)
    for at in range(begins, ends, max((ends - begins) // 24, 1)):
        path = os.path.join(work, "damaged.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1:])
        opened = browser.open(path)
        check(isinstance(opened, (int, float)) or opened.startswith("shflviz: ") and "unreachable" not in opened,
              "damaged at", at - begins, "it says", opened)


def ready(browser):
    """Milliseconds from opening to the first screen, and how long a key and a run take."""
    page = export("ready.html", "xor")
    check(os.path.getsize(page) < 1000000, "a lesson's page has", os.path.getsize(page), "bytes")
    packed = re.search(r'id="program">([^<]+)<', open(page, encoding="utf-8").read()).group(1)
    check(len(packed) * 3 // 4 < 600000, "the program has", len(packed) * 3 // 4, "bytes, compressed")
    times = sorted(browser.open(page) for _ in range(9))
    print(f"a lesson's page: {os.path.getsize(page)} bytes, ready after {times[0]} to {times[-1]} ms, {times[4]} in the middle")
    browser.open(live_page("rate.html", ["kernel block-reduce", "xor --mask 3"]))
    run = browser.run("""(() => { const begun = performance.now(); for (let i = 0; i < 100; i++) shflviz.start(1);
        return (performance.now() - begun) / 100; })()""")
    keys = browser.run("""(() => { const begun = performance.now(); for (let i = 0; i < 100; i++) shflviz.key(i % 2 ? ']' : '[');
        return (performance.now() - begun) / 100; })()""")
    kernel = browser.run("""(() => { shflviz.start(0); const begun = performance.now(); for (let i = 0; i < 20; i++) shflviz.key('s');
        return (performance.now() - begun) / 20; })()""")
    print(f"opened anew {run:.1f} ms; a shuffle changed and drawn {keys:.1f} ms; a kernel of 256 threads run again and drawn {kernel:.1f} ms")


if not find_browser():
    print("no Chromium here: skipped")
    sys.exit(77)
export("probe.html", "xor")
browser = Browser(1400, 1000)
try:
    browser.send("Accessibility.enable")
    print(terminal_screens(browser), "screens of the terminal")
    print(live_screens(browser), "screens of live changes")
    links(browser)
    mouse(browser)
    ears(browser)
    damaged(browser)
    ready(browser)
    print(course(browser), "lessons")
    if len(sys.argv) > 3:
        browser.picture(os.path.join(work, "last.png"))
    blocked = [event for event in browser.events if "Content Security Policy" in str(event)]
    check(not blocked, "the page's own policy refused something:", blocked[:1])
    asked = [event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"]
    check(all(url.startswith(("file:", "about:", "data:")) for url in asked), "the page asked the network:", asked)
finally:
    browser.close()
sys.exit(1 if failures else 0)
