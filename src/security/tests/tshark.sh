#!/bin/sh
# Wireshark decodes protected calls: tshark decrypts krb5p with the server's keytab, and TLS with the key log, and must
# find the calls that the server counted.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need tshark text2pcap tcpdump krb5kdc kinit openssl jq python3

if [ "$part" != inside ]; then
    for feature in Kerberos TLS; do
        "$nfsbench" --version | grep -q $feature || skip "built without $feature"
    done
    again inside timeout 120 "$top/scripts/with-kerberos" "$top/scripts/with-tls"
fi

cd "$scratch"
export HOME="$scratch" # without the user's preferences
capture trial 1 || skip "no permission to capture: $(tail -n 1 trial.err)"
end_capture

# take NAME OPTION...: capture a run's packets in NAME.pcap, and stop the server. NAME.served has a line for each procedure,
# except NULL, that the server served: its name, the number of calls, and the same number of replies.
take() {
    name=$1
    shift
    capture "$name" "$port" || fail "the capture did not begin: $(cat "$name.err")"
    run 0 "nfs://127.0.0.1:$port/export" getattr,read,write 20 --no-baseline --no-ledger --no-model --no-warmup --launches 1 \
        -j result.json "$@"
    end_capture
    stop
    sed -n 's/^service time: \([a-z]*\) calls=\([0-9]*\) .*/\1 \2 \2/p' server.out | grep -v '^null ' | sort >"$name.served"
    for op in getattr read write; do
        grep -q "^$op [2-9][0-9]" "$name.served" || fail "$name: the server had no 20 calls of $op"
    done
}

# shark FILE ARGUMENT...: run tshark on the packets in FILE. On a busy machine some packets are captured out of order; without
# reordering, no later record could be decrypted.
shark() {
    file=$1
    shift
    tshark -n -r "$file" -o tcp.reassemble_out_of_order:TRUE "$@" 2>shark.err || fail_showing "tshark: $*" shark.err
}

# seen FILE OPTION...: print for each procedure its name, and how many calls with a handle and replies with a status
# tshark decodes
seen() {
    shark "$@" -d "tcp.port==$port,rpc" -Y 'nfs.procedure_v3 && (nfs.fh.length || nfs.status)' -T fields \
        -e nfs.procedure_v3 -e rpc.msgtyp | awk '
        BEGIN {
            split("null getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename link " \
                  "readdir readdirplus fsstat fsinfo pathconf commit", names)
        }
        { messages[$1, $2]++; procedures[$1] }
        END { for (i in procedures) print names[i + 1], messages[i, 0] + 0, messages[i, 1] + 0 }' | sort
}

# agrees NAME: check that tshark decoded (NAME.seen) the calls that the server counted (NAME.served)
agrees() {
    diff "$1.served" "$1.seen" >&2 || fail "$1: tshark saw other calls (>) than the server had (<): $(grep dropped "$1.err")"
}

start "$nfsbench" serve --sec krb5p --service-times
take krb5p --sec krb5p
seen krb5p.pcap -o kerberos.decrypt:TRUE -o "kerberos.file:${KRB5_KTNAME#FILE:}" >krb5p.seen
agrees krb5p
[ -z "$(seen krb5p.pcap)" ] || fail 'krb5p: calls can be read without the keytab'

# tshark 4.0 decrypts TLS after a probe, but does not decode RPCs inside. So the decrypted data become a capture of their
# own.
# plain FILE OPTION...: print the decrypted data of FILE for text2pcap
plain() {
    shark "$@" -d "tcp.port==$port,tls" --disable-protocol rpc -Y data.data -T fields -e tcp.dstport -e data.data |
        awk -v port="$port" '{
            count = split($2, records, ",")
            for (i = 1; i <= count; i++) {
                gsub(/../, "& ", records[i])
                print ($1 == port ? "O" : "I"), "000000", records[i]
            }
        }'
}

start "$nfsbench" serve --service-times --tls-cert "$TLS/server.pem" --tls-key "$TLS/server.key"
SSLKEYLOGFILE=$scratch/keys take tls --xprtsec tls --tls-ca "$TLS/ca.pem"
keys="-o tls.keylog_file:$scratch/keys"
# shellcheck disable=SC2086
plain tls.pcap $keys >plain
text2pcap -q -D -T "1000,$port" plain plain.pcap >text2pcap.out 2>&1 || fail "text2pcap: $(cat text2pcap.out)"
seen plain.pcap >tls.seen
agrees tls
[ -z "$(plain tls.pcap)" ] || fail 'tls: calls can be read without the keys'

# Sessions are resumed (the server's extension 41, pre-shared key) as often as the result says. Early data (42) are
# neither offered nor sent.
# shellcheck disable=SC2086
shark tls.pcap $keys -d "tcp.port==$port,tls" -Y tls.handshake -T fields -E occurrence=a -e tls.handshake.type \
    -e tls.handshake.extension.type >handshakes
resumed=$(awk '$1 ~ /^2(,|$)/ && "," $2 "," ~ /,41,/' handshakes | wc -l)
[ "$resumed" -eq "$(jq '.setup.handshakes | .resumed + .run_resumed' result.json)" ] && [ "$resumed" -gt 20 ] ||
    fail "the server resumed $resumed sessions, not as many as the result says"
grep -q '^4' handshakes || fail 'tshark sees no ticket'
! awk '"," $2 "," ~ /,42,/' handshakes | grep -q . || fail 'early data (0-RTT)'
finish
