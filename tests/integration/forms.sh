#!/bin/sh
# The forms of a result: JSON, CSV, OpenMetrics, histograms; that they agree, and that a file appears
# whole or not at all.
. "$(dirname "$0")/lib.sh"
need jq
cd "$scratch"

run 0 self: getattr,read 500 -j result.json --csv result.csv --openmetrics result.prom --hist
grep -q 'cost above null' out || fail 'no table beside the files'
grep -Eq '^ +[0-9.]+ us +[0-9]+  #' out || fail 'no histogram'
[ "$(sed -n '/^  getattr  *calls$/,/^$/p' out | awk '/ us / { sum += $3 } END { print sum }')" -eq 500 ] ||
    fail 'the histogram does not hold every call'
[ "$(ls)" = "$(printf 'err\nout\nresult.csv\nresult.json\nresult.prom')" ] || fail 'other files are left'

# CSV: a line an op, as many fields as headings, the same figures as in the JSON.
[ "$(wc -l <result.csv)" -eq 5 ] || fail 'CSV: not five lines'
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' result.csv || fail 'CSV: lines of other lengths'
column() { # column OP NAME
    tr -d '\r' <result.csv | awk -F, -v op="$1" -v name="$2" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } $1 == op { print $c }'
}
holds ".ops[2].latency_ns.mean - $(column getattr mean_ns) | fabs < 0.01" CSV
holds ".ops[3].above_null_ns.estimate - $(column read above_null_ns) | fabs < 0.01" CSV
holds ".ops[3].model.server_ns.ci95[0] - $(column read server_low_ns) | fabs < 0.01" CSV
[ "$(column null above_null_ns)" = '' ] || fail 'CSV: null above null'

# OpenMetrics: each sample of a form that its readers take, each family announced, the end marked.
[ "$(tail -n 1 result.prom)" = '# EOF' ] || fail 'OpenMetrics: no end'
sample='nfsbench_[a-z_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} -?[0-9.]+(e[-+][0-9]+)?'
! grep -Ev "^($sample|# (TYPE nfsbench_[a-z_]+ gauge|HELP nfsbench_[a-z_]+ .*|EOF))\$" result.prom ||
    fail 'OpenMetrics: a line of another form'
for family in $(sed -n 's/^\(nfsbench_[a-z_]*\){.*/\1/p' result.prom | sort -u); do
    grep -q "^# TYPE $family gauge" result.prom || fail "OpenMetrics: $family has no type"
done
[ "$(sort result.prom | uniq -d | wc -l)" -eq 0 ] || fail 'OpenMetrics: a sample twice'
value=$(sed -n 's/^nfsbench_latency_mean_seconds{.*op="read"} //p' result.prom)
holds ".ops[3].latency_ns.mean / 1e9 - $value | fabs < 1e-12" OpenMetrics

# One on standard output takes the table's place; two don't fit.
run 0 self: getattr 100 --csv -
[ "$(head -c 3 out)" = op, ] && [ "$(wc -l <out)" -eq 4 ] || fail 'CSV on standard output'
refused 2 'standard output' self: getattr 100 --csv - -j -

# Where nothing can be written is told before the run; what fails leaves nothing.
refused 2 'csv.*No such file' self: getattr 100 --csv nowhere/result.csv
refused 2 'openmetrics.*directory' self: getattr 100 --openmetrics .
if [ -e /dev/full ]; then
    for form in json csv openmetrics; do
        run 1 self: getattr 100 --$form /dev/full
        grep -q "writing --$form to /dev/full: No space" err || fail "$form: a full device is not told"
    done
fi
finish
