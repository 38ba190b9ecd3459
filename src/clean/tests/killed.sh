#!/bin/sh
# nfsbench clean: the directory of a killed run is reported by the next run, and removed once its lease has ended. The
# directory of a live run stays.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need nfs-ls python3

start "$nfsbench" serve
target=nfs://127.0.0.1:$port/export
"$nfsbench" "$target" create 10M --no-ledger --no-warmup -q >/dev/null 2>&1 &
pid=$!
within 30 'names | grep -q -e "-$pid-"' || true
kill -9 $pid
wait $pid 2>/dev/null || true
case $(names) in *.nfsbench-*) ;; *) fail "the killed run left nothing to find" ;; esac
run 0 "$target" remove 50 --no-ledger
grep -q 'belongs to another run' "$scratch/err" || fail "what was left was not reported"
# The killed run counts as alive for three minutes. The test then sets its lease to ended, so that clean does not wait.
run 1 clean --yes "$target"
grep -q 'stays: its run .process .* was alive' "$scratch/out" || fail "clean does not report the lease"
case $(names) in *.nfsbench-*) ;; *) fail "clean removes a directory whose lease has not expired" ;; esac
python3 "$here/scratch_peer.py" "$port" age "$(names | tr ' ' '\n' | grep '^\.nfsbench-')/.nfsbench-lease" ended
run 1 clean "$target"
grep -q -- --yes "$scratch/out" || fail "clean does not say what to do without a terminal"
run 0 clean --yes "$target"
clean_now "clean"
run 0 clean "$target"
grep -q 'nothing to remove' "$scratch/out" || fail "clean finds something in an empty directory"
refused 2 'self:' clean self:

# The directory of a running run is kept, and clean fails.
"$nfsbench" "$target" create 10M --no-ledger -q >/dev/null 2>&1 &
pid=$!
within 30 'names | grep -q -e "-$pid-"' || true
run 1 clean --yes "$target"
grep -q 'stays' "$scratch/out" || fail "clean does not keep the directory of a running run"
kill -INT $pid
wait $pid || true
finish
