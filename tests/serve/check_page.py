#!/usr/bin/env python3
"""check_page.py SHFLVIZ [PICTURES]: tests the page of cells in a real browser, with a phone's screen: it
follows, asks, confirms the answer, goes back and returns, and shows the distribution of answers; its
content security policy blocks nothing that it needs."""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web"))
from browser import Browser, Navigated, find_browser  # noqa: E402
from presented import Presentation, skip_unless_built  # noqa: E402

skip_unless_built(sys.argv[1])
if not find_browser():
    print("no Chromium: skipped")
    sys.exit(77)
shown = Presentation(sys.argv[1], "xor")
browser = Browser(width=390, height=844)


def until(expression, wanted, seconds=30):
    value, end = None, time.monotonic() + seconds
    while time.monotonic() < end:
        shown.read(0.02)
        try:
            value = browser.run(expression)
        except Navigated:
            continue
        if value == wanted:
            return
    raise AssertionError(f"{expression} is {value!r}, not {wanted!r}")


def text(name):
    return f"document.getElementById('{name}').textContent"


def hidden(name):
    return f"document.getElementById('{name}').hidden"


def picture(name):
    if len(sys.argv) > 2:
        browser.picture(os.path.join(sys.argv[2], name + ".png"))


def click(name):
    browser.run(f"document.getElementById('{name}').click()")


try:
    # Enters through the form for the code, like a student who knows only the address.
    base = os.environ.get("SHFLVIZ_CLASS_URL", f"http://127.0.0.1:{shown.port}/").replace("PORT", str(shown.port))
    browser.send("Page.navigate", url=base)
    until("document.querySelector('input[name=code]') !== null", True)
    browser.run(f"document.querySelector('input').value = ' {shown.code.upper()} '; document.querySelector('form').submit()")
    until(f"location.pathname.endsWith('/{shown.code}/')", True)
    # Opens the page of cells, the alternative to the page with the program (tests/web/check_class.py).
    browser.send("Page.navigate", url=browser.run("location.href.split('#')[0]") + "plain")
    until("!!document.getElementById('place') && " + text("place"), "1/8")
    until(text("title"), "Lanes in binary")
    assert browser.run("document.documentElement.lang") == "en"
    assert browser.run("location.pathname").endswith(f"/{shown.code}/plain")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone"
    picture("tell")
    # Continues to the question.
    shown.to_question(b"Which lane does lane 5 read?")
    until(text("title"), "laneMask 1")
    until(text("text"), "Which lane does lane 5 read?")
    until(hidden("ask"), False)
    assert "undefined" in browser.run(text("help"))
    assert browser.run("document.querySelectorAll('.row').length") > 16
    assert browser.run("getComputedStyle(document.querySelector('.g0')).color") != browser.run(
        "getComputedStyle(document.body).color"), "groups have no colour"
    picture("ask")
    # An unreadable answer is refused; a readable one is accepted, once.
    browser.run("document.getElementById('answer').value = 'four'")
    click("send")
    until(text("note") + ".startsWith('Not understood')", True)
    browser.run("document.getElementById('answer').value = 'own'")
    click("send")
    until(hidden("ask"), True)
    until(text("note"), "You answered: own")
    # Goes back to an earlier frame, and returns to the class.
    click("back")
    until(text("title"), "Lanes in binary")
    until(hidden("now"), False)
    click("now")
    until(text("title"), "laneMask 1")
    # A reloaded page knows the answer.
    browser.send("Page.reload")
    until(f"!!document.getElementById('note') && {text('note')}", "You answered: own")
    until(hidden("ask"), True)
    shown.reveal()
    until(text("note"), "The answer: 4")
    until("document.querySelector('.bar span').textContent", "own: 1 (yours)")
    assert "meets itself" in browser.run(text("bars"))
    picture("shown")
    refused = [event for event in browser.events if event.get("method") == "Log.entryAdded"
               and event["params"]["entry"]["level"] == "error" and "favicon" not in event["params"]["entry"].get("url", "")
               and "/answer" not in event["params"]["entry"].get("url", "")]
    assert not refused, refused
    # When the presentation ends, the page says so and keeps its content.
    shown.key("@")  # the histogram is closed
    shown.key("q")
    until(text("note") + ".startsWith('The connection is lost')", True)
finally:
    browser.close()
    shown.end()
print("the student's page works")
