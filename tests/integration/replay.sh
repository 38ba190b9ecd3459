#!/bin/sh
# A run of a captured workload, captured: its workload is the same again, within the bounds of doc/METHOD.md. In both
# loops.
. "$(dirname "$0")/lib.sh"
need tcpdump python3
"$nfsbench" --version | grep -q libpcap || skip 'this build has no libpcap'
cd "$scratch"
PATH=$PATH:/usr/sbin:/sbin

capture trial 1 || skip "no permission to capture: $(tail -n 1 trial.err)"
end_capture

cat >first.workload <<'WORKLOAD'
read 500
write 200
getattr 240
lookup 40
lookup-absent 20
after: lookup getattr 40
after: lookup-absent write 20
after: getattr read 200 write 40
after: read read 250 write 140 lookup 40 lookup-absent 20 getattr 50
after: write getattr 150 read 50
clients: 1
connections: 1
in-flight: 8 12
rate: 2000
burstiness: 1
think: 500 1000 1500 2000 2500 4000
think-calls: 2.5
sequential: 0.7 0.3
files: 40 0.9
file-size: 65536
size: read 4096 350
size: read 16384 150
size: write 2048 200
WORKLOAD

start "$nfsbench" serve --delay read=3ms --delay write=3ms --delay getattr=3ms --delay lookup=3ms

# captured NAME ARGUMENT...: capture a run, and make NAME.workload of its own calls: of connections without a CREATE,
# which only set-up and clean-up make.
captured() {
    name=$1
    shift
    capture "$name" "$port" || fail "the capture did not begin: $(cat "$name.err")"
    run measured "$target" "$@" --launches 1 --seed 1 --quiet
    end_capture
    own=
    for client in $(tcpdump -nn -r "$name.pcap" 'tcp[13] & 18 == 2' 2>/dev/null |
        sed 's/.*127\.0\.0\.1\.\([0-9]*\) > .*/\1/'); do
        "$nfsbench" profile "$name.pcap" --filter "port $client" --csv procedures.csv --force >/dev/null 2>&1 || continue
        grep -q '^create,' procedures.csv || ! grep -q '^read,' procedures.csv || own="$own${own:+ or }port $client"
    done
    run 0 profile "$name.pcap" --filter "$own" -o "$name.workload"
}

# alike A B WHAT: B is what A was, within the bounds.
alike() {
    python3 - "$1" "$2" <<'PYTHON' || fail "$3"
import math
import sys

def read(path):
    mix, keys, sizes, order = {}, {}, {}, {}
    waits = answered = 0
    for line in open(path):
        line = line.split("#")[0].strip()
        key, colon, rest = line.partition(":")
        if line and not colon:
            op, weight = line.split()
            mix[op] = float(weight)
        elif key == "size":
            transfer, size, calls = rest.split()
            sizes.setdefault(transfer, {})[size] = float(calls)
        elif key == "after":
            # Whether a LOOKUP is refused may not be known yet when the next call is sent.
            op, *rest = rest.replace("-absent", "").split()
            row = order.setdefault(op, {})
            for following, count in zip(rest[::2], rest[1::2]):
                row[following] = row.get(following, 0) + float(count)
        elif key == "latency":
            answered += float(rest.split()[1])
            waits += float(rest.split()[1]) * float(rest.split()[4]) / 1e6
        elif key in ("sequential", "files", "in-flight", "clients", "rate"):
            keys[key] = [float(value) for value in rest.split()]
    keys["own"] = keys["in-flight"][0] / (1 + keys["rate"][0] * waits / answered) if answered else None
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
         math.log(keys2["own"]), math.log(2.5))
print(*problems, sep="\n", file=sys.stderr)
sys.exit(bool(problems))
PYTHON
}

target=nfs://127.0.0.1:$port/export
rate_of() {
    awk '/^rate:/ { printf "%d", $2 }' "$1"
}
captured second mix:first.workload 1000 --rate "$(rate_of first.workload)"
alike first.workload second.workload 'a run is not like its workload'
captured third mix:second.workload 1000 --rate "$(rate_of second.workload)"
alike second.workload third.workload 'a run of the workload of a run is not like it'
captured fourth mix:first.workload 1000
captured fifth mix:fourth.workload 1000
alike fourth.workload fifth.workload 'a run of the workload of a run in a closed loop is not like it'
stop
finish
