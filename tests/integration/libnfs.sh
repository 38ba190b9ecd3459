#!/bin/sh
# An independent client, libnfs, reads the embedded server's tree and files.
. "$(dirname "$0")/lib.sh"
need nfs-ls nfs-cat

start "$nfsbench" serve
query="?version=3&nfsport=$port&mountport=$port"

# list PATH: names and sizes, sorted
list() {
    timeout 30 nfs-ls "nfs://127.0.0.1$1$query" | awk '{ print $NF, $5, substr($1, 1, 1) }' | sort
}

printf '%s\n' 'dir 4096 d' 'file 1048576 -' 'file1 1048576 -' 'file2 1048576 -' \
    'file3 1048576 -' 'file4 1048576 -' 'file5 1048576 -' 'link 4 l' >"$scratch/expected"
list /export >"$scratch/listed"
cmp "$scratch/expected" "$scratch/listed" || fail_showing "nfs-ls of /export" "$scratch/listed"
[ "$(list /export/dir)" = 'hello 6 -' ] || fail "nfs-ls of /export/dir"

{
    printf H
    head -c 1048574 /dev/zero | tr '\0' E
    printf O
} >"$scratch/expected"
for file in file file1 file2 file3 file4 file5; do
    timeout 30 nfs-cat "nfs://127.0.0.1/export/$file$query" >"$scratch/read" ||
        fail "nfs-cat of $file"
    cmp "$scratch/expected" "$scratch/read" || fail "$file differs"
done
[ "$(timeout 30 nfs-cat "nfs://127.0.0.1/export/dir/hello$query")" = hello ] || fail "dir/hello"
! timeout 30 nfs-cat "nfs://127.0.0.1/export/nothing$query" >/dev/null 2>&1 ||
    fail "a file that does not exist was read"
! timeout 30 nfs-ls "nfs://127.0.0.1/nothing$query" >/dev/null 2>&1 ||
    fail "an export that does not exist was mounted"
stop
finish
