#!/bin/sh
# RPC-with-TLS in the client and the embedded server, with certificates made for the test.
# Started by hand, the test needs an absolute path of the program.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need openssl python3 jq
export PYTHONPATH="$here" # where tls_peer.py finds its modules

if [ "$part" != inside ]; then
    "$nfsbench" --version | grep -q TLS || skip "built without TLS"
    again inside timeout 300 "$top/scripts/with-tls"
fi

quick='--no-ledger --no-model --no-warmup'
ca="--tls-ca $TLS/ca.pem"
mtls="--xprtsec mtls $ca --tls-cert $TLS/client.pem --tls-key $TLS/client.key"
# serve NAME OPTION...: start the embedded server with the certificate NAME, and set $target
serve() {
    name=$1
    shift
    start "$nfsbench" serve --tls-cert "$TLS/$name.pem" --tls-key "$TLS/$name.key" "$@"
    target=nfs://127.0.0.1:$port/export
}
# shellcheck disable=SC2086
{
    # Calls that read, calls that change something, and long calls succeed, by the address and the name in the certificate.
    serve server --tls-ca "$TLS/ca.pem"
    result 0 $target getattr,read,write,create 100 --xprtsec tls $ca --verify $quick
    holds '.target.xprtsec == "tls" and (.target.tls | startswith("TLSv1.3 TLS_"))' tls
    holds '.ops[] | select(.op == "getattr").bytes | .call == 92 and .tls_call == 114 and .tls_reply == .reply + 22' 'a record each'
    holds '[.setup.handshakes | .probe_ns, .tls_ns, .resumed_tls_ns | .estimate > 0] | all' tls
    holds '.setup.handshakes | .made == 20 and .resumed == 20 and .run_connections - .run_resumed == 1' tls
    grep -q '^    resumed handshake (20): [0-9.]* ms \[' "$scratch/out" || fail 'the text has no resumed handshake'
    holds '[.ops[] | select(.calls > 0 and .errors == {} and .reconnects == 0)] | length >= 5' tls
    result 0 nfs://localhost:$port/export read,write 20 --size 1MiB $mtls --verify $quick
    holds '.target.xprtsec == "mtls"' mtls
    # Many calls in flight over several connections succeed.
    result 0 $target getattr,read,write 512 --size 100000 --xprtsec tls $ca --depth 16 --clients 2 --connections 2 \
        $quick
    holds '[.ops[] | .errors == {} and .reconnects == 0 and .timed > 0] | all' '--depth 16'
    # Calls without and with TLS in the same rounds.
    run 0 $target getattr 100 --versus xprtsec=tls $ca $quick
    grep -q 'NFSv3 over TCP, AUTH_SYS, xprtsec=tls' "$scratch/out" || fail "--versus xprtsec=: the second side"
    grep -q 'B against A' "$scratch/out" || fail "--versus xprtsec= compares nothing"
    result measured sweep --sec-ladder $target getattr 50 --depth 1 --repeat 1 --no-warmup --allow-suspect ${mtls#--xprtsec mtls}
    holds '[.cells[].variant] | sort == ["mtls", "none", "sys", "tls"]' 'a ladder with TLS'
    # Without --tls-ca the system's authorities are used, which do not include the test's.
    refused 3 'certificate verify failed: unable to get local issuer certificate' $target null 10 --xprtsec tls
    refused 3 'certificate verify failed: unable to get local issuer' $target null 10 --xprtsec tls --tls-ca "$TLS/other.pem"
    stop

    # Lost connections are made again, with TLS.
    serve server --reset-after 150
    result 0 $target getattr 200 --xprtsec tls $ca $quick
    holds '[.ops[] | .errors == {} and .retransmits == .reconnects] | all' '--reset-after'
    holds '([.ops[].reconnects] | add) > 0' '--reset-after'
    holds '.setup.handshakes | .run_resumed > 1 and .run_connections - .run_resumed == 1' '--reset-after'
    result 0 $target getattr 600 --xprtsec tls $ca --depth 4 $quick
    holds '([.ops[].reconnects] | add) > 0' '--reset-after, --depth'
    stop

    # The probe is answered at once, although replies are delayed and in order. Without tickets, no session is resumed.
    serve server --delay null=2ms --habit in-order --habit no-tickets
    result 0 $target getattr 20 --xprtsec tls $ca $quick
    holds '.setup.handshakes | .made == 40 and .resumed == 0 and .resumed_tls_ns == null and .run_resumed == 0' no-tickets
    python3 "$top/src/security/tests/tls_peer.py" $port "$TLS" in-order || fail 'a probe behind a delayed call is not answered at once'
    stop

    # A server that requires TLS, or clients' certificates, refuses calls without them.
    serve server --xprtsec tls
    refused 3 'AUTH_TOOWEAK' $target getattr 10
    run 0 $target getattr 20 --xprtsec tls $ca $quick
    stop
    serve server --xprtsec mtls --tls-ca "$TLS/ca.pem"
    refused 3 'AUTH_TOOWEAK' $target getattr 10
    refused 3 'tlsv13 alert certificate required' $target getattr 10 --xprtsec tls $ca
    refused 3 'tlsv1 alert unknown ca' $target getattr 10 --xprtsec mtls $ca --tls-cert "$TLS/stranger.pem" \
        --tls-key "$TLS/stranger.key"
    run 0 $target getattr 20 $mtls $quick
    stop

    # The client refuses certificates that must not be trusted.
    while read -r name reason; do
        serve "$name"
        refused 3 "certificate verify failed: $reason" $target null 10 --xprtsec tls $ca
        stop
    done <<CERTIFICATES
expired certificate has expired
elsewhere IP address mismatch
self self-signed certificate
stranger unable to get local issuer certificate
CERTIFICATES
    serve elsewhere
    refused 3 'certificate verify failed: hostname mismatch' nfs://localhost:$port/export null 10 --xprtsec tls $ca
    stop

    # A server without TLS: no call is sent unprotected.
    start "$nfsbench" serve
    refused 3 'has no TLS: it answered the probe \(AUTH_TLS\) by RPC_AUTHERROR AUTH_BADCRED' \
        nfs://127.0.0.1:$port/export null 10 --xprtsec tls $ca
    stop
    # Servers that fail during the start of TLS: the fault, the exit status, and words of the message.
    while IFS=: read -r fault wanted reason; do
        start python3 "$here/bad_server.py" "$fault" 0
        refused "$wanted" "$reason" nfs://127.0.0.1:$port/x null 10 --xprtsec tls $ca --timeout 300ms
        kill $server_pid && wait $server_pid 2>/dev/null || true
    done <<FAULTS
none:3:has no STARTTLS
auth:3:by RPC_AUTHERROR AUTH_TOOWEAK
garbage:1:not an RPC reply
huge:1:not an RPC reply
call:1:not an RPC reply
starttls-early:1:not an RPC reply
close:3:the probe \(AUTH_TLS\): the server closed the connection
silence:3:the probe \(AUTH_TLS\): no answer
starttls-close:3:the TLS handshake: the server closed the connection
starttls-silence:3:the TLS handshake: no answer
starttls-garbage:3:wrong version number
FAULTS
    server_pid=

    # Another implementation: Python's ssl.
    serve server --tls-ca "$TLS/ca.pem"
    python3 "$top/src/security/tests/tls_peer.py" $port "$TLS" || fail "Python's ssl disagrees with the server"
    stop
    start python3 "$top/src/security/tests/tls_peer.py" serve "$TLS"
    refused 3 'does not support the ALPN|no application protocol' nfs://127.0.0.1:$port/x null 10 --port $port --mount-port $port \
        --xprtsec tls $ca --timeout 1s
    kill $server_pid && wait $server_pid 2>/dev/null || true
    server_pid=

    # Peers that begin handshakes and never finish them. In a build with a sanitizer, the sanitizer's memory counts, too.
    ! "$nfsbench" --version | grep -qE 'address|thread' || export nfsbench_sanitized=1
    serve server --threads 2 --held 8MiB --stall 5s
    timeout 200 python3 "$here/scarce.py" handshakes $port $server_pid \
        "$nfsbench" --allow-suspect $target getattr 100 --xprtsec tls $ca $quick >"$scratch/scarce" 2>&1 ||
        fail "half handshakes: $(cat "$scratch/scarce")"
    grep grew "$scratch/scarce"
    stop

    # Options that can't be combined.
    [ -z "$(engines tirpc)" ] || refused 2 'need --engine wire' self: null 10 --xprtsec tls --engine tirpc
    refused 2 'need TCP' nfs://127.0.0.1:1/x null 10 --xprtsec tls --proto udp
    refused 2 'self: has no certificate' self: null 10 --xprtsec tls
    refused 2 'needs --tls-cert' nfs://127.0.0.1:1/x null 10 --xprtsec mtls
    refused 2 'are for --xprtsec mtls' nfs://127.0.0.1:1/x null 10 --xprtsec tls --tls-cert "$TLS/client.pem" \
        --tls-key "$TLS/client.key"
    refused 2 'is for --xprtsec' nfs://127.0.0.1:1/x null 10 $ca
    refused 2 '--tls-ca /none: No such file' nfs://127.0.0.1:1/x null 10 --xprtsec tls --tls-ca /none
    refused 2 '--tls-cert .*: no start line' serve --tls-cert "$TLS/server.key" --tls-key "$TLS/server.key"
    refused 2 '--tls-key .*: key values mismatch' serve --tls-cert "$TLS/server.pem" --tls-key "$TLS/client.key"
    refused 2 'tls-cert needs --tls-key' serve --tls-cert "$TLS/server.pem"
    refused 2 'need --tls-cert' serve --xprtsec tls
    refused 2 'mtls needs --tls-ca' serve --tls-cert "$TLS/server.pem" --tls-key "$TLS/server.key" --xprtsec mtls
}
finish
