/* Values of options that are more than a number or a text, and their parsers (option_entry.parse).
 */
#pragma once

#include "job/option_entry.h"
#include "run/plan.h"

enum { VARIED_MAXIMUM = 64, VARIED_ROOM = 4096 };

/* A measurement's second side: what --versus says of it, which is otherwise like the first. */
struct option_versus {
    const char *text; /* its target's; NULL: the first side's */
    struct target target;
    unsigned changed; /* the set of the options below that it has values of its own for */
    int proto;        /* enum transport */
    const struct engine_type *engine;
    int security;           /* RPC_FLAVOR_x; 0: as the first */
    int transport_security; /* enum rpc_xprtsec; 0: as the first */
    const char *server_start;
};

/* Those options, as bits of a set, in the order in which set_own() has them. */
enum {
    VERSUS_PROTO = 1 << 0,
    VERSUS_ENGINE = 1 << 1,
    VERSUS_SECURITY = 1 << 2,
    VERSUS_TRANSPORT_SECURITY = 1 << 3,
    VERSUS_SERVER_START = 1 << 4,
};

/* The name of option INDEX of --versus NAME=VALUE, from 0 on; NULL after the last. */
const char *option_versus_name_at(size_t index);

/* Refuse TEXT, the value of ENTRY's option. Returns -EINVAL, with ERROR set. */
int option_refuse(const struct option_entry *entry, const char *text, const char *expected,
                  struct error *error);

/* Copy the word at *AT, up to a comma, to WORD; *AT becomes the next one, NULL after the last. A
 * word that is too long is cut, and ends in "...", as no word does that is known. Returns WORD. */
char *option_word(const char **at, char *word, size_t size);

/* The choices of protocols, of security flavors and of how TLS protects calls. */
extern const struct option_choice option_protocols[], option_flavors[],
    option_transports_security[];

/* An option with several values, which are in the order given, each once. */
struct varied {
    const struct option_entry *entry; /* of the command run; NULL: none */
    const char *values[VARIED_MAXIMUM];
    size_t count;
    bool percent; /* they are shares of a rate: "50%" */
    char room[VARIED_ROOM];
};

/* By the type of the member. Values are separated by commas; a number can also be a range ("1..64":
 * 1 and its doublings, up to and including 64), and a rate a percentage ("50%") or a range of them
 * ("10%..100%": in steps of the first). */
option_parser option_parse_engine, /* const struct engine_type *, by its name */
    option_parse_versus,    /* struct option_versus: a target, or "NAME=VALUE" of an option */
    option_parse_precision, /* struct precision: "1%", "20ns", or both, with a comma between */
    option_parse_pattern,   /* struct pattern */
    option_parse_extent,    /* struct nfs_extent: "64Mi" is bytes, "100" is files */
    option_parse_cpus,      /* cpus of a struct load, and its cpu_count: "0-3,6" */
    option_parse_values,    /* struct varied: values of run's option of the same name */
    option_parse_vary,      /* the first of two struct varied: "NAME=VALUES" fills the next one */
    option_parse_objective, /* objective of a struct experiment_plan */
    option_parse_self_arguments; /* server_arguments of a struct run_plan: options of the embedded
                                    server's command */
