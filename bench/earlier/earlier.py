"""Functions that the parts of bench/earlier-work share: options, runs of nfsbench, tables in Markdown.

A part is a program of this folder, `PART [--nfsbench PATH] [--brief] RESULTS`. It writes its files to the directory
RESULTS, and prints its section: the author's figures, with the figures of this run next to them. Exit status: 0; 77 if nothing
could be measured on this machine, with a line that says why; any other status is a failure.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[0]).name


class Skip(Exception):
    """A measurement can't be made on this machine. The text names the measurement and the reason."""


def arguments(doc, extra=None):
    """Parse the command line of a part, whose help is DOC. Returns nfsbench and results (paths), and brief (whether to make few
    calls, which only test the part). Makes the directory results. EXTRA(parser) adds options."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, help="directory for the results")
    parser.add_argument("--nfsbench", type=pathlib.Path, default=TOP / "build/src/nfsbench", help="(%(default)s)")
    parser.add_argument("--brief", action="store_true", help="few calls: a test; the figures mean nothing")
    if extra:
        extra(parser)
    args = parser.parse_args()
    if not os.access(args.nfsbench, os.X_OK):
        parser.error(f"{args.nfsbench} does not exist: build the project, or name the program by --nfsbench")
    try:
        args.results.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"can't make the directory {args.results}: {error.strerror}")
    args.nfsbench, args.results = args.nfsbench.resolve(), args.results.resolve()
    return args


def run(words, seconds=60, **kw):
    """Run the command WORDS for at most SECONDS, with KW for subprocess.run(). Returns its result with the output. If the
    command fails, this program ends with one line."""
    words = [str(word) for word in words]
    kw = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | kw
    try:
        done = subprocess.run(words, timeout=seconds, check=False, **kw)
    except subprocess.TimeoutExpired:
        sys.exit(f"{PROGRAM}: '{' '.join(words)}' did not end within {seconds} s")
    if done.returncode:
        said = (done.stderr or "").strip().splitlines() or ["no message"]
        sys.exit(f"{PROGRAM}: '{' '.join(words)}' ended with status {done.returncode}: {said[-1]}")
    return done


def nfsbench(args, *words, name, seconds=300, prefix=()):
    """Run nfsbench with WORDS, by the command PREFIX. Returns the result, which is also in the file NAME.json."""
    file = args.results / f"{name}.json"
    print(f"{PROGRAM}: {name}", file=sys.stderr, flush=True)
    run([*prefix, args.nfsbench, *words, "-q", "--allow-suspect", "--force", "-j", file], seconds)
    return json.loads(file.read_text())


def verdict(result):
    """Return "ok", or the names of the reasons to doubt RESULT."""
    return ", ".join(dict.fromkeys(reason["name"] for reason in result["validity"]["reasons"])) or "ok"


def figure(x):
    """Return X with three significant digits, or "-" if it is unknown."""
    if x is None or math.isnan(x):
        return "-"
    x = float(f"{x:.3g}")
    return f"{x:,.{max(0, 2 - math.floor(math.log10(abs(x)))) if x else 0}f}"


def cell(value):
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else figure(value)


def table(headings, rows):
    """Return a table in Markdown: the first column is aligned left, the other columns right. A cell is a string or a number;
    None and NAN are unknown."""
    lines = [headings, ["---"] + ["---:"] * (len(headings) - 1), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines)


def machine():
    """Describe this machine, such as "2-core virtual machine (AMD EPYC), Linux 6.18, Debian 12"."""
    system = platform.freedesktop_os_release()
    info = dict(line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text().replace("\t", "").splitlines()
                if ":" in line)
    kind = "virtual machine" if " hypervisor " in info.get("flags", "") + " " else "machine"
    model = f" ({info['model name'].strip()})" if "model name" in info else ""
    return (f"{os.cpu_count()}-core {kind}{model}, Linux {'.'.join(platform.release().split('.')[:2])}, "
            f"{system['ID'].capitalize()} {system.get('VERSION_ID', '')}".strip())


def main(function):
    """Call FUNCTION, and end this program with the corresponding status."""
    try:
        function()
    except Skip as skip:
        print(f"skipped: {skip}", flush=True)
        sys.exit(77)
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"{PROGRAM}: {error}")
