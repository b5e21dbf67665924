#!/usr/bin/env python3
"""load.py SHFLVIZ [STUDENTS]: how long it takes until the last of 300 pages has what was revealed, and the memory.

Prints figures, which are for reading: a second is what is aimed at. Fails if an answer is lost, or a page does not
show what was revealed."""
import asyncio
import os
import resource
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from presented import Presentation, Student, skip_unless_built  # noqa: E402

COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300


async def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    shown = Presentation(sys.argv[1], "xor")
    before = shown.memory()

    async def pump():
        while True:
            shown.read()
            await asyncio.sleep(0.01)

    reading = asyncio.create_task(pump())
    began = time.monotonic()
    made = [Student(shown.host, shown.port, shown.code) for _ in range(COUNT)]
    await asyncio.gather(*(student.join() for student in made))
    print(f"{COUNT} students have the page, {made[0].page_size / 1000:.0f} kB each, within {time.monotonic() - began:.2f} s")
    tasks = [asyncio.create_task(student.follow()) for student in made]
    await asyncio.gather(*(student.until(lambda f: f["state"] == "tell", 30) for student in made))
    print(f"all follow within {time.monotonic() - began:.2f} s")
    while made[0].frames[-1]["state"] != "ask":
        made[0].news.clear()
        shown.key(" ")
        try:
            await asyncio.wait_for(made[0].news.wait(), 0.5)
        except asyncio.TimeoutError:  # the key closed the page of how to get in
            pass
    await asyncio.gather(*(student.until(lambda f: f["state"] == "ask") for student in made))
    began = time.monotonic()
    answers = ["4", "own", "6", "4"]
    replies = await asyncio.gather(*(s.answer(1, answers[i % 4]) for i, s in enumerate(made)))
    print(f"answered within {time.monotonic() - began:.2f} s")
    assert all(reply[0] == 200 for reply in replies), {reply[0] for reply in replies}
    shown.reveal()
    frames = await asyncio.gather(*(student.until(lambda f: f["state"] == "shown") for student in made))
    last = max(student.times[-1] for student in made) - shown.revealed
    print(f"from the key to the last page: {last:.3f} s")
    print(f"memory: {shown.memory()} KiB at most, {before} before the first student")
    counts = {bar["answer"]: bar["count"] for bar in frames[-1]["bars"]}
    quarter = COUNT // 4
    assert COUNT % 4 or counts == {"4": 2 * quarter, "own": quarter, "6": quarter}, counts
    reading.cancel()
    for task in tasks:
        task.cancel()
    shown.end()
    return 0


skip_unless_built(sys.argv[1])
sys.exit(asyncio.run(asyncio.wait_for(main(), 120)))
