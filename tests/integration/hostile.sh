#!/bin/sh
# Names in files, on servers and from the user can contain anything: escape sequences, characters that reverse text, forged
# lines, markup, formulas. Every command's output is safe for a terminal, and each form stays valid. harmless.py searches
# for harmful characters.
. "$(dirname "$0")/lib.sh"
need jq python3
cd "$scratch"

number=0
name() {
    number=$((number + 1))
    # shellcheck disable=SC2059
    printf "$1" >"name$number"
}
name '\033]0;title\007\033[31mred\033[2J'
name 'innocent\nnfsbench: forged\r\tline'
name 'c1 \302\2330m and \302\205 and raw \233\060m \377\177'
name 'turned \342\200\256txet\342\200\254 \342\201\246isolated\342\201\251 \330\234\342\200\217\342\200\216'
name 'hidden \342\200\213\342\201\240\357\273\277 \342\200\250line'
name '<b onclick=x>&quot;"'"'"'</b><script>'
name '=cmd|'"'"' /C calc'"'"'!A0'
name '+1,"2'
name '`code`|cell|**bold** @user ]()'
name "x'; system('touch pwned'); \"\\\\\`touch pwned\`"

# harmless WHAT FILE...: nothing in FILE can affect a terminal. Copies are kept, and all are checked at the end.
mkdir printed by
checked=0
harmless() {
    checked=$((checked + 1))
    printf '%s\n' "$1" >"by/$checked"
    shift
    for printed; do
        cp "$printed" "printed/$checked.$printed"
    done
}

check_harmless() {
    python3 "$here/harmless.py" printed/* 2>harms && return
    while read -r line; do
        check=${line#printed/}
        fail "$line: $(cat "by/${check%%.*}")"
    done <harms
}

# shows ARGUMENT...: run nfsbench as run does, and check that its output is harmless
shows() {
    run "$@"
    harmless "nfsbench $*" out err
}

# Commands on files. Each name replaces nearly all strings of a result, an op's name, a key, and the file's own name. If the
# name is not printable ASCII, nfsbench's own names can't have it: such a file is refused, and the test continues with the
# original words.
with_words() { # with_words FILE: print evil.json with the words of FILE
    jq --slurpfile words "$1" '$words[0] as $words
        | .tool = $words.tool | .start = $words.start | .clock.name = $words.clock.name
        | .target += ($words.target | {address, proto, auth, auth_offered})
        | .config += ($words.config | {engine, wait, client_cpus, pattern}) | .config.load.arrival = "constant"
        | .validity.verdict = "ok" | .validity.reasons[0].name = "steal" | .validity.reasons[0].verdict = "ok"
        | .intervals_speak_of = $words.intervals_speak_of | .launches = $words.launches
        | .skipped[0].op = "link" | .ops |= [range(length) as $i | .[$i] | .op = $words.ops[$i].op
            | .role = $words.ops[$i].role
            | if .above_null_ns then .above_null_ns.baseline = "null" else . end]
        | if .model.points then .model.points |= map(.op = "read") else . end' evil.json
}
run 0 self: getattr,read 200 --seed 7 -q -j plain.json
for i in $(seq $number); do
    jq --rawfile evil "name$i" --arg i "$i" \
        'walk(if type == "string" and . != "nfsbench-result/2" and . != "measurement" and . != "op" and . != "null" and . != "null_control"
                 and . != "getattr" and . != "read" then $evil else . end)
         | (.ops[] | select(.op == "read") | .op) = $evil | .ops[2].errors = {($evil): 1}
         | .ops[2].ledger.client.interfaces = {($evil): {rx_packets: 1, tx_packets: 1}}
         | .validity.reasons = [{name: $evil, verdict: $evil, text: $evil}]
         | .skipped = [{op: $evil, reason: $evil}] | .cut_short = true | .cut_short_by = $evil
         | .config.load = {connections: 1, depth: 1, rate_per_s: 5, arrival: $evil}' plain.json >evil.json
    file=$(tr '/' '_' <"name$i").json
    if LC_ALL=C grep -q '[^ -~]' "name$i" || [ "$(wc -l <"name$i")" -gt 0 ]; then
        cp evil.json "$file"
        shows 2 compare "$file" plain.json
        grep -q 'is not printable ASCII$' err || fail "another reason, name $i"
        with_words plain.json >words.json
        mv words.json evil.json
    fi
    cp evil.json "$file"
    # Compare with the original, in which an op has another name, and with a result of other conditions.
    jq '.config.wait = "another" | .target.proto = "another"' evil.json >other.json
    for other in plain.json other.json; do
        shows 0 compare "$file" "$other"
        shows 0 compare "$file" "$other" --hist
        shows 0 compare "$file" "$other" --markdown -
        ! sed 's/\\[|`]//g' out | grep -Eqv '^\|([^|`]*\|){2,11}$|^$|^- [^|`]*$' ||
            fail "Markdown: a row of another form, name $i"
        shows 0 compare "$file" "$other" --csv -
        python3 -c '
import csv, sys
for row in csv.reader(open("out", newline="", encoding="utf-8"), strict=True):
    assert len(row) == 17, row
    assert not any(field[:1] in ("=", "@", "\t", "\r") for field in row), row
    assert not any(field[:1] in ("+", "-") for field in row[:13]), row' || fail "CSV, name $i"
        shows 0 compare "$file" "$other" --json -
        jq -e '.pairs[0].ops | length > 0' out >/dev/null || fail "JSON, name $i"
    done
    shows 0 report "$file" evil.json -k all
    shows 0 report "$file" -k all -o evil.svg --force
    tr -d '\t' <evil.svg >words # gnuplot indents with tabs
    harmless "the picture, name $i" words
    python3 -c 'import xml.etree.ElementTree as t; t.parse("evil.svg")' || fail "no SVG, name $i"
    shows 0 report "$file" evil.json -o evil.html --force
    tr -d '\t' <evil.html >words
    harmless "the page, name $i" words
    ! grep -qi '<script\|<b onclick' evil.html || fail 'a name became markup'
    # Errors contain names of files, too.
    for command in compare report; do
        rm "$file"
        shows 2 $command "$file" plain.json -o evil.html --force --op read 2>/dev/null
        [ "$(wc -l <err)" -eq 1 ] || fail "not one line: $command of a missing file, name $i"
        cp "name$i" "$file"
        shows 2 $command "$file" plain.json
        [ "$(wc -l <err)" -eq 1 ] || fail "not one line: $command of a bad file, name $i"
    done
    rm "$file"
done
[ ! -e pwned ] || fail 'a name was executed'

# Words of the command line are printed harmlessly, because a script may have them from an untrusted source.
start "$nfsbench" serve
target=nfs://127.0.0.1:$port/export
printf 'evil\033[31m\342\200\256 1\n' >mix
for i in $(seq $number); do
    evil=$(cat "name$i")
    shows 2 "$target" "$evil" 10
    shows 2 "$target" getattr "$evil"
    shows 2 "$target" getattr "--$evil"
    shows 2 "$target" getattr 10 -j "none/$evil"
    shows 2 "$target" getattr 10 --engine "$evil"
    shows 2 "$target" "mix:$evil" 10
    shows 2 "nfs://127.0.0.1:99999/$evil" getattr 10
    shows 3 "nfs://127.0.0.1:$port/$(printf %s "$evil" | od -An -v -tx1 | tr -d '\n' | tr ' ' %)" getattr 10
    shows 2 "$target" getattr 10 --file "$evil"
    shows 2 report plain.json -k "$evil"
    shows 2 report plain.json --op "$evil"
    shows 2 serve --bind "$evil"
    # The ledger's command can print anything.
    cp "name$i" said
    shows 0 "$target" getattr 100 --no-model --no-warmup --server-cmd "cat $scratch/said; :"
done
shows 2 "$target" mix:mix 10

# A server's directories can have any name. The output of a run below one is safe in all forms, and JSON and OpenMetrics
# stay valid.
printf '.nfsbench-\033[31mred\nforged-1-0000aaaa' >left
make_directory left || fail 'a directory as of another run was not made'
shows 0 "$target" create 20 --no-ledger --no-warmup --no-model
for i in $(seq $number); do
    make_directory "name$i" || fail "the directory was not made, name $i"
    url=$target/$(tr / _ <"name$i" | od -An -v -tx1 | tr -d '\n' | tr ' ' %)
    raw=$target/$(tr / _ <"name$i")
    shows 0 "$url" getattr 100 -v --no-ledger --no-warmup --no-model --hist
    case $i in [1245]) shows 0 "$raw" getattr 100 -v --no-ledger --no-warmup --no-model ;; esac
    shows 0 "$url" getattr 100 --no-ledger --no-warmup --no-model -q -j result.json --csv result.csv \
        --openmetrics result.prom --force
    harmless "the forms, name $i" result.json result.csv result.prom
    holds '.ops | length == 3' "name $i"
    ! grep -Ev '^(nfsbench_[a-z_]+\{[a-z]+="([^"\\]|\\\\|\\")*"(,[a-z]+="[^"]*")*\} [-0-9.e+]+|# .*)$' \
        result.prom || fail "OpenMetrics, name $i"
    [ "$i" -le 5 ] || continue
    shows 0 sweep "$url" getattr 100 --depth 1,2 -j sweep.json --force --allow-suspect
    jq -e '.cells | length == 2' sweep.json >/dev/null || fail "the sweep's JSON, name $i"
done
stop
check_harmless
finish
