#!/bin/sh
# The manual page: well formed; its synopsis equals that of the commands' help, and it describes each command's options,
# with their letters, and no others.
. "$(dirname "$0")/lib.sh"
need mandoc
page=$top/doc/nfsbench.1
commands='run sweep sec-ladder explain characterize outage profile compare history plot report clean doctor serve agent'

for file in "$top"/doc/*.1; do
    mandoc -T lint -W warning "$file" || fail "mandoc reports errors in $file"
done

# Synopsis: the usage lines one after the other, in small letters and without spaces.
for command in $commands; do
    run 0 "$command" --help
    sed -n 's/^usage: //p' "$scratch/out"
done | tr -d ' \n' | tr '[:upper:]' '[:lower:]' >"$scratch/usage"
mandoc -T ascii "$page" | sed 's/.\x08//g' | sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' |
    grep -v '^[A-Z]' | tr -d ' \n' | tr '[:upper:]' '[:lower:]' >"$scratch/synopsis"
cmp -s "$scratch/usage" "$scratch/synopsis" ||
    fail "the synopsis is not what the help says: $(cat "$scratch/usage") and $(cat "$scratch/synopsis")"

# section COMMAND: its lines of OPTIONS; for run, all lines before the first other command
section() {
    awk -v command="$1" '
        /^\.Sh / { inside = 0 }
        /^\.Sh OPTIONS/ { inside = command == "run" }
        /^\.Ss nfsbench / { inside = $3 == command }
        inside' "$page"
}

# described COMMAND: the options that its section describes, and those from above that it names
described() {
    section "$1" | grep '^\.It Fl' | grep -oE 'Fl (-[a-z-]+|[A-Za-z])( |$)' || true
    section "$1" | sed -n '/^Of the options above, /,/ \.$/p' | grep -oE '^\.Fl -[a-z-]+'
}

for command in $commands; do
    described "$command" | sed -E 's/^\.?Fl //; s/ $//; s/^/-/' >"$scratch/described"
    [ "$command" = run ] || echo --help >>"$scratch/described"
    run 0 "$command" --help
    grep -oE '^  (-., |    )--[a-z-]+' "$scratch/out" >"$scratch/helped"
    grep -oE -e '--[a-z-]+' "$scratch/helped" | sort >"$scratch/expected"
    grep -e '^--' "$scratch/described" | sort >"$scratch/found"
    difference=$(diff "$scratch/expected" "$scratch/found") ||
        fail "$command: the help (<) and the manual page (>) have other options: $difference"
    # The letters of those that its section describes.
    for letter in $(grep -oE -e '-[A-Za-z], ' "$scratch/helped" | tr -d ', '); do
        [ "$letter" = -h ] || grep -qxe "$letter" "$scratch/described" ||
            described run | grep -q "Fl ${letter#-}" || fail "$command: $letter is not in the manual page"
    done
    for letter in $(grep -xE -e '-[A-Za-z]' "$scratch/described"); do
        grep -qe "^  $letter, " "$scratch/helped" || fail "$command has no $letter, and the manual page has"
    done
done
finish
