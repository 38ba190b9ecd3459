#!/bin/sh
# The experiments of characterize that time calls, on the embedded server, which is configured so that they find different
# answers. Thresholds follow from delays of the server, which a busy machine can only make longer.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/found.sh"
need jq

# 16 calls of 3 ms each, at the same time or those of a connection one after the other.
found parallel --self-args '--delay getattr=3ms'
known '$of["GETATTR, 1 connection"].figure.estimate > 6'
found parallel --self-args '--delay getattr=3ms --habit in-order'
known '$of["GETATTR, 1 connection"].figure.estimate < 6 and $of["GETATTR, 16 connections"].figure.estimate > 6'

found locks
known '[.details[] | select(.unit == "times")] | length == 4'
found locks --self-args '--habit object-locks'
known '[$of["CREATE, REMOVE together", "WRITE together"].figure.estimate] | all(. > 2900)'
known '$of["GETATTR together"].figure.estimate > 1000 and $of["READDIR together"].figure.estimate > 500'

found parallel --self-args '--error write=NFS3ERR_NOSPC'
holds '.answers[0] | (.known | not) and (.answer | test("^Not known: WRITE was answered by NFS3ERR_NOSPC"))'
finish
