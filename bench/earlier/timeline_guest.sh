#!/bin/sh
# bench/earlier/timeline runs this script in the virtual machine of scripts/linux-vm, with busybox: the reading loop and nfsbench
# explain, on mounts of the embedded server with one thread and of Linux's own server.
# usage: timeline_guest.sh LOOPS CALLS
loops=$1 calls=$2
files='file file1 file2 file3 file4 file5'

# mounted OPTIONS EXPORT: mounts EXPORT of a server on this machine on /mnt; ends the script if that fails
mounted() {
    mount -t nfs -o "vers=3,nolock,addr=127.0.0.1,proto=tcp$1" "127.0.0.1:$2" /mnt || exit 1
}

# counted: prints the line of /proc/self/mountstats that counts the mount's READs
counted() {
    echo "counted: $(grep -E '^[[:space:]]+READ:' /proc/self/mountstats)"
}

# measured SERVER: for each file, drop the caches, open the file and read its last byte; then explain these reads with nfsbench
measured() {
    echo "== $1"
    counted
    for _ in $(seq "$loops"); do
        for file in $files; do
            echo 3 >/proc/sys/vm/drop_caches
            dd if="/mnt/$file" of=/dev/null bs=1 skip=1048575 count=1 2>/dev/null || exit 1
        done
    done
    counted
    for file in $files; do
        echo "explained: $(./nfsbench explain "/mnt/$file" read-last-byte "$calls" --block 10 --predict predicted-nio \
            --allow-suspect --no-warmup -q -j - | tr -d '\n')"
    done
    umount /mnt
}

./nfsbench serve --threads 1 --port 4000 --service-times >served 2>&1 &
server=$!
for _ in $(seq 300); do ! grep -q ready served || break; sleep 0.2; done
mounted ,port=4000,mountport=4000 /export
measured 'event loop'
kill $server
wait $server
grep '^service time: read ' served

for i in 1 2 3 4 5; do cp /readonly/file /readonly/file$i; done
mounted '' /readonly
measured knfsd
