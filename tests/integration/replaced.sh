#!/bin/sh
# Nothing is replaced without being asked: a file is replaced only by a complete JSON result of the same kind, target, ops
# and machine, or with --force. The result of an interrupted run is written next to it. If one form can't be written, the
# others are.
. "$(dirname "$0")/lib.sh"
need jq
cd "$scratch"
short='--launches 1 --no-ledger -q'

# kept FILE WHY ARGUMENT...: nfsbench refuses before anything is measured, with the reason WHY, and the file is kept
kept() {
    file=$1 why=$2
    shift 2
    cp "$file" copy
    refused 2 "$(echo "$file: $why; give another name, or --force to replace it" | tr '()' ..)" "$@"
    cmp -s "$file" copy || fail "replaced: $*"
}

# shellcheck disable=SC2086
{
    run 0 self: getattr 100 $short -j one.json
    seed=$(jq .seed one.json)
    run 0 run self: getattr 200 $short -j one.json
    [ "$(jq .seed one.json)" != "$seed" ] || fail 'a result of the same is not replaced'
    kept one.json 'it holds a result of another choice of ops (getattr)' self: getattr,read 100 $short -j one.json
    kept one.json 'it holds a result of another kind (a measurement)' self: getattr 100 --versus self: -q -j one.json
    kept one.json 'it holds a result of another target (self:)' nfs://127.0.0.1:1/export getattr 100 -j one.json
    kept one.json 'it exists' self: getattr 100 $short --csv one.json
    jq '.host.name = "far"' one.json >far.json
    kept far.json 'it holds a result of another machine (far)' self: getattr 100 $short -j far.json
    run 0 self: getattr 100 $short -j far.json --force
    jq -e '.host.name != "far"' far.json >jq.out || fail 'not replaced by force'
    head -c 1000 one.json >half.json
    kept half.json 'it exists, and is not a result in JSON' self: getattr 100 $short -j half.json
    : >empty.json
    run 0 self: getattr 100 $short -j empty.json
    [ -s empty.json ] || fail 'an empty file is not written'

    # Files of all other forms and of other commands are kept, too.
    for form in csv markdown openmetrics; do
        run 0 self: getattr 100 $short --$form "it.$form"
        kept "it.$form" 'it exists' self: getattr 100 $short --$form "it.$form"
        run 0 self: getattr 100 $short --$form "it.$form" --force
    done
    run 0 self: getattr 100 $short --hdr it
    rm it.hlog
    kept it-getattr.hgrm 'it exists' self: getattr 100 $short --hdr it
    run 0 self: getattr 100 $short --hdr it --force
    run 0 report one.json -o page.html
    kept page.html 'it exists' report one.json -o page.html
    run 0 report one.json -o page.html --force
    if have gnuplot; then
        run 0 report one.json -o it.svg
        kept it.svg 'it exists' report one.json -o it.svg
        run 0 report one.json -o it.svg --force
    fi

    # Anything but a regular file is written in place.
    run 0 self: getattr 100 $short --csv /dev/stdout
    grep -q '^start,host' out || fail 'nothing on /dev/stdout'
    mkfifo fifo
    timeout 60 cat fifo >from.fifo &
    reader=$!
    run 0 self: getattr 100 $short --csv fifo
    wait $reader || fail 'the pipe has no end'
    grep -q '^start,host' from.fifo || fail 'nothing in the pipe'

    # If one form and the table can't be written, the other forms are written.
    run 1 self: getattr 100 $short -j /dev/full --csv one.csv --markdown /dev/full --openmetrics one.prom
    [ "$(grep -c 'writing --[a-z]* to /dev/full: No space' err)" -eq 2 ] || fail 'not both are reported'
    [ -s one.csv ] && [ -s one.prom ] || fail 'one form keeps the others from being written'
    full 1 'No space left' self: getattr 100 --launches 1 --allow-suspect -j table.json
    [ -s table.json ] || fail 'the table keeps the result from being written'
}

# cut LOG ARGUMENT...: run nfsbench, and interrupt it when its interval log LOG has a line; sets $status
intervals='--interval 100ms --no-ledger -q --precision 0.001%'
cut() {
    log=$1
    shift
    # shellcheck disable=SC2086
    env --default-signal=INT "$nfsbench" self: getattr $intervals --max-time 5min --allow-suspect "$@" >out 2>err </dev/null &
    client=$!
    for _ in $(seq 1200); do
        [ ! -s "$log" ] || break
        kill -0 $client 2>/dev/null || break
        sleep 0.05
    done
    kill -INT $client
    await 'cut short'
}
first=$(cksum one.json)
cut seen.jsonl --interval-log seen.jsonl -j one.json --csv cut.csv
[ $status -eq 1 ] && [ "$(cksum one.json)" = "$first" ] || fail 'a result is replaced by one that was cut short'
grep -q 'run was cut short; what was found is in one.partial.json' err || fail "not said: $(cat err)"
jq -e .cut_short one.partial.json >jq.out && [ -s cut.csv ] || fail "nothing beside: $(ls)"
rm seen.jsonl
cut seen.jsonl --interval-log seen.jsonl -j one.json --csv cut.csv --force
[ $status -eq 1 ] && [ "$(cksum one.json)" = "$first" ] && [ -s one.partial-2.json ] && [ -s cut.partial.csv ] || fail 'by force, when cut short'

# A run that can't connect, or is interrupted, keeps an earlier interval log.
for name in log.jsonl log.csv; do
    # shellcheck disable=SC2086
    {
        run measured self: getattr $intervals --max-time 5s --interval-log $name
        first=$(cksum $name)
        run 3 nfs://127.0.0.1:1/export getattr $intervals --interval-log $name --force
        [ "$(cksum $name)" = "$first" ] || fail 'a run without a server empties the log'
        kept $name 'it exists' self: getattr $intervals --interval-log $name
        partial=log.partial.${name#log.}
        cut "$partial" --interval-log $name --force
        [ $status -eq 1 ] || fail "$name: cut short, with status $status"
        [ "$(cksum $name)" = "$first" ] && [ -s "$partial" ] || fail "$name: a log of a run that was cut short"
        grep -q "the lines of this run are in $partial" err || fail "not said: $(cat err)"
        run measured self: getattr $intervals --max-time 5s --interval-log $name --force
        [ "$(cksum $name)" != "$first" ] && [ ! -e "log.partial-2.${name#log.}" ] || fail "$name is not replaced"
    }
done
# shellcheck disable=SC2086
{
    run 1 self: getattr $intervals --max-time 2s --interval-log /dev/full
    grep -q 'writing --interval-log /dev/full: No space' err || fail 'a full disk is not reported'
    run measured self: getattr $intervals --max-time 2s --interval-log it.prom
    kept it.prom 'it exists' self: getattr $intervals --interval-log it.prom
    run measured self: getattr $intervals --max-time 2s --interval-log it.prom --force
}
finish
