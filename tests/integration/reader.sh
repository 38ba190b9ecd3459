#!/bin/sh
# scripts/nfsbench_results.py: its rows contain the results' numbers. pandas reads them, and the example draws them, if
# pandas and matplotlib are installed.
. "$(dirname "$0")/lib.sh"
need jq python3
export PYTHONDONTWRITEBYTECODE=1
cd "$scratch"
ln -s "$top/scripts/nfsbench_results.py" .
version=$(sed -n 's/^project(nfsbench VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")
grep -q "^version = \"$version\"$" "$top/scripts/pyproject.toml" || fail "the reader's package is not of version $version"

run measured self: getattr,read 500 --size 4096 --launches 1 -q -j result.json
run measured self: getattr 500 --rate 5k --clients 2 --no-ledger --no-model --launches 1 -j load.json
run measured self: getattr 300 --versus self: -q -j versus.json
run measured sweep --allow-suspect self: getattr 300 --depth 1,2 --repeat 2 -q -j sweep.json

python3 nfsbench_results.py result.json load.json | tr -d '\r' >rows.csv || fail 'the reader ends with an error'
# value PATTERN COLUMNS: print COLUMNS of the only row that matches PATTERN
value() {
    grep -E "$1" rows.csv >row || fail "no row has $1"
    [ "$(wc -l <row)" -eq 1 ] || fail "not one row has $1"
    cut -d, -f "$2" row
}
[ "$(head -n 1 rows.csv)" = start,host,target,proto,verdict,engine,clients,depth,rate,size,launches,op,role,launch,server,quantity,value,low,high ] ||
    fail 'other columns'
awk -F, 'NF != 19 { exit 1 }' rows.csv || fail 'rows of different lengths'
holds ".ops[3].above_null_ns.estimate == $(value ',read,op,,,above_null_ns,' 17)" 'the rows'
holds ".ops[3].above_null_ns.ci95[1] == $(value ',read,op,,,above_null_ns,' 19)" 'the rows'
holds ".ops[3].latency_ns.p99 == $(value ',read,op,,,p99_ns,' 17)" 'the rows'
holds ".ops[3].ledger.server.cpu_ns == $(value ',read,op,,,server_cpu_ns,' 17)" 'the rows'
[ "$(value ',read,op,,,calls,' 10),$(value ',1,1,,,1,getattr,op,,,calls,' 10)" = 4096, ] || fail 'sizes of the ops'
value ',2,[0-9]+,5000(\.0)?,,1,getattr,op,,,calls,' 17 >/dev/null
! grep -q ',getattr,op,,,client_cpu_ns,$' rows.csv || fail 'a row without a value'

cat >check.py <<'P'
import json
from nfsbench_results import cells, frame, histogram, load, quantities, rounds

result = load("result.json")[0]
read = result["ops"][3]
assert sum(count for _, count in histogram(read)) == read["timed"]
assert len(list(rounds(result))) == len(result["ops"]) * result["config"]["rounds"]
assert [part["target"]["text"] for part in load("versus.json")] == ["self:", "self:"]
depths = [row for row in cells(load("sweep.json")[0]) if row["quantity"] == "throughput_per_s"]
assert [row["depth"] for row in depths] == [1, 2] and all(row["low"] <= row["value"] <= row["high"] for row in depths)
try:
    import pandas
except ImportError:
    pass
else:
    open("with-pandas", "w").close()
    table = frame(quantities([result])).set_index(["op", "quantity"])["value"]
    assert table["read", "calls"] == read["calls"] and table["getattr", "mean_ns"] > 0
json.dump({"schema": "nfsbench-result/1", "kind": "measurement"}, open("old.json", "w"))
try:
    load("old.json")
except ValueError as error:
    assert "old.json" in str(error)
else:
    raise AssertionError("an older schema is read as if it were this one")
P
# The notebook's code compiles as Python.
ln -s "$top/scripts/plot_example.py" .
jq -r '.cells[] | select(.cell_type == "code") | .source | join("")' "$top/scripts/plot_example.ipynb" >notebook.py
python3 -m py_compile notebook.py || fail "the notebook's code"
for python in python3 /usr/bin/python3; do # the second one has Debian's packages
    "$python" check.py || fail "$python check.py"
    ! "$python" -c 'import matplotlib' 2>/dev/null || {
        "$python" "$top/scripts/plot_example.py" result.json picture.svg || fail 'the example does not draw'
        grep -q '<svg' picture.svg || fail 'the example drew no picture'
        ! "$python" -c 'import pandas' 2>/dev/null || MPLBACKEND=Agg "$python" notebook.py >out ||
            fail 'the notebook does not run'
    }
done
[ -e with-pandas ] || left_out 'pandas is not installed'
[ -e picture.svg ] || left_out 'matplotlib is not installed'
finish
