#!/bin/sh
# Runs that change something are killed at random times. Only their scratch directories remain. clean keeps the directories of
# runs that may be running, and removes the other ones. On the embedded server and on Ganesha with a file system of the kernel.
# To run it with more: KILLS=30 tests/integration/kills.sh build/src/nfsbench
. "$(dirname "$0")/lib.sh"
need python3

kills=${KILLS:-3}

# changing_run: start a run in the background; sets $pid
changing_run() {
    timeout 100 "$nfsbench" "$target" create,mkdir,symlink,remove,rmdir,rename,write 10M \
        --no-ledger --no-warmup -q >/dev/null 2>&1 &
    pid=$!
}

# This kills the child of timeout, because timeout can't pass on SIGKILL.
kill_run() {
    pkill -9 -P "$1" || true
    wait "$1" 2>/dev/null || true
}

# kill_and_clean WHERE TARGET: kill runs on TARGET, then clean up. WHERE is scratch_peer.py's argument for the server.
kill_and_clean() {
    where=$1 target=$2
    before=$(peer "$where" ls /)
    for _ in $(seq "$kills"); do
        changing_run
        sleep "$(awk -v seed="$pid" 'BEGIN { srand(seed); print rand() * 2 }')"
        kill_run $pid
    done
    left=$(peer "$where" ls / | tr ' ' '\n' | grep '^\.nfsbench-' || true)
    [ "$(peer "$where" ls / | tr ' ' '\n' | grep -v '^\.nfsbench-' | tr '\n' ' ')" = "$before " ] ||
        fail "not only scratch directories are left: $(peer "$where" ls /)"
    echo "$target: $kills killed, $(echo "$left" | grep -c . || true) directories left"

    # The first clean waits half a minute for leases to be renewed, and then removes only directories without a lease. When the
    # other leases are set to ended, the second clean removes their directories.
    whole=$(for name in $left; do
        [ -z "$(peer "$where" get "$name/.nfsbench-lease" 2>/dev/null || true)" ] || echo "$name"
    done)
    run 1 clean -y "$target"
    [ "$(peer "$where" ls / | tr ' ' '\n' | grep '^\.nfsbench-' || true)" = "$whole" ] ||
        fail "clean removed the directory of a run that may be running, or left one that was never whole"
    changing_run
    alive=$pid
    for name in $whole; do
        peer "$where" age "$name/.nfsbench-lease" ended
    done
    run 1 clean -y "$target"
    grep -c ' removed$' "$scratch/out" | sed 's/$/ removed by clean/'
    for name in $(peer "$where" ls / | tr ' ' '\n' | grep '^\.nfsbench-'); do
        case $name in
        *-"$(pgrep -P $alive)"-*) ;;
        *) fail "clean left $name: $(peer "$where" ls "$name")" ;;
        esac
    done
    kill -0 $alive || fail "the running run has ended"
    kill_run $alive
}

if [ "$part" = ganesha ]; then
    kill_and_clean 20490,20491,/run/ganesha/export 127.0.0.1:/run/ganesha/export
    finish
fi
start "$nfsbench" serve
kill_and_clean "$port" "nfs://127.0.0.1:$port/export"
stop
finish
