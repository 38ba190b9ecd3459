/* Options with several values, from which variants are made (sweep/variants.h). */
#pragma once

#include "job/options.h"

enum {
    VARY_NAMED = 100, /* maximum length of a value's name in results */
    VARIED_MAXIMUM = 64,
    VARIED_ROOM = 4096,
};

/* An option's different values, in the given order. */
struct varied {
    const struct option_entry *entry; /* the option, as the command "run" has it; NULL: unused */
    const char *values[VARIED_MAXIMUM];
    size_t count;
    bool percent; /* the values are percentages of a rate: "50%" */
    char room[VARIED_ROOM];
};

/* Parsers of options. Values are separated by commas. A number can also be a range ("1..64":
 * doublings, and 64). A rate can be a percentage ("50%") or a range of them ("10%..100%": multiples
 * of the first value, and 100%). */
option_parser vary_parse_values, /* parses values of the option of run with the same name */
    /* parses "NAME=VALUES" into the first of two struct varied that has no ENTRY */
    vary_parse_named;

/* Return number INDEX of the options that can have several values; NULL after the last option. */
const struct option_entry *vary_option_at(size_t index);

/* Set the member of VALUES that belongs to ENTRY to TEXT, as options_store() does. The text of a
 * flag is "yes" or "no". Returns 0 or -EINVAL. */
int vary_set_value(const struct option_entry *entry, const char *text, void *values,
                   struct error *error);

/* Append WORD to TEXT, of SIZE bytes, after BETWEEN unless TEXT is empty. */
void vary_append(char *text, size_t size, const char *between, const char *word);
