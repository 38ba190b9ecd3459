#!/bin/sh
# --verify finds each call that a server acknowledges and does not carry out correctly (serve --fault), and reports nothing
# on a correct server.
. "$(dirname "$0")/lib.sh"
need jq

quick='--verify --no-ledger --no-warmup --no-baseline -q'

# finds FAULT PATTERN ARGUMENT...: a run on a server with FAULT ends with an error that matches PATTERN
finds() {
    fault=$1
    pattern=$2
    shift 2
    start "$nfsbench" serve --fault "$fault"
    # shellcheck disable=SC2086
    refused 1 "$pattern" "nfs://127.0.0.1:$port/export" "$@" $quick
    clean_now "$fault: $*"
    stop
}

# The faulty WRITE is that of the lease, of set-up, of the first block or of a later block.
finds write=lost:1 'lease' write 200
for nth in 2 3 50 500; do
    finds write=lost:$nth 'WRITE of 4096 bytes at offset [0-9]* of /export/.*/.* was acknowledged, but READ returned' write 700
done
for proto in tcp udp; do
    for depth in 1 16 64; do
        for files in '' '--files 3 --file-size 64Ki'; do
            # shellcheck disable=SC2086
            set -- write 3000 --proto $proto --depth $depth $files
            finds write=lost:500 'was acknowledged, but READ returned (zeros|the data of pass|the end of the file)' "$@"
        done
        finds write=duplicated:500 'data of offset [0-9]* of .*, where no call wrote it' write 3000 \
            --proto $proto --depth $depth
        finds write=shifted:500 'DATA_MISMATCH' write 3000 --proto $proto --depth $depth --files 3 --file-size 64Ki
        finds write=torn:500 'was acknowledged, but READ' write 3000 --proto $proto --depth $depth
        finds write=late:500 'was acknowledged, but READ returned the data of pass' write 12000 --proto $proto --depth $depth
    done
done
finds write=duplicated:500 'where no call wrote it' write 3000 --files 3 --file-size 64Ki --depth 16
finds write=lost:400 'DATA_MISMATCH' write-file-sync 600 --size 1
finds write=torn:300 'WRITE of 1000 bytes' write-data-sync 600 --size 1000 --engine tirpc
finds write=lost:300 'COMMIT of 4096 bytes' commit 600

# Lost changes by other ops are found, too.
for op in create mkdir symlink mknod rename link remove rmdir; do
    finds $op=lost:50 "of /export/.*/$op-[0-9]* in pass [0-9]* was acknowledged, but LOOKUP" $op 300
done
finds create=lost:90 'CREATE of' create-exclusive 300 --depth 16
finds setattr=lost:50 'SETATTR .* was acknowledged, but GETATTR' setattr 300
finds setattr=lost:90 'SETATTR .* was acknowledged, but GETATTR' setattr 300 --depth 16

# A READ that returns data from another place is found.
finds read=shifted:100 'READ of .* returned data of offset' read 500 --files 3 --file-size 64Ki
finds read=shifted:100 'READ of .* returned data of offset' read 500 --files 3 --file-size 64Ki --depth 16

# READs of existing files, whose data state their places because a verified run made them.
# finds_there FAULT PATTERN ARGUMENT...
finds_there() {
    fault=$1
    pattern=$2
    shift 2
    start "$nfsbench" serve --fault "$fault"
    # shellcheck disable=SC2086
    run 0 "nfs://127.0.0.1:$port/export" getattr 10 --files 2 --file-size 1Mi --scratch there --keep-scratch $quick
    # shellcheck disable=SC2086
    refused 1 "$pattern" "nfs://127.0.0.1:$port/export" read 1000 $quick "$@"
    stop
}
other='READ of 4096 bytes at offset [0-9]* of .*file-0000000[01] returned other data than an untimed READ'
for kind in shifted torn; do
    finds_there read=$kind:600 "$other" --file there/file-00000001 --pattern random
    finds_there read=$kind:600 "$other" --file there/file-00000001 --pattern sequential --depth 16 --proto udp --clients 2
    finds_there read=$kind:700 "$other" --tree there --engine libnfs
done
finds_there read=torn:600 "$other" --tree there --engine tirpc

# A lost WRITE of the cost model is found.
start "$nfsbench" serve --fault write=lost:4
refused 1 'WRITE of 1 bytes at offset 1 of .*DATA_MISMATCH' "nfs://127.0.0.1:$port/export" write 100 --verify --no-ledger -q
stop

# Nothing is reported on a correct server, even over a network that loses and repeats messages, or without --verify.
start "$nfsbench" serve --drop 2% --dup 5%
result 0 "nfs://127.0.0.1:$port/export?proto=udp" write,create,rename 200 --timeout 20ms --retrans 8 --no-warmup \
    --verify --no-ledger
stop
# The server answers calls by an error, with or without an effect. If many fail, the result is invalid.
failing() {
    timeout -k 5 180 "$nfsbench" "$@" --no-warmup --verify --no-ledger >"$scratch/out" 2>"$scratch/err" || true
}
told() {
    grep -Eq "^nfsbench: --verify: of [0-9]+ calls? of $1 without NFS3_OK, $2" "$scratch/err" ||
        fail_showing "nothing says what became of calls of $1" "$scratch/err"
}
start "$nfsbench" serve --habit no-cache --drop 5%
failing "nfs://127.0.0.1:$port/export?proto=udp" create-guarded,remove,rename,mkdir 200 --timeout 20ms --retrans 8
for op in create-guarded remove rename mkdir; do
    told $op 'the server had carried out [0-9]+, and 0 not'
done
stop
start "$nfsbench" serve --error rename=NFS3ERR_IO:2% --error setattr=NFS3ERR_IO:2%
failing "nfs://127.0.0.1:$port/export" rename,setattr 500
for op in rename setattr; do
    told $op 'the server had carried out 0, and [0-9]+ not'
done
stop
start "$nfsbench" serve --files 30 --dirs 4 --size 10000
for places in '--pattern random' '--tree .' '--tree . --proto udp --depth 8 --clients 3' '--cold --size 512'; do
    # shellcheck disable=SC2086
    result 0 "nfs://127.0.0.1:$port/export" read 500 $places --verify --no-ledger
done
stop
start "$nfsbench" serve --fault write=lost:50
result 0 "nfs://127.0.0.1:$port/export" write 500 --no-ledger
stop
for fault in write=lost write=lost:0 write=gone:1 null=lost:1 mkdir=torn:1 read=late:1 write=lost:x lost:1; do
    refused 2 "OP=KIND:N" serve --fault "$fault"
done
finish
