"""products.py RECORDING.json - prints the instructions that have registers, the number of products, and
how many elements of D differ from A B + C, computed in double, by more than the rounding of their type."""
import json
import sys

ROUNDING = {"f16": 2.0**-10, "f32": 2.0**-22, "s32": 0, "f64": 2.0**-51}


def matrix(fragment):
    return {(e["matrix"], e["row"], e["column"]): e["value"] for e in fragment["elements"]}


names, wrong, products = set(), 0, 0
for step in json.load(open(sys.argv[1]))["steps"]:
    registers = step.get("registers")
    if not registers:
        continue
    names.add(registers["instruction"].split(".sync")[0] + (".sync" if ".mma." in registers["instruction"] else ""))
    parts = {fragment["name"]: fragment for fragment in registers["fragments"]}
    if "D" not in parts or len(parts) < 4:
        continue
    a, b, c, d = (matrix(parts[name]) for name in "ABCD")
    products += 1
    for (i, row, column), value in d.items():
        terms = [a[i, row, k] * b[i, k, column] for k in range(parts["A"]["columns"])] + [c[i, row, column]]
        most = sum(abs(term) for term in terms)
        wrong += not abs(value - sum(terms)) <= most * ROUNDING[parts["D"]["type"]]
print(*sorted(names))
print("products:", products)
print("wrong:", wrong)
