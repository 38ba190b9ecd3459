#!/bin/sh
# All ops on a server in another language (scripts/with-other-server): one that shares no code, and no
# habits, with those in C. It is built at first, which takes minutes and a download; so only where
# NFSBENCH_TEST_OTHER is set.
. "$(dirname "$0")/lib.sh"
need jq

if [ -z "${OTHER_SERVER_PORT-}" ]; then
    [ -n "${NFSBENCH_TEST_OTHER-}" ] || skip "may take minutes; NFSBENCH_TEST_OTHER=1 runs it"
    rmdir "$scratch" # it makes one of its own there
    exec "$top/scripts/with-other-server" "$0" "$nfsbench"
fi

contents() {
    ls -A "$OTHER_SERVER_DIRECTORY"
    cksum <"$OTHER_SERVER_DIRECTORY/file"
}

# To this server's guarded CREATE, a name that was ever there is there for good: one that was removed
# can't be made again that way. As the calls that size the blocks take the first of the names that the
# measured ones take, these get NFS3ERR_EXIST; and so would all of a second block, which ends a run. So
# there is but one block. No other op may fail.
before=$(contents)
run 0 "nfs://127.0.0.1:$OTHER_SERVER_PORT$OTHER_SERVER_EXPORT?mountport=$OTHER_SERVER_MOUNT_PORT" \
    all 100 --block 100 --verify --no-ledger --no-warmup -j "$scratch/result.json"
holds '[.ops[] | select(.op != "create-guarded") | .errors == {} and .timed == .calls] | all'
holds '[.ops[] | select(.op == "create-guarded") | .errors | keys - ["NFS3ERR_EXIST"] == []] | all'
holds '[.ops[] | .calls == 100 and .timed + ([.errors[]] | add // 0) == 100] | all'

# It has no MKNOD, no LINK and no DUMP of MOUNT's (RPC_PROCUNAVAIL), and there need be no port mapper;
# a later version may lack less.
holds '[.skipped[].op] - ["mknod", "link", "mount-dump", "portmap-null"] == []'
holds '[.skipped[] | select(.op != "portmap-null") | .reason == "RPC_PROCUNAVAIL"] | all'
holds '[.skipped[] | .reason | length > 0] | all'
for op in $(jq -r '.skipped[].op' "$scratch/result.json"); do
    grep -q "^  $op *left out: ." "$scratch/out" || fail "the table does not say that $op is left out"
done
# What isn't skipped is measured.
holds '["getattr", "setattr", "lookup", "access", "readlink", "read", "write", "create", "mkdir",
        "symlink", "mknod", "remove", "rmdir", "rename", "link", "readdir", "readdirplus", "fsstat",
        "fsinfo", "pathconf", "commit", "mount-mnt", "mount-dump", "mount-umnt", "mount-export"] -
       [.ops[].op, .skipped[].op] == []'

[ "$(contents)" = "$before" ] || fail "left in the exported directory, or changed: $(contents)"
finish
