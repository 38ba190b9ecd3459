#!/bin/sh
# Runs that change something are killed at random moments: only their scratch directories remain, clean keeps those of
# runs that may be running, and removes exactly the others. On the embedded server and on Ganesha with a file system of
# the kernel. To run it with more: KILLS=30 tests/integration/kills.sh build/src/nfsbench
. "$(dirname "$0")/lib.sh"
need python3

kills=${KILLS:-3}

peer() {
    python3 "$here/scratch_peer.py" "$@"
}

# changing_run: in the background; sets $pid
changing_run() {
    timeout 100 "$nfsbench" "$target" create,mkdir,symlink,remove,rmdir,rename,write 10M \
        --no-ledger --no-warmup -q >/dev/null 2>&1 &
    pid=$!
}

# In this shell's process, not in that of timeout, which would pass SIGKILL on to nobody.
kill_run() {
    pkill -9 -P "$1" || true
    wait "$1" 2>/dev/null || true
}

# kill_and_clean WHERE TARGET: WHERE as scratch_peer.py takes a server
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

    # All of them may still be running; then all but one are made old, and clean removes these.
    run 1 clean -y "$target"
    [ "$(peer "$where" ls / | tr ' ' '\n' | grep '^\.nfsbench-' || true)" = "$left" ] ||
        fail "clean removed the directory of a run that may be running"
    changing_run
    alive=$pid
    for name in $left; do
        case " $(peer "$where" ls "$name") " in
        *' .nfsbench-lease '*) peer "$where" age "$name/.nfsbench-lease" 3600 ;;
        *) echo "no lease: $name" ;;
        esac
    done
    run 1 clean -y "$target"
    grep -c ' removed$' "$scratch/out" | sed 's/$/ removed by clean/'
    for name in $(peer "$where" ls / | tr ' ' '\n' | grep '^\.nfsbench-'); do
        case $name in
        *-"$(pgrep -P $alive)"-*) ;;
        *) [ "$(peer "$where" ls "$name")" != .nfsbench-lease ] && [ -z "$(peer "$where" ls "$name")" ] ||
            fail "clean left $name: $(peer "$where" ls "$name")" ;;
        esac
    done
    kill -0 $alive || fail "the running run has ended"
    kill_run $alive
}

if [ "${NFSBENCH_KILLS_ON-}" = ganesha ]; then
    kill_and_clean 20490,20491,/run/ganesha/export 127.0.0.1:/run/ganesha/export
    finish
    exit 0
fi
start "$nfsbench" serve
kill_and_clean "$port" "nfs://127.0.0.1:$port/export"
stop
status=0
NFSBENCH_KILLS_ON=ganesha "$top/scripts/with-ganesha" -v "$0" "$nfsbench" || status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || fail "on Ganesha"
finish
