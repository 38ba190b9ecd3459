#!/bin/sh
# src/history/nightly keeps each night's result in a directory or a branch, and its exit status says whether
# something changed.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq git
nightly=$top/src/history/nightly
cd "$scratch"
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t \
    GIT_COMMITTER_EMAIL=t@example.org GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

night() { # night STATUS ARGUMENT...: run src/history/nightly, which must end with STATUS
    expected=$1
    shift
    ends "$expected" "$nightly" -n "$program" "$@"
}

# Results in a directory, from the first night on.
program=$nfsbench
night 0 plain self: getattr 300 --no-ledger
[ "$(find plain -name '*.json' | wc -l)" -eq 1 ] || fail 'no result is kept'
grep -q 'too few results' "$scratch/out" || fail 'a first night that says nothing'
mv plain/*.json base.json

# From here on the values are made up: GETATTR costs 1000 ns at first, 1300 from day 15 on. 'tonight' measures nothing.
made() { # made DAY FILE: write the result of DAY to FILE
    jq --argjson day "$1" '.start = (1767225600 + $day * 86400 | todate | sub("Z"; "+00:00")) |
        .seed = $day | .validity = {verdict: "ok", reasons: []} |
        (.ops[] | select(.op == "getattr").above_null_ns) |= (
            .estimate = 1000 + $day * 37 % 11 + (if $day > 14 then 300 else 0 end) |
            .ci95 = [.estimate - 9, .estimate + 9])' "$scratch/base.json" >"$2"
}
for day in $(seq 20); do made "$day" "plain/day$day.json"; done
made 21 tonight.json
cat >tonight <<P
#!/bin/sh
[ "\$1" != history ] || exec "$nfsbench" "\$@"
for file; do :; done
cp "$scratch/tonight.json" "\$file"
P
chmod +x tonight
program=$scratch/tonight
GITHUB_STEP_SUMMARY=$PWD/summary night 1 plain self: getattr
grep -q 'among the last 7 results: changed' "$scratch/out" || fail 'the change is not reported'
grep -q '\*\*changed\*\*' summary || fail 'no summary'
night 0 -l 6 plain self: getattr

# Results in a branch: it is created, then extended after somebody else has pushed.
git init -q --bare origin.git
git init -q -b main work
cd work
git remote add origin "$scratch/origin.git"
git commit -q --allow-empty -m start
git push -q origin main
night 0 -b results "$scratch/one" self: getattr
git fetch -q origin results
[ "$(git ls-tree --name-only FETCH_HEAD | wc -l)" -eq 1 ] || fail 'the branch has not one result'
cp "$scratch"/plain/day*.json "$scratch/one"
git -C "$scratch/one" add .
git -C "$scratch/one" commit -q -m days
git -C "$scratch/one" push -q origin HEAD:refs/heads/results
made 22 "$scratch/tonight.json"
night 1 -b results -l 8 "$scratch/two" self: getattr
git fetch -q origin results
[ "$(git ls-tree --name-only FETCH_HEAD | wc -l)" -eq 22 ] || fail 'the branch has not all results'
git ls-tree --name-only FETCH_HEAD | grep -qv '\.json$' && fail 'the branch has other files'

# A failed run does not count as a change.
night 2 -b results "$scratch/two" self: getattr
program=$nfsbench
night 2 "$scratch/none" 127.0.0.1:/export getattr 10 --port 1 --mount-port 1
night 2 "$scratch/none"
finish
