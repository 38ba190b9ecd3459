#!/bin/sh
# doc/METHOD.md's table of reasons agrees with src/measure/reasons.h.
. "$(dirname "$0")/lib.sh"
documents=$(dirname "$nfsbench")/nfsbench-documents
method=$top/doc/METHOD.md

"$documents" method "$method" "$scratch/method"
diff "$method" "$scratch/method" >&2 ||
    fail "the table of reasons is not up to date: build, and run '$documents method $method $method'"

# Each reason is used in the code.
for id in $(sed -n '/define REASON_LIST/,/define REASON_ID/p' "$top/src/measure/reasons.h" | tr -d ' \\\n' |
    grep -oE 'REASON\([A-Z_]+,"' | sed 's/REASON(//; s/,"//'); do
    grep -rqw "REASON_$id" "$top/src" --include='*.c' ||
        fail "no code gives the reason $id: write its condition in src/measure/validity.c or src/run/outcome/judge.c"
done

# Only the text between the two marked lines is replaced.
printf '<!-- reasons: from the table -->\n| of an earlier version |\n<!-- end of reasons -->\nText.\n' >"$scratch/document"
"$documents" method "$scratch/document" "$scratch/out"
[ "$(sed -n '1p;$p' "$scratch/out")" = "$(sed -n '1p;$p' "$scratch/document")" ] || fail 'it changes what is not its own'
[ "$(grep -c '^| ' "$scratch/out")" -gt 20 ] || fail 'it writes no table'
! grep -q 'earlier version' "$scratch/out" || fail 'it keeps a row of an earlier version'

echo Text. >"$scratch/document"
! "$documents" method "$scratch/document" "$scratch/document" 2>"$scratch/err" || fail 'a document without a place is accepted'
grep -q 'it has no line' "$scratch/err" || fail 'it does not say what is missing'
[ "$(cat "$scratch/document")" = Text. ] || fail 'it changes a document that it refuses'
finish
