"""check_class.py SHFLVIZ SOURCE [WORK] - tests the page for a class: it follows a real presentation, sends answers
without judging them, steps on its own up to the next question, and comes back by a key, a button, or for a question.

Exits with 77 if there is no browser, no page or no libmicrohttpd. Pictures are left in WORK, if it is given.
"""
import os, sys, time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "serve")]
from browser import Browser, Navigated
from pages import program, skip_without_page, work
from presented import Presentation, skip_unless_built

skip_unless_built(program)
skip_without_page()
taught = Presentation(program, "xor")
browser = Browser(width=390, height=844)

NOTE = "document.querySelector('#class span').textContent"
BACK = "document.querySelector('#class > button').hidden"
FORM = "document.querySelector('#class form').hidden"
MOMENT = "location.hash"
SCREEN = "shflviz.text()"


def until(expression, wanted, seconds=30):
    """Waits until the expression has the value `wanted`, which may also be a predicate; returns the value."""
    right = wanted if callable(wanted) else lambda value: value == wanted
    value, end = None, time.monotonic() + seconds
    while time.monotonic() < end:
        taught.read(0.02)
        try:
            value = browser.run(expression)
        except Navigated:
            continue
        if right(value):
            return value
    raise AssertionError(f"{expression} is {value!r}, not {wanted!r}")


def stays(expression, wanted):
    for _ in range(10):
        taught.read(0.03)
        value = browser.run(expression)
        assert value == wanted, f"{expression} is {value!r}, not {wanted!r}"


def teach(keys):
    for key in keys:
        taught.key(key)
        taught.read(0.1)


def enter():
    browser.press("Enter", text="\r")


def picture(name):
    if len(sys.argv) > 3:
        browser.picture(os.path.join(work, name + ".png"))


try:
    began = time.monotonic()
    browser.send("Page.navigate", url=f"http://{taught.host}:{taught.port}/{taught.code}/")
    until("document.documentElement?.dataset.ready > 0", True)
    print(f"the page was there after {time.monotonic() - began:.2f} s")
    until(NOTE, "You follow the class.")
    until(MOMENT, "#binary")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone"
    picture("follows")

    # At the question: the student's screen shows it as a terminal would, but neither judges nor reveals.
    teach(["@"])
    taught.to_question(b"Which lane does lane 5 read?")
    until(FORM, False)
    until(MOMENT, "#one")
    assert "Which lane does lane 5 read?" in browser.run(SCREEN).replace("\n", " ") or "read?" in browser.run(SCREEN)
    for key in ("ArrowRight", "Escape", "Escape", "Escape", "Tab", "PageDown", "q"):
        browser.press(key)
    stays(MOMENT, "#one")
    assert "It is 4" not in browser.run(SCREEN), "the answer is shown"
    stays(BACK, True)  # none of these steps were the student's own
    for letter in "four":
        browser.press(letter)
    until("document.getElementById('answer').value", "four")
    enter()
    until(NOTE, lambda note: note.startswith("Not understood"))
    for _ in "four":
        browser.press("Backspace")
    browser.press("7")
    picture("asks")
    enter()
    until(NOTE, "You answered: 7")
    until(FORM, True)
    assert "It is" not in browser.run(SCREEN), "the answer is judged"
    browser.press("8")
    enter()
    stays(NOTE, "You answered: 7")  # only one answer is accepted

    # A reloaded page knows the answer.
    browser.send("Page.reload")
    until(f"document.documentElement?.dataset.ready > 0 && !!document.getElementById('class') && {NOTE}", "You answered: 7")
    browser.press("Escape")
    browser.press("Escape")
    stays(MOMENT, "#one")
    taught.reveal()
    until(NOTE, "The answer: 4 \u2014 You answered: 7")
    until("document.querySelector('.bar').firstChild.textContent", "7: 1 (100%) (yours)")
    until(SCREEN, lambda screen: "101 ^ 001" in screen)
    picture("shown")

    # Between questions the student may go back, and ahead up to the next question.
    browser.press("ArrowDown")
    stays(BACK, True)  # after selecting another lane she still follows
    for _ in range(8):
        browser.press("ArrowLeft")
    until(NOTE, "You set your own pace.")
    until(MOMENT, "#binary")
    for _ in range(12):
        browser.press("ArrowRight")
    until(NOTE, "The class has not answered this question yet.")
    until(MOMENT, "#one")
    picture("alone")
    browser.press("@")
    until(NOTE, lambda note: note.startswith("The answer"))
    browser.press("ArrowLeft")
    until(BACK, False)
    teach(["@", " "])
    stays(BACK, False)  # the class continues without her
    taught.to_question(b"Which lanes read lane 5?")
    until(FORM, False)  # the next question calls her back
    until(MOMENT, "#trade")
    until(BACK, True)
    taught.reveal()
    until(FORM, True)
    browser.press("ArrowLeft")
    until(BACK, False)
    browser.run("document.querySelector('#class > button').click()")
    until(BACK, True)

    refused = [event for event in browser.events if event.get("method") == "Log.entryAdded"
               and event["params"]["entry"]["level"] == "error"
               and not any(part in event["params"]["entry"].get("url", "") for part in ("favicon", "/answer"))]
    assert not refused, refused

    # When the presentation ends, the page says so, and the lesson stays open.
    teach(["q"])
    until(NOTE, lambda note: note.startswith("The connection is lost"))
    for _ in range(12):
        browser.press("ArrowLeft")
    until(MOMENT, lambda moment: moment in ("#one", "#binary"))
finally:
    browser.close()
    taught.end()
print("the page follows, answers, steps alone and comes back")
