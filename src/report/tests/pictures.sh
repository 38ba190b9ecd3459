#!/bin/sh
# nfsbench report: pictures show the data of the files, are well formed whatever the files contain, and are written
# completely or not at all.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq gnuplot python3
cd "$scratch"

made() { # made NAME ARGUMENT...: measure, and write NAME.json
    name=$1
    shift
    run 0 self: "$@" --no-ledger -q -j "$scratch/$name.json"
}
made first getattr,read,lookup 2k
made second getattr,read 1k
made alone getattr 500 --no-baseline
made other lookup 500 --no-baseline

# The kinds of pictures of any measurement. tests/golden/expected has the input of gnuplot for each kind.
for kind in cost stack percentiles fine log2 rounds; do
    run 0 report first.json -k $kind -o $kind.svg
    texts $kind.svg
    grep -Eq '^[0-9.]+ (ns|µs|ms|s)$|[(](ns|µs|ms|s)[)]$' texts || fail "$kind: no unit"
    shows getattr
    shows read
    ! grep -q gnuplot_svg $kind.svg || fail "$kind: a script is called that is not there"
done
grep -Eq '<title>-?[0-9.]+ \[-?[0-9.]+, -?[0-9.]+\]</title>' cost.svg || fail 'a pointer does not show the interval'

# Pictures of several files, of several kinds and of selected ops, in all formats.
run 0 report first.json second.json -o both.svg
texts both.svg
shows 'A  first.json'
shows 'B  second.json'
grep -Eq '^read, p99: A [0-9.]+ (ns|µs|ms), B [0-9.]+ (ns|µs|ms)$' texts || fail_showing 'the title does not say p99' texts
! grep -q lookup texts || fail 'an op that one file lacks is drawn'
run 0 report first.json --op read -k fine,rounds -o some.svg
texts some.svg
! grep -q getattr texts || fail 'an op that was not asked for is drawn'
run 0 report first.json --op Read -k fine,rounds -o capitals.svg
cmp -s some.svg capitals.svg || fail 'an op in capitals is a different op'
run 0 report alone.json -k all -o alone.svg
texts alone.svg
grep -Eq '^p99: getattr [0-9.]+ (ns|µs|ms)' texts || fail_showing 'the title does not say p99' texts
run 0 report first.json -o first.png
[ "$(head -c 4 first.png | tail -c 3)" = PNG ] || fail 'no PNG'
run 0 report first.json -o first.pdf
[ "$(head -c 5 first.pdf)" = %PDF- ] || fail 'no PDF'

# On the terminal.
run 0 report first.json
! grep -q "$(printf '\033')" out || fail 'colours without a terminal'

! grep -q "$(printf '\f')" out || fail 'form feeds'
[ "$(tail -c 1 out | od -An -c | tr -d ' ')" = '\n' ] || fail 'the last line has no end'

# More ops than can be distinguished: the picture says so.
jq '.ops += [range(12) as $i | .ops[2] | .op = "op-\($i)"]' first.json >many.json
run 0 report many.json -k percentiles -o many.svg
texts many.svg
shows 'percentiles of the latency (8 of 16 ops)'
run 0 report many.json -o many.svg --force
texts many.svg
shows op-11

# Strings with a special meaning for gnuplot, a shell or SVG are only drawn. (An op's name must be one line, otherwise
# the file is refused.)
jq --arg name "x'; system('touch pwned'); \"<script>\`touch pwned\`</script>&@x
!touch pwned
%s{/=50 y}\$x" '.ops[2].op = ($name | gsub("\n"; " ")) | .target.text = $name | .host.cpu = $name' \
    first.json >hostile.json
cp hostile.json "$(printf "x';!touch pwned\n\`touch pwned\`<b>%%s.json")"
cp hostile.json "$(printf 'bytes\377.json')"
run 0 report hostile.json x*.json bytes*.json -k all -o hostile.svg
texts hostile.svg
grep -q '^x??' texts || fail 'the hostile op is not drawn'
run 0 report hostile.json -k all
[ ! -e pwned ] || fail 'a string of the file was executed'

# Bad input is refused. inputs.sh has more cases.
mkdir bad
jq 'del(.ops[].above_null_ns)' first.json >plain.json
jq 'del(.ops[].histogram)' first.json >bare.json
refused 2 'one of the files' report first.json second.json --op lookup -o bad/x.svg
refused 2 "kind 'pie' is not known" report first.json -k pie -o bad/x.svg
refused 2 'kind cost: .*contains no data' report plain.json -k cost -o bad/x.svg
refused 2 'contains no data' report bare.json -k fine -o bad/x.svg
refused 2 'ends in .svg, .png or .pdf' report first.json -o bad/x.gif
refused 2 'No such file' report first.json -o bad/none/x.svg
refused 2 'expected one to' report -o bad/x.svg

# Without gnuplot, or with a gnuplot that fails, the error says so and no picture is left.
mkdir empty failing
without() { # without PATH PATTERN: the error message if only PATH is searched
    status=0
    PATH=$1 "$nfsbench" report first.json -o bad/x.svg 2>err || status=$?
    [ $status -eq 1 ] || fail "PATH $1: status $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "PATH $1: not one line"
    grep -q "$2" err || fail "PATH $1: the error does not say '$2'"
}
without "$scratch/empty" 'apt-get install gnuplot-nox'
printf '#!/bin/sh\necho half; echo "  line 1: no good" >&2\nexit 1\n' >failing/gnuplot
chmod +x failing/gnuplot
without "$scratch/failing" 'gnuplot failed: line 1: no good'
printf '#!/bin/sh\nwhile read -r line; do :; done\n' >failing/gnuplot
without "$scratch/failing" 'gnuplot drew nothing'
printf '#!/bin/sh\nkill -9 $$\n' >failing/gnuplot
without "$scratch/failing" 'gnuplot failed'

# On a full or read-only file system, an error is reported and no picture is left.
ln -s /dev/full full.svg
refused 1 'No space left' report first.json -o full.svg
full 1 'No space left' report first.json
refused_on rw 1 'No space left' x.svg report first.json -o
refused_on ro 2 'Read-only file system' x.svg report first.json -o
left_nothing bad
[ -z "$(find . -name '*.partial')" ] || fail 'a half-written picture was left'
finish
