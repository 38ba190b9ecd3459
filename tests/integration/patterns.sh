#!/bin/sh
# Access patterns and working sets: the objects of the calls, as a proxy in front of the server sees them.
. "$(dirname "$0")/lib.sh"
need python3 jq

start "$nfsbench" serve --files 8 --size 256Ki
server_port=$port
others=$server_pid
start python3 "$here/places_proxy.py" "$server_port" "$scratch/places"
target="nfs://127.0.0.1:$port/export"
alone='--no-baseline --no-ledger --no-warmup'

# visit ARGUMENT...: make a run, and record its calls of procedure $procedure in $scratch/visited
visit() {
    : >"$scratch/places"
    # shellcheck disable=SC2086
    result 0 "$target" "$@" $alone
    awk -v procedure="$procedure" '$1 == procedure' "$scratch/places" >"$scratch/visited"
    holds '[.ops[].errors == {}] | all' "$*"
}

# different FIELDS COUNT WHAT [TIMES]: in the recorded calls, exactly COUNT values of FIELDS must each occur TIMES (default 1)
# or more. TIMES excludes places that only set-up accesses, once or twice.
different() {
    found=$(cut -d' ' -f"$1" "$scratch/visited" | sort | uniq -c | awk '$1 >= '"${4-1}" | wc -l)
    [ "$found" -eq "$2" ] || fail "$found different places instead of $2: $3"
}

# READ of an existing file, one block after the other
procedure=6
visit read 200 -s 4Ki --pattern sequential
different 2,3 64 'sequentially'
tail -n +2 "$scratch/visited" | awk 'NR > 1 && $3 != (last + 4096) % 262144 { exit 1 } { last = $3 }' ||
    fail 'READs are not one after the other'
holds '.config.pattern == "sequential" and .ops[0].places == 64'
holds '.ops[0] | .bytes.data == 4096 and (.mb_per_s / (.rate_per_s * 4096 / 1e6) - 1 | fabs) < 1e-6'
grep -q 'pattern sequential: read uses 64 places' "$scratch/out" || fail 'the text lacks the pattern'
grep -q 'MB/s' "$scratch/out" || fail 'the text lacks MB/s'
visit read 200 -s 4Ki --pattern stride:16
tail -n +2 "$scratch/visited" | head -8 | cut -d' ' -f3 | tr '\n' ' ' >"$scratch/offsets"
[ "$(cat "$scratch/offsets")" = '0 65536 131072 196608 4096 69632 135168 200704 ' ] ||
    fail "strides: $(cat "$scratch/offsets")"
visit read 100 -s 4Ki
different 2,3 1 'without a pattern'
visit read 2000 -s 4Ki --pattern random --offset 128Ki
different 2,3 32 'from an offset on'
visit read 2000 -s 4Ki --pattern zipf:1.2 --working-set 64Ki
different 2,3 16 'within a working set'
most=$(cut -d' ' -f3 "$scratch/visited" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')
all=$(wc -l <"$scratch/visited")
# 1 / sum(k^-1.2, k = 1..16) is 0.365
[ $((most * 100)) -gt $((all * 31)) ] && [ $((most * 100)) -lt $((all * 42)) ] ||
    fail "zipf:1.2 calls the most frequent place $most times of $all"

# A complete file set, with so many places that not all messages are kept. Ops on handles and ops on names use all files.
visit read 17000 -s 1Ki --files 16 --file-size 1Mi --pattern sequential -d 32
different 2,3 16385 'of 16 files of 1 MiB, and the one that set-up reads'
visit read 2000 -s 1Ki --files 16 --file-size 1Mi -d 32
holds '.config.pattern == "random" and .ops[0].places == 16384'
[ "$(cut -d' ' -f2,3 "$scratch/visited" | sort -u | wc -l)" -gt 1500 ] || fail 'random is not random'
visit read 1000 -s 1Ki --files 16 --file-size 8Ki --working-set 10Ki --verify
different 2,3 10 'of 10 KiB in two files' 3
different 2 2 'files of 10 KiB' 3
procedure=1
visit getattr 1000 --files 30
different 2 30 'files' 5
visit setattr,getattr 400 --files 30 --working-set 3 --pattern sequential
holds '[.ops[].places] == [3, 3]'
procedure=3
visit lookup 1000 --files 30 --pattern sequential
[ "$(grep -c ' file-000000' "$scratch/visited")" -gt 1000 ] || fail 'names are not looked up'
[ "$(grep -o ' file-000000.*' "$scratch/visited" | sort -u | wc -l)" -eq 30 ] || fail 'names are left out'
procedure=21
visit commit 200 --files 4 --pattern sequential -s 2Ki
awk '$1 == 7 { written[$2, $3] = 1 }
     $1 == 21 { if (!(($2, $3) in written)) exit 1; commits++ }
     END { if (commits < 200) exit 1 }' "$scratch/places" || fail 'COMMITs of data that were not written'
different 2,3 128 'of COMMIT'
procedure=7
visit write,write-file-sync 400 --files 4 --file-size 8Ki --working-set 16Ki -s 4Ki -d 4 -c 2
different 2,3 4 'of WRITE' 20
# Verified WRITEs use several copies of the places, so that each can be read back. A copy has three blocks.
visit write,write-file-sync 400 --files 4 --file-size 8Ki --working-set 16Ki -s 4Ki --verify -d 4 -c 2
awk '{ print $1, $2, $3 % 12288 }' "$scratch/visited" >"$scratch/folded" && mv "$scratch/folded" "$scratch/visited"
different 2,3 4 'of verified WRITE' 20

# The seed determines the order, with any engine.
# sequence ARGUMENT...: print the first hundred blocks that are read
sequence() {
    visit read 300 -s 4Ki "$@"
    cut -d' ' -f3 "$scratch/visited" | sed -n 2,101p
}
sequence --pattern random --seed 7 >"$scratch/first"
sequence --pattern random --seed 7 >"$scratch/second"
cmp -s "$scratch/first" "$scratch/second" || fail 'the same seed gives another order'
procedure=6
sequence --pattern random --seed 7 >"$scratch/first"
sequence --pattern random --seed 8 >"$scratch/second"
! cmp -s "$scratch/first" "$scratch/second" || fail 'another seed gives the same order'
for engine in tirpc libnfs; do
    timeout 20 "$nfsbench" "$target" null 1 -q -e $engine 2>"$scratch/err" || true
    ! grep -q libnfs-dev "$scratch/err" || { left_out "engine $engine" && continue; }
    sequence --pattern random --seed 7 -e $engine >"$scratch/second"
    cmp -s "$scratch/first" "$scratch/second" || fail "engine $engine visits other places"
    visit read,write,lookup,setattr 300 -e $engine --files 5 --file-size 16Ki --verify -c 3
done

# Each place once: none of the file's 64 blocks is read twice. All READs count except those of set-up and of the op's trial.
procedure=6
for pattern in random sequential stride:5; do
    visit read -s 4Ki --cold --pattern $pattern -d 4
    [ "$(cut -d' ' -f2,3 "$scratch/visited" | sort | uniq -d | wc -l)" -eq 0 ] || fail "$pattern: a place twice"
    different 2,3 64 "each once, $pattern"
    holds '.config.cold and .ops[0].calls == 62' "$pattern"
done
grep -q 'ended when none was left: 62 of 63 places' "$scratch/out" || fail 'the end is not reported'
grep -q 'it is not known which data was in the server' "$scratch/out" || fail 'the unknown state of the caches is not reported'
result 0 "$target" read 20 -s 4Ki --cold
holds '.config.calls == 20 and .config.pattern == "random" and .ops[2].calls == 20' 'a cold run with COUNT'
grep -q 'as many as requested: 20 of 63' "$scratch/out" || fail 'a part is not reported'

# Other commands
result 0 "$target" mix:sfs3 2000 --files 10 --pattern zipf:0.9 --no-ledger -d 8
holds '.config.pattern == "zipf:0.9" and ([.ops[].errors == {}] | all) and .ops[2].mb_per_s > 0' 'a mix'
run 0 "$target" read 500 --pattern random --versus proto=tcp -q --no-ledger
run 0 sweep --allow-suspect "$target" read 100 --pattern random -d 1,2 --repeat 2
run 0 "$target" read 200 --pattern random -v --csv "$scratch/ops.csv"
grep -q 'Mbit/s on the wire' "$scratch/out" || fail '-v lacks Mbit/s'
for quantity in places,64 'mb_per_s,[0-9.]*[1-9]'; do
    grep -Eq ",ops,\"read\",,,$quantity" "$scratch/ops.csv" || fail "CSV lacks $quantity"
done

for pattern in random sequential; do
    run 0 "$target" read 2000 --pattern $pattern --no-ledger -q -j "$scratch/$pattern.json" --launches 1
done
run 0 compare "$scratch/random.json" "$scratch/sequential.json"
grep -q 'pattern random against sequential' "$scratch/out" || fail 'compare does not see the pattern'

refused 2 'give --pattern, --files or --tree' "$target" read --working-set 1Mi
refused 2 'have only one file or block' "$target" getattr --pattern random
refused 2 'have only one file or block' "$target" write --pattern random -q
refused 2 'for one op' "$target" read,getattr --cold
refused 2 'accesses each file or block only once' "$target" read --cold --versus proto=udp
refused 2 'this --pattern repeats' "$target" read --cold --pattern zipf:1
refused 2 'leave out --.* or --max-time' "$target" read --cold --max-time 1s
refused 2 'have only one file or block' "$target" getattr --cold
finish
