#!/bin/sh
# Ctrl-C: the result so far, marked as cut short; the export unmounted; the server of self: gone,
# whatever happens to the client.
. "$(dirname "$0")/lib.sh"
need jq pgrep

# The children of process $1.
children() {
    pgrep -P "$1" || true
}

# ended PID: is it gone, within a few seconds?
ended() {
    for _ in $(seq 100); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.05
    done
    return 1
}

# interrupt SIGNAL: start a long run on self:, send it SIGNAL when its rounds are under way; sets
# $status and $child, the server's pid.
interrupt() {
    rm -f "$scratch/result.json"
    # A background process of a shell ignores SIGINT unless told otherwise.
    env --default-signal=INT "$nfsbench" self: getattr 20M --no-warmup --no-model --allow-suspect \
        -j "$scratch/result.json" >"$scratch/out" 2>"$scratch/err" &
    client=$!
    child=
    for _ in $(seq 100); do
        child=$(children $client)
        [ -z "$child" ] || break
        sleep 0.05
    done
    sleep 3
    kill -"$1" $client
    status=0
    wait $client || status=$?
}

for signal in INT TERM; do
    interrupt $signal
    [ $status -eq 0 ] || fail "SIG$signal: status $status"
    grep -q 'CUT SHORT' "$scratch/out" || fail "SIG$signal: not marked as cut short"
    holds '.cut_short and .cut_short_by == "interrupted"'
    holds '.config.rounds > 0 and .config.rounds < .config.rounds_planned'
    holds '.config.rounds as $n | [.ops[].blocks | length == $n] | all'
    holds '.setup.unmount_ns > 0'
    [ -n "$child" ] || fail "no server was started"
    ended "$child" || fail "SIG$signal: the server is still there"
done

interrupt KILL
[ -n "$child" ] || fail "no server was started"
ended "$child" || {
    kill -9 "$child"
    fail "SIGKILL: the server outlived its client"
}
finish
