"""Validate results against the schemas of their kinds, by the independent validator jsonschema.

usage: schema.py DIRECTORY-OF-SCHEMAS [--all-kinds] RESULT...

Prints a line for each fault, and fails: a result has no schema or does not match it; a kind has no result (--all-kinds); a
schema is not closed; or it accepts a result with a new key in an object with fixed keys, or without schema, kind or tool.
"""

import copy
import json
import pathlib
import sys
import warnings

import jsonschema

warnings.simplefilter("ignore")  # newer versions find references by another class


def load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def schemas_of(directory):
    return {path.stem: load(path) for path in pathlib.Path(directory).glob("*.json")}


def validator_of(schema, directory):
    base = pathlib.Path(directory).resolve().as_uri() + "/"
    resolver = jsonschema.RefResolver(base_uri=base, referrer=schema)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def open_objects(schema, where):
    """Yield where in SCHEMA an object with named properties takes other keys, too."""
    if isinstance(schema, dict):
        if isinstance(schema.get("required"), list) and "properties" in schema:
            if schema.get("additionalProperties") is not False:
                yield where
        for key, value in schema.items():
            yield from open_objects(value, f"{where}/{key}")
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from open_objects(value, f"{where}/{number}")


MAPS = {"errors", "next", "interfaces", "weights", "link_bits_per_s", "phases_ns"}  # these objects have names as keys


def objects_of(value, where=()):
    """Yield the paths to all objects in VALUE with fixed keys. Of a list, only the first entry is used."""
    if isinstance(value, dict):
        if not where or where[-1] not in MAPS:
            yield where
        for key, part in value.items():
            yield from objects_of(part, where + (key,))
    elif isinstance(value, list) and value:
        yield from objects_of(value[0], where + (0,))


def changed(result, where, change):
    result = copy.deepcopy(result)
    part = result
    for step in where:
        part = part[step]
    change(part)
    return result


def add_key(part):
    part["unheard_of"] = 1


def faults(path, validator, result):
    for error in validator.iter_errors(result):
        steps = "/".join(str(step) for step in error.absolute_path)
        yield f"{path}: {steps}: {error.message[:200]}"


def weaknesses(path, validator, result):
    """Yield the errors that the schema does not refuse. Most numbers are left out to save time."""
    small = json.loads(json.dumps(result), object_hook=shortened)
    for where in objects_of(small):
        if validator.is_valid(changed(small, where, add_key)):
            yield f"{path}: a new key in /{'/'.join(map(str, where))} passes"
    for key in ("schema", "kind", "tool"):
        if validator.is_valid({name: small[name] for name in small if name != key}):
            yield f"{path}: passes without {key}"


def shortened(part):
    return {key: value[:1] if key in ("blocks", "block_means", "low_ns", "count") and isinstance(value, list) else value
            for key, value in part.items()}


def main(directory, paths):
    all_kinds = paths[0] == "--all-kinds"
    paths = paths[all_kinds:]
    schemas = schemas_of(directory)
    problems = [f"{name}: {where} takes any key" for name, schema in schemas.items()
                for where in open_objects(schema, "#")]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    seen = {"common"}
    for path in paths:
        result = load(path)
        kind = result["kind"]
        if kind not in schemas:
            problems.append(f"{path}: kind {kind} has no schema")
            continue
        validator = validator_of(schemas[kind], directory)
        found = list(faults(path, validator, result))
        problems += found or list(weaknesses(path, validator, result))
        seen.add(kind)
    if all_kinds:
        problems += [f"no result of kind {name} was validated" for name in sorted(set(schemas) - seen)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(paths)} results of {len(seen) - 1} kinds, {len(problems)} faults")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
