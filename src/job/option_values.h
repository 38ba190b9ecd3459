/* Option values that are more than a number or a text, and their parsers (option_entry.parse). */
#pragma once

#include "job/option_entry.h"
#include "run/plan.h"

/* The second side of a measurement, as --versus describes it. Other settings are the first side's,
 * with the exceptions that plan_make_second() names. */
struct option_versus {
    const char *text; /* text of the second side's target; NULL: the first side's target */
    struct target target;
    /* set of VERSUS_x: the options that --versus sets; members of the other options are 0 */
    unsigned changed;
    int proto; /* enum transport */
    const struct engine_type *engine;
    int security;           /* RPC_FLAVOR_x */
    int transport_security; /* enum rpc_xprtsec */
    const char *server_start;
};

/* The options that --versus can change, as bits, in the order of own_options[]
 * (option_values.c). */
enum {
    VERSUS_PROTO = 1 << 0,
    VERSUS_ENGINE = 1 << 1,
    VERSUS_SECURITY = 1 << 2,
    VERSUS_TRANSPORT_SECURITY = 1 << 3,
    VERSUS_SERVER_START = 1 << 4,
};

/* Return name number INDEX (from 0) of --versus NAME=VALUE; NULL after the last. */
const char *option_versus_name_at(size_t index);

/* Refuse TEXT as ENTRY's value. EXPECTED describes valid values. Returns -EINVAL with ERROR set. */
int option_refuse(const struct option_entry *entry, const char *text, const char *expected,
                  struct error *error);

/* Copy the word at *AT, which ends before a comma, to WORD of SIZE bytes. Set *AT to the next word;
 * NULL after the last. A word that is too long is cut and ends in "...", so that it matches no
 * known word. Returns WORD. */
char *option_word(const char **at, char *word, size_t size);

/* The choices of --proto, --sec and --xprtsec. */
extern const struct option_choice option_protocols[], option_flavors[],
    option_transports_security[];

/* Parsers, by the type of the member. */
option_parser option_parse_engine, /* const struct engine_type *, by its name */
    option_parse_versus,           /* struct option_versus: a target, or NAME=VALUE of an option */
    option_parse_precision,      /* struct precision: "1%", "20ns", or both, separated by a comma */
    option_parse_pattern,        /* struct pattern */
    option_parse_extent,         /* struct nfs_extent: "64Mi" (bytes), "100" (no unit: files) */
    option_parse_cpus,           /* cpus and cpu_count of a struct load: "0-3,6" */
    option_parse_self_arguments; /* server_arguments of a struct run_plan */
