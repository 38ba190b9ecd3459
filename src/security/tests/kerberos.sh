#!/bin/sh
# Calls protected by Kerberos, against nfs-ganesha in a realm of its own.
# Started by hand, the test needs an absolute path of the program.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need krb5kdc kinit jq ganesha.nfsd

if [ "$part" != inside ]; then
    "$nfsbench" --version | grep -q Kerberos || skip "built without Kerberos"
    again inside timeout 300 "$top/scripts/with-ganesha" -k
fi

quick='--no-ledger --no-model -q'
target=127.0.0.1:/export

# shellcheck disable=SC2086
{
    # With each flavor, calls that read and calls that change a scratch directory succeed.
    for flavor in krb5 krb5i krb5p; do
        result 0 $target getattr,read,write,create 200 --sec $flavor --verify $quick
        holds ".target.auth == \"$flavor\"" $flavor
        holds '[.ops[] | select(.calls > 0 and .errors == {})] | length >= 5' $flavor
        [ -z "$(engines tirpc)" ] || run 0 $target getattr,read 50 --sec $flavor --engine tirpc $quick
    done
    run 0 $target getattr 200 --sec krb5p --check-in-time $quick

    # nfs-ganesha's threads handle a connection's calls in any order, and its window has 32 sequence numbers. It drops
    # calls if 32 are in flight, so nfsbench allows 31.
    run 0 $target getattr 10000 --sec krb5 --depth 31 --no-baseline --timeout 3s $quick
    refused 2 'window allows 31 calls in flight' $target getattr 10000 --sec krb5 --depth 8 --connections 4 $quick

    # --versus compares two flavors in the same rounds.
    if has_option versus; then
        run 0 $target getattr 500 --versus sec=krb5p --no-warmup --no-ledger --no-model
        grep -q 'NFSv3 over TCP, krb5p' "$scratch/out" || fail "--versus sec=: the second side"
        grep -q 'B against A' "$scratch/out" || fail "--versus sec= compares nothing"
    fi

    # With missing tickets, the message refers to klist; with an unusable configuration, it names the flavor and the service.
    KRB5CCNAME=FILE:$scratch/none refused 3 'no security context; see klist' $target null 10 --sec krb5 $quick
    KRB5_CONFIG=$scratch/none refused 3 'krb5i for nfs/127.0.0.1' $target null 10 --sec krb5i $quick

    # The result has the sizes of the protected messages, in bytes; the expected sizes are from tshark.
    result 0 self: getattr 50 --sec krb5i $quick
    holds '[.ops[] | select(.role != "null_control").bytes | .call, .reply] == [140, 96, 164, 184]' 'sizes by krb5i'
}
[ -z "$(engines libnfs)" ] || refused 2 'need --engine wire' $target null 10 --sec krb5 --engine libnfs
refused 2 'is for --sec' $target null 10 --check-in-time
finish
