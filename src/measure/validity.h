/* Is a result trustworthy? Named reasons to doubt it, each with a threshold, and the resulting
 * verdict. A pure function of the evidence. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/load.h"
#include "measure/reasons.h"

enum verdict {
    VERDICT_OK,
    VERDICT_SUSPECT, /* read the reasons before you rely on the figures */
    VERDICT_INVALID, /* don't rely on the figures */
};

struct validity_reason {
    enum reason reason; /* REASONS: another version's, of a file that was read back */
    const char *name;   /* of REASON, or as the file has it */
    enum verdict verdict;
    char text[200];      /* for people, with the figures */
    const char *variant; /* the variant that has it, "A", in a verdict on several; NULL: none */
};

enum { VALIDITY_REASONS_MAXIMUM = REASONS };

struct validity {
    enum verdict verdict; /* the worst of the reasons' */
    struct validity_reason reasons[VALIDITY_REASONS_MAXIMUM];
    size_t count;
};

/* The evidence to judge. */
struct validity_evidence {
    uint64_t calls, failed; /* of all series; failed: the reply was an error */
    uint64_t retransmissions, reconnections;
    bool counts_resent;       /* the calls that they were needed for have latencies */
    uint64_t early;           /* replies to calls that had not been sent yet */
    bool on_mount;            /* the kernel's client makes the calls */
    uint64_t trailing;        /* replies with bytes after the end of their result */
    const char *trailing_ops; /* the ops with such replies, for the message; NULL or "": none */
    size_t rounds;
    bool warmed_up_steady; /* or there was no warm-up */
    double level_change; /* of null (or the first op): last third of the rounds / first third - 1 */
    double clock_ppm;    /* rate of the clock relative to CLOCK_MONOTONIC_RAW */
    double clock_step_ns;        /* the largest change of their offset between rounds */
    double steal_share;          /* of all processors' time */
    double involuntary_switches; /* per call */
    double client_cpu_share;     /* of the elapsed time; 0 if the client spins */
    double frequency_change;     /* of the client's processor: end / beginning - 1; 0: unknown */
    bool shares_core;            /* client and server are bound to one core */
    bool one_processor;          /* and to one processor, as was asked for: they take turns there */
    bool has_control;
    double control_ns, control_low_ns, control_high_ns; /* the control's cost and interval */
    double null_ns; /* the null call's median; on a mount, of the op that takes the least time */
    /* The distribution of null calls, or of the first op that is called over the network: other
     * work on the machine affects it. */
    const char *spread_of; /* that op's name; NULL: null */
    double mean_over_median;
    double outlier_share; /* share of calls above VALIDITY_OUTLIER times the median */
    /* Shares of the rounds' time; NAN: unknown. */
    double client_waited, server_waited; /* that their threads waited for a processor */
    double others,
        others_error;       /* processor time that other processes used, and its standard error */
    double not_own;         /* with ONE_PROCESSOR: its time that neither client nor servers used */
    double core_shared;     /* share of the rounds in which another machine seems to have shared the
                               core */
    double autocorrelation; /* of the costs of successive rounds, the largest of any op */
    /* Under load, of the op whose blocks it is largest in: by how much calls take longer in the
     * last third of a block than in the first, as a share of the typical call, and the width of
     * its interval. */
    const char *trend_of;
    double trend, trend_width;
    /* In an open loop, of the worst op; otherwise 0. */
    double rate_reached;    /* share of the requested rate */
    double sender_late_ns;  /* the sender's lateness, p99 */
    double response_p99_ns; /* that op's response time */
    /* In an open loop, of the op whose calls were held for the largest share of their response
     * time: that share, and what held them; and over all ops the calls without a reply and those
     * that were not sent. */
    double held;
    enum load_hold held_by;
    uint64_t unanswered, unsent;
    /* In an open loop, over all ops: how often and for how long the schedule was interrupted, and
     * how long calls were sent, s. */
    uint64_t interruptions;
    double interrupted_s, sending_s;
    double ranks_evenness; /* the slowest rank's rate / the fastest rank's; 0 with a single rank */
    double late_frames;    /* share of those of the emulated link, if there is one */
    /* A part of the cost of an op that is below 0 beyond its interval and the noise, as no part of
     * a cost can be. */
    const char *impossible_of, *impossible_part; /* NULL: there is none */
    double impossible_ns;
};

/* Thresholds above which (below which, where noted) a result is suspect or invalid. */
#define VALIDITY_FAILED_INVALID          0.01 /* of the calls */
#define VALIDITY_ROUNDS_SUSPECT          20 /* minimum: with fewer the interval itself is uncertain */
#define VALIDITY_LEVEL_SUSPECT           0.1 /* relative change of the level */
#define VALIDITY_STATES_SUSPECT          0.1 /* relative difference of levels of several launches */
#define VALIDITY_CLOCK_PPM_SUSPECT       10.0
#define VALIDITY_CLOCK_PPM_INVALID       1000.0
#define VALIDITY_CLOCK_STEP_SUSPECT      10000.0 /* ns */
#define VALIDITY_STEAL_SUSPECT           0.02
#define VALIDITY_PREEMPTED_SUSPECT       0.02 /* involuntary switches per call */
#define VALIDITY_CLIENT_CPU_SUSPECT      0.95 /* of the elapsed time */
#define VALIDITY_FREQUENCY_SUSPECT       0.05 /* relative change */
#define VALIDITY_FLOOR_SUSPECT           0.02 /* of the null call's median */
#define VALIDITY_MEAN_SUSPECT            1.5  /* null's mean over its median */
#define VALIDITY_OUTLIER                 10.0
#define VALIDITY_OUTLIERS_SUSPECT        0.002 /* of the calls */
#define VALIDITY_WAITED_SUSPECT          0.03  /* of the rounds' time */
#define VALIDITY_OTHERS_SUSPECT          0.05  /* of the processors' time */
#define VALIDITY_SHARED_SUSPECT          0.1   /* of the rounds */
#define VALIDITY_AUTOCORRELATION_SUSPECT 0.5
#define VALIDITY_TREND_SUSPECT           0.02 /* of the typical call */
#define VALIDITY_RATE_SUSPECT            0.98 /* minimum share of the rate reached */
#define VALIDITY_RATE_INVALID            0.9
#define VALIDITY_HELD_SUSPECT            0.1  /* of the mean response time */
#define VALIDITY_INTERRUPTED_SUSPECT     0.02 /* of the time of an open loop */
#define VALIDITY_LATE_SUSPECT            0.1  /* p99 of the lateness / p99 of the response time */
#define VALIDITY_LATE_INVALID            0.5
#define VALIDITY_EVENNESS_SUSPECT        0.9 /* minimum: with less the ranks' loads did not coincide */
#define VALIDITY_LATE_FRAMES_SUSPECT     0.005 /* of a link's: two a call decide on its p99 */

/* The evidence on the phases of calls, of the op for which each is worst. */
struct validity_phases {
    const char *op;            /* whose calls waited longest */
    double waiting;            /* for a processor, on either side; share of the lifetime */
    uint64_t calls, explained; /* of all ops */
    double discrepancy;        /* of the sum of the phases, as a share of the lifetime */
};

#define VALIDITY_WAITING_SUSPECT     0.2
#define VALIDITY_EXPLAINED_SUSPECT   0.99 /* minimum share of the calls */
#define VALIDITY_DISCREPANCY_SUSPECT 0.01 /* and more than the readings of the clocks take */
#define VALIDITY_READINGS_NS         300.0

/* Add the reasons to doubt phases to VALIDITY. */
void validity_judge_phases(struct validity *validity, const struct validity_phases *phases);

void validity_judge(struct validity *validity, const struct validity_evidence *evidence);

/* Add REASON to VALIDITY, with a text for people; the verdict becomes at least VERDICT. Reasons
 * beyond VALIDITY_REASONS_MAXIMUM are ignored. */
void validity_add_reason(struct validity *validity, enum verdict verdict, enum reason reason,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Add a copy of REASON, which is made of that of another verdict, likewise. Its name and variant
 * must outlive VALIDITY. */
void validity_add_copy(struct validity *validity, const struct validity_reason *reason);

/* REASON in VALIDITY; NULL if it is not there. */
const struct validity_reason *validity_find(const struct validity *validity, enum reason reason);

/* Add the reason "cut-short", unless it is there: an error ended the run, as CUT_SHORT_BY says. */
void validity_doubt_end(struct validity *validity, const char *cut_short_by);

/* "ok", "suspect", "invalid". */
const char *verdict_name(enum verdict verdict);
