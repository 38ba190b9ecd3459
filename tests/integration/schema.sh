#!/bin/sh
# The schemas that the build makes: the page on result files names each key; an independent validator accepts all variants of
# all commands' results, and refuses a key that is not in the schema.
. "$(dirname "$0")/lib.sh"
need jq python3
: "${GOLDEN_FORMS:?names the program golden_forms}"
validator >/dev/null || skip 'the Python package jsonschema is not installed'
cd "$scratch"

# The page on result files names each key of each kind.
page=$(dirname "$nfsbench")/../FORMAT.md
for schema in "$(dirname "$nfsbench")"/../schema/*.json; do
    jq -r '.. | objects | .properties? // empty | keys[]' "$schema" | sort -u | while read -r key; do
        grep -qwF -e "$key" "$page" || echo "$(basename "$schema" .json): $key"
    done
done >unnamed
[ ! -s unnamed ] || fail "FORMAT.md, or that of a unit, does not name: $(paste -sd ' ' unnamed)"

made() { # made NAME ARGUMENT...: make a result NAME.json
    name=$1
    shift
    run measured "$@" -j "$name.json"
}

# Measurements of all procedures, with each setting that has a separate key, and without everything that a run can lack
made all self: all 100 --launches 1 --no-ledger
made one self: read 200 --launches 1 --size 4096
made launches self: getattr 200 --launches 3 --no-ledger --no-model
made bare self: getattr 200 --no-baseline --no-ledger --no-model --launches 1
made udp self: getattr 200 --proto udp --self-args '--drop 2%' --timeout 20ms --retrans 10 --no-ledger --no-model --launches 1
made errors self: getattr 300 --self-args '--error getattr=NFS3ERR_JUKEBOX:20%' --launches 1 --no-ledger --no-model
made precision self: getattr --precision 50% --max-time 2s --launches 1 --no-ledger --no-model
made mix self: mix:sfs2008 500 --launches 1 --no-ledger
made files self: read,write 200 --files 3 --file-size 65536 --launches 1 --no-ledger --no-model
mkdir local
made local self: read,write,commit 200 --size 64k --baseline-dir local --launches 1 --no-ledger --no-model
made load self: getattr 2k --clients 2 --depth 4 --launches 1 --no-ledger
made rate self: getattr 500 --rate 5k --launches 1 --no-ledger
made tirpc self: getattr 200 --engine tirpc --launches 1 --no-ledger --no-model
made odd self: getattr 200 --seed 18446744073709551615 --launches 1 --no-ledger --no-model

made versus self: getattr,read 300 --versus self: --no-ledger --launches 2 --block 10
made versus-bare self: getattr 300 --versus self: --no-baseline
made depths sweep --allow-suspect self: getattr 300 --depth 1,2,4 --repeat 2
made sizes sweep --allow-suspect self: read 300 --size 1k,4k,16k --repeat 2
made maximum sweep --allow-suspect self: getattr 1k --find-max 'p99<1s'
made sec-ladder sweep --sec-ladder --allow-suspect self: getattr,read 100 --size 1k,4k,16k --repeat 2 --depth 4

start "$nfsbench" serve
made services 127.0.0.1: --port "$port" --mount-port "$port"
kill "$server_pid"
server_pid=

printed() { # printed NAME COMMAND ARGUMENT...: make NAME.json with a command that has --json
    name=$1
    shift
    run measured "$@" --json "$name.json"
}
printed comparison compare all.json one.json
printed gate compare all.json all.json --threshold 1s
printed sweeps compare depths.json depths.json
printed sec-ladders compare sec-ladder.json sec-ladder.json
printed sides compare versus.json versus.json

# For kinds of units that were not measured above, use the units' samples.
mkdir samples
"$GOLDEN_FORMS" samples
for schema in "$(dirname "$nfsbench")"/../schema/*.json; do
    kind=$(basename "$schema" .json)
    [ "$kind" = common ] || cat ./*.json | jq -se --arg kind "$kind" 'any(.kind == $kind)' >jq.out ||
        cp "samples/full-$kind.json" "$kind.json" 2>/dev/null || cp "samples/bare-$kind.json" "$kind.json"
done

fits_schema --all-kinds ./*.json
finish
