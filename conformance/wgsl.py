#!/usr/bin/env python3
"""wgsl.py - compares WGSL's subgroup operations with the rows of make.py and prints a scorecard.

    wgsl.py --page >page.html   a page with the shaders and the rows: a browser with WebGPU runs it
    wgsl.py --run               runs them with Python's package wgpu
    wgsl.py --print             prints the shaders, one module per rule

WGSL has neither widths nor member masks. A row of width w is a subgroup of w lanes, and lanes outside
a mask pass a value that does not change the result. A workgroup has 32 invocations, so a row is tested
in eight subgroups of 4 lanes. Lanes that are out of range in CUDA are ignored: WGSL does not define their results.
"""
import json
import struct
import sys

import make

SHADER = """enable subgroups;
struct Row { argument: u32, value: array<u32, 32> }
@group(0) @binding(0) var<storage, read> rows: array<Row>;
@group(0) @binding(1) var<storage, read_write> out: array<array<u32, 33>>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) at: vec3u, @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_invocation_id) id: u32, @builtin(subgroup_size) size: u32) {
    let argument = rows[at.x].argument;
    let value = rows[at.x].value[lane];
    var got = 0u;
    %s
    out[at.x][lane] = got;
    if lane == 0u { out[at.x][32] = size; }
}
"""
FULL = make.FULL
LANES = list(range(32))
SIZES = (4, 8, 16, 32)


def broadcasts(name, count):
    """One case for each lane, because the lane has to be a constant in the shader."""
    return "switch argument { %s default: {} }" % " ".join(
        "case %du: { got = %s(value, %du); }" % (lane, name, lane) for lane in range(count))


def shuffles(op, arguments=range(32)):
    for name, width, argument, sources, in_range in make.shuffle_rows():
        if name == op and width in SIZES and argument in arguments and argument < width:
            yield [width, argument, LANES, sources, int(in_range, 16)]


def quads(op, arguments):
    """Quads are four neighbours in a subgroup of any size."""
    for _, argument, values, sources, lanes in filter(lambda row: row[0] == 4, shuffles(op, arguments)):
        for size in SIZES:
            yield [size, argument, values, sources, lanes]


def votes(kind):
    for mask, predicates, ballot, _, _ in make.vote_rows():
        mask, predicates, ballot = int(mask, 16), int(predicates, 16), int(ballot, 16)
        given = predicates & mask | (~mask if kind == "all" else 0)
        for size in SIZES:
            ones = (1 << size) - 1
            expected = []
            for lane in LANES:
                first = lane // size * size
                voted, members = ballot >> first & ones, mask >> first & ones
                expected.append({"ballot": voted, "all": int(voted == members), "any": int(voted != 0)}[kind])
            yield [size, 0, [given >> lane & 1 for lane in LANES], expected, FULL]


def reductions(op, kind):
    nothing = {"min": 0x7FFFFFFF if kind == "int" else FULL, "max": 0x80000000 if kind == "int" else 0,
               "and": FULL}.get(op, 0)
    for name, of, mask, values, _ in make.reduce_rows():
        if (name, of) == (op, kind):
            given = [value if lane in make.lanes_of(int(mask, 16)) else nothing for lane, value in enumerate(values)]
            for size in SIZES:
                yield [size, 0, given, [make.reduced(op, kind, given[lane // size * size:][:size]) for lane in LANES], FULL]


def order():
    """All rows assume this: the lanes of a subgroup are neighbours in the workgroup."""
    for size in SIZES:
        yield [size, 0, [0] * 32, [lane % size for lane in LANES], FULL]


def rules():
    """A rule is its name, the lanes' code, and its rows: the size of the subgroup, the argument,
    the lanes' values, the results, and the lanes whose results are defined."""
    yield "lanes in order", "got = id;", order()
    for name, op in (("subgroupShuffle", "idx"), ("subgroupShuffleXor", "xor"),
                     ("subgroupShuffleUp", "up"), ("subgroupShuffleDown", "down")):
        yield name, "got = %s(value, argument);" % name, shuffles(op)
    yield "subgroupBroadcast", broadcasts("subgroupBroadcast", 32), shuffles("idx")
    yield "subgroupBroadcastFirst", "got = subgroupBroadcastFirst(value);", shuffles("idx", [0])
    yield "quadBroadcast", broadcasts("quadBroadcast", 4), quads("idx", range(4))
    for name, mask in (("quadSwapX", 1), ("quadSwapY", 2), ("quadSwapDiagonal", 3)):
        yield name, "got = %s(value);" % name, quads("xor", [mask])
    yield "subgroupBallot", "got = subgroupBallot(value != 0u).x;", votes("ballot")
    yield "subgroupAll", "got = u32(subgroupAll(value != 0u));", votes("all")
    yield "subgroupAny", "got = u32(subgroupAny(value != 0u));", votes("any")
    for op in ("add", "min", "max", "and", "or", "xor"):
        name = "subgroup" + op.capitalize()
        yield name, "got = %s(value);" % name, reductions(op, "unsigned")
        if op in ("add", "min", "max"):
            yield name + " i32", "got = bitcast<u32>(%s(bitcast<i32>(value)));" % name, reductions(op, "int")


def tests():
    for name, body, rows in rules():
        yield name, SHADER % body, list(rows)


PAGE = """<!doctype html>
<meta charset="utf-8">
<title>running</title>
<h1>WGSL subgroup operations</h1>
<pre id="card"></pre>
<script>
'use strict';
const tests = TESTS;

/* Returns 33 words per row: what the lanes got, and the size of the subgroup. */
async function ask(device, shader, rows) {
  const words = new Uint32Array(rows.flatMap(([, argument, values]) => [argument, ...values]));
  const buffer = (size, usage) => device.createBuffer({ size, usage });
  const given = buffer(words.byteLength, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
  const out = buffer(words.byteLength, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
  const back = buffer(words.byteLength, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  device.queue.writeBuffer(given, 0, words);
  device.pushErrorScope('validation');
  const pipeline = device.createComputePipeline({
    layout: 'auto', compute: { module: device.createShaderModule({ code: shader }), entryPoint: 'main' } });
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message.split('\\n')[0]);
  const bindings = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [given, out].map(
    (buffer, binding) => ({ binding, resource: { buffer } })) });
  const commands = device.createCommandEncoder(), pass = commands.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  pass.dispatchWorkgroups(rows.length);
  pass.end();
  commands.copyBufferToBuffer(out, 0, back, 0, words.byteLength);
  device.queue.submit([commands.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  return new Uint32Array(back.getMappedRange().slice(0));
}

async function run(say) {
  const adapter = navigator.gpu && await navigator.gpu.requestAdapter();
  if (!adapter || !adapter.features.has('subgroups')) throw new Error('no WebGPU device with subgroups here');
  const device = await adapter.requestDevice({ requiredFeatures: ['subgroups'] });
  const probe = await ask(device, tests[0].shader, tests[0].rows.slice(0, 1)), size = probe[32];
  let failed = false;
  say(`${adapter.info.vendor} ${adapter.info.architecture} ${adapter.info.description}, subgroups of ${size}`);
  for (const { name, shader, rows } of tests) {
    const some = rows.filter(row => row[0] === size);
    let right = 0, first = '';
    try {
      const got = some.length ? await ask(device, shader, some) : [];
      some.forEach(([, argument, , expected, lanes], at) => {
        const mine = got.subarray(at * 33, at * 33 + 33);
        const wrong = expected.findIndex((value, lane) => lanes >>> lane & 1 && value !== mine[lane]);
        if (wrong < 0 && mine[32] === size) right++;
        else first ||= wrong < 0 ? `a subgroup of ${mine[32]}` :
          `argument ${argument}, lane ${wrong}: ${mine[wrong]} instead of ${expected[wrong]}`;
      });
    } catch (error) {
      first = error.message;
    }
    failed ||= right < some.length;
    say(name.padEnd(24) + (some.length ? `${right} of ${some.length}` : 'not asked') + (first && '  first: ' + first));
  }
  return failed;
}

run(line => { document.getElementById('card').textContent += line + '\\n'; }).then(
  failed => { document.title = failed ? 'failed' : 'passed'; },
  error => { document.getElementById('card').textContent += error.message + '\\n'; document.title = 'not run'; });
</script>
"""


def ask(wgpu, device, shader, rows):
    """Like ask() in the page."""
    words = [word for row in rows for word in [row[1]] + row[2]]
    given = device.create_buffer_with_data(data=struct.pack("%dI" % len(words), *words),
                                           usage=wgpu.BufferUsage.STORAGE)
    out = device.create_buffer(size=len(words) * 4, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    # wgpu's compiler, Naga, knows the operations, but does not yet accept the directive that enables them.
    module = device.create_shader_module(code=shader.replace("enable subgroups;", ""))
    pipeline = device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    bindings = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=[
        {"binding": i, "resource": {"buffer": buffer}} for i, buffer in enumerate((given, out))])
    commands = device.create_command_encoder()
    compute = commands.begin_compute_pass()
    compute.set_pipeline(pipeline)
    compute.set_bind_group(0, bindings)
    compute.dispatch_workgroups(len(rows))
    compute.end()
    device.queue.submit([commands.finish()])
    return struct.unpack("%dI" % len(words), device.queue.read_buffer(out))


def run():
    import wgpu
    adapter = next((one for one in wgpu.gpu.enumerate_adapters_sync() if "subgroup" in one.features), None)
    if not adapter:
        sys.exit("no adapter with subgroups here")
    device = adapter.request_device_sync(required_features=["subgroup"])
    every = list(tests())
    size = ask(wgpu, device, every[0][1], every[0][2][:1])[32]
    failed = False
    print("wgpu %s, %s, subgroups of %d" % (wgpu.__version__, adapter.info["description"] or adapter.info["device"], size))
    for name, shader, rows in every:
        rows = [row for row in rows if row[0] == size]
        if not rows:
            print("%-24snot asked" % name)
            continue
        got, right, first = ask(wgpu, device, shader, rows), 0, ""
        for at, (_, argument, _, expected, lanes) in enumerate(rows):
            mine = got[at * 33:at * 33 + 33]
            wrong = [lane for lane in LANES if lanes >> lane & 1 and mine[lane] != expected[lane]]
            right += not wrong and mine[32] == size
            if wrong and not first:
                first = "  first: argument %d, lane %d: %d instead of %d" % (
                    argument, wrong[0], mine[wrong[0]], expected[wrong[0]])
        failed |= right < len(rows)
        print("%-24s%d of %d%s" % (name, right, len(rows), first))
    sys.exit(failed)


def main():
    if sys.argv[1:] == ["--run"]:
        run()
    elif sys.argv[1:] == ["--page"]:
        print(PAGE.replace("TESTS", json.dumps([dict(zip(("name", "shader", "rows"), test)) for test in tests()],
                                               separators=(",", ":"))))
    elif sys.argv[1:] == ["--print"]:
        print("\n".join("// %s\n%s" % (name, shader) for name, shader, _ in tests()))
    else:
        sys.exit(__doc__.split("\n\n")[1])


if __name__ == "__main__":
    main()
