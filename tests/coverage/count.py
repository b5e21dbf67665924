"""Adds up what gcov says of build-coverage: lines and branches that ran, of each folder of src/ and of kernels/."""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path.cwd()
BUILD = ROOT / "build-coverage"


def counts_of(note):
    """What gcov knows of one object file: [(file, line, runs, runs of each branch), ...]."""
    said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", str(note)],
                          cwd=BUILD, capture_output=True, check=False).stdout
    found = []
    for document in said.splitlines():
        for file in json.loads(document)["files"]:
            path = os.path.relpath(os.path.join(BUILD, file["file"]), ROOT)
            if path.startswith(("src/", "kernels/")):
                for line in file["lines"]:
                    branches = [branch["count"] for branch in line["branches"] if not branch["throw"]]
                    found.append((path, line["line_number"], line["count"], branches))
    return found


def gather():
    """{file: {line: [runs, runs of each branch]}}; a file that is compiled more than once ran where one of them did."""
    files = collections.defaultdict(dict)
    notes = [note for note in BUILD.rglob("*.gcno") if "/tests/" not in str(note.relative_to(BUILD.parent))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counts_of, notes):
            for path, number, runs, branches in found:
                line = files[path].setdefault(number, [0, []])
                line[0] += runs
                if len(branches) == len(line[1]):
                    line[1] = [a + b for a, b in zip(branches, line[1])]
                elif len(branches) > len(line[1]):
                    line[1] = branches
    return files


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:3] if parts[:2] == ["src", "device"] and len(parts) > 3 else parts[:-1][:2])


def share(ran, of):
    return f"{100 * ran / of:5.1f} %" if of else "      -"


def print_table(files):
    totals = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path, lines in files.items():
        for runs, branches in lines.values():
            for name in (folder_of(path), "all"):
                total = totals[name]
                total[0] += runs > 0
                total[1] += 1
                total[2] += sum(count > 0 for count in branches)
                total[3] += len(branches)
    print(f"{'folder':20} {'lines':>8} {'ran':>7}  {'branches':>8} {'ran':>7}")
    for name in sorted(totals, key=lambda name: (name == "all", name)):
        ran, of, taken, ways = totals[name]
        print(f"{name:20} {of:8} {share(ran, of)}  {ways:8} {share(taken, ways)}")


def print_missing(files, folder):
    for path in sorted(files):
        if path.startswith(folder):
            never = [number for number, (runs, _) in sorted(files[path].items()) if runs == 0]
            if never:
                print(f"{path}: {len(never)} of {len(files[path])} lines: {' '.join(map(str, never))}")


def main():
    files = gather()
    if not files:
        sys.exit("no counts in build-coverage; run tests/coverage/run")
    if sys.argv[1:2] == ["--missing"]:
        print_missing(files, sys.argv[2] if len(sys.argv) > 2 else "")
    else:
        print_table(files)


main()
