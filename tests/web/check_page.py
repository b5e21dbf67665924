"""check_page.py SHFLVIZ SOURCE [WORK] - tests the page in a real browser: the course, links, mouse,
touch, screen readers, damage, speed.

Exits with 77 if there is no browser or no page. Pictures are left in WORK, if it is given.
"""
import os, re, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser
from pages import check, export, failures, live_page, program, skip_without_page, source, work
from ready import ready


# ---- the course ----

def course(browser):
    """Every lesson opens, and keys lead through all of its beats."""
    page = export("course.html", "course")
    size = os.path.getsize(page)
    check(size < 1200000, "course.html has", size, "bytes")
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
        check(len(seen) == beats, name, "has", beats, "beats, but keys lead to", len(seen))
        check(browser.run("document.getElementById('trouble').hidden"), name, browser.run("document.getElementById('trouble').textContent"))
    return len(names)


# ---- links, a hostile page, languages, mouse and touch ----

def wait(browser, expression, beginning=""):
    """Waits until the expression's value begins with a text; returns the value."""
    for _ in range(100):
        value = browser.run(expression)
        if value and value.startswith(beginning):
            break
        time.sleep(0.02)
    return value


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
    check(browser.run("document.getElementById('sources').value") == "2", "the list does not follow a link")
    for wrong in ("9:nonsense,,,-1", "2:99999999999999999999,99,99,99", "0:1", "3:nowhere", "nonsense", "3:99", "%F0%9F", "<b>x"):
        before = browser.run("location.hash")
        browser.run(f"location.hash = {'#' + wrong!r}")
        said = wait(browser, "document.getElementById('trouble').textContent")
        check("There is no such moment here: #" in said, wrong, "says", said)
        check(browser.run("location.hash") == before, wrong, "leads to", browser.run("location.hash"))
        browser.press("ArrowDown")
        check(browser.run("document.getElementById('trouble').hidden"), "the message stays")
        browser.run("document.getElementById('trouble').textContent = ''; shflviz.go('3:one')")
    # Links that leave out one or more parts; a link to a beat by its number; then back and forward again.
    for link, shown in (("2:4", "#2:4,"), ("2:2,9", "#2:2,9,"), ("2:1,3,1", "#2:1,3,1,"), ("2:0,4,2,3", "#2:0,4,2,3"), ("3:2", "#3:one")):
        browser.run(f"location.hash = '#{link}'")
        moment = wait(browser, "location.hash", shown)
        check(moment.startswith(shown), link, "leads to", moment)
    for way, shown in (("back", "#2:0,4,2,3"), ("back", "#2:1,3,1,"), ("forward", "#2:0,4,2,3"), ("forward", "#3:one")):
        browser.run(f"history.{way}()")
        moment = wait(browser, "location.hash", shown)
        check(moment.startswith(shown), way, "leads to", moment)
    title = browser.run("shflviz.text()").split("\n")[0]
    check("laneMask 1" in title, "forward shows", title)
    browser.open(page, "#1:nowhere")
    check("no such moment" in browser.run("document.getElementById('trouble').textContent"), "a page that begins at a wrong link says nothing")
    browser.open(export("links-course.html", "course"), "#scan")
    check(browser.run("location.hash").startswith("#scan/"), "a lesson's name leads to", browser.run("location.hash"))
    browser.run("location.hash = '#xor/three'")
    check(wait(browser, "location.hash", "#xor/three") == "#xor/three", "the lesson is", browser.run("location.hash"))
    browser.run("shflviz.language('zh')")
    check(browser.run("location.hash") == "#xor/three", "in Chinese it is", browser.run("location.hash"))
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
    """Checks what a screen reader finds and says."""
    browser.open(os.path.join(work, "mouse.html"))
    tree = browser.send("Accessibility.getFullAXTree")["nodes"]
    names = [node.get("name", {}).get("value", "") for node in tree if not node.get("ignored")]
    check(any("xor" in name and "width 16" in name for name in names), "the title cannot be read")
    check("next phase" in names, "a button has no name", names[:40])
    roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node.get("ignored")]
    check(("application", "shflviz") in roles, "the screen has no role")
    nameless = [role for role, name in roles if role in ("button", "combobox", "textbox", "searchbox") and not name]
    check(not nameless, "without a name:", nameless)
    check(browser.run("document.getElementById('spoken').getAttribute('aria-live')") == "polite", "changes are not said")
    check(browser.run("document.documentElement.lang") == "en", "the page does not name its language")
    browser.run("shflviz.language('zh')")
    check(browser.run("document.documentElement.lang") == "zh", "the page does not name its language")
    browser.run("shflviz.language('en')")
    said = "document.getElementById('spoken').textContent"
    browser.run("shflviz.start(0); shflviz.key('Home')")
    browser.press("ArrowRight")  # lane 0 of width 16, laneMask 3
    for words, there in (("lane 0, group A (0-15): 0 ^ 3 = 3. ", True), ("address which lane each lane wants", True), ("range", False), ("00001^00011", False)):
        check((words in browser.run(said)) == there, words, "is" if not there else "is not", "said after a key:", browser.run(said))
    browser.press("ArrowDown")
    check(browser.run(said).startswith("lane 1, group A (0-15): 1 ^ 3 = 2"), "said about the next lane:", browser.run(said))
    check("address" not in browser.run(said), "the phase is said again:", browser.run(said))
    for keys, words in (("p3", "lane 1 reads lane? 3"), ("p7", "7, wrong: lane 1: 1^3=2: reads lane 2")):
        browser.press("Escape")
        for key in keys:
            browser.press(key)
        if "7" in keys:
            browser.press("Enter", text="\r")
        check(browser.run(said).startswith(words), keys, "is answered by:", browser.run(said))
    check(not browser.run("document.getElementById('screen').hasAttribute('aria-describedby')"), "it is said twice: as a description, too")
    # The keyboard can move the focus out of the screen, and a button that is pressed keeps the focus.
    browser.press("Tab", modifiers=8)
    check(browser.run("document.activeElement.closest('#bar') !== null"), "Shift+Tab does not leave the screen")
    browser.run("document.querySelector('#bar [title=\"next phase\"]').focus()")
    browser.press("Enter", text="\r")
    check(browser.run("document.activeElement.title") == "next phase", "a key on a button leads away from it")
    time.sleep(1.1)  # a text that was just said is not repeated
    browser.run("document.getElementById('spoken').textContent = ''; document.getElementById('screen').focus()")
    check("Shift+Tab moves to the buttons" in browser.run(said) and "lane 1, group A" in browser.run(said),
          "coming back to the screen says:", browser.run(said))
    check(browser.run("""(() => { const range = document.createRange();
        range.selectNodeContents(document.getElementById('screen').children[1]); getSelection().addRange(range);
        return String(getSelection()); })()""").strip().startswith("shuffle_xor.cu"), "the text cannot be selected")
    browser.open(export("ears.html", "xor"))  # a lesson: the text beside the lanes wraps
    browser.press("ArrowRight")
    for language, sentence in (("en", "laneMask is 1, so the lowest bit is flipped. "), ("zh", "laneMask 是 1，翻转最低位。")):
        browser.run(f"shflviz.language('{language}')")
        said = browser.run("document.getElementById('spoken').textContent")
        check(said.startswith(sentence), "a sentence is said in pieces:", said)


# ---- appearance ----

CONTRAST = """(() => {
    const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
    const light = colour => { const [r, g, b] = colour.map(value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const back = numbers(getComputedStyle(document.body).backgroundColor).slice(0, 3);
    let least = [99, ''];
    for (const span of document.querySelectorAll('#screen span')) {
        const style = getComputedStyle(span), own = numbers(style.backgroundColor), clear = Number(style.opacity);
        const ground = own.length === 4 && own[3] === 0 ? back : own.slice(0, 3);
        const front = numbers(style.color).slice(0, 3).map((value, at) => value * clear + ground[at] * (1 - clear));
        const [more, less] = [light(front), light(ground)].sort((a, b) => b - a);
        if (span.textContent.trim() && (more + 0.05) / (less + 0.05) < least[0])
            least = [(more + 0.05) / (less + 0.05), span.textContent + ' ' + style.color + ' on ' + ground];
    }
    return least; })()"""


def prefer(browser, theme):
    browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])


def themes(browser):
    """The theme is the system's, dark or light, even when that changes; the contrast is at least 4.5 : 1,
    as WCAG 2.1 AA requires."""
    files = [os.path.join(work, "reduce.svt"), "h200/down-35", "h200/idx-odd-width", "xor", "course"]
    page = export("looks.html", *files)
    for theme, ground in (("dark", "rgb(16, 16, 20)"), ("light", "rgb(255, 255, 255)")):
        prefer(browser, theme)
        browser.open(page)
        check(browser.run("getComputedStyle(document.body).backgroundColor") == ground, theme, "is not", ground)
        for source_number, keys in ((0, "lll"), (0, "lll2"), (0, "3"), (0, "4"), (0, "5"), (0, "?"), (0, "p7"), (1, "llll"),
                                    (2, "llll"), (3, "l"), (3, "l8"), (4, "")):
            browser.run(f"shflviz.start({source_number})")
            for key in keys:
                browser.press(key)
            least, where = browser.run(CONTRAST)
            check(least >= 4.5, theme, files[source_number], keys, "has a contrast of", least, where)
        browser.picture(os.path.join(work, theme + ".png"))
    prefer(browser, "dark")
    check(wait(browser, "document.documentElement.dataset.theme", "dark") == "dark", "the system's change is not followed")
    browser.run("[...document.querySelectorAll('#bar button')].find(one => one.title === 'dark or light').click()")
    check(browser.run("document.documentElement.dataset.theme") == "light", "the button does not change it")


SIZES = """(() => { const screen = document.getElementById('screen'), rows = shflviz.text().split('\\n');
    return { wide: document.documentElement.scrollWidth - innerWidth, cut: screen.scrollWidth - screen.clientWidth,
        font: parseFloat(getComputedStyle(screen).fontSize), letter: shflviz.letter(), rows: screen.children.length,
        columns: Math.max(...rows.map(row => row.length)), low: screen.scrollHeight - screen.clientHeight }; })()"""


def zoom(browser):
    """With all window sizes and device scales nothing is cut off. A larger font gives larger letters,
    as many as there is room for."""
    page = os.path.join(work, "looks.html")
    for width, height, scale in ((320, 568, 2), (390, 844, 3), (844, 390, 3), (768, 1024, 2), (1000, 700, 1), (1920, 1080, 1), (2560, 1440, 1.5)):
        browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 800)
        browser.open(page)
        size = browser.run(SIZES)
        check(size["wide"] <= 0 and size["cut"] <= 0, width, height, "is cut:", size)
        check(size["columns"] >= 58 and size["rows"] >= 20, width, height, "has too little:", size)
        check(height < 600 or size["low"] <= 0, width, height, "has to be scrolled:", size)
    browser.send("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)
    browser.open(page)
    before = browser.run(SIZES)
    for _ in range(3):
        browser.run("[...document.querySelectorAll('#bar button')].find(one => one.title === 'larger').click()")
    after = browser.run(SIZES)
    check(abs(after["font"] / before["font"] - 1.331) < 0.01 and abs(after["letter"] / before["letter"] - 1.331) < 0.02, "larger:", before, after)
    check(after["columns"] < before["columns"] and after["rows"] < before["rows"] and after["cut"] <= 0, "larger:", before, after)
    for _ in range(6):
        browser.run("[...document.querySelectorAll('#bar button')].find(one => one.title === 'smaller').click()")
    less = browser.run(SIZES)
    check(less["font"] < before["font"] and less["rows"] > before["rows"] and less["cut"] <= 0, "smaller:", before, less)
    # A browser zoom of 200 %: half as many CSS pixels, each twice as wide and high in screen pixels.
    browser.send("Emulation.setDeviceMetricsOverride", width=700, height=500, deviceScaleFactor=2, mobile=False)
    time.sleep(0.3)
    size = browser.run(SIZES)
    check(size["wide"] <= 0 and size["cut"] <= 0 and size["columns"] >= 58, "at 200 % it is cut:", size)
    browser.send("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)


def touch(browser):
    """Touch: a tap on a lane, swipes in four directions, and two-finger gestures, which are left to the browser."""
    browser.send("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    browser.send("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.open(os.path.join(work, "mouse.html"))

    def tap(x, y):
        browser.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        time.sleep(0.05)
        browser.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    time.sleep(0.5)  # the window's size has just changed
    row = next(number for number, text in enumerate(browser.run("shflviz.text()").split("\n")) if re.search(r"[A-Z]\S* *9 ", text))
    x, y = browser.run(f"""(() => {{ const box = document.getElementById('screen').children[{row}].getBoundingClientRect();
        return [box.left + 4.5 * shflviz.letter(), box.top + box.height / 2]; }})()""")
    tap(x, y)
    check(wait(browser, "location.hash", "#0,9,") == "#0,9,1,1", "a tap on lane 9 gave", browser.run("location.hash"))

    box = browser.run("""(() => { const box = [...document.querySelectorAll('#bar button')].find(one => one.title === 'next phase')
        .getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height]; })()""")
    check(box[2] >= 32 and box[3] >= 32, "the button is too small for a finger:", box)
    time.sleep(0.5)  # otherwise the next tap would make a double tap
    tap(*box[:2])
    check(wait(browser, "location.hash", "#0,9,1,2") == "#0,9,1,2", "the button gave", browser.run("location.hash"))
    browser.run("document.getElementById('screen').focus()")
    browser.press("ArrowLeft")
    time.sleep(0.5)

    def swipe(*fingers):
        for kind, step in (("touchStart", 0), ("touchMove", 1), ("touchEnd", None)):
            points = [] if step is None else [{"x": 200 + 40 * n + dx * step, "y": 400 + dy * step, "id": n} for n, (dx, dy) in enumerate(fingers)]
            browser.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        time.sleep(0.1)
        return browser.run("location.hash")

    check(swipe((-100, 0)) == "#0,9,1,2", "a swipe to the left gave", browser.run("location.hash"))
    check(swipe((0, -100)) == "#0,10,1,2", "a swipe up gave", browser.run("location.hash"))
    check(swipe((0, 100)) == "#0,9,1,2", "a swipe down gave", browser.run("location.hash"))
    check(swipe((100, 0)) == "#0,9,1,1", "a swipe to the right gave", browser.run("location.hash"))
    check(swipe((-20, 0)) == "#0,9,1,1", "a short move gave", browser.run("location.hash"))
    browser.run("document.querySelector('#bar input').focus()")
    browser.send("Input.insertText", text="p8")  # like a phone's keyboard
    browser.press("Enter", text="\r")
    check("8, wrong: lane 9" in browser.run("shflviz.text()"), "typing there gave", browser.run("shflviz.text()"))
    before = browser.run("location.hash")
    check(swipe((-50, 0), (50, 0)) == before, "two fingers gave", browser.run("location.hash"))
    check(browser.run("visualViewport.scale") > 1.05, "two fingers do not enlarge", browser.run("visualViewport.scale"))
    browser.send("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.send("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)


def user_program(browser):
    """A lesson with its own program, which was run when the page was made."""
    folder = os.path.join(work, "own")
    os.makedirs(folder, exist_ok=True)
    open(os.path.join(folder, "mine.cu"), "w").write("""#include <cstdio>
__global__ void turn(int *out) {
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x * 10, 1);
}
int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    turn<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
""")
    open(os.path.join(folder, "en.md"), "w").write("---\ntitle: Mine\nsummary: Own\nkernel: mine.cu\n---\n\n"
        "## One {#one}\n\n```show\nphase: before..after\nlane: 5\n```\n\nLane 5 holds {{in 5}}.\n\n## Two {#two}\n\n```ask\nvalue of lane 5\n```\n\n"
        "Text.\n\n### Question\n\nWhat does lane 5 get?\n\n### Hint\n\nIts neighbour.\n\n### Answer\n\n40.\n")
    export("refused.html", folder, fails="consent")
    browser.open(export("own.html", "--trust", folder))
    check("Lane 5 holds 50." in browser.run("shflviz.text()"), "the program's recording is not there")
    browser.press("n")
    browser.press("]")
    check("] changes nothing: this is a recording" in browser.run("shflviz.text()"), "it does not say why nothing changes")
    browser.run("shflviz.go('two')")
    for letter in "40":
        browser.press(letter)
    browser.press("Enter", text="\r")
    check("40 is right" in browser.run("shflviz.text()"), "40 is not right")


def damaged(browser):
    """A damaged recording in a page is reported as an error, or its intact part is shown."""
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


skip_without_page()
browser = Browser(1400, 1000)
try:
    browser.send("Accessibility.enable")
    links(browser)
    mouse(browser)
    ears(browser)
    themes(browser)
    zoom(browser)
    touch(browser)
    user_program(browser)
    damaged(browser)
    ready(browser)
    print(course(browser), "lessons")
    if len(sys.argv) > 3:
        browser.picture(os.path.join(work, "last.png"))
    blocked = [event for event in browser.events if "Content Security Policy" in str(event)]
    check(not blocked, "the page's own policy blocked something:", blocked[:1])
    asked = [event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"]
    check(all(url.startswith(("file:", "about:", "data:")) for url in asked), "the page accessed the network:", asked)
finally:
    browser.close()
sys.exit(1 if failures else 0)
