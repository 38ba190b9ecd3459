#!/bin/sh
# The experiments of characterize on data; see characterize_load.sh.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/found.sh"
need jq

found sizes
known '($of["sizes of READ"].text | test("rtmax 1048576")) and ($of["READ beyond rtmax"].text | test("brings 1048576"))'
found sizes --self-args '--habit odd-places'
known '[$of["READ at an odd place", "WRITE at an odd place"].figure.estimate] | all(. > 4900)'

found sizes --self-args '--habit slow-large'
known '[$of["READ of 131072 bytes", "WRITE of 131072 bytes"].figure.estimate] | all(. > 4900)'
known '($of["sizes of READ"].text | test("rtpref 65536")) and ($of["WRITE beyond wtmax"].text | test("writes 1048576"))'

found caches
known '[.details[] | select(.name | test("^random READs in"))] | length >= 2'
found caches --self-args '--habit small-memory'
known '$of["first READ, a new file"].figure.estimate > 1000 and $of["random against in order"].figure.estimate > 1.2'
known '$of["random READs in 4096 KiB"] | . == null or .figure.estimate > 4900'
finish
