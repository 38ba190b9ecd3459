#!/bin/sh
# No command prints a line wider than a terminal of 80 columns, with one exception: a name without spaces, such as a path,
# that is longer than a line.
. "$(dirname "$0")/lib.sh"
need python3
export COLUMNS=80
cd "$scratch"

fits self: getattr,lookup 300 --json a.json --launches 1
fits self: getattr,lookup 300 --hist -v --json b.json --launches 1
fits self: all 20 -v --block 10 --no-warmup --no-ledger
fits self: getattr 100 --launches 2 -v --no-warmup
fits self: getattr 300 -c 2 -d 4 -v --no-warmup
fits self: getattr 200 --rate 200 -v
fits self: mix:sfs3 200 -v --no-warmup
fits self: getattr,read 100 --versus proto=udp -v --hist --no-warmup
fits sweep --clients 1,2 --depth 1,2 self: getattr 200 --repeat 2
fits sweep --size 512..32k self: read 100 --repeat 2
fits sweep --rate 1k,2k self: getattr 200 --repeat 2
fits sweep --sec-ladder self: getattr,read 100 --size 1k,4k,16k --repeat 2
fits doctor
fits compare a.json b.json --hist

# With --wide, or if the width is unknown, lines are as long as necessary. But without -v, a table of points has at most 100
# columns.
run measured sweep --depth 1,2 self: getattr 200 --repeat 2 --wide
grep -q 'depth.*turn-around us.*Little.*limited by' out || fail '--wide gives up columns'
unset COLUMNS
run measured sweep --depth 1,2 self: getattr 200 --repeat 2 -v
grep -q 'depth.*turn-around us.*Little.*limited by' out || fail 'columns are given up with -v without a terminal'
run measured sweep --depth 1,2 --size 512,4k self: read 200 --repeat 2
awk '/^ +depth/ || /^ +[0-9]+ +[0-9]/ { points++; wide += length > 100 } END { exit wide || points < 5 }' out || fail 'a table without -v is wider than 100 columns'

run 0 compare a.json b.json --color always
grep -q "$(printf '\033')" out || fail 'no colours where they are asked for'
NO_COLOR=1 run 0 compare a.json b.json --color always
grep -q "$(printf '\033')" out || fail '--color always has no effect'
run 0 compare a.json b.json --color never
! grep -q "$(printf '\033')" out || fail 'colours where they are not wanted'

finish
