/* The options that make a load: how many clients, over what, how much at once, how often. */
#ifndef NFSBENCH_CLI_LOAD_OPTIONS_H
#define NFSBENCH_CLI_LOAD_OPTIONS_H

#include "cli/options.h"
#include "engine/engine.h"

struct load_options {
    uint32_t clients, connections, depth, threads, batch;
    uint64_t rate;
    const char *pin, *arrival; /* NULL: not given */
};

/* None of them given. */
enum { LOAD_NOT_GIVEN = UINT32_MAX };
#define LOAD_OPTIONS_NONE                                                                          \
    (struct load_options)                                                                          \
    {                                                                                              \
        .clients = LOAD_NOT_GIVEN, .connections = LOAD_NOT_GIVEN, .depth = LOAD_NOT_GIVEN,         \
        .threads = LOAD_NOT_GIVEN, .batch = LOAD_NOT_GIVEN, .rate = LOAD_NOT_GIVEN                 \
    }

/* Their entries in the option table of a command whose settings are of TYPE and have a member
 * load_options. */
#define LOAD_OPTIONS(type)                                                                         \
    {"clients",     'c',                                                                           \
     OPTION_NUMBER, offsetof(type, load_options.clients),                                          \
     "N",           "clients at once, each with connections of its own (default 1)"},              \
        {"connections", 0,                                                                         \
         OPTION_NUMBER, offsetof(type, load_options.connections),                                  \
         "N",           "connections of each client, as nconnect has them (default 1)"},           \
        {"depth",                                                                                  \
         'd',                                                                                      \
         OPTION_NUMBER,                                                                            \
         offsetof(type, load_options.depth),                                                       \
         "N",                                                                                      \
         "calls in flight on each connection (default 1; with --rate: 1024 at most)"},             \
        {"batch",                                                                                  \
         0,                                                                                        \
         OPTION_NUMBER,                                                                            \
         offsetof(type, load_options.batch),                                                       \
         "N",                                                                                      \
         "over TCP, sleep until N replies are there (default 1): less CPU time, and times that "   \
         "have the wait for the others in them"},                                                  \
        {"rate",                                                                                   \
         'r',                                                                                      \
         OPTION_COUNT,                                                                             \
         offsetof(type, load_options.rate),                                                        \
         "N",                                                                                      \
         "an open loop: N calls a second in all are sent, whether or not others were answered; "   \
         "times are from when a call was due"},                                                    \
        {"arrival",   0,                                                                           \
         OPTION_TEXT, offsetof(type, load_options.arrival),                                        \
         "NAME",      "of the calls at that rate: poisson (default) or constant"},                 \
        {"threads",                                                                                \
         0,                                                                                        \
         OPTION_NUMBER,                                                                            \
         offsetof(type, load_options.threads),                                                     \
         "N",                                                                                      \
         "threads that the clients are shared out to (default: one for each processor)"},          \
    {                                                                                              \
        "pin", 0, OPTION_TEXT, offsetof(type, load_options.pin), "CPUS",                           \
            "processors that these are bound to in turn, such as 0-3,6 (default with self:: all "  \
            "but the server's)"                                                                    \
    }

/* Check them, for ENGINE, and make LOAD from them; the processors that are not given are SELF's (a
 * run on self:, whose server takes the last) or any. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int load_options_apply(const struct load_options *options, const struct engine_type *engine,
                       bool self, struct load *load, struct error *error);

/* Can ENGINE make calls of several procedures in one block? */
bool load_takes_mixes(const struct engine_type *engine);

/* Calls in a block of LOAD, of CALLS in all (0: open): enough that its beginning and its end don't
 * matter. */
uint32_t load_block(const struct load *load, uint64_t calls);

/* And at the very least. */
uint32_t load_block_minimum(const struct load *load);

#endif
