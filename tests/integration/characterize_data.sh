#!/bin/sh
# The experiments of characterize on data and directories, tested as in characterize_load.sh.
. "$(dirname "$0")/lib.sh"
need jq

found sizes
known '($of["sizes of READ"].text | test("rtmax 1048576")) and ($of["READ beyond rtmax"].text | test("brings 1048576"))'
found sizes --habit odd-places
known '[$of["READ at an odd place", "WRITE at an odd place"].figure.estimate] | all(. > 4900)'

found sizes --habit slow-large
known '[$of["READ of 131072 bytes", "WRITE of 131072 bytes"].figure.estimate] | all(. > 4900)'
known '($of["sizes of READ"].text | test("rtpref 65536")) and ($of["WRITE beyond wtmax"].text | test("writes 1048576"))'

found directories
known '$of.LOOKUP.text | test("^at [0-9]+ entries; .* at 10, .* at 100")'
known '$of["READDIR in 1 KiB"].figure.estimate > 0 and $of["READDIRPLUS in 32 KiB"].figure.estimate > 0'
found directories --entries 150
known '$of.LOOKUP.text | test("^at (100|150) entries")'
found directories --habit long-search
known '[$of.LOOKUP, $of.CREATE, $of.REMOVE] | all((.text | capture("^at (?<n>[0-9]+)").n | tonumber) as $entries |
    .figure.estimate > 1.9 * $entries)'

found caches
known '[.details[] | select(.name | test("^random READs in"))] | length >= 2'
found caches --habit small-memory
known '$of["first READ, a new file"].figure.estimate > 1000 and $of["random against in order"].figure.estimate > 1.2'
known '$of["random READs in 4096 KiB"] | . == null or .figure.estimate > 4900'

found directories --error create=NFS3ERR_NOSPC
holds '.answers[0] | (.known | not) and (.answer | test("^Not known: CREATE was answered by NFS3ERR_NOSPC"))'
finish
