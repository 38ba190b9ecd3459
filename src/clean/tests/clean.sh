#!/bin/sh
# nfsbench clean checks leases twice. A run whose lease was renewed meanwhile is alive, however old the lease seems by
# the server's clock, even on a server without access times. Directories of runs that were killed before their lease was
# complete are removed. The commands of this test run at the same time, because the checks are half a minute apart.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need python3

start "$nfsbench" serve
server_port=$port
direct=nfs://127.0.0.1:$port/export
. "$here/proxy.sh"
with no-atime

# begin_run DIRECTORY: start a run in DIRECTORY, and make its lease an hour old, as if the server's clock had been set forward
begin_run() {
    "$nfsbench" "$direct/$1" getattr,create 10M --no-ledger --no-warmup --no-model -q >/dev/null 2>&1 &
    others="$others $!"
    filled "$1" "-$!-" || true
    peer age "$1/$name/.nfsbench-lease" 3600
}

# begin_clean NAME TARGET: start clean in the background; its output is in NAME.out and NAME.err, its status in NAME.status
begin_clean() {
    (
        status=0
        timeout -k 5 120 env --default-signal=INT "$nfsbench" clean -y "$2" >"$scratch/$1.out" 2>"$scratch/$1.err" \
            </dev/null || status=$?
        echo $status >"$scratch/$1.status"
    ) &
}

# cleaned NAME STATUS: wait for the clean called NAME, which must end with exit status STATUS
cleaned() {
    within 60 [ -s "$scratch/$1.status" ] || true
    [ "$(cat "$scratch/$1.status")" = "$2" ] ||
        fail_showing "$1: not status $2" "$scratch/$1.status" "$scratch/$1.out" "$scratch/$1.err"
    [ "$(grep -c '^nfsbench: waiting .* Ctrl-C' "$scratch/$1.err")" -eq 1 ] || fail "$1: it does not say that it waits"
}

# says NAME PATTERN: check that the output of the clean called NAME matches PATTERN
says() {
    grep -Eq "$2" "$scratch/$1.out" "$scratch/$1.err" ||
        fail_showing "$1: not reported: $2" "$scratch/$1.out" "$scratch/$1.err"
}

for directory in ahead no-atime half stopped young; do
    peer mkdir $directory 755
done
for directory in ahead no-atime; do
    peer leftovers $directory 1
    begin_run $directory
    eval "live_$(echo $directory | tr - _)=$name"
done

# Directories of runs that were killed before their lease was made or written, and directories that another user may have made
for number in 1 2 3 4; do
    peer mkdir half/.nfsbench-HOST-99999$number-0000aaaa 700
done
peer put half/.nfsbench-HOST-999992-0000aaaa/.nfsbench-lease ''
peer put half/.nfsbench-HOST-999993-0000aaaa/.nfsbench-lease ''
peer put half/.nfsbench-HOST-999993-0000aaaa/thesis mine
peer mkdir half/.nfsbench-HOST-999995-0000aaaa 755
for directory in stopped young; do
    peer leftovers $directory 1
done

begin_clean ahead "$direct/ahead"
begin_clean no-atime "$target/no-atime"
begin_clean half "$direct/half"
"$nfsbench" clean --help | grep -q 'not renewed within 32 s' || fail 'the help does not say how far looks are apart'

# After the first check, this empty directory gets a lease that nfsbench did not write, so it is not removed.
within 10 [ -s "$scratch/half.err" ] || true
peer put half/.nfsbench-HOST-999994-0000aaaa/.nfsbench-lease 'soon'

# Ctrl-C while clean waits: nothing is removed.
env --default-signal=INT "$nfsbench" clean -y "$direct/stopped" >"$scratch/out" 2>"$scratch/err" </dev/null &
client=$!
within 10 grep -q 'waiting' "$scratch/err" || true
kill -INT $client 2>/dev/null || true
ended_with 1 'Ctrl-C while clean waits'
grep -q '^nfsbench: interrupted; nothing was removed$' "$scratch/err" || fail 'Ctrl-C while clean waits: not reported'
[ "$(peer ls stopped)" = .nfsbench-elsewhere-4000-00000000 ] || fail 'Ctrl-C: something was removed'

# If nothing may be removed, clean neither waits nor changes the lease, with access times or without.
lease=young/.nfsbench-elsewhere-4000-00000000/.nfsbench-lease
peer age $lease 20
for export in "$direct" "$target"; do
    refused 1 '1 directory stays' clean -y "$export/young"
    grep -Eq 'alive [2-5][0-9] s ago' "$scratch/out" || fail "a lease of 20 s: $(cat "$scratch/out")"
done
[ "$(peer since $lease)" -ge 20 ] || fail 'clean renewed a lease'
# Clean does not wait either if the lease says that the run has ended.
run 0 "$direct" create 20 --scratch ended --keep-scratch --no-ledger -q
run 0 clean -y "$direct" --scratch ended
[ ! -s "$scratch/err" ] || fail "it waits for a run that has ended: $(cat "$scratch/err")"

cleaned ahead 1
says ahead "$live_ahead stays: its run .*alive"
says ahead 'elsewhere-4000-00000000 removed'
cleaned no-atime 1
says no-atime "$live_no_atime stays: its run .*alive"
says no-atime 'elsewhere-4000-00000000 removed'
cleaned half 1
[ "$(peer ls half)" = '.nfsbench-HOST-999993-0000aaaa .nfsbench-HOST-999994-0000aaaa .nfsbench-HOST-999995-0000aaaa' ] ||
    fail "half-made directories: $(peer ls half)"
says half '999993-0000aaaa stays: .*has files, but no valid .*; inspect the directory, and remove it by hand'
says half '999994-0000aaaa stays: .*was not written by nfsbench.*by hand'
says half '999995-0000aaaa stays: the directory is empty.*remove it by rmdir'
finish
