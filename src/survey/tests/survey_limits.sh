#!/bin/sh
# A healthy server has no findings. Servers that limit the load, and a line that loses packets, have theirs. This test runs
# alone, because the trials at a limit compare throughputs.
. "$(dirname "$0")/found.sh"

# These findings may occur if a shared host stops the virtual machine for a moment.
result 0 survey self: --max-time 10s
holds '[.findings[].name] - ["rare-slow-calls", "stalls"] == []' 'a survey of a healthy server'
found throttle 30s '--call-rate 5000/500'
# The trials with many calls in flight need most of a minute.
found serialized 60s '--delay getattr=500us --habit in-order'

# A line that loses one packet in a hundred; emulating it needs root.
if [ "$(id -u)" -eq 0 ]; then
    build=$(cd "$(dirname "$nfsbench")/.." && pwd)
    ends 0 "$top/scripts/with-ethernet" -b "$build" -w 1G/1ms,loss=1% -t reno \
        "$nfsbench" survey wire:1 --max-time 45s -q -j "$scratch/result.json" --force
    holds '[.findings[].name] | index("lost-packets")' 'a survey over a line that loses packets'
fi
finish
