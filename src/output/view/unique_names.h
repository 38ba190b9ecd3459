/* Unique names for the rows of a list. */
#pragma once

#include <stddef.h>

/* The names in use; zeroed: none. */
struct unique_names {
    void *tree; /* of tsearch(); owns copies of the names */
};

/* Make NAME, a buffer of SIZE bytes, unique by appending a number if NAMES has it already:
 * "getattr" becomes "getattr (2)". Then add NAME to NAMES. */
void unique_names_add(struct unique_names *names, char *name, size_t size);

void unique_names_free(struct unique_names *names);
