#!/bin/sh
# Bad input: one line of error, exit status 2, and nothing else happens. Commands' help.
. "$(dirname "$0")/lib.sh"

refused 2 'expected TARGET \[OP\]'
refused 2 'unknown op' self: getattr,,read
refused 2 'unknown op' self: ''
refused 2 'COUNT .0' self: getattr 0
refused 2 'negative' self: getattr -1
refused 2 'COUNT .10x' self: getattr 10x
refused 2 "COUNT ''" self: getattr ''
refused 2 'COUNT' self: getattr 99999999999999999999
refused 2 'rounds of [0-9]+ calls do not fit into memory' self: getattr 18446744073709551615
refused 2 'rounds of 1 call do not fit into memory' self: getattr 2G --block 1
refused 2 "rounds of [0-9]+ calls .*lower COUNT to [0-9]+" self: getattr 40G
refused 2 'named twice' self: getattr,getattr 10
refused 2 'NFS3ERR_NOENT' self: getattr 10 --file nosuch
refused 2 'NFS3ERR_ISDIR' self: getattr 10 --file .
refused 2 'must begin with nfs://' http://host/x getattr 10
refused 2 'must begin with nfs://' nfs4://host/x getattr 10
refused 2 'expected TARGET \[OP\]' self: getattr 10 20
refused 2 'expected TARGET \[OP\]' self: 10 20
for key in vers version; do
    refused 2 'NFS version 3 only' "nfs://host/x?$key=4" getattr 10
done
for option in --vers=4 --nfsvers=4 '-o vers=4'; do
    [ "$option" = --vers=4 ] && ! has_option versus || # --vers abbreviates --version, unless the build has --versus
        refused 2 'NFS version 3 only' host:/x getattr 10 $option
done
[ -z "$(engines tirpc)" ] || refused 2 'spin' self: getattr 10 --engine tirpc --spin
refused 2 'json' self: getattr 10 --json /nonexistent/result.json
refused 2 'offset' self: read 10 --offset 2M
refused 2 'directory' self: read 10 --file dir
refused 2 'itself a file' self:/file read 10 --file file
refused 2 'NFS3ERR_NOENT' self: read 10 --file nothing
refused 2 'rtmax.*--size 32768' self: read 10 --size 64KiB --proto udp

# Options that exclude each other are refused before any wait.
refused 2 '--tree .*leave out --tree or --file' self: getattr 10 --file a --tree b --wait-quiet 2us

# What this build lacks is refused before anything is sent.
"$nfsbench" --version | grep -q Kerberos || for flavor in krb5 krb5i krb5p; do
    refused 2 'Kerberos.*built without it' nfs://127.0.0.1:1/x getattr 10 --sec $flavor
done
"$nfsbench" --version | grep -q TLS || for how in tls mtls; do
    refused 2 'TLS.*built without it' nfs://127.0.0.1:1/x getattr 10 --xprtsec $how
done

# A command that is misspelt or not the first word is refused. (Options: tests/unit/test_options.c, tests/golden.)
ends 2 "$nfsbench" runs --depth 1..4 self: getattr
[ "$(cat "$scratch/err")" = "nfsbench: unknown command 'runs'; did you mean 'run'?" ] || fail 'a command misspelt'
refused 2 "'run' is a command, not a target; give the command first" --quiet run self: getattr

# The first command may be given by name; ops may be in capitals; options may come before the words.
run 0 run --quiet self: GETATTR,Read 10
run 0 self: getattr 10 -q --self-args '--cost GETATTR=1us'

refused 2 "'read' is an op, not COUNT: .* as in getattr,read" self: getattr read
refused 2 '--size must be 16 MiB at most, not .4G' self: read --size 4G

# Every command has its help (tests/golden). If it can't be written, that is an error.
for command in $(commands); do
    "$nfsbench" "$command" --help >/dev/full 2>"$scratch/err" && fail "$command --help: a full device"
done

run 0 help run
cp "$scratch/out" "$scratch/run"
run 0 run --help
cmp "$scratch/out" "$scratch/run" || fail "help run differs from run --help"
refused 2 "unknown command 'runs'; did you mean 'run'" help runs

for help in --help -h help 'serve --help'; do
    # shellcheck disable=SC2086
    run 0 $help
    grep -q usage: "$scratch/out" || fail "$help prints no help"
done
run 0 help all
sed -n '/^commands/,/^$/s/^  [a-z]//p' "$scratch/out" | grep -qv '^[a-z-]*   *[a-z]' &&
    fail "help: a command's name and what it does are not apart"
cp "$scratch/out" "$scratch/all"
run 0 help faults
grep -q -- --reset-after "$scratch/out" || fail 'help faults'
"$nfsbench" help ops >/dev/full 2>"$scratch/err" && fail 'help ops: a full device'

# The first page fits a terminal; it has every command, and only existing options.
"$nfsbench" --help >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -le 25 ] || fail 'the first page is too long'
for command in $(commands); do
    grep -Eq "^[a-z ]+ .*\b$command\b" "$scratch/out" || fail "the first page lacks $command"
done
for option in $(grep -Eo -- ' --[a-z-]+' "$scratch/out"); do
    grep -q -- " $option " "$scratch/all" || fail "the first page has $option"
done
run 0 --version
version="^nfsbench [0-9]+\.[0-9]+\.[0-9]+ \([^ ]+ (GNU|Clang) [0-9.]+ .*with(out)?( libnfs)?( eBPF)?( MPI)?.*\)$"
grep -Eq "$version" "$scratch/out" || fail "--version"

# If the caller has closed a standard stream, no table is written to it, and no socket gets its number.
status=0
"$nfsbench" self: null 100 --no-ledger >&- 2>"$scratch/err" || status=$?
[ $status -eq 1 ] && grep -q 'writing the table: Bad file descriptor' "$scratch/err" ||
    fail "without standard output: status $status"
finish
