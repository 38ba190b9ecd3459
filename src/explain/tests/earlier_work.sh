#!/bin/sh
# Runs the commands of doc/EARLIER-WORK.md with few calls, and checks that their output has the rows that the page
# describes. (bench/earlier-work, and commands that need a mount, have tests of their own.)
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

alone='--no-ledger --no-warmup --no-model'

# says WORDS...: fails unless the output has each of WORDS (patterns)
says() {
    for words; do
        grep -Eq "$words" "$scratch/out" || fail "'$words' is not printed"
    done
}

# Every option that the page names must exist.
for command in run explain compare report; do
    "$nfsbench" $command --help >>"$scratch/help"
done
for option in $(grep -Eo -- '--[a-z]+(-[a-z]+)*' "$top/doc/EARLIER-WORK.md" | sort -u); do
    case $option in
    --rw | --rwmixread | --bs | --iodepth | --numjobs | --rate_iops | --runtime | --direct | --filename) ;; # fio's
    --only) ;; # bench/earlier-work's
    *) grep -Eq -- "$option( |\$)" "$scratch/help" || fail "the page names $option" ;;
    esac
done

# shellcheck disable=SC2086
run measured self: getattr 200 $alone --clients 12 --threads 1
says '12 clients' '^  getattr '

# The server's phases, and 4 of the 8 predictions, are measured only if the kernel's events can be recorded.
run measured explain self: read-last-byte 200 --file file --predict "$top/doc/predicted-nio" -j "$scratch/it.json"
says 'server works' 'sum of the phases' 'discrepancy' '^  \[1\] the whole READ +73.000 +180.000 +126.000 ' \
    '^  \[9\] both blocked ' '[0-9] of [48] measured predictions hold'
if command -v gnuplot >/dev/null; then
    run 0 report "$scratch/it.json" -k phases,predicted -o "$scratch/it.svg"
    for text in 'client decodes' 'reader in the kernel' 'earlier, and predicted range'; do
        grep -q "$text" "$scratch/it.svg" || fail "the picture has no '$text'"
    done
fi

mkdir "$scratch/local"
# shellcheck disable=SC2086
run measured self: read,write 200 --size 4k --depth 4 --clients 2 --baseline-dir "$scratch/local" $alone
says '^  read-local ' '^  write-local ' 'of the local directory'

# shellcheck disable=SC2086
run measured self: mix:read=50,write=50 200 --pattern random --size 4k --files 2 --file-size 64k $alone \
    --baseline-dir "$scratch/local"
says '^  read ' '^  write ' '^  mix-local ' '^  mix .* times (slower|faster) .* of the local'

for file in a b; do
    # shellcheck disable=SC2086
    run measured self: lookup,getattr,readlink,readdir,read 200 $alone --hist -j "$scratch/$file.json"
    says 'calls of +null +lookup +getattr$' 'calls of +readlink +readdir +read$'
done
run 0 compare "$scratch/a.json" "$scratch/b.json" --hist
says '^  lookup +A +B$' '^ +[0-9.]+ - +[0-9.]+ us +[0-9]+ #* +[0-9]+' '^  overflow ' '^  total +200 +200'
few="getattr 8 --block 2 $alone -q --force --launches 3 --allow-suspect"
# shellcheck disable=SC2086
run 0 self: $few -j "$scratch/a.json"
# shellcheck disable=SC2086
run 0 self: $few -j "$scratch/b.json" --self-args '--delay getattr=500ms' # far beyond what a busy machine adds
run 0 compare "$scratch/a.json" "$scratch/b.json" --color always
# On a busy machine, other load may also have changed the network path. The verdict is then "not known".
says "^  getattr .*($(printf '\033')\[31mslower|not known)"
run measured doctor
says 'timer'
# shellcheck disable=SC2086
run measured self: getattr 200 --csv "$scratch/counters.csv"
grep -q '"getattr".*voluntary_switches' "$scratch/counters.csv" || fail 'CSV lacks the counters'

# scripts/kernel-functions compares two counts of the kernel's functions, with colours, and prints one as a table.
for counts in '100 1 7' '200 502 9'; do
    # shellcheck disable=SC2086
    set -- $counts
    printf 'op,side,function,calls,times,per_call\n'
    printf 'command,all,%s,1,%d,%d\n' kprobe:one "$1" "$1" two "$2" "$2" three "$3" "$3"
done | split -l 4 - "$scratch/functions-"
"$top/scripts/kernel-functions" diff "$scratch/functions-aa" "$scratch/functions-ab" >"$scratch/out"
says "\[32mone +100 +200" "\[33mtwo +1 +502" "\[32mthree +7 +9"
"$top/scripts/kernel-functions" diff -g 1 -b 501 "$scratch/functions-aa" "$scratch/functions-ab" >"$scratch/out"
says "\[34mone " "\[34mtwo " "\[34mthree "
"$top/scripts/kernel-functions" table "$scratch/functions-ab" >"$scratch/out"
says '^ADDR +FUNC +COUNT$' '^[-0-9a-f]+ +three +9$' '^[-0-9a-f]+ +two +502$'
finish
