#!/bin/sh
# The experiments of characterize on data and directories, as characterize_load.sh.
. "$(dirname "$0")/lib.sh"
need jq

found sizes
known '($of["sizes of READ"].text | test("rtmax 1048576")) and ($of["READ beyond rtmax"].text | test("brings 1048576"))'
found sizes --habit odd-places
known '.answer | test("at odd places calls take longer")'
finish
