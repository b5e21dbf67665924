"""A presentation that serves a class on its own terminal, and its students, for the tests in this folder."""
import asyncio
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time


def skip_unless_built(program):
    """Exits with 77, which ctest counts as skipped, if the program was built without libmicrohttpd."""
    said = subprocess.run([program, "doctor"], capture_output=True, check=False,
                          env=dict(os.environ, LANGUAGE="en", LC_ALL="C")).stdout.decode()
    if "only if shflviz is built with libmicrohttpd" in said:
        print("built without libmicrohttpd: skipped")
        sys.exit(77)


class Presentation:
    """Runs shflviz lesson NAME --present --serve on a pseudo-terminal, types keys, and keeps the output."""

    def __init__(self, program, lesson, *options, serve="0", rows=40, columns=120, wall=None):
        self.folder = tempfile.TemporaryDirectory()
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", LANGUAGE="en", NO_COLOR="1",
                           HOME=self.folder.name, XDG_RUNTIME_DIR=self.folder.name, XDG_STATE_HOME=self.folder.name)
        self.process = subprocess.Popen(
            [program, "lesson", lesson, "--present", "--serve", serve, "--background", "dark", "--lang", "en", *options],
            stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=environment, start_new_session=True)
        os.close(slave)
        self.master = master
        self.written = b""
        found = self.wait_for(wall or rb"http://([0-9.]+):([0-9]+)/([a-z0-9]{5})/")
        self.code = found[3].decode()
        self.host, self.port = ("127.0.0.1", self.listens()) if wall else (found[1].decode(), int(found[2]))

    def listens(self):
        """The port that the program listens on, for when the screen shows a proxy's port."""
        mine = {os.readlink(entry.path) for entry in os.scandir(f"/proc/{self.process.pid}/fd")}
        with open("/proc/net/tcp", encoding="ascii") as sockets:
            for fields in (line.split() for line in sockets):
                if fields[3] == "0A" and f"socket:[{fields[9]}]" in mine:
                    return int(fields[1].split(":")[1], 16)
        raise AssertionError("it listens nowhere")

    def read(self, seconds=0.0):
        while select.select([self.master], [], [], seconds)[0]:
            try:
                part = os.read(self.master, 65536)
            except OSError:
                return
            if not part:
                return
            self.written += part
            seconds = 0.0

    def wait_for(self, pattern, seconds=20.0, begin=0):
        """Waits until the output from `begin` on matches the pattern; returns the match."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.written[begin:])
            if found:
                return found
            self.read(0.05)
        raise AssertionError(f"the terminal never showed {pattern!r}: {self.written[-2000:]!r}")

    def key(self, keys):
        os.write(self.master, keys.encode())
        self.read(0.05)

    def look(self):
        """The whole screen, redrawn: the result of all keys so far."""
        begin = len(self.written)
        self.key("\x0c")
        return self.wait_for(rb"(?s)\x1b\[2J.*@( returns here|: how|: the answers)", begin=begin)[0]

    def to_question(self, asked):
        """Continues to the open question, and not one key further: in a question that asks for lanes to be
        marked, Space would mark one."""
        for _ in range(12):
            if asked in self.look():
                return
            self.key(" ")
        raise AssertionError(f"the terminal never asked {asked!r}")

    def reveal(self):
        """Shows the answer to the open question: presses Escape, and again when the terminal asks for
        confirmation."""
        begin = len(self.written)
        self.key("\x1b")
        self.wait_for(b"once more shows", begin=begin)
        self.revealed = time.monotonic()
        self.key("\x1b")

    def memory(self):
        """The program's peak memory so far, in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmHWM:\s*(\d+)", status.read())[1])

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            end = time.monotonic() + 20
            while self.process.poll() is None and time.monotonic() < end:
                self.read(0.05)
        assert self.process.poll() is not None, "it does not end"
        os.close(self.master)
        self.process.stderr.close()
        self.folder.cleanup()


class Student:
    """A student's page: its cookie, its stream of events, its answers."""

    def __init__(self, host, port, code, local=None, headers=""):
        self.host, self.port, self.code = host, port, code
        self.local = local and (local, 0)  # the student's own address
        self.headers = headers
        self.cookie = None
        self.frames, self.times, self.own = [], [], None
        self.news = asyncio.Event()

    async def ask(self, method, path, body=b"", cookie=True):
        reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=self.local)
        name = "" if "Host: " in self.headers else f"Host: {self.host}\r\n"
        head = f"{method} {path} HTTP/1.1\r\n{name}{self.headers}Connection: close\r\nContent-Length: {len(body)}\r\n"
        if cookie and self.cookie:
            head += f"Cookie: shflviz={self.cookie}\r\n"
        writer.write(head.encode() + b"\r\n" + body)
        reply = await asyncio.wait_for(reader.read(), 20)
        writer.close()
        head, _, rest = reply.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), rest.decode()

    async def join(self):
        status, head, page = await self.ask("GET", f"/{self.code}/")
        assert status == 200, head
        self.page_size = len(page.encode())
        found = re.search(r"(?i)set-cookie: shflviz=([0-9a-f]{32}); HttpOnly; SameSite=Strict", head)
        if found:
            self.cookie = found[1]
        return head

    async def follow(self):
        """Reads events until the connection ends."""
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20, local_addr=self.local)
        self.writer.write(f"GET /{self.code}/events HTTP/1.1\r\nHost: h\r\n{self.headers}Cookie: shflviz={self.cookie}\r\n\r\n".encode())
        kind = None
        while True:
            line = await self.reader.readline()
            if not line:
                return
            if line.startswith(b"event: "):
                kind = line[7:].strip()
            elif line.startswith(b"data: "):
                self.take(kind, json.loads(line[6:].strip()))

    def take(self, kind, data):
        if kind == b"own":
            self.own = data
        elif kind == b"frame":
            self.frames.append(data)
            self.times.append(time.monotonic())
            self.news.set()

    async def until(self, wanted, seconds=10):
        """Waits until the newest frame meets the condition; returns that frame."""
        end = time.monotonic() + seconds
        while not (self.frames and wanted(self.frames[-1])):
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), max(0.01, end - time.monotonic()))
        return self.frames[-1]

    async def answer(self, number, typed):
        return await self.ask("POST", f"/{self.code}/answer", f"{number}\n{typed}".encode())
