# Functions that the integration tests share. To be sourced with the program's path in $1, and in $2 the part of the script
# to run, if that is a test of its own (CMakeLists.txt). A script in another directory sets here to this directory.
set -eu
unset COLUMNS NO_COLOR

nfsbench=$1
part=${2-}
here=$(cd "${here-$(dirname "$0")}" && pwd)
top=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
server_pid=
far_network=
tcpdump=
others= # more processes to end with the test
failures=0
unrun=

# However the test ends, its server, network namespace, capture and $others end, too.
cleanup() {
    for pid in $server_pid $far_network $tcpdump $others; do
        kill -9 "$pid" 2>/dev/null || true
    done
    rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

skip() {
    echo "skipped: $*"
    exit 77
}

"$nfsbench" help serve >/dev/null 2>&1 || skip 'this nfsbench was built without the embedded server'

# again PART COMMAND...: run the script again as PART, by COMMAND, and exit with its status
again() {
    as_part=$1
    shift
    status=0
    "$@" "$0" "$nfsbench" "$as_part" || status=$?
    exit $status
}

# of_guest NAME: print what integration/guest recorded under NAME, and exit with its status
of_guest() {
    [ -e "$NFSBENCH_GUEST/$1.status" ] || skip 'there is no virtual machine (integration/guest)'
    cat "$NFSBENCH_GUEST/$1"
    exit "$(cat "$NFSBENCH_GUEST/$1.status")"
}

need() {
    for tool; do
        PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
}

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# fail_showing WHAT FILE...: fail, and print the files
fail_showing() {
    fail "$1"
    shift
    cat "$@" >&2 || true
}

# left_out WHY: record that a part of the test can't be run. The other parts are run, but the test does not count as passed.
left_out() {
    unrun="${unrun:+$unrun; }$*"
}

# engines NAME...: print those of the engines that the program was built with
engines() {
    for engine; do
        "$nfsbench" no:where: --engine "$engine" 2>&1 | grep -q -e --engine || echo "$engine"
    done
}

# have TOOL...: return 0 if all tools are available (IPv6 is one, too); otherwise return 1, and report a part as left out
have() {
    for tool; do
        case $tool in
        IPv6) grep -qs ' lo$' /proc/net/if_inet6 ;;
        *) PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null ;;
        esac || {
            left_out "what needs $tool, which is not here"
            return 1
        }
    done
}

# finish: exit with status 1 if a check failed, 77 if a part was left out, else 0
finish() {
    [ "$failures" -eq 0 ] || {
        echo "$failures checks failed" >&2
        exit 1
    }
    [ -z "$unrun" ] || skip "a part: $unrun"
    echo "all checks passed"
    exit 0
}

# within SECONDS COMMAND..., or 'SHELL COMMAND': wait up to SECONDS until the command succeeds; returns 1 if it does not
within() {
    tries=$(($1 * 20))
    shift
    for _ in $(seq $tries); do
        if [ $# -gt 1 ]; then ! "$@" || return 0; else ! eval "$1" || return 0; fi
        sleep 0.05
    done
    return 1
}

# start COMMAND...: run a server in the background, and wait for its ready line; sets $port and $server_pid
start() {
    : >"$scratch/server.out" # without the previous server's ready line
    "$@" >"$scratch/server.out" 2>"$scratch/server.err" &
    server_pid=$!
    for _ in $(seq 200); do
        port=$(sed -n 's/.*port=\([0-9]*\) mountport.*/\1/p' "$scratch/server.out")
        [ -z "$port" ] || return 0
        kill -0 $server_pid 2>/dev/null || break
        sleep 0.05
    done
    cat "$scratch/server.out" "$scratch/server.err" >&2
    fail "the server did not start: $*"
    finish
}

# stop: end the server with SIGTERM; within ten seconds its exit status must be 0, and its standard error may contain
# only the line that warns of an address that other hosts can reach.
stop() {
    kill -TERM "$server_pid"
    (
        exec >/dev/null 2>&1
        sleep 10
        kill -9 "$server_pid"
    ) &
    watchdog=$!
    server_status=0
    wait "$server_pid" || server_status=$?
    server_pid=
    kill $watchdog 2>/dev/null || true
    [ $server_status -eq 0 ] || fail "the server ended with status $server_status"
    ! grep -v '^nfsbench serve: warning: .* can be reached ' "$scratch/server.err" ||
        fail_showing "the server complained" "$scratch/server.err"
}

kill_server() {
    kill -9 "$server_pid" 2>/dev/null || true
    wait "$server_pid" 2>/dev/null || true
    server_pid=
}

# freeze PID: stop a process, and return when none of its threads runs any more
freeze() {
    kill -STOP "$1"
    for _ in $(seq 200); do
        [ "$(grep -l '^State:.T' /proc/"$1"/task/*/status | wc -l)" -lt "$(ls /proc/"$1"/task | wc -l)" ] || return 0
        sleep 0.05
    done
    fail "process $1 does not stop"
}

# worked PID SECONDS: wait until process PID has used SECONDS (0.01 or more) of processor time, or has ended. Unlike after a
# sleep, the process has done as much on a busy machine as on an idle one. With a sanitizer, SECONDS count four times.
worked() {
    [ -n "${pace-}" ] || pace=$("$nfsbench" --version | awk '/address|thread/ { slow = 1 } END { print slow ? 4 : 1 }')
    ticks=$(awk -v seconds="$2" -v pace="$pace" -v per_second="$(getconf CLK_TCK)" 'BEGIN { print int(seconds * pace * per_second) }')
    for _ in $(seq 1200); do
        used=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ print $12 + $13 }')
        [ "${used:-$ticks}" -lt "$ticks" ] || return 0
        sleep 0.05
    done
    fail "process $1 has not used $2 s of processor time"
}

# far_network: make another network namespace, connected by a veth with 10.99.1.1 here and 10.99.1.2 there; requires a
# network namespace of the test. Sets $far_network, the process that holds it, and $over_there, a prefix that runs a command
# in it, with nfsbench in its PATH.
far_network() {
    unshare -n sleep 1000 &
    far_network=$!
    for _ in $(seq 100); do
        [ "$(readlink /proc/$far_network/ns/net)" = "$(readlink /proc/self/ns/net)" ] || break
        sleep 0.05
    done
    ip link add near0 type veth peer name far0 netns $far_network
    ip addr add 10.99.1.1/24 dev near0
    ip link set near0 up
    nsenter -t $far_network -n ip addr add 10.99.1.2/24 dev far0
    nsenter -t $far_network -n ip link set far0 up
    nsenter -t $far_network -n ip link set lo up
    over_there="nsenter -t $far_network -n env PATH=$(cd "$(dirname "$nfsbench")" && pwd):$PATH"
}

# capture NAME PORT: capture loopback's packets from and to PORT in NAME.pcap, in the background, as $tcpdump. Returns 1 if
# capturing could not begin; NAME.err says why. The buffer has room for about 3000 packets, each of 20 KiB at most.
capture() {
    capture_name=$1 capture_port=$2
    PATH=$PATH:/usr/sbin:/sbin tcpdump -i lo -B 65536 -s 20480 -U --immediate-mode -w "$1.pcap" "port $2" 2>"$1.err" &
    tcpdump=$!
    for _ in $(seq 200); do
        ! grep -q 'listening on' "$1.err" || return 0
        kill -0 "$tcpdump" 2>/dev/null || return 1
        sleep 0.02
    done
    return 1
}

# end_capture: end the capture when a last datagram, and so everything before it, is in the file
end_capture() {
    python3 -c 'import socket, sys
socket.socket(type=socket.SOCK_DGRAM).sendto(b"the end of the capture", ("127.0.0.1", int(sys.argv[1])))' "$capture_port"
    for _ in $(seq 200); do
        ! grep -q 'the end of the capture' "$capture_name.pcap" || break
        sleep 0.05
    done
    grep -q 'the end of the capture' "$capture_name.pcap" || fail "the capture $capture_name.pcap has no end"
    kill -INT "$tcpdump" 2>/dev/null || true
    wait "$tcpdump" || true
    tcpdump=
}

# commands: print the names of all commands in the help
commands() {
    "$nfsbench" help all | sed -n '/^commands/,/^$/s/^  \([a-z-]*\)  .*/\1/p'
}

# has COMMAND: return whether this build has it
has() {
    commands | grep -qx "$1"
}

# without_pace: remove from $scratch/err the lines that are printed only if the machine is slow or the run is long
without_pace() {
    sed -i '/^nfsbench: progress: /d; /^nfsbench: the run will take about /d' "$scratch/err"
}

# has_option NAME: return whether the command run has the option NAME, which takes a value, in this build; a unit may add it
has_option() {
    "$nfsbench" run --help | grep -q -e "^ .*--$1 [A-Z]"
}

# run STATUS ARGUMENT...: run nfsbench, which must end within three minutes with STATUS. Standard output and error are left
# in $scratch/out and $scratch/err (see without_pace). A verdict of suspect is not a failure, because the runs are short and
# share their processors with other tests. With STATUS "measured", invalid is no failure either: an open loop's sender is
# late if something else uses its processor.
run() {
    expected=$1
    shift
    case ${1-} in
    help | sweep) ;;
    *)
        helped=$("$nfsbench" help "${1-}" 2>/dev/null) || helped=
        case $helped in
        '') set -- --allow-suspect "$@" ;; # not a command
        *--allow-suspect*)
            subcommand=$1
            shift
            set -- "$subcommand" --allow-suspect "$@"
            ;;
        esac
        ;;
    esac
    # Remove an earlier result, because nfsbench would not overwrite a result of another target.
    case " $* " in
    *" -j $scratch/result.json "* | *" --json $scratch/result.json "* | *' -j result.json '* | *' --json result.json '*)
        rm -f "$scratch/result.json"
        ;;
    esac
    status=0
    # shellcheck disable=SC2086
    timeout -k 5 180 ${apart-} "$nfsbench" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    without_pace
    status_is "$expected" "nfsbench $*"
}

# result STATUS ARGUMENT...: like run, with the result in $scratch/result.json, for holds()
result() {
    result_status=$1
    shift
    run "$result_status" "$@" -j "$scratch/result.json"
}

# alone COMMAND ARGUMENT...: run COMMAND, a function that calls run or begin, with nfsbench in its own network namespace, where
# no server of another test answers
alone() {
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nip link set lo up && exec "$@"\n' >"$scratch/with-lo"
    chmod +x "$scratch/with-lo"
    apart="unshare -n $scratch/with-lo"
    "$@"
    apart=
}

# status_is EXPECTED WHAT: check $status; "measured": 0, or 1 if an invalid verdict is the only error
status_is() {
    expected=$1
    if [ "$expected" = measured ]; then
        expected=0
        [ $status -ne 1 ] || grep -Eqv '^nfsbench: (verdict invalid: |ops that change something work in )' "$scratch/err" || expected=1
    fi
    [ $status -eq "$expected" ] || fail_showing "status $status instead of $expected: $2" "$scratch/out" "$scratch/err"
}

# begin ARGUMENT...: start nfsbench in the background, as $client. Its output is in $scratch/out and $scratch/err, its
# result in $scratch/result.json. (A background process of a shell ignores SIGINT unless it is started in another way.)
begin() {
    rm -f "$scratch/result.json"
    : >"$scratch/err" # without an earlier run's errors
    # shellcheck disable=SC2086
    env --default-signal=INT ${apart-} "$nfsbench" "$@" -j "$scratch/result.json" >"$scratch/out" 2>"$scratch/err" </dev/null &
    client=$!
}

# await WHAT: nfsbench in the background must end within a minute; sets $status. Its errors are in $scratch/err (see
# without_pace).
await() {
    for _ in $(seq 600); do
        kill -0 "$client" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$client" 2>/dev/null && fail "it did not end: $1"
    status=0
    wait "$client" || status=$?
    without_pace
}

ended_with() {
    await "$2"
    status_is "$1" "$2"
}

# interrupted SECONDS STATUS ARGUMENT...: run nfsbench, and send it SIGINT when it has used SECONDS of processor time. It
# must end with STATUS, and the processes that it had started, $children, must end, too.
interrupted() {
    after=$1 interrupted_with=$2
    shift 2
    begin "$@"
    worked "$client" "$after"
    children=$(pgrep -P "$client" || true)
    kill -INT "$client" 2>/dev/null || fail "it ended before Ctrl-C: nfsbench $*"
    ended_with "$interrupted_with" "Ctrl-C: nfsbench $*"
    for child in $children; do
        ! kill -0 "$child" 2>/dev/null || fail "Ctrl-C: process $child still runs: nfsbench $*"
    done
}

# refused STATUS PATTERN ARGUMENT...: like run; standard error must be one line that matches PATTERN, an extended regular
# expression
refused() {
    pattern=$2
    expected=$1
    shift 2
    run "$expected" "$@"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail_showing "not one line of error: nfsbench $*" "$scratch/err"
    grep -Eq "^nfsbench: .*($pattern)" "$scratch/err" ||
        fail_showing "the error does not say '$pattern': nfsbench $*" "$scratch/err"
}

# peer ARGUMENT...: act as another client of the server at $server_port (default: the port in ARGUMENT), by scratch_peer.py
peer() {
    python3 "$here/scratch_peer.py" ${server_port:+"$server_port"} "$@"
}

# filled DIRECTORY [PATTERN]: wait until DIRECTORY has a directory that a run has filled, whose name matches PATTERN; sets
# $name; returns 1 if there is none
filled() {
    for _ in $(seq 200); do
        name=$(peer ls "$1" | tr ' ' '\n' | grep -e "${2-^\.nfsbench-}" || true)
        [ -z "$name" ] || case " $(peer ls "$1/$name") " in *' link '*) return 0 ;; esac
        sleep 0.05
    done
    return 1
}

# contrasts_of(OP), for filters of holds: the contrasts of the op OP, by quantity
# shellcheck disable=SC2016
contrasts='def contrasts_of($op): . as $root | [.contrasts[] | select($root.cells[.second].op == $op) | {(.quantity): .}] | add;'
# is_crowded: return whether other programs took the processors, according to the result; if so, tests should use
# wide bounds
is_crowded() {
    jq -e '[.validity.reasons[].name] | any(. == "waited-for-processor" or . == "busy-processors")' \
        "$scratch/result.json" >"$scratch/jq.out"
}

# holds FILTER [WHAT]: the jq FILTER must give at least one value for $scratch/result.json (named WHAT in a failure), all true
holds() {
    jq -es "$contrasts [.[] | ($1)] | length > 0 and all" "$scratch/result.json" >/dev/null || {
        fail "not so in ${2-the result}: $1"
        # shellcheck disable=SC2016
        jq -c '(.first // .run // .)? | {cut_short, cut_short_by, validity, rounds: .config.rounds, ops: [.ops[]? |
            {op, calls, timed, errors, retransmits, reconnects}], answers,
            findings: [.findings[]?.text]}' "$scratch/result.json" >&2 || true
    }
}

# ends STATUS COMMAND...: COMMAND must end with STATUS within two minutes; its output is in $scratch/out and $scratch/err. If
# it exits with 77 instead, the test is skipped.
ends() {
    expected=$1
    shift
    status=0
    timeout -k 5 120 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [ $status -ne 77 ] || [ "$expected" -eq 77 ] || skip "$(cat "$scratch/err")"
    status_is "$expected" "$*"
}

# make_directory NAME_FILE: make a directory on the server at $port, whose name is in NAME_FILE
make_directory() {
    python3 - "$here" "$port" "$1" <<'P'
import sys
sys.path.insert(0, sys.argv[1])
import nfs3_client as nfs
client, root = nfs.mount(int(sys.argv[2]), nfs.User(0, 0))
status, made = client.mkdir(root, open(sys.argv[3], "rb").read().replace(b"/", b"_"))
assert status == "OK", status
P
}

# slow TIME: print options that make the server of self: take TIME for each call of the procedures below
slow() {
    for procedure in null getattr lookup access fsinfo read write create mkdir remove; do
        printf ' --delay %s=%s' $procedure "$1"
    done
}

# repeated PROGRAM ARGUMENT...: in $scratch, $line, the first command under "Repeating the measurement" on the page of the
# program's result, must make a result of the same kind
repeated() {
    rm -rf again it.json page.html
    mkdir -p again bin
    ln -sf "$nfsbench" bin/nfsbench
    PATH=$scratch/bin:$PATH
    timeout 100 "$@" --allow-suspect -q -j it.json >out 2>err || fail "$*: $(cat err)"
    run 0 report it.json -o page.html
    line=$(sed -n 's/^<pre>\(.*\)<\/pre>$/\1/p' page.html | head -n 1)
    kind=$(jq -r .kind it.json)
    (cd again && timeout 100 sh -c "$line -j it.json") >out 2>err || fail "$kind: '$line' ends with $?: $(cat err)"
    [ "$(jq -r .kind again/it.json)" = "$kind" ] || fail "$kind: '$line' makes another kind"
    jq -e '(.command // .run.command // .first.command)[0] | test("^nfsbench(-mpi)?$")' it.json >jq.out ||
        fail "$kind: a command without its program"
}

# fits ARGUMENT...: nfsbench's output must have lines, none of them wider than a terminal of 80 columns
fits() {
    LC_ALL=C.UTF-8 COLUMNS=80 run measured "$@"
    python3 - "$scratch/out" <<'PYTHON' || fail "wider than 80 columns: nfsbench $*"
import re, sys
lines = re.sub("\033\\[[0-9;]*m", "", open(sys.argv[1], encoding="utf-8").read()).split("\n")
wide = [line for line in lines if len(line) > 80]
print(*wide, sep="\n", end="\n" * bool(wide), file=sys.stderr)
sys.exit(bool(wide) or len(lines) < 3)
PYTHON
}

# full STATUS PATTERN ARGUMENT...: with its standard output on a full device, nfsbench must report PATTERN, and end with STATUS
full() {
    expected=$1 pattern=$2
    shift 2
    status=0
    timeout -k 5 120 "$nfsbench" "$@" >/dev/full 2>"$scratch/err" </dev/null || status=$?
    [ $status -eq "$expected" ] && grep -q "$pattern" "$scratch/err" || fail "standard output is full, status $status: $*"
}

# texts FILE: write the texts of an SVG to $scratch/texts, one per line; it must be well formed
texts() {
    python3 - "$1" >"$scratch/texts" <<'P' || fail "$1 is not well formed"
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
assert root.tag == '{http://www.w3.org/2000/svg}svg', root.tag
for text in root.iter('{http://www.w3.org/2000/svg}text'):
    print(''.join(text.itertext()).strip())
P
}

# shows TEXT: the SVG that texts read last must have TEXT
shows() {
    grep -Fxq -- "$1" "$scratch/texts" || fail_showing "the picture does not show '$1'" "$scratch/texts"
}

# names [DIRECTORY]: print on one line the sorted names in DIRECTORY of the server at $port, listed by an independent client, libnfs
names() {
    timeout 60 nfs-ls "nfs://127.0.0.1${1-/export}?version=3&nfsport=$port&mountport=${mount_port-$port}" |
        awk '{ print $NF }' | sort | tr '\n' ' '
}

# clean_now WHAT: nothing that a run made may be left
clean_now() {
    [ "$(names)" = 'dir file file1 file2 file3 file4 file5 link ' ] || fail "left after $1: $(names)"
}

# left_nothing DIRECTORY: a program that failed must have left no file there, complete or incomplete
left_nothing() {
    [ -z "$(ls -A "$1")" ] || fail "something was left in $1: $(ls -A "$1")"
}

# survives ARGUMENT...: nfsbench must succeed or print one line of error, whatever its input
survives() {
    status=0
    timeout -k 5 60 "$nfsbench" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [ $status -eq 0 ] || { [ $status -le 2 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ]; } ||
        fail_showing "status $status: nfsbench $*" "$scratch/err"
}

# refused_on OPTIONS STATUS PATTERN NAME ARGUMENT...: like refused, for nfsbench ARGUMENT... NAME on a small file system
# mounted with OPTIONS, on which nothing may be left. Left out if mounting is not permitted.
refused_on() {
    options=$1 expected=$2 pattern=$3 name=$4
    shift 4
    unshare -m true 2>/dev/null || {
        left_out 'no file system may be mounted here'
        return 0
    }
    mkdir -p "$scratch/small"
    # shellcheck disable=SC2016
    unshare -m sh -c '
        small=$0 mounting=$1 name=$2
        shift 2
        mount -t tmpfs -o "size=4k,$mounting" none "$small" || exit 99
        status=0
        "$@" "$small/$name" 2>"$small.err" || status=$?
        [ -z "$(ls -A "$small")" ] || ls -A "$small" >>"$small.err"
        exit $status' "$scratch/small" "$options" "$name" "$nfsbench" "$@" && status=0 || status=$?
    [ $status -eq "$expected" ] || fail "status $status instead of $expected where $options: $*"
    [ "$(wc -l <"$scratch/small.err")" -eq 1 ] && grep -Eq "$pattern" "$scratch/small.err" ||
        fail_showing "not one line that says '$pattern', or a file was left, where $options: $*" "$scratch/small.err"
}

# validator: print a Python that has jsonschema, perhaps Debian's; returns 1 if there is none
validator() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import jsonschema' 2>/dev/null && echo "$python" && return
    done
    return 1
}

# fits_schema [--all-kinds] FILE...: the schemas that the build makes must accept the FILEs, if there is a validator
fits_schema() {
    python=$(validator) || return 0
    "$python" "$here/schema.py" "$(dirname "$nfsbench")/../schema" "$@" || fail 'a result does not fit its schema'
}
