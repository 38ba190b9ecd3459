#!/bin/sh
# Surveys of healthy servers: their findings, text and file, the results after Ctrl-C, UDP, IPv6, and read-only and empty
# exports.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq nfs-ls
cd "$scratch"
export COLUMNS=80

# The findings that depend neither on times nor on loads. Other tests run at the same time and may cause any other finding;
# survey_limits.sh, which runs alone, allows two.
facts='[.findings[].name | select(IN("errors", "refused", "small-transfers", "small-listings", "no-readdirplus"))]'

result 0 survey self: --max-time 20s
holds "$facts == []"
holds '.duration_s < 25 and (has("cut_short_by") | not)'
holds '.parts | keys == ["alone", "calls", "knee", "large_reads", "load", "stream"]'
holds '[.parts[].kind] == ["measurement", "measurement", "experiment", "experiment", "explanation", "explanation"]'
holds '[.parts[].ops? | arrays | .[] | select(.role == "op").op] - ["getattr", "lookup", "access", "read", "readdirplus"] == []'
holds '.parts.load.ops == "getattr" and .parts.stream.ops == "read"'
holds '.parts.alone.load == null and .parts.knee.load.depth >= 2'
holds '.parts.calls.target.limits | .rtmax > 65536 and .dtpref > 0 and .bytes > 0 and .name_max > 0'
# Each value that is not known, and the words on a busy machine, take up to two more lines.
[ "$(wc -l <out)" -le $((24 + 2 * $(grep -cE '^  (not known|busy machine): ' out))) ] || fail_showing 'more than a screen' out
[ "$(wc -L <out)" -le 80 ] || fail_showing 'wider than the screen' out
grep -q '^  getattr  ' out || fail_showing 'no costs' out
grep -q '^  read 1048576  ' out || fail_showing 'no costs of large READs' out
grep -q '^  read 65536 .*(' out || fail_showing 'nothing limits READs under load' out
grep -q '^  steady: ' out || fail_showing 'nothing on steadiness' out
fits_schema result.json
cp result.json before.json

# If the parts of a survey are stored in separate files, other commands read them. Two surveys can be compared.
jq .parts.calls before.json >calls.json
jq .parts.load before.json >load.json
if has compare; then
    run 0 compare calls.json calls.json
    run 0 compare load.json load.json
    run 0 compare before.json before.json
    [ "$(grep -c '^A  before.json, ' out)" -eq 6 ] || fail_showing 'not all parts are compared' out
    refused 2 'expected results of one kind' compare before.json calls.json
fi
jq '.findings = [{name: "standstill", text: "it stood still", next: "nfsbench outage self:"}] |
    .looked_for += ", standstill"' before.json >after.json
jq '.looked_for += ", standstill"' before.json >same.json
if has compare; then
    run 0 compare same.json after.json
    grep -q '^  new: it stood still' out || fail_showing 'no new finding' out
    run 0 compare after.json same.json
    grep -q '^  gone: it stood still' out || fail_showing 'no finding that is gone' out
    run 0 compare after.json before.json
    ! grep -q 'it stood still' out || fail_showing 'a finding is gone that was not looked for' out
fi
jq '.parts.calls.ops[0].calls = -1' before.json >bad.json
! has compare || refused 2 'bad.json, calls.*calls' compare bad.json before.json

# --writes measures calls that change files, in a directory that is removed.
result 0 survey self: --max-time 20s --writes
holds '[.parts.writes.ops[].op] - ["null", "null_control"] == ["create", "write", "write-file-sync", "commit", "remove"]'

# A survey works over UDP, over IPv6, and on a read-only export.
start "$nfsbench" serve --read-only
result 0 survey "nfs://127.0.0.1:$port/export?mountport=$port&proto=udp" --max-time 15s --writes
holds '.proto == "udp" and (.parts | has("calls"))'
holds "$facts == [] or $facts == [\"refused\"]"
holds '.parts.calls.target.proto == "udp" and .parts.services.nfs_over == "TCP and UDP"'
if have IPv6; then
    result 0 survey "nfs://[::1]:$port/export?mountport=$port" --max-time 15s
    holds '.parts.calls.target.address == "::1" and (.parts | has("services"))'
fi

# Ctrl-C prints the results so far, and leaves no process.
in_sweep() {
    child=$(pgrep -P "$client") && tr '\0' ' ' <"/proc/$child/cmdline" | grep -q ' sweep '
}
begin survey "nfs://127.0.0.1:$port/export?mountport=$port" --max-time 15s
within 60 in_sweep || fail 'the survey does not reach its sweep'
kill -INT "$client"
ended_with 1 'Ctrl-C during a survey'
! kill -0 "$child" 2>/dev/null || fail 'the sweep still runs'
grep -q 'CUT SHORT: interrupted' out || fail_showing 'it does not say that it was cut short' out
grep -q '^  getattr  ' out || fail_showing 'the results so far are missing' out
stop

start "$nfsbench" serve
printf empty >name
make_directory name
result 0 survey "nfs://127.0.0.1:$port/export/empty?mountport=$port" --max-time 15s
holds '[.parts.calls.skipped[].op] | index("read")'
holds '.parts.calls.ops | any(.op == "getattr")'
holds "$facts == []"
stop

refused 3 'is a server there' survey "nfs://127.0.0.1:$port/export?mountport=$port" --max-time 10s
refused 2 'host:/export' survey "$scratch" --max-time 10s
refused 2 'max-time' survey self: --max-time 1s
finish
