#!/bin/sh
# Outages: the embedded server is killed and restarted at the same port, or stopped and continued; Ganesha on a file
# system of the kernel is killed and restarted. Manually, as root: a network goes down,
#     OUTAGE_LINK=1 src/outage/tests/outage.sh build/src/nfsbench
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq python3 script

# If a Kerberos realm can be set up, the killed server also loses security contexts.
if [ -z "$part" ] && "$nfsbench" --version | grep -q Kerberos && PATH=$PATH:/usr/sbin command -v krb5kdc >/dev/null; then
    again inside "$top/scripts/with-kerberos"
fi
[ -n "$part" ] || left_out 'lost security contexts: no realm can be had here'
security=sys offered=sys
[ "$part" != inside ] || security=krb5i offered=sys,krb5i

# probe NAME ARGUMENT...: run a probe in the background until ended(); sets $probe to its process
probe() {
    name=$1
    shift
    rm -f "$scratch/$name.json" # a result of another target is not replaced
    "$nfsbench" outage "$@" -j "$scratch/$name.json" >"$scratch/$name.out" 2>"$scratch/$name.err" &
    probe=$!
    within 10 grep -q 'work in' "$scratch/$name.err" || fail "the probe did not begin: $(cat "$scratch/$name.err")"
    sleep 1 # until the probe has written
}

# until_shown NAME PATTERN: wait up to 30 s until the probe prints a line that matches PATTERN
until_shown() {
    ! within 30 grep -Eq "$2" "$scratch/$1.err" || return 0
    cat "$scratch/$1.err" >&2
    fail "$1: nothing shown like '$2'"
}

# ended NAME STATUS: end the probe by Ctrl-C, and check its exit status
ended() {
    sleep 0.5
    kill -INT $probe
    status=0
    wait $probe || status=$?
    [ $status -eq "$2" ] || fail "$1: status $status instead of $2: $(cat "$scratch/$1.err")"
    cp "$scratch/$1.json" "$scratch/result.json"
}

# A killed Ganesha keeps its files and still knows their handles.
if [ "$part" = ganesha ]; then
    . "$here/ganesha_again.sh"
    probe ganesha localhost:/run/ganesha/export
    kill_ganesha
    until_shown ganesha 'no successful reply'
    start_ganesha
    until_shown ganesha 'the gap ended'
    sleep 1
    ended ganesha 1
    [ -z "$(ls -A /run/ganesha/export | grep nfsbench-)" ] || fail 'a scratch directory is left'
    holds '.gaps | length >= 1 and .[0].ended' Ganesha
    holds '.lost.blocks == 0 and .made_again == 0 and .unchecked_blocks == 0 and .written_blocks > 0' Ganesha
    finish
fi

# A server that demands TLS.
if [ "$part" = tls ]; then
    "$nfsbench" --version | grep -q TLS || skip 'built without TLS'
    start "$nfsbench" serve --tls-cert "$TLS/server.pem" --tls-key "$TLS/server.key" --xprtsec tls
    result 0 outage "nfs://127.0.0.1:$port/export" --max-time 1s --gap 5s --xprtsec tls --tls-ca "$TLS/ca.pem"
    holds '.gaps == [] and .lost.blocks == 0 and ([.calls[] | .good > 0 and .failed == 0] | all)'
    holds '.auth == "AUTH_SYS" and .xprtsec == "tls"'
    grep -q 'NFSv3 over TCP  AUTH_SYS  xprtsec=tls$' "$scratch/out" || fail 'the text has no TLS'
    refused 2 'self: has no certificate' outage self: --max-time 1s --xprtsec tls
    stop
    finish
fi

# No outage.
result 0 outage self: --max-time 1s
grep -q 'no gap' "$scratch/out" || fail "an outage where there was none: $(cat "$scratch/out")"
grep -q 'no stable data lost' "$scratch/out" || fail "a loss where there was none: $(cat "$scratch/out")"
holds '.gaps == [] and .lost.blocks == 0 and .unchecked_blocks == 0 and .written_blocks > 0'
holds '[.calls[] | .good > 0 and .failed == 0] | all'

# A terminal shows that the probe runs, and that its directory is being removed.
script -qc "$nfsbench outage self: --max-time 2s --self-args '--delay rmdir=1500ms'" /dev/null </dev/null >"$scratch/terminal"
grep -q 'removing the scratch directory' "$scratch/terminal" || fail_showing 'a terminal shows no removal' "$scratch/terminal"
grep -q 'probing: [0-9]* s, [0-9,]* calls answered, 0 gaps, [0-9]* s left at most' "$scratch/terminal" ||
    fail_showing 'a terminal shows no progress' "$scratch/terminal"

# --max-time includes the set-up, so the probe is shorter if MKDIR takes a second.
result 0 outage self: --max-time 3s --self-args '--delay mkdir=1s'
holds '.duration_s < 2.5 and .unchecked_blocks == 0'

# A killed server loses its memory, including data that it called stable. The probe creates its scratch
# directory again, and removes it at the end.
start "$nfsbench" serve --sec $offered
probe killed "nfs://127.0.0.1:$port/export?mountport=$port" --connections 2 --sec $security
kill_server
until_shown killed 'no successful reply for .*refused'
start "$nfsbench" serve --port "$port" --sec $offered
until_shown killed 'the gap ended'
ended killed 1
holds '.gaps | length == 1 and .[0].ended and .[0].length_s > 0.5 and .[0].first_back.op == "null"'
holds '[.gaps[0].lines[] | .op] | unique == ["commit", "getattr", "null", "read", "write"]'
holds '[.gaps[0].lines[] | .connection] | unique == [1, 2]'
holds '.found_again >= 1 and .made_again >= 1 and .verifier_changes >= 1 and .messages.reconnections >= 2'
holds '.lost.blocks > 0 and .lost.missing == .lost.blocks and .lost.file_sync > 0 and .lost.committed > 0'
holds '.gaps[0].lost_blocks == .lost.blocks and .unchecked_blocks == 0'
grep -q 'LOSS: .* blocks' "$scratch/killed.out" || fail "the loss is not named"
if has clean; then
    run 0 clean "nfs://127.0.0.1:$port/export?mountport=$port" -y
    ! grep -q nfsbench- "$scratch/out" || fail "the directory was not removed: $(cat "$scratch/out")"
fi

# A server that is stopped for some time loses nothing, over UDP and TCP.
for proto in udp tcp; do
    probe stopped "nfs://127.0.0.1:$port/export?mountport=$port&proto=$proto" --timeout 300ms
    freeze "$server_pid"
    until_shown stopped 'no successful reply for .*(no reply|timed out)'
    kill -CONT "$server_pid"
    until_shown stopped 'the gap ended'
    ended stopped 1
    holds '.gaps | length >= 1 and .[0].ended' "$proto"
    holds '.lost.blocks == 0 and .found_again == 0 and .made_again == 0 and .messages.sent_again > 0' "$proto"
done

# A restarted server that gives its files new handles and fileids has lost nothing, even if old handles now belong to
# another file.
kept=$port kept_pid=$server_pid
others="$others $kept_pid"
for reused in '' reused; do
    # shellcheck disable=SC2086
    start python3 "$here/changed_marks.py" "$kept" 0 1 $reused
    probe marks "nfs://127.0.0.1:$port/export?mountport=$port"
    kill_server
    until_shown marks 'no successful reply'
    # shellcheck disable=SC2086
    start python3 "$here/changed_marks.py" "$kept" "$port" 2 $reused
    until_shown marks 'the gap ended'
    until_shown marks 'mounted again; the file exists'
    sleep 1
    ended marks 1
    holds '.lost.blocks == 0 and .unchecked_blocks == 0 and .made_again == 0 and .found_again >= 1' "changed marks $reused"
    holds '.written_blocks > 0' "changed marks $reused"
    ! grep -q stays "$scratch/marks.err" || fail_showing "changed marks $reused: the directory stays" "$scratch/marks.err"
    kill_server
done
port=$kept server_pid=$kept_pid

stop

# A server that asks the client to try later.
result 1 outage self: --max-time 1s --gap 100ms --self-args '--error commit=NFS3ERR_JUKEBOX'
holds '[.gaps[].lines[] | select(.op == "commit")] | any((.ended | not) and .grace_s > 0)'
holds '.calls[4].errors.NFS3ERR_JUKEBOX > 0'

# A server without COMMIT has no gap. (A gap is 700 ms, because a busy machine may delay a server by more than 100 ms.)
result 0 outage self: --max-time 2s --gap 700ms --self-args '--error commit=NFS3ERR_NOTSUPP'
holds '.gaps == [] and .calls[4].lacking == "NFS3ERR_NOTSUPP" and .calls[4].good == 0 and .calls[3].good > 0'
grep -q 'the gaps leave out commit, .* succeeded (NFS3ERR_NOTSUPP)' "$scratch/out" || fail 'nothing says that COMMIT is left out'

# A server that lacks COMMIT by an error of RPC has no gap, either.
start "$nfsbench" serve
server_port=$port kept_pid=$server_pid
. "$here/proxy.sh"
with no-commit
result 0 outage "$target" --max-time 2s --gap 700ms
holds '.gaps == [] and .calls[4].lacking == "RPC_PROCUNAVAIL"' 'a server without COMMIT'
kill_server
server_pid=$kept_pid
stop

# A procedure that never works is in no gap and hides no gap; one that works is not left out.
for op in commit write; do
    result 0 outage self: --max-time 2s --gap 700ms --self-args "--error $op=NFS3ERR_SERVERFAULT:0%"
    holds '.gaps == [] and ([.calls[].lacking] | all(. == null))' "$op works"
done
result 0 outage self: --max-time 2s --gap 700ms --self-args '--error commit=NFS3ERR_SERVERFAULT'
holds '.gaps == [] and .calls[4].lacking == "NFS3ERR_SERVERFAULT" and .calls[4].failed > 0 and .calls[3].good > 0'
grep -q 'the gaps leave out commit, .* succeeded (NFS3ERR_SERVERFAULT)' "$scratch/out" || fail 'nothing says that COMMIT never worked'
start "$nfsbench" serve --error commit=NFS3ERR_SERVERFAULT
probe never "nfs://127.0.0.1:$port/export?mountport=$port"
kill_server
until_shown never 'no successful reply'
start "$nfsbench" serve --port "$port" --error commit=NFS3ERR_SERVERFAULT
until_shown never 'the gap ended'
ended never 1
holds '.gaps | length == 1 and .[0].ended and ([.[0].lines[].op] | index("commit") == null)' 'COMMIT never works'
holds '.calls[4].lacking == "NFS3ERR_SERVERFAULT"' 'COMMIT never works'
stop
refused 2 'multiple of 8' outage self: --size 4097
run 2 outage self: --max-time 3s \
    --self-args "$(for procedure in null getattr lookup access fsinfo read write create mkdir remove rmdir; do
        printf ' --delay %s=150ms' $procedure
    done)"
grep -Eq '3 s are too short for a measurement, since a call takes 1[0-9]* ms; use --max-time [0-9]+s' "$scratch/err" ||
    fail_showing 'no least time for a probe' "$scratch/err"
refused 3 'is a server there' outage "nfs://127.0.0.1:$port/export?mountport=$port" --timeout 1s

# A network that goes down and comes back is a gap without losses.
if [ "${OUTAGE_LINK-}" ]; then
    far_network
    start $over_there nfsbench serve --bind 10.99.1.2
    probe link "nfs://10.99.1.2:$port/export?mountport=$port"
    ip link set near0 down
    until_shown link 'no successful reply'
    sleep 2
    ip link set near0 up
    until_shown link 'the gap ended'
    ended link 1
    holds '.gaps | length == 1 and .[0].length_s > 2' link
    holds '.lost.blocks == 0' link
fi
finish
