#!/bin/sh
# Two sides in the same rounds: each side is as complete as a separate run; differences are found and attributed to the right
# part of a call; errors are reported with the name of their side.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq pgrep

second_pid=
trap '[ -z "$second_pid" ] || kill -9 "$second_pid" 2>/dev/null; cleanup' EXIT

# start_second ARGUMENT...: start another server, and set $second to its URL.
start_second() {
    : >"$scratch/second.out"
    "$nfsbench" serve "$@" >"$scratch/second.out" 2>&1 &
    second_pid=$!
    within 10 grep -q mountport "$scratch/second.out" || fail "the second server did not start"
    second=$(sed -n 's/.*port=\([0-9]*\) mountport.*/\1/p' "$scratch/second.out")
    second="nfs://127.0.0.1:$second/export?mountport=$second"
}

stop_second() {
    kill "$second_pid"
    wait "$second_pid" || true
    second_pid=
}

# whole WHAT: check that both sides are complete results of the same rounds, and that the parts of a call add up to the total.
whole() {
    holds '.schema == "nfsbench-result/2" and .kind == "experiment" and .preset == "versus"' "$1"
    holds '[.first, .second | .schema == "nfsbench-result/2" and .kind == "measurement" and (.cut_short | not)] | all' "$1"
    holds '[.first, .second | .ops[].errors == {}] | all' "$1"
    holds '.first.config.rounds == .second.config.rounds' "$1"
    holds '[.first, .second | .config.rounds as $n | .ops[].blocks | length == $n] | all' "$1"
    holds '([.first.ops[].op] == [.second.ops[].op]) and ([.first.ops[].op] + [.second.ops[].op] == [.cells[].op])' "$1"
    # shellcheck disable=SC2016
    holds 'def near($a; $b): ($a - $b | fabs) < 1;
        def sides: [.first_ns.estimate, .second_ns.estimate, .difference_ns.estimate];
        . as $root | [.first.ops[].op as $op | $root | contrasts_of($op) | select(.network) |
        (.round_trip | sides) as $all | (.network | sides) as $network | (.above_null | sides) as $cost |
        range(3) as $i | near($all[$i]; $network[$i] + $cost[$i])] | all' "$1"
    # shellcheck disable=SC2016
    holds '. as $root | [.first.ops[].op as $op | $root | contrasts_of($op) | select(.server) |
        .above_null.difference_ns.estimate - ([.bytes, .pause, .server] | map(.difference_ns.estimate) | add) |
        fabs < 1] | all' "$1"
    holds '[.contrasts[] | .. | .ci95? // empty | .[0] <= .[1]] | all' "$1"
}

# A known cost of one server, 10 ms in GETATTR, is attributed to the server, not to the network.
start "$nfsbench" serve
first="nfs://127.0.0.1:$port/export?mountport=$port"
start_second --cost getattr=10ms
run 0 "$first" getattr,access 200 --block 10 --versus "$second" -j "$scratch/result.json"
whole 'a known cost'
# (On a busy machine the cost takes longer, differences are less certain, and the round trip may not be split into parts.)
is_crowded || {
    holds 'contrasts_of("getattr").round_trip.word == "slower"' 'a known cost'
    holds 'contrasts_of("getattr").server.difference_ns.estimate | . > 5000000 and . < 20000000' 'a known cost'
    holds 'contrasts_of("getattr").network.difference_ns.estimate | fabs < 5000000' 'a known cost'
}
holds '[.first, .second | .ledger.passes > 0] | all'
grep -q '^A:' "$scratch/out" || fail 'no table of A'
grep -q '^B:' "$scratch/out" || fail 'no table of B'
is_crowded || grep -A 1 '^  getattr ' "$scratch/out" | tail -n 2 | grep -q 'slower; B is .* times A' ||
    fail_showing 'the text does not say how much slower' "$scratch/out"
is_crowded || grep -A 1 '^      server ' "$scratch/out" | grep -q slower ||
    fail_showing 'the text does not say that the server is slower' "$scratch/out"
! grep -q "$(printf '\033')" "$scratch/out" || fail 'colours without a terminal'
# With the sides exchanged, the second one is faster. Without the cost model, there is no part of the server.
run 0 "$second" getattr 300 --block 10 --versus "$first" --no-model --no-ledger \
    -j "$scratch/result.json"
whole 'the other way round'
holds 'contrasts_of("getattr") | has("server") | not' 'the other way round'
is_crowded || {
    holds 'contrasts_of("getattr").above_null.word == "faster"' 'the other way round'
    grep -A 1 '^      above null ' "$scratch/out" | grep -q faster || fail 'the text does not say faster'
}
# Without a baseline only round trips are compared.
run 0 "$first" getattr 300 --block 10 --versus "$second" --no-baseline --no-ledger \
    -j "$scratch/result.json"
whole 'without a baseline'
holds '[.contrasts[].quantity] == ["round_trip"]' 'without a baseline'
is_crowded || holds '.contrasts[0].word == "slower"' 'without a baseline'
# --json - prints only JSON.
run 0 "$first" getattr 200 --versus "$second" --no-ledger -j -
jq -e .contrasts "$scratch/out" >/dev/null || fail '--json - is not only JSON'
run 0 "$first" getattr 200 --versus "$second" --no-ledger --hist
[ "$(grep -c ' us .*#' "$scratch/out")" -ge 4 ] || fail 'no histograms of both sides'

# Errors name their side.
stop_second
start_second --error access=NFS3ERR_IO
refused 1 "B .nfs://.*NFS3ERR_IO" "$first" access 200 --versus "$second"
# An op that one side lacks is measured on neither side, and reported.
run 0 "$first" read-only 100 --versus "$second" --no-ledger -j "$scratch/result.json"
whole 'a group'
holds '[.first.ops[].op] | index("access") == null and index("getattr") != null'
holds '.first.skipped == [{"op": "access", "reason": "B lacks it: NFS3ERR_IO"}]'
holds '.second.skipped == [{"op": "access", "reason": "NFS3ERR_IO"}]'
grep -q 'access *left out: B lacks it: NFS3ERR_IO' "$scratch/out" || fail 'what is left out is not reported'
# For ops that change files, each side has its own directory, which is removed, even with both sides on one server.
for other in "$second" "$first"; do
    run 0 "$first" create,remove,rename,write 200 --versus "$other" --verify --no-ledger \
        -j "$scratch/result.json"
    whole "changing, $other"
    [ "$(grep -c 'removed at the end' "$scratch/err")" -eq 2 ] || fail 'not two directories reported'
    ! grep -q 'belongs to another run' "$scratch/err" || fail 'the other side is mistaken for another run'
    for side in "$first" "$other"; do
        run 0 clean "$side" --yes
        ! grep -q removed "$scratch/out" || fail "left on $side"
    done
done
# Of a mix, both sides omit an op that one side lacks. With --strict, the run is refused instead.
refused 1 "B .nfs://.*NFS3ERR_IO" "$first" mix:sfs2008 1k --versus "$second" -q --strict
run 0 "$first" mix:sfs2008 1k --versus "$second" --no-ledger -j "$scratch/result.json"
holds '[.first, .second | .config.mix.name] == ["sfs2008 less access", "sfs2008 less access"]' 'a mix less an op'
holds '[.first, .second | .ops[].op] | any(. == "access") | not' 'a mix less an op'
stop_second
start_second
run 0 "$first" mix:sfs2008 1k --versus "$second" --no-ledger -j "$scratch/result.json"
whole 'a mix'
holds 'contrasts_of("mix").round_trip.difference_ns.estimate'

# The second server ends during the run: the rounds so far are reported, and the message names B.
begin "$first" getattr 10M --versus "$second" --no-warmup --no-model -t 1s --allow-suspect --launches 1
worked $client 0.7
kill -9 "$second_pid"
wait "$second_pid" 2>/dev/null || true
second_pid=
ended_with 3 'the second server ended'
grep -q '^nfsbench: B (nfs://' "$scratch/err" || fail 'the server that ended is not named'
holds '.first.cut_short and .second.cut_short and .first.config.rounds > 0'
holds '.first.setup.unmount_ns > 0' 'the side that lives is unmounted'
# If a side's server can't be reached, the message names the side.
refused 3 "B .nfs://" "$first" getattr 100 --versus "$second"
refused 3 "A .nfs://" "$second" getattr 100 --versus "$first"
stop

# With the target self: on both sides, each side has its own server, or both share one over two transports or with two engines.
run 0 self: getattr,read 2k --versus self: -j "$scratch/result.json"
whole 'self: and self:'
holds '.first.target.nfs_port != .second.target.nfs_port'
holds '.first.config.server_cpu == .second.config.server_cpu'
holds '.first.ledger.server_pid != .second.ledger.server_pid'
run 0 self: getattr,read 2k --versus proto=udp -j "$scratch/result.json"
whole 'TCP and UDP'
holds '.first.target.proto == "tcp" and .second.target.proto == "udp"'
holds '.first.target.nfs_port == .second.target.nfs_port'
run 0 self: getattr,read 2k --versus engine=tirpc -j "$scratch/result.json"
whole 'two engines'
holds '.first.config.engine == "wire" and .second.config.engine == "tirpc"'
run 0 self: getattr --max-time 4s --versus self: --precision 0.01% --no-ledger \
    -j "$scratch/result.json"
whole 'without COUNT'
holds '.first.config.calls == null and .second.config.precision.reached == false'
run 0 self: all 20 --versus self: --no-ledger --no-warmup --self-args '--cost null=1us' -j "$scratch/result.json"
whole 'all ops'

# Ctrl-C: both results so far are reported, both sides are unmounted, both servers have ended.
interrupted 0.7 0 self: getattr,create 10M --versus self: --no-warmup --no-model --allow-suspect --launches 1
holds '[.first, .second | .cut_short and .cut_short_by == "interrupted" and .setup.unmount_ns > 0] | all'
holds '[.contrasts[] | select(.quantity == "round_trip")] | length == 3'
[ "$(echo "$children" | wc -w)" -eq 2 ] || fail 'not two servers'

# A full disk. Two measurements of two sides can be compared, but not one with a single side.
refused 1 "No space left" self: getattr 20 --versus self: -q -j /dev/full
run 0 compare "$scratch/result.json" "$scratch/result.json"
holds_text() { grep -q "$1" "$scratch/out" || fail "the comparison of two measurements of two sides lacks '$1'"; }
holds_text 'result.json, first: '
holds_text 'result.json, second: '
holds_text 'second less first, us'
jq .first "$scratch/result.json" >"$scratch/one.json"
refused 2 'expected results of one kind' compare "$scratch/result.json" "$scratch/one.json"
finish
