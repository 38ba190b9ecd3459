/* A run of 'nfsbench outage', from its plan to its result. */
#pragma once

#include "outage/outage.h"
#include "outage/probe.h"
#include "outage/search.h"
#include "run/setup/setup.h"

struct outage_plan {
    /* Plan for the set-up, with the ops WRITE and COMMIT, which need the scratch file, and with the
     * deadline of the complete command. Without a deadline, a signal is the normal end of the
     * run. */
    struct run_plan run;
    unsigned connections;  /* 1 to PROBE_CONNECTIONS_MAXIMUM */
    double rate;           /* calls/s for each procedure on each connection */
    uint64_t threshold_ns; /* minimum length of a gap */
};

struct outage_observer {
    /* Called up to 50 times a second while probing, and once before data are read back. PHASE names
     * what the run does, such as "probing". */
    void (*goes_on)(const struct outage *outage, const char *phase);
    /* Called for each EVENT of GAP. ROW is the row of the line that had the event. If EVENT is
     * GAP_LINE_BEGAN, WHY says why the line has no good answer, such as "no reply". WHY has no
     * meaning for other events. */
    void (*changed)(const struct outage *outage, enum gap_event event, const struct gap *gap,
                    const struct gap_row *row, const char *why);
    /* Called when a search for the file has succeeded. IS_NEW: the file was gone and was created
     * again, so LOST stable blocks are lost. Otherwise the file was found, and LOST is 0. */
    void (*found)(bool is_new, uint64_t lost);
};

struct outage_run {
    const struct outage_plan *plan;
    const struct outage_observer *observer; /* may be NULL */
    struct setup setup;
    struct search server_search, file_search;
    int wake_fd; /* eventfd to which a search writes at its end; -1 before it is opened */
    struct probe probe;
    struct blocks blocks;
    struct outage outage;
    uint64_t next_look_ns;
    uint64_t read_ns; /* duration of the first READ of a block */
    bool was_stale;   /* at the last check, the server did not know the file's handle */
};

/* Mount, create the scratch directory, and connect. PLAN and OBSERVER (may be NULL) must outlive
 * RUN. Returns 0, or a negative errno with ERROR set. In both cases, the caller takes down RUN's
 * setup and calls outage_run_close(). */
int outage_run_open(struct outage_run *run, const struct outage_plan *plan,
                    const struct outage_observer *observer, struct error *error);

/* Probe until a signal or an error, or until the remaining time is needed to read back all stable
 * data and to clean up; then read the data back. Sets RUN's outage even after an error. Returns 0,
 * or a negative errno with ERROR set. */
int outage_run_probe(struct outage_run *run, struct error *error);

void outage_run_close(struct outage_run *run);
