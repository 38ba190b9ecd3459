#!/bin/sh
# Two sides in several launches. Each launch (with 2x2: each second one) has new servers if nfsbench starts them.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq
result=$scratch/result.json

if unshare -n true 2>/dev/null; then
    # Commands start the servers of both sides; the second server has a known cost in GETATTR.
    alone result 0 127.0.0.1:/export getattr 200 --versus 127.0.0.1:/export --launches 2 --block 5 --no-model \
        --no-ledger --allow-suspect --server-start "$nfsbench serve" \
        --versus server-start="$nfsbench serve --cost getattr=10ms"
    holds '[.first, .second | .intervals_speak_of == "program"] | all'
    holds 'contrasts_of("getattr").above_null.difference_ns.estimate > 5000000'
    # On both sides: two servers, with two clients each.
    alone result 0 127.0.0.1:/export getattr 200 --versus 127.0.0.1:/export --launches 2x2 --block 5 --no-model \
        --no-ledger --allow-suspect --server-start "echo A >>$scratch/started; exec $nfsbench serve" \
        --versus server-start="echo B >>$scratch/started; exec $nfsbench serve"
    holds '[.first, .second | [.launches[].server] == [0, 0, 1, 1] and .intervals_speak_of == "program"] | all'
    [ "$(sort "$scratch/started" | tr -d '\n')" = AABB ] || fail 'not two servers for each side'
    alone result 1 127.0.0.1:/export getattr 200 --versus 127.0.0.1:/export --launches 2 \
        --server-start "$nfsbench serve" --versus server-start='exit 4'
    grep -q -e '--versus server-start: the command ended before the server was ready, exit status 4' \
        "$scratch/err" || fail 'the command of the second side dies'
else
    left_out 'servers that commands start: no network namespace may be made here'
fi

# Each launch has new servers on both sides, and its own difference.
run 0 self: getattr 300 --versus self: --launches 3 --block 5 --no-model --allow-suspect -v -j "$result" \
    --self-args '--cost getattr=5ms'
holds '[.first, .second | .intervals_speak_of == "program" and (.launches | length == 3)] | all'
holds '[.first, .second | [.launches[].server] == [0, 1, 2]] | all'
holds '[.first, .second | .launches[].server_pid] | unique | length == 6'
holds '.first.config.calls == 300 and ([.first.ops[].calls] == [300, 300, 300])'
holds 'contrasts_of("getattr") | [.round_trip, .network, .above_null, .mean_above_null | .units | length == 3] | all'
holds '.launches == 3'
# shellcheck disable=SC2016
holds 'contrasts_of("getattr").above_null | .difference_ns.estimate as $mean |
    .units | (add / length) - $mean | fabs < 0.01'
holds 'contrasts_of("getattr").mean_above_null | has("word") and .first_ns.estimate > 4000000 and .second_ns.estimate > 4000000'
grep -q 'the differences within each of 3 launches' "$scratch/out" || fail 'two sides: not by launches'
grep -q 'B - A us in each launch' "$scratch/out" || fail 'two sides: no differences of launches'
run 0 self: getattr 300 --versus proto=udp --launches 2 --block 5 --no-model --no-ledger --allow-suspect \
    -q -j "$result"
holds '[.first, .second | [.launches[].server] == [0, 1]] | all'
refused 3 'launch 1 of 2: B .nfs://' self: getattr 300 --launches 2 \
    --versus "nfs://127.0.0.1:1/export?mountport=1"

refused 2 'must not be self:' self: getattr 300 --versus self: --versus server-start='exit 0'
finish
