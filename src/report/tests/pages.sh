#!/bin/sh
# Pages of nfsbench report in a browser, for each recorded result and for all kinds of results on one page: no element is wider
# than its container, at the widths of a phone and a desktop, light, dark and printed; and nothing is loaded.
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

# A bad page: a box that is too wide, a message, a request.
cat >bad.html <<'P'
<!doctype html><title>bad</title><p style='width:5000px'>wide</p><img src=none.png><script>console.log('said')</script>
P
! python3 "$here/browser.py" bad.html >faults || fail 'no fault is found where there are some'
for fault in "p 'wide' is from 8" 'console: .*said' 'request: .*none.png'; do
    grep -q "360 pixels.*$fault" faults || fail_showing "'$fault' is not found" faults
done
finish
