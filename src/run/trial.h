/* The run of one trial, of a sweep or of a security ladder: its sessions are opened, measured and
 * unmounted, and each has its result and what it used. */
#pragma once

#include "common/cpu.h"
#include "run/group.h"
#include "run/sweep.h"
#include "run/usage.h"

struct trial_run {
    struct group group;
    bool opened;         /* its sessions were */
    struct usage *usage; /* of each session */
    struct trial_environment environment;
    cpu_set_t allowed; /* that it began with */
};

/* Make a run of SESSIONS sessions, all by PLAN, which may be changed. Returns NULL with ERROR set
 * if there is no memory. */
struct trial_run *trial_run_new(const struct run_plan *plan, size_t sessions, struct error *error);

/* Run it. Returns 0, or a negative errno with ERROR set. */
int trial_run_make(struct trial_run *run, struct error *error);

/* NULL may be released, too. */
void trial_run_free(struct trial_run *run);
