/* The options that only explain has. */
#pragma once

#include "job/command.h"
#include "target/target.h"

struct explain_options {
    bool ladder, xdr, knfsd, kprofile, no_server;
    struct target echo; /* address of the echo; host "": none was given */
    const char *predict;
    uint32_t slowest, sample;
};

/* Values from the command line that was parsed last. */
extern struct explain_options explain_own;

extern const struct option_entry explain_option_table[];

void explain_set_defaults(struct options *options);
int explain_check(const struct options *options, const struct run_plan *plan, struct error *error);
