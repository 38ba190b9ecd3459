/* A run of 'nfsbench outage', from its plan to its result. */
#pragma once

#include "outage/outage.h"
#include "outage/probe.h"
#include "outage/search.h"
#include "run/setup/setup.h"

struct outage_plan {
    /* For the set-up; its ops are the probe's procedures. Its deadline is that of the complete
     * command; without a deadline, the run ends by a signal. */
    struct run_plan run;
    unsigned connections; /* 1 to PROBE_CONNECTIONS_MAXIMUM */
    double rate;          /* calls/s of each procedure over each connection */
    uint64_t threshold_ns;
};

/* Functions that are called during a run. */
struct outage_observer {
    /* Called 50 times a second while probing, and before data are read back: see PHASE. */
    void (*goes_on)(const struct outage *outage, const char *phase);
    /* Called for each event. When a line begins, WHY says what it has instead of a good answer. */
    void (*changed)(const struct outage *outage, enum gap_event event, const struct gap *gap,
                    const struct gap_row *row, const char *why);
    /* Called if the file was found again, or a new one was created; LOST blocks are gone. */
    void (*found)(bool is_new, uint64_t lost);
};

struct outage_run {
    const struct outage_plan *plan;
    const struct outage_observer *observer; /* NULL for none */
    struct setup setup;
    struct search server_search, file_search;
    int wake_fd; /* eventfd to which searches write at their end; -1 for none */
    struct probe probe;
    struct blocks blocks;
    struct outage outage;
    uint64_t next_look_ns;
    uint64_t read_ns; /* duration of the first READ of a block */
    bool was_stale;   /* at the last look, the server did not know the file's handle */
};

/* Mount, create the scratch directory, and connect. PLAN and OBSERVER must outlive RUN. Returns 0,
 * or a negative errno with ERROR set; call outage_run_close() in both cases. */
int outage_run_open(struct outage_run *run, const struct outage_plan *plan,
                    const struct outage_observer *observer, struct error *error);

/* Probe until the remaining time is needed to read back all stable data, or until a signal; then
 * read them. Sets RUN's outage even after an error. Returns 0, or a negative errno with ERROR
 * set. */
int outage_run_probe(struct outage_run *run, struct error *error);

void outage_run_close(struct outage_run *run);
