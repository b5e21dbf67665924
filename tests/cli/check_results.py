# check_results.py SCHEMA FILE...: checks documents of --results against the schema, and their
# totals against their questions. Implements only the part of JSON Schema that SCHEMA uses.
import json
import sys

TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list,
         "null": type(None)}


def is_type(value, name):
    if name == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[name])


def check(value, schema, where):
    unknown = set(schema) - {"$schema", "title", "type", "required", "additionalProperties",
                             "properties", "items", "const", "enum"}
    assert not unknown, f"{where}: the schema has {unknown}, which this test does not know"
    if "const" in schema:
        assert value == schema["const"], f"{where}: {value!r}"
    if "enum" in schema:
        assert value in schema["enum"], f"{where}: {value!r}"
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(is_type(value, name) for name in types), f"{where}: {value!r} is not {types}"
    if isinstance(value, dict):
        for key in schema.get("required", []):
            assert key in value, f"{where}: {key} is missing"
        for key in value:
            assert key in schema["properties"], f"{where}: {key} is not in the schema"
            check(value[key], schema["properties"][key], f"{where}.{key}")
    if isinstance(value, list):
        for i, item in enumerate(value):
            check(item, schema["items"], f"{where}[{i}]")


with open(sys.argv[1]) as file:
    schema = json.load(file)
for name in sys.argv[2:]:
    with open(name) as file:
        results = json.load(file)
    check(results, schema, name)
    questions = results["questions"]
    for key, count in (("asked", len(questions)), ("right", sum(q["right"] for q in questions)),
                       ("first_try", sum(q["first_try"] for q in questions))):
        assert results[key] == count, f"{name}: {key} is {results[key]}, of the questions {count}"
    print(name, results["who"], results["first_try"], results["right"], results["asked"],
          results["complete"])
