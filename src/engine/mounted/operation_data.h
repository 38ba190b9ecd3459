/* The data of an operation's files. They are computed from a number, the stamp, so that
 * verification needs no copy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set the SIZE BYTES to the data with STAMP. */
void operation_data_fill(uint8_t *bytes, size_t size, uint64_t stamp);

/* Return whether the SIZE BYTES equal the data with STAMP from offset FROM on. */
bool operation_data_is(const uint8_t *bytes, size_t from, size_t size, uint64_t stamp);
