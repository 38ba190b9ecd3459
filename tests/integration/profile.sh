#!/bin/sh
# nfsbench profile: a made-up capture, whose contents are known; its forms; and files that are no such captures.
. "$(dirname "$0")/lib.sh"
need jq python3
"$nfsbench" --version | grep -q libpcap || skip 'this build has no libpcap'
cd "$scratch"
python3 "$here/capture.py" .

for file in plain.pcap ng.pcap backwards.pcap; do
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
grep -q 'mountd version 3: calls 1, replies 1' out || fail 'MOUNT is not counted'
"$nfsbench" profile - <plain.pcap >piped
sed 's/ of plain.pcap / of - /' out | cmp -s - piped || fail 'standard input makes another profile'
run 0 profile plain.pcap --csv -
[ "$(wc -l <out)" -eq 4 ] || fail 'CSV has another number of lines'

# Below the table is what the calls were like; parts of it.
run 0 profile plain.pcap
grep -q '^  think times us: p10 1000,.* 1 calls between two$' out || fail 'the profile has no think times'
grep -q '^  WRITEs  *4,096 bytes in 100.0 %, 100.0 % one after the other$' out || fail 'the profile has no WRITEs'
run 0 profile plain.pcap --summary
! grep -q 'think times' out || fail '--summary has more than the table'
run 0 profile plain.pcap --filter 'udp or less 200' --json result.json
holds '[.procedures[].procedure] == ["getattr", "lookup"]'
refused 2 "filter 'no port': .*pcap-filter" profile plain.pcap --filter 'no port'
refused 1 'no call of NFSv3 among its packets \(0\)' profile plain.pcap --filter 'port 1'

# Its workload is a mix, too.
echo 'getattr 1' >mix.workload
run 0 profile plain.pcap -o plain.workload
! grep -q 10.0.0 plain.workload || fail 'the workload has an address'
grep -q '^file: 11 40960 file-1$' plain.workload || fail 'the workload does not have the file that was written as the first'
run 0 profile plain.pcap --keep-names -o named.workload
grep -q '^    11 calls on name$' out || fail 'the profile has no names'
grep -q '^file: 11 40960 name$' named.workload || fail 'the workload has no names'
run 0 profile plain.pcap -o -
cmp -s out plain.workload || fail 'the workload on standard output is another one'
for line in 'getattr 100' 'write 10' 'size: write 4096 10' 'lookup-absent 5' 'latency: write 10 50.* 50' \
    'clients: 1' 'sequential: 0 1 ' 'client: 130 1 1 1 1000 ' 'after: getattr getattr 99 lookup-absent 1$'; do
    grep -q "^$line" plain.workload || fail "the workload has no '$line'"
done

# A run of it makes such calls: in a closed loop, or at a rate.
run measured self: mix:plain.workload 400 --launches 1 -q --json result.json
[ ! -s out ] || fail '--quiet prints a table'
holds '(.config | .read_size == 4096 and .files == 100 and .file_size == 40960 and (.pattern | startswith("zipf:0.3")))
    and ([.ops[] | select(.role == "op") | .op] | sort) == ["getattr", "lookup", "lookup-absent", "write"] and
    (.ops[] | select(.op == "getattr") | .calls >= 280 and .calls <= 320) and all(.ops[]; .errors == {})' 'a closed loop'
rm -f result.json
"$nfsbench" self: mix:plain.workload 400 --launches 1 --rate 1000 -q --json result.json 2>err || [ $? -eq 1 ] ||
    fail "an open loop: $(cat err)" # on a busy machine its verdict is invalid
holds '.config.load | .rate_per_s == 1000 and .arrival == "captured"' 'an open loop'
# Without COUNT it makes as many calls as were captured, but 1000 at least. What has no clients is a mix.
run measured self: mix:plain.workload --launches 1 -q --json result.json
holds '[.ops[] | select(.role == "mix") | .calls] == [1000]' 'the number of calls'
run 0 self: mix:mix.workload 20 --no-ledger --no-model --no-warmup --launches 1 --allow-suspect --json result.json
holds '[.ops[] | select(.role == "op") | .op] == ["getattr"] and .config.files == null' 'a mix'

# A capture that was cut is read to its last whole packet.
head -c 20000 plain.pcap >cut.pcap
run 0 profile cut.pcap --json result.json
holds '.procedures == [.procedures[0]] and .procedures[0].calls > 50 and (.capture.ended_by | test("truncated"))'

refused 1 'no call of NFSv3 among its packets \(2\), but nfs version 4 \(1 call, not decoded\)' profile version4.pcap
refused 1 'no call of NFSv3 among its packets \(1\), but no RPC' profile nothing.pcap
refused 2 'link layer of this capture is IEEE802_11' profile wireless.pcap
refused 2 "can't read the capture .*No such file" profile missing.pcap
refused 2 "can't read the capture" profile "$here/profile.sh"
refused 2 'expected one capture' profile
refused 2 'expected one capture' profile plain.pcap ng.pcap
refused 2 "can't be written with --hdr" profile plain.pcap --hdr x
finish
