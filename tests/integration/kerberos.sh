#!/bin/sh
# Calls protected by Kerberos, against nfs-ganesha in a realm of its own.
# Run by itself it needs the program's path as an absolute one.
. "$(dirname "$0")/lib.sh"
need krb5kdc kinit jq ganesha.nfsd

if [ "$part" != inside ]; then
    "$nfsbench" --version | grep -q Kerberos || skip "built without Kerberos"
    again inside timeout 300 "$top/scripts/with-ganesha" -k
fi

# run ARGUMENT...: a short run
run() {
    timeout 60 "$nfsbench" "$@" --no-ledger --no-model --allow-suspect -q
}

# refused STATUS WORDS ARGUMENT...
refused() {
    wanted=$1 words=$2
    shift 2
    status=0
    run "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ $status -eq "$wanted" ] || fail "status $status, not $wanted: $*"
    grep -q -- "$words" "$scratch/err" || {
        cat "$scratch/err" >&2
        fail "'$words' is not in what $* said"
    }
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "more than a line: $*"
}

target=127.0.0.1:/export

# Each flavor: calls that read, and calls that change something, in a scratch directory of their own.
for flavor in krb5 krb5i krb5p; do
    run $target getattr,read,write,create 200 --sec $flavor --verify -j "$scratch/$flavor" ||
        fail "--sec $flavor"
    [ "$(jq -r .target.auth "$scratch/$flavor")" = $flavor ] || fail "the result's flavor: $flavor"
    [ "$(jq '[.ops[] | select(.calls > 0 and .errors == {})] | length' "$scratch/$flavor")" -ge 5 ] ||
        fail "$flavor: not all ops have calls without errors"
    run $target getattr,read 50 --sec $flavor --engine tirpc || fail "--sec $flavor --engine tirpc"
done
run $target getattr 200 --sec krb5p --check-in-time || fail "--check-in-time"

# Its threads take a connection's calls in any order, and its window has 32 numbers.
run $target getattr 10000 --sec krb5 --depth 8 --connections 4 --no-baseline --timeout 3s || fail "--depth 8"

# Two flavors in the same rounds.
timeout 60 "$nfsbench" $target getattr 500 --versus-sec krb5p --no-warmup --no-ledger --no-model \
    --allow-suspect >"$scratch/versus" || fail "--versus-sec"
grep -q 'NFSv3 over TCP  krb5p' "$scratch/versus" || fail "--versus-sec: the second side"
grep -q 'B against A' "$scratch/versus" || fail "--versus-sec compares nothing"

timeout 20 "$nfsbench" explain $target getattr 50 --sec krb5p --no-warmup --allow-suspect -q -j "$scratch/explained" ||
    fail "explain --sec krb5p"
[ "$(jq -c '[.phases[] | select(.key == ("wrap", "unwrap")) | .calls > 0]' "$scratch/explained")" = '[true,true]' ] ||
    fail "explain --sec krb5p has no phases of wrapping"

# What is not there, each by its name.
KRB5CCNAME=FILE:$scratch/none refused 3 'no security context; see klist' $target null 10 --sec krb5
KRB5_CONFIG=$scratch/none refused 3 'krb5i for nfs/127.0.0.1' $target null 10 --sec krb5i
refused 2 'need --engine wire or tirpc' $target null 10 --sec krb5 --engine libnfs
refused 2 'is for --sec' $target null 10 --check-in-time
finish
