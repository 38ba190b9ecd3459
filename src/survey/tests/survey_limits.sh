#!/bin/sh
# A healthy server without findings, and servers that limit the load, which is a finding. This test runs alone, because the trials
# at a limit compare throughputs.
. "$(dirname "$0")/found.sh"

# These findings may occur if a shared host stops the virtual machine for a moment.
result 0 survey self: --max-time 10s
holds '[.findings[].name] - ["rare-slow-calls", "stalls"] == []' 'a survey of a healthy server'
found throttle 20s '--call-rate 5000/500'
# The trials with many calls in flight need most of a minute.
found serialized 60s '--delay getattr=500us --habit in-order'
finish
