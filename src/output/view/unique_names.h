#pragma once

#include <stddef.h>

/* A set of names that are in use. A zeroed set is empty. */
struct unique_names {
    void *tree; /* tree of tsearch() that owns copies of the names */
};

/* If NAMES contains NAME, append a number to NAME, a buffer of SIZE bytes, so that "getattr"
 * becomes "getattr (2)"; a long NAME is cut. Then add NAME to NAMES. */
void unique_names_add(struct unique_names *names, char *name, size_t size);

void unique_names_free(struct unique_names *names);
