#!/bin/sh
# The output of .ci/run ends with the test results and the failed steps. If the packages fail, it has the end of their log.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fail() {
    echo "$*" >&2
    cat "$tree/said" >&2
    exit 1
}

# A tree whose steps pass, and whose packages' log has 300 lines.
mkdir "$tree/.ci" "$tree/scripts" "$tree/tests"
cp "$top/.ci/run" "$tree/.ci/"
cp "$top/scripts/test-summary" "$tree/scripts/"
cp "$top/tests/may-skip" "$tree/tests/"
make_step() {
    printf '#!/bin/sh\n%s\n' "$2" >"$tree/scripts/$1"
    chmod +x "$tree/scripts/$1"
}
for step in install-packages check-format check-words check-size check-arm64 check-circles check-tidy check-alone; do
    make_step $step :
done
# shellcheck disable=SC2016
make_step check-size 'echo "size $*"'
make_step check-deb 'seq -f "package %g" 300'
# shellcheck disable=SC2016
make_step test 'cat >"$2/$3.xml" <<END
<testsuite time="1"><testcase name="unit/one" status="$state"><system-out>a line
the cause</system-out></testcase></testsuite>
END
[ "$state" = run ] || [ "$3" != asan ]'

run_ci() {
    status=0
    env state="$1" "$tree/.ci/run" >"$tree/said" 2>&1 || status=$?
}
last() {
    tail -n 1 "$tree/said"
}

run_ci run
[ $status -eq 0 ] || fail "exit status $status"
[ "$(last)" = 'all steps passed' ] || fail 'the last line does not say that all passed'
! grep -q '^package' "$tree/said" || fail 'it has the log of packages that were built'
grep -q '^size --core build-alone$' "$tree/said" || fail 'it does not look at the size of the core'

# If tests and packages fail, the end of the packages' log is printed before the test's cause.
make_step check-deb 'seq -f "package %g" 300; exit 1'
run_ci fail
[ $status -eq 1 ] || fail "exit status $status"
[ "$(last)" = 'failed: asan packages' ] || fail 'the last line does not name both steps that failed'
[ "$(grep -c '^package' "$tree/said")" -eq 60 ] || fail 'it does not have the last 60 lines of the log'
tail -n 10 "$tree/said" | grep -q '^    the cause$' || fail 'the cause is not near the end'
! grep -q tsan "$tree/said" || fail 'it went on after a step that failed'

# After a check fails nothing else runs.
make_step check-deb 'exit 77'
make_step check-words 'exit 1'
run_ci run
[ $status -eq 1 ] && [ "$(last)" = 'failed: words' ] || fail 'the last line does not name the check that failed'
! grep -q passed "$tree/said" || fail 'tests ran after a check that failed'

# If no chroot can be made, that is no failure.
make_step check-words :
run_ci run
[ $status -eq 0 ] || fail 'packages that can not be built here are a failure'
