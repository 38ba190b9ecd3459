#!/bin/sh
# A healthy server without findings, and servers whose limit under load is a finding. No other test runs meanwhile, because the trials at a limit compare
# throughputs.
. "$(dirname "$0")/found.sh"

# A shared host may stop the machine for a moment.
result 0 survey self: --max-time 20s
holds '[.findings[].name] - ["rare-slow-calls", "stalls"] == []' 'a survey of a healthy server'
found throttle 20s '--call-rate 2000/1'
found serialized 20s '--lock getattr=500us'
finish
