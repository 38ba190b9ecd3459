#!/bin/sh
# An independent client, libnfs, changes the embedded server's export (libnfs_change.c). LIBNFS_CHANGE is the path of
# that program.
. "$(dirname "$0")/lib.sh"
[ -n "${LIBNFS_CHANGE-}" ] || skip "libnfs's library (Debian: libnfs-dev) was not there for the build"

start "$nfsbench" serve
timeout -k 5 60 "$LIBNFS_CHANGE" "$port" list >"$scratch/before" || fail "the first listing"
timeout -k 5 120 "$LIBNFS_CHANGE" "$port" || fail "the changes"
timeout -k 5 60 "$LIBNFS_CHANGE" "$port" list >"$scratch/after" || fail "the last listing"
# Nothing is left: the same names, and no object without a name.
cmp "$scratch/before" "$scratch/after" || {
    diff "$scratch/before" "$scratch/after" >&2
    fail "the export is not as it was"
}
grep -q ' objects$' "$scratch/after" || fail "objects were not counted"
stop

# None of the changes is possible on a read-only export.
start "$nfsbench" serve --read-only
! timeout -k 5 60 "$LIBNFS_CHANGE" "$port" 2>"$scratch/refused" || fail "read-only, and changed"
grep -q 'nfs_mkdir2.*Read-only' "$scratch/refused" || {
    cat "$scratch/refused" >&2
    fail "read-only, and not reported so"
}
timeout -k 5 60 "$LIBNFS_CHANGE" "$port" list >"$scratch/after" || fail "the read-only listing"
cmp "$scratch/before" "$scratch/after" || fail "the read-only export is not as it was"
stop
finish
