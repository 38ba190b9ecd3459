/* The options that have the embedded server inject costs, delays, errors and losses. They are
 * options of serve, and of the measuring commands, which pass them on to the server of self:. */
#pragma once

#include "cli/option_entry.h"
#include "server/policy.h"

/* The values as given; empty or NULL: none. */
struct injection {
    struct option_list costs, delays, errors, habits;
    const char *drop, *duplicate, *reset_after, *forget_context, *sequence_window;
};

/* Check them and put them into POLICY. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int injection_apply(const struct injection *injection, struct policy *policy, struct error *error);

/* Is any of them given? */
bool injection_is_given(const struct injection *injection);

/* The arguments that pass them on: --cost, getattr=2us, ...; NULL-terminated. */
enum { INJECTION_WORDS_MAXIMUM = 8 * OPTION_LIST_MAXIMUM + 11 };
void injection_words(const struct injection *injection, const char *words[INJECTION_WORDS_MAXIMUM]);
