#include "output/view/unique_names.h"

#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 24 }; /* size of " (2)" with the largest number */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Add a copy of NAME to NAMES unless NAMES contains it. Returns false if NAMES contained it,
 * otherwise true, even without memory. */
static bool add_new(struct unique_names *names, const char *name)
{
    char *copy = strdup(name);
    char **found = copy ? tsearch(copy, &names->tree, by_text) : NULL;
    const bool is_new = !found || *found == copy;

    if (!found || !is_new)
        free(copy);
    return is_new;
}

void unique_names_add(struct unique_names *names, char *name, size_t size)
{
    const size_t length = strnlen(name, size - NUMBER_SIZE);

    for (size_t number = 2; !add_new(names, name); number++)
        snprintf(name + length, size - length, " (%zu)", number);
}

void unique_names_free(struct unique_names *names)
{
    tdestroy(names->tree, free);
    names->tree = NULL;
}
