#!/bin/sh
# What integration/guest runs in the virtual machine, with busybox. Its standard output is checked outside.
# usage: guest_inside.sh PORT PART...; PORT is that of an embedded server on the host

# mounted OPTIONS [ADDRESS [EXPORT [DIRECTORY]]]: mount EXPORT of the server at ADDRESS (default: /export of 127.0.0.1) on
# DIRECTORY (default: /mnt)
mounted() {
    mount -t nfs -o "vers=3,nolock,addr=${2-127.0.0.1},proto=tcp,$1" "${2-127.0.0.1}:${3-/export}" "${4-/mnt}" || unmounted
}

# unmounted: print the kernel's last messages, and exit with status 1
unmounted() {
    dmesg | tail -n 10
    exit 1
}

# embedded ARGUMENT...: start the embedded server on port 4000; sets $server
embedded() {
    rm -f ready
    ./nfsbench serve --port 4000 "$@" >ready 2>&1 &
    server=$!
    until grep -q ready ready 2>/dev/null || ! kill -0 $server; do sleep 0.2; done
}

# embedded_ends: end the server that embedded() started, and its mount, if there is one
embedded_ends() {
    ! grep -q ' /mnt ' /proc/mounts || umount /mnt
    kill $server
    wait $server
}

# quick ARGUMENT...: make a short run; any verdict is accepted
quick() {
    ./nfsbench "$@" --allow-suspect --no-warmup -q
}

# said NAME COMMAND...: print the output of COMMAND under NAME
said() {
    echo "== $1"
    shift
    "$@"
    echo == end
}

# Ops that the default options of a mount allow, and some that need write=eager or nordirplus
all=getattr,setattr,lookup,access,readlink,read,read-last-byte,write,create,mkdir,symlink,mknod,remove,rmdir,rename,link
all=$all,readdirplus,fsstat,fsinfo,open,stat-new,create-new
host="port=$1,mountport=$1"

# Linux's own server
knfsd() {
    mounted write=eager
    said all quick /mnt $all,commit 20 --block 10 --verify -j -
    before=$(ls -a /mnt)
    echo == told
    (while :; do dd if=/mnt/file of=/dev/null bs=4k count=20 iflag=direct; done) 2>/dev/null &
    others=$!
    quick /mnt getattr 400 --block 200 2>&1
    kill $others
    [ "$before" = "$(ls -a /mnt)" ] && echo nothing left: 0
    until umount /mnt; do sleep 1; done # the last dd may still run
    echo == end
}

states() {
    mounted write=eager
    said states quick explain /mnt getattr,read,read-last-byte 60 --block 10 -j -
    said knfsd_states quick explain --knfsd 127.0.0.1:/export getattr,write 60 --block 10 -j -
    said refused_states su -s /bin/sh nobody -c \
        './nfsbench explain /mnt getattr 20 --block 10 --allow-suspect --no-warmup -q -j -'
    umount /mnt
    # Five processes read through a mount with two slots.
    echo 2 >/proc/sys/sunrpc/tcp_max_slot_table_entries
    mounted nosharecache
    said backlog quick explain /mnt read,write 60 --block 10 --clients 5 --kprofile -j -
    umount /mnt
    echo 65536 >/proc/sys/sunrpc/tcp_max_slot_table_entries
}

# Make two runs at a time, each on its own mount.
two_mounts() {
    mkdir -p /tmp/mnt
    mounted nosharecache
    mounted nosharecache 127.0.0.1 /export /tmp/mnt
    quick /mnt getattr,read 200 --block 20 --no-ledger -j - >first &
    first=$!
    said second quick /tmp/mnt getattr,read 200 --block 20 --no-ledger -j -
    wait $first
    said first cat first
    # The mount is the layer to compare nfsbench's own client with
    said layer quick 127.0.0.1:/export read,write 60 --block 20 --baseline-dir /mnt --no-ledger -j -
    ./nfsbench 127.0.0.1:/export read 1M --baseline-dir /mnt --no-ledger --no-warmup -q >/dev/null 2>&1 &
    until ls -a /mnt | grep -q nfsbench; do sleep 1; done
    kill -9 $!
    wait $!
    sleep 3
    said left ls -a /mnt
    umount /mnt
    umount /tmp/mnt
}

# Mount with other options. With a file as the target, the run only reads.
options() {
    mounted nordirplus,nconnect=2
    said others quick /mnt readdir,create-close 20 --block 10 --no-ledger -j -
    sum=$(md5sum /mnt/file /mnt/dir/hello)
    before=$(ls -aR /mnt)
    said file quick /mnt/file getattr,read,read-last-byte,fsstat 20 --block 10 -j -
    echo == told
    quick /mnt/file write 10 2>&1
    quick /mnt/file read 10 --verify 2>&1
    quick /mnt readdirplus 10 2>&1
    [ "$sum" = "$(md5sum /mnt/file /mnt/dir/hello)" ] && [ "$before" = "$(ls -aR /mnt)" ] && echo file: unchanged
    umount /mnt
    echo == end
}

delay() {
    embedded --delay getattr=300ms:1
    mounted port=4000,mountport=4000,actimeo=600
    said delay quick /mnt getattr 4 --block 4 --no-baseline -j -
    printf 'caller-woken 0-1ns\nsent 1000s..2000s\nnetwork-and-server 300ms..1000s\nlife 300ms..1000s\n' >predicted
    said delayed_states quick explain /mnt getattr 4 --block 2 --predict predicted -j -
    embedded_ends
}

# The kernel's client and nfsbench's own client, measured in the same rounds
versus() {
    embedded
    mounted port=4000,mountport=4000,nconnect=2
    said versus quick /mnt getattr,read 20 --versus engine=wire --no-ledger -j -
    echo == told
    ./nfsbench /mnt getattr 20 --block 10 --no-baseline --allow-suspect 2>&1 |
        awk '$1 == "getattr" && $2 == "1.000" { print "getattr: " $2 " sent again " $6 }'
    ./nfsbench /mnt getattr 20 --block 10 --no-ledger --no-baseline --allow-suspect --versus engine=wire 2>&1 |
        grep 'the mount has .*, engine wire has one'
    echo == end
    embedded_ends
}

# Make all ops on the embedded server on the host. Copy a file and make a tree, to test the server with an independent client.
host() {
    dd if=/dev/urandom of=/tmp/data bs=64k count=50 2>/dev/null
    mounted "$host,write=eager" 10.0.2.2
    said host quick /mnt $all,commit 20 --block 10 --no-ledger --verify -j -
    umount /mnt
    echo == told
    mounted "$host" 10.0.2.2
    cp /tmp/data /mnt/copy
    umount /mnt
    mounted "$host" 10.0.2.2
    cmp /tmp/data /mnt/copy && echo copied: the same
    rm /mnt/copy
    for i in 1 2 3 4; do
        (
            mkdir /mnt/tree$i
            for j in 1 2 3 4 5; do
                mkdir /mnt/tree$i/$j
                echo $j >/mnt/tree$i/$j/file
                ln -s file /mnt/tree$i/$j/link
                mv /mnt/tree$i/$j/file /mnt/tree$i/$j/moved
            done
            [ "$(cat /mnt/tree$i/*/moved | tr -d '\n')" = 12345 ] && rm -r /mnt/tree$i
        ) &
        trees="${trees-} $!"
    done
    # shellcheck disable=SC2086
    wait $trees
    echo "tree: $(ls -d /mnt/tree* 2>/dev/null | wc -l) left"
    umount /mnt
    # Debian's kernel has no NFS over UDP. A kernel that has it makes the copy over UDP.
    if mount -t nfs -o "vers=3,nolock,addr=10.0.2.2,proto=udp,$host" 10.0.2.2:/export /mnt 2>/dev/null; then
        cp /tmp/data /mnt/copy
        cmp /tmp/data /mnt/copy && rm /mnt/copy && echo UDP: the same
        umount /mnt
    else
        echo UDP: this kernel has none
    fi
    echo == end
}

# by_kerberos SEC: mount the same server with SEC. Tickets need the host's time, which this machine loses while the host is
# paused; and rpc.gssd can miss a mount that comes just after another one.
by_kerberos() {
    for _ in 1 2 3 4 5; do
        hwclock -u -s
        ! mount -t nfs -o "vers=3,nolock,addr=10.0.2.2,proto=tcp,$host,sec=$1" host:/export /mnt || return 0
        sleep 2
    done
    unmounted
}

# Data written through one mount is read through another.
kerberos() {
    dd if=/dev/urandom of=/tmp/data bs=64k count=20 2>/dev/null
    for sec in krb5 krb5i krb5p; do
        by_kerberos $sec
        cp /tmp/data /mnt/copy
        umount /mnt
        by_kerberos $sec
        echo == told
        cmp /tmp/data /mnt/copy && echo "$sec: the same"
        rm /mnt/copy
        echo == end
        said $sec quick /mnt getattr,read,write 20 --block 10 --no-ledger --versus engine=wire -j -
        umount /mnt
    done
}

# nfs-ganesha on the host. Its replies to MKDIR lack the directory's attributes from before.
ganesha() {
    mounted port=20490,mountport=20491,write=eager 10.0.2.2 /run/ganesha/export
    ops=getattr,setattr,lookup,access,readlink,read,read-last-byte,write,create,symlink,mknod,remove,rename,link
    said ganesha quick /mnt $ops,readdirplus,fsstat,commit,open,create-new 10 --block 5 --no-ledger --verify -j -
    echo == told
    for op in mkdir rmdir stat-new; do
        quick /mnt $op 5 --block 5 --no-ledger --no-baseline 2>&1
    done
    echo == end
    umount /mnt
}

# Change a mount, or stop its server, during a run.
meanwhile() {
    long="getattr --block 20 --no-baseline --no-ledger --precision 0.001% --max-time 10s --launches 1"
    embedded
    mounted port=4000,mountport=4000,soft,timeo=5,retrans=1
    (
        sleep 4
        kill -STOP $server
        sleep 3
        kill -CONT $server
    ) &
    # shellcheck disable=SC2086
    said soft quick /mnt $long -j - 2>/dev/null
    umount /mnt
    mounted port=4000,mountport=4000
    (sleep 4 && mount -o remount,ro /mnt) &
    # shellcheck disable=SC2086
    said remounted quick /mnt $long -j - 2>/dev/null
    umount /mnt
    mounted port=4000,mountport=4000
    (sleep 4 && umount -l /mnt) &
    echo == told
    # shellcheck disable=SC2086
    quick /mnt $long 2>&1
    mounted port=4000,mountport=4000
    (sleep 4 && kill "$server" && sleep 1 && exec ./nfsbench serve --port 4000) >ready 2>&1 &
    server=$!
    # shellcheck disable=SC2086
    quick /mnt $long 2>&1
    echo == end
    embedded_ends
}

# Let another client change a file during a run.
changed() {
    mounted nordirplus
    (
        until [ -e /export/.nfsbench-*/cached ]; do sleep 1; done
        sleep 4
        dd if=/dev/urandom of="$(echo /export/.nfsbench-*/data)" bs=4k count=16 conv=notrunc 2>/dev/null
    ) &
    said changed quick /mnt --verify read --block 20 --no-baseline --no-ledger --precision 0.001% --max-time 10s --launches 1 -j - 2>/dev/null
    umount /mnt
}

# Make a run on a mount whose server does not answer any more.
gone() {
    embedded
    mounted port=4000,mountport=4000
    echo == told
    kill -STOP $server
    status=0
    ./nfsbench /mnt getattr 100 --timeout 2s --retrans 0 -q 2>&1 || status=$?
    echo status $status
    kill -CONT $server
    echo == end
    embedded_ends
}

# A kernel without its NFS server: remove the modules, beginning with those that no other one needs.
unloaded() {
    killall rpc.mountd rpc.gssd rpcbind
    rpc.nfsd 0
    exportfs -au
    umount /proc/fs/nfsd
    umount /var/lib/nfs/rpc_pipefs
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -e /sys/module/sunrpc ] || break
        sleep 0.2
        cut -d ' ' -f 1 /proc/modules | grep -E 'nfs|rpc|lockd|grace' | xargs -n 1 rmmod 2>/dev/null
    done
    said unloaded quick explain --knfsd self: getattr 20 --block 10 -j -
}

shift
for part; do
    begun=$(cut -d . -f 1 /proc/uptime)
    echo "before $part: $(head -1 /proc/stat) $(cat /proc/uptime)"
    $part
    echo "$part took $(($(cut -d . -f 1 /proc/uptime) - begun)) s"
done
