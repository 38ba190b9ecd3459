/* The options of serve, with which the embedded server is described; --self-args takes them, too.
 */
#pragma once

#include "job/command.h"
#include "serve/server.h"

struct serve_options {
    struct server_config server;
    struct option_list addresses; /* to listen on */
    const char *cost_address;     /* the only one whose calls have costs; NULL: all of them */
    const char *user;
    bool all_squash, root_squash, echo, registers;
};

/* What the command line that was parsed last says. */
extern struct serve_options serve_own;

extern const struct option_entry serve_option_table[];

/* As struct command's set_defaults and check. */
void serve_set_defaults(struct options *options);
int serve_check(const struct options *options, const struct run_plan *plan, struct error *error);
