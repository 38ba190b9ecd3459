/* A survey of a server: the results of several commands, made one after another in a short time,
 * and what stands out in them. Times are in ns unless a name says otherwise; NAN: not known. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "output/result/origin.h"
#include "output/result/result_file.h"
#include "run/plan.h"

struct options;

/* The steps of a survey, in the order in which they are made. Each is one command (steps.c). */
enum survey_step {
    SURVEY_CALLS,       /* a measurement of small calls, which says who answers */
    SURVEY_SERVICES,    /* what the host offers; not of self: */
    SURVEY_LARGE_READS, /* a measurement of READs of rtmax */
    SURVEY_WRITES,      /* a measurement of calls that change something; on request */
    SURVEY_LOAD,        /* a sweep of GETATTR over the calls in flight */
    SURVEY_STREAM,      /* a sweep of READs of 64 KiB over the calls in flight */
    SURVEY_ALONE,       /* an explanation of GETATTR, one call at a time */
    SURVEY_KNEE,        /* an explanation of GETATTR with as many calls in flight as at the knee */
    SURVEY_STEPS,
};

/* For programs: "calls", "services", ...; NULL after the last. */
extern const char *const survey_step_keys[];

/* The command of a step, which is made if WHEN holds of the survey so far. WORDS name members of
 * the survey like the lines of views. */
struct survey_command {
    const char *title;    /* on the page, and while it runs */
    const char *pictures; /* of its section, those that lead the page; NULL: none */
    double share;         /* of the time; 0: it takes a moment */
    const char *words, *when;
};

extern const struct survey_command survey_commands[SURVEY_STEPS];

/* The result of a step. */
struct survey_part {
    json_t *json;            /* as its command wrote it; NULL: there is none */
    struct result_file file; /* the same, read; zeroed if compare and report take no such kind */
    char missing[400];       /* why there is no result; "": there is one, or it was not asked for */
    double seconds;          /* that the command took */
    /* In FILE, if it is a sweep over the calls in flight; NULL: not known. */
    const struct experiment_scaling *scaling;
    const struct experiment_diagnosis *diagnosis;
    const struct experiment_cell *alone; /* one call in flight */
    const struct experiment_cell *most;  /* the highest throughput */
    const struct experiment_cell *limit; /* the cell that DIAGNOSIS is about */
};

/* Over all measurements. */
struct survey_steadiness {
    uint64_t stalls, sent_again, reconnections;
    double longest_stall_s;
    double tail;         /* the largest p99.9 over p50 of an op */
    const char *tail_op; /* the op with TAIL; NULL: nothing was measured */
    const char *drift;   /* how the level moved; NULL: it did not */
};

enum { SURVEY_FINDINGS = 32 };

struct survey {
    struct origin origin;
    double duration; /* seconds */
    bool self;       /* the target is self: */
    bool writes;     /* calls that change something were asked for */
    bool is_known;   /* at least one part has a result */
    const char *cut_short_by;
    char passed[512]; /* the options by which its commands reach the server */
    struct survey_part parts[SURVEY_STEPS];
    struct survey_steadiness steadiness;
    struct result_finding findings[SURVEY_FINDINGS + 1]; /* the worst first; the last is a spare */
    size_t finding_count;
    char looked_for[400]; /* the names of all rules */
};

/* Make the steps of SURVEY one after another, each by this program in a process of its own, until
 * PLAN's deadline. Options that say how to reach the server are those of OPTIONS, whose command is
 * the survey's. 0; or a negative errno with ERROR set: -EINTR after Ctrl-C, which is passed on to
 * the process; -ENODATA if no step has a result, or if the first can't reach the server. */
int survey_make_steps(struct survey *survey, const struct run_plan *plan,
                      const struct options *options, struct error *error);

/* Read a part from ROOT into FILE; messages call it NAME, which must outlive FILE. A kind that is
 * not read again leaves FILE zeroed. 0, or a negative errno with ERROR set. */
int survey_read_part(struct result_file *file, const json_t *root, const char *name,
                     struct error *error);

/* Set the steadiness and the findings of SURVEY by its parts. */
void survey_conclude(struct survey *survey);

/* Release the parts. */
void survey_free(struct survey *survey);

extern const struct view view_survey;
