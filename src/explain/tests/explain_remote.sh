#!/bin/sh
# The server's residence times from another machine: a server in a separate network namespace, and a command that enters
# it. Injected time is found in the server's work. If the command does not work, the client's phases are shown with the
# reason.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/phases.sh"
need jq unshare nsenter ip

# The test runs in a new network namespace, so that everything in it disappears with the namespace.
if [ -z "${NFSBENCH_IN_NAMESPACE-}" ]; then
    unshare -n true 2>/dev/null || skip "no privilege for network namespaces"
    again "${part:-inside}" env NFSBENCH_IN_NAMESPACE=1 unshare -n
fi
ip link set lo up
directory=$(cd "$(dirname "$nfsbench")" && pwd)
far_network

# explain COMMAND ARGUMENT...: explains calls of the remote server; it must succeed
explain() {
    command=$1
    shift
    result 0 explain "$target" "$@" --sample 1/1 --server-cmd "$command"
}

# missing PATTERN COMMAND: fails unless the client's phases are shown, with a reason that matches PATTERN
missing() {
    explain "$2" getattr 300
    holds ".server_missing | test(\"$1\")" "$2"
    holds '.view == "client" and .explained > 0' "$2"
    holds '[.phases[].key] | index("network-and-server") != null' "$2"
}

start nsenter -t $far_network -n "$nfsbench" serve --bind 10.99.1.2
target="nfs://10.99.1.2:$port/export"

# The agent reports residence times only if eBPF is permitted.
if [ "$part" = server ]; then
nsenter -t $far_network -n "$nfsbench" agent --events --client-port 9 --port "$port" </dev/null >"$scratch/out"
jq -e .ready <"$scratch/out" >/dev/null || skip "eBPF: $(jq -r .missing <"$scratch/out")"
stop

# phase(KEY) in jq: the phase with KEY
phase='def phase($key): .phases[] | select(.key == $key);'
for proto in tcp udp; do
    start nsenter -t $far_network -n "$nfsbench" serve --bind 10.99.1.2 --cost getattr=400us
    target="nfs://10.99.1.2:$port/export?proto=$proto"
    explain "$over_there" getattr 1k
    holds '.view == "joined" and .server_missing == null'
    holds '.explained == .calls and .stamps.events_lost == 0'
    holds '.discrepancy | fabs < 0.02'
    holds "$phase [.phases[].adjusted_ns] | add as \$sum | \$sum > 400000"
    holds "$phase phase(\"server-work\") | .calls > 900 and .min_ns > 400000 and .min_ns < 800000"
    holds '[.phases[] | select(.key != "server-work") | .min_ns] | max < 400000'
    holds "$phase phase(\"network\") | .min_ns > 0 and .second.begins_ns > .begins_ns"
    holds "$phase [phase(\"server-read\"), phase(\"server-send\")] | length == 2"
    # Calls whose reply has several packets are explained.
    explain "$over_there" read 500 --size 32KiB
    holds '.view == "joined" and .explained >= .calls * 0.9'
    stop
done

# Eight calls in flight: the server's thread works on one; the other seven wait in the server.
start nsenter -t $far_network -n "$nfsbench" serve --bind 10.99.1.2 --threads 1 --cost getattr=5ms
target="nfs://10.99.1.2:$port/export"
explain "$over_there" getattr 80 --clients 2 --depth 4 --threads 2
holds '.view == "load-joined" and .server_missing == null'
holds '.explained >= .calls * 0.9 and .discrepancy < 0.02'
holds '([.phases[] | select(.key == ("server-socket", "server-queue", "reply-wait")) | .adjusted_ns] | add) > 4 * 4.9e6'
holds "$phase phase(\"server-work\").adjusted_ns > 4.9e6 and phase(\"network\").adjusted_ns < 4.9e6"
explain "$over_there" null,read 200
holds '.view == "joined" and .server_missing == null and all(.ops[]; .explained >= .calls * 0.9)' 'several ops'
stop

# If the command ends early, all calls are explained by the client's phases.
start nsenter -t $far_network -n "$nfsbench" serve --bind 10.99.1.2
target="nfs://10.99.1.2:$port/export"
cat >"$scratch/some" <<'END'
#!/bin/sh
# Pass on the first nine lines of input, and then no line.
(for _ in 1 2 3 4 5 6 7 8 9; do
    read -r line && echo "$line"
done) | "$@"
END
chmod +x "$scratch/some"
missing 'status|no answer|ended' "$scratch/some $over_there"
explain "$scratch/some $over_there" getattr 300 --no-warmup --block 20
holds '.view == "client" and .explained == .calls and .calls == 300'
stop

# If the server closes the connection, the new one is observed.
start nsenter -t $far_network -n "$nfsbench" serve --bind 10.99.1.2 --reset-after 250
target="nfs://10.99.1.2:$port/export"
explain "$over_there" getattr 1k
holds '.view == "joined" and .server_missing == null and .explained > .calls / 2'
stop
finish
fi

# A ladder needs an echo on the server's machine.
refused 2 "serve --echo --bind 10.99.1.2' there, and give --echo 10.99.1.2:PORT" explain --ladder "$target" getattr 100
nsenter -t $far_network -n "$nfsbench" serve --echo --bind 10.99.1.2 >"$scratch/echo.out" &
echo_pid=$! others=$!
within 10 grep -q ' echo' "$scratch/echo.out" || true
echo_port=$(sed -n 's/^nfsbench serve: ready port=\([0-9]*\) echo.*/\1/p' "$scratch/echo.out")
for proto in tcp udp; do
    result 0 explain --ladder --allow-suspect --proto $proto --echo "10.99.1.2:$echo_port" \
        "nfs://10.99.1.2:$port/export" read 200 -s 32KiB
    holds '(.echo_is_own | not) and .rungs[4].reply_bytes > 32768' "a remote echo, $proto"
done
kill -TERM $echo_pid
wait $echo_pid || fail 'the remote echo did not end normally'

# Commands that fail, and an agent that finds no server. (More failures: unit/test_remote_command.c)
missing 'ended with status 3' "sh -c 'exit 3'"
missing 'no answer' 'echo "{\"schema\":\"nfsbench-agent/1\",\"ready\":true}";'
missing 'listens on port' "env PATH=$directory:$PATH"
# Escape sequences in the command's output are not printed.
missing 'answered' "printf '\\033[31mred\\n';"
! grep -q "$(printf '\033\[31m')" "$scratch/out" || fail 'what the command printed went to the terminal'

# 'nfsbench agent --events' itself.
run 0 agent --events --client-port 9 --port 1
[ "$(jq -r .missing <"$scratch/out" | grep -c 'listens on port 1$')" -eq 1 ] || fail 'the agent does not say what is missing'

# answers FILE: prints a command that is ready, and that answers the end of each block with the line in FILE
answers() {
    printf '%s' "sh -c '"
    printf '%s' 'echo "{\"schema\":\"nfsbench-agent/1\",\"ready\":true}"; while read word; do'
    printf '%s' ' case $word in *begin*) echo "{\"schema\":\"nfsbench-agent/1\",\"ready\":true}";;'
    printf '%s' " *) cat $1;; esac; done' answers"
}
answer='{"schema":"nfsbench-agent/1","events_lost":0,"residences":'
echo 'hello' >"$scratch/babble"
missing "answered 'hello'" "$(answers "$scratch/babble")"
echo "$answer[]}" >"$scratch/none"
missing 'match no call' "$(answers "$scratch/none")"
echo '{"schema":"nfsbench-agent/1","events_lost":7,"residences":[]}' >"$scratch/lost"
refused 1 'no call could be explained.*lost' explain "$target" getattr 100 --server-cmd "$(answers "$scratch/lost")"
echo "$answer[[1,2,3]]}" >"$scratch/short"
missing 'answered' "$(answers "$scratch/short")"
echo '{"schema":"nfsbench-agent/1","missing":"it went away"}' >"$scratch/away"
missing 'it went away' "$(answers "$scratch/away")"
: >"$scratch/silence"
missing 'no answer|ended' "$(answers "$scratch/silence")"
mkfifo "$scratch/late"
missing 'no answer' "$(answers "$scratch/late")"
timeout 5 sh -c ": >'$scratch/late'" || true # gives its child, which waits for a line, an end of file
stop
finish
