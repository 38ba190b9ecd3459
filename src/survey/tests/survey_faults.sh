#!/bin/sh
# Surveys of servers with faults: each fault is a finding. (survey_limits.sh tests others, alone.)
. "$(dirname "$0")/found.sh"

found errors 15s '--error lookup=NFS3ERR_IO:0.2'
found refused 15s '--error access=NFS3ERR_IO'
found no-readdirplus 15s '--error readdirplus=NFS3ERR_NOTSUPP'
found sent-again 15s '--reset-after 2000'
found slow-metadata 30s '--delay lookup=2ms'
found slow-large-reads 30s '--habit slow-large'
found small-transfers 15s '--habit small-limits'
found small-listings 15s '--habit small-limits'
found slow-mount 30s '--habit slow-mount'

# A server that stands still for a second, five times in the first half of the survey.
start "$nfsbench" serve
begin survey "nfs://127.0.0.1:$port/export?mountport=$port" --max-time 20s
for _ in 1 2 3 4 5; do
    sleep 1
    kill -STOP $server_pid
    sleep 1
    kill -CONT $server_pid
done
ended_with 0 'a survey of a server that stands still'
holds '[.findings[].name] | index("stalls")' 'a survey of a server that stands still'
finish
