/* Options with several values, from which variants are made (sweep/variants.h). */
#pragma once

#include "job/options.h"

enum {
    VARY_NAMED = 100, /* characters of a value, by which results name it */
    VARIED_MAXIMUM = 64,
    VARIED_ROOM = 4096,
};

/* An option with several values, which are in the order given, each once. */
struct varied {
    const struct option_entry *entry; /* of the command run; NULL: none */
    const char *values[VARIED_MAXIMUM];
    size_t count;
    bool percent; /* they are shares of a rate: "50%" */
    char room[VARIED_ROOM];
};

/* Parsers of options. Values are separated by commas; a number can also be a range ("1..64": 1 and
 * its doublings, up to and including 64), and a rate a percentage ("50%") or a range of them
 * ("10%..100%": in steps of the first). */
option_parser vary_parse_values, /* struct varied: values of run's option of the same name */
    vary_parse_named;            /* the first of two: "NAME=VALUES" fills the next one */

/* Option INDEX, from 0 on, of those that can have several values; NULL after the last. */
const struct option_entry *vary_option_at(size_t index);

/* Set the member of ENTRY in VALUES to TEXT, as options_store() does; a flag's to "yes" or "no". */
int vary_set_value(const struct option_entry *entry, const char *text, void *values,
                   struct error *error);

/* Append WORD to TEXT, of SIZE bytes, with BETWEEN before it unless it is the first. */
void vary_append(char *text, size_t size, const char *between, const char *word);
