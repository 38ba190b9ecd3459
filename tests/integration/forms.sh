#!/bin/sh
# Where the forms of a result are written, and that they are written completely or not at all. tests/golden/expected tests their
# contents.
. "$(dirname "$0")/lib.sh"
need jq
cd "$scratch"

run 0 self: getattr,read 500 -j result.json --csv result.csv --openmetrics result.prom --hist
grep -q 'cost above null' out || fail 'no table in addition to the files'
grep -Eq '^  calls of +null +getattr +read$' out || fail 'no histograms beside each other'
[ "$(sed -n '/^  calls of /,$ s/#//gp' out | awk '/ us / { null += $5; getattr += $6; read += $7 }
    END { print null, getattr, read }')" = '500 500 500' ] || fail 'the histograms do not hold every call'
[ "$(ls)" = "$(printf 'err\nout\nresult.csv\nresult.json\nresult.prom')" ] || fail 'other files are left'

# One form on standard output replaces the table; two are refused.
run 0 self: getattr 100 --csv -
[ "$(head -c 18 out)" = start,host,target, ] && [ "$(grep -o ',ops,"[a-z_]*",' out | sort -u | grep -c .)" -eq 3 ] || fail 'CSV on standard output'
refused 2 'standard output' self: getattr 100 --csv - -j -

# A file that can't be written is reported before the run.
refused 2 'csv.*No such file' self: getattr 100 --csv nowhere/result.csv
refused 2 'openmetrics.*directory' self: getattr 100 --openmetrics .
# A run that fails changes neither the file nor others next to it. A later run follows a link, and keeps link and mode.
echo old >kept.json
chmod 640 kept.json
echo precious >victim
ln -s victim kept.json.partial
ln -s kept.json link.json
for name in kept.json link.json; do
    run 3 nfs://127.0.0.1:1/export getattr 10 -j $name --force
    [ "$(cat kept.json victim)" = "$(printf 'old\nprecious')" ] || fail "a failed run changed something: -j $name"
    run 0 self: getattr 100 --no-ledger -q -j $name --force
    jq -e '.schema == "nfsbench-result/2"' kept.json >/dev/null || fail "-j $name was not written"
    [ "$(cat victim)" = precious ] && [ -L kept.json.partial ] || fail 'another file was changed'
    [ -L link.json ] && [ "$(stat -c %a kept.json)" = 640 ] || fail 'the link is gone, or the mode has changed'
    echo old >kept.json
done
# Two outputs with the same name are refused before anything is sent (no server runs).
none=nfs://127.0.0.1:1/export
mkdir -p elsewhere
ln -s ../here elsewhere/link
for pair in '-j same --csv same' '-j same --csv ./same' "--markdown same --openmetrics $scratch/same" \
    '--csv here --markdown elsewhere/link' '--interval 1s --interval-log run1.hlog --hdr run1' \
    '--interval 1s --interval-log same.csv --csv same.csv' '--hdr run1 -j run1.hlog' \
    '--hdr run1 --csv ./run1-getattr.hgrm' '--csv run1-null.hgrm --hdr run1' \
    '--interval 1s --interval-log run1-mix.hgrm --hdr elsewhere/../run1'; do
    # shellcheck disable=SC2086
    refused 2 'give another name' $none getattr 100 $pair
done
ls >names
! grep -E '^(run1|same|here)' names || fail 'a refused run left a file'
"$nfsbench" self: getattr 100 --no-ledger -q --allow-suspect -j /dev/stderr 2>err >/dev/null || fail '/dev/stderr'
jq -e .schema err >/dev/null || fail 'no result on /dev/stderr'
for form in json csv openmetrics; do
    run 1 self: getattr 100 --$form /dev/full
    grep -q "writing --$form to /dev/full: No space" err || fail "$form: a full device is not reported"
done

run 0 self: getattr 100 --markdown -
grep -q '^| null |' out || fail 'Markdown on standard output'

run 0 self: getattr 100 --launches 1 --no-ledger -q -j unnamed.json --no-hostname
jq -e '.host | has("name") | not' unnamed.json >jq.out || fail 'the host name with --no-hostname'
finish
