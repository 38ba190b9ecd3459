/* Names of rows that differ within a list. */
#pragma once

#include <stddef.h>

/* The names that rows of one list already have; zeroed: none. */
struct unique_names {
    void *tree; /* of tsearch(): copies of the names */
};

/* If NAMES already has NAME, a buffer of SIZE bytes, add a number to NAME so that it differs from
 * all of them: "getattr" becomes "getattr (2)". Then add NAME to NAMES. */
void unique_names_add(struct unique_names *names, char *name, size_t size);

void unique_names_free(struct unique_names *names);
