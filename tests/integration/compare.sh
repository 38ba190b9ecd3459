#!/bin/sh
# nfsbench compare: a difference that was made is found and named, none is made up, and files that
# can't be compared get one clear line.
. "$(dirname "$0")/lib.sh"
need jq

made() { # made NAME ARGUMENT...: a result of NAME
    name=$1
    shift
    run 0 self: "$@" --no-ledger -q -j "$scratch/$name.json"
}
made before getattr,read 5k
made udp getattr 500 -p udp
made larger getattr,read 500 -s 64KiB
made lookup lookup 500
made alone getattr 500 --no-baseline
cd "$scratch"
# The same run with 5 ms more in each block of GETATTR: what two runs differ by beside, on a machine
# that does other things, is no business of this test.
jq '(.ops[] | select(.op == "getattr") | .blocks) |= map(. + 5000000)' before.json >slower.json

# Seen from either side.
run 0 compare before.json slower.json --json
cp out result.json
holds '.schema == "nfsbench-comparison/1"'
holds '[.pairs[0].ops[].op] == ["null", "getattr", "read"]'
holds '.pairs[0].ops[1] | .word == "slower" and .compared == "above_null"'
holds '.pairs[0].ops[1].difference_ns | .ci95[0] <= .estimate and .estimate <= .ci95[1]'
holds '.pairs[0].ops[1].difference_ns.estimate - 5000000 | fabs < 0.01'
holds '[.pairs[0].ops[0, 2].word] == ["the same within the noise floor", "the same within the noise floor"]'
run 0 compare slower.json before.json --json
cp out result.json
holds '.pairs[0].ops[1].word == "faster"'

# As a gate: 1 only for what is slower, by more than the threshold.
run 1 compare before.json slower.json --threshold 5%
grep -q 'getattr .*slower' out || fail 'the text does not say slower'
run 0 compare slower.json before.json --threshold 5%
run 0 compare before.json slower.json --threshold 1000000000000%
run 0 compare before.json before.json --threshold 0%
grep -q 'getattr .*the same within the noise floor' out || fail 'a file differs from itself'
! grep -q "$(printf '\033')" out || fail 'colours without a terminal'

# Forms.
run 0 compare before.json slower.json slower.json --csv
[ "$(wc -l <out)" -eq 7 ] || fail 'CSV: not a line for a heading and six ops'
awk -F, 'NF != 15 { exit 1 }' out || fail 'CSV: the lines have other numbers of fields'
run 0 compare before.json slower.json --markdown
grep -q '^| getattr | cost above null | ' out || fail 'Markdown'
run 0 compare before.json slower.json --histograms
grep -q ' us .*#' out || fail 'no histograms'
run 0 compare before.json slower.json before.json
[ "$(grep -c '^A  ' out)" -eq 2 ] || fail 'not each against the first'

# What can't be compared is told by op, with the reason.
run 0 compare before.json udp.json
grep -q 'getattr .*not comparable: other transport' out || fail 'transport'
run 0 compare before.json larger.json
grep -q 'read .*not comparable: other size' out || fail 'size'
grep -q 'getattr .*above null' out || fail 'an op whose size is the same'
run 0 compare before.json alone.json
grep -q 'getattr .*not comparable: one has no baseline' out || fail 'baseline'
run 0 compare alone.json alone.json
grep -q 'getattr .*round trip' out || fail 'without a baseline'

# Files that are none.
echo '{"schema": "nfsbench-result/0", "ops": []}' >old.json
echo '{"hello": 1}' >other.json
head -c 500 before.json >cut.json
: >empty.json
jq 'del(.ops[1].blocks[0])' before.json >missing.json
jq 'del(.ops[2].blocks)' before.json >none.json
jq '.ops = []' before.json >noops.json
jq '.ops[1].blocks[3] = "x"' before.json >text.json
refused 2 'No such file' compare before.json nothing.json
refused 2 'is a directory' compare before.json .
refused 2 'schema nfsbench-result/0' compare before.json old.json
refused 2 'no schema' compare other.json before.json
refused 2 'no whole JSON' compare before.json cut.json
refused 2 'no whole JSON' compare before.json empty.json
refused 2 'rounds are missing' compare before.json missing.json
refused 2 'rounds are missing' compare before.json none.json
refused 2 'no ops' compare before.json noops.json
refused 2 'no number' compare before.json text.json
refused 2 'no op in common' compare alone.json lookup.json
refused 2 'expected two' compare before.json
refused 2 'expected two' compare
refused 2 'threshold' compare before.json slower.json --threshold 5
refused 2 'threshold' compare before.json slower.json --threshold -5%
refused 2 'give one' compare before.json slower.json --csv --json
[ ! -e /dev/full ] || {
    status=0
    "$nfsbench" compare before.json slower.json >/dev/full 2>err || status=$?
    [ $status -eq 1 ] || fail "a full device: status $status"
    grep -q 'writing the comparison' err || fail 'a full device is not told'
}
run 0 compare --help
finish
