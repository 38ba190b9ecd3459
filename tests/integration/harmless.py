#!/usr/bin/env python3
"""Check that what a command printed is safe for a terminal. The files named as arguments must be UTF-8 without control
characters, except the ends of lines, and without characters that reverse or hide text. Prints the files that are not;
exit status 1. Written apart from the project's own C code."""

import sys
import unicodedata

HIDDEN = {0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff} | set(range(0x202a, 0x202f)) | set(
    range(0x2060, 0x2070))


def harms(text):
    for i, character in enumerate(text):
        if character == "\n" or (character == "\r" and text[i + 1:i + 2] == "\n"):
            continue
        if unicodedata.category(character) == "Cc" or ord(character) in HIDDEN:
            yield character, text[max(0, i - 30):i + 10]


status = 0
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    try:
        found = next(harms(data.decode("utf-8", "strict")), None)
    except UnicodeDecodeError as error:
        found = error.reason, data[max(0, error.start - 30):error.start + 10]
    if found:
        print(f"{name}: {found[0]!r} in {found[1]!r}", file=sys.stderr)
        status = 1
sys.exit(status)
