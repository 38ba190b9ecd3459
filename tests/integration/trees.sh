#!/bin/sh
# Complete directories, trees, and existing files.
. "$(dirname "$0")/lib.sh"
need jq

alone='--no-ledger --no-warmup --block 5'

start "$nfsbench" serve --files 1200 --dirs 3 --size 5000
target="nfs://127.0.0.1:$port/export"

# measure ARGUMENT...: make a run whose calls all succeed
measure() {
    # shellcheck disable=SC2086
    result 0 "$target$at" "$@" $alone --csv "$scratch/ops.csv" --force
    holds '[.ops[].errors == {}] | all' "$*"
}

# A directory of 400 entries is listed to its end. Each op's baseline is a series with as many NULL calls as the op has calls.
at=/dir1
measure readdir-all,readdirplus-all,getattr 20
holds '[.ops[].op] == ["null", "null_control", "readdir-all", "readdir-null", "readdirplus-all", "readdirplus-null",
                       "getattr"]'
holds '[.ops[2, 4] | .entries_per_op] == [402, 402] and (.ops[2].calls_per_op | . > 1 and . < 10)'
holds '.ops[3].calls_per_op == .ops[2].calls_per_op and .ops[5].calls_per_op == .ops[4].calls_per_op'
holds '.ops[2].above_null_ns.baseline == "readdir-null" and .ops[2].model == null and .ops[6].calls_per_op == null'
holds '.ops[3].bytes.call == .ops[2].calls_per_op * .ops[0].bytes.call'
holds '.ops[2] | (.entry_ns * 402 / .latency_ns.mean - 1 | fabs) < 1e-6 and .entries_per_s > 0'
grep -Eq 'calls per op +entries per op +us per entry +entries/s' "$scratch/out" || fail 'the text lacks the entries'
grep -Eq ',ops,"readdir-all",,,entries_per_op,402,' "$scratch/ops.csv" || fail 'CSV lacks the entries'
at=
measure readdir-all 5 --no-baseline --dir-size 50
holds '.ops[0].entries_per_op > 50'

# A walk visits everything below the target, however many directories are listed at once.
for depth in 1 4; do
    measure walk 10 -d $depth
    holds '.ops[2].op == "walk" and .ops[2].entries_per_op == 1203 and .ops[2].errors == {}' "depth $depth"
    holds '.ops[2].calls_per_op == .ops[3].calls_per_op and .ops[2].calls == 10' "depth $depth"
    holds '.ops[2] | (.rate_per_s * 1203 / .entries_per_s - 1 | fabs) < 1e-6' "depth $depth"
done

# Existing files: all are read, two blocks in each, of which the second is shorter.
measure read,getattr,lookup,access,pathconf,readdir,readdirplus-all 2400 --tree . --pattern sequential --no-baseline
holds '.config.tree | .files == 1200 and .bytes == 6000000 and .directories == 4 and .symlinks + .loops == 0'
holds '[.ops[].places] == [2400, 1200, 1200, 1200, 1200, 4, 4]'
holds '.ops[0].bytes.data == 2500 and .ops[0].mb_per_s > 0'
grep -q 'tree \.: 1,200 files of 6.0 MB, 4 directories' "$scratch/out" || fail 'the text lacks the tree'
result 0 "$target" read --tree dir2 --cold -s 1Ki -d 4
holds '.ops[] | select(.op == "read") | .errors == {} and .places == 2000 and .calls == 1999' 'each place once'
measure read 100 --tree . --pattern same -s 2Ki --no-baseline
holds '.ops[0].places == 1 and .ops[0].bytes.data == 2048 and .ops[0].bytes.reply < 2300'
measure getattr 100 --tree . --working-set 10 --no-baseline
holds '.config.tree.cut and .ops[0].places == 10'
measure read 100 --tree . --working-set 12Ki --no-baseline -d 8 -c 2
holds '.config.tree.cut and .config.tree.files == 3 and .ops[0].places == 6'
for engine in $(engines tirpc libnfs); do
    measure read,lookup,readdir 50 --tree . -e "$engine" --no-baseline
done

refused 2 'only read' "$target" read,remove --tree .
refused 2 'only read' "$target" read --tree . --files 3
refused 1 'NFS3ERR_NOENT' "$target" read --tree nowhere
refused 2 'not a directory' "$target" read --tree dir0/file0
refused 1 'no symbolic link' "$target" readlink --tree .
refused 2 'each of which waits' "$target" readdir-all -d 2
refused 2 'of one client' "$target" walk -c 2
[ -z "$(engines tirpc)" ] || refused 2 'need --engine wire' "$target" walk -e tirpc
echo 'readdir-all 1' >"$scratch/mix"
refused 2 'the op is several calls' "$target" "mix:$scratch/mix"
stop

# The usual tree has a link, which is not followed. If the server refuses a cookie, the op fails.
at=
start "$nfsbench" serve
target="nfs://127.0.0.1:$port/export"
measure readlink,walk 10 --tree . --no-baseline
holds '.config.tree.symlinks == 1 and .ops[0].places == 1 and .ops[1].entries_per_op == 9'
stop
refused 1 'READDIRPLUS of /export was answered by NFS3ERR_BAD_COOKIE at page 1' self: readdirplus-all 10 --no-ledger \
    --self-args '--error readdirplus=NFS3ERR_BAD_COOKIE'

# The trials, the warm-up and the counting of ops that take long are part of --max-time, too.
start "$nfsbench" serve --files 1200 --dirs 1 --delay readdir=20ms
run 0 --allow-suspect "nfs://127.0.0.1:$port/export/dir0" readdir-all --max-time 5s
grep -q 'to end in 5 s: .*no ledger' "$scratch/out" || fail 'it is counted'
refused 2 'use --max-time [0-9]*s' "nfs://127.0.0.1:$port/export/dir0" readdir-all --max-time 1s
stop
finish
