# What the tests of phases have in common; read after lib.sh.

# explain ARGUMENT...: the phases of all calls, as $scratch/result.json
explain() {
    result measured explain --no-warmup --sample 1/1 "$@"
}
