/* With which settings results were measured, as far as they matter for comparing them. */
#pragma once

#include <stddef.h>

#include "compare/compare.h"

/* Why the costs of OP in FIRST and SECOND can't be compared, with both values: "transport TCP
 * against UDP". Returns BUFFER, or NULL where nothing is against it; settings that a file does not
 * have are not. */
const char *settings_against(const struct result *first, const struct result *second,
                             const char *op, char *buffer, size_t size);

/* Note in PAIR what else differs and may explain a difference, with both values. */
void settings_note(struct compare_pair *pair);

/* What distinguishes RESULT from those of other series (src/history): without OP the
 * settings of all its ops ("self: over TCP, clock tsc, engine wire"), with OP those that matter for
 * this one only ("4096 bytes, offset 8192"). What is not known, or as it usually is, is left out.
 * Returns TEXT. */
const char *settings_of_series(const struct result *result, const char *op, char *text,
                               size_t size);
