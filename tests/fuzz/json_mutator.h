/* Mutations of JSON whose results are JSON: mutations of bytes alone rarely get past the parser. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Change, remove, copy or exchange one or more values in the JSON of SIZE bytes at DATA, drawn by
 * SEED; it may grow to MAXIMUM. Returns its new size; 0 if it is not JSON, or would be too long. */
size_t json_mutate(uint8_t *data, size_t size, size_t maximum, unsigned seed);
