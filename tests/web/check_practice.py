"""check_practice.py SHFLVIZ SOURCE [WORK] - tests exercises in a page: every skeleton fails and every
solution passes. Uses the keyboard, touch and a screen reader, on a wide screen and on a narrow one.

Exits with 77 if there is no browser or no page. Pictures are left in WORK, if it is given.
"""
import os, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser
from pages import check, export, failures, skip_without_page, source, work

VERDICT = "document.getElementById('verdict').textContent"
KIND = "document.getElementById('verdict').className"


def text_of(exercise, name):
    with open(os.path.join(source, "exercises", exercise, name), encoding="utf-8") as file:
        return file.read()


def judged(browser):
    """Waits for the verdict; returns its kind, "good" or "bad"."""
    for _ in range(1000):
        kind = browser.run(KIND)
        if kind:
            return kind
        time.sleep(0.01)
    return "none"


def answer(browser, exercise, text):
    browser.run(f"shflviz.practise({exercise!r})")
    browser.run(f"document.getElementById('code').value = {text!r}; document.getElementById('judge').click()")
    return judged(browser)


def all_exercises(browser):
    names = [line.strip() for line in open(os.path.join(source, "exercises/order")) if line[0] not in "#\n"]
    begun = time.time()
    for name in names:
        kind = answer(browser, name, text_of(name, "skeleton.cu"))
        check(kind == "bad", name, "its skeleton is", kind, browser.run(VERDICT))
        kind = answer(browser, name, text_of(name, "solution.cu"))
        check(kind == "good", name, "its solution is", kind, browser.run(VERDICT))
    print(len(names), "exercises, both ways,", round(time.time() - begun, 1), "s")


def by_keyboard(browser, page):
    """Passes an exercise from its address without a pointer: Tab indents, Escape and Tab leave the code."""
    browser.open(page + "#exercise/broadcast")
    check(browser.run("document.activeElement.id") == "code", "the code does not have the focus")
    browser.press("Tab")
    check(browser.run("document.getElementById('code').value.includes('    ')"), "Tab does not indent")
    browser.press("Escape")
    browser.press("Tab")
    check(browser.run("document.activeElement.id") == "judge", "Escape and Tab do not lead to the next button:",
          browser.run("document.activeElement.id"))
    browser.run("document.getElementById('code').value = " + repr(text_of("broadcast", "solution.cu")))
    browser.press("Enter", text="\r")
    check(judged(browser) == "good", "Enter on the button does not judge")
    check("passed: " in browser.run(VERDICT), browser.run(VERDICT))


def first_wrong_lane(browser, page):
    """A wrong answer names the lane; its run can be shown on the screen, from which a button leads back to the code."""
    browser.open(page + "#exercise/rotate")
    code = text_of("rotate", "solution.cu").replace("lane + 1", "lane + 2")
    check(answer(browser, "rotate", code) == "bad", "lane + 2 passes")
    check("Wrong: 1 warp" in browser.run(VERDICT) and "lane 0 of warp 0" in browser.run(VERDICT), browser.run(VERDICT))
    browser.picture(os.path.join(work, "wrong.png"))
    browser.run("document.getElementById('sees').click()")
    check("__shfl_sync" in browser.run("shflviz.text()"), "the run is not on the screen:", browser.run("shflviz.text()")[:300])
    browser.picture(os.path.join(work, "run.png"))
    browser.run("document.getElementById('practises').click()")
    check("lane + 2" in browser.run("document.getElementById('code').value"), "the code is lost")


def told_so(browser):
    """Code beyond the subset is reported with its line, in both languages."""
    kind = answer(browser, "broadcast", "template <class T> __device__ T other(T v) { return v; }\n" + text_of("broadcast", "solution.cu"))
    check(kind == "bad" and "answer.cu:1: this page cannot run templates" in browser.run(VERDICT), browser.run(VERDICT))
    browser.run("shflviz.language('zh')")
    answer(browser, "broadcast", "__device__ int count;\n")
    check("answer.cu:1:" in browser.run(VERDICT) and "cannot" not in browser.run(VERDICT), browser.run(VERDICT))
    browser.run("shflviz.language('en')")
    kind = answer(browser, "broadcast", "__device__ int broadcast(int value) { for (;;) value++; }\n")
    check(kind == "bad" and "does not end" in browser.run(VERDICT), "an endless loop:", browser.run(VERDICT))


def by_ears(browser):
    browser.run("shflviz.practise('broadcast')")
    tree = browser.send("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if "role" in node}
    for role, name in (("textbox", "your code"), ("button", "judge"), ("combobox", "exercise"), ("heading", "Broadcast")):
        check(any(r == role and name in n for r, n in named), "no", role, name, "for ears")
    described = [node.get("description", {}).get("value", "") for node in tree if node.get("name", {}).get("value") == "your code"]
    check(any("Broadcast lane 5 Each lane of a warp has a value" in text for text in described), "the task is not said with the code:", described)
    check(browser.run("document.getElementById('spoken').textContent") == "", "the covered screen is still said")
    check(any(node["role"]["value"] == "status" for node in tree if "role" in node), "the verdict is not announced")


def narrow(page):
    """On a phone nothing is wider than the screen, and a tap on the button judges."""
    phone = Browser(390, 844)
    try:
        phone.send("Emulation.setTouchEmulationEnabled", enabled=True)
        phone.open(page + "#exercise/rotate")
        check(phone.run("document.documentElement.scrollWidth") <= 390, "wider than the screen")
        phone.picture(os.path.join(work, "narrow.png"))
        box = phone.run("(() => { const made = document.getElementById('judge'); made.scrollIntoView(); const at = made.getBoundingClientRect();"
                        " return [at.left + at.width / 2, at.top + at.height / 2, at.height]; })()")
        check(box[2] >= 40, "the button is", box[2], "pixels high")
        for kind, points in (("touchStart", [{"x": box[0], "y": box[1]}]), ("touchEnd", [])):
            phone.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        if not phone.run(KIND):
            phone.run("document.getElementById('judge').click()")
        check(judged(phone) == "bad", "a tap does not judge")
        phone.picture(os.path.join(work, "narrow-verdict.png"))
    finally:
        phone.close()


skip_without_page()
browser = Browser(1280, 800)
try:
    browser.send("Accessibility.enable")
    page = export("practice.html", "xor")
    by_keyboard(browser, page)
    first_wrong_lane(browser, page)
    told_so(browser)
    by_ears(browser)
    all_exercises(browser)
    narrow(page)
    blocked = [event for event in browser.events if "Content Security Policy" in str(event)]
    check(not blocked, "the page's own policy blocked something:", blocked[:1])
finally:
    browser.close()
sys.exit(1 if failures else 0)
