#!/bin/sh
# nfsbench profile: constructed captures with known contents, runs of their workloads, and files that are not captures.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq python3 tshark
cd "$scratch"
PYTHONPATH=$here python3 "$top/src/profile/tests/capture.py" .

for file in plain.pcap ng.pcap; do
    run 0 profile $file --json result.json
    holds '([.procedures[] | {procedure, calls, replies, sent_again, errors}] == [
            {procedure: "getattr", calls: 100, replies: 100, sent_again: 10, errors: {}},
            {procedure: "lookup", calls: 20, replies: 20, sent_again: 0, errors: {NFS3ERR_NOENT: 5}},
            {procedure: "write", calls: 10, replies: 10, sent_again: 0, errors: {}}]) and
        (.procedures | all(.latency_ns.min == 50000 and .latency_ns.max == 50000)) and
        ([.not_decoded[] | {name, version, calls, replies}] ==
            [{name: "mountd", version: 3, calls: 1, replies: 1}]) and
        .start == "2023-11-14T22:13:20+00:00" and .clients == 1 and .servers == 1 and
        (.capture | .missing_bytes == 0 and .packets_late == 0 and .streams_begun_before == 0 and .ended_by == null)' $file
done
run 0 profile plain.pcap
grep -Eq '^  lookup +20 .*NFS3ERR_NOENT 5$' out || fail 'the table has no LOOKUP'
"$nfsbench" profile - <plain.pcap >piped
sed 's/ of plain.pcap / of - /' out | cmp -s - piped || fail 'standard input makes another profile'

# Below the table, -v describes the calls.
run 0 profile plain.pcap -v
grep -q '^  think times us: p10 1000,.* calls between two: 1$' out || fail 'the profile has no think times'
run 0 profile plain.pcap
! grep -q 'think times' out || fail 'more than the table without -v'
run 0 profile plain.pcap --filter 'udp or frame.len < 200' --json result.json
holds '[.procedures[].procedure] == ["getattr", "lookup"]'
refused 2 "with --filter 'no port': .*port" profile plain.pcap --filter 'no port'
refused 1 'no NFSv3 call: the capture has no packet that --filter matches' profile plain.pcap --filter 'tcp.port == 1'

# The workload of the capture.
echo 'getattr 1' >mix.txt
run 0 profile plain.pcap -o plain.json
! grep -q 10.0.0 plain.json || fail 'the workload has an address'
run 0 profile plain.pcap -v --keep-names -o named.json
grep -q '^    11 calls on name$' out || fail 'the profile has no names'
run 0 profile plain.pcap -o -
cmp -s out plain.json || fail 'the workload on standard output is another one'
# workload FILE FILTER: check that jq's FILTER is true of FILE
workload() {
    jq -e "$2" "$1" >/dev/null || fail "$1 is not so: $2"
}
workload plain.json '.kind == "workload" and .most_used[0] == {calls: 11, bytes: 40960, name: "file-1"}'
workload named.json '.most_used[0] == {calls: 11, bytes: 40960, name: "name"}'
workload plain.json '[.ops[] | {op, weight}] == [{op: "getattr", weight: 100}, {op: "lookup", weight: 15},
    {op: "lookup-absent", weight: 5}, {op: "write", weight: 10}] and
    .ops[0].next == {getattr: 99, "lookup-absent": 1} and .ops[3].mean_us == 50 and
    .write_sizes == [{bytes: 4096, calls: 10}] and .read_sizes == [] and .clients == 1 and
    .sequential == {read: 0, write: 1} and (.own_clients | length) == 1 and
    (.own_clients[0] | .calls == 130 and .connections == 1 and .in_flight == 1 and .think_us.p10 == 1000)'

# Segments with many records, and records of many segments.
run 0 profile deep.pcap --json result.json -o deep.json
holds '([.procedures[] | {procedure, calls, replies, call_bytes, reply_bytes, errors}] == [
        {procedure: "getattr", calls: 80, replies: 80, call_bytes: 4160, reply_bytes: 8960, errors: {}},
        {procedure: "lookup", calls: 80, replies: 80, call_bytes: 4800, reply_bytes: 3200, errors: {NFS3ERR_NOENT: 40}},
        {procedure: "read", calls: 80, replies: 80, call_bytes: 5120, reply_bytes: 331200, errors: {}},
        {procedure: "write", calls: 80, replies: 80, call_bytes: 333440, reply_bytes: 4160, errors: {}}]) and
    (.procedures | all(.latency_ns.min == 50000 and .latency_ns.max == 50000))' deep
workload deep.json '.sequential == {read: 1, write: 1} and .read_sizes == [{bytes: 4096, calls: 80}] and
    .in_flight == {mean: 8.5, p99: 16} and ([.ops[].op] | sort) == ["getattr", "lookup", "lookup-absent", "read", "write-file-sync"]'

# Captures with missing or duplicate packets.
run 0 profile lost.pcap --json result.json
holds '.capture | .gaps == 1 and .missing_bytes == 1448' lost
holds '([.procedures[].calls] == [80, 80, 80, 80]) and ([.procedures[].replies] | add) >= 310' lost
run 0 profile again.pcap --json result.json
holds '([.procedures[].replies] == [80, 80, 80, 80]) and (.capture | .segments_retransmitted == 1 and .gaps == 0)' again
run 0 profile inside.pcap --json result.json
holds '.procedures[0].replies > 0 and .capture.streams_begun_before == 2' inside
run 0 profile short.pcap --json result.json
holds '(.procedures[] | select(.procedure == "read") | .calls > 0 and .replies > 0) and .capture.packets_cut > 0' short
run 0 profile parted.pcap --json result.json
holds '[.procedures[] | {calls, replies, reply_bytes}] == [{calls: 2, replies: 1, reply_bytes: 4140}] and
    .messages_udp == 2 and .capture.packets_without_fragment == 1' parted
# A conversation over UDP whose first packet, a reply, looks like DNS; on the NFS port and on another port.
for file in stolen elsewhere; do
    run 0 profile $file.pcap --json result.json
    holds '([.procedures[] | {calls, replies}] == [{calls: 12, replies: 12}]) and
        (.capture | .replies_unmatched == 3 and .messages == 27 and .packets_nfs == 27 and .packets_nfs_unread == 0)' $file
done
# A large share of packets on NFS ports that are not understood is mentioned first; a few packets are only counted.
run 0 profile noise.pcap --json result.json
holds '.capture | .packets_nfs == 66 and .packets_nfs_unread == 2' noise
run 0 profile noise.pcap
sed -n 2p out | grep -q '^3.0 % of the packets on ports of NFS were not understood (2 of 66): calls and replies in them are missing below$' ||
    fail "packets that were not understood are not said first: $(cat out)"
run 0 profile noise.pcap --filter 'frame.number != 1'
! grep -q 'were not understood (' out || fail 'few packets are said first'
grep -q '^  1 packets on ports of NFS that were not understood as RPC$' out || fail 'a packet is in no count'
run 0 profile short.pcap
sed -n 2p out | grep -q '^84.6 % .* 420 of them were cut by the snap length' || fail "short: $(cat out)"

# A snap length cuts arguments: the reason is named, and the workload says which share of the calls it has.
refused 1 'headers.pcap: a workload needs the arguments of calls; none of the 320 captured has them .320 truncated by the snap length.; capture' \
    profile headers.pcap -o headers.json
[ ! -e headers.json ] || fail 'a workload of nothing was written'
run 0 profile partly.pcap -v -o partly.json
grep -q '^  part  *10 of 30 captured calls (20 truncated by the snap length)' out || fail "the part is not said: $(cat out)"
workload partly.json '.left_out == {cut: 20, encrypted: 0, unknown: 0, packets_share: 0} and ([.ops[].calls] | add) == 10'
workload plain.json '.left_out == {cut: 0, encrypted: 0, unknown: 0, packets_share: 0}'
run 0 profile short.pcap -o short.json
workload short.json '.left_out.packets_share > 0.8'

# A clock with ticks of 10 ms: no finer times are printed, and the workload records the tick.
run 0 profile coarse.pcap -v --json result.json -o coarse.json
grep -q '^the clock of the capture has a resolution of 10 ms: ' out || fail "the tick is not said: $(cat out)"
awk '$1 == "getattr" { found = 1; if ($6 != "0" || $7 != "10000" || ($8 != "0" && $8 != "10000")) exit 1 } END { exit !found }' out ||
    fail "times are finer than the clock: $(grep getattr out)"
grep -q '^  clock  *that of the capture ticks in 10 ms' out || fail 'the workload does not name the tick'
holds '.capture.clock_tick_ns == 10000000 and (.procedures[0].latency_ns | [.p50, .p90, .p99, .max, .mean] |
    all(. % 10000000 == 0))' coarse
workload coarse.json '.clock_tick_us == 10000 and (.ops[0] | .p50_us == 0 and .p99_us == 10000) and
    ([.think_us[]] | all(. % 10000 == 0))'
run 0 profile plain.pcap --json result.json
holds '.capture.clock_tick_ns == null' plain

run 0 profile backwards.pcap --json result.json
holds '.capture.packets_late == 292' backwards

# A run of the workload makes its calls, in a closed loop or at a rate.
run measured self: mix:plain.json 400 --launches 1 -q --json result.json
[ ! -s out ] || fail '--quiet prints a table'
holds '(.config | .read_size == 4096 and .files == 100 and .file_size == 40960 and (.pattern | startswith("zipf:0.3")))
    and ([.ops[] | select(.role == "op") | .op] | sort) == ["getattr", "lookup", "lookup-absent", "write"] and
    (.ops[] | select(.op == "getattr") | .calls >= 280 and .calls <= 320) and all(.ops[]; .errors == {})' 'a closed loop'
rm -f result.json
"$nfsbench" self: mix:plain.json 400 --launches 1 --rate 1000 -q --json result.json 2>err || [ $? -eq 1 ] ||
    fail "an open loop: $(cat err)" # invalid on a busy machine
holds '.config.load | .rate_per_s == 1000 and .arrival == "captured"' 'an open loop'
# Without COUNT, a run makes as many calls as were captured, but at least 1000. A list of ops is a mix.
run measured self: mix:plain.json --launches 1 -q --json result.json
holds '[.ops[] | select(.role == "mix") | .calls] == [1000]' 'the number of calls'
run 0 self: mix:mix.txt 20 --no-ledger --no-model --no-warmup --launches 1 --allow-suspect --json result.json
holds '[.ops[] | select(.role == "op") | .op] == ["getattr"] and .config.files == null' 'a mix'

# A cut capture is read to its last complete packet.
head -c 20000 plain.pcap >cut.pcap
run 0 profile cut.pcap --json result.json
holds '.procedures == [.procedures[0]] and .procedures[0].calls > 50 and (.capture.ended_by | test("cut short"))'

refused 1 'no NFSv3 call: the capture has only nfs version 4 \(1 call, not decoded\)' profile version4.pcap
refused 1 'no NFSv3 call: 1 packet on NFS ports, but no RPC message' profile nothing.pcap
refused 1 'no NFSv3 call: the capture has no packet$' profile wireless.pcap
refused 2 "can't read the capture missing.pcap: .*doesn't exist" profile missing.pcap
refused 2 "can't read the capture .*isn't a capture file" profile "$here/lib.sh"
refused 2 'mix: takes workloads and lists of ops; result.json is a profile' self: mix:result.json 20
status=0
env PATH=/nonexistent "$nfsbench" profile plain.pcap 2>err || status=$?
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'tshark, which is not in the PATH; install it .*apt-get install tshark' err ||
    fail "without tshark: status $status, $(cat err)"
refused 2 'expected one capture' profile
refused 2 'expected one capture' profile plain.pcap ng.pcap
refused 2 '--csv ./same: --output goes there already' profile plain.pcap -o same --csv ./same
refused 2 'only one form of the result fits' profile plain.pcap -o - -j -
finish
