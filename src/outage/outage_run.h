/* A run of 'nfsbench outage', from its plan to its result. */
#pragma once

#include "outage/outage.h"
#include "outage/probe.h"
#include "outage/search.h"
#include "run/setup/setup.h"

struct outage_plan {
    struct run_plan run;  /* of the set-up: its ops are the probe's procedures; its deadline is the
                           * whole command's, and without a time it ends by a signal */
    unsigned connections; /* 1 to PROBE_CONNECTIONS_MAXIMUM */
    double rate;          /* calls/s of each procedure over each connection */
    uint64_t threshold_ns;
};

/* Told of what happens. */
struct outage_observer {
    /* Called 50 times a second while it probes, and before it reads back: PHASE says which. */
    void (*goes_on)(const struct outage *outage, const char *phase);
    /* WHY: what the line of ROW, which has begun, has instead of a good answer. */
    void (*changed)(const struct outage *outage, enum gap_event event, const struct gap *gap,
                    const struct gap_row *row, const char *why);
    void (*found)(bool is_new, uint64_t lost); /* the file again, or a new one */
};

struct outage_run {
    const struct outage_plan *plan;
    const struct outage_observer *observer; /* NULL: none */
    struct setup setup;
    struct search server_search, file_search;
    int wake_fd; /* an eventfd by which their ends wake the probe; -1: none */
    struct probe probe;
    struct blocks blocks;
    struct outage outage;
    uint64_t next_look_ns;
    uint64_t read_ns; /* what the first READ of a block took */
    bool was_stale;   /* at the last look, the server no longer knew the file's handle */
};

/* Mount, make the scratch directory, and connect. PLAN and OBSERVER must outlive RUN. Returns 0, or
 * a negative errno with ERROR set; call outage_run_close() in either case. */
int outage_run_open(struct outage_run *run, const struct outage_plan *plan,
                    const struct outage_observer *observer, struct error *error);

/* Probe until as much of the time is left as it takes to read back all stable data, or until a
 * signal; then read them back. RUN's
 * outage is the result, whatever is returned: 0, or a negative errno with ERROR set. */
int outage_run_probe(struct outage_run *run, struct error *error);

void outage_run_close(struct outage_run *run);
