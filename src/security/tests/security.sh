#!/bin/sh
# Kerberos in the embedded server, in a realm of its own.
# Started by hand, the test needs an absolute path of the program.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need krb5kdc kinit jq

if [ "$part" != inside ]; then
    "$nfsbench" --version | grep -q Kerberos || skip "built without Kerberos"
    again inside timeout 300 "$top/scripts/with-kerberos"
fi

# For AddressSanitizer: libgssapi-krb5 1.20 leaks the name of a service for which it finds no key. The sanitizer's
# preset leaves this test out, because it takes too long.
echo leak:krb5_build_principal_alloc_va >"$scratch/suppressions"
export LSAN_OPTIONS="${LSAN_OPTIONS:+$LSAN_OPTIONS:}suppressions=$scratch/suppressions:print_suppressions=0"

# A ticket that has expired when the end of this test uses it.
echo password | KRB5CCNAME=FILE:$scratch/old kinit -l 1s "$(id -un)" >"$scratch/kinit" || fail "kinit -l 1s"

quick='--no-ledger --no-model --no-warmup'
start "$nfsbench" serve --sec sys,krb5,krb5i,krb5p --service-times
target=nfs://127.0.0.1:$port/export

# With each flavor, calls that read and calls that change something succeed.
for flavor in krb5 krb5i krb5p; do
    # shellcheck disable=SC2086
    run 0 $target getattr,read,write,create 200 --sec $flavor --verify $quick -j "$scratch/result.json"
    holds ".target.auth == \"$flavor\"" $flavor
    holds '.target.auth_offered == "AUTH_SYS, krb5, krb5i, krb5p"' $flavor
    holds '[.ops[] | select(.calls > 0 and .errors == {})] | length >= 5' $flavor
    # RPCSEC_GSS of engine wire and of libtirpc work in the same rounds.
    [ -n "$(engines tirpc)" ] || continue
    # shellcheck disable=SC2086
    run 0 $target getattr,read,write 60 --sec $flavor --check-in-time --versus engine=tirpc $quick -j "$scratch/result.json"
    holds '[.first, .second | .config.check_in_time and .target.auth == "'$flavor'"] | all' "$flavor, tirpc"
    holds '[.first, .second | .ops[] | .errors == {} and .timed == .calls] | all' "$flavor, tirpc"
done

# The same server accepts AUTH_SYS, too.
# shellcheck disable=SC2086
result 0 $target getattr 40 $quick
holds '.target.auth == "AUTH_SYS"' sys

# A principal without a local user is nobody, who may read but change nothing.
echo password | KRB5CCNAME=FILE:$scratch/stranger kinit stranger >"$scratch/kinit" || fail "kinit stranger"
# shellcheck disable=SC2086
KRB5CCNAME=FILE:$scratch/stranger run 0 $target getattr 10 --sec krb5i $quick
KRB5CCNAME=FILE:$scratch/stranger run 1 $target create 10 --sec krb5i
grep -q NFS3ERR_ACCES "$scratch/err" || fail "a stranger may create files"

# A client whose clock is ten minutes fast is refused. Its ticket cache has the offset, as if the KDC had another clock.
# shellcheck disable=SC2086
cp "${KRB5CCNAME#FILE:}" "$scratch/fast" && KRB5CCNAME=FILE:$scratch/fast run 0 $target null 10 --sec krb5 $quick
python3 - "$scratch/fast" <<'CLOCK'
import struct, sys
with open(sys.argv[1], "rb") as file:
    tickets = file.read()
after = 4 + struct.unpack(">H", tickets[2:4])[0]
with open(sys.argv[1], "wb") as file:
    file.write(tickets[:2] + struct.pack(">HHHii", 12, 1, 8, 600, 0) + tickets[after:])
CLOCK
KRB5CCNAME=FILE:$scratch/fast refused 3 'GSS_S_[A-Z_]*: .*[Cc]lock skew' $target null 10 --sec krb5

# For flavors that are not offered, and missing or useless tickets, the message names the cause.
refused 3 'accepts AUTH_SYS, krb5, krb5i, krb5p, not AUTH_NONE' $target null 10 --sec none
KRB5CCNAME=FILE:$scratch/none refused 3 'klist: GSS_S_[A-Z_]*: No Kerberos credentials' $target null 10 --sec krb5
sed 's/ = NFSBENCH.TEST/ = ELSEWHERE.TEST/' "$KRB5_CONFIG" >"$scratch/krb5.conf"
KRB5_CONFIG=$scratch/krb5.conf refused 3 'GSS_S_[A-Z_]*: .*ELSEWHERE.TEST' nfs://localhost:$port/export null 10 --sec krb5
stop
# Each call is counted by its flavor, except NULLs that establish or end a context.
awk -F '[ :=]+' '/^service time:/ { all += $5; if ($3 != "null") most += $5 } /^calls by (AUTH_SYS|krb5[ip]?):/ { sum += $4; lines++ }
    END { exit !(lines == 4 && most > 0 && most <= sum && sum <= all) }' "$scratch/server.out" || fail "calls by flavor"

# Contexts that the server forgets, or that are too old, are made again. Calls that are sent again are not timed.
start "$nfsbench" serve --sec krb5p --forget-context 100
target=nfs://127.0.0.1:$port/export
refused 3 'accepts krb5p, not AUTH_SYS' $target null 10
refused 3 'accepts krb5p, not krb5i' $target null 10 --sec krb5i
refused 3 'accepts krb5p, not AUTH_SYS' sweep --sec-ladder $target
# shellcheck disable=SC2086
run 0 $target getattr 1000 --sec krb5p $quick -j "$scratch/result.json"
holds '[.ops[] | .errors == {} and .timed < .calls and .renewals == .calls - .timed and .retransmits == 0] | all' \
    '--forget-context'
for engine in $(engines tirpc); do
    # shellcheck disable=SC2086
    run 0 $target getattr 300 --sec krb5p --engine $engine $quick -j "$scratch/result.json"
    holds '[.ops[] | .errors == {} and .renewals == .calls - .timed and .renewals > 0] | all' "--forget-context, $engine"
done
stop
start "$nfsbench" serve --sec krb5 --context-time 100ms
# shellcheck disable=SC2086
run 0 nfs://127.0.0.1:$port/export getattr --max-time 500ms --sec krb5 $quick -j "$scratch/result.json"
holds '[.ops[].errors == {}] | all' '--context-time'
stop

# Many calls in flight: each is protected, and sent again with a new context or over a new connection if necessary.
# shellcheck disable=SC2086
run 0 self: getattr,write,create 600 --sec krb5p --depth 8 --clients 2 --connections 2 --self-args '--forget-context 100 --reset-after 300' \
    $quick -j "$scratch/result.json"
holds '[.ops[] | .errors == {} and .timed > 0 and .renewals > 0] | all' '--depth 8'
holds '([.ops[].reconnects] | add) > 0' '--depth 8'
# shellcheck disable=SC2086
run measured self: getattr 60 --sec krb5i --rate 100 --no-baseline $quick
# Two connections share a window: if the server reads one slowly, its calls must not fall out of the window.
# shellcheck disable=SC2086
run 0 self: getattr 2000 --sec krb5 --connections 2 --depth 4 --self-args '--sequence-window 8 --cost getattr=2ms:1%' --timeout 3s \
    $quick -j "$scratch/result.json"
holds '[.ops[] | .errors == {} and .timed > 0] | all' '--sequence-window'
refused 2 'allows 8 calls in flight' self: getattr 300 --sec krb5 --depth 9 --self-args '--sequence-window 8'
refused 2 'allows 1024 calls in flight' self: getattr 3000 --sec krb5 --depth 1025
refused 2 'for one call at a time' self: getattr 300 --sec krb5 --depth 2 --check-in-time

# A server refuses a keytab that is missing or has no key of nfs. With the key of another host, it refuses clients.
refused 2 'GSS_S_[A-Z_]*: .*/none' serve --sec krb5 --keytab "$scratch/none"
kadmin.local >"$scratch/kadmin" 2>&1 <<COMMANDS
addprinc -randkey host/localhost
addprinc -randkey nfs/elsewhere
ktadd -k $scratch/host.keytab host/localhost
ktadd -k $scratch/elsewhere.keytab nfs/elsewhere
COMMANDS
refused 2 'no key for nfs/HOST: GSS_S_[A-Z_]*: ' serve --sec krb5 --keytab "$scratch/host.keytab"
start "$nfsbench" serve --sec krb5 --keytab "$scratch/elsewhere.keytab"
refused 3 'the server refused the security context: GSS_S_' nfs://127.0.0.1:$port/export null 10 --sec krb5
stop
refused 2 'are for --sec krb5' serve --sec sys --keytab "$scratch/host.keytab"

# The clients of a thread can share a context. Its window must have room for all their calls in flight.
shared='--sec krb5i --contexts shared --threads 1 --depth 8 --no-baseline --no-ledger --launches 1'
# shellcheck disable=SC2086
{
    run measured self: getattr 2k $shared --self-args '--sequence-window 33' --clients 4 --allow-suspect -j "$scratch/result.json"
    holds '.config.load.shared_contexts and .ops[0].errors == {}' '--contexts shared'
    refused 2 'times the clients of a thread is the number' self: getattr 2k $shared --self-args '--sequence-window 33' --clients 5
}
[ -z "$(engines tirpc)" ] || refused 2 'needs --engine wire' self: getattr 2k --sec krb5i --contexts shared -e tirpc
refused 2 'is for --sec krb5' self: getattr 2k --contexts shared

# A security ladder has all flavors that are offered. Other flavors, and ops that a flavor does not allow, are listed with
# the reason.
# ladder ARGUMENT...: run a short security ladder, and write the result
ladder() {
    run measured sweep --sec-ladder "$@" --repeat 1 --no-warmup --allow-suspect -j "$scratch/result.json"
}
ladder self: getattr,write 20 --size 4k --depth 4
holds '[.cells[].variant] | unique == ["krb5", "krb5i", "krb5p", "none", "sys"]' 'a ladder'
holds '[.cells[] | select(.op == "write") | .variant] | unique == ["krb5", "krb5i", "krb5p", "sys"]' 'write by AUTH_NONE'
holds '[.left_out[] | select(.op) | [.variant, .op]] | unique == [["none", "write"]]' 'write by AUTH_NONE'
holds '[.cells[] | .units == 1 and .typical_ns.level.estimate > 0] | all' 'a ladder'
holds '[.contrasts[] | .quantity == "round_trip" and .difference_ns != null and (.units | length) == 1] | all and length == 14' 'a ladder'
holds '.cells as $cells | [.contrasts[] | [$cells[.first], $cells[.second]] | .[0].variant == "sys" and .[0].op == .[1].op and .[0].depth == .[1].depth] | all' 'a ladder'
holds '[.cells[] | select(.depth == 4) | .op + .variant] | length == 9' 'rates'
KRB5CCNAME=FILE:$scratch/none ladder self: getattr 20 --depth 1
holds '[.cells[].variant] == ["sys", "none"]' 'a ladder without a ticket'
holds '[.left_out[] | select(.op == null and (.reason | test("GSS_S_"))) | .variant] | sort == ["krb5", "krb5i", "krb5p"]' \
    'a ladder without a ticket'
KRB5_KTNAME=FILE:$scratch/none ladder self: getattr 20 --depth 1
holds '[.left_out[] | select(.reason | test("no key for nfs/HOST")) | .variant] | length == 3' 'a ladder without a key'
start "$nfsbench" serve --sec sys
ladder nfs://127.0.0.1:$port/export getattr 20 --depth 1
holds '[.cells[].variant] == ["sys"] and (.left_out | length == 6)' 'a ladder of one rung'
grep -q 'sys is the only variant' "$scratch/out" || fail "a ladder of one rung does not say so"
stop
refused 2 'is for ops, not for a mix' sweep --sec-ladder self: mix:sfs3
refused 2 'getattr has none' sweep --sec-ladder self: getattr --size 4k

# The server of self: offers the flavors that the client needs. An expired ticket is named as such.
# shellcheck disable=SC2086
run 0 self: getattr 100 --versus sec=krb5p $quick
grep -q 'krb5p' "$scratch/out" || fail "--versus sec= on self:"
KRB5CCNAME=FILE:$scratch/old refused 3 'GSS_S_[A-Z_]*: .*expired' self: null 10 --sec krb5

# Messages that a proxy changes are refused, with one call and with several calls in flight.
start "$nfsbench" serve --sec sys,krb5,krb5i,krb5p
server_port=$port
. "$here/proxy.sh"

# changed STATUS HABIT FLAVOR WORDS: a run through a proxy with HABIT ends with STATUS, and the message has WORDS
changed() {
    with "$2"
    # shellcheck disable=SC2086
    refused "$1" "$4" $target getattr 40 --sec "$3" --no-baseline $quick -q
    # shellcheck disable=SC2086
    refused "$1" "$4" $target getattr 40 --sec "$3" --no-baseline --depth 4 $quick -q
}
changed 1 gss-verifier krb5 'by krb5 is not valid: GSS_S_BAD_SIG'
changed 1 gss-results krb5i 'by krb5i is not valid: GSS_S_BAD_SIG'
changed 1 gss-results krb5p 'by krb5p is not valid: GSS_S_'
changed 1 gss-cut krb5p 'a form that krb5p does not allow'
changed 1 gss-again krb5i 'a form that krb5i does not allow|GSS_S_BAD_SIG'
changed 3 gss-call krb5i 'RPC_CANTDECODEARGS'
changed 3 gss-header krb5 'RPCSEC_GSS_C'
finish
