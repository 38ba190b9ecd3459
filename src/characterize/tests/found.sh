# Functions for the tests of experiments; read after lib.sh.

# found NAME ARGUMENT...: makes the experiment NAME; $scratch/result.json has its answer
found() {
    experiment=$1
    shift
    run 0 characterize self: --quick --only "$experiment" -j "$scratch/result.json" -q "$@"
    holds ".answers | length == 1 and .[0].name == \"$experiment\""
}

# known FILTER [WHAT]: the answer is known and satisfies FILTER, in which $of has the details by name
known() {
    holds ".answers[0] | .known and ([.details[] | {(.name): .}] | add) as \$of | $1" "${2-$experiment}"
}
