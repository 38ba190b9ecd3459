#!/bin/sh
# The manual pages are well formed. The page whose options come from the table has every option of every command.
. "$(dirname "$0")/lib.sh"
need mandoc
page=$(dirname "$nfsbench")/../nfsbench.1

for file in "$page" "$top"/src/*/*.1; do
    # Long lines of the source and missing manuals of other programs are allowed. Standard error is dropped: it would split lines.
    ! mandoc -T lint -W style "$file" 2>"$scratch/err" |
        grep -vE 'input text line longer than 80|referenced manual not found' ||
        fail "mandoc reports faults in $file"
done
mandoc -T ascii "$page" | sed 's/.\x08//g' >"$scratch/page"
for command in $({ commands && sed -n 's/^\.Ss nfsbench //p' "$page"; } | sort -u); do
    run 0 "$command" --help
    sed -n 's/^usage: //p' "$scratch/out" | grep -qFf - "$scratch/page" || fail "$command: its usage is not in the synopsis"
    for option in $(grep -oE '^  (-., |    )--[a-z-]+' "$scratch/out" | grep -oE -e '--[a-z-]+'); do
        awk -v from="   nfsbench $command" '
            /^[A-Z]/ { inside = from == "   nfsbench run" && /^OPTIONS/ }
            /^   nfsbench / { inside = $0 == from }
            inside' "$scratch/page" | grep -qE -e "(^| )$option([ ,.]|\$)" || [ "$option" = --help ] ||
            fail "$command: $option is not in its section"
    done
done

# A note on an option that does not exist is refused when the page is made.
printf '.\\" options run\n.\\" --nothing\nText.\n.\\" end\n' >"$scratch/template"
! "$(dirname "$nfsbench")/nfsbench-documents" manual "$scratch/out" "$scratch/template" 2>"$scratch/err" ||
    fail 'a note without an option is accepted'
grep -q 'no such option' "$scratch/err" || fail 'it does not say which note has no option'
# A command without a place for its options is refused.
echo Text. >"$scratch/template"
! "$(dirname "$nfsbench")/nfsbench-documents" manual "$scratch/out" "$scratch/template" 2>"$scratch/err" ||
    fail 'a command without its options is accepted'
grep -qF "'.\\\" options run'" "$scratch/err" || fail 'it does not say which line is missing'
finish
