#!/bin/sh
# Start one virtual machine (scripts/linux-vm) for all tests of Linux's own NFS client and server. Its output is kept in the
# directory $NFSBENCH_GUEST, and is checked by integration/knfsd, errors_knfsd and mounted_*.
. "$(dirname "$0")/lib.sh"
need jq nfs-ls

case $part in
'') # together with nfs-ganesha, if possible
    rm -rf "$NFSBENCH_GUEST"
    mkdir "$NFSBENCH_GUEST"
    status=0
    "$top/scripts/linux-vm" --download || exit $?
    "$top/scripts/with-ganesha" -v "$0" "$nfsbench" ganesha || status=$?
    [ $status -eq 77 ] || exit $status
    again alone env
    ;;
outside) # with the ports of the virtual machine's server
    for test in knfsd errors; do
        status=0
        "$here/$test.sh" "$nfsbench" knfsd >"$NFSBENCH_GUEST/$test" 2>&1 || status=$?
        echo $status >"$NFSBENCH_GUEST/$test.status"
    done
    exit
    ;;
esac
[ -n "${KRB5_CONFIG-}" ] || again "$part" "$top/scripts/with-kerberos" # some mounts use Kerberos

start "$nfsbench" serve --sec sys,krb5,krb5i,krb5p --service-times
# The part 'unloaded' comes last, because it removes the kernel's NFS server.
[ "$part" = ganesha ] || part=
# shellcheck disable=SC2086
set -- knfsd states two_mounts options delay versus host kerberos $part meanwhile changed gone unloaded
status=0
timeout 560 "$top/scripts/linux-vm" --lifetime 540 --first "'$0' '$nfsbench' outside" --inside "$nfsbench" \
    "$here/guest_inside.sh" -- sh guest_inside.sh "$port" "$@" >"$NFSBENCH_GUEST/said" || status=$?
stop
cp "$scratch/server.out" "$NFSBENCH_GUEST/server"
[ $status -eq 0 ] || {
    tail -n 20 "$NFSBENCH_GUEST/said"
    echo "the machine's status is $status" >&2
    exit $status
}
grep ' took ' "$NFSBENCH_GUEST/said"
finish
