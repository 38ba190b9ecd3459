#!/usr/bin/env python3
"""Check that no stable name is missing (CHANGELOG.md): commands, ops, options, exit statuses, columns and keys of results.

usage: tests/golden/stable.py [--accept] [BUILD]     (default: build)

The file tests/golden/stable lists the names of the last release, one per line. The exit status is 1 if BUILD lacks one of
them. New names are allowed. --accept, which scripts/release uses, adds them to the file. To remove a name, which requires a
new major version or schema number, delete its line by hand.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys

GOLDEN = os.path.dirname(os.path.abspath(__file__))
STABLE = os.path.join(GOLDEN, "stable")
# By the meaning of an exit status: a command that ends with this status. Commands run in tests/golden/results.
STATUSES = {
    "success": ["--version"],
    "suspect": ["self:", "getattr", "10", "--launches", "1", "--no-ledger", "--no-warmup"],  # too few rounds
    "usage": ["--unheard-of"],
    "unreachable": ["127.0.0.1:/export", "getattr", "1", "--port", "1", "--mount-port", "1"],
    "undecided": ["compare", "measurement.json", "again.json", "--threshold", "1%"],
}


def say(program, *arguments):
    """Run PROGRAM with ARGUMENTS. Returns exit status and standard output."""
    run = subprocess.run([program, *arguments], cwd=os.path.join(GOLDEN, "results"), stdout=subprocess.PIPE, text=True,
                         stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
    return run.returncode, run.stdout


def keys_of(schema, path=""):
    """Yield the keys of all objects in SCHEMA, as paths below PATH. In a path, [] is any row of a list, * any name."""
    for key, value in schema.get("properties", {}).items():
        yield path + key
        yield from keys_of(value, f"{path}{key}.")
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            step = "[]." if inner == "items" else ".*."
            yield from keys_of(schema[inner], path.removesuffix(".") + step)
    for variant in schema.get("anyOf", []):
        yield from keys_of(variant, path)


def names_of(build):
    """Yield all stable names of BUILD, each with its kind in front, such as "option sweep --depth"."""
    program = os.path.join(build, "src", "nfsbench")
    completion = say(program, "--completion", "bash")[1]
    commands, ops, mixes = (re.search(rf"\b{names}='([^']*)'", completion)[1].split() for names in ("commands", "ops", "mixes"))
    yield from (f"command {name}" for name in commands)
    yield from (f"op {name}" for name in ops + mixes)
    for command in commands:
        shown = re.findall(r"^  (?:(-\w), |    )(--[a-z][a-z0-9-]*)", say(program, command, "--help")[1], flags=re.M)
        yield from (f"option {command} {name}" for names in shown for name in names if name)
    for meaning, arguments in STATUSES.items():
        yield f"status {say(program, *arguments)[0]} {meaning}"
    table = say(program, "compare", "measurement.json", "again.json", "--csv", "-")[1]
    yield from (f"column {name}" for name in table.splitlines()[0].split(","))
    for path in glob.glob(os.path.join(build, "schema", "*.json")):
        with open(path, encoding="utf-8") as file:
            schema = json.load(file)
        number, kind = (schema["properties"][key]["const"] for key in ("schema", "kind"))
        yield f"schema {number}"
        yield from (f"key {kind} {key}" for key in keys_of(schema))


def main():
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("build", nargs="?", default="build")
    arguments = parser.parse_args()
    with open(STABLE, encoding="utf-8") as file:
        released = set(file.read().splitlines())
    now = set(names_of(os.path.abspath(arguments.build)))
    gone = sorted(released - now)
    for name in gone:
        print(f"missing: {name}")
    if gone:
        print("These names are stable (CHANGELOG.md). To remove a name, delete its line in tests/golden/stable.", file=sys.stderr)
        return 1
    print(f"all {len(released)} stable names exist; {len(now - released)} names are new")
    if arguments.accept:
        with open(STABLE, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in sorted(now))
    return 0


if __name__ == "__main__":
    sys.exit(main())
