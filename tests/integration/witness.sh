#!/bin/sh
# The bare echo in the rounds of a run whose server is on this machine: its values in the result, the processor of its process,
# and that the process ends with the run, even if the run is killed.
. "$(dirname "$0")/lib.sh"
need jq taskset

# With self:, the result has the echo's times, also when it is merged from two launches.
result 0 self: getattr,read,mkdir 2000 --launches 2 --no-ledger
holds '[.ops[] | select(.role != "null_control") | .echo_ns.estimate > 0] | all'
holds '.config.rounds as $n | [.ops[] | select(.echo_ns) | .echo_blocks | length == $n and min > 0] == [true, true, true, true]'
holds '[.ops[] | select(.echo_ns) | .op] == ["null", "getattr", "read", "mkdir"]'
result 0 self: getattr 500 --no-ledger --proto udp -v
holds '[.ops[] | select(.echo_ns) | .op] == ["null", "getattr"]'
grep -Eq '^      bare echo +[0-9.]+ ' "$scratch/out" || fail 'the text does not show the echo'
result 0 self: getattr 500 --no-ledger --no-model
holds '[.ops[] | has("echo_ns") or has("echo_blocks")] | any | not'

# echo_of PID: print the echo's process, which PID has started
echo_of() {
    pgrep -P "$1" -f -- '--echo --bind'
}

# runs_on PID CPU: return whether PID and its threads may run only on that processor
runs_on() {
    [ "$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/"$1"/task/*/status | sort -u)" = "$2" ]
}

# With a server that runs already, the echo follows it to its processor. SIGINT and SIGKILL to the run end the echo.
start taskset -c 0 "$nfsbench" serve
for signal in INT KILL; do
    "$nfsbench" "nfs://127.0.0.1:$port/export" getattr 100M --allow-suspect -q >"$scratch/out" 2>&1 &
    client=$!
    others=$client
    within 30 echo_of $client >/dev/null || fail 'there is no echo beside a server on this machine'
    echo=$(echo_of $client)
    within 30 runs_on "$echo" 0 || fail 'the echo is not on the processor of the server'
    if [ $signal = INT ] && [ "$(nproc)" -gt 1 ]; then
        taskset -apc 1 $server_pid >/dev/null
        within 30 runs_on "$echo" 1 || fail 'the echo does not follow the server to another processor'
        taskset -apc 0 $server_pid >/dev/null
    fi
    kill -$signal $client
    wait $client || true
    others=
    within 10 "! kill -0 $echo 2>/dev/null" || fail "after SIG$signal to the client, the echo is left"
done

rm -f "$scratch/result.json"
# If the echo ends, the run continues, and the result has no times of the echo.
"$nfsbench" "nfs://127.0.0.1:$port/export" getattr 5000 --allow-suspect -q --launches 1 --no-ledger \
    -j "$scratch/result.json" >"$scratch/out" 2>&1 &
client=$!
others=$client
within 30 echo_of $client >/dev/null || fail_showing 'there is no echo' "$scratch/out"
kill -9 "$(echo_of $client)"
wait $client || fail_showing 'the run failed with its echo' "$scratch/out"
others=
holds '[.ops[] | has("echo_ns")] | any | not' 'after the echo has ended'
stop
finish
