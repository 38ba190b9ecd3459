"""The folded form in which scripts/golden keeps long outputs: text that several lines share is written once, long lines are
broken. Nothing is lost: unfolded() returns the text that was folded, and scripts/golden checks this for every output."""
import re

CELL = r'(?:"(?:[^"]|"")*"|[^,"]*),'  # a cell of CSV
LABEL = r'\w+="(?:[^"\\]|\\.)*",'  # a label of OpenMetrics


def grouped(text, parts):
    """Write the beginning that successive lines of TEXT share on a line of its own, and the rest of these lines indented
    below it. PARTS is a regular expression for a complete line. Each of its groups except the last one is an indent level."""
    folded, above = [], []
    for line in text.split("\n"):
        match = re.fullmatch(parts, line)
        *starts, rest = match.groups() if match else [line]
        del above[len(starts):]
        for level, start in enumerate(starts):
            if above[:level + 1] != starts[:level + 1]:
                above[level:] = [start]
                folded.append("  " * level + start)
        folded.append("  " * len(starts) + rest)
    return "\n".join(folded)


def ungrouped(text):
    """Return the text that grouped() turned into TEXT."""
    lines = [(len(line) - len(line.lstrip(" ")), line.lstrip(" ")) for line in text.split("\n")]
    whole, above = [], []
    for (indent, line), (next_indent, _) in zip(lines, [*lines[1:], (0, "")]):
        above[indent // 2:] = [line]
        if next_indent <= indent:
            whole.append("".join(above))
    return "\n".join(whole)


def csv(text):
    """Fold a CSV file whose lines end with CR LF. The first level is the columns of the run, the second level the columns
    that name a row of a table."""
    columns = text.split("\r\n")[0].split(",")
    table, quantity = columns.index("table"), columns.index("quantity")
    return grouped(text.replace("\r\n", "\n"), f"((?:{CELL}){{{table}}})((?:{CELL}){{{quantity - table}}})(.*)")


def openmetrics(text):
    """Fold successive samples that share the name and all labels except the last one."""
    return grouped(text, rf"(\w+\{{(?:{LABEL})*)(.*)")


def completion(text):
    """Break long lines of a shell script after each word and each pattern; a broken line ends with a backslash."""
    return re.sub(r"^.{100,}$", lambda line: re.sub(r"[ |](?=[^ |])", "\\g<0>\\\\\n", line[0]), text, flags=re.M)


def unfolded(name, text):
    """Return the text that the program printed, from the folded TEXT of the file NAME."""
    if name.endswith((".csv", ".openmetrics")):
        return ungrouped(text).replace("\n", "\r\n" if name.endswith(".csv") else "\n")
    return text.replace("\\\n", "") if name.startswith("completion") else text
