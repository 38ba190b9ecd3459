# Functions for the tests of findings, which source this file.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq
cd "$scratch"

# found NAME TIME OPTIONS: survey an embedded server with OPTIONS for TIME. The survey must have the finding NAME, unless the
# machine was so busy that calls were not measured, or that nfsbench waited for a processor while it measured them.
found() {
    name=$1
    result 0 survey self: --max-time "$2" --self-args "$3"
    if jq -e --arg name "$name" '([.findings[].name] | index($name) | not) and ((.steps | any(.part == "calls" and .missing)) or
            (.parts.calls.validity.reasons | any(.name == "waited-for-processor")) or
            (.parts.calls.validity.evidence.others // 0) > 0.5)' result.json >jq.out; then
        left_out "$name: the machine was too busy to measure calls well in $2"
        return
    fi
    holds "[.findings[].name] | index(\"$name\")" "a survey of a server with $3"
    holds '.findings | all(.text != "" and (.next | startswith("nfsbench ")))'
}
