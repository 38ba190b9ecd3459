/* With which settings results were measured, as far as they matter for comparing them. */
#pragma once

#include <stddef.h>

#include "output/result/result.h"

/* Why the costs of OP in FIRST and SECOND can't be compared, with both values: "transport TCP
 * against UDP". Returns BUFFER, or NULL where nothing is against it; settings that a file does not
 * have are not. */
const char *settings_against(const struct result *first, const struct result *second,
                             const char *op, char *buffer, size_t size);

/* What else differs between FIRST and SECOND and may explain a difference, with both values: the
 * next one from place *AT on, which is 0 at first. Returns BUFFER; NULL: nothing more does. */
const char *settings_next_note(const struct result *first, const struct result *second, size_t *at,
                               char *buffer, size_t size);

/* What distinguishes RESULT from those of other series (src/history): without OP the
 * settings of all its ops ("self: over TCP, clock tsc, engine wire"), with OP those that matter for
 * this one only ("4096 bytes, offset 8192"). What is not known, or as it usually is, is left out.
 * Returns TEXT. */
const char *settings_of_series(const struct result *result, const char *op, char *text,
                               size_t size);
