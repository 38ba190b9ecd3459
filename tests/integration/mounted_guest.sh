#!/bin/sh
# What integration/mounted runs in the virtual machine, by busybox; its standard output is judged there.

# mounted OPTIONS: mount /export of the server at 127.0.0.1
mounted() {
    mount -t nfs -o "vers=3,nolock,addr=127.0.0.1,proto=tcp,$1" 127.0.0.1:/export /mnt || exit 1
}

# quick ARGUMENT...: a short run, whatever its verdict
quick() {
    ./nfsbench "$@" --allow-suspect --no-warmup -q
}

all=getattr,setattr,lookup,access,read,read-last-byte,write,create,mkdir,symlink,mknod,remove,rmdir,rename,link,fsstat,commit

# Linux's own server
mounted write=eager
echo == all
quick /mnt $all 40 --block 10 -j -
echo == end
echo == states
quick explain /mnt getattr,read,read-last-byte 60 --block 10 -j -
echo == end
echo == knfsd_states
quick explain --knfsd 127.0.0.1:/export getattr,write 60 --block 10 -j -
echo == end
echo == refused_states
su -s /bin/sh nobody -c './nfsbench explain /mnt getattr 20 --block 10 --allow-suspect --no-warmup -q -j -'
echo == end
before=$(ls -a /mnt)
echo == told
(while :; do dd if=/mnt/file of=/dev/null bs=4k count=20 iflag=direct; done) 2>/dev/null &
others=$!
quick /mnt getattr 2000 --block 1000 2>&1
kill $others
[ "$before" = "$(ls -a /mnt)" ] && echo nothing left: 0
umount /mnt

# The embedded server
./nfsbench serve --port 4000 --delay getattr=300ms:1 >ready 2>&1 &
slow=$!
until grep -q ready ready 2>/dev/null; do sleep 1; done
mounted port=4000,mountport=4000,actimeo=600
echo == end
echo == delay
quick /mnt getattr 4 --block 4 --no-baseline -j -
echo == end
echo == delayed_states
quick explain /mnt getattr 4 --block 2 -j -
echo == end
umount /mnt
kill $slow
wait $slow
rm ready

./nfsbench serve --port 4000 >ready 2>&1 &
server=$!
until grep -q ready ready 2>/dev/null; do sleep 1; done
mounted port=4000,mountport=4000
echo == versus
quick /mnt getattr,read 40 --versus-engine wire --no-ledger -j -
echo == end

echo == told
quick /mnt setattr,lookup,create 20 --block 10 --no-baseline -v 2>&1 | grep -c 'sent again'
./nfsbench /mnt getattr 20 --block 10 --no-baseline --allow-suspect 2>&1 |
    awk '$1 == "getattr" && $2 == "1.000" { print "getattr: " $2 " sent again " $6 }'

# A client that nobody here wrote, as a test of the server
dd if=/dev/urandom of=/tmp/data bs=64k count=50 2>/dev/null
cp /tmp/data /mnt/copy
umount /mnt
mounted port=4000,mountport=4000
cmp /tmp/data /mnt/copy && echo copied: the same
rm /mnt/copy
for i in 1 2 3 4; do
    (
        mkdir /mnt/tree$i
        for j in 1 2 3 4 5 6 7 8; do
            mkdir /mnt/tree$i/$j
            echo $j >/mnt/tree$i/$j/file
            ln -s file /mnt/tree$i/$j/link
            mv /mnt/tree$i/$j/file /mnt/tree$i/$j/moved
        done
        [ "$(cat /mnt/tree$i/*/moved | tr -d '\n')" = 12345678 ] && rm -r /mnt/tree$i
    ) &
    trees="${trees-} $!"
done
# shellcheck disable=SC2086
wait $trees
echo "tree: $(ls -d /mnt/tree* 2>/dev/null | wc -l) left"

# A server that is gone
kill -STOP $server
status=0
./nfsbench /mnt getattr 100 --timeout 2s --retrans 0 -q 2>&1 || status=$?
echo status $status
kill -CONT $server
echo == end
umount /mnt
kill $server
