#!/usr/bin/env python3
"""check_class.py SHFLVIZ [REQUESTS]: checks that a class follows and answers and that its answers are
counted, and that hostile clients harm nobody else."""
import asyncio
import json
import os
import pty
import re
import resource
import select
import socket
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from presented import Presentation, Student, skip_unless_built  # noqa: E402

PROGRAM = sys.argv[1]
HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
FLOOD = int(sys.argv[2]) if len(sys.argv) > 2 else 5000


async def pump(shown):
    while True:
        shown.read()
        await asyncio.sleep(0.01)


async def students(shown, count):
    made = [Student(shown.host, shown.port, shown.code) for _ in range(count)]
    for student in made:
        await student.join()
        student.task = asyncio.create_task(student.follow())
    for student in made:
        await student.until(lambda frame: frame["state"] != "wait")
    return made


async def to_question(shown, student):
    """Continues until a question is open; the page for joining is closed first."""
    for _ in range(30):
        if student.frames[-1]["state"] == "ask":
            return student.frames[-1]
        student.news.clear()
        shown.key(" ")
        try:
            await asyncio.wait_for(student.news.wait(), 0.5)
        except asyncio.TimeoutError:  # the key closed the page for joining, which students do not notice
            pass
    raise AssertionError("no question ever opened")


async def reveal(shown, student):
    shown.reveal()
    return await student.until(lambda frame: frame["state"] == "shown")


async def saw(shown, pattern):
    """Waits until the screen matches. Only differences are written to a terminal, so each attempt redraws the
    screen (Ctrl-L)."""
    for _ in range(20):
        begin = len(shown.written)
        shown.key("\x0c")
        for _ in range(50):
            found = re.search(pattern, shown.written[begin:])
            if found:
                return found
            await asyncio.sleep(0.01)
    raise AssertionError(f"the teacher never saw {pattern!r}: {shown.written[begin:]!r}")


async def test_a_question(shown):
    """One question from its opening to its histogram. In lesson xor with laneMask 1, lane 5 reads lane 4."""
    ada, bob, eve = await students(shown, 3)
    await saw(shown, rb"3 students here")
    # The answer to the question is not sent to a page that could be searched.
    frame = await to_question(shown, ada)
    assert "right" not in frame and "bars" not in frame, frame
    # A copy of the lesson can follow: it gets the position and the beats that the class has seen,
    # but not what the teacher types.
    assert frame["lesson"] == "xor" and frame["beats"] == "as......", frame
    assert re.match(r"beat 1 id \S+ line \d+ state asking ", frame["at"]) and frame["at"].endswith(" answer "), frame
    shown.key("7\r")
    frame = await ada.until(lambda f: " tries 1 " in f["at"])
    assert frame["at"].endswith(" answer "), frame["at"]
    assert frame["text"][0]["spans"][0][1] == "Which lane does lane 5 read?", frame["text"]
    number = frame["round"]
    assert await status(ada.answer(number, "four")) == 422
    assert await status(ada.answer(number + 1, "4")) == 409
    assert (await ada.answer(number, "lane 4"))[2] == "4\n"
    assert await status(ada.answer(number, "5")) == 409, "a second answer was taken"
    assert await status(bob.answer(number, " OWN ")) == 200
    assert await status(eve.answer(number, "6")) == 200
    shown.key("@")
    await saw(shown, rb"3 of 3 answered")
    shown.key("@")
    frame = await reveal(shown, ada)
    assert frame["right"] == "4" and frame["beats"] == "aa......"
    assert [(bar["answer"], bar["count"], bar["right"]) for bar in frame["bars"]] == [
        ("4", 1, True), ("6", 1, False), ("own", 1, False)], frame["bars"]
    belief = {bar["answer"]: bar.get("belief") for bar in frame["bars"]}
    assert belief["4"] is None and "meets itself" in belief["own"][0]["spans"][-1][1], belief
    await saw(shown, rb"meets itself")  # the teacher sees it, too
    assert await status(bob.answer(number, "4")) == 409, "an answer was taken after the answer was shown"
    # A returning student keeps her identity.
    again = Student(shown.host, shown.port, shown.code)
    again.cookie = bob.cookie
    head = await again.join()
    assert "et-cookie" not in head, "a second token for the same student"
    task = asyncio.create_task(again.follow())
    await again.until(lambda f: f["state"] == "shown")
    assert again.own == {"round": number, "answer": "own"}, again.own
    task.cancel()


async def status(asked):
    return (await asked)[0]


async def test_who_may_what(shown):
    stranger = Student(shown.host, shown.port, shown.code)
    room = f"/{shown.code}"
    assert await status(stranger.ask("GET", f"{room}/events")) == 403
    assert await status(stranger.ask("POST", f"{room}/answer", b"1\n4")) == 403
    stranger.cookie = "0" * 32
    assert await status(stranger.ask("GET", f"{room}/events")) == 403
    assert await status(stranger.ask("GET", "/aaaaa/")) == 404
    assert await status(stranger.ask("GET", f"{room}/../../etc/passwd")) == 404
    assert await status(stranger.ask("GET", f"{room}/answer")) == 405
    assert await status(stranger.ask("DELETE", f"{room}/")) == 405
    (student,) = await students(shown, 1)
    assert await status(student.ask("POST", f"{room}/answer", b"x" * 257)) == 413
    assert await status(student.ask("POST", f"{room}/answer", b"1\n\xff")) == 400
    assert await status(student.ask("POST", f"{room}/answer", b"")) == 400
    # The page for joining accepts the code in capitals and between spaces, and accepts nothing else.
    found = await stranger.ask("GET", f"/?code=%20{shown.code.upper()}%20")
    assert found[0] == 303 and f"ocation: {shown.code}/" in found[1], found
    assert await status(stranger.ask("GET", "/?code=aaaaa")) == 200


async def test_streams_of_one_student(shown):
    """A fourth page of the same student ends the first."""
    (student,) = await students(shown, 1)
    more = []
    for _ in range(3):
        page = Student(shown.host, shown.port, shown.code)
        page.cookie = student.cookie
        page.task = asyncio.create_task(page.follow())
        await page.until(lambda frame: True)
        more.append(page)
    await asyncio.wait_for(student.task, 5)
    assert not any(page.task.done() for page in more)


async def test_guesses_run_out(shown):
    """After some wrong codes an address is refused. That affects only this test, which has its own presentation."""
    guesser = Student(shown.host, shown.port, shown.code)
    seen = set()
    for _ in range(60):
        seen.add(await status(guesser.ask("GET", "/zzzzz/")))
    assert seen == {404, 429}, seen


async def flood_on(student, method, path, stop, replies):
    """Sends each request as soon as the previous one is answered, over one connection as long as possible."""
    head = f"{method} {path} HTTP/1.1\r\nHost: h\r\n{student.headers}"
    if student.cookie:
        head += f"Cookie: shflviz={student.cookie}\r\n"
    while not stop.is_set():
        reader, writer = await asyncio.open_connection(student.host, student.port, local_addr=student.local)
        try:
            while not stop.is_set():
                writer.write(head.encode() + b"\r\n")
                got = await reader.readuntil(b"\r\n\r\n")
                replies[int(got.split()[1])] = replies.get(int(got.split()[1]), 0) + 1
                await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", got)[1]))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


async def flooding(floods, work):
    """Does the work while the floods run; returns its result, and the number of replies to the floods by status."""
    stop, replies = asyncio.Event(), {}
    tasks = [asyncio.create_task(flood_on(*flood, stop, replies)) for flood in floods]
    try:
        return await work, replies
    finally:
        stop.set()
        await asyncio.gather(*tasks)


async def test_all_of_one_address(shown):
    """At one address a student, a client that has not joined and one that keeps joining flood the server:
    the other students there can still join, follow and answer."""
    ada, eve = await students(shown, 2)
    stranger = Student(shown.host, shown.port, shown.code)
    plain = f"/{shown.code}/plain"
    floods = [(eve, "GET", plain), (stranger, "GET", "/"), (stranger, "GET", f"/{shown.code}/class.js")]

    async def until_refused():
        while not all(code in (429,) for code in [await status(eve.ask("GET", plain)), await status(stranger.ask("GET", "/"))]):
            pass

    async def work():
        await asyncio.wait_for(until_refused(), 60)
        late = await students(shown, 20)
        number = (await to_question(shown, ada))["round"]
        return [await status(student.answer(number, "4")) for student in [ada, *late]]

    seen, replies = await flooding(floods, work())
    assert seen == [200] * 21, seen
    assert replies[429] > 0, replies


async def test_votes(shown):
    """Only a student who follows can vote: there are never more votes than open pages. The number of
    newcomers from an address is limited, and the teacher sees it; a key empties the room."""
    (ada,) = await students(shown, 1)
    number = (await to_question(shown, ada))["round"]
    assert await status(ada.answer(number, "4")) == 200
    seen, plain = [], f"/{shown.code}/plain"
    for i in range(520):
        eve = Student(shown.host, shown.port, shown.code)
        came, head, _ = await eve.ask("GET", plain)
        seen.append(came)
        if came == 200 and i % 50 == 0:
            eve.cookie = re.search(r"shflviz=(\w+)", head)[1]
            assert await status(eve.answer(number, "7")) == 409
    assert seen[:499] == [200] * 499 and 429 in seen[499:], seen
    elsewhere = Student(shown.host, shown.port, shown.code, local="127.0.0.7")
    await elsewhere.join()
    await saw(shown, rb"1 of 1 answered.*\d+ turned away")
    old = shown.code
    shown.key("@")
    await saw(shown, rb"E empties the room")
    shown.key("E")
    await saw(shown, rb"E again removes everyone and changes the room code")
    shown.key("E")
    found = await saw(shown, rb"http://127.0.0.1:\d+/([a-z0-9]{5})/")
    shown.code = found[1].decode()
    assert shown.code != old
    await asyncio.wait_for(ada.task, 5)
    assert await status(ada.answer(number, "4")) == 410
    gone = await ada.ask("GET", f"/{old}/")
    assert gone[0] == 303 and "ocation: ../\r\n" in gone[1], gone
    assert await status(ada.ask("GET", f"/{shown.code}/events")) == 403
    again, = await students(shown, 1)
    shown.key("@")
    await saw(shown, rb"1 student here.*0 of 1 answered")
    assert await status(again.answer(number, "4")) == 200


async def test_guesses_of_many_addresses(shown):
    """The room has a budget of wrong codes. When it is used up, a right code gets the same reply as a wrong one, and
    the class continues."""
    (ada,) = await students(shown, 1)
    began, seen = time.monotonic(), {}
    for i in range(400):
        guesser = Student(shown.host, shown.port, shown.code, local=f"127.9.{i // 20}.1")
        code = await status(guesser.ask("GET", "/zzzzz/" if i % 2 else "/?code=zzzzz"))
        seen[code] = seen.get(code, 0) + 1
    may = 300 + 2 * (time.monotonic() - began) + 1
    assert seen.get(404, 0) + seen.get(200, 0) <= may and seen[429] > 0, seen
    newcomer = Student(shown.host, shown.port, shown.code, local="127.8.0.1")
    for i, path in enumerate(("/", "/plain", "/events", "/nothing", "")):
        for attempt in range(10):  # the budget grows by two per second; guesses use that up first
            guesser = Student(shown.host, shown.port, shown.code, local=f"127.10.{i}.{attempt + 1}")
            while await status(guesser.ask("GET", "/zzzzz/")) != 429:
                pass
            code = await status(newcomer.ask("GET", f"/{shown.code}{path}"))
            if code == 429:
                break
        assert code == 429, (path, code)
    await saw(shown, rb"\d\d\d wrong room codes")
    number = (await to_question(shown, ada))["round"]
    assert await status(ada.answer(number, "4")) == 200


async def test_host(shown):
    """Requests for a foreign host name that resolves to this machine are refused."""
    for name, code in (("evil.example.net", 421), (f"evil.example.net:{shown.port}", 421), ("laptop.local", 200), ("[::1]", 200)):
        visitor = Student(shown.host, shown.port, shown.code, headers=f"Host: {name}\r\nX-Forwarded-For: 192.0.2.1\r\n")
        assert await status(visitor.ask("GET", f"/{shown.code}/plain")) == code, name


async def test_proxy():
    """Students are distinguished only by the entry that the proxy itself adds; the screen shows the proxy's address."""
    async def one(shown):
        def from_(address, name="class.example.org"):
            return Student(shown.host, shown.port, shown.code, headers=f"Host: {name}\r\nX-Forwarded-For: {address}\r\n")

        assert await status(from_("192.0.2.1", "evil.example.net").ask("GET", "/")) == 421
        for i in range(31):
            guess = await status(from_(f"198.51.100.{i}, 192.0.2.1").ask("GET", "/zzzzz/"))
        assert guess == 429
        assert await status(from_("192.0.2.1").ask("GET", f"/{shown.code}/plain")) == 429
        assert await status(from_("192.0.2.2").ask("GET", f"/{shown.code}/plain")) == 200
    await present(one, "--proxy", "https://class.example.org/shuffles", wall=rb"https://(class).example.org/(shuffles)/([a-z0-9]{5})/")


HOSTILE = [b"", b"\0" * 2000, b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"a" * 100000, b"\r\n\r\n\r\n", b"POST / HTTP/1.1\r\n",
           b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000, b"GET / HTTP/1.1\r\nCookie: " + b"=;" * 5000 + b"\r\n\r\n",
           b"POST /x/answer HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
           b"POST /x/answer HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
           b"POST /x/answer HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
           b"GET /?code=%00%ff%zz HTTP/1.1\r\nHost: h\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]


async def test_hostile(shown):
    """The class continues despite garbage, silent connections and streams that are never read."""
    ada, bob = await students(shown, 2)
    idle = []
    for part in HOSTILE * 3:
        end = socket.create_connection((shown.host, shown.port))
        end.setblocking(False)
        try:
            end.send(part.replace(b"/x/", f"/{shown.code}/".encode()))
        except OSError:
            pass
        idle.append(end)
    for _ in range(100):
        end = socket.create_connection((shown.host, shown.port))
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end.send(f"GET /{shown.code}/events HTTP/1.1\r\nHost: h\r\nCookie: shflviz={bob.cookie}\r\n\r\n".encode())
        idle.append(end)
    number = (await to_question(shown, ada))["round"]
    assert await status(ada.answer(number, "4")) == 200
    frame = await reveal(shown, ada)
    assert [bar["count"] for bar in frame["bars"]] == [1]
    for end in idle:
        end.close()


def connect_from(shown, address):
    end = socket.socket()
    end.bind((address, 0))
    end.connect((shown.host, shown.port))
    end.setblocking(False)
    return end


def has_ended(end):
    try:
        return end.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


async def flood(shown, address, count):
    """Sends many requests over a few reused connections; returns the number of replies by status."""
    seen = {}

    async def worker():
        nonlocal count
        while count > 0:
            reader, writer = await asyncio.open_connection(shown.host, shown.port, local_addr=(address, 0))
            head = b"go"
            while head and b"429" not in head and count > 0:
                count -= 1
                writer.write(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                try:
                    head = await reader.readuntil(b"\r\n\r\n")
                    await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
                except (asyncio.IncompleteReadError, ConnectionError):
                    break
                code = int(head.split()[1])
                seen[code] = seen.get(code, 0) + 1
            writer.close()

    await asyncio.gather(*(worker() for _ in range(20)))
    return seen


async def test_one_address_takes_all(shown):
    """One address uses all connections that it may have for requests that never end, sending a byte now
    and then; another sends requests continuously. A class from a third address can still join, answer
    and see the result; and the server ends the unfinished requests."""
    try:
        held = [connect_from(shown, "127.0.0.9") for _ in range(750)]
    except OSError as error:
        print(f"      (not here: {error})")
        return
    for end in held:
        try:
            end.send(b"GET / HTTP/1.1\r\nX: ")
        except OSError:  # these are more connections than one address may have
            pass
    began = time.monotonic()
    flooding = asyncio.create_task(flood(shown, "127.0.0.8", FLOOD))
    made = await students(shown, 40)
    number = (await to_question(shown, made[0]))["round"]
    markup = await made[0].answer(number, "<img src=x onerror=alert(1)>")
    assert markup[0] == 422 and "text/plain" in markup[1] and "nosniff" in markup[1] and "<" not in markup[2], markup
    replies = await asyncio.gather(*(student.answer(number, "4") for student in made))
    assert {reply[0] for reply in replies} == {200}, replies
    await reveal(shown, made[0])
    for student in made:
        await student.until(lambda frame: frame["state"] == "shown")
    print(f"      the last of 40 pages had it {max(s.times[-1] for s in made) - shown.revealed:.2f} s after the key")
    seen = await flooding
    may = 3000 + 200 * (time.monotonic() - began)  # if the machine is too slow to exceed this, nothing is refused
    assert set(seen) == ({200, 429} if FLOOD > may else {200} | set(seen) & {429}) and seen[200] < may, seen
    print(f"      of {FLOOD} requests: {seen}, {time.monotonic() - began:.1f} s")
    assert sum(not has_ended(end) for end in held) <= 700
    ended = select.poll()
    for end in held:
        ended.register(end, select.POLLIN)  # also reports that the server closed the connection
    while held and time.monotonic() - began < 40:
        for end in held:
            try:
                end.send(b"x")
            except OSError:
                pass
        # Sends at most two bytes per second: these requests must be slow.
        over = {event[0] for event in await asyncio.get_running_loop().run_in_executor(None, ended.poll, 500)}
        for end in [end for end in held if end.fileno() in over and has_ended(end)]:
            ended.unregister(end)
            held.remove(end)
    took = time.monotonic() - began
    assert not held, "some unfinished requests were not ended"
    assert took > 15, took


async def present(test, *options, wall=None):
    shown = Presentation(PROGRAM, "xor", *options, wall=wall)
    reading = asyncio.create_task(pump(shown))
    try:
        await asyncio.wait_for(test(shown), 90)
        assert shown.process.poll() is None, "the presentation ended"
    finally:
        reading.cancel()
        shown.end()


async def test_collect():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "answers.jsonl")

        async def one(shown):
            ada, bob = await students(shown, 2)
            number = (await to_question(shown, ada))["round"]
            await ada.answer(number, "4")
            await bob.answer(number, "own")
            await reveal(shown, ada)

        await present(one, "--collect", path)
        with open(path, encoding="utf-8") as file:
            (line,) = [json.loads(line) for line in file]
        assert line == {"lesson": "xor", "beat": line["beat"], "round": 1, "present": 2, "right": "4", "answers": [
            {"student": 1, "right": True, "answer": "4"}, {"student": 2, "right": False, "answer": "own"}]}, line
        assert line["beat"]


async def test_port_in_use():
    async def one(shown):
        master, slave = pty.openpty()  # without a terminal the program would fail for another reason
        done = subprocess.run([PROGRAM, "lesson", "xor", "--present", "--serve", str(shown.port)], stdin=slave, stdout=slave,
                              stderr=subprocess.PIPE, check=False, timeout=30,
                              env=dict(os.environ, TERM="xterm", LANGUAGE="en", LC_ALL="C"))
        os.close(slave)
        os.close(master)
        assert done.returncode == 2, done
        assert done.stderr.decode() == (
            f"shflviz: lesson: --serve: cannot listen on 127.0.0.1, port {shown.port}: Address already in use\n"
            "  try: another port, or 0 for any free port\n"), done.stderr
    await present(one)


async def main():
    failed = 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, HARD), HARD))
    shown_tests = [test_a_question, test_who_may_what, test_streams_of_one_student, test_guesses_run_out,
                   test_guesses_of_many_addresses, test_host, test_votes, test_all_of_one_address, test_hostile,
                   test_one_address_takes_all]
    for test in shown_tests + [test_collect, test_proxy, test_port_in_use]:
        try:
            await (present(test) if test in shown_tests else test())
            print(f"ok    {test.__name__}")
        except Exception:  # noqa: BLE001 - reported below, and the others still run
            failed += 1
            print(f"WRONG {test.__name__}")
            traceback.print_exc()
    return failed


skip_unless_built(PROGRAM)
sys.exit(1 if asyncio.run(main()) else 0)
