/* The options that have the embedded server inject what a client must measure or survive: of
 * serve, and of the measuring commands, which hand them on to self:. */
#ifndef NFSBENCH_CLI_INJECTION_H
#define NFSBENCH_CLI_INJECTION_H

#include "cli/options.h"
#include "server/policy.h"

struct injection {
    struct option_list costs, delays, errors;
    const char *drop, *duplicate, *reset_after;
};

/* Their entries in the option table of a command whose settings are of TYPE and have a member
 * injection. */
#define INJECTION_OPTIONS(type)                                                                    \
    {"cost",                                                                                       \
     0,                                                                                            \
     OPTION_LIST,                                                                                  \
     offsetof(type, injection.costs),                                                              \
     "OP=TIME[:P]",                                                                                \
     "the embedded server spends TIME in OP on top of its own, such as getattr=2us, with "         \
     "probability P; repeatable"},                                                                 \
        {"delay",       0,                                                                         \
         OPTION_LIST,   offsetof(type, injection.delays),                                          \
         "OP=TIME[:P]", "it keeps OP's replies back, as if it waited for a disk; repeatable"},     \
        {"error",                                                                                  \
         0,                                                                                        \
         OPTION_LIST,                                                                              \
         offsetof(type, injection.errors),                                                         \
         "OP=NFS3ERR_x[:P]",                                                                       \
         "it answers OP by that error, with probability P; repeatable"},                           \
        {"drop",      0,                                                                           \
         OPTION_TEXT, offsetof(type, injection.drop),                                              \
         "P",         "over UDP it loses requests and replies with that probability: 0.01 or 1%"}, \
        {"dup",       0,                                                                           \
         OPTION_TEXT, offsetof(type, injection.duplicate),                                         \
         "P",         "over UDP it gets requests twice with that probability"},                    \
    {                                                                                              \
        "reset-after", 0, OPTION_TEXT, offsetof(type, injection.reset_after), "N",                 \
            "over TCP it carries a connection's N-th call out and resets it without an answer"     \
    }

/* Check them and put them into POLICY. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int injection_apply(const struct injection *injection, struct policy *policy, struct error *error);

/* Any at all? */
bool injection_is_given(const struct injection *injection);

/* The words that hand them on: --cost, getattr=2us, ...; NULL-terminated. */
enum { INJECTION_WORDS_MAXIMUM = 6 * OPTION_LIST_MAXIMUM + 7 };
void injection_words(const struct injection *injection, const char *words[INJECTION_WORDS_MAXIMUM]);

#endif
