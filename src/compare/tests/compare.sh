#!/bin/sh
# nfsbench compare: real differences are found and named, and only these. For files that cannot be compared there is one
# clear line.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

made() { # made NAME ARGUMENT...: measure, and write NAME.json
    name=$1
    shift
    run 0 self: "$@" --no-ledger -q -j "$scratch/$name.json"
}
made before getattr,read 5k
made udp getattr 500 -p udp
made larger getattr,read 500 -s 64KiB
made alone getattr 500 --no-baseline
cd "$scratch"
# The same run with 5 ms more in each block of GETATTR, so that differences between two runs on a busy machine do not
# matter.
jq '(.ops[] | select(.op == "getattr") | .blocks) |= map(. + 5000000)' before.json >slower.json

says() { # says STATUS WORDS FILE...: compare the files, and check status and output
    status=$1 words=$2
    shift 2
    run "$status" compare "$@"
    grep -q "$words" out || fail "not said of $*: $words"
}

# In both directions.
run 0 compare before.json slower.json --json result.json
holds '.schema == "nfsbench-result/2" and .kind == "comparison"'
holds '[.pairs[0].ops[].op] == ["null", "getattr", "read"]'
holds '.pairs[0].ops[1] | .word == "slower" and .compared == "above_null"'
holds '.pairs[0].ops[1].difference_ns | .ci95[0] <= .estimate and .estimate <= .ci95[1]'
holds '.pairs[0].ops[1].difference_ns.estimate - 5000000 | fabs < 0.01'
holds '[.pairs[0].ops[0, 2].word] == ["not known", "not known"]' # one launch per side
run 0 compare slower.json before.json --json result.json
holds '.pairs[0].ops[1].word == "faster"'

# As a gate: the status is 1 only if an op is slower by more than the threshold, and 4 if that is not known.
says 1 'getattr .*slower' before.json slower.json --threshold 5%
run 0 compare slower.json before.json --threshold 6ms
run 0 compare before.json slower.json --threshold 1000000000000%
run 0 compare before.json before.json
! grep -q 'what changed' out || fail 'something changed in what was not counted'
grep -q 'getattr .*not known' out || fail 'a file differs from itself'
says 0 'the gate passed: 1 op compared, none seen to be slower by more than 6000000 ns' before.json before.json --threshold 6ms \
    --op read
says 4 "the gate can't tell, so it did not pass: .*whether read, read in the mean.* are worse by .*--launches" before.json \
    slower.json --threshold 5% --op read
grep -q 'one launch on each side' out || fail 'the text does not say what is unknown'
! grep -q "$(printf '\033')" out || fail 'colours without a terminal'

# The output as text. More than two files are each compared with the first.
says 0 ' us .*#' before.json slower.json --hist
run 0 compare before.json slower.json before.json
for second in slower before; do
    grep -q "^$second.json against before.json$" out || fail "not $second.json against the first"
done

# Ops that cannot be compared are reported with the reason.
says 0 'getattr .*not comparable: transport TCP against UDP' before.json udp.json
says 0 'read .*not comparable: size of READ 4096 bytes against 65536 bytes' before.json larger.json
grep -q 'getattr .*above null' out || fail 'an op whose size is the same'
says 0 'getattr .*not comparable: baseline null calls against none' before.json alone.json
says 0 'getattr .*round trip' alone.json alone.json

differs() { # differs OP WHY FILTER...: a change by FILTER makes OP not comparable
    jq "$3" before.json >changed.json
    says 0 "$1 .*not comparable: $2" before.json changed.json
}
differs getattr 'depth 1 against 8' '.config.depth = 8'
differs getattr 'clients 1 against 4' '.config.clients = 4'
differs getattr 'connections of each 1 against 2' '.config.load = {"clients": 1, "connections": 2, "depth": 1, "threads": 1}'
differs getattr 'engine wire against tirpc' '.config.engine = "tirpc"'
differs getattr 'security AUTH_SYS against AUTH_NONE' '.target.auth = "AUTH_NONE"'
differs getattr 'waiting for replies blocking against spinning' '.config.wait = "spin"'
differs getattr 'files the one found against 7 of 4096 bytes' '.config.files = 7 | .config.file_size = 4096'
differs read 'offset of READ 0 against 4096' '.config.read_offset = 4096'
differs getattr 'changed.json is invalid' '.validity.verdict = "invalid"'
jq '.host.kernel = "Linux 1.0"' before.json >changed.json
says 0 "note: the client's kernel Linux .* against Linux 1.0" before.json changed.json

# WRITE has a separate size.
made small write 300 -s 4096
made large write 300 -s 64KiB
says 0 'write .*not comparable: size of WRITE 4096 bytes against 65536 bytes' small.json large.json

# Gates: without anything to compare, a gate fails. The threshold is a share, a time, or both. Null is included if it is
# named. Doubtful files are named.
says 2 'gate failed: no op could be compared' before.json udp.json --threshold 5%
says 1 'the gate failed: getattr in slower.json is slower by' before.json slower.json --threshold 100ns
run 1 compare before.json slower.json --threshold 5%,1ms
run 0 compare before.json slower.json --threshold 5%,6ms
jq '(.ops[] | select(.op == "null" or .op == "null_control" or .op == "getattr" or .op == "read") | .blocks) |= map(. + 9000000)' \
    before.json >slow_null.json
says 0 'null .*slower' before.json slow_null.json --threshold 1s
grep -q 'path: changed' out || fail 'a null call that takes 9 ms longer is no change of the path'
run 1 compare before.json slow_null.json --threshold 5% --op null
run 0 compare before.json slower.json --threshold 6ms --op read
! grep -q getattr out || fail '--op: other ops, too'
refused 2 'that --op names' compare before.json slower.json --op lookup
jq '.validity = {"verdict": "suspect", "reasons": [{"name": "drift", "verdict": "suspect", "text": "it moved"}]}' \
    before.json >suspect.json
jq '.validity = {"verdict": "ok", "reasons": []} | .cut_short = true | .cut_short_by = "interrupted"' \
    before.json >cut_short.json
run 0 compare suspect.json cut_short.json --threshold 6ms --json -
grep -q 'suspect.json is suspect: it moved' err || fail 'a gate passes a suspect file without a message'
grep -q 'cut_short.json is cut short: interrupted' err || fail 'a gate passes a part of a run without a message'
cp out result.json
holds '.gate.passed and .pairs[0].first_files[0].verdict == "suspect" and .pairs[0].second_files[0].cut_short'
holds '.gate.doubtful'

# A difference between results whose verdict is not ok is reported as doubtful.
jq -s '.[0] * {validity: .[1].validity}' slower.json suspect.json >slower_suspect.json
says 1 'getattr .*slower, but in doubt, as A and B are doubtful' suspect.json slower_suspect.json --threshold 5%
grep -q 'the gate failed: getattr .*; A and B are doubtful, so measure again$' out || fail 'a gate on suspect results'
jq '.validity = {"verdict": "ok", "reasons": []}' before.json >ok.json
says 0 'getattr .*slower, but in doubt, as B is doubtful' ok.json slower_suspect.json
says 0 'the gate passed: .*not all results are ok$' slower.json slower_suspect.json --threshold 6ms

# A mix that lacked an op is a different load.
made mix mix:sfs2008 500 --launches 1
jq '.config.mix |= (.name = "sfs2008 less readdirplus" | del(.weights.readdirplus))' mix.json >less.json
says 0 'note: the mix of B ran without readdirplus, which the server lacks, so the two loads differ' mix.json less.json
grep -q 'lookup .*not comparable: mix ' out || fail 'a mix is compared with another'
run 0 compare less.json less.json
! grep -q 'ran without' out || fail 'the same mix is noted'

# Three launches on each side with a deviation of 100 ns differ significantly by 2 us, but not by 50 ns; in one file or in
# several.
jq '(.ops[] | select(.op == "null_control")) |= (.above_null_ns |= (.estimate = 0 | .ci95 = [-9, 9]) |
        .mean_above_null_ns = .above_null_ns | .p99_above_null_ns = .above_null_ns) |
    .validity = {verdict: "ok", reasons: []}' before.json >launch.json
# launches FILE FROM CHANGE VALUE...: write FROM to FILE with a launch per VALUE, in which CHANGE is made with VALUE as $v
launches() {
    file=$1 from=$2 change=$3
    shift 3
    jq --argjson values "[$(echo "$@" | tr ' ' ,)]" ".launches as \$all | .launches = [\$values | to_entries[] | .value as \$v |
        (\$all[.key] // \$all[0]) + {server: .key} | $change] | .launches_planned = (\$values | length)" "$from" >"$file"
}
# launched FILE COST...: write a result with a launch per COST
launched() {
    file=$1
    shift
    launches "$file" launch.json '(.ops[] | select(.op == "getattr").cost_ns) = {estimate: $v, ci95: [$v - 5, $v + 5]}' "$@"
}
launched a.json 1000 1100 1200
launched b.json 3000 3100 3200
launched c.json 1050 1150 1250
says 1 'getattr .*slower; B is 2.82 times A \[2' a.json b.json --threshold 5%,100ns
grep -q "Welch's test on the launches, 3 of A and 3 of B" out || fail 'launches: the basis'
says 0 'getattr .*no difference seen' a.json c.json --threshold 1%
launched a1.json 1000
launched a2.json 1100
launched a3.json 1200
launched b1.json 3000
launched b2.json 3100
launched b3.json 3200
says 1 'Welch.s test on 3 results of A and 3 of B' --threshold 5% a1.json a2.json a3.json -- b1.json b2.json b3.json
run 0 compare --json result.json a1.json a2.json a3.json -- a3.json a2.json a1.json
holds '.pairs[0] | .units == "results" and .ops[1].word == "no difference seen" and .ops[1].launches == [3, 3]'
run 0 compare a.json b.json --json result.json
holds '.pairs[0].units == "launches"'
refused 2 'a group needs 3 results or more, .*; A has 3 and B has 2:' compare a1.json a2.json a3.json -- b1.json b2.json
says 1 'B has one launch' --threshold 5% a.json b1.json
run 4 compare --threshold 5% a1.json a2.json # one launch per side, less than launches may differ by

# Another state of the path: null calls take a third longer, bytes twice as long, and the server almost the same time.
# world FILE NULL BYTES SERVER: write a result of three launches with these times, ns
world() {
    launches "$1" launch.json "def about(\$x): {estimate: (\$x + \$v), ci95: [\$x + \$v - 1, \$x + \$v + 1]};
        (.ops[] | select(.op == \"null\")).round_trip_ns = about($2) |
        (.ops[] | select(.op == \"getattr\" or .op == \"read\")) |= (.cost_ns = about($3 + $4) |
            .model = {bytes_ns: about($3), pause_ns: about(0), server_ns: about($4)})" 0 5 10
    jq '(.ops[] | select(.op == "getattr" or .op == "read")) |= ((.model // .failed_model) as $parts | del(.failed_model) |
        .model = ($parts | del(.part) | .bytes_ns = {estimate: 1, ci95: [0, 2]} | .pause_ns = .bytes_ns |
            .server_ns = .bytes_ns))' "$1" >possible.json
    mv possible.json "$1"
}
world here.json 15000 700 160
world there.json 20000 1400 190
world slow_there.json 20000 1400 2190
world bytes.json 15000 1400 160
run 0 compare here.json there.json --threshold 5%,100ns --json result.json
holds '.pairs[0].path | .word == "changed" and .null.word == "slower" and .bytes.op == "read" and .bytes.word == "slower"'
holds '.pairs[0].ops[1] | .word == "not known" and .reason == "not judged, because the path changed"'
holds '.pairs[0].ops[1].server_part | .word == "no difference seen" and .path_error_ns > 0'
says 0 'path: changed, so totals are shown, not judged.*--versus' here.json there.json --threshold 5%,100ns
says 0 'the gate passed: .*, but the path changed' here.json there.json --threshold 5%,100ns
says 1 "the gate failed: getattr in slow_there.json is slower in the server's part by" here.json slow_there.json --threshold 5%,100ns
# If a bare echo takes the same time, the server copies more slowly; without an echo, it may be the machine.
says 1 'path: no change seen: a bare echo' here.json bytes.json --threshold 5%,100ns
without_echo='del(.ops[].echo_ns, .launches[].ops[].echo_ns)'
jq "$without_echo" here.json >silent_here.json
jq "$without_echo" bytes.json >silent_bytes.json
says 4 'null calls took as long, but the part of bytes changed' silent_here.json silent_bytes.json --threshold 5%,100ns
says 1 'path: changed; the results of each side' --threshold 5%,100ns here.json here.json here.json -- there.json there.json there.json
says 0 'path: no change seen' here.json here.json

# A slower core on one side is noted, with what it would explain, but not subtracted.
speed='.speed_ns = {additions: $v, multiplications: 2000}'
launches fast.json a.json "$speed" 2000 2010 1990
launches slow.json b.json "$speed" 2400 2410 2390
run 0 compare fast.json slow.json --json result.json
holds '.pairs[0].core_speed | .differs and .p < 0.05 and (.share - 0.2 | fabs < 1e-9)'
holds '.pairs[0] | .ops[1].difference_ns.estimate as $difference | .notes |
    any(test("core took 20.0 % longer for a fixed number of additions in B.*explains [0-9]+ % of getattr.s difference"))'
says 0 "note: the client's core took 16.7 % less for a fixed number of additions in B" slow.json fast.json
launches even.json b.json "$speed" 2015 1995 2000
run 0 compare fast.json even.json --json result.json
holds '.pairs[0] | (.core_speed.differs | not) and (.notes | any(test("additions")) | not)'

# Only the mean costs differ: slow calls (5 %) raise the mean by 500 us.
mean='(.ops[] | select(.op == "getattr").mean_cost_ns) = {estimate: $v, ci95: [$v - 9, $v + 9]}'
launches fast.json a.json "$mean" 1000 1100 1200
launches slow.json a.json "$mean" 500900 501100 501300
says 1 '^  getattr .*' fast.json slow.json --threshold 5%,100ns
grep -q 'getattr .*no difference seen' out || fail 'the typical costs differ'
grep -q '^  getattr in the mean .*slower' out || fail 'the mean costs are not told apart'
grep -q 'the gate failed: getattr in slow.json is slower in the mean by' out || fail 'a gate on the mean cost'
says 0 '^  getattr in the mean .*faster' slow.json fast.json --threshold 5%,100ns
run 0 compare fast.json fast.json
! grep -q 'in the mean' out || fail 'equal mean costs have a line'
run 0 compare fast.json slow.json --json result.json
holds '.pairs[0].ops[1] | .word != "slower" and .mean_above_null.word == "slower" and .mean_above_null.regression == false'
# Only the p99 differ. With one launch on each side there is no verdict on p99.
p99='(.ops[] | select(.op == "getattr").p99_cost_ns) = {estimate: $v, ci95: null}'
launches short.json a.json "$p99" 1000 1100 1200
launches long.json a.json "$p99" 500900 501100 501300
says 1 'getattr .*no difference seen' short.json long.json --threshold 5%,100ns
grep -q '^  getattr at p99 .*slower' out || fail 'the p99 are not told apart'
grep -q 'the gate failed: getattr in long.json is slower at p99 by' out || fail 'a gate on the p99'
run 0 compare long.json short.json --threshold 5%,100ns
run 0 compare short.json short.json
! grep -q 'at p99' out || fail 'equal p99 have a line'
for side in short long; do
    jq '.launches |= .[:1]' $side.json >one-$side.json
done
run 4 compare one-short.json one-long.json --threshold 5%,100ns --json result.json
holds '.pairs[0].ops[1].p99_above_null | .word == "not known" and .difference_ns.ci95 == null and .share == null'

# Measured results: in the second one, 5 % of the calls take 10 ms more.
made quick getattr 900 --launches 3 --no-model
made seldom getattr 900 --launches 3 --no-model --self-args '--cost getattr=10ms:5%'
run 0 compare quick.json seldom.json --json result.json
holds '.pairs[0].ops[1].mean_above_null.difference_ns.estimate > 100000'
holds '.pairs[0].ops[1] | .difference_ns.estimate < .mean_above_null.difference_ns.estimate'

# Bad input is refused. inputs.sh has files that are not results.
refused 2 'expected two' compare before.json
refused 2 'expected two' compare
refused 2 'threshold' compare before.json slower.json --threshold 5
refused 2 'threshold' compare before.json slower.json --threshold -5%
refused 2 'only one form' compare before.json slower.json --csv - --json -
refused 2 '--json same.html: --output goes there already' compare before.json slower.json -o same.html -j same.html
[ ! -e same.html ] || fail 'a refused comparison is written'
refused 2 "a comparison can't be written with --hdr" compare before.json slower.json --hdr x
full 1 'writing the table' compare before.json slower.json

# Only JSON can be read.
run 0 self: getattr 400 --launches 1 -q --no-ledger --no-model --csv one.csv
refused 2 'one.csv' compare one.csv one.csv
run 0 compare --help
! grep -Eiq 'or +CSV' out || fail 'the help says that CSV is compared'
finish
