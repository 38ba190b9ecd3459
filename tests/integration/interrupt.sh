#!/bin/sh
# Ctrl-C: the result so far is printed, marked as cut short; the export is unmounted; the server of self: ends, whatever
# happens to the client.
. "$(dirname "$0")/lib.sh"
need jq pgrep nfs-ls

children() {
    pgrep -P "$1" || true
}

# ended PID: wait up to half a minute until the process has ended; returns 1 if it has not
ended() {
    within 30 "! kill -0 $1 2>/dev/null"
}

# connected PID COUNT: wait until the nfsbench PID has COUNT connections: the first is for its set-up, the second for the
# measurement
connected() {
    for _ in $(seq 2000); do
        # shellcheck disable=SC2012
        [ "$(ls -l /proc/"$1"/fd 2>/dev/null | grep -c socket:)" -lt "$2" ] || return 0
        sleep 0.01
    done
    fail "process $1 does not connect"
}

# interrupt SIGNAL SECONDS: start a long run on self:, and send it SIGNAL when SECONDS have passed since it connected for the
# measurement; sets $status, and $child to the server's pid
interrupt() {
    begin self: getattr 20M --launches 1 --no-warmup --no-model --allow-suspect
    connected $client 2
    child=$(children $client)
    sleep "$2"
    kill -"$1" $client
    await "SIG$1"
}

for signal in INT TERM; do
    # On a busy machine the first rounds may take long.
    for seconds in 3 10 30; do
        interrupt $signal $seconds
        [ $status -ne 0 ] || break
    done
    [ $status -eq 0 ] || fail_showing "SIG$signal: status $status" "$scratch/out" "$scratch/err"
    holds '.cut_short and .cut_short_by == "interrupted"'
    holds '.config.rounds > 0 and .config.rounds < .config.rounds_planned'
    holds '.config.rounds as $n | [.ops[].blocks | length == $n] | all'
    is_crowded || holds '.setup.unmount_ns > 0' # on a busy machine, the time to unmount may be too short
    [ -n "$child" ] || fail "no server was started"
    ended "$child" || fail "SIG$signal: the server still runs"
done

# While the scratch directory is filled, calls are answered before a signal can interrupt a wait. Set-up ends, nothing is
# measured, and the directory is removed.
start "$nfsbench" serve
for n in 1 2 3 4 5; do
    begin "nfs://127.0.0.1:$port/export" create 10 --dir-size 1000000
    within 20 grep -q 'removed at the end' "$scratch/err" || true
    sleep 0.3
    kill -INT $client
    await "interrupted during set-up, $n"
    [ $status -eq 1 ] && [ ! -e "$scratch/result.json" ] && grep -q interrupted "$scratch/err" ||
        fail_showing "interrupted during set-up, $n: status $status, it continued, or it does not report this" \
            "$scratch/out" "$scratch/err"
done
clean_now 'interrupted during set-up'
stop

# Every other signal that would end the process ends the run as Ctrl-C does.
start "$nfsbench" serve
target="nfs://127.0.0.1:$port/export"
for signal in HUP QUIT USR1 USR2 ALRM VTALRM PROF XCPU IO PWR RTMIN; do
    begin "$target" create 20M --launches 1 --no-warmup --no-model --allow-suspect
    connected $client 2
    worked $client 0.2
    kill -$signal $client
    await "SIG$signal"
    [ $status -le 1 ] || fail_showing "SIG$signal: status $status" "$scratch/err"
done
clean_now signals

# If RLIMIT_FSIZE is too small for the result, the run fails. The directory is removed, and no part of the file is left.
mkdir "$scratch/short"
status=0
(
    ulimit -f 1
    "$nfsbench" "$target" create 50 --launches 1 --allow-suspect -q -j "$scratch/short/result.json" 2>"$scratch/err"
) || status=$?
[ $status -eq 1 ] && grep -q 'EFBIG' "$scratch/err" || fail_showing "RLIMIT_FSIZE: status $status" "$scratch/err"
left_nothing "$scratch/short"
clean_now RLIMIT_FSIZE
stop

# It is an error if a server's --call-log lacks calls.
start "$nfsbench" serve --call-log /dev/full
run 0 "nfs://127.0.0.1:$port/export" getattr 50 --launches 1 -q
kill -TERM "$server_pid"
status=0
wait "$server_pid" || status=$?
server_pid=
[ $status -eq 1 ] && grep -q '^nfsbench: writing --call-log: No space left on device' "$scratch/server.err" ||
    fail_showing "a call log that can't be written: status $status" "$scratch/server.err"

# If a server stops answering, neither the current call nor unmounting delays the end, although the timeout is longer than
# this test waits.
# frozen ARGUMENT...: interrupt a run whose server has stopped answering
frozen() {
    begin "$@" 20M --launches 1 --no-warmup --no-model --no-ledger --allow-suspect --timeout 200s
    connected $client 1
    sleep 0.5
    freeze "$server_pid"
    sleep 0.5
    kill -INT $client
    await "frozen, Ctrl-C: $*"
    kill -CONT "$server_pid"
    grep -q interrupted "$scratch/err" || fail_showing "frozen: it does not say so: $*" "$scratch/err"
}

start "$nfsbench" serve
target="nfs://127.0.0.1:$port/export"
for engine in $(engines wire tirpc libnfs); do
    frozen "$target" getattr --engine $engine
    frozen "$target" getattr --engine $engine --clients 3
    [ $engine = libnfs ] || frozen "$target?proto=udp" getattr --engine $engine
done
stop

interrupt KILL 3
[ -n "$child" ] || fail "no server was started"
ended "$child" || {
    kill -9 "$child"
    fail "SIGKILL: the server outlived its client"
}
finish
