#!/bin/sh
# serve --register: rpcbind has the server's entries only while it runs, and entries of other servers are not changed. In
# separate namespaces, where port 111 and rpcbind's socket are free.
. "$(dirname "$0")/lib.sh"
need unshare ip rpcbind rpcinfo showmount

if [ "$part" != inside ]; then
    unshare -n -m true 2>/dev/null || skip "no new namespaces may be made here"
    again inside unshare -n -m --kill-child
fi
PATH=$PATH:/usr/sbin:/sbin
mount -t tmpfs tmpfs /run
mkdir -p /run/rpcbind /run/sendsigs.omit.d
ip link set lo up

refused 3 "rpcbind can't be reached" serve --register

rpcbind -f -w &
others=$!
within 10 'rpcinfo -t 127.0.0.1 100000 2 >/dev/null 2>&1' || true

# registered: print rpcbind's entries, except those of rpcbind itself, as lines program:version:transport:port
registered() {
    rpcinfo -p 127.0.0.1 | awk '$1 != "program" && $1 != 100000 { print $1 ":" $2 ":" $3 ":" $4 }' | sort
}

all_three() {
    for program in 100003 100005 100227; do
        for proto in tcp udp; do
            echo "$program:3:$proto:$1"
        done
    done
}

start "$nfsbench" serve --register
[ "$(registered)" = "$(all_three "$port")" ] || fail "rpcbind has: $(registered)"
[ "$(showmount -e --no-headers 127.0.0.1 | tr -d ' ')" = '/export(everyone)' ] ||
    [ "$(showmount -e --no-headers 127.0.0.1 | awk '{ print $1 }')" = /export ] || fail 'showmount -e'
for program in 100003 100005; do
    for transport in -t -u; do
        rpcinfo $transport 127.0.0.1 $program 3 >/dev/null || fail "rpcinfo $transport $program"
    done
done
for proto in tcp udp; do
    run 0 127.0.0.1:/export getattr 100 --proto $proto --no-ledger
done
run 0 '[::1]:/export' getattr 100 --no-ledger
# A plain mount works, if the kernel has an NFS client.
if mkdir "$scratch/mnt" && grep -qw nfs /proc/filesystems; then
    timeout 60 mount -t nfs -o vers=3,nolock,soft 127.0.0.1:/export "$scratch/mnt" || fail 'a plain mount'
    [ "$(head -c 1 "$scratch/mnt/file")" = H ] || fail 'a file of the mount'
    umount "$scratch/mnt" || fail 'umount'
fi

first=$port
refused 1 'another server has registered it' serve --register
[ "$(registered)" = "$(all_three "$first")" ] || fail "rpcbind has, after a second server: $(registered)"

# A server that runs as another user removes its own entries.
stop
[ -z "$(registered)" ] || fail "left in rpcbind: $(registered)"
start "$nfsbench" serve --register --user nobody --bind 127.0.0.1
[ "$(registered)" = "$(all_three "$port")" ] || fail "rpcbind has: $(registered)"
[ -z "$(rpcinfo 127.0.0.1 | awk '$1 == 100003 && $3 ~ /6$/')" ] || fail 'IPv6 is registered, which it does not serve'
stop
[ -z "$(registered)" ] || fail "left in rpcbind by nobody: $(registered)"
finish
