#!/bin/sh
# A result that a run wrote as JSON is read back, written as the same bytes and shown as the same text, for any kind of run.
# A command that needs measurements refuses other kinds by name.
. "$(dirname "$0")/lib.sh"
need jq
recorded=$top/tests/golden/results
: "${RESULT_AGAIN:?the program tests/integration/result_again}"
cd "$scratch"

again() { # again NAME FORM: read NAME.json; writing it again must give NAME.json and NAME.txt
    "$RESULT_AGAIN" "$1.json" json >"$1.again" || fail "$1: not read"
    cmp "$1.json" "$1.again" || fail "$1: other JSON"
    "$RESULT_AGAIN" "$1.json" "$2" >"$1.shown" || fail "$1: not read"
    diff "$1.txt" "$1.shown" || fail "$1: other text"
}
made() { # made NAME ARGUMENT...: make NAME.json and NAME.txt with a run
    name=$1
    shift
    run 0 --allow-suspect "$@" -j "$name.json" 2>/dev/null || true
    cp out "$name.txt"
}
# The verdict is not tested, because it may be that of a busy machine.
run() {
    shift
    "$nfsbench" "$@" >out 2>err || [ $? -eq 1 ] || fail "$*: $(cat err)"
}
printf 'getattr 5\nlookup 3\nread 2\n' >small
while read -r name form arguments; do
    # shellcheck disable=SC2086
    made "$name" self: $arguments </dev/null
    # If other processes use the processor, even this rate can be too high. Then the run has no result.
    if [ "$name" = open ] && grep -q "can't be reached" err; then
        left_out "an open loop's result, as 100 calls a second can't be made here"
    else
        again "$name" "$form"
    fi
done <<'RUNS'
plain text getattr,read 400 --block 10
verbose verbose getattr,read 400 --block 10 -v
udp verbose lookup,access 300 --block 10 -p udp -v --no-model
precise verbose getattr --max-time 2s --no-ledger -v
alone verbose null,getattr 300 --block 10 --no-baseline -v
mount verbose mount-null,mount-export,getattr 200 --block 10 -v
group verbose read-only 60 --block 10 -v
changing verbose create,write 60 --block 10 --verify -v
mix verbose mix:small 600 --block 30 -v
load verbose getattr 400 --block 20 --clients 3 --depth 2 -v
open verbose getattr 60 --block 20 --clients 2 --depth 2 --rate 100 -v
tirpc verbose getattr 200 --engine tirpc --block 10 -v
RUNS
jq '.seed = -5 | .cut_short = true | .cut_short_by = "interrupted"
    | .ops[2].errors = {NFS3ERR_JUKEBOX: 3, SHORT_READ: 1}' plain.json >changed.json
"$RESULT_AGAIN" changed.json json >first.json
"$RESULT_AGAIN" first.json json >second.json
cmp first.json second.json || fail 'what was changed is not kept'
jq -e '.seed == -5 and .cut_short_by == "interrupted" and .ops[2].errors.SHORT_READ == 1' first.json \
    >jq.out || fail 'what was changed is lost'

# A space separates even a long interval from the words after it. The costs are made up, because on a busy machine a
# run may not split them.
jq '.ops[2] |= (del(.failed_model) | .model = {bytes_ns: {estimate: 10, ci95: [-304380, 277104]},
    pause_ns: {estimate: 10, ci95: [-304380, 277104]}, server_ns: {estimate: 100, ci95: [50, 150]}, extrapolated: false})' \
    plain.json >wide.json
"$RESULT_AGAIN" wide.json verbose >wide.txt
[ "$(grep -c '\[-304.380, 277.104\]  *[a-z]' wide.txt)" -eq 2 ] || fail 'an interval runs into the text after it'

# A part of a cost that is below 0 beyond its interval is not shown, in any form, but kept for merges.
jq '.ops[2].model.bytes_ns = {estimate: -303600, ci95: [-310000, -297000]} | .ops[2].above_null_ns.distinguishable = true |
    .model.call_ns_per_byte = {estimate: -0.7, ci95: [-0.8, -0.6]}' wide.json >below.json
"$RESULT_AGAIN" below.json verbose >below.verbose
"$nfsbench" report below.json -o below.html
! grep -e '-303.6' below.verbose below.html || fail 'a failed model is a figure'
grep -q 'not split: the part bytes was estimated significantly below 0' below.verbose || fail 'no word of the failed model'
grep -q 'the model failed: the cost of a byte of a call' below.verbose || fail 'no word of the failed rate'
"$RESULT_AGAIN" below.json json >below.again
jq -e '.ops[2] | (has("model") | not) and .failed_model.part == "bytes" and .failed_model.bytes_ns.estimate == -303600' \
    below.again >jq.out || fail 'a failed model in JSON'
"$RESULT_AGAIN" below.again json | cmp -s below.again - || fail 'a failed model is not kept'

# Kinds
refuses() { # refuses FILE NAME: no command that needs measurements takes FILE, which is NAME
    for command in compare report; do
        status=0
        "$nfsbench" $command "$1" "$1" -o x.html --force 2>err || status=$?
        [ $command != compare ] || "$nfsbench" compare "$1" "$1" 2>err || status=$?
        [ $status -eq 2 ] || fail "$command $1: status $status"
        grep -q "$command takes measurements.*; .* is $2" err || fail "$command $1: $(cat err)"
        [ "$(wc -l <err)" -eq 1 ] || fail "$command $1: not one line"
    done
}
takes() { # takes FILE TEXT: all commands take it; a comparison with itself has TEXT
    run 0 compare "$1" "$1"
    grep -q "$2" "$scratch/out" || fail "compare $1: no '$2'"
    run 0 report "$1" -o picture.svg --force
    run 0 report "$1" "$1" -o page.html --force
    grep -q '</html>' page.html || fail "report $1: it is not whole"
}
takes "$recorded/sweep.json" 'mean rate, calls/s'
takes "$recorded/versus.json" 'second less first'
run 0 sweep --allow-suspect --depth 1,2 self: getattr 100 --repeat 2 -q -j sweep.json
takes sweep.json 'getattr, depth 2'
run 0 compare "$recorded/measurement.json" "$recorded/again.json" --json -
mv out comparison.json
refuses comparison.json 'a comparison'
finish
