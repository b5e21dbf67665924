#!/usr/bin/env python3
"""tests/soak/signals.py SHFLVIZ [ROUNDS]: sends signals to all commands at random moments; to be run by hand.

Each command is started, gets one of the signals after a while, and must end within ten seconds, by that signal or with an
exit status; none of its processes and no temporary file may be left. Prints failures and the number of signals."""
import glob
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, ROUNDS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE]
KERNEL = """__global__ void k(int *o) { int v = threadIdx.x; for (int i = 0; i < 2000; i++) v += __shfl_xor_sync(~0u, v, 1); o[threadIdx.x] = v; }
int main() { int *o; cudaMalloc(&o, 4096); for (int i = 0; i < 50; i++) k<<<1, 1024>>>(o); cudaDeviceSynchronize(); }
"""
COMMANDS = [line.split() for line in """xor --mask 3 --format json
kernel allreduce --threads 1024 --blocks 20 -o r.svt
run p.cu -o r.svt
run p.cu --sandbox
check p.cu
replay big.svt --format csv
replay big.svt --overview --format text
diff big.svt big.svt
export big.svt -o x.csv
export course -o c.md
exercise check s.cu --name warp-sum-down
grade handed-in --name warp-sum-down --jobs 2
lesson xor --format text
quiz big.svt
which 5<12
doctor
bench cpu""".splitlines()]


def processes(session):
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if f"SOAK={session}".encode() in file.read():
                    found.append(path.split("/")[2])
        except OSError:
            pass
    return found


def try_one(folder, words, number, after, session):
    environment = dict(os.environ, SOAK=session, TMPDIR=f"{folder}/tmp", LANGUAGE="en", LC_ALL="C.UTF-8")
    child = subprocess.Popen([PROGRAM, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, env=environment, start_new_session=True)
    time.sleep(after)
    child.send_signal(number)
    try:
        status = child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        return "it did not end"
    if status < 0 and -status != number:
        return f"it ended by signal {-status}"
    end = time.monotonic() + 3  # its processes may still be ending
    while (processes(session) or os.listdir(f"{folder}/tmp")) and time.monotonic() < end:
        time.sleep(0.05)
    left = processes(session)
    files = os.listdir(f"{folder}/tmp") + glob.glob(f"{folder}/x.csv.*") + glob.glob(f"{folder}/c.md.*")
    return f"left: processes {left}, files {files}" if left or files else ""


def main():
    for number in SIGNALS:  # a shell's & and nohup ignore them, and the commands would inherit that
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("tmp", "handed-in"):
            os.mkdir(f"{folder}/{name}")
        with open(f"{folder}/p.cu", "w", encoding="ascii") as file:
            file.write(KERNEL)
        solution = subprocess.run([PROGRAM, "exercise", "warp-sum-down", "--solution"], capture_output=True, check=True).stdout
        for name in ("s.cu", "handed-in/a.cu", "handed-in/b.cu"):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(solution)
        subprocess.run([PROGRAM, "kernel", "allreduce", "--threads", "1024", "--blocks", "20", "-o", "big.svt"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
        for words in COMMANDS:  # precompiles the headers, which otherwise happens in the background
            if words[0] in ("run", "check", "exercise", "grade"):
                subprocess.run([PROGRAM, *words], cwd=folder, env=dict(os.environ, SOAK="warm"), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        while processes("warm"):
            time.sleep(0.5)
        for i in range(ROUNDS):
            for words in COMMANDS:
                for number in SIGNALS:
                    count += 1
                    after = random.choice([0.002, 0.01, 0.03, 0.1, 0.3, 0.8])
                    said = try_one(folder, words, number, after, f"{os.getpid()}-{count}")
                    if said:
                        wrong += 1
                        print(f"{' '.join(words)}: {number.name} after {after} s: {said}", flush=True)
    print(f"{count} signals, {wrong} wrong")
    return wrong != 0


sys.exit(main())
