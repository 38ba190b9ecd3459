#!/bin/sh
# System calls on a mount of the kernel's NFS client. Refusals that need no mount are tested everywhere. The other tests
# check the output of guest_inside.sh in a virtual machine (integration/guest). Times there are unreliable, so of times
# only sums and long delays are checked.
here=$(dirname "$0")/../../../../tests/integration
. "$here/lib.sh"
need jq

if [ -z "$part" ]; then
refused 2 'is on .*, not on NFSv3' "$scratch" getattr 10
refused 1 'No such file or directory' "$scratch/absent" getattr 10
refused 2 'needs a directory or a file on an NFS mount' self: getattr 10 --engine mounted
refused 2 'as target needs --engine mounted' "$scratch" getattr 10 --engine tirpc
refused 2 'leave out load' "$scratch" getattr 10 --clients 2
refused 2 'open is a system call of two RPCs' self: open 10
refused 2 'create-close is a system call' self: getattr,create-close 10
refused 1 'Not a directory' /dev/null getattr 10
finish
fi
said=$NFSBENCH_GUEST/said
[ -s "$said" ] || skip 'there is no virtual machine (integration/guest)'

# guest NAME: print section NAME of the guest's output.
guest() {
    sed -n "/^== $1\$/,/^== end\$/p" "$said" | sed '1d;$d' | tr -d '\r'
}

# sent RPCS OP...: each call of each OP must have sent RPCS RPCs and succeeded.
sent() {
    rpcs=$1
    shift
    for op; do
        holds ".ops[] | select(.op == \"$op\") | .mounted.rpcs == $rpcs and .errors == {}" "$op: RPCs a call"
    done
}

# told WORDS...: each of WORDS must be in the messages that the guest printed for users.
told() {
    for words; do
        guest told >"$scratch/told"
        grep -q "$words" "$scratch/told" || fail_showing "the guest did not say: $words" "$scratch/told"
    done
}

case $part in
# nfs-ganesha on the host. Its replies to MKDIR lack the directory's attributes before the call.
ganesha)
    grep -q '^== ganesha' "$said" || skip 'nfs-ganesha could not be run there (scripts/with-ganesha -v)'
    guest ganesha >"$scratch/result.json"
    sent 1 getattr setattr lookup access readlink read read-last-byte write create symlink mknod remove rename link \
        readdirplus fsstat commit
    sent 2 open create-new
    told 'should send 5 MKDIR, but sent .* ACCESS, 5 MKDIR;' 'should send 5 RMDIR, but sent .* LOOKUP, .*5 RMDIR;' \
        'should send 5 LOOKUP, 5 ACCESS, but sent'
    ;;
calls)
    for server in all host; do
        guest $server >"$scratch/result.json"
        sent 1 getattr setattr lookup access readlink read read-last-byte write create mkdir symlink mknod remove rmdir \
            rename link readdirplus fsstat fsinfo commit
        sent 2 open stat-new create-new
    done
    holds '.target.address == "10.0.2.2"' 'the server on the host'
    guest all >"$scratch/all.json"
    "$nfsbench" compare "$scratch/all.json" "$scratch/result.json" >"$scratch/compared" || true
    grep -q '^  [a-z-]* .* RTT us [0-9.]* -> ' "$scratch/compared" || fail 'compare does not show what mountstats says'
    guest others >"$scratch/result.json"
    sent 1 readdir
    sent 2 create-close
    holds '[.ops[] | .mounted.connections] | all(. == 2)' nconnect
    guest file >"$scratch/result.json"
    sent 1 getattr read read-last-byte fsstat
    sent 0 read-cached
    holds '[.ops[] | .object] | all(. == "/mnt/file")' 'the file as the target'
    holds '.ops[] | select(.op == "read") | .ledger.client.system_ns > 0' 'the ledger of the process that makes the calls'

    guest all >"$scratch/result.json"
    holds '[.ops[] | select(.role != "op" or .op == "read-cached") | .mounted.rpcs] == [0, 0, 0]' 'baselines'
    holds '[.ops[] | select(.op == "read") | .above_null_ns.baseline] == ["read-cached"]' 'baseline of READ'
    holds '.target.mount_point == "/mnt" and (.target.mount_options | contains("write=eager"))' mount

    # Two runs at the same time, on mounts with separate statistics, don't see each other's RPCs.
    for mount in first second; do
        guest $mount >"$scratch/result.json"
        sent 1 getattr read
        holds '[.ops[].mounted.blocks_again] | all(. == 0)' "the $mount of two runs"
    done

    # With a mount as --baseline-dir, READ and WRITE are compared with the kernel's client.
    guest layer >"$scratch/result.json"
    holds '.config.baseline_dir | .path == "/mnt" and .file_system == "nfs"' 'the layer'
    holds '[.ops[] | select(.of_local.estimate > 0) | .op] == ["read", "write"]' 'the share of the layer'
    ! guest left | grep nfsbench >&2 || fail 'the files of a killed run are left on the mount'

    guest versus >"$scratch/result.json"
    holds '[.contrasts[] | select(.quantity == "round_trip") | .of] | map(split(",")[0] | split(" ")[0]) == ["getattr", "read"]' 'differences'
    holds '.second.config.engine == "wire" and .second.target.nfs_port == 4000' 'the wire side'
    told 'the contents of the file .* are unknown' 'write: the target is a file, which is only read' \
        'readdirplus: .* but sent 5 READDIR;' 'file: unchanged' 'the mount has 2 connections' 'UDP: ' \
        'but sent [1-9].*do other programs use the mount' 'getattr: .* sent again 0' 'nothing left: 0' 'copied: the same' \
        'tree: 0 left'
    ;;
kerberos)
    # Both runs of a comparison use the same flavor of Kerberos, according to the results and to the server.
    for sec in krb5 krb5i krb5p; do
        guest $sec >"$scratch/result.json"
        holds "[.first, .second | .target.auth] == [\"$sec\", \"$sec\"] and (.first.target.mount_options | contains(\"sec=$sec,\"))" \
            "a mount by $sec"
        holds '[.first.ops[] | select(.mounted.rpcs != 0) | [.op, .mounted.rpcs, .errors]] ==
            [["getattr", 1, {}], ["read", 1, {}], ["write", 1, {}]]' "RPCs a call by $sec"
        guest told | grep -qx "$sec: the same" || fail "a copy by $sec"
        grep -Eqx "calls by $sec: [1-9][0-9]{2,}" "$NFSBENCH_GUEST/server" || fail "the server's count of calls by $sec"
    done
    ;;
states)
    # The states of RPCs. The sums of their times are compared with the lifetime of an RPC that the kernel reports, and with the
    # latency of a system call that the caller measures.
    guest states >"$scratch/result.json"
    holds '.absent_tracepoints == null' 'all tracepoints are there'
    holds '.kind == "states" and .missing == null and [.ops[].op] == ["getattr", "read", "read-last-byte"]' 'ops'
    holds 'all(.ops[]; .calls == 60 and .events_lost == 0 and
        (.left_out | .without_begin + .without_end + .with_loss == 0))' 'all calls are explained'
    holds '[.ops[].tables[] | [.of, .name, .tasks, .lifetime_measured]] == [
        ["system-call", "statx with AT_STATX_FORCE_SYNC", 60, true], ["procedure", "GETATTR", 60, true],
        ["server-request", "GETATTR", 60, false],
        ["system-call", "pread with O_DIRECT", 60, true], ["procedure", "READ", 60, true],
        ["server-request", "READ", 60, false],
        ["system-call", "pread of the last byte, not in the page cache", 60, true], ["procedure", "READ", 60, true],
        ["server-request", "READ", 60, false]]' 'counts of system calls, RPCs, and requests inside the server'
    for state in 'server queue' receive authenticate 'decode arguments' send; do
        holds "all(.ops[].tables[] | select(.of == \"server-request\");
            [.states[] | select(.name == \"$state\") | .entered] == [60])" "$state of each request, once"
    done
    holds '[.ops[].tables[] | select(.of == "server-request") | [.states[] | select(.name == "file system") | .entered]] ==
        [[], [60], [60]]' 'data from the file system'
    is_crowded || holds 'all(.ops[].tables[] | select(.of == "procedure"); .discrepancy | fabs < 0.01)' 'sums within 1 % of the lifetimes'
    holds 'all(.ops[].tables[]; (.sum_ns - ([.states[].adjusted_ns] | add) | fabs) < 1 and
        all(.states[]; .mean_ns * .entered - .adjusted_ns * 60 | fabs < 1))' 'weights'
    for state in reserve allocate encode transmit pending decode; do
        holds "all(.ops[].tables[] | select(.of == \"procedure\");
            [.states[] | select(.name == \"$state\") | .entered] == [60])" "$state of each RPC, once"
    done
    holds 'all(.ops[1, 2].tables[0]; [.states[] | select(.entered == 60) | .name] | contains(["before the RPC", "prepared",
        "sent", "network and server", "received", "decoded", "caller woken", "returned"]))' 'phases of READ'

    # The command compare reads the result.
    run 0 compare "$scratch/result.json" "$scratch/result.json" --op read
    grep -Eq '^  read: RPC READ +pending +[0-9.]+ +[0-9.]+ +[+]0' "$scratch/out" || fail 'states are not compared'

    # Other processes take all slots, so calls wait. The RPCs of all processes count, but the system calls of only one.
    guest backlog >"$scratch/result.json"
    holds '.clients == 5 and all(.ops[]; [.tables[] | select(.of != "server-request") | .tasks] | .[0] == 60 and .[1] > 120)' \
        'several processes'
    is_crowded || holds 'all(.ops[].tables[] | select(.of == "procedure"); (.discrepancy | fabs < 0.01) and
        ([.states[] | select(.name == "backlog")] | length == 1 and .[0].entered > 0))' 'the backlog'
    # The rows of kprofile. An RPC that waited for a slot does not reserve again, but executes call_reserve_result once more.
    holds '[.ops[].kprofile[] | [.name, (.states[:10] | map(.name))]] == [["READ", "WRITE"][] | [., ["call_allocate",
        "call_bind", "call_decode", "call_encode", "call_reserve", "call_reserve_result", "call_transmit", "backlog",
        "pending", "schedq"]]]' 'the rows of kprofile'
    is_crowded || holds 'all(.ops[].kprofile[]; (.states | map({(.name): .entered}) | add) as $n | .rpcs == $n.call_reserve and
        $n.call_reserve_result == .rpcs + $n.backlog and $n.call_bind == 0)' 'how often the states are entered'

    # The states inside the server are those of requests of nfsbench's own client.
    guest knfsd_states >"$scratch/result.json"
    holds '[.ops[] | [.op, .calls, .events_lost, .system_call]] == [["getattr", 60, 0, null], ["write", 60, 0, null]]' 'calls'
    holds '[.ops[].tables[] | [.of, .name, .tasks]] ==
        [["server-request", "GETATTR", 60], ["server-request", "WRITE", 60]]' 'requests inside the server'
    holds 'all(.ops[].tables[]; .discrepancy | fabs < 0.001)' 'sums of the states inside the server'

    guest delayed_states >"$scratch/result.json"
    holds '[.ops[0].predictions[] | [.name, .mean_ns != null, .holds]] ==
        [["caller woken", false, false], ["sent", true, false], ["network and server", true, true],
        ["lifetime of a call", true, true]]' 'predictions'
    holds '.ops[0].tables | length == 2' 'system call and RPC'
    holds 'all(.ops[0].tables[]; .lifetime_ns > 3e8 and (.discrepancy | fabs < 0.01))' 'lifetimes and their sums'
    holds 'all(.ops[0].tables[0].states[]; .entered == 4) and (.ops[0].tables[0].states | length == 9)' 'nine phases of GETATTR'
    holds '[.ops[0].tables[].states[] | select(.adjusted_ns > 15e7) | .name] == ["network and server", "pending"]' \
        'the delay is in pending, and in no other state'

    guest refused_states >"$scratch/result.json"
    holds '(.missing | contains("root, or the capabilities")) and .ops[0].tables == [] and
        (.run.ops[] | select(.op == "getattr") | .mounted.rpcs == 1)' 'without the right to trace'

    guest unloaded >"$scratch/out"
    grep -q 'module sunrpc is not loaded' "$scratch/out" || fail_showing 'without sunrpc' "$scratch/out"
    ;;
faults) # faults of a mount or a server during a run
    # The server's delay counts between call and reply, and not in the queue before or after.
    guest delay >"$scratch/result.json"
    holds '.ops[] | select(.op == "getattr") | .mounted | .rtt_ns >= 3e8 and .queue_ns < 15e7 and
        .execute_ns - .rtt_ns < 15e7' 'delay'

    # Data that another user has written to the file on the server are detected.
    guest changed >"$scratch/result.json"
    holds '.ops[0].errors | keys == ["DATA_MISMATCH"]' 'other data'

    guest soft >"$scratch/result.json"
    holds '.ops[0].errors | to_entries | length == 1 and .[0].value > 0 and (.[0].key | test("EIO|ETIMEDOUT"))' 'a soft mount'
    guest remounted >"$scratch/result.json"
    holds '[.validity.reasons[].name] | contains(["mount-changed"])' 'a mount with other options'
    told 'was it unmounted' 'the server answers ESTALE' 'has not returned for 2 s' 'status 3'
    ;;
esac
finish
