#!/bin/sh
# Files that the user names: endless ones, ones that are not files, and ones that are too long are refused in one line,
# at once, by every command that reads files.
. "$(dirname "$0")/lib.sh"
need jq
cd "$scratch"

run 0 self: getattr 200 --seed 7 -q -j plain.json
mkdir directory
truncate -s 10G sparse 2>/dev/null || : >sparse
printf 'getattr\0 1\n' >binary
mkfifo endless

# each PATTERN FILE: all of them refuse it, with PATTERN
each() {
    refused 2 "mix:$2.*$1" self: "mix:$2" 10
    refused 2 "predict $2.*$1" explain self: getattr 10 --predict "$2"
    refused 2 "$2.*$1" compare plain.json "$2"
    refused 2 "$2.*$1" plot "$2"
    refused 2 "$2.*$1" report "$2" -o page.html
}
each 'is a device' /dev/zero
each 'is a device' /dev/null
each 'is a directory' directory
each 'No such file' nothing
[ ! -s sparse ] || each 'is longer than' sparse
each 'is not text|no whole JSON' binary

# A pipe is read, up to a limit if it never ends.
for command in 'self: mix:endless 10' 'explain self: getattr 10 --predict endless' \
    'compare plain.json endless'; do
    timeout 60 sh -c 'yes >endless 2>/dev/null' &
    # shellcheck disable=SC2086
    refused 2 'endless.*is longer than' $command
    wait $! || true
done
timeout 60 sh -c 'cat plain.json >endless' &
run 0 compare plain.json endless
wait $!
timeout 60 sh -c 'echo getattr 1 >endless' &
run 0 self: mix:endless 20 --no-ledger --no-model --no-warmup
wait $!

# A rate without an arrival process in a file, for which the report once asked.
jq '.config.load = {connections: 1, depth: 1, rate_per_s: 5}' plain.json >rate.json
for command in 'compare plain.json' 'plot --force -o picture.svg' 'report --force -o page.html'; do
    # shellcheck disable=SC2086
    refused 2 'rate.json.*a rate, and no arrival' $command rate.json
done
finish
