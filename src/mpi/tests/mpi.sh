#!/bin/sh
# Several ranks: one result with all their calls; a rank that fails is named; no rank waits forever.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq mpirun pgrep
[ -x "${NFSBENCH_MPI-}" ] || skip "nfsbench-mpi was not built"

# If a Kerberos realm and certificates can be made, one run is protected by both.
secure=
if [ "$part" = inside ]; then
    secure="--sec sys,krb5i --tls-cert $TLS/server.pem --tls-key $TLS/server.key"
elif (need krb5kdc kinit openssl && "$nfsbench" --version | grep Kerberos | grep -q TLS) >/dev/null; then
    again inside "$top/scripts/with-kerberos" "$top/scripts/with-tls"
fi

# For Open MPI, whose own leaks and locks are not tested. Other libraries ignore these variables.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
printf '%s\n' deadlock:mca_ race:mca_ race:libopen- race:libmpi >"$scratch/suppressions"
export TSAN_OPTIONS="${TSAN_OPTIONS:+$TSAN_OPTIONS:}suppressions=$scratch/suppressions"

# A unique program name distinguishes the ranks from those of other tests.
program=ranks-$$
ln -s "$NFSBENCH_MPI" "$scratch/$program"

# $scratch/rank starts the program with the script's arguments or, in rank 1, with those in $RANK_1 if it is set.
cat >"$scratch/rank" <<END
#!/bin/sh
if [ "\${OMPI_COMM_WORLD_RANK-\${PMI_RANK-}}" = 1 ] && [ -n "\${RANK_1-}" ]; then
    # shellcheck disable=SC2086
    exec "$scratch/$program" \$RANK_1
fi
exec "$scratch/$program" "\$@"
END
chmod +x "$scratch/rank"

# ranks_left: print the remaining processes of the ranks, except zombies.
ranks_left() {
    pgrep -r R,S,D,T -x "$(echo "$program" | cut -c1-15)" || true
}

# nobody_left: all ranks must end within 30 s; otherwise they are killed.
nobody_left() {
    ! within 30 '[ -z "$(ranks_left)" ]' || return 0
    fail "ranks are left: $(ranks_left)"
    for pid in $(ranks_left); do
        kill -9 "$pid"
    done
}

# ranks COUNT STATUS ARGUMENT...: run COUNT ranks, which must end within a minute with STATUS ("fails": not 0; "measured":
# any verdict). Standard output and error are left in $scratch/out and $scratch/err.
ranks() {
    count=$1
    expected=$2
    shift 2
    rm -f "$scratch/result.json"
    status=0
    timeout -k 5 60 mpirun -np "$count" "$scratch/rank" --allow-suspect "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    case $expected in
    measured) [ $status -le 1 ] ;;
    fails) [ $status -ne 0 ] && [ $status -ne 124 ] ;;
    *) [ $status -eq "$expected" ] ;;
    esac || {
        cat "$scratch/out" "$scratch/err" >&2
        fail "status $status instead of $expected: $count ranks, $*"
    }
    nobody_left
}

# says PATTERN: standard error must have exactly one line of the program, and PATTERN must match it.
says() {
    [ "$(grep -c '^nfsbench-mpi: ' "$scratch/err")" -eq 1 ] &&
        grep '^nfsbench-mpi: ' "$scratch/err" | grep -Eq "$1" "$scratch/err" || {
        cat "$scratch/err" >&2
        fail "not one line that says '$1'"
    }
}

# in_the_background ARGUMENT...: start a long run of two ranks; sets $run, the pid of mpirun's parent.
in_the_background() {
    rm -f "$scratch/result.json"
    env --default-signal=INT timeout -k 5 90 mpirun -np 2 "$scratch/rank" --allow-suspect \
        -j "$scratch/result.json" "$@" >"$scratch/out" 2>"$scratch/err" &
    run=$!
    within 10 '[ "$(ranks_left | wc -w)" -ge 2 ]' || true
    sleep 3
}

# the_scratch_areas NUMBER: the server must have NUMBER scratch directories.
the_scratch_areas() {
    timeout 10 "$nfsbench" clean "$target" >"$scratch/out" 2>&1 </dev/null || true
    [ "$(grep -c '\.nfsbench-' "$scratch/out")" -eq "$1" ] || {
        cat "$scratch/out" >&2
        fail "not $1 scratch areas"
    }
}

# shellcheck disable=SC2086
start "$nfsbench" serve $secure
target="nfs://127.0.0.1:$port/export?mountport=$port"

if [ -n "$secure" ]; then
    ranks 2 0 $target getattr 2000 --clients 2 --sec krb5i --xprtsec tls --tls-ca "$TLS/ca.pem" -j "$scratch/result.json"
    holds '.target.auth == "krb5i" and .target.xprtsec == "tls" and ([.ops[] | .calls == 4000 and .errors == {}] | all)' \
        'protected calls'
    holds '.setup.handshakes | .run_connections >= 6 and .run_connections - .run_resumed == 2' 'protected calls'
fi

# Each call is counted exactly once. (test_ranks.c tests merging in detail.)
ranks 2 0 $target getattr,create 20k --clients 2 --threads 1 --depth 4 --seed 7 -v -j "$scratch/result.json"
holds '.seed == 7 and .config.load.ranks == 2 and .config.load.clients == 4'
holds '[.ops[] | .calls == 40000 and .timed == (.histogram.count | add)] | all'
holds '[.ops[] | (.load.clients | length == 4) and .load.in_flight <= 16] | all'
! grep -q "$(printf '\033')" "$scratch/out" || fail 'what goes to a file has escapes of a terminal'
holds '[.ops[] | (.load.clients | map(.calls) | add) == .timed] | all'
holds '[.ranks[].rank] == [0, 1] and ([.ranks[].ops[].calls] | unique) == [20000]'
holds '[range(.ops | length) as $i | ([.ranks[].ops[$i].timed] | add) == .ops[$i].timed] | all'
holds '[range(.ops | length) as $i | ([.ranks[].ops[$i].rate_per_s] | add) / .ops[$i].rate_per_s |
        . > 0.999 and . < 1.001] | all'
grep -q 'in 2 threads of 2 ranks' "$scratch/out" || fail "the ranks are not reported"
grep -Eq '^ +rank +host' "$scratch/out" || fail "no table of ranks"
the_scratch_areas 0

# With --rate, each rank sends at that rate. Only rank 0 prints. All ranks share one schedule, which never waits for the
# replies of a block. A run with one rank writes a result of the same form.
ranks 2 measured $target getattr 500 --rate 1000 --arrival constant -q --json -
mv "$scratch/out" "$scratch/result.json"
holds '.config.load.rate_per_s == 2000 and .ops[-1].calls == 1000'
holds '.ops[-1] | .load.service_ns.mean > 0 and .timed + .load.left_out == 1000'
holds '[.ops[].load.interruptions == 0] | all' 'one schedule'
ranks 1 0 $target getattr 1000 -q -j "$scratch/result.json"
holds '.config.load.ranks == 1 and (.ranks | length) == 1 and .ops[-1].calls == 1000'
ranks 2 0 $target getattr --max-time 1s -q -j "$scratch/result.json"
holds '.cut_short | not'
holds '.config.precision | has("reached")'

# If an op fails in one rank, all ranks give it up.
timeout 60 python3 "$here/habits_proxy.py" "$port" rmdir-fails=300 >"$scratch/proxy.out" &
proxy=$!
within 30 grep -q ready "$scratch/proxy.out" || true
proxied=$(sed -n 's/.*ready port=\([0-9]*\).*/\1/p' "$scratch/proxy.out")
ranks 2 0 "nfs://127.0.0.1:$proxied/export?mountport=$proxied" mkdir,getattr 1000 --block 100 --no-warmup -j "$scratch/result.json"
[ "$(grep -c 'mkdir failed, .*rank [01] .*NFS3ERR_IO' "$scratch/err")" -eq 1 ] || fail 'nothing, or two, say that mkdir is given up'
holds '[.ops[].op] == ["null", "null_control", "getattr"] and .ops[2].calls == 2000' 'an op that fails'
holds '.skipped | length == 1 and .[0].op == "mkdir" and (.[0].reason | test("failed in the rounds"))' 'an op that fails'
kill $proxy
wait $proxy 2>/dev/null || true

# In an open loop, too, all ranks give up an op that fails in one rank. If --max-time ends the loop, all ranks have made the
# same number of calls, also of ops with preparation.
timeout 60 python3 "$here/habits_proxy.py" "$port" rmdir-fails=300 >"$scratch/proxy.out" &
proxy=$!
within 30 grep -q ready "$scratch/proxy.out" || true
proxied=$(sed -n 's/.*ready port=\([0-9]*\).*/\1/p' "$scratch/proxy.out")
ranks 2 measured "nfs://127.0.0.1:$proxied/export?mountport=$proxied" mkdir,getattr 2000 --rate 1500 --no-warmup -j "$scratch/result.json"
holds '.skipped | length == 1 and (.[0].reason | test("failed in the rounds"))' 'an op that fails in an open loop'
holds '.ops[-1] | .op == "getattr" and .calls == 4000' 'an op that fails in an open loop'
kill $proxy
wait $proxy 2>/dev/null || true
ranks 2 measured $target remove,getattr --rate 500 --max-time 3s -j "$scratch/result.json"
holds '[.ops[] | .calls % 2 == 0 and .calls > 100] | all' 'a time that ends an open loop'

# An error in all ranks is reported like that of one process; an error in one rank is reported with the rank's name.
ranks 2 2 $target nosuch 1000
says "^nfsbench-mpi: unknown op 'nosuch'"
ranks 2 2 self: getattr 1000
says 'separate server for each rank'
ranks 2 2 $target mix:sfs3 1000
says 'a mix'
ranks 2 2 $target getattr 1000 --server-cmd sh
says '^nfsbench-mpi: leave out --server-cmd' # the message for every option that nfsbench-mpi refuses
export RANK_1="nfs://127.0.0.1:$port/nowhere?mountport=$port getattr 1000"
ranks 2 fails $target getattr 1000
says 'rank 1 \(.+\): MNT of /nowhere .* MNT3ERR_NOENT'
RANK_1="$target read 1000"
ranks 2 fails $target getattr 1000
says 'rank 1 \(.+\): measures something else than rank 0'
RANK_1="$target --nosuch"
ranks 2 fails $target getattr 1000
says 'rank 1 \(.+\): .*--nosuch'
RANK_1=
the_scratch_areas 0

# After Ctrl-C (any signal of mpirun), the result so far is written and all files are removed. (A busy machine needs more
# than the second that mpirun waits before SIGKILL.)
export OMPI_MCA_odls_base_sigkill_timeout=5
for signal in INT TERM; do
    in_the_background $target create,getattr 20M --no-warmup
    kill -$signal "$(pgrep -P $run)"
    wait $run || true
    nobody_left
    holds '.cut_short and .cut_short_by == "interrupted" and (.ranks | length) == 2'
    holds '[range(.ops | length) as $i | ([.ranks[].ops[$i].calls] | add) == .ops[$i].calls] | all'
    the_scratch_areas 0
done
unset OMPI_MCA_odls_base_sigkill_timeout

# If a rank is killed, its scratch directory is left, and the other ranks end.
in_the_background $target create,getattr 20M --no-warmup
kill -KILL "$(ranks_left | tail -n 1)"
status=0
wait $run || status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a killed rank: status $status"
nobody_left
the_scratch_areas 1

# If a rank hangs, it is given up and named.
in_the_background $target getattr 20M --no-warmup --timeout 1s
kill -STOP "$(ranks_left | tail -n 1)"
status=0
wait $run || status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a rank that hangs: status $status"
says 'rank [01] \(.+\) has not responded for'
nobody_left

# If the server ends, the ranks end.
in_the_background $target getattr 20M --no-warmup --timeout 1s
kill_server
status=0
wait $run || status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || fail "a server that ended: status $status"
[ "$(grep -c '^nfsbench-mpi: ' "$scratch/err")" -eq 1 ] || fail "not one line about a server that ended"
nobody_left
finish
