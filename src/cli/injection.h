/* What the options say that have the embedded server inject what a client must measure or survive:
 * of serve, and of the measuring commands, which hand them on to self:. */
#ifndef NFSBENCH_CLI_INJECTION_H
#define NFSBENCH_CLI_INJECTION_H

#include "cli/option_entry.h"
#include "server/policy.h"

/* As given, each text a value of its option; empty or NULL: none. */
struct injection {
    struct option_list costs, delays, errors;
    const char *drop, *duplicate, *reset_after;
};

/* Check them and put them into POLICY. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int injection_apply(const struct injection *injection, struct policy *policy, struct error *error);

/* Any at all? */
bool injection_is_given(const struct injection *injection);

/* The words that hand them on: --cost, getattr=2us, ...; NULL-terminated. */
enum { INJECTION_WORDS_MAXIMUM = 6 * OPTION_LIST_MAXIMUM + 7 };
void injection_words(const struct injection *injection, const char *words[INJECTION_WORDS_MAXIMUM]);

#endif
