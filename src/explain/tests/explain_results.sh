#!/bin/sh
# The results of explain: an independent validator accepts them, other commands accept them or print a reason, the command
# in a result repeats the measurement, and the text fits a terminal.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq python3
cd "$scratch"

made() { # made NAME ARGUMENT...: NAME.json, written by nfsbench ARGUMENT...
    name=$1
    shift
    run measured "$@" --json "$name.json"
}
printf 'send 1us-2us\nserver-work 0-1s\nlife 1us..1s\n' >predictions
made phases explain self: getattr 300 --slowest 3
made loaded explain self: getattr 400 --depth 8
made arriving explain self: getattr 400 --rate 5k
made several explain self: null,read 400 --clients 2
made predicted explain self: read 300 --no-server --predict predictions
made ladder explain --ladder self: getattr 300
made xdr explain --xdr self: getattr,read 300
made places explain self: read 200 --pattern random --no-server
made severals compare several.json several.json
made ladders compare ladder.json ladder.json
fits_schema ./*.json

# taken FILE TEXT: fails unless compare and report accept FILE, and the comparison of FILE with itself contains TEXT
taken() {
    run 0 compare "$1" "$1"
    grep -q "$2" out || fail "compare $1: no '$2'"
    run 0 report "$1" "$1" -o page.html --force
    grep -q '</html>' page.html || fail "report $1: it is not whole"
    ! have gnuplot || run 0 report "$1" -o picture.svg --force
}
taken phases.json 'no interval over several runs'
taken ladder.json 'procedure'
for command in compare 'report -o x.html'; do
    # shellcheck disable=SC2086
    refused 2 "${command%% *} takes measurements, .*; .* is a measurement of XDR" $command xdr.json xdr.json
done
run 0 self: getattr 100 --launches 1 --no-ledger -q -j one.json
refused 2 'it holds a result of another kind .a measurement.; give another name' explain self: getattr 100 -q -j one.json

repeated nfsbench explain self: getattr 200 --no-server
repeated nfsbench explain self: getattr,read 200 --no-server
repeated nfsbench explain --ladder self: getattr 200
fits explain self: getattr 300 --slowest 5
finish
