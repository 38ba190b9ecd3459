#!/bin/sh
# The manual page: well formed, and every option that the program knows stands in it.
. "$(dirname "$0")/lib.sh"
need mandoc

for page in "$top"/doc/*.1; do
    mandoc -T lint -W warning "$page" || fail "mandoc finds fault with $page"
done
mandoc -T ascii "$top/doc/nfsbench.1" | sed 's/.\x08//g' >"$scratch/page"
for help in --help 'serve --help' 'clean --help' 'compare --help' 'plot --help' 'report --help' \
    'sweep --help' 'explain --help' 'ledger --help' 'watch --help'; do
    # shellcheck disable=SC2086
    run 0 $help
    for option in $(grep -o -e '^ *\(-., \)\?--[a-z-]*' "$scratch/out" | grep -o -e '--[a-z-]*'); do
        grep -q -e "$option" "$scratch/page" || fail "$option is not in the manual page"
    done
done
finish
