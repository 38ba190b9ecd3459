#!/bin/sh
# Surveys of servers with faults: each fault is a finding. (survey_limits.sh tests servers that limit the load.)
. "$(dirname "$0")/found.sh"

found errors 15s '--error lookup=NFS3ERR_IO:0.2'
found refused 15s '--error access=NFS3ERR_IO'
found no-readdirplus 15s '--error readdirplus=NFS3ERR_NOTSUPP'
found stalls 40s '--delay getattr=1200ms:0.001'
found sent-again 15s '--reset-after 2000'
found slow-metadata 30s '--delay lookup=2ms'
found rare-slow-calls 30s '--delay access=20ms:0.02'
found slow-large-reads 30s '--habit slow-large'
found small-transfers 15s '--habit small-limits'
found small-listings 15s '--habit small-limits'
found slow-mount 30s '--habit slow-mount'
finish
