/* The data of an operation's files: what SIZE bytes hold follows from a number, their stamp, so
 * that it need not be kept to be compared. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fill the SIZE bytes. */
void operation_data_fill(uint8_t *bytes, size_t size, uint64_t stamp);

/* Are SIZE bytes those from offset FROM on of what STAMP fills? */
bool operation_data_is(const uint8_t *bytes, size_t from, size_t size, uint64_t stamp);
