# check_pipes.py PROGRAM: checks recordings that come from another process, as in `ssh HOST shflviz ...
# -o - | shflviz replay -`. Keys come from the terminal while standard input is the recording.
import fcntl
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

program = sys.argv[1]
folder = tempfile.mkdtemp()
quoted = "'" + program.replace("'", "'\\''") + "'"
environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8", LC_ALL="C.UTF-8", LANGUAGE="",
                   XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder)
WAIT = 60


class Terminal:
    """Runs a shell line in a new terminal."""

    def __init__(self, line):
        self.screen = b""
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execve("/bin/sh", ["sh", "-c", line], environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        try:
            piece = os.read(self.master, 65536) if ready else None
        except OSError:
            piece = b""  # the other end is closed
        self.screen += piece or b""
        return piece

    def expect(self, text):
        end = time.monotonic() + WAIT
        while text.encode() not in self.screen:
            assert time.monotonic() < end, f"{text!r} never came:\n{self.plain()}"
            assert self.read(1) != b"", f"ended without {text!r}:\n{self.plain()}"

    def type(self, keys):
        self.screen = b""
        os.write(self.master, keys.encode())

    def plain(self):
        return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][B0]?", b" ", self.screen).decode("utf-8", "replace")

    def finish(self):
        end = time.monotonic() + WAIT
        while self.read(1) != b"":
            assert time.monotonic() < end, f"does not end:\n{self.plain()}"
        _, status = os.waitpid(self.process, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)


def check_keys_from_terminal():
    saved = f"{quoted} down --delta 5 --width 8 -o - | {quoted} replay -; echo ended $?; stty -a"
    terminal = Terminal(saved)
    terminal.expect("delta 5")
    terminal.type("\x1b[C\x1b[C")  # two phases on: the first in which lanes out of range are shown
    terminal.expect("own")
    terminal.type("q")
    terminal.expect("ended 0")
    status = terminal.finish()
    text = terminal.plain()
    assert status == 0 and " icanon" in text and " echo " in text, text
    print("replay - takes keys from the terminal and restores its modes")


def check_without_terminal():
    line = f"{quoted} xor --mask 3 -o - | {quoted} replay - | head -n 1"
    result = subprocess.run(["sh", "-c", line], env=environment, stdout=subprocess.PIPE, text=True,
                            stdin=subprocess.DEVNULL, start_new_session=True, check=True)
    assert result.stdout.startswith("xor  laneMask 3"), result.stdout
    print("without a terminal, replay - prints text")


def check_truncated():
    """The connection breaks: wherever the cut is, the part received is opened, or refused with a
    message."""
    whole = subprocess.run([program, "kernel", "reduce-xor-sum", "-o", "-"], env=environment,
                           stdout=subprocess.PIPE, check=True).stdout
    told = 0
    for size in [0, 1, 8, *range(64, len(whole), 509), len(whole) - 1]:
        result = subprocess.run([program, "replay", "-", "--format", "csv"], env=environment,
                                input=whole[:size], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert result.returncode in (0, 2), (size, result)
        if result.returncode == 2:
            assert b"standard input" in result.stderr, (size, result.stderr)
            told += 1
        else:  # opened up to its last complete step, with a message
            assert result.stderr, size
    assert told > 3
    print(f"{told} cut streams are refused, with a message that names standard input")


def check_reader_gone():
    """The reader exits: the sender ends without a message, as programs in pipes do."""
    sender = subprocess.Popen([program, "xor", "--mask", "3", "--blocks", "20000", "-o", "-"],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
    sender.stdout.read(1)
    sender.stdout.close()
    words = sender.stderr.read()
    assert sender.wait(WAIT) in (-signal.SIGPIPE, 128 + signal.SIGPIPE) and words == b"", words
    print("when the reader exits, the sender ends without a message")


def check_program_prints():
    with open(os.path.join(folder, "p.cu"), "w") as file:
        file.write('#include <cstdio>\n__global__ void k() { __shfl_xor_sync(~0u, threadIdx.x, 3); '
                   'printf("from the kernel\\n"); }\n'
                   'int main() { puts("from the host"); k<<<1, 32>>>(); cudaDeviceSynchronize(); }\n')
    line = f"{quoted} run p.cu -o - 2>words | {quoted} replay - --format csv | wc -l"
    result = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, check=True, text=True,
                            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    with open(os.path.join(folder, "words")) as file:
        words = file.read()
    assert result.stdout.strip() == "33", (result.stdout, words)
    assert "from the host" in words and words.count("from the kernel") == 32, words
    print("a program's output stays out of the stream")


def check_others():
    line = (f"{quoted} xor --mask 3 -o a; {quoted} xor --mask 3 -o - | {quoted} diff a - >/dev/null && "
            f"{quoted} xor --mask 1 -o - | {quoted} check - && {quoted} xor --mask 1 -o - | "
            f"{quoted} export - -o f.svg")
    result = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, text=True,
                            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    assert result.returncode == 0 and os.path.getsize(os.path.join(folder, "f.svg")) > 1000, result
    nothing = subprocess.run([program, "replay", "-"], env=environment, text=True,
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert nothing.returncode == 2 and "nothing arrived" in nothing.stderr, nothing
    words = subprocess.run([program, "replay", "-"], env=environment, text=True,
                           input="Welcome to lab!\n", stderr=subprocess.PIPE)
    assert words.returncode == 2 and "Welcome to lab!" in words.stderr, words
    both = subprocess.run([program, "diff", "-", "-"], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert both.returncode == 2 and "standard input" in both.stderr, both
    print("diff, check and export read a stream, too")


check_keys_from_terminal()
check_without_terminal()
check_truncated()
check_reader_gone()
check_program_prints()
check_others()
