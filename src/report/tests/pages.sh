#!/bin/sh
# Pages of nfsbench report in a browser: of each recorded result, and of results of all kinds together, nothing reaches beyond
# its place, at the width of a telephone and of a desk, light, dark and on paper; nothing is loaded.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need gnuplot python3 chromium
has explain || skip "some recorded results are explanations"
cd "$scratch"

results=$top/tests/golden/results
for result in "$results"/*.json; do
    run 0 report "$result" -o "$(basename "$result" .json).html"
done
run 0 report "$results"/*.json -o all.html
run 0 report "$results/measurement.json" "$results/again.json" -o two.html
python3 "$here/browser.py" ./*.html >faults || fail_showing 'a browser finds faults' faults

# What must be found: a box that is too wide, a message, a request.
cat >bad.html <<'P'
<!doctype html><title>bad</title><p style='width:5000px'>wide</p><img src=none.png><script>console.log('said')</script>
P
! python3 "$here/browser.py" bad.html >faults || fail 'no fault is found where there are some'
for fault in "p 'wide' is from 8" 'console: .*said' 'request: .*none.png'; do
    grep -q "360 pixels.*$fault" faults || fail_showing "'$fault' is not found" faults
done
finish
