# Functions for the tests of phases; read after lib.sh.

# explain ARGUMENT...: explains all calls; the result is in $scratch/result.json
explain() {
    result measured explain --no-warmup --sample 1/1 "$@"
}
