/* The settings of a measurement that matter when results are compared. */
#pragma once

#include <stddef.h>

#include "output/result/result.h"

/* Find a setting because of which the costs of OP in FIRST and SECOND cannot be compared. Writes
 * both values to BUFFER: "transport TCP against UDP". Returns BUFFER, or NULL if the costs can be
 * compared. A setting that one file does not record is ignored. */
const char *settings_find_difference(const struct result *first, const struct result *second,
                                     const char *op, char *buffer, size_t size);

/* Find the next setting that differs between FIRST and SECOND but does not prevent a comparison.
 * *AT is the search position, 0 for the first call. Writes both values to BUFFER. Returns BUFFER,
 * or NULL if there are no more such settings. */
const char *settings_next_note(const struct result *first, const struct result *second, size_t *at,
                               char *buffer, size_t size);

/* Write to TEXT the settings that distinguish RESULT from results of other series (src/history).
 * Without OP: settings that matter to all ops ("self: over TCP, clock tsc, engine wire"). With OP:
 * settings that matter only to some ops, including OP ("4096 bytes, offset 8192"). Unknown and
 * usual values are left out. Returns TEXT. */
const char *settings_of_series(const struct result *result, const char *op, char *text,
                               size_t size);
