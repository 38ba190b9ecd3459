"""How scripts/golden keeps what is long: what many lines share is there once. Nothing is lost by it, except that of a
picture's data and of long tables the first lines, their number and a checksum are kept; of what is much like another
file, a checksum of the whole and what that file does not have; and of help, which is in the source word for word, checksums."""
import hashlib
import os
import re
import string
import textwrap

FIELD = r'(?:"(?:[^"]|"")*"|[^,"]*),'
LETTERS = string.ascii_letters + string.digits


def json(text):
    """A line is a member of the whole."""
    return re.sub(r"\n  +", " ", text)


def members(text):
    """Of such lines those of one value share one, and the end of a member is behind it."""
    return re.sub(r"(?<=[\w\"],)\n(?= \"\w+\": [^\[{\n]+$)", "", re.sub(r"\n (?=[\]}])", " ", text), flags=re.M)


def slowest(text, count):
    """A result in JSON with COUNT of each op's slowest calls."""
    def first(match):
        calls = re.findall(r"\{[^{}]*\}", match[1])
        return f'"slowest": [ {", ".join(calls[:count])} ]'

    return re.sub(r'"slowest": \[ (\{[^\[\]]*\}) \]', first, text)


def csv(text):
    """The columns that say of what a line is are there once, and the rest of its lines behind them. Lines end by CR LF;
    a file in which one does not stays as it is."""
    lines = text.split("\r\n")
    columns = lines[0].split(",")
    if "quantity" not in columns or "\n" in "".join(lines) or lines.pop():
        return text
    table = columns.index("table")
    parts = re.compile(f"((?:{FIELD}){{{table}}})((?:{FIELD}){{{columns.index('quantity') - table}}})(.*)")
    folded, before, row_before = [lines[0]], None, None
    for line in lines[1:]:
        run, row, quantity = parts.fullmatch(line).groups()
        if run != before:
            folded.append(run)
        if (run, row) != (before, row_before):
            folded.append(f"    {row}")
        folded[-1] += f" | {quantity}"
        before, row_before = run, row
    return fewer("\n".join(folded) + "\n", '    ops/phases,"getattr"', '    ops/phases,"readdirplus"')


def openmetrics(text):
    """A line is a family with its samples, without the labels with which those of all families begin."""
    shared = os.path.commonprefix(re.findall(r"^\w+\{(.*)\} ", text, flags=re.M))
    shared = shared[:shared.rfind(",") + 1]
    folded, sample = [f"{{{shared}"], None
    for line in text.splitlines():
        if sample and line.startswith(sample):
            folded[-1] += " | " + line[len(sample):]
        else:
            folded.append(line)
        if line.startswith("# TYPE "):
            sample = line.split()[2] + "{" + shared
    return "\n".join(folded) + "\n"


def checksum(text):
    """Of TEXT, enough of it to be seen when it changes."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def rows(text):
    """Of a paragraph of more than eight lines the first four, the number of the others and their checksum."""
    def fold(paragraph):
        lines = paragraph.split("\n")
        if len(lines) <= 8:
            return paragraph
        return "\n".join([*lines[:4], f"... {len(lines) - 4} lines, {checksum(paragraph)}"])

    return "\n\n".join(fold(paragraph) for paragraph in text.rstrip("\n").split("\n\n")) + "\n"


def fewer(text, *beginnings):
    """Of lines in a row that begin alike, by one of BEGINNINGS, the first three, the number of the others and their
    checksum."""
    def fold(match):
        lines = match[0].splitlines(keepends=True)
        others = lines[3:]
        return "".join([*lines[:3], f"... {len(others)} lines, {checksum(''.join(others))}\n"]) if len(others) > 1 else match[0]

    for beginning in beginnings:
        text = re.sub(f"(?:^{beginning}.*\n)+", fold, text, flags=re.M)
    return text


def markdown(text):
    """Without empty lines, and the rows of its tables are fewer."""
    return fewer(re.sub(r"\n\n+", "\n", text), r"\| ")


def beyond(text, base):
    """TEXT's checksum, and those of its lines that are neither in BASE, however that wraps them, nor above."""
    words = " ".join(base.split())
    lines = dict.fromkeys(line for line in text.splitlines() if " ".join(line.split()) not in words)
    return "\n".join([checksum(text), *lines]) + "\n"


def grouped(checksums):
    """A line for each result with the CHECKSUMS of its forms, by their names; one for those of all of its histograms."""
    groups, histograms = {}, {}
    for name, value in sorted(checksums.items()):
        result, form = re.fullmatch(r"(use-[a-z]+|help|[^.]*)(.*)", name).groups()
        if form.endswith(".hgrm") and form != ".hgrm":
            histograms.setdefault(result, []).append(value)
        else:
            groups.setdefault(result, {})[form] = value
    for result, values in histograms.items():
        groups[result][".hgrm"] = checksum(" ".join(values))
    return "".join(" ".join([result, *(f"{form}={value[:8]}" for form, value in sorted(forms.items()))]) + "\n"
                   for result, forms in sorted(groups.items()))


def ungrouped(lines):
    """The checksums in such LINES, by name."""
    return {line.split()[0] + form: value for line in lines for form, value in
            (entry.rsplit("=", 1) for entry in line.split()[1:])}


def page(text):
    """Without its style, and with a line for a figure."""
    text = re.sub(r"<style>.*?</style>", "<style/>", text, flags=re.S)
    return re.sub(r"<figure>.*?</figure>", lambda match: match[0].replace("\n", ""), text, flags=re.S)


def rows_of_table(text):
    """A page's: the rows of details are behind the one that they are of, rows are fewer, and settings are a line."""
    text = fewer(re.sub(r"\n(?=<tr class=more>)", " ", text), "<tr><th")
    return re.sub(r"<table class=settings>.*?</table>", lambda match: match[0].replace("\n", " "), text, flags=re.S)


def script(text):
    """gnuplot's: how each picture begins is there once; data are the first line, their number and a checksum."""
    def data(match):
        lines = match[1].splitlines()
        if len(lines) < 4:
            return match[0]
        return "\n".join(["<< END", lines[0], f"... {len(lines)} lines, {checksum(match[1])}", "END\n"])

    begin = re.search(r"^reset\n(?:set .*\n|unset .*\n)*", text, flags=re.M)[0]
    head, *pictures = text.split(begin)
    text = head + begin + "reset ... unset grid\n".join(pictures)
    return re.sub(r"<< END\n(.*?\n)END\n", data, text, flags=re.S)


def commands(text):
    """A line for a command of gnuplot's, for data, and for settings of the same kind."""
    text = re.sub(r"<< END\n.*?\nEND$", lambda match: match[0].replace("\n", " "), text, flags=re.S | re.M)
    return fewer(re.sub(r"(?<=\\)\n|\n(?=set [xy]tics add )", " ", text), r"\$data")


def options_of(text):
    """The entries of options in a command's help TEXT: each its name and its lines."""
    entries = []
    for line in text.splitlines(keepends=True):
        name = re.match(r"  (?:-\w, |    )(--[a-z][a-z0-9-]*)", line)
        if name:
            entries.append((name[1], line))
        elif entries and line.startswith(" " * 26) and text.find(entries[-1][1] + line) >= 0:
            entries[-1] = (entries[-1][0], entries[-1][1] + line)
    return entries


def helps(texts):
    """Of the help TEXTS of commands: each without its options' help but with their names, and for all the checksum of that
    help, whose text is in the source as it is. An option that has another one in several commands has a number."""
    entries = {}
    folded = {}
    for command, text in texts.items():
        for name, entry in options_of(text):
            variants = entries.setdefault(name, [])
            if entry not in variants:
                variants.append(entry)
            number = variants.index(entry)
            text = text.replace(entry, f"\0{name}{f'/{number + 1}' if number else ''}\0", 1)
        names = re.compile("(?:\0[^\0]*\0)+")
        folded[command] = names.sub(lambda run: textwrap.fill(run[0].strip("\0").replace("\0\0", " "), 80,
                                                              initial_indent="  ", subsequent_indent="  ",
                                                              break_on_hyphens=False) + "\n", text)
    initials = {}  # a line or more for each, so that a new option moves no others
    for name in sorted(entries):
        initials.setdefault(name[2], []).extend(f"{name}{f'/{number + 1}' if number else ''}={checksum(entry)[:8]}"
                                                for number, entry in enumerate(entries[name]))
    return folded, "".join(textwrap.fill(" ".join(sums), 120, break_on_hyphens=False) + "\n" for sums in initials.values())


def completion(text):
    """A line for all options whose values are completed alike, and the checksum of the whole."""
    alike = {}
    for option, action in re.findall(r"    ([^ ]*:-[^ ]*)\) (kind=.*) ;;\n", text):
        alike.setdefault(action, []).append(option)
    return "".join(f"{' '.join(options)}: {action}\n" for action, options in alike.items()) + f"# {checksum(text)}\n"


def refusals(commands, said, letters):
    """A line for options that are refused alike: what each of COMMANDS says, as a letter, without a value and with one; then
    what the letters stand for. SAID has it by option, with or without a value, and command; what stands in LETTERS keeps
    its letter."""
    other = "2: leave OPTION out: it is an option of "
    used, alike = {}, {}
    letters = {text: letter for text, letter in letters.items() if text in said.values()}
    free = [letter for letter in LETTERS if letter not in letters.values()]

    def letter(text):
        if text not in used:
            used[text] = letters.get(text) or free.pop(0)
        return used[text]

    for option in sorted({option for option, _, _ in said}):
        owners = {said[option, value, command].removeprefix(other) for value in (False, True) for command in commands
                  if said[option, value, command].startswith(other)}
        row = ["".join("." if said[option, value, command].startswith(other) else letter(said[option, value, command])
                       for command in commands) for value in (False, True)]
        alike.setdefault("  ".join([*row, *sorted(owners)]), []).append(option)
    lines = [" ".join(commands), *(f"{row}: {' '.join(options)}" for row, options in alike.items())]
    legend = sorted(f"{letter}  {text}" for text, letter in used.items())
    return "\n".join([*lines, "", f".  {other}...", *legend]) + "\n"
