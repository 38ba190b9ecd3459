#!/bin/sh
# All ops on servers in other languages (scripts/with-other-server), which share no code with servers in C. Building them takes
# minutes and a download, so this runs only if NFSBENCH_TEST_OTHER is set.
. "$(dirname "$0")/lib.sh"
need jq

if [ -z "${OTHER_SERVER_PORT-}" ]; then
    [ -n "${NFSBENCH_TEST_OTHER-}" ] || skip "may take minutes; NFSBENCH_TEST_OTHER=1 runs it"
    again inside "$top/scripts/with-other-server" -s all
fi

contents() {
    ls -A "$OTHER_SERVER_DIRECTORY"
    cksum <"$OTHER_SERVER_DIRECTORY/file"
}

# Ops that a server lacks, which a later version may have
case $OTHER_SERVER in
cargo-nfs3-server) lacks='"mknod", "link"' ;;
fernfs) lacks='"create-exclusive"' ;;
nfsserve) lacks='"commit", "mknod", "link"' ;;
go-nfs) lacks='"create-exclusive", "link", "mount-export"' ;;
esac

# For a guarded CREATE on cargo-nfs3-server, a name that was removed still exists, so it can't be made again. The calls that
# determine the size of blocks use the first names of the measured calls, which then get NFS3ERR_EXIST. Therefore there is
# only one block here. No other op may fail.
before=$(contents)
result 0 "$OTHER_SERVER_URL" all 100 --block 100 --verify --no-ledger --no-warmup
holds '[.ops[] | select(.op != "create-guarded") | .errors == {} and .timed == .calls] | all'
holds '[.ops[] | select(.op == "create-guarded") | .errors | keys - ["NFS3ERR_EXIST"] == []] | all'
holds '[.ops[] | .calls == 100 and .timed + ([.errors[]] | add // 0) == 100] | all'

holds "[.skipped[].op] - [$lacks, \"mount-dump\", \"portmap-null\"] == []"
holds '[.skipped[] | select(.op != "portmap-null") | .reason | test("^(RPC|NFS3ERR)_[A-Z]*$")] | all'
holds '[.skipped[] | .reason | length > 0] | all'
for op in $(jq -r '.skipped[].op' "$scratch/result.json"); do
    grep -q "^  $op *left out: ." "$scratch/out" || fail "the table does not say that $op is left out"
done
# All ops are measured or left out.
holds '["getattr", "setattr", "lookup", "access", "readlink", "read", "write", "create", "mkdir",
        "symlink", "mknod", "remove", "rmdir", "rename", "link", "readdir", "readdirplus", "fsstat",
        "fsinfo", "pathconf", "commit", "mount-mnt", "mount-dump", "mount-umnt", "mount-export"] -
       [.ops[].op, .skipped[].op] == []'

# With more blocks, guarded CREATE fails, and the other ops continue.
if [ "$OTHER_SERVER" = cargo-nfs3-server ]; then
    result 0 "$OTHER_SERVER_URL" create-guarded,getattr 100 --block 25 --no-ledger --no-warmup
    holds '[.skipped[] | select(.op == "create-guarded") | .reason | test("NFS3ERR_EXIST")] == [true]'
    holds '.ops[] | select(.op == "getattr") | .timed == 100'
fi

result 0 "$OTHER_SERVER_URL" mix:sfs2008 200 --no-ledger --no-warmup
holds '[.ops[] | .errors == {}] | all' 'a mix'
result 0 "$OTHER_SERVER_URL" getattr,write 100 --versus self: --no-ledger --no-warmup --no-model
holds '[.first, .second | [.ops[] | .errors == {}] | all] | all' 'two sides'
run 0 clean -y "$OTHER_SERVER_URL"

[ "$(contents)" = "$before" ] || fail "left in the exported directory, or changed: $(contents)"
finish
