#!/bin/sh
# Files that the user names: every command that reads files refuses endless files, directories and too long files at once, in one
# line. Broken results are refused, and crash no command.
. "$(dirname "$0")/lib.sh"
need jq gnuplot
cd "$scratch"

run 0 self: getattr 200 --seed 7 -q -j plain.json

mkdir directory
truncate -s 10G sparse 2>/dev/null || : >sparse
printf 'getattr\0 1\n' >binary
mkfifo endless

# each PATTERN FILE: all commands that read files refuse FILE with PATTERN
each() {
    refused 2 "mix:$2.*$1" self: "mix:$2" 10
    refused 2 "$2.*$1" compare plain.json "$2"
    refused 2 "$2.*$1" report "$2"
    refused 2 "$2.*$1" report "$2" -o page.html
}
each 'is a device' /dev/zero
each 'is a device' /dev/null
each 'is a directory' directory
each 'No such file' nothing
[ ! -s sparse ] || each 'is longer than' sparse
each 'is not text|no whole JSON' binary

# A pipe is read, up to a limit if it never ends.
for command in 'self: mix:endless 10' 'compare plain.json endless'; do
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

# Every command refuses broken results in one line (the kinds of mistakes are in unit/test_result_file.c).
# broken PATTERN FILTER: results that FILTER makes of plain.json are refused with PATTERN
commands='compare@plain.json report@--force@-o@picture.svg report@--force@-o@page.html'
broken() {
    jq "$2" plain.json >broken.json
    for command in $commands; do
        # shellcheck disable=SC2046
        refused 2 "broken.json.*$1" $(echo "$command" | tr @ ' ') broken.json
    done
}
broken 'no schema' '{hello: 1}'
broken 'rounds are missing' 'del(.ops[1].blocks[0])'
head -c 5000 plain.json >cut.json
: >empty.json
run 0 self: lookup 200 --no-baseline --no-ledger -q -j other.json
for command in $commands; do
    command=$(echo "$command" | tr @ ' ')
    # shellcheck disable=SC2086
    {
        refused 2 'no whole JSON' $command cut.json
        refused 2 'no whole JSON' $command empty.json
        case $command in compare*) ;; *) command="$command plain.json" ;; esac
        refused 2 'no op in common' $command other.json
        refused 2 'has no such op|that --op names' $command plain.json --op write
    }
done

# Older and damaged results, whatever is missing or changed, make a picture, a page, a comparison, or one line of error.
damaged() { # damaged FILTER: the result that FILTER makes of plain.json
    jq "$1" plain.json >damaged.json
    survives compare plain.json damaged.json
    survives report damaged.json -k all -o damaged.svg --force
    survives report damaged.json plain.json -o damaged.html --force
}
for key in $(jq -r 'keys[]' plain.json); do
    damaged "del(.$key)"
    damaged ".$key = [{}, [\"x\"], 1]"
done
for key in $(jq -r '.ops[2] | keys[]' plain.json); do
    damaged "del(.ops[].$key)"
    damaged "(.ops[] | select(.op == \"getattr\")).$key = [{}]"
    damaged "(.ops[] | select(.$key)).$key = -1"
done
finish
