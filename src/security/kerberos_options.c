/* Options of calls by krb5, krb5i and krb5p, except --sec. */
#include <stddef.h>

#include "job/part.h"
#include "job/plan.h"

static const struct option_choice contexts[] = {
    {"client", LOAD_CONTEXTS_CLIENT}, {"shared", LOAD_CONTEXTS_SHARED}, {0}};

static const struct option_entry entries[] = {
    {"contexts", 0, OPTION_CHOICE, SECTION_TRANSPORT, GROUP_ENGINE, OPTION_SHARES(plan.contexts),
     .value = "WHOSE",
     .help = "with Kerberos under load, security contexts: one for each client (default), or "
             "shared by the clients of a thread",
     .choices = contexts, .varies = true},
    {"check-in-time", 0, OPTION_FLAG, SECTION_TRANSPORT, GROUP_MEASURING,
     OPTION_SHARES(plan.verify_in_time),
     .help = "with krb5, krb5i or krb5p, include the verification and decryption of the reply in a "
             "call's time (default: only the protection of the call)",
     .varies = true},
    {NULL},
};

static bool protects(const struct engine_type *engine)
{
    return engine->has_kerberos;
}

static int check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const struct rule rules[] = {
        {GROUP_MEASURING, identity_needs_kerberos(&plan->identity) && !plan->engine->has_kerberos,
         "--sec krb5, krb5i and krb5p need", protects},
        {GROUP_MEASURING,
         plan->verify_in_time && !rules_has_kerberos(options) && !options->any_flavor,
         "--check-in-time is for --sec krb5, krb5i and krb5p"},
        {GROUP_ENGINE, options_given(options, plan.contexts) && !rules_has_kerberos(options),
         "--contexts is for --sec krb5, krb5i and krb5p"},
    };

    return rules_apply(rules, sizeof rules / sizeof rules[0], options, error);
}

const struct part part_kerberos = {.after = "sec", .options = entries, .check = check};
