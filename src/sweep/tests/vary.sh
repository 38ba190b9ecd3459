#!/bin/sh
# --vary: variants of a run in the same rounds, and their differences. (Refused commands: test_sweep_options.c.) Most runs have no
# warm-up, because on a busy machine it takes longer than everything else.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

# Two transports in the same rounds: each op has its difference from the first transport.
result measured self: getattr,read 200 --size 4k --vary proto=tcp,udp --repeat 3
holds '.kind == "experiment" and .preset == "vary" and .varied == "proto" and .reference == "proto=tcp" and .interleaved'
holds '[.cells[] | [.op, .variant]] == [["getattr", "proto=tcp"], ["read", "proto=tcp"], ["getattr", "proto=udp"], ["read", "proto=udp"]]'
# TCP's state is known over TCP; calls that are sent again are counted over UDP.
holds '[.cells[] | select(.variant == "proto=tcp") | .tcp_rtt_ns.units[] > 0 and .tcp_rtt_min_ns.level.estimate > 0 and
    .tcp_retransmitted_share.level.estimate >= 0 and .tcp_rwnd_limited_share.level.estimate >= 0 and
    .udp_resent_share.level == null] | all' 'TCP over TCP'
holds '[.cells[] | select(.variant == "proto=udp") | .udp_resent_share.level.estimate >= 0 and
    ([to_entries[] | select(.key | startswith("tcp_")) | .value.level] | all(. == null))] | all' 'TCP over UDP'
holds '[.cells[] | select(.op == "read") | .rx_bytes_per_call | . == null or .level.estimate > 4096] | all' 'a READ of its own length'
holds '[.cells[] | .units == 3 and .typical_ns.level.estimate > 0 and .above_null_ns.level.estimate != null] | all'
holds '.contrasts | ([.[] | select(.word)] | length == 2) and all(.[]; .quantity != "round_trip" or (.units | length == 3))'
grep -q 'proto=udp' "$scratch/out" || fail 'the table does not name the variants'

# An injected cost of 2 ms is found. Each variant has its own server.
result measured self: getattr 60 --vary "self-args=--cost getattr=1us,--cost getattr=2ms" --repeat 3 --no-warmup
holds '.contrasts[] | select(.quantity == "above_null") | .difference_ns.estimate > 1000000'
holds '[.contrasts[] | select(.word)] | length == 1'
holds '[.cells[].server_cpus.level.estimate > 0] == [true, true]'

# Two options: all combinations are measured. An unavailable variant is left out, with the reason.
result measured self: read --vary depth=1,4 --vary size=1k,64k --max-time 8s --repeat 3 --no-warmup
holds '[.cells[] | [.depth, .size]] | sort == [[1, 1024], [1, 65536], [4, 1024], [4, 65536]]'
holds '[.cells[].little.verdict] | all(type == "string")'
start "$nfsbench" serve --sec sys
result measured getattr 300 --vary "target=nfs://127.0.0.1:$port/export,self:" --repeat 3 --no-warmup
holds '[.cells[].variant | startswith("target=")] == [true, true]'
if "$nfsbench" --version | grep -q Kerberos; then
    result measured "nfs://127.0.0.1:$port/export" getattr 300 --vary sec=sys,krb5 --repeat 3 --no-warmup
    holds '[.cells[].variant] == ["sec=sys"] and [.left_out[].variant] == ["sec=krb5"]'
fi
stop

# Two variants with the same work are compared: in the same rounds with a margin, and one after the other with --group 1.
result measured self: getattr 400 --vary uid=7,8 --equal 50% --repeat 3 --no-warmup
holds '[.contrasts[] | select(.quantity == "round_trip")] | length == 1'
result measured self: getattr 400 --vary uid=7,8 --group 1 --repeat 3 --no-warmup
holds '(.interleaved | not) and ([.contrasts[] | select(.quantity == "round_trip")] | length == 1)'

# Each op has its own scalability law.
result measured self: getattr,read 100 --vary depth=1,2,4,8 --repeat 2 --no-warmup
holds '[.scaling[] | [.op, .variant, .size]] == [["getattr", null, 0], ["read", null, 4096]]'
# A command starts a new server for each variant and pass. The injected difference, 5 ms less 2 ms, is found (more on a busy
# machine), with both servers at the same time on two ports, and with one server after the other on one port.
if unshare -n true 2>/dev/null; then
    fixed=nfs://127.0.0.1:20499/export
    echo "echo >>$scratch/started; exec $nfsbench serve \"\$@\"" >"$scratch/serve"
    serve="sh $scratch/serve --cost getattr"
    alone result measured 127.0.0.1:/export getattr 40 --vary "server-start=$serve=2ms,$serve=5ms" --repeat 3 --no-warmup
    holds '[.cells[].variant | test("=[25]ms$")] == [true, true] and .interleaved'
    holds '.contrasts[] | select(.quantity == "above_null") | .difference_ns.estimate | . > 1000000 and . < 100000000'
    is_crowded ||
        holds '.contrasts[] | select(.quantity == "above_null") | .difference_ns.estimate | . > 2000000 and . < 10000000'
    # With three passes, one of the variants is also measured alone in each pass.
    [ "$(wc -l <"$scratch/started")" -eq 9 ] || fail 'not one server for each variant and visit'
    serve="sh $scratch/serve --port 20499 --cost getattr"
    alone result measured $fixed getattr 40 --vary "server-start=$serve=2ms,$serve=5ms" --group 1 --repeat 3 \
        --no-warmup
    holds '(.interleaved | not) and [.contrasts[] | select(.quantity == "above_null").difference_ns.estimate > 1000000] == [true]'
    # Two servers with one port can't run at once. Variants that don't change the server share one, also in each of two launches.
    alone result 1 $fixed getattr 200 --vary "server-start=$serve=2ms,$serve=5ms"
    grep -q 'server-start=.*another server already answers .* use --group 1' "$scratch/err" || fail 'two servers, one port'
    rm "$scratch/started"
    serve="sh $scratch/serve"
    alone result measured sweep 127.0.0.1:/export getattr 200 --depth 1,2 --server-start "$serve" --launches 2 --allow-suspect
    holds '.launches == 2 and ([.cells[].units] == [2, 2])'
    [ "$(wc -l <"$scratch/started")" -eq 2 ] || fail 'not one server for each visit'
    alone result measured sweep --sec-ladder 127.0.0.1:/export getattr 200 --depth 1 --server-start "$serve" --repeat 2 --allow-suspect
    holds '[.cells[].variant] == ["sys", "none"]'
    # A command that fails, or a server that dies in every attempt, ends the experiment. Endless output of a server is read.
    alone result 1 127.0.0.1:/export getattr 200 --vary "server-start=$serve,exit 4"
    grep -q '^nfsbench: server-start=exit 4 (127.*: the command ended before the server was ready, exit status 4$' \
        "$scratch/err" || fail 'a command that fails'
    alone result 3 sweep 127.0.0.1:/export getattr --depth 1,2 --max-time 60s --no-warmup -t 1s --server-start "timeout 2 $nfsbench serve"
    grep -q '; the command of --server-start ended, exit status 124$' "$scratch/err" || fail 'a server that dies'
    alone result measured $fixed getattr 200 --vary depth=1,2 --repeat 2 --allow-suspect --no-warmup \
        --server-start "$nfsbench serve --port 20499 & yes"
    alone interrupted 0.5 1 127.0.0.1:/export getattr --vary "server-start=$serve,$serve --threads 1" --max-time 60s --no-warmup --no-model
    [ "$(echo "$children" | wc -w)" -eq 2 ] || fail 'not two servers at Ctrl-C'
else
    left_out 'servers that commands start: no network namespace may be made here'
fi

# Each launch makes the complete experiment once, and is one unit. What a launch leaves out is listed once.
result measured self: getattr,read 300 --vary proto=tcp,udp --launches 3 --no-warmup
holds '.launches == 3 and .units_done == 12 and .units_planned == 12 and .reference == "proto=tcp" and .interleaved'
holds '[.cells[].units] == [3, 3, 3, 3] and all(.contrasts[]; .units | length == 3)'
holds '.command | index("--launches") and (map(startswith("--launch=")) | any | not)'
grep -q '12 trials of 300 calls in 3 launches' "$scratch/out" || fail 'the text does not say how many launches'
result measured sweep --sec-ladder self: getattr 200 --launches 2 --allow-suspect
holds '.launches == 2 and .reference == "sys" and ([.cells[].units] | all(. == 2))'
holds '([.left_out[].variant] | length) == ([.left_out[].variant] | unique | length)'

# Ctrl-C reports the trials so far.
interrupted 2 1 self: getattr --vary depth=1,2 --max-time 60s --repeat 60 --no-warmup
holds '[.cells[].units] | add > 2 and add < 120' 'what was measured before Ctrl-C'
finish
