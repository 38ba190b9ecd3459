/* Options with several values, from which variants are made (sweep/variants.h). */
#pragma once

#include "job/options.h"

enum { VARY_NAMED = 100 /* characters of a value, by which results name it */ };

/* How many options have several values. */
size_t vary_count(const struct options *options);

/* Has any of them shares of a rate? */
bool vary_shares(const struct options *options);

/* Set the member of ENTRY in VALUES to TEXT, as options_store() does; a flag's to "yes" or "no". */
int vary_set_value(const struct option_entry *entry, const char *text, void *values,
                   struct error *error);

/* Append WORD to TEXT, of SIZE bytes, with BETWEEN before it unless it is the first. */
void vary_append(char *text, size_t size, const char *between, const char *word);
