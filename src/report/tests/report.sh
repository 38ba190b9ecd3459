#!/bin/sh
# nfsbench report: the page is self-contained, whatever the files contain, and is written completely or not at all.
# tests/golden/expected has the pages of ordinary results.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq gnuplot python3
cd "$scratch"

run 0 self: getattr,read 2k --seed 7 -q -j first.json
run 0 self: getattr,read 1k --no-ledger -q -j second.json
run 0 self: getattr 500 --no-baseline --no-ledger -q -j alone.json
run 0 self: lookup 500 --no-baseline --no-ledger -q -j other.json

# Print the page's text. Tags that must be closed are closed, ids are unique, and nothing is loaded or executed.
cat >page.py <<'P'
import html.parser
import sys

OPEN = {'meta', 'br', 'p', 'li', 'th', 'td', 'tr'}  # HTML lets them stay open
FORBIDDEN = {'script', 'link', 'img', 'iframe', 'object', 'embed', 'form', 'base'}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        assert tag not in FORBIDDEN, tag
        if tag not in OPEN:
            self.stack.append(tag)
        self.check(attributes)

    def handle_startendtag(self, tag, attributes):
        self.check(attributes)

    def check(self, attributes):
        for name, value in attributes:
            assert not name.startswith('on'), name
            if name in ('href', 'src', 'xlink:href'):
                assert value.startswith('#'), value
            if name == 'id':
                assert value not in self.ids, 'twice: ' + value
                self.ids.add(value)

    def handle_endtag(self, tag):
        if tag not in OPEN:
            assert self.stack and self.stack[-1] == tag, (tag, self.stack)
            self.stack.pop()

    def handle_data(self, data):
        if self.stack[-1:] != ['style'] and data.strip():
            print(' '.join(data.split()))


page = Page()
page.feed(open(sys.argv[1], encoding='utf-8', errors='strict').read())
page.close()
assert not page.stack, page.stack
P
read_page() { # read_page FILE: write its text to "text", as one line
    python3 page.py "$1" >words || fail "$1 is not well formed, or not by itself"
    tr '\n' ' ' <words >text
}
says() {
    grep -Fq -- "$1" text || fail "the page does not say '$1'"
}
us() { # us FILTER DECIMALS: a time of first.json in microseconds
    printf "%.$2f" "$(jq "($1) / 1000" first.json)"
}

run 0 report first.json -o first.html
read_page first.html

# A cost that differs significantly from 0 is a finding, with its share of the call. (A busy machine may have none.)
jq '(.ops[2:][].above_null_ns.distinguishable) = true |
    .ops[2].above_null_ns |= (.estimate = 1e9 | .share = 0.9)' first.json >found.json
run 0 report found.json -o found.html
read_page found.html
says "The $(jq -r '.ops[2].op' first.json) call costs most above null: 1000000 µs"
says '90.0 % of its round trip'
jq '(.ops[2:][].above_null_ns.distinguishable) = false' first.json >lost.json
run 0 report lost.json -o lost.html
read_page lost.html
! grep -qE 'costs most above null|The floor is|% of its round trip' text || fail 'a cost that does not differ from 0 is a finding'

# Skipped ops, errors and an early end are described in words.
jq '.skipped = [{op: "link", reason: "LINK is not there"}] | .cut_short = true | .cut_short_by = "interrupted"
    | (.ops[] | select(.op == "read") | .errors) = {"NFS3ERR_JUKEBOX": 3}' first.json >doubted.json
run 0 report doubted.json -o doubted.html
read_page doubted.html
says 'link was left out: LINK is not there'
says 'the run was cut short: interrupted'
says '3 failed , with NFS3ERR_JUKEBOX among the errors'

# Several files are compared.
jq '(.ops[] | select(.op == "read") | .blocks) |= map(. + 9000000)' first.json >slower.json
run 0 report first.json slower.json second.json -o three.html
read_page three.html
says 'read is slower in B than in A, by +9000.000 µs [+'
says 'B, slower.json, against A, first.json'
says 'C, second.json, against A, first.json'
says 'A first.json'
run 0 report first.json first.json -o same.html
read_page same.html
# shellcheck disable=SC1112
says 'one launch on each side, so the variation between launches is unknown'

# Each kind of result has its own section.
run 0 report first.json "$top/tests/golden/results/sweep.json" second.json -o mixed.html
read_page mixed.html
says '3 results on the embedded server'
says 'getattr and read, 2 results compared'
says 'a sweep of read on the embedded server'
says 'B, second.json, against A, first.json'
[ "$(grep -c 'Environment and settings' words)" -eq 2 ] || fail 'not one environment for each kind'
refused 2 "expected results of one kind; 'nfsbench report -o PAGE.html' takes several kinds" \
    report first.json "$top/tests/golden/results/sweep.json" -o mixed.svg

# A page on standard output, for some ops, without costs, from an older file, and without gnuplot.
run 0 report first.json -o -
cmp -s out first.html || fail 'another page on standard output'
# On a busy machine, a doubt may name any op, so remove the doubts.
jq '.validity.verdict = "ok" | .validity.reasons = [] | .stalls = []' first.json >calm.json
run 0 report calm.json --op read -o read.html
read_page read.html
! grep -q getattr words || [ "$(grep -c getattr words)" -eq 1 ] || fail 'an op that was not asked for'
run 0 report calm.json --op READ -o capitals.html
cmp -s read.html capitals.html || fail 'an op in capitals is a different op'
run 0 report alone.json -o alone.html
read_page alone.html
says 'The tail is longest for getattr'
jq 'del(.command)' first.json >older.json
run 0 report older.json -o older.html
read_page older.html
says 'The file does not contain its command line'
mkdir empty
PATH=$scratch/empty "$nfsbench" report first.json -o bare.html 2>err || fail 'no page without gnuplot'
[ "$(wc -l <err)" -eq 1 ] || fail 'not one line without gnuplot'
read_page bare.html
says 'There are no pictures: pictures are drawn by gnuplot'
says 'apt-get install gnuplot-nox'
says 'What was measured'

# Text from files never becomes markup.
jq --arg evil "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\`touch pwned\`" \
    'walk(if type == "string" and . != "nfsbench-result/2" and . != "measurement" and . != "op" and . != "null" and . != "null_control" and . != "getattr"
          then $evil else . end)
     | .command = ["a b", "$(touch pwned)", "it'"'"'s", "new\nline", $evil]
     | .ops[2].errors = {($evil): 1}
     | .ops[2].ledger.client.interfaces = {($evil): {rx_packets: 1, tx_packets: 1}}' first.json >hostile.json
cp hostile.json "$(printf '<b>"%%s\n\377.json')"
run 0 report hostile.json '<b>'*.json -o hostile.html
read_page hostile.html
says "<script>alert(1)</script>"
says "nfsbench 'a b' '\$(touch pwned)' 'it'\\''s' 'new?line'"
[ ! -e pwned ] || fail 'a string of the file was executed'

# Bad input is refused. inputs.sh has more cases.
mkdir bad
refused 2 'a page has all' report first.json -k cost -o bad/x.html
refused 2 'ends in .svg' report first.json -o first.json
refused 2 'No such file' report first.json -o bad/none/x.html
refused 2 'expected one to' report -o bad/x.html
ln -s /dev/full full.html
refused 1 'No space left' report first.json -o full.html
refused_on rw 1 'No space left' x.html report first.json -o
refused_on ro 2 'Read-only file system' x.html report first.json -o
left_nothing bad
[ -z "$(find . -name '*.partial')" ] || fail 'a half-written page was left'
finish
