#!/bin/sh
# The Debian packages are built, installed and run in clean chroots (scripts/check-deb). This runs only on request, because
# it makes chroots and installs compilers.
. "$(dirname "$0")/lib.sh"
[ -n "${NFSBENCH_TEST_DEB-}" ] || skip "only with NFSBENCH_TEST_DEB=1"
status=0
"$top/scripts/check-deb" >"$scratch/log" 2>&1 || status=$?
[ $status -ne 77 ] || skip "$(tail -n 1 "$scratch/log")"
[ $status -eq 0 ] || fail "$(tail -n 50 "$scratch/log")"
finish
