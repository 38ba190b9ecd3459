#!/bin/sh
# The ops that change something: all of them on the embedded server, over TCP and UDP with both engines, in a scratch
# directory that is always removed at the end.
. "$(dirname "$0")/lib.sh"
need jq nfs-ls python3

changing=setattr,write,write-data-sync,write-file-sync,commit,create,create-guarded,create-exclusive
changing=$changing,mkdir,symlink,mknod,link,remove,rmdir,rename

start "$nfsbench" serve --threads 2
target=nfs://127.0.0.1:$port/export
for proto in tcp udp; do
    for engine in $(engines wire tirpc); do
        name="$engine over $proto"
        result 0 "$target" all 200 --proto $proto --engine $engine --verify --no-ledger --timeout 30s
        holds '[.ops[] | .errors == {} and .calls == .timed and .calls == 200] | all' "$name"
        holds '[.skipped[].op] - ["portmap-null"] == []' "$name"
        holds '[.ops[].op] | contains(["write", "create-exclusive", "rename", "commit", "readlink"])'
        clean_now "$name"
    done
done
grep -q "nfsbench: ops that change something work in 127.0.0.1:/export/.nfsbench-.*removed" \
    "$scratch/err" || fail "the scratch directory was not announced"

# The ledger counts these ops, too. (On a busy machine every reply may have arrived before the client waits for it.)
result 0 "$target" remove,write 300
holds '.ops[] | select(.op == "remove") | .ledger.client | .voluntary_switches != null and .cpu_ns > 500'
is_crowded || holds '.ops[] | select(.op == "remove") | .ledger.client.voluntary_switches > 0'
clean_now "the ledger"

# In a run that writes, WRITEs of up to --size model the cost of bytes, so the op's cost is not extrapolated.
result 0 "$target" write 500 --size 64KiB --verify --no-ledger
holds '.ops[2].bytes.call > 65536 and (.ops[2].model // .ops[2].failed_model).extrapolated == false'

# With --dir-size, the larger scratch directory is also the one in which names are looked up and which is listed.
result 0 "$target" lookup,readdir,create 100 --dir-size 500 --no-ledger
holds '.ops[] | select(.op == "readdir") | .bytes.reply > 7000'
holds '.ops[] | select(.op == "lookup") | .object | test("nfsbench-.*/data$")'
clean_now "--dir-size"

# With --keep-scratch, a scratch directory whose name the user chooses is kept. While it exists, the name is refused.
run 0 "$target" create 50 --scratch mine --keep-scratch --no-ledger
[ "$(names)" = 'dir file file1 file2 file3 file4 file5 link mine ' ] || fail "kept: $(names)"
refused 1 'MKDIR of /export/mine.*NFS3ERR_EXIST' "$target" create 50 --scratch mine -q
refused 2 'wtmax of 1048576; use --size' "$target" write 50 --size 2MiB -q
refused 2 'wtmax of 32768' "$target" write 50 --size 60000 --proto udp -q
stop

# After Ctrl-C, the directory is removed.
start "$nfsbench" serve
target=nfs://127.0.0.1:$port/export
"$nfsbench" "$target" create 10M --no-ledger -q >/dev/null 2>&1 &
pid=$!
within 30 'names | grep -q -e "-$pid-"' || true
kill -INT $pid
wait $pid || true
clean_now "Ctrl-C"
stop

# Errors, lost messages and broken connections are counted, and no file is left.
start "$nfsbench" serve --error symlink=NFS3ERR_JUKEBOX:20% --error remove=NFS3ERR_JUKEBOX:1% \
    --error rename=NFS3ERR_JUKEBOX:20% --error link=NFS3ERR_JUKEBOX:20%
target=nfs://127.0.0.1:$port/export
result 1 "$target" symlink,write 100 --no-ledger --no-warmup
holds '.ops[] | select(.op == "symlink") | .errors.NFS3ERR_JUKEBOX > 5 and .timed < .calls' "errors"
# The server's error result has the form of its procedure, so that another decoder accepts it.
result 1 "$target" symlink,rename,link 200 --engine "$(engines wire tirpc | tail -n 1)" --no-ledger --no-warmup
holds '[.ops[] | select(.role == "op") | .errors | keys == ["NFS3ERR_JUKEBOX"]] | all and length == 3' 'the form of errors'
clean_now "errors"
stop
start "$nfsbench" serve --drop 2% --dup 5%
target="nfs://127.0.0.1:$port/export?proto=udp"
result 0 "$target" create-guarded,remove,rename,mkdir,write 200 --timeout 20ms --retrans 8 --no-ledger --no-warmup
# A request that was lost or arrived twice is executed once: no call gets EXIST or NOENT.
holds '[.ops[] | .errors == {}] | all' "lost and doubled datagrams"
holds '[.ops[].retransmits] | add > 0' "lost datagrams"
clean_now "losses"
stop
start "$nfsbench" serve --reset-after 150
target="nfs://127.0.0.1:$port/export"
result 0 "$target" create-guarded,remove,rename,mkdir 200 --no-ledger --no-warmup
holds '[.ops[] | .errors == {}] | all' "connections that are reset"
holds '[.ops[].reconnects] | add > 0' "connections that are reset"
clean_now "resets"
stop

# An op is measured even if its first call fails, or the call that removes what the first call made.
for op in rmdir mkdir; do
    start "$nfsbench" serve --fault rmdir=failed:1
    result 0 "nfs://127.0.0.1:$port/export" $op 200 --no-ledger
    holds ".ops[] | select(.op == \"$op\") | .timed == 200 and .errors == {}" "$op, RMDIR fails once"
    clean_now "$op, RMDIR fails once"
    stop
done

start "$nfsbench" serve --read-only
refused 1 'NFS3ERR_ROFS: the export is read-only' "nfs://127.0.0.1:$port/export" create 50 -q
run 0 "nfs://127.0.0.1:$port/export" read-only 50 --no-ledger
clean_now "a read-only export"
stop

# A server that can't remove directories: ops that need this are left out, the others are measured, and what remains is
# named.
start "$nfsbench" serve --error rmdir=NFS3ERR_ISDIR
result 1 "nfs://127.0.0.1:$port/export" all 20 --no-ledger --no-warmup --no-model
holds '[.skipped[].op] - ["portmap-null"] == ["mkdir", "rmdir"]' 'RMDIR refused'
holds '.skipped[] | select(.op == "mkdir").reason | test("RMDIR.*NFS3ERR_ISDIR")' 'RMDIR refused'
holds '.skipped[] | select(.op == "rmdir").reason == "NFS3ERR_ISDIR"' 'RMDIR refused'
holds '[.ops[] | .errors == {} and .timed == 20] | all and length > 20' 'RMDIR refused'
grep -q 'stays:.*NFS3ERR_ISDIR' "$scratch/err" || fail 'RMDIR refused: what stays is not named'
stop
finish
