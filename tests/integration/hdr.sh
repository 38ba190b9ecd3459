#!/bin/sh
# --hdr: HdrHistogram's own reader (PyPI's hdrhistogram) finds every count in its bucket, and the same percentiles in both
# forms.
. "$(dirname "$0")/lib.sh"
need jq python3

cd "$scratch"
run 0 self: getattr,read 2k --hdr result -j result.json
[ "$(ls result*)" = "$(printf 'result-getattr.hgrm\nresult-null.hgrm\nresult-null_control.hgrm
result-read.hgrm\nresult.hlog\nresult.json')" ] || fail 'other files than expected'

refused 2 'hdr.*No such file' self: getattr 100 --hdr nowhere/result

python3 -c 'import hdrh.log' 2>/dev/null || {
    left_out "the log was not read back: PyPI's hdrhistogram is not installed"
    finish
}
python3 - <<'END' || fail 'the log, read back'
import json
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

ops = {op["op"]: op for op in json.load(open("result.json"))["ops"]}
reader = HistogramLogReader("result.hlog", HdrHistogram(1, 2**42 - 1, 2))
for name, op in ops.items():
    read = reader.get_next_interval_histogram()
    assert read.get_tag() == name, read.get_tag()
    assert read.get_total_count() == op["timed"]
    for low, count in zip(op["histogram"]["low_ns"], op["histogram"]["count"]):
        assert read.get_count_at_value(low) == count, (name, low)
    for key, percentile in (("p50", 50), ("p90", 90), ("p99", 99)):
        value = read.get_value_at_percentile(percentile)
        assert abs(value / op["latency_ns"][key] - 1) < 0.008, (name, key, value)
assert reader.get_next_interval_histogram() is None
END
finish
