#!/bin/sh
# nfsbench history: a change is found at its position, and no other change; results with other settings form separate
# series; files that are not results are reported in one line.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq gnuplot python3

cd "$scratch"
run measured self: getattr,read 500 --no-ledger -q -j "$scratch/base.json"

# Most tests have files with typical costs only, as older versions wrote them.
jq 'del(.ops[].mean_above_null_ns)' base.json >typical.json

# series DIRECTORY FIRST LAST SHIFT [FILTER]: make results of the days FIRST to LAST, in which each op costs 1000 +- 20 ns, and
# GETATTR SHIFT more; apply FILTER.
series() {
    mkdir -p "$1"
    for day in $(seq "$2" "$3"); do
        jq --argjson day "$day" --argjson shift "$4" "
            def around(value): value + (\$day * 37 % 11 - 5) * 4;
            .start = (1767225600 + \$day * 86400 | todate | sub(\"Z\"; \"+00:00\")) |
            .seed = \$day | .validity = {verdict: \"ok\", reasons: []} |
            .ops |= map(if .above_null_ns == null then . else .above_null_ns |=
                (.estimate = around(1000) | .ci95 = [.estimate - 30, .estimate + 30]) end) |
            (.ops[] | select(.op == \"getattr\").above_null_ns) |=
                (.estimate += \$shift | .ci95 |= map(. + \$shift)) | ${5:-.}" \
            typical.json >"$1/$(printf %03d "$day").json"
    done
}
series steady 1 30 0
cp -r steady shifted
series shifted 21 30 200

# A series without a change, and one with a change: its position, size and message.
run 0 history steady --last 10
grep -q '^0 changes found' out || fail 'a change in a steady series'
grep -q 'among the last 10 results: no change found' out || fail 'the gate does not say what it found'
run 1 history shifted --last 10 --json result.json
holds '.schema == "nfsbench-result/2" and .kind == "history" and .changed_recently'
holds '[.series[] | select(.changes != []) | .op] == ["getattr"]'
holds '.series[] | select(.op == "getattr").changes | length == 1 and (.[0] |
    .at == 20 and .file == "shifted/021.json" and .recent and .p <= 0.025 and
    (.difference_ns | .ci95[0] < 200 and 200 < .ci95[1]) and (.share - 0.2 | fabs) < 0.05)'
holds '[.series[].points | length] == [30, 30, 30]'
holds '.series[1].points | map(.start) == (map(.start) | sort)'
holds '.results | length == 30' && holds '.left_out == []'
run 0 history shifted --last 9
run 0 history shifted
[ "$(grep -c 'changed: from .* us' out)" -eq 1 ] || fail 'the change is not marked once'
grep -q '/021.json *changed: from 1\.[0-9]* us to 1\.2[0-9]* us, by +0\.[12]' out ||
    fail 'the change is not marked where it is'

# The picture has a panel for each op, and shows the size of the change.
run 0 history shifted -o picture.svg
python3 -c 'import xml.etree.ElementTree as t; t.parse("picture.svg")' || fail 'the picture is not well formed'
for text in 'getattr: cost above the null call' 'read, 4096 bytes: cost above the null call' 'null: round trip'; do
    grep -q ">.*$text" picture.svg || fail "the picture does not show '$text'"
done
[ "$(grep -cE '>[^<]*\+[12][0-9]+ ns *<' picture.svg)" -eq 1 ] || fail 'not one change in the picture'
refused 2 'ends in .svg' history shifted -o picture.txt

# A cost that does not differ significantly from 0 has no share.
zero='(.ops[] | select(.op == "getattr").above_null_ns) |= (.estimate -= 1000 | .ci95 |= map(. - 1000))'
series zero 1 20 0 "$zero"
series zero 21 30 200 "$zero"
run 1 history zero --last 10 --json result.json
holds '.series[] | select(.op == "getattr").changes[0] | .share == null and .difference_ns.estimate > 180'
run 0 history zero
grep 'changed: from .* us' out | grep -qv ' %' || fail 'a share of 0'

# Results are ordered by time, not by name. Ops can be selected by name. Changes of null count only if null is named.
mkdir turned
for day in $(seq 30); do
    cp "shifted/$(printf %03d "$day").json" "turned/$(printf %03d $((100 - day))).json"
done
run 1 history turned --last 10
run 0 history shifted --op read --last 10
! grep -q '^getattr' out || fail '--op shows other ops'
series null 1 30 0 'if $day > 20 then (.ops[] | select(.op == "null").blocks) |= map(. * 10) else . end'
run 0 history null --last 10
run 1 history null --last 10 --op null
cp -r shifted twice
cp shifted/004.json twice/again.json
run 1 history twice --last 10
grep -q 'left out: twice/again.json: another file has the same run' out ||
    fail 'a run occurs twice'

# Results with other settings form other series.
for setting in '.config.depth = 8' '.target.proto = "udp"' '.host.cpu = "another"' \
    '.config.engine = "tirpc"' '.target.text = "other:/export"'; do
    rm -rf mixed
    cp -r steady mixed
    series mixed 21 30 200 "$setting"
    run 0 history mixed --last 10 --json result.json
    holds '[.series[] | select(.op == "getattr") | .points | length] == [20, 10]'
done
rm -rf mixed
cp -r steady mixed
series mixed 21 30 200 '.config.read_size = 8192'
run 1 history mixed --last 10 --json result.json
holds '[.series[] | select(.op == "read") | .size] == ["4096 bytes", "8192 bytes"]'
while IFS=';' read -r op setting size; do
    rm -rf mixed
    mkdir mixed
    series mixed 1 20 0 "(.ops[] | select(.op == \"read\").op) = \"$op\""
    series mixed 21 30 200 "(.ops[] | select(.op == \"read\").op) = \"$op\" | $setting"
    run 0 history mixed --last 10 --op "$op" --json result.json
    holds "[.series[] | [.size, (.points | length)]] | .[0][1] == 20 and .[1] == [\"$size\", 10]"
done <<END
read;.config.read_offset = 8192;4096 bytes, offset 8192
write;.config.write_size = 512;512 bytes
access;.config.files = 20 | .config.file_size = 4096;files 20 of 4096 bytes
lookup;.config.dir_size = 30;directory of 30 entries
END

# The mean cost is a series of its own: rare slow calls change only the mean.
mean='(.ops[] | select(.op == "getattr")) |= (.mean_above_null_ns = (.above_null_ns |
    {estimate: (.estimate * 2), ci95: [.ci95[0], .ci95[1] * 2], rare: null, rare_share: null, disagrees: false}))'
series slow 1 20 0 "$mean"
series slow 21 30 0 "$mean | (.ops[] | select(.op == \"getattr\").mean_above_null_ns) |= (.estimate += 900 | .ci95 |= map(. + 900))"
run 1 history slow --last 10 --json result.json
holds '[.series[] | select(.changes != []) | [.op, .value]] == [["getattr", "mean_above_null"]]'
holds '.series[] | select(.value == "mean_above_null").changes[0] | .at == 20 and .recent'
run 0 history slow
grep -q '^getattr: mean cost above null' out || fail 'the mean cost that changed is not shown'
# The p99 is a series of its own, too.
p99='(.ops[] | select(.op == "getattr")) |= (.p99_above_null_ns = (.above_null_ns | {estimate: (.estimate * 9), ci95: null}))'
rm -rf slow
series slow 1 24 0 "$p99"
series slow 25 36 0 "$p99 | (.ops[] | select(.op == \"getattr\").p99_above_null_ns.estimate) += 9000"
run 1 history slow --last 12 --json result.json
holds '[.series[] | select(.changes != []) | [.op, .value]] == [["getattr", "p99_above_null"]]'
run 0 history slow
grep -q '^getattr: p99 above null' out || fail 'the p99 that changed is not shown'
series even 1 12 0 "$mean | $p99"
run 0 history even
! grep -q 'mean cost' out || fail 'a mean cost that did not change is shown'

# A file that is not a result is left out and reported; if none is left, the command fails.
cp -r shifted garbage
echo '{"hello": 1}' >garbage/a.json
: >garbage/empty.json
head -c 700 base.json >garbage/cut.json
jq '.validity.verdict = "invalid"' steady/001.json >garbage/invalid.json
jq 'del(.start)' steady/001.json >garbage/timeless.json
jq '.kind = "experiment"' steady/001.json >garbage/experiment.json
echo notes >garbage/README
mkfifo garbage/fifo.json && ln -s fifo.json garbage/linked.json
run 1 history garbage --last 10 --json result.json
holds '.left_out | length == 8' && holds '.results | length == 30'
holds '.left_out | map(.reason) | map(select(test("verdict is invalid|no start time|an experiment|no schema|no whole JSON|regular file"))) | length == 8'
# Names of servers, machines and files cannot affect a terminal, a table or a picture.
evil=$(printf '\033]0;title\007\033[31m`|\342\200\256'"'"';!touch pwned')
mkdir evil
for day in 1 2; do
    jq --arg evil "$evil" '.target.text = $evil | .host.cpu = $evil | .target.address = "1"' \
        steady/00$day.json >"evil/$evil$day.json"
done
echo '{"hello": 1}' >"evil/$evil.json"
for form in '' '--json -' '--markdown -'; do
    # shellcheck disable=SC2086
    run 0 history evil $form
    ! LC_ALL=C grep -q "$(printf '[\001-\010\033\177\342]')" out || fail "a control character: history $form"
done
! grep '^| [0-9]' out | sed 's/\\[|`]//g' | grep -Eqv '^(\|[^|`]+){4}(\|[^|`]*)?\|$' ||
    fail 'Markdown: a row of another form'
run 0 history evil -o evil.svg
[ ! -e pwned ] || fail 'a name was executed'

refused 2 '--markdown same.svg: --output goes there already' history steady -o same.svg --markdown same.svg

# A history with changes matches its schema.
mkdir nightly
for day in $(seq 24); do # the cost doubles after half of the days
    jq --argjson day "$day" '.start = (1767225600 + $day * 86400 | todate) |
        .validity = {verdict: "ok", reasons: []} |
        (.ops[] | select(.above_null_ns) | .above_null_ns) |=
            ((if $day > 12 then 2000 else 1000 end + $day * 37 % 11) as $cost |
             .estimate = $cost | .ci95 = [$cost - 30, $cost + 30])' base.json >nightly/"$day".json
done
run 1 history nightly --last 20 --json history.json
[ "$(jq '[.series[].changes[]] | length' history.json)" -gt 0 ] || fail 'a history without a change shows little'
fits_schema history.json

mkdir nothing
refused 2 'none can be used' history nothing
refused 2 'none can be used.*no schema' history garbage/a.json
refused 2 'only one can be used' history steady/001.json
refused 2 'No such file' history missing.json
refused 2 'expected results' history
refused 2 "no result has the op 'write'" history steady --op write
refused 2 'last' history steady --last 2
mkdir young
cp steady/00[1-7].json young
run 0 history young
grep -q 'too few to find a change' out || fail 'too few results are not named'
run 2 history young --last 3
grep -q -e '--last: no op has the' err || fail 'a gate on too few results'
finish
