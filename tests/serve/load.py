#!/usr/bin/env python3
"""load.py SHFLVIZ [STUDENTS]: measures the time until the last of 300 pages has the revealed answer, and
the memory; first alone, then while a client at the same address sends requests continuously, as a student
and as a stranger. Prints the figures, without judging them; the target is one second. Fails if an answer
is lost, or a page does not show the revealed answer."""
import asyncio
import multiprocessing
import os
import resource
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from presented import Presentation, Student, skip_unless_built  # noqa: E402

COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300


def flood(address, requests, asked):
    """Sends requests as fast as they are answered, until it is killed."""
    while True:
        with socket.create_connection(address) as end:
            try:
                while True:
                    end.sendall(requests[asked.value % len(requests)])
                    if b"\r\n" not in end.recv(1 << 20):
                        break
                    asked.value += 1
            except OSError:
                pass


async def start_flood(shown):
    """Starts three processes of one client, which has joined; returns the counts of their requests."""
    eve = Student(shown.host, shown.port, shown.code)
    await eve.join()
    requests = [f"GET {path} HTTP/1.1\r\nHost: h\r\n{cookie}\r\n".encode()
                for cookie in ("", f"Cookie: shflviz={eve.cookie}\r\n") for path in ("/", f"/{shown.code}/plain", "/zzzzz/")]
    counts = [multiprocessing.Value("L", i) for i in range(3)]
    for count in counts:
        multiprocessing.Process(target=flood, args=((shown.host, shown.port), requests, count), daemon=True).start()
    return counts


async def timed(asked, times, after):
    """Sends a request after a delay. 200 per second is more than a class sends; sending all of them at the same time
    would measure this client."""
    await asyncio.sleep(after)
    began = time.monotonic()
    reply = await asked
    times.append(time.monotonic() - began)
    return reply


async def main(floods):
    print("while a client floods the server" if floods else "alone")
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
    asked, flooded = await start_flood(shown) if floods else [], time.monotonic()
    tasks = [asyncio.create_task(student.follow()) for student in made]
    await asyncio.gather(*(student.until(lambda f: f["state"] == "tell", 30) for student in made))
    print(f"all follow within {time.monotonic() - began:.2f} s")
    while made[0].frames[-1]["state"] != "ask":
        made[0].news.clear()
        shown.key(" ")
        try:
            await asyncio.wait_for(made[0].news.wait(), 0.5)
        except asyncio.TimeoutError:  # the key closed the page for joining
            pass
    await asyncio.gather(*(student.until(lambda f: f["state"] == "ask") for student in made))
    began = time.monotonic()
    answers = ["4", "own", "6", "4"]
    times = []
    replies = await asyncio.gather(*(timed(s.answer(1, answers[i % 4]), times, i / 200) for i, s in enumerate(made)))
    print(f"answered within {time.monotonic() - began:.2f} s, 99 of 100 in {sorted(times)[COUNT * 99 // 100] * 1000:.0f} ms")
    assert all(reply[0] == 200 for reply in replies), {reply[0] for reply in replies}
    shown.reveal()
    frames = await asyncio.gather(*(student.until(lambda f: f["state"] == "shown") for student in made))
    last = max(student.times[-1] for student in made) - shown.revealed
    print(f"from the key to the last page: {last:.3f} s")
    print(f"memory: {shown.memory()} KiB at most, {before} before the first student")
    counts = {bar["answer"]: bar["count"] for bar in frames[-1]["bars"]}
    quarter = COUNT // 4
    assert COUNT % 4 or counts == {"4": 2 * quarter, "own": quarter, "6": quarter}, counts
    if floods:
        print(f"flood: {sum(count.value for count in asked) / (time.monotonic() - flooded):.0f} requests a second")
        for process in multiprocessing.active_children():
            process.kill()
    reading.cancel()
    for task in tasks:
        task.cancel()
    shown.end()
    return 0


skip_unless_built(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
sys.exit(sum(asyncio.run(asyncio.wait_for(main(floods), 120)) for floods in (False, True)))
