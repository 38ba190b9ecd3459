#!/bin/sh
# Servers that fail at some procedures, return less than requested, as RFC 1813 allows, or whose listings are inconsistent
# (odd_server.py). The output says what happened, and the ops that can be measured are measured.
. "$(dirname "$0")/lib.sh"
need jq python3

start "$nfsbench" serve
server_port=$port
proxy=odd_server.py
. "$here/proxy.sh"

brief='--no-ledger --no-warmup --launches 1 --timeout 600ms --retrans 0'
names='[.validity.reasons[].name]'

# leaves_out OPS PATTERN ARGUMENT...: a run leaves out OPS (JSON) with reasons that match PATTERN; its verdict says so, and
# its other ops are measured
leaves_out() {
    left=$1 why=$2
    shift 2
    result 0 "$target" "$@" $brief
    holds "[.skipped[].op] == $left and ([.skipped[].reason | test(\"$why\")] | all)" "$* on $habit"
    holds "$names | index(\"op-skipped\")" "$* on $habit"
    holds '[.ops[] | .errors == {} and .timed > 0] | all' "$* on $habit"
}

# An op that can't be prepared is left out with its reason, and the others are measured.
habit=status=READDIR:5
with $habit
leaves_out '["readdir", "read"]' '^NFS3ERR_IO|^the search .*READDIR of /export was answered by NFS3ERR_IO' null,getattr,readdir,read 100
run 1 "$target" getattr,readdir 100 $brief -j "$scratch/strict.json" --strict
leaves_out '["readdir-all"]' NFS3ERR_IO getattr,readdir-all 100
refused 1 'READDIR of /export was answered by NFS3ERR_IO' "$target" read 100 $brief
refused 1 'READDIR was answered by NFS3ERR_IO' "$target" readdir 100 $brief --file file
for procedure in READDIR ACCESS; do
    for habit in silent=$procedure closes=$procedure; do
        with $habit
        op=$(echo $procedure | tr A-Z a-z)
        leaves_out "[\"$op\"]" "$procedure: .*(RPC_TIMEDOUT|RPC_CANTRECV)" getattr,$op,fsstat 100 --file file
    done
done
refused 3 'RPC_CANTRECV|closed the connection' "$target" access 100 $brief --file file
for habit in status=MKDIR:30 silent=MKDIR status=CREATE:28 closes=CREATE; do
    with $habit
    leaves_out '["setattr", "write"]' 'making the scratch directory: ' getattr,setattr,write,read 100
done
# An op that the server lacks is a reason to doubt if the user named the op, but not if the user named a group.
with status=READDIRPLUS:10004
result 0 "$target" readdir,readdirplus,read-only 100 $brief
holds "$names | index(\"op-skipped\")" 'an op that was named'
result 0 "$target" read-only 100 $brief
holds "([.skipped[].op] | index(\"readdirplus\")) and ($names | index(\"op-skipped\") | not)" 'an op of a group'

with status=FSINFO:5
result 0 "$target" read,write 100 $brief
grep -q 'rtmax and wtmax are not known, since FSINFO failed: FSINFO of /export was answered by NFS3ERR_IO' "$scratch/err" ||
    fail 'FSINFO failed without a word'

# Short READs and WRITEs, which RFC 1813 allows: if all calls are short, they are measured as such. If some are, they are
# counted. If lengths can't be compared, the op is left out, and rtmax is not blamed.
# fewer OP HABIT...: run getattr and OP on a server with these habits
fewer() {
    op=$1 habit=$2
    shift
    with "$@"
    result 0 "$target" getattr,$op 200 -s 4096 $brief --no-model
}
for op in read write; do
    fewer $op $op=1000
    holds "$names | index(\"short-${op}s\")" "$habit"
    holds "[.ops[] | .errors == {} and .timed == 200] | all" "$habit"
    holds ".ops[] | select(.op == \"$op\") | .bytes.data == 1000" "$habit"
    fewer $op $op-every=5
    holds "($names | index(\"short-calls\")) and ($names | index(\"errors\") | not)" "$habit"
    holds ".ops[] | select(.op == \"$op\") | .timed == 160 and .errors[\"SHORT_$(echo $op | tr a-z A-Z)\"] == 40" "$habit"
    fewer $op $op-varies
    holds "$names | index(\"op-skipped\")" "$habit"
    holds '.skipped[0].reason | test("4089 to 4095 bytes in 8 calls, as RFC 1813 allows") and (test("tmax") | not)' "$habit"
    fewer $op $op=0
    holds '.skipped[] | .reason | test("0 bytes|wrote 0") and (test("tmax|--size") | not)' "$habit"
done
fewer read read=1000 read-eof
holds '.skipped[0].reason | test("returned 1000 and the end of the file, which has 1048576 bytes according to GETATTR")' "$habit"
with read=100 write=100
result 0 "$target" getattr,setattr,write,read 100 --files 3 --file-size 4KiB $brief
holds ".skipped == [] and ($names | index(\"short-reads\"))" 'READs of what was written, 100 bytes at a time'
run 0 "nfs://127.0.0.1:$server_port/export" getattr,setattr,write 20 -s 2M $brief
grep -Eq '^  setattr +20 ' "$scratch/out" && grep -q 'wtmax of 1048576; use --size 1048576' "$scratch/out" ||
    fail_showing 'an op of another size' "$scratch/out"

# Every second call is short. The op is measured, even if the first call, which tries the op, is short.
with write-every=2
for _ in 1 2 3; do
    result measured "$target" getattr,write 100 $brief --no-model -s 65536
    holds '.skipped == [] and (.ops[] | select(.op == "write").errors.SHORT_WRITE == 50)' 'every second WRITE is short'
done

# --verify accepts short calls.
for habit in read=1000 read-every=3 write=1000 write-every=7; do
    with $habit
    for files in '' '--files 3 --file-size 128Ki'; do
        # shellcheck disable=SC2086
        run measured "$target" getattr,read,write 300 $brief -s 65536 --verify -q $files
        ! grep -q 'MISMATCH\|left out' "$scratch/err" || fail_showing "--verify $habit $files" "$scratch/err"
    done
    case $habit in read*) run measured "$target" read 300 $brief -s 65536 --verify -q --pattern random ;; esac
done

with read=0
refused 1 'READ of /export/.nfsbench-.*/.nfsbench-lease at offset 0 returned 0 bytes in 8 calls without the end of the file' "$target" write 100 $brief --verify -q

# Each op that lists a directory first lists it once untimed, and reports the names that come twice.
# listing HABITS PATTERN OP: OP on a server with HABITS is measured, with a warning and a reason that match PATTERN
listing() {
    with names=250 $1
    result 0 "$target" getattr,$3 20 $brief --no-model
    holds "[.ops[] | .timed == 20] | all" "$3 on $1"
    holds '.validity.reasons[] | select(.name == "inconsistent-listing") | .text | test("READDIR")' "$3 on $1"
    grep -Eq "^nfsbench: $2" "$scratch/err" || fail_showing "$3 on $1 has no warning '$2'" "$scratch/err"
}
twice="of 252 listed entries, 2 were repeated, so there are 250 names; repeated: 'name000099', 'name000198'\$"
for op in readdir readdirplus readdir-all readdirplus-all walk; do
    listing overlap=1 "READDIR(PLUS)? of /export: pages overlap: $twice" $op
    listing new-verifier 'READDIR.* of /export: page 2 has another cookie verifier .*does not keep its cookies' $op
done
listing 'new-verifier changing' 'READDIR of /export: page 2 .*: the directory was changed in between' readdir-all
with names=250
result 0 "$target" readdir,readdirplus,readdir-all,readdirplus-all,walk 20 $brief --no-model
holds "($names | index(\"inconsistent-listing\") | not) and .skipped == []" 'a listing that is as it should be'
listing overlap=1 "READDIRPLUS of /export/.: pages overlap: $twice" 'lookup --tree .'

# A refused cookie: the error names the page, and the cause as far as the replies show it.
for habit in 'same_keep 3: .* so this server does not keep its cookies' 'changing 3: the directory was changed' \
    'without-attributes 3: the directory was changed .*, or this server does not keep'; do
    with names=250 bad-cookie=3 ${habit%% *}
    for op in readdir-all readdirplus-all walk; do
        refused 1 "READDIR.* of /export was answered by NFS3ERR_BAD_COOKIE at page ${habit#* }" "$target" $op 20 $brief
    done
    leaves_out '["walk"]' 'NFS3ERR_BAD_COOKIE at page 3' getattr,walk 20
    listing "bad-cookie=3 ${habit%% *}" "READDIR of /export was .* at page ${habit#* }" readdir
done
# A refused cookie, or another verifier, only in timed calls.
for op in readdir-all readdirplus-all walk; do
    for habit in 'bad-cookie=3 was answered by NFS3ERR_BAD_COOKIE at page 3: ' 'new-verifier page 2 has another cookie verifier'; do
        with names=250 after=24 every=7 "${habit%% *}"
        result measured "$target" $op 60 $brief --no-model
        holds ".validity.reasons[] | select(.name == \"inconsistent-listing\") | .text |
            test(\"READDIR(PLUS)? of /export.* ${habit#* }\")" "$op that comes to $habit"
    done
    with names=250 after=6 bad-cookie=2
    refused 1 "every call of a block of $op failed: READDIR.* was answered by NFS3ERR_BAD_COOKIE at page 2: " "$target" $op 20 \
        $brief --no-model
done
with names=250 bad-cookie=1 after=12 every=7
result measured "$target" readdir 20 $brief --no-model
holds '.validity.reasons[] | select(.name == "inconsistent-listing") | .text |
    test("READDIR of /export was answered by NFS3ERR_BAD_COOKIE at page 1: ")' 'a first page that is refused'
with names=250 bad-cookie=3
refused 1 'READDIR of /export was answered by NFS3ERR_BAD_COOKIE: .*does not keep its cookies valid \(page 3\)' "$target" read 20 $brief
refused 1 'READDIRPLUS of /export/. was .* at page 3: ' "$target" lookup 20 $brief --tree .

# A directory that takes too long: the error says what was listed, and names no status.
with names=4000 slow=0.2
for op in readdir-all walk; do
    refused 1 'READDIR.* of /export was not complete after .*: [0-9]+ calls? returned [0-9]+00 entries, in [0-9]' \
        "$target" $op $brief --max-time 4s
    leaves_out "[\"$op\"]" 'was not complete after' getattr,$op --max-time 4s
    ! grep -q LIST_TOO_SLOW "$scratch/out" "$scratch/err" || fail_showing 'a status of no protocol' "$scratch/out"
done

finish
