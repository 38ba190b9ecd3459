#!/bin/sh
# Servers that fail at some procedures, that return less than was asked for, as RFC 1813 allows, or whose listings of a
# directory disagree (odd_server.py): what is printed is what happened, and the ops that can be measured are measured.
. "$(dirname "$0")/lib.sh"
need jq python3

start "$nfsbench" serve
server_port=$port
proxy=odd_server.py
. "$here/proxy.sh"

brief='--no-ledger --no-warmup --launches 1 --timeout 300ms --retrans 0'
names='[.validity.reasons[].name]'

# leaves_out OPS PATTERN ARGUMENT...: a run leaves out OPS (JSON), whose reasons match PATTERN; its verdict says so, and
# its other ops are measured.
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
# A group's op that the server lacks is no reason to doubt the others.
with status=READDIRPLUS:10004
result 0 "$target" readdir,readdirplus,read-only 100 $brief
holds "$names | index(\"op-skipped\")" 'an op that was named'
result 0 "$target" read-only 100 $brief
holds "([.skipped[].op] | index(\"readdirplus\")) and ($names | index(\"op-skipped\") | not)" 'an op of a group'

# FSINFO that fails is said, and the run goes on without it.
with status=FSINFO:5
result 0 "$target" read,write 100 $brief
grep -q 'rtmax and wtmax are not known, since FSINFO failed: FSINFO of /export was answered by NFS3ERR_IO' "$scratch/err" ||
    fail 'FSINFO failed without a word'

# Fewer bytes than were asked for, as RFC 1813 allows: calls that are all so are measured as such, some that are so are
# counted, and where that can't be compared the op is left out, without blame for rtmax.
# fewer PROCEDURE HABIT...: such a run
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

finish
