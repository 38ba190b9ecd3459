/* A survey of a server: the results of several commands, which run one after another for a short
 * time, and the findings of rules on these results. Times are in ns unless a name says otherwise;
 * NAN: not known. */
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
    SURVEY_SERVICES,    /* the host's services and exports; needs SURVEY_CALLS; not with the target
                           self: */
    SURVEY_LARGE_READS, /* a measurement of READs of rtmax, at most 1 MiB */
    SURVEY_WRITES,      /* a measurement of calls that change files; only with --writes */
    SURVEY_LOAD,        /* a sweep of GETATTR over the calls in flight */
    SURVEY_STREAM,      /* a sweep of READs of 64 KiB, or rtmax if less, over the calls in flight */
    SURVEY_ALONE,       /* an explanation of GETATTR, one call at a time */
    SURVEY_KNEE,        /* an explanation of GETATTR with as many calls in flight as at the knee, 2
                           to 64; 16 if unknown */
    SURVEY_STEPS,
};

/* Names of the steps for programs: "calls", "services", ...; ends with NULL. */
extern const char *const survey_step_keys[];

/* The command of a step. */
struct survey_command {
    const char *title; /* heading on the page; printed while the step runs */
    /* pictures of the step's section that are shown at the top of the page; NULL: none */
    const char *pictures;
    double share; /* weight for dividing the time that is left; 0: no time limit */
    /* WORDS: command line, with members in braces; WHEN: condition for the step; NULL: always */
    const char *words, *when;
};

extern const struct survey_command survey_commands[SURVEY_STEPS];

/* The result of a step. */
struct survey_part {
    json_t *json;            /* JSON that the command wrote; NULL if there is no result */
    struct result_file file; /* contents of JSON; zeroed if its kind can't be read */
    char missing[400];       /* reason for no result; "" if there is one or the step was not made */
    double seconds;          /* time that the command took */
    /* Results in FILE of a sweep over the calls in flight. NULL: another step, or unknown. */
    const struct experiment_scaling *scaling;
    const struct experiment_diagnosis *diagnosis;
    const struct experiment_cell *alone; /* the cell with one call in flight */
    const struct experiment_cell *most;  /* the cell with the highest throughput */
    const struct experiment_cell *limit; /* the cell that DIAGNOSIS is about */
};

/* How steady the server was in all measurements. SENT_AGAIN: number of retransmissions. */
struct survey_steadiness {
    uint64_t stalls, sent_again, reconnections;
    double longest_stall_s;
    double tail;         /* largest p99.9 / p50 of all ops; NAN: nothing was measured */
    const char *tail_op; /* op whose ratio TAIL is; NULL: nothing was measured */
    /* text of a measurement's reason "drift"; NULL: no measurement has this reason */
    const char *drift;
};

enum { SURVEY_FINDINGS = 32 };

struct survey {
    struct origin origin;
    double duration; /* seconds */
    bool self;       /* true: the target is self: */
    bool writes;     /* option --writes */
    bool is_known;   /* true: at least one part has a result */
    const char *cut_short_by;
    char passed[512]; /* the user's options that steps need to reach the server */
    struct survey_part parts[SURVEY_STEPS];
    struct survey_steadiness steadiness;
    /* findings, the worst first; the last item is unused */
    struct result_finding findings[SURVEY_FINDINGS + 1];
    size_t finding_count;
    bool is_machine_busy; /* other processes used most of the processors that the calls need */
    char looked_for[400]; /* names of the rules that were applied */
};

/* Make the steps of SURVEY one after another, each in a new process of this program. They share the
 * time until PLAN's deadline, and reach the server with the survey's OPTIONS. If a step finds the
 * server unreachable, and no step has a result so far, no more steps are made. Returns 0, or a
 * negative errno with ERROR set: -EINTR after Ctrl-C, -ENODATA without any result. */
int survey_make_steps(struct survey *survey, const struct run_plan *plan,
                      const struct options *options, struct error *error);

/* Read the result ROOT of a step into FILE. Messages call the result NAME, which must outlive FILE.
 * FILE stays zeroed if ROOT's kind has no reading. Returns 0, or a negative errno with ERROR
 * set. */
int survey_read_part(struct result_file *file, const json_t *root, const char *name,
                     struct error *error);

/* Set the steadiness and the findings of SURVEY from its parts. */
void survey_conclude(struct survey *survey);

void survey_free(struct survey *survey);

extern const struct view view_survey;
