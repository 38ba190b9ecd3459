/* The options that explain has beside the shared ones. */
#pragma once

#include "job/command.h"
#include "target/target.h"

struct explain_options {
    bool ladder, xdr, knfsd, kprofile, no_server;
    struct target echo; /* host "": not given */
    const char *predict;
    uint32_t slowest, sample;
};

/* What the command line that was parsed last says. */
extern struct explain_options explain_own;

extern const struct option_entry explain_option_table[];

/* As struct command's set_defaults and check. */
void explain_set_defaults(struct options *options);
int explain_check(const struct options *options, const struct run_plan *plan, struct error *error);
