#!/bin/sh
# Every procedure's success and errors (errors.py) on the embedded server, over TCP and UDP and with its options, on
# nfs-ganesha with both back ends, and on Linux's own server in a virtual machine.
. "$(dirname "$0")/lib.sh"
need python3

# errors SERVER MODE TRANSPORT NFS_PORT MOUNT_PORT EXPORT: run errors.py, which must find no error
errors() {
    timeout -k 5 120 python3 "$here/errors.py" "$@" || fail "errors.py $*"
}

# The export belongs to the user who started the server. This must not be root, because --root-squash does not trust root.
as= # command that starts the embedded server as another user
if [ "$part" = root_squash ] && [ "$(id -u)" -eq 0 ]; then
    as="setpriv --reuid 1000 --regid 100 --clear-groups"
    $as "$nfsbench" --help >/dev/null 2>&1 || skip "another user can't run $nfsbench here"
fi

# embedded MODE TRANSPORT OPTION...: test a server that is started with these options
embedded() {
    mode=$1 transport=$2
    shift 2
    start $as "$nfsbench" serve "$@"
    errors embedded "$mode" "$transport" "$port" "$port" /export
    stop
}

case $part in
mem)
    for transport in tcp udp; do
        errors mem all $transport 20490 20491 /export
    done
    finish
    ;;
vfs)
    for transport in tcp udp; do
        errors vfs all $transport 20490 20491 /run/ganesha/export
    done
    finish
    ;;
root_squash)
    for transport in tcp udp; do
        embedded root-squash $transport --root-squash
    done
    finish
    ;;
knfsd)
    [ -n "${KNFSD_NFS_PORT-}" ] || of_guest errors # integration/guest runs this script
    for transport in tcp udp; do
        errors knfsd all $transport "$KNFSD_NFS_PORT" "$KNFSD_MOUNT_PORT" /export
        errors knfsd read-only $transport "$KNFSD_NFS_PORT" "$KNFSD_MOUNT_PORT" /readonly
    done
    finish
    ;;
esac

for transport in tcp udp; do
    embedded all $transport
    embedded read-only $transport --read-only
    embedded no-space $transport --files 1 --memory 1M
done
embedded most-links tcp
finish
