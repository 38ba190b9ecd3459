/* Mutations of JSON that leave it JSON: what changes bytes alone rarely gets past the parser. */
#ifndef NFSBENCH_TESTS_FUZZ_JSON_MUTATOR_H
#define NFSBENCH_TESTS_FUZZ_JSON_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Change, remove, copy or exchange a value or several in the JSON of SIZE bytes at DATA, drawn by
 * SEED; it may grow to MAXIMUM. Returns its new size; 0 where it is no JSON, or has grown too
 * long. */
size_t json_mutate(uint8_t *data, size_t size, size_t maximum, unsigned seed);

#endif
