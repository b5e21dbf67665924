# check_schema.py PROGRAM DOCS OWN: checks JSON output against the schemas DOCS/*.schema.json. OWN is a
# folder of programs. Exit status: 77 if Python has no jsonschema.
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema here")
    sys.exit(77)

program, docs, own = sys.argv[1:]
Validator = getattr(jsonschema, "Draft202012Validator", None)
if Validator is None:
    print("skipped: jsonschema is older than draft 2020-12")
    sys.exit(77)


def text_of(name):
    with open(os.path.join(docs, name + ".schema.json")) as file:
        return file.read()


def validator_of(name):
    """A validator for the schema `name`, with its references to other schemas resolved."""
    text = text_of(name)
    Validator.check_schema(json.loads(text))
    whole = json.loads(re.sub(r'"[a-z]+\.schema\.json#', '"#', text))
    for other in ("recording", "check"):
        whole["$defs"] = {**json.loads(re.sub(r'"[a-z]+\.schema\.json#', '"#', text_of(other)))["$defs"],
                          **whole.get("$defs", {})}
    return Validator(whole)


validators = {name: validator_of(name) for name in ("recording", "jsonl", "check", "exercise", "which", "doctor")}
validator = validators["recording"]
folder = tempfile.mkdtemp()
os.environ["SOURCE_DATE_EPOCH"] = "0"  # otherwise two runs would have different dates


def written(*arguments):
    result = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if b"itself built with a sanitizer" in result.stderr:
        return None
    assert result.stdout, (arguments, result.stderr)
    return result.stdout.decode()


def document(*arguments):
    text = written(*arguments)
    return text if text is None else json.loads(text)


def is_as(name, document, where):
    errors = list(validators[name].iter_errors(document))
    assert not errors, (where, [(list(e.absolute_path), e.message[:300]) for e in errors[:3]])


def holds(document, where):
    if document is None:
        print("skipped: this build cannot record accesses to memory")
        return
    is_as("recording", document, where)
    assert document["steps"], where


def lines_hold(command, whole):
    """The same as lines: the first line, the steps and the last line together are equal to the one object."""
    lines = [json.loads(line) for line in written(*command, "--format", "jsonl").splitlines()]
    for line in lines:
        is_as("jsonl", line, command)
    assert whole == {**lines[0], "steps": lines[1:-1], **lines[-1]}, command


KERNELS = """votes match-any match-all reduce-sync reduce-shared-sum lane-ids partial-sum activemask
             divergent-full-mask bitonic-sort grid-reduce-half""".split()
COMMANDS = [
    ["xor", "--mask", "3", "--width", "16"], ["xor", "--mask", "16", "--members", "0xffff"],
    ["xor", "--mask", "1", "--type", "half2", "--in", "random:3"],
    ["up", "--delta", "lane % 3", "--width", "8"],
    ["down", "--delta", "1", "--type", "double"], ["xor", "--mask", "1", "--width", "12", "--undefined"],
    ["idx", "--src", "5", "--threads", "40"], ["replay", "h200/xor"],
    *(["kernel", name] for name in KERNELS),
]
for command in COMMANDS:
    whole = document(*command, "--format", "json")
    holds(whole, command)
    lines_hold(command, whole)
for kind in "shared", "global":
    source = os.path.join(own, {"shared": "language", "global": "runtime"}[kind], kind + ".cu")
    option = {"shared": "--memory-accesses", "global": "--global-accesses"}[kind]
    holds(document("run", source, option, "--format", "json"), source)

# Registers of tensor-core instructions, each at the position of its value. In the first kernel of
# ptx_matrix.cu, the elements of a matrix are numbered row by row: element i of A is 5 * i modulo 13,
# minus 6; element i of B is 7 * i modulo 11.
source = os.path.join(own, "ptx", "ptx_matrix.cu")
whole = document("run", source, "--format", "json")
holds(whole, source)
kept = [step["registers"] for step in whole["steps"] if "registers" in step]
product = next(r for r in kept if r["instruction"] == "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
at = {f["name"]: {(e["row"], e["column"]): e["value"] for e in f["elements"]} for f in product["fragments"]}
assert [len(at[name]) for name in "ABCD"] == [256, 128, 128, 128]
A = lambda row, k: (row * 16 + k) * 5 % 13 - 6
B = lambda k, column: (k * 8 + column) * 7 % 11
for (row, column), d in at["D"].items():
    assert d == at["C"][row, column] + sum(A(row, k) * B(k, column) for k in range(16)), (row, column)
assert all(value == A(*place) for place, value in at["A"].items())
assert all(value == B(*place) for place, value in at["B"].items())
loads = [r for r in kept if r["instruction"].startswith("ldmatrix.sync.aligned.m8n8.x4")]
rows = loads[0]["addresses"]  # left[lane % 16][lane / 16 * 8], with 16 halves per row
assert [row - rows[0] for row in rows] == [lane % 16 * 32 + lane // 16 * 16 for lane in range(32)]
stored = next(r for r in kept if r["instruction"] == "stmatrix.sync.aligned.m8n8.x1.shared.b16")
assert [row is None for row in stored["addresses"]] == [lane >= 8 for lane in range(32)]

# The file that export writes is the same document.
subprocess.run([program, "export", "h200/xor", "-o", "x.json"], cwd=folder, check=True)
with open(os.path.join(folder, "x.json")) as file:
    assert json.load(file) == document("replay", "h200/xor", "--format", "json")

# A lane whose result is undefined has no `out`; the value that the device returned is in another
# field. Lanes 0-15 read lanes 16-31.
undefined = document("xor", "--mask", "16", "--members", "0xffff", "--format", "json")
for lane in undefined["steps"][0]["lanes"]:
    absent = lane["lane"] >= 16
    assert lane["status"] == ("absent" if absent else "undefined")
    assert lane["out"] is None and (lane["observed"] is None) == absent

# A program that prints has its output in the last line.
prints = ["run", os.path.join(own, "runtime", "printing.cu")]
whole = document(*prints, "--format", "json")
assert whole["output"] and whole["output_cut"] == 0
lines_hold(prints, whole)

# Findings of check, in a recording and in programs: the rule, and null as `other` if no other access
# is involved.
clean = document("check", "h200/xor", "--format", "json")
is_as("check", clean, "h200/xor")
assert clean["findings"] == [] and clean["complete"]
SOURCES = {
    "race": """__shared__ int cell;
__global__ void kernel(int *out) {
    if (threadIdx.x == 0 || threadIdx.x == 32)
        cell = (int)threadIdx.x;
    __syncthreads();
    *out = cell;
}
int main() {
    int *out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
""",
    "mask": """#include <cstdio>
__global__ void kernel() {
    if (threadIdx.x < 16)
        printf("%d ", __shfl_xor_sync(0xffffu, (int)threadIdx.x, 16));
}
int main() {
    kernel<<<1, 32>>>();
    return cudaDeviceSynchronize();
}
""",
    "hangs": """__global__ void kernel() {
    if (threadIdx.x < 16)
        __syncwarp(0xffffffffu);
    else
        __syncwarp(0x0000ffffu << 16 | 1);
}
int main() {
    kernel<<<1, 32>>>();
    return cudaDeviceSynchronize();
}
""",
    "crash": "#include <cstdlib>\nint main() { abort(); }\n",
}
RULES = {"race": ("shared_race", False), "mask": ("source_lane_not_in_mask", True), "hangs": ("deadlock", True),
         "crash": None}
with open(program, "rb") as file:
    if b"__asan_init" in file.read():
        print("skipped: a program that has AddressSanitizer does not see accesses to memory")
        RULES["race"] = None
for name, source in SOURCES.items():
    path = os.path.join(folder, name + ".cu")
    with open(path, "w") as file:
        file.write(source)
    report = document("check", path, "--format", "json")
    if report is None:
        continue
    is_as("check", report, name)
    rules = {(finding["rule"], finding["other"] is None) for finding in report["findings"]}
    assert RULES[name] is None or RULES[name] in rules, (name, rules)
    assert report["complete"] == (name != "crash"), name

# An exercise with a right answer, a wrong one, none, and one that does not compile.
ANSWERS = {"broadcast": "__device__ int broadcast(int v) { return __shfl_sync(~0u, v, 5); }",
           "rotate": "__device__ int rotate(int v) { return v; }", "reverse": "nonsense", "none": "int a;"}
os.mkdir(os.path.join(folder, "answers"))
for name, source in ANSWERS.items():
    with open(os.path.join(folder, "answers", name + ".cu"), "w") as file:
        file.write(source)
grades = document("grade", "answers", "--format", "json")
for grade in grades or []:
    is_as("exercise", grade, grade)
if grades is not None:
    verdicts = {grade["exercise"]: grade["verdict"] for grade in grades}
    assert verdicts == {"broadcast": "passed", "none": "unfinished", "reverse": "not_compiled", "rotate": "wrong"}, verdicts
    assert document("exercise", "check", "answers/rotate.cu", "--seed", str(grades[-1]["seed"]), "--format", "json")["wrong"] == grades[-1]["wrong"]

# Calls with the requested effect, and one with nearly that effect; doctor's report.
QUESTIONS = {("0<3", "--width", "4"): False, ("5<12, 6<13",): False, ("0<1, 1<0, 2<0",): True}
for asked, is_near in QUESTIONS.items():
    answer = document("which", *asked, "--format", "json")
    is_as("which", answer, asked)
    assert answer["calls"] and (answer["nearest"] is not None) == is_near, asked
is_as("doctor", document("doctor", "--format", "json"), "doctor")

# The schema refuses invalid documents.


def broken(name, document, *changes):
    """Checks that each change makes the document invalid according to the schema `name`."""
    for number, change in enumerate(changes):
        copy = json.loads(json.dumps(document))
        change(copy)
        assert not validators[name].is_valid(copy), f"{name}: the schema accepts broken document {number}"
    return len(changes)


def lane_value(document):
    return document["steps"][0]["lanes"][0]["observed"]


count = broken(
    "recording", undefined,
    lambda d: d.update(schema="shflviz/1"),
    lambda d: d["steps"][0]["lanes"][0].update(out=lane_value(d), out_bits="0x00000001"),
    lambda d: d["steps"][0]["lanes"][0].pop("observed"),
    lambda d: d["steps"][0]["lanes"].pop(),
    lambda d: d["steps"][0].update(members="0xff"),
    lambda d: d.update(extra=1))
count += broken("jsonl", {"findings": [], "dropped": 0, "complete": True},
                lambda d: d.pop("complete"), lambda d: d.update(output=[]), lambda d: d.update(steps=[]))
count += broken("check", clean, lambda d: d.pop("launch"), lambda d: d.update(steps=[]),
                lambda d: d["findings"].append({"rule": "deadlock"}))
for grade in (grades or [])[-1:]:
    count += broken("exercise", grade, lambda d: d.update(wrong=None), lambda d: d.update(verdict="good"))
count += broken("which", document("which", "0<3", "--format", "json"),
                lambda d: d["calls"][0].update(arg=None), lambda d: d["calls"][0]["sources"].pop())
print(f"{len(COMMANDS)} recordings and all other JSON output conform to the schemas, {count} broken documents do not")
