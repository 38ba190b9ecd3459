#!/usr/bin/env python3
"""Check that text from outside is only text in every form.

usage: escapes.py NFSBENCH GOLDEN_FORMS RESULT.json...

GOLDEN_FORMS writes all forms of results of all kinds, with every text that comes from a file or a peer (according to the
tables of fields) replaced by one that has a meaning in each form. Their JSON is then given to the commands that read
results, which may refuse it.
"""
import collections
import csv
import html.parser
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LABELS = re.compile(r'(?:# .*|[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-z_0-9]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? \S+|)')


class Tags(html.parser.HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found |= {tag} | {name for name, _ in attrs}


def lines_of(text):
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", text), "a control character"


def json_of(text):
    json.loads(text)


def trace_of(text):
    json_of(text)


def csv_of(text):
    lines_of(text.replace("\r\n", "\n"))
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    assert len({len(row) for row in rows}) <= 1, "rows of several lengths"
    assert not any(cell.startswith("=") for row in rows for cell in row), "a formula"


def openmetrics_of(text):
    for line in text.splitlines():
        assert LABELS.fullmatch(line), f"no line of OpenMetrics: {line}"


def markdown_of(text):
    lines_of(text)
    bare = re.sub(r"\\.", "", text)
    assert "<" not in bare.replace("<0.001", ""), "a tag"
    tables = (list(rows) for is_row, rows in itertools.groupby(bare.splitlines(), lambda l: l.startswith("|")) if is_row)
    for rows in tables:
        assert len({row.count("|") for row in rows}) == 1, "a cell too many: " + "\n".join(rows)


def html_of(text):
    lines_of(text)
    assert not Tags(text).found & {"img", "onerror"}, "a tag"


def svg_of(text):
    lines_of(text)
    assert not {e.tag.split("}")[-1] for e in xml.etree.ElementTree.fromstring(text).iter()} & {"img"}, "a tag"


FORMS = {"txt": lines_of, "json": json_of, "trace": trace_of, "csv": csv_of, "openmetrics": openmetrics_of,
         "markdown": markdown_of, "html": html_of, "svg": svg_of, "hgrm": lines_of, "hlog": lines_of}


def main():
    nfsbench, golden_forms, *results = sys.argv[1:]
    faults, files, read = [], 0, collections.Counter()

    def check(name, form, data):
        try:
            FORMS[form](data.decode("utf-8"))
        except (AssertionError, ValueError, csv.Error, xml.etree.ElementTree.ParseError) as error:
            faults.append(f"{name}: {error}")

    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        subprocess.run([golden_forms, "--hostile", ".", *results], check=True)
        for name in sorted(os.listdir(".")):
            files += 1
            with open(name, "rb") as file:
                check(name, name.rsplit(".", 1)[-1], file.read())
        commands = {"report": {"html": ["-o", "-"], "svg": ["-o", "x.svg", "--force"]},
                    "compare": {"txt": [], "markdown": ["--markdown", "-"], "csv": ["--csv", "-"], "json": ["--json", "-"]}}
        commands = {command: forms for command, forms in commands.items()  # only commands that this build has
                    if subprocess.run([nfsbench, "help", command], capture_output=True, check=False).returncode == 0}
        for name in sorted(os.listdir(".")):
            for command, forms in commands.items() if name.endswith(".json") else ():
                for form, options in forms.items():
                    others = [name] if command == "compare" else []
                    done = subprocess.run([nfsbench, command, name, *others, *options],
                                          capture_output=True, timeout=60)
                    if done.returncode not in (0, 1, 2):
                        faults.append(f"{command} {name}: status {done.returncode}")
                    check(f"{command} {name}: errors", "txt", done.stderr)
                    if done.returncode == 0:
                        read[command] += 1
                        if "x.svg" in options:
                            with open("x.svg", "rb") as file:
                                done.stdout = file.read()
                        check(f"{command} {name} {form}", form, done.stdout)
    print("\n".join(faults))
    print(f"{files} files; made of them: {dict(read)}; {len(faults)} faults")
    return 1 if faults or files < 100 or set(read) != set(commands) else 0


if __name__ == "__main__":
    sys.exit(main())
