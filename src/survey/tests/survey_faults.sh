#!/bin/sh
# Servers with faults, each of which a finding names. Not here: limits of the load, whose trials a busy machine has no time
# for (unit/test_survey.c has their rules).
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq
cd "$scratch"

# found NAME OPTIONS: a survey of a server with these options has the finding NAME
found() {
    name=$1
    result 0 survey self: --max-time 15s --self-args "$2"
    holds "[.findings[].name] | index(\"$name\")" "a survey of a server with $2"
    holds '.findings | all(.text != "" and (.next | startswith("nfsbench ")))'
}

found errors '--error lookup=NFS3ERR_IO:0.2'
found refused '--error access=NFS3ERR_IO'
found no-readdirplus '--error readdirplus=NFS3ERR_NOTSUPP'
found stalls '--delay getattr=1200ms:0.0005'
found sent-again '--reset-after 2000'
found slow-metadata '--delay lookup=2ms'
found rare-slow-calls '--delay access=20ms:0.02'
found slow-large-reads '--habit slow-large'
found small-transfers '--habit small-limits'
found small-listings '--habit small-limits'
finish
