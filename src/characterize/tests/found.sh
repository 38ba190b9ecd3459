# What the tests of experiments have in common; read after lib.sh.

# found NAME ARGUMENT...: make that experiment of characterize; $scratch/result.json has its answer
found() {
    experiment=$1
    shift
    run 0 characterize self: --quick --only "$experiment" -j "$scratch/result.json" -q "$@"
    holds ".answers | length == 1 and .[0].name == \"$experiment\""
}

# known FILTER [WHAT]: the answer is known, and satisfies the filter; its details are under their names
known() {
    holds ".answers[0] | .known and ([.details[] | {(.name): .}] | add) as \$of | $1" "${2-$experiment}"
}
