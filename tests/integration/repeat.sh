#!/bin/sh
# "Repeating the measurement": the commands on the pages of several kinds, run with -j in an empty directory, make a result of
# the same kind. Options that write files or run commands are left out of them.
. "$(dirname "$0")/lib.sh"
need jq
cd "$scratch"
mkdir bin
[ ! -x "${NFSBENCH_MPI-}" ] || ln -s "$NFSBENCH_MPI" bin/nfsbench-mpi
PATH=$scratch/bin:$PATH

repeated nfsbench self: getattr 200 --launches 1 --no-ledger
[ "$(printf %s "$line" | sed 's/ --seed [0-9]*$//')" = \
    'nfsbench self: getattr 200 --launches 1 --no-ledger --allow-suspect -q' ] || fail "another line: $line"
grep -q '^<p class=soft>Commands are taken from the result files, which somebody else' page.html || fail 'not marked'
grep -q '^<p>Left out, because .*: --json\.' page.html || fail 'what is left out is not said'

# of COMMAND: replace the command in it.json by the jq expression COMMAND, and check the page
of() {
    jq ".command = $1" it.json >other.json
    run 0 report other.json -o page.html --force
    ! grep -A3 '>Repeating' page.html | grep -Eq '<pre>.*(evil|victim)' || fail "a command is offered: $1"
}
of '["nfsbench", "sweep", "self:", "getattr", "--server-cm=evil", "--vary", "server-start=evil,evil", "--csv", "victim",
    "-qj", "victim", "--depth", "1,2"]'
grep -q '^<pre>nfsbench sweep self: getattr -q --depth 1,2 --seed [0-9]*</pre>$' page.html || fail 'too much is left out'
grep -q ': --server-cmd, --vary, --csv, --json\.' page.html || fail 'what is left out is not said'
of '["nfsbench", "self:", "getattr", "--versus", "server-start=evil", "--server-start", "evil", "--hdr=victim"]'
of '["nfsbench", "clean", "--yes", "victim:/export"]'
grep -q 'The command in the file is not shown: it measures nothing' page.html || fail 'clean is offered'
of '["nfsbench", "self:", "getattr", "--of-another-version", "victim"]'
grep -q 'The command in the file is not shown: it has options' page.html || fail 'an unknown option is offered'

repeated nfsbench run --launches 2 --no-ledger self: getattr 200
repeated nfsbench self: getattr 200 --versus self: --launches 1 --no-ledger
repeated nfsbench sweep --depth 1,2 self: getattr 100 --repeat 2
repeated nfsbench sweep --sec-ladder self: getattr 100 --repeat 2
[ -x "${NFSBENCH_MPI-}" ] || left_out 'nfsbench-mpi was not built'
if [ -x "${NFSBENCH_MPI-}" ] && have mpirun; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    start "$nfsbench" serve
    repeated mpirun -np 2 nfsbench-mpi "nfs://127.0.0.1:$port/export" getattr 200
    case $line in
    'mpirun -np 2 nfsbench-mpi '*) ;;
    *) fail "nfsbench-mpi: another line: $line" ;;
    esac
    stop
fi
finish
