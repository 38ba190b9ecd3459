#!/bin/sh
# The phases of calls that Kerberos protects, in a realm of the test's own. Run by hand, it needs the program's absolute
# path.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/phases.sh"
need krb5kdc kinit jq

if [ -z "$part" ] || [ "$part" = ganesha ]; then
    "$nfsbench" --version | grep -q Kerberos || skip "built without Kerberos"
fi
[ -n "$part" ] || again inside timeout 300 "$top/scripts/with-kerberos"
[ "$part" != ganesha ] || again ganesha_inside timeout 300 "$top/scripts/with-ganesha" -k

if [ "$part" = ganesha_inside ]; then
    result 0 explain 127.0.0.1:/export getattr 50 --sec krb5p --no-warmup -q
    holds '[.phases[] | select(.key == ("wrap", "unwrap")) | .calls > 0] == [true, true]' 'nfs-ganesha'
    finish
fi

start "$nfsbench" serve --sec sys,krb5,krb5i,krb5p
target=nfs://127.0.0.1:$port/export

# Protection by Kerberos has its own phases, and every call has these phases.
for flavor in krb5 krb5i krb5p; do
    explain $target write 60 --sec $flavor
    holds ".auth == \"$flavor\" and .explained > 0" "$flavor"
    holds '[.phases[].key] | .[:3] == ["encode", "wrap", "send"] and .[-2:] == ["unwrap", "decode"]' "$flavor"
    holds '.explained as $all | [.phases[] | select(.key == ("wrap", "unwrap")) | .calls == $all and .min_ns > 0] == [true, true]' \
        "$flavor"
    holds '(.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 300' "$flavor"
    holds '(.server_missing // "" | contains("match no call") | not)' "$flavor"
    result 0 explain --xdr $target write,mount-null 40 --sec $flavor --block 20 --no-warmup
    holds '[.ops[] | select(.op == "write") | .mic_ns, .verify_ns | .estimate > 0] == [true, true]' "--xdr, $flavor"
    holds ".auth == \"krb5\" or ([.ops[] | select(.op == \"write\") | .wrap_ns, .unwrap_ns | .estimate > 0] | all)" \
        "--xdr, $flavor"
    holds '[.ops[] | select(.op == "mount-null") | has("mic_ns", "verify_ns")] == [false, false]' "--xdr, $flavor"
done

# Under load.
explain $target getattr,write 200 --depth 8 --sec krb5p
holds '[.ops[] | .explained > 0.5 * .calls and (.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 500] | all' \
    '--depth'
holds '[.ops[] | .explained as $all | .phases[] | select(.key == ("wrap", "unwrap")).calls == $all] == [true, true, true, true]' \
    '--depth'

result measured explain $target getattr 40 --no-server --no-warmup
holds '.auth == "AUTH_SYS" and ([.phases[].key] | index("wrap", "unwrap", "encrypt", "decrypt") | not)' sys
refused 2 '--ladder and --knfsd are for calls without Kerberos' explain --ladder $target getattr --sec krb5
stop
finish
