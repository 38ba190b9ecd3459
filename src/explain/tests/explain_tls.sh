#!/bin/sh
# The phases of calls over TLS, with certificates of the test's own. Run by hand, it needs the program's absolute path.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/phases.sh"
need openssl jq

if [ "$part" != inside ]; then
    "$nfsbench" --version | grep -q TLS || skip "built without TLS"
    again inside timeout 300 "$top/scripts/with-tls"
fi

ca="--tls-ca $TLS/ca.pem"
start "$nfsbench" serve --tls-cert "$TLS/server.pem" --tls-key "$TLS/server.key"
target=nfs://127.0.0.1:$port/export

# shellcheck disable=SC2086
{
    # WRITEs of one TLS record and of several: every call has the phases of encryption and decryption.
    for size in 4k 100000; do
        explain $target write 60 --size $size --xprtsec tls $ca
        holds '.xprtsec == "tls" and .explained > 0' "$size"
        holds '[.phases[].key] | .[:3] == ["encode", "encrypt", "send"] and .[-2:] == ["decrypt", "decode"]' "$size"
        holds '.explained as $all | [.phases[] | select(.key == ("encrypt", "decrypt")) | .calls == $all and .min_ns > 0] ==
            [true, true]' "$size"
        holds '(.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 300' "$size"
        holds '(.server_missing // "" | contains("match no call") | not)' "$size"
    done
    result measured explain $target getattr 20 --xprtsec tls $ca --no-warmup --server-cmd env
    holds '.view == "client" and (.server_missing | contains("encrypted"))' 'a server elsewhere'
    # A long reply is decrypted in 64 pieces or more. The time of all pieces counts as decryption.
    explain $target read 20 --size 1M --xprtsec tls $ca
    holds '[.phases[] | select(.key == ("encrypt", "decrypt")).min_ns] | .[1] > 4 * .[0]' '1M'
    holds '(.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 300' '1M'
    # Under load, a record may have several calls, or a call several records.
    explain $target getattr,write 300 --size 100000 --clients 2 --depth 8 --xprtsec tls $ca
    holds '[.ops[] | .explained > 0.5 * .calls and (.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 500] | all' \
        '--depth'
    holds '[.ops[] | .explained as $all | .phases[] | select(.key == ("encrypt", "decrypt")).calls == $all] == [true, true, true, true]' \
        '--depth'
    holds '[.ops[] | (.server_missing // "" | contains("match no call") | not)] | all' '--depth'
    refused 2 '--ladder and --knfsd are for calls without Kerberos' explain --ladder "$target" null --xprtsec tls
}
stop
finish
