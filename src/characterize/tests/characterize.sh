#!/bin/sh
# Experiments on the embedded server, which is configured so that they find their different answers. If an answer can't
# be found, a reason is given. No objects remain.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/found.sh"
need jq nfs-ls

found attributes
known '(.answer | startswith("Yes")) and $of.lookup.figure.estimate == 100 and $of.write.figure.estimate == 100'
mv "$scratch/result.json" "$scratch/one.json"
found attributes --self-args '--habit no-attributes'
known '(.answer | startswith("No")) and $of.lookup.figure.estimate == 0 and $of.write.figure.estimate == 0'
mv "$scratch/result.json" "$scratch/other.json"
found attributes --self-args '--error symlink=NFS3ERR_NOTSUPP'
known '($of.symlink.text | test("NFS3ERR_NOTSUPP")) and $of.rmdir.figure.estimate == 100'

found times
known '(.answer | startswith("Yes")) and $of["ctime after WRITE"].figure.estimate == 100'
found times --self-args '--habit coarse-times'
known '(.answer | startswith("Yes") | not) and $of["ctime after WRITE"].figure.estimate < 90'

found duplicates
known '[$of["on the same connection", "from the same port", "over UDP"].text] | all(startswith("recognised: remove"))'
known '($of["from another port"].text | startswith("carried out again: remove"))'
known '$of["how many calls later"].figure.estimate == 512'
found duplicates --self-args '--habit no-cache'
known '[$of["on the same connection", "from the same port", "over UDP"].text] | all(startswith("carried out again: remove"))'
found duplicates --self-args '--habit small-cache'
known '($of["how many calls later"] | .figure.estimate >= 60 and .figure.estimate < 64)'

found duplicates --self-args '--delay remove=5ms'
known '$of["REMOVE above LOOKUP"].figure.estimate > 0'

# In memory a sync takes no time; on a disk it does.
found stability
known '$of["FILE_SYNC above UNSTABLE"].figure.ci95[0] < 1000 and $of["WRITE, UNSTABLE"].text == "committed as UNSTABLE"'
found stability --self-args '--habit slow-sync'
known '$of["WRITE, FILE_SYNC"].figure.estimate > 4900'
found stability --self-args '--habit new-verifier --habit always-sync'
known '(.answer | test("verifier changes")) and ($of["WRITE, UNSTABLE"].text == "committed as FILE_SYNC")'

# With delayed replies, a quick call overtakes a slow one. With a busy processor, one call is executed after the other.
found order --self-args '--delay read=40ms'
known '$of["answered out of order"].figure.estimate >= 50'
known '$of["wait on the same connection"].figure.estimate < $of["the slow call alone"].figure.estimate / 2'
found order --self-args '--cost read=10ms'
known '(.answer | startswith("In order")) and $of["answered out of order"].figure.estimate == 0'

found connections
known '($of["connections at once"] | .figure.estimate == 100 and .text == "more were not tried")'
found connections --self-args '--habit few-connections'
known '$of["connections at once"].figure.estimate < 32 and (.answer | test("and no more"))'

# Comparison of two characters.
if has compare; then
    run 0 compare "$scratch/one.json" "$scratch/other.json" -o "$scratch/both.html"
    grep -q '^    A: Yes' "$scratch/out" || fail "no answer of the first: $(cat "$scratch/out")"
    grep -q '^    B: No' "$scratch/out" || fail 'no answer of the second'
    grep -q '^    lookup  *A 100 %  B 0 %$' "$scratch/out" || fail 'no difference of figures'
    grep -q '<th>lookup <span' "$scratch/both.html" || fail 'the page shows no difference'
    run 0 compare "$scratch/one.json" "$scratch/one.json"
    grep -q '^    both: Yes' "$scratch/out" || fail 'not the same as itself'
    grep -q '^    0 of [0-9]* figures differ' "$scratch/out" || fail 'figures differ from themselves'
    jq '.answers[0].details[0].unit = null | .answers[0].details[0].figure = {"estimate": 1, "ci95": null}' \
        "$scratch/one.json" >"$scratch/bad.json"
    refused 2 'unit' compare "$scratch/bad.json" "$scratch/one.json"
    refused 2 'two at a time' compare "$scratch/one.json" "$scratch/one.json" --threshold 5%
fi
! has report || refused 2 'is the character' report "$scratch/one.json" -o "$scratch/report.html"

# Answers that can't be found, because of an error, a reply that never comes, or a directory that can't be made.
found stability --self-args '--error commit=NFS3ERR_NOTSUPP'
holds '.answers[0] | (.known | not) and (.answer | test("^Not known: COMMIT was answered by NFS3ERR_NOTSUPP"))'
found stability --self-args '--delay commit=1min' -t 200ms
holds '.answers[0] | (.known | not) and (.answer | test("^Not known: .*no reply"))'
result 0 characterize self: --quick --self-args '--error mkdir=NFS3ERR_ROFS'
holds '.no_scratch | test("read-only")'
holds '.answers | length == 10 and all(.[]; .known == (.name == "connections"))'
grep -q 'Not known: the experiment needs a scratch directory' "$scratch/out" || fail 'no reason is printed'

# No objects remain, even after Ctrl-C.
start "$nfsbench" serve
interrupted 0.1 1 characterize "nfs://127.0.0.1:$port/export?mountport=$port" -o "$scratch/page.html"
cat "$scratch/out" "$scratch/err" | grep -q interrupted || fail 'it does not say that it was interrupted'
grep -q '</html>' "$scratch/page.html" || fail 'there is no page'
clean_now 'an interrupted run'
stop

refused 2 'must end in .html' characterize self: -o page.txt
refused 3 'is a server there' characterize "nfs://127.0.0.1:$port/export?mountport=$port" --timeout 1s
refused 2 'leave out --xprtsec' characterize nfs://127.0.0.1:1/x --xprtsec tls
refused 2 'leave out --sec' characterize nfs://127.0.0.1:1/x --sec krb5
apart='prlimit --nofile=12:12'
refused 2 '12 \(RLIMIT_NOFILE\).*ulimit -n' characterize self: --quick --only order
apart=

# Existing files are replaced only on request.
cd "$scratch"
run 0 characterize self: --quick --only order -q -j what.json -o what.html
run 0 characterize self: --quick --only order -q -j what.json -o what.html --force
fits_schema what.json
refused 2 'what.html: it exists; give another name' characterize self: --quick --only order -q -o what.html
refused 2 'what.json: it holds a result of another target .self:.; give another name' \
    characterize nfs://127.0.0.1:1/export -q -j what.json
refused 2 '--json same.html: --output goes there already' characterize nfs://127.0.0.1:1/export -o same.html -j same.html
jq -e --arg name "$(uname -n)" '.command == ["nfsbench", "characterize", "--allow-suspect", "self:", "--quick", "--only", "order", "-q",
    "-j", "what.json", "-o", "what.html", "--force"] and .host.name == $name' what.json >jq.out ||
    fail 'a character without its command'

# If time is short, the last experiments have fewer calls or are left out, and say so. A time that is too short for any
# experiment is refused with the shortest possible one. Each call takes 10 ms here.
far=
for op in null getattr setattr lookup access readlink read write create mkdir symlink remove rmdir rename link readdir readdirplus fsinfo commit; do
    far="$far --delay $op=10ms"
done
result measured characterize self: --max-time 7s --self-args "$far"
holds '.answers[0] | .name == "order" and (.known) and any(.details[]; .name == "short of time")'
holds '[.answers[] | select(.answer | test("--max-time 7 s leaves no time for this experiment; use --max-time [0-9]+s"))] | length >= 2'
holds '.answers[-1] | .calls == 0 and (.known | not)'
refused 2 '1 s are too short for an experiment, since a call takes .* ms; for order use --max-time [0-9]+s' \
    characterize self: -q --max-time 1s --self-args "$far"

finish
