/* The options of serve. --self-args accepts them for self:, except --bind, --echo and --help. */
#pragma once

#include "job/command.h"
#include "serve/server.h"

struct serve_options {
    struct server_config server;
    struct option_list addresses; /* addresses to listen on */
    /* Local host or address. Only calls to this address have the times of --cost and --lock. NULL:
     * all calls have them. */
    const char *cost_address;
    const char *user;
    bool all_squash, root_squash, echo, registers;
};

/* The values of the options in the command line that was parsed last. */
extern struct serve_options serve_own;

extern const struct option_entry serve_option_table[];

/* The functions set_defaults and check of struct command. */
void serve_set_defaults(struct options *options);
int serve_check(const struct options *options, const struct run_plan *plan, struct error *error);
