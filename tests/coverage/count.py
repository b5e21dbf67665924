"""tests/coverage/count.py measure [--jobs N] [--tests REGEX] | show | missing FOLDER | ways FOLDER

measure runs the tests of build-coverage, each with separate counters, and stores the lines that each test reached in
build-coverage/counted.json, from which tests/mutation/run chooses its tests. The other commands read that file.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build-coverage"
KEPT = BUILD / "counted.json"


def object_lines(document):
    """(file, line, runs, ways) for each line of src/ and kernels/ that was compiled into an object file."""
    for file in document["files"]:
        path = os.path.relpath(os.path.join(BUILD, file["file"]), ROOT)
        if path.startswith(("src/", "kernels/")):
            for line in file["lines"]:
                yield path, line["line_number"], line["count"], [way["count"] for way in line["branches"] if not way["throw"]]


def counts_under(folder):
    """{object: [(file, line, runs, ways), ...]} from the counts in that folder; the notes are in the build folder."""
    counts = [str(path.relative_to(folder)) for path in folder.rglob("*.gcda")]
    counts = [name for name in counts if name.startswith(("src/", "kernels/")) and (BUILD / name).with_suffix(".gcno").exists()]
    for name in counts:
        note = (folder / name).with_suffix(".gcno")
        if not note.exists():
            note.symlink_to((BUILD / name).with_suffix(".gcno"))
    if not counts:
        return {}
    said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *counts],
                          cwd=folder, capture_output=True, check=False).stdout
    return {document["data_file"]: list(object_lines(document)) for document in map(json.loads, said.splitlines())}


def measure_one(test):
    """Runs a test; returns its result, its time, and the counts of the lines that it reached."""
    (BUILD / "counts").mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(dir=BUILD / "counts"))
    # Sandboxed programs cannot write their counts, and their complaint would end up in output that a
    # test reads.
    said, seconds = programs.run_test(test, {"GCOV_PREFIX": str(folder), "GCOV_PREFIX_STRIP": str(len(BUILD.parts) - 1),
                                             "GCOV_ERROR_FILE": "/dev/null"})
    counted = counts_under(folder)
    shutil.rmtree(folder)
    return said, seconds, counted


def add(total, counted):
    """Adds an object's counts branch by branch; its notes never change, so the order of its lines is the same."""
    for name, lines in counted.items():
        known = total.setdefault(name, lines)
        if known is not lines:
            for i, (path, number, runs, ways) in enumerate(lines):
                before = known[i]
                known[i] = (path, number, before[2] + runs, [a + b for a, b in zip(before[3], ways)])


def measure(jobs, pattern):
    shutil.rmtree(BUILD / "counts", ignore_errors=True)
    for stale in BUILD.rglob("*.gcda"):
        stale.unlink()
    tests = [test for test in programs.pieces_of(programs.tests_of(BUILD)) if re.search(pattern, test.name)]
    total, reached, times, failed = {}, collections.defaultdict(lambda: collections.defaultdict(list)), {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for test, (said, seconds, counted) in zip(tests, pool.map(measure_one, tests)):
            print(f"{test.name}: {said}, {seconds:.1f} s", flush=True)
            times[test.name] = round(seconds, 2)
            if said not in ("passed", "skipped"):
                failed.append(test.name)
            add(total, counted)
            ran = {(path, number) for lines in counted.values() for path, number, runs, _ in lines if runs}
            for path, number in ran:
                reached[path].setdefault(number, []).append(test.name)
    add(total, counts_under(BUILD))  # the counts of processes that were started with another environment
    add(total, {str(note): lines for note, lines in never_run(total).items()})
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    KEPT.write_text(json.dumps({"commit": commit, "lines": merged(total), "reached": reached, "seconds": times}))
    if failed:
        print("not passed:", " ".join(failed))


def never_run(total):
    """The lines of objects that are linked into no test; all of them count as not run."""
    found = {}
    for note in BUILD.rglob("*.gcno"):
        name = str(note.relative_to(BUILD))
        if name.startswith(("src/", "kernels/")) and name[:-5] + ".gcda" not in total:
            said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", name], cwd=BUILD,
                                  capture_output=True, check=False).stdout
            for document in map(json.loads, said.splitlines()):
                found[name] = list(object_lines(document))
    return found


def merged(total):
    """{file: {line: [runs, [runs of each way]]}}; a line of a file that is compiled more than once counts as run if
    any of its objects ran it."""
    files = collections.defaultdict(dict)
    for lines in total.values():
        of_object = collections.defaultdict(lambda: [0, []])
        for path, number, runs, ways in lines:  # a line may belong to several functions, as in a template
            line = of_object[path, number]
            line[0] += runs
            line[1] = line[1] + ways
        for (path, number), (runs, ways) in of_object.items():
            line = files[path].setdefault(number, [0, []])
            line[0] += runs
            if len(ways) == len(line[1]):
                line[1] = [a + b for a, b in zip(ways, line[1])]
            elif len(ways) > len(line[1]):
                line[1] = ways
    return files


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:3] if parts[:2] == ["src", "device"] and len(parts) > 3 else parts[:-1][:2])


def share(ran, of):
    return f"{100 * ran / of:5.1f} %" if of else "      -"


def show(files):
    totals = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path, lines in files.items():
        for runs, ways in lines.values():
            for name in (folder_of(path), "all"):
                total = totals[name]
                total[0] += runs > 0
                total[1] += 1
                total[2] += sum(count > 0 for count in ways)
                total[3] += len(ways)
    print(f"{'folder':20} {'lines':>8} {'ran':>7}  {'branches':>8} {'ran':>7}")
    for name in sorted(totals, key=lambda name: (name == "all", name)):
        ran, of, taken, ways = totals[name]
        print(f"{name:20} {of:8} {share(ran, of)}  {ways:8} {share(taken, ways)}")


def missing(files, folder, of_ways):
    """Prints the lines that no test runs; with `of_ways`, those that run but never take one of their branches."""
    for path in sorted(files):
        lines = {int(number): line for number, line in files[path].items()}
        never = [number for number, (runs, ways) in sorted(lines.items())
                 if (runs and not all(ways) if of_ways else not runs)]
        if path.startswith(folder) and never:
            print(f"{path}: {len(never)} of {len(lines)} lines: {' '.join(map(str, never))}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["measure", "show", "missing", "ways"])
    parser.add_argument("folder", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tests", default="^(?!project_[^c])")
    arguments = parser.parse_args()
    if arguments.what == "measure":
        measure(arguments.jobs, arguments.tests)
    if not KEPT.exists():
        sys.exit("no counts in build-coverage; run tests/coverage/run")
    files = json.loads(KEPT.read_text())["lines"]
    if arguments.what in ("measure", "show"):
        show(files)
    else:
        missing(files, arguments.folder, arguments.what == "ways")


if __name__ == "__main__":
    main()
