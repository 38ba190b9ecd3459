"""Test scripts/golden: which differences --accept takes or refuses, and that unfolding returns the text that was folded.

usage: accept.py SCRIPT
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile

CSV = 'proto,table,row,quantity,value\r\n"tcp",ops,"a,""b""",calls,1\r\n"tcp",ops,"a,""b""",bytes,2\r\n"tcp",,,calls,3\r\n'
OPENMETRICS = '# TYPE m gauge\nm{op="a\\"b, c",bound="low"} 1\nm{op="a\\"b, c",bound="high"} 2\nm 3\n# EOF\n'
COMPLETION = f"case $1 in\n{'*:--option|' * 12}-o) echo 'a b' ;;\n"


def write(directory, texts):
    """Write TEXTS to files of DIRECTORY, by name."""
    for name, text in texts.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)


def compared(golden, expected, now, accept):
    """Compare NOW with EXPECTED; --accept ACCEPT unless None. Returns status, output, and the names expected afterwards."""
    with tempfile.TemporaryDirectory() as golden.EXPECTED, tempfile.TemporaryDirectory() as directory:
        write(golden.EXPECTED, expected)
        write(directory, now)
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = golden.compare(directory, accept)
        return status, output.getvalue(), sorted(os.listdir(golden.EXPECTED))


def main():
    loader = importlib.machinery.SourceFileLoader("golden", sys.argv[1])
    golden = importlib.util.module_from_spec(importlib.util.spec_from_loader("golden", loader))
    loader.exec_module(golden)
    old, new = {"a": "1\n2\n", "b": "1\n", "gone": "1\n"}, {"a": "1\n3\n4\n", "b": "1\n", "c": "1\n"}

    status, output, names = compared(golden, old, new, None)
    assert (status, names) == (1, ["a", "b", "gone"]) and "+3\n" in output and "3 files differ" in output, output
    status, output, names = compared(golden, old, new, "nowhere*")
    assert (status, names) == (2, ["a", "b", "gone"]) and "'nowhere*'" in output, output
    status, output, names = compared(golden, old, new, "[ac]")
    assert (status, names) == (1, ["a", "b", "c", "gone"]) and "1 files differ" in output, output
    status, output, names = compared(golden, old, new, "*")
    assert (status, names) == (0, ["a", "b", "c"]), output
    assert output == "accepted a: +2 -1 lines\naccepted c: +1 -0 lines, a new file\naccepted gone: removed\n", output
    status, output, names = compared(golden, old, old, "*")
    assert (status, output, names) == (0, "", ["a", "b", "gone"]), output

    for name, text in {"a.csv": CSV, "a.openmetrics": OPENMETRICS, "completion-bash": COMPLETION}.items():
        folded = golden.FOLDED[name[name.find("."):] if "." in name else name](text)
        assert folded != text and golden.fold.unfolded(name, folded) == text, folded


if __name__ == "__main__":
    main()
