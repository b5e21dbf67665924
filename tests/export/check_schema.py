# check_schema.py PROGRAM SCHEMA OWN: whether recordings as JSON are as docs/recording.schema.json says.
# Status 77 where Python has no jsonschema. OWN is a folder of programs.
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema here")
    sys.exit(77)

program, schema_name, own = sys.argv[1:]
with open(schema_name) as file:
    schema = json.load(file)
Validator = getattr(jsonschema, "Draft202012Validator", None)
if Validator is None:
    print("skipped: jsonschema is older than draft 2020-12")
    sys.exit(77)
Validator.check_schema(schema)
validator = Validator(schema)
folder = tempfile.mkdtemp()


def document(*arguments):
    result = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if b"built with a sanitizer of its own" in result.stderr:
        return None
    assert result.stdout, (arguments, result.stderr)
    return json.loads(result.stdout)


def holds(document, where):
    if document is None:
        print("skipped: this build cannot record accesses to memory")
        return
    errors = list(validator.iter_errors(document))
    assert not errors, (where, [(list(e.absolute_path), e.message[:300]) for e in errors[:3]])
    assert document["steps"], where


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
    holds(document(*command, "--format", "json"), command)
for kind in "shared", "global":
    source = os.path.join(own, kind + ".cu")
    option = {"shared": "--memory-accesses", "global": "--global-accesses"}[kind]
    holds(document("run", source, option, "--format", "json"), source)

# The file that export writes is the same document.
subprocess.run([program, "export", "h200/xor", "-o", "x.json"], cwd=folder, check=True)
with open(os.path.join(folder, "x.json")) as file:
    assert json.load(file) == document("replay", "h200/xor", "--format", "json")

# An undefined lane has no `out`, and what the device returned beside it: 0-15 read 16-31.
undefined = document("xor", "--mask", "16", "--members", "0xffff", "--format", "json")
for lane in undefined["steps"][0]["lanes"]:
    absent = lane["lane"] >= 16
    assert lane["status"] == ("absent" if absent else "undefined")
    assert lane["out"] is None and (lane["observed"] is None) == absent

# The schema refuses what it is there to refuse.
broken = [
    lambda d: d.update(schema="shflviz/1"),
    lambda d: d["steps"][0]["lanes"][0].update(out=lane_value(d), out_bits="0x00000001"),
    lambda d: d["steps"][0]["lanes"][0].pop("observed"),
    lambda d: d["steps"][0]["lanes"].pop(),
    lambda d: d["steps"][0].update(members="0xff"),
    lambda d: d.update(extra=1),
]


def lane_value(document):
    return document["steps"][0]["lanes"][0]["observed"]


for number, change in enumerate(broken):
    copy = json.loads(json.dumps(undefined))
    change(copy)
    assert not validator.is_valid(copy), f"the schema takes broken document {number}"
print(f"{len(COMMANDS)} documents are as the schema says, {len(broken)} broken ones are not")
