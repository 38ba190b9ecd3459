#!/usr/bin/env python3
"""Check that every line of a CSV has a unique key.

usage: csv_keys.py NFSBENCH GOLDEN_FORMS RESULT.json...

The CSV files are those that GOLDEN_FORMS writes for results of all kinds and each RESULT, that of a comparison, and a log of
intervals. Python's csv module reads them, and SQLite checks the keys. Each result is also tried with each row of each list
twice, such as two stalls of one op or two reasons with one name.
"""
import contextlib
import csv
import glob
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

FIGURES = {"value", "low", "high"}
OF_INTERVALS = ("at", "began_s", "op")
STALLS = [{"at_s": at, "length_s": 0.2, "calls": 1, "series": "getattr"} for at in (0.5, 1.5)]


def twice(value):
    """Return VALUE with each object of each list twice."""
    if isinstance(value, dict):
        return {key: twice(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    rows = [twice(inner) for inner in value]
    return rows + rows if rows and isinstance(rows[0], dict) else rows


def write_doubled(paths, directory):
    """Write variants of each result of PATHS: all lists doubled; two stalls; for each member, only its lists doubled."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        name = os.path.basename(path).removesuffix(".json")
        variants = {"all": twice(result), "stalls": result | {"stalls": STALLS}}
        variants |= {key: result | {key: twice(result[key])} for key in result if twice(result[key]) != result[key]}
        for key, variant in variants.items():
            with open(os.path.join(directory, f"{name}-{key}.json"), "w", encoding="utf-8") as file:
                json.dump(variant, file)


def check(path, keys=None):
    """Return what is wrong with the CSV at PATH. KEYS are the columns of its key; None: all columns that are not figures."""
    with open(path, encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file, strict=True)
    keys = keys or [column for column in heading if column not in FIGURES]
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        columns = ", ".join(f'"{column}" text not null' for column in heading)
        database.execute(f"""create table rows ({columns}, unique ({', '.join(f'"{key}"' for key in keys)}))""")
        for row in rows:
            try:
                database.execute(f"insert into rows values ({', '.join('?' * len(heading))})", row)
            except sqlite3.Error as error:
                return [f"{path}: {error}: {row}"]
    return []


def main():
    nfsbench, golden_forms, *results = map(os.path.abspath, sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for directory in ("once", "doubled", "twice", "hostile", "made"):
            os.mkdir(directory)
        subprocess.run([golden_forms, "once", *results], check=True)
        write_doubled([*glob.glob("once/full-*.json"), *results], "doubled")
        # Some doubled results are refused, because their lists of ops and of the ops' figures no longer match.
        read = [path for path in sorted(glob.glob("doubled/*.json"))
                if subprocess.run([golden_forms, "twice", path], capture_output=True, check=False).returncode == 0]
        subprocess.run([golden_forms, "--hostile", "hostile", *results], check=True)
        runs = [path for path in results if os.path.basename(path) == "measurement.json"]
        if subprocess.run([nfsbench, "help", "compare"], capture_output=True, check=False).returncode == 0:
            subprocess.run([nfsbench, "compare", *runs * 3, "--csv", "made/compare.csv"], check=True, timeout=60,
                           stdout=subprocess.DEVNULL)
        subprocess.run([nfsbench, "self:", "getattr,read", "--max-time", "1s", "--interval", "200ms", "--interval-log",
                        "intervals.csv", "--no-ledger", "--no-model", "--launches", "1", "-q", "--allow-suspect"], check=True,
                       timeout=60)
        files = sorted(glob.glob("*/*.csv"))
        faults = [fault for path in files for fault in check(path)] + check("intervals.csv", OF_INTERVALS)
    print("\n".join(faults))
    print(f"{len(files)} files, {len(read)} of them of doubled results; {len(faults)} faults")
    return 1 if faults or len(files) < 60 or len(read) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
