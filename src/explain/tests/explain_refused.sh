#!/bin/sh
# Errors of explain are one line that is safe for a terminal: conflicting options, and invalid files and arguments.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need python3
cd "$scratch"

refused 2 'exclude each other' explain --knfsd --xdr self: getattr 10
refused 2 'leave out --.* or --depth' explain --knfsd self: getattr 10 --depth 2
refused 2 'name the ops of the mix' explain --knfsd self: mix:sfs3 10
refused 2 'leave out --.* or --predict' explain --knfsd --predict /dev/null self: getattr 10

# predicted PATTERN FILE: fails unless explain refuses FILE as a file of predictions, with an error that matches PATTERN
predicted() {
    refused 2 "predict $2.*$1" explain self: getattr 10 --predict "$2"
}
mkdir directory
printf 'getattr\0 1\n' >binary
predicted 'is a device' /dev/zero
predicted 'is a device' /dev/null
predicted 'is a directory' directory
predicted 'No such file' nothing
predicted 'is not text' binary
if truncate -s 10G sparse 2>/dev/null; then predicted 'is longer than' sparse; fi
mkfifo endless # read up to a limit
timeout 60 sh -c 'yes >endless 2>/dev/null' &
predicted 'is longer than' endless
wait $! || true

# harmless STATUS ARGUMENT...: run nfsbench as run does; the output must contain nothing that affects a terminal (harmless.py)
harmless() {
    run "$@"
    python3 "$here/harmless.py" out err || fail "harmful: nfsbench $*"
}
printf '\033[31mred\342\200\256\nnfsbench: forged' >name
evil=$(cat name)
printf 'queue 1us-2us # \033[31m\nevil\033[31m\342\200\256 1us-2us\n' >words
harmless 2 explain self: getattr 10 --predict words
harmless 2 explain self: getattr 10 --predict "none/$evil"

# The name of a server's directory can contain bytes that affect a terminal.
start "$nfsbench" serve
make_directory name || fail 'the directory was not made'
harmless 0 explain "nfs://127.0.0.1:$port/export/$(od -An -v -tx1 <name | tr -d '\n' | tr ' ' %)" getattr 50 --no-server
stop
finish
