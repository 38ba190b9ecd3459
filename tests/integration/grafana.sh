#!/bin/sh
# The Grafana dashboard of doc/grafana uses all metrics and labels that --openmetrics writes, and no others. A dashboard
# that uses others is detected.
. "$(dirname "$0")/lib.sh"
need python3
cd "$scratch"

run measured self: getattr,read,write 3k --launches 1 --openmetrics result.prom
python3 "$here/grafana.py" "$top/doc/grafana/nfsbench.json" result.prom || fail 'the dashboard uses metrics that do not exist'

for change in s/nfsbench_server_seconds/nfsbench_serving_seconds/ 's/,depth=~/,deep=~/' 's/quantile=\\"0.9\\"/quantile=\\"0.8\\"/' \
    's/{{size}}/{{bytes}}/'; do
    sed "$change" "$top/doc/grafana/nfsbench.json" >other.json
    ! cmp -s other.json "$top/doc/grafana/nfsbench.json" || fail "nothing to change by $change"
    ! python3 "$here/grafana.py" other.json result.prom >out 2>&1 || fail "not detected: $change"
done
finish
