#!/usr/bin/env python3
"""check_ends.py SHFLVIZ - checks that, however `grade` ends, its judges and their programs end within two seconds."""
import os, signal, subprocess, sys, tempfile, time

ENDLESS = "__device__ int broadcast(int v) { volatile int on = 1; while (on) {} return v; }\n"


def wait_for(what, seconds):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


def descendants(root):
    """The ids of the processes below `root`."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                parents[int(name)] = int(stat.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    found, changed = {root}, True
    while changed:
        more = {child for child, parent in parents.items() if parent in found} - found
        changed = bool(more)
        found |= more
    return found - {root}


def runs(process, folder):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as words:
            return folder.encode() in words.read()
    except OSError:
        return False


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def main():
    shflviz, failed = sys.argv[1], False
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(3):
                with open(f"{folder}/{i}.cu", "w") as file:
                    file.write(ENDLESS)
            grade = subprocess.Popen(
                [shflviz, "grade", folder, "--name", "broadcast", "--jobs", "2", "--time", "300"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env={**os.environ, "TMPDIR": folder})
            in_run = lambda: [p for p in descendants(grade.pid) if runs(p, folder + "/shflviz-")]
            begun = wait_for(lambda: len(in_run()) >= 2, 120)
            below = descendants(grade.pid)
            grade.send_signal(number)
            grade.wait()
            ended = wait_for(lambda: not any(map(is_alive, below)), 2)
            gone = wait_for(lambda: not [n for n in os.listdir(folder) if n.startswith("shflviz-")], 2)
            if not (begun and ended and gone):
                failed = True
                print(f"{number.name}: begun {bool(begun)}, all {len(below)} ended {ended}, folders gone {gone}")
    return failed


sys.exit(main())
