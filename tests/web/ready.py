"""ready.py SHFLVIZ SOURCE [WORK] - measures how large a lesson's page is, how long it takes to be ready, and how long
a key takes.

Sizes and processor time have limits; other times are only printed (bench/run page). Exits with 77 if there is no
browser or no page."""
import os, re, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser
from pages import check, export, failures, live_page, skip_without_page


def ready(browser):
    """Measures the milliseconds from opening a page to its first screen, and the time that a key and a run take."""
    page = export("ready.html", "xor")
    check(os.path.getsize(page) < 1200000, "a lesson's page has", os.path.getsize(page), "bytes")
    packed = re.search(r'id="program">([^<]+)<', open(page, encoding="utf-8").read()).group(1)
    check(len(packed) * 3 // 4 < 740000, "the program has", len(packed) * 3 // 4, "bytes, compressed")
    times = sorted(browser.open(page) for _ in range(9))
    print(f"a lesson's page: {os.path.getsize(page)} bytes, ready after {times[0]} to {times[-1]} ms, median {times[4]}")
    spent = []
    for _ in range(5):  # the time of the page's thread, independent of the machine's load
        browser.send("Performance.disable")
        browser.send("Performance.enable", timeDomain="threadTicks")
        browser.open(page)
        metrics = {one["name"]: one["value"] for one in browser.send("Performance.getMetrics")["metrics"]}
        spent.append(round(metrics["TaskDuration"] * 1000))
    print(f"it takes {sorted(spent)[2]} ms of the thread's processor time, {metrics['ScriptDuration'] * 1000:.0f} for scripts")
    check(min(spent) < 300, "a page takes", spent, "ms to be ready")
    browser.open(live_page("rate.html", ["kernel block-reduce", "xor --mask 3"]))
    run = browser.run("""(() => { const begun = performance.now(); for (let i = 0; i < 100; i++) shflviz.start(1);
        return (performance.now() - begun) / 100; })()""")
    keys = browser.run("""(() => { const begun = performance.now(); for (let i = 0; i < 100; i++) shflviz.key(i % 2 ? ']' : '[');
        return (performance.now() - begun) / 100; })()""")
    kernel = browser.run("""(() => { shflviz.start(0); const begun = performance.now(); for (let i = 0; i < 20; i++) shflviz.key('s');
        return (performance.now() - begun) / 20; })()""")
    print(f"opened again {run:.1f} ms; a shuffle changed and drawn {keys:.1f} ms; a kernel of 256 threads run again and drawn {kernel:.1f} ms")


if __name__ == "__main__":
    skip_without_page()
    shown = Browser(1400, 1000)
    try:
        ready(shown)
    finally:
        shown.close()
    sys.exit(1 if failures else 0)
