"""Runs the tests of a build folder, as ctest knows them, one at a time: to count the lines that each reaches, and to
find which of them notice a change."""
import collections
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

Test = collections.namedtuple("Test", "name command folder environment timeout skip labels alone")


def tests_of(build):
    """All tests of a build folder, in ctest's order."""
    said = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, check=True).stdout
    found = []
    for test in json.loads(said)["tests"]:
        known = {each["name"]: each["value"] for each in test["properties"]}
        found.append(Test(test["name"], test["command"], known.get("WORKING_DIRECTORY", str(build)),
                          dict(each.split("=", 1) for each in known.get("ENVIRONMENT", [])),
                          known.get("TIMEOUT", 1500), known.get("SKIP_RETURN_CODE"), known.get("LABELS", []),
                          known.get("RUN_SERIAL", False)))
    return found


# Tests that consist of many programs or cases and take a minute in total.
LONG = re.compile("^(device_programs_own|check_(wrong|right)|cli_(own|build|memory|check|exercise|lessons|faults))$")


def pieces_of(tests):
    """The same tests, with each program or case of a long one as a separate test, named TEST:PIECE."""
    for test in tests:
        if not LONG.match(test.name):
            yield test
        elif test.name.startswith(("device_", "check_")):  # sh SCRIPT SHFLVIZ FOLDER OPTIONS...
            for path in sorted(pathlib.Path(test.command[3]).glob("*.cu")):
                yield test._replace(name=f"{test.name}:{path.name}", command=[*test.command, path.name])
        elif test.name == "cli_faults":
            paths = subprocess.run(test.command[:1], capture_output=True, check=True, text=True).stdout
            for path in paths.splitlines():
                yield test._replace(name=f"{test.name}:{path}", command=[*test.command, path])
        else:
            cases = pathlib.Path(test.command[1]).read_text()
            for case in re.findall("^== (.*)", cases, re.M):
                yield test._replace(name=f"{test.name}:{case}", command=[*test.command, case])


def limits(memory):
    def apply():
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores SIGHUP, and children inherit that
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    return apply


def run_test(test, environment=None, timeout=None, memory=0, output=subprocess.DEVNULL):
    """Returns ("passed", "failed", "skipped" or "late", seconds); kills all processes that the test started."""
    began = time.monotonic()
    child = subprocess.Popen(test.command, cwd=test.folder, env={**os.environ, **test.environment, **(environment or {})},
                             stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                             preexec_fn=limits(memory))
    try:
        status = child.wait(timeout or test.timeout)
        said = "passed" if status == 0 else "skipped" if status == test.skip else "failed"
    except subprocess.TimeoutExpired:
        said = "late"
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    return said, time.monotonic() - began
