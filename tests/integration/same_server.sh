#!/bin/sh
# A fault option changes the embedded server only by the fault: compared with a server without the option, the instructions in
# user space per call increase by the same number for all procedures.
. "$(dirname "$0")/lib.sh"
need valgrind python3
! "$nfsbench" --version | grep -qE 'address|thread' || skip 'valgrind does not run programs with sanitizers'

cd "$scratch"
names=
# count NAME OPTION...: count the instructions of a server with these options, from reading a socket to answering
count() {
    name=$1
    shift
    names="$names $name"
    start valgrind --tool=callgrind --log-file=log --callgrind-out-file="$name" --collect-atstart=no \
        --toggle-collect=stream_readable --dump-before=serve_mount_export "$nfsbench" serve --threads 1 "$@"
    timeout 60 python3 "$here/same_server.py" call "$port" || fail "the calls to a server with: $*"
    stop
}

# Probabilities so low that the faults never happen
count plain
count cost --cost read=1ms:0.000000001
count cost-of-other --cost getattr=1ms:0.000000001
count delay --delay read=1ms:0.000000001
count error --error read=NFS3ERR_IO:0.000000001
count service-times --service-times
count habits --habit in-order --habit slow-large
# shellcheck disable=SC2086
python3 "$here/same_server.py" compare $names || fail 'the servers differ by more than their faults'
finish
