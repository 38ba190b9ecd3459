#!/bin/sh
# nfsbench explain --xdr: every procedure of the server is listed with its bytes, which follow from RFC 1813 and RFC
# 5531; shares match the times; ops that can't be measured are left out or refused by name.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq nfs-ls

result 0 explain --xdr --no-warmup --block 20 -v self: all 20
for text in 'XDR of each call on self:' 'portmap-null  *left out: ' 'lower bounds' 'with few rounds'; do
    grep -q "$text" "$scratch/out" || fail "the table does not say '$text'"
done
holds '[.ops[] | has("mic_ns", "wrap_ns", "verify_ns", "unwrap_ns")] | any | not' 'protection of AUTH_SYS'
holds '.schema == "nfsbench-result/2" and .kind == "xdr" and .target == "self:" and .auth == "AUTH_SYS"'
holds '.rounds >= 1 and .round_trips_per_round >= 1 and .batches_per_round >= 1 and .cut_short_by == null'
holds '[.ops[].op] | length == (unique | length)' 'the ops, each once'
holds '[.ops[].op, .skipped[].op] | sort == (["null", "getattr", "setattr", "lookup", "access",
    "readlink", "read", "write", "write-data-sync", "write-file-sync", "create", "create-guarded",
    "create-exclusive", "mkdir", "symlink", "mknod", "remove", "rmdir", "rename", "link", "readdir",
    "readdirplus", "fsstat", "fsinfo", "pathconf", "commit", "mount-null", "mount-mnt", "mount-dump",
    "mount-umnt", "mount-export", "portmap-null"] | sort)' 'the ops and those left out'
# There is only one round, so that each share can be computed from the times next to it.
holds '.rounds == 1' 'the rounds of 20 calls'
holds 'all(.ops[]; (.encode_ns.estimate + .decode_ns.estimate) as $xdr | .share_rpcgen.estimate -
    $xdr / ($xdr + .round_trip_ns.estimate) | fabs < 1e-6)' 'the share of encoding and decoding'
holds 'all(.ops[]; (.stamp_ns.estimate + .check_ns.estimate) as $wire | .share_wire.estimate -
    $wire / ($wire + .round_trip_ns.estimate) | fabs < 1e-6)' 'the share of stamp and check'
holds 'all(.ops[]; [.encode_ns, .round_trip_ns, .share_rpcgen] | all(.[]; .estimate > 0 and .ci95 == null))' \
    'no interval of one round'
cp "$scratch/result.json" "$scratch/one.json"
result 0 explain --xdr --no-warmup --block 20 self: all 40
holds 'all(.ops[]; . as $op | ["encode_ns", "decode_ns", "stamp_ns", "check_ns", "round_trip_ns",
    "share_rpcgen", "share_wire"] | all(.[]; $op[.] | .ci95[0] <= .estimate and
    .estimate <= .ci95[1] and .ci95[0] > 0))' 'an estimate in its interval'
holds 'all(.ops[]; .share_rpcgen.ci95[1] < 1 and .share_wire.ci95[1] < 1)' 'shares below 1'
mv "$scratch/one.json" "$scratch/result.json"

# Bytes of messages: the embedded server's handles have 20 bytes and their length. A reply's header has 24, a status 4,
# fattr3 84. A call's header has 40 and the credential.
holds '.ops[0].call_bytes - 40 | . >= 20 and . <= 400 and . % 4 == 0' 'the bytes of a credential'
holds '.ops[0].call_bytes as $header | [.ops[] | {(.op): [.call_bytes - $header, .reply_bytes]}] | add |
    .null == [0, 24] and .getattr == [24, 112] and .read == [36, 24 + 4 + 88 + 12 + 4096] and
    .write == [24 + 20 + 4096, 24 + 4 + 28 + 88 + 16] and .fsstat == [24, 24 + 4 + 88 + 52] and
    .access == [28, 24 + 4 + 88 + 4] and .["mount-null"] == [0, 24]' 'the bytes'
result 0 explain --xdr --no-warmup -q --sec none self: getattr 20
[ ! -s "$scratch/out" ] || fail "-q printed a table"
holds '.auth == "AUTH_NONE" and [.ops[] | [.op, .call_bytes, .reply_bytes]] ==
    [["null", 40, 24], ["getattr", 64, 112]]' 'null and the op, without a credential'

# Opaque data are copied. Therefore 245 times as many bytes take more than 10 times as long on any machine.
for size in 4080 1000000; do
    run 0 explain --xdr --no-warmup -q --json "$scratch/$size.json" --size $size self: read,write 30
done
jq -es '[.[] | [.ops[] | {(.op): .}] | add] |
    .[1].write.encode_ns.estimate > 10 * .[0].write.encode_ns.estimate and
    .[1].read.decode_ns.estimate > 10 * .[0].read.decode_ns.estimate and
    .[1].write.call_bytes - .[0].write.call_bytes == 995920' \
    "$scratch/4080.json" "$scratch/1000000.json" >"$scratch/jq" ||
    fail "XDR of WRITE and READ does not grow with their bytes"

# XDR is also measured over UDP. If the server answers an op with an error, the other ops are explained.
result 0 explain --xdr --no-warmup --proto udp self: null 10
holds '.proto == "udp" and .ops[0].call_bytes > 40'
result 0 explain --xdr --no-warmup -q --self-args '--error mknod=NFS3ERR_NOTSUPP:1' self: all 5
holds '.skipped | any(.op == "mknod" and .reason == "NFS3ERR_NOTSUPP")' 'the op that failed'
holds '[.ops[].op] | index("mknod") == null and index("mkdir") != null' 'the ops without it'
result 0 explain --xdr --no-warmup -q --self-args '--error fsstat=NFS3ERR_IO:1' self: null,fsstat 5
holds '(.skipped | any(.op == "fsstat" and (.reason | test("NFS3ERR_IO")))) and [.ops[].op] == ["null"]' 'an op that fails'

# Without COUNT, a run has several rounds, until its results are precise or its time is over.
result 0 explain --xdr --max-time 3s self: null,getattr
holds '.rounds >= 2'

# A server that can't be reached.
refused 3 'refused' explain --xdr --port 9 --mount-port 9 127.0.0.1:/export null

# Ctrl-C: the result so far is reported, and the status says so.
start "$nfsbench" serve
interrupted 1 1 explain --xdr --no-warmup --max-time 50s "nfs://127.0.0.1:$port/export?mountport=$port" null,create
holds '.cut_short_by == "interrupted" and .rounds > 0' 'an interrupted run'
clean_now 'an interrupted run'
stop
finish
