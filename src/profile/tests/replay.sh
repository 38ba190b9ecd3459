#!/bin/sh
# A run of a captured workload is captured: its workload equals the first within the bounds of doc/METHOD.md, in a closed
# and in an open loop.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need tcpdump tshark python3
cd "$scratch"
PATH=$PATH:/usr/sbin:/sbin

capture trial 1 || skip "no permission to capture: $(tail -n 1 trial.err)"
end_capture

cat >first.json <<'WORKLOAD'
{"schema": "nfsbench-result/2", "kind": "workload",
 "ops": [
  {"op": "read", "weight": 500, "next": {"read": 250, "write": 140, "lookup": 40, "lookup-absent": 20, "getattr": 50}},
  {"op": "write", "weight": 200, "next": {"getattr": 150, "read": 50}},
  {"op": "getattr", "weight": 240, "next": {"read": 200, "write": 40}},
  {"op": "lookup", "weight": 40, "next": {"getattr": 40}},
  {"op": "lookup-absent", "weight": 20, "next": {"write": 20}}
 ],
 "clients": 1, "connections": 1, "in_flight": {"mean": 8, "p99": 12}, "rate_per_s": 2000, "burstiness": 1,
 "think_us": {"p10": 500, "p25": 1000, "p50": 1500, "p75": 2000, "p90": 2500, "p99": 4000}, "think_calls": 2.5,
 "sequential": {"read": 0.7, "write": 0.3}, "files": {"count": 40, "zipf_exponent": 0.9, "mean_bytes": 65536},
 "read_sizes": [{"bytes": 4096, "calls": 350}, {"bytes": 16384, "calls": 150}],
 "write_sizes": [{"bytes": 2048, "calls": 200}]}
WORKLOAD

start "$nfsbench" serve --delay read=3ms --delay write=3ms --delay getattr=3ms --delay lookup=3ms

# captured NAME ARGUMENT...: capture a run, and make NAME.json from the measured calls: those on connections with READ
# and without CREATE. All other connections are of set-up and clean-up.
captured() {
    name=$1
    shift
    capture "$name" "$port" || fail "the capture did not begin: $(cat "$name.err")"
    run measured "$target" "$@" --launches 1 --seed 1 --quiet
    end_capture
    own=
    for client in $(tcpdump -nn -r "$name.pcap" 'tcp[13] & 18 == 2' 2>/dev/null |
        sed 's/.*127\.0\.0\.1\.\([0-9]*\) > .*/\1/'); do
        "$nfsbench" profile "$name.pcap" --filter "tcp.port == $client" --csv procedures.csv --force >/dev/null 2>&1 || continue
        grep -q ',procedures,"create",' procedures.csv || ! grep -q ',procedures,"read",' procedures.csv || own="$own${own:+ or }tcp.port == $client"
    done
    run 0 profile "$name.pcap" --filter "$own" -o "$name.json"
}

# alike A B WHAT: check that the workload B equals A within the bounds; if not, fail with the message WHAT.
alike() {
    python3 - "$1" "$2" <<'PYTHON' || fail "$3"
import json
import math
import sys

def read(path):
    workload = json.load(open(path))
    mix = {op["op"]: op["weight"] for op in workload["ops"]}
    sizes = {kind: {size["bytes"]: size["calls"] for size in workload[kind + "_sizes"]} for kind in ("read", "write")}
    # Count refused LOOKUPs as LOOKUPs, because their replies may come after the next call.
    order = {}
    for op in workload["ops"]:
        row = order.setdefault(op["op"].replace("-absent", ""), {})
        for following, count in op["next"].items():
            following = following.replace("-absent", "")
            row[following] = row.get(following, 0) + count
    keys = {"sequential": [workload["sequential"][kind] for kind in ("read", "write")],
            "files": [workload["files"]["count"], workload["files"]["zipf_exponent"]]}
    answered = sum(op.get("calls", 0) for op in workload["ops"])
    waits = sum(op.get("calls", 0) * op.get("mean_us", 0) / 1e6 for op in workload["ops"])
    rate = workload["rate_per_s"]
    keys["own"] = workload["in_flight"]["mean"] / (1 + rate * waits / answered) if answered else None
    return mix, keys, sizes, order

def shares(weights):
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}

problems = []

def near(what, one, two, bound):
    print(f"{what}: {one:.4g}, {two:.4g}")
    if abs(one - two) > bound:
        problems.append(f"{what}: {one:.4g} and {two:.4g}")

(mix, keys, sizes, order), (mix2, keys2, sizes2, order2) = map(read, sys.argv[1:])
mix, mix2 = shares(mix), shares(mix2)
for op in mix.keys() | mix2.keys():
    near(f"share of {op}", mix.get(op, 0), mix2.get(op, 0), 0.02)
for transfer in sizes.keys() | sizes2.keys():
    one, two = shares(sizes[transfer]), shares(sizes2[transfer])
    for size in one.keys() | two.keys():
        near(f"share of {transfer} {size}", one.get(size, 0), two.get(size, 0), 0.1)
near("sequential READs", keys["sequential"][0], keys2["sequential"][0], 0.1)
near("sequential WRITEs", keys["sequential"][1], keys2["sequential"][1], 0.15)
near("files", keys2["files"][0] / keys["files"][0], 1, 0.1)
near("exponent", keys["files"][1], keys2["files"][1], 0.2)
for op in order:
    one, two = shares(order[op]), shares(order2.get(op, {"nothing": 1}))
    for following in one.keys() | two.keys():
        near(f"share of {following} after {op}", one.get(following, 0), two.get(following, 0),
             0.15 + 1 / sum(order[op].values()) ** 0.5)
if keys["own"]:
    near("log of calls in flight over those that rate and latency explain", math.log(keys["own"]),
         math.log(keys2["own"]), math.log(5))
print(*problems, sep="\n", file=sys.stderr)
sys.exit(bool(problems))
PYTHON
}

target=nfs://127.0.0.1:$port/export
rate_of() {
    python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["rate_per_s"]))' "$1"
}
refused 2 'first.json is a captured workload' sweep --clients 1,2 "$target" mix:first.json
refused 2 'a captured workload is measured on one side; leave out --versus' "$target" mix:first.json 10 -q --versus engine=wire
captured second mix:first.json 1000 --rate "$(rate_of first.json)"
alike first.json second.json 'a run is not like its workload'
captured third mix:second.json 1000 --rate "$(rate_of second.json)"
alike second.json third.json 'a run of the workload of a run is not like it'
captured fourth mix:first.json 1000
captured fifth mix:fourth.json 1000
alike fourth.json fifth.json 'a run of the workload of a run in a closed loop is not like it'
stop
finish
