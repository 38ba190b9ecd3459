#!/bin/sh
# A healthy server has no findings. Servers that limit the load, lines that lose or delay packets, and rare slow calls have
# theirs. This test runs alone, because trials at a limit compare throughputs, and other tests make calls rarely slow, too.
. "$(dirname "$0")/found.sh"

# These findings may occur if a shared host stops the virtual machine for a moment.
result 0 survey self: --max-time 20s
holds '[.findings[].name] - ["rare-slow-calls", "stalls"] == []' 'a survey of a healthy server'
found rare-slow-calls 30s '--delay access=20ms:0.05'
found throttle 30s '--call-rate 5000/500'
# The trials with many calls in flight need most of a minute.
found serialized 60s '--delay getattr=500us --habit in-order'

# over_line NAME WIRE: survey a server over the emulated line WIRE into NAME.json
over_line() {
    timeout -k 5 120 "$top/scripts/with-ethernet" -b "$build" -w "$2" -t reno \
        "$nfsbench" survey wire:1 --max-time 45s -q -j "$1.json" --force >"$1.out" 2>&1
}

# Two lines at the same time, because calls mostly wait for them: one loses a packet in a hundred, and the delay of the other
# varies. Emulating them needs root.
if [ "$(id -u)" -eq 0 ]; then
    build=$(cd "$(dirname "$nfsbench")/.." && pwd)
    over_line lost-packets 1G/1ms,loss=1% &
    over_line line 1G/500us,jitter=10ms || fail_showing 'no survey over a line with jitter' line.out
    wait $! || fail_showing 'no survey over a line that loses packets' lost-packets.out
    for name in lost-packets line; do
        cp $name.json result.json
        holds "[.findings[].name] | index(\"$name\")" "a survey over the line $name"
    done
fi
finish
