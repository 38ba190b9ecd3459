#!/bin/sh
# System calls on a mount of the kernel's NFS client. What is refused without one is tested everywhere; the
# calls in a virtual machine (scripts/linux-vm), emulated, which takes minutes: so only where
# NFSBENCH_TEST_VM is set. mounted_guest.sh is what runs there; its results are judged here. Times mean
# nothing there, so what is held are counts, refusals, and a delay that is longer than all else.
. "$(dirname "$0")/lib.sh"
need jq

refused 2 'is on .*, not on NFSv3' "$scratch" getattr 10
refused 1 'No such file or directory' "$scratch/absent" getattr 10
refused 2 'needs a directory on an NFS mount' self: getattr 10 --engine mounted
refused 2 'is for --engine mounted' "$scratch" getattr 10 --engine tirpc
refused 2 'leave out load' "$scratch" getattr 10 --verify
[ -n "${NFSBENCH_TEST_VM-}" ] || {
    finish
    exit
}

timeout 850 "$top/scripts/linux-vm" --lifetime 800 --inside "$nfsbench" "$here/mounted_guest.sh" -- \
    sh mounted_guest.sh >"$scratch/guest" || fail "the machine's status is $?"

# part NAME: what the guest printed of it
part() {
    sed -n "/^== $1\$/,/^== end\$/p" "$scratch/guest" | sed '1d;$d' | tr -d '\r'
}

part all >"$scratch/result.json"
for op in getattr setattr lookup access read write create mkdir symlink mknod remove rmdir rename \
    link fsstat commit; do
    holds ".ops[] | select(.op == \"$op\") | .mounted.rpcs == 1 and .errors == {}" "$op: RPCs a call"
done
holds '[.ops[] | select(.role != "op" or .op == "read-cached") | .mounted.rpcs] == [0, 0, 0]' 'baselines'
holds '[.ops[] | select(.op == "read") | .above_null_ns.baseline] == ["read-cached"]' 'baseline of READ'
holds '.target.mount_point == "/mnt" and (.target.mount_options | contains("write=eager"))' mount

# The server's delay is time between call and reply, and neither in the queue before nor after.
part delay >"$scratch/result.json"
holds '.ops[] | select(.op == "getattr") | .mounted | .rtt_ns >= 1e9 and .queue_ns < 5e8 and
    .execute_ns - .rtt_ns < 5e8' 'delay'

part versus >"$scratch/result.json"
holds '[.differences[].op] == ["getattr", "read"]' 'differences'
holds '.second.config.engine == "wire" and .second.target.nfs_port == 4000' 'the wire side'

for told in 'these were sent: .*READ.*is the mount in use' 'getattr: .* sent again 0' \
    'has not returned for 2 s' 'status 3' 'nothing left: 0' 'copied: the same' 'tree: 0 left'; do
    part told | grep -q "$told" || fail "the guest did not say: $told"
done
[ "$failures" -eq 0 ] || cat "$scratch/guest"
finish
