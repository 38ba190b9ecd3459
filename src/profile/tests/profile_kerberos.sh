#!/bin/sh
# A capture of encrypted calls (krb5p): replies are counted, their statuses as encrypted.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need tshark tcpdump krb5kdc jq python3

if [ "$part" != inside ]; then
    "$nfsbench" --version | grep -q Kerberos || skip "built without Kerberos"
    again inside timeout 120 "$top/scripts/with-kerberos"
fi

cd "$scratch"
capture trial 1 || skip "no permission to capture: $(tail -n 1 trial.err)"
end_capture
start "$nfsbench" serve --sec krb5p
capture krb5p "$port" || fail "the capture did not begin: $(cat krb5p.err)"
run 0 "nfs://127.0.0.1:$port/export" getattr,read,write 20 --sec krb5p --no-baseline --no-ledger --no-model --no-warmup
end_capture
stop
result 0 profile krb5p.pcap
holds '.procedures[] | select(.procedure == "read") | .replies >= 20 and .encrypted == .replies and .errors == {}' krb5p
finish
