/* The JSON Schema (draft 2020-12) of a kind of result, from the fields of its view. */
#pragma once

#include "output/view/view.h"

/* Write the schema of VIEW's files to OUT. Returns 0 or a negative errno. */
int schema_write(const struct view *view, FILE *out);
