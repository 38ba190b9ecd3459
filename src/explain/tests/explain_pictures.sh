#!/bin/sh
# nfsbench report draws the phases of several explanations next to each other, states of RPCs, and predictions. The results
# are those of tests/golden.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need gnuplot python3
has report || skip "it is about what report draws"
cd "$scratch"

golden=$top/tests/golden
run 0 report "$golden/results/explanation.json" "$golden/results/explanations.json" --op getattr -o phases.svg
texts phases.svg
grep -Eq '^getattr: [-+][0-9.]+ (ns|µs|ms) in ' texts || fail_showing 'the title does not say what differs' texts
shows 'server works'
run 0 report "$golden/expected/full-states.json" --op getattr -o states.svg
texts states.svg
shows 'network and server'
grep -Fq 'getattr: RPC GETATTR: pending' texts || fail_showing 'no table of RPCs' texts
run 0 report "$golden/expected/full-explanation.json" -k predicted -o predicted.svg
texts predicted.svg
grep -q '^getattr: .* in \[2\] reader’s kernel$' texts || fail_showing 'the title does not say what differs' texts
for text in 'earlier, and predicted range' 'this measurement' '[2] reader’s kernel' lifetime; do
    shows "$text"
done
finish
