/* Is a result trustworthy? Named reasons to doubt it, each with a threshold, and the resulting
 * verdict: a pure function of the evidence. */
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
    enum reason reason; /* REASONS: unknown, read from a file of another version */
    const char *name;   /* name of REASON; of a reason read from a file, its name there */
    enum verdict verdict;
    char text[200];      /* sentence for people, with the figures */
    const char *variant; /* variant with the reason ("A"); NULL if the verdict is on one variant */
};

enum { VALIDITY_REASONS_MAXIMUM = REASONS };

struct validity {
    enum verdict verdict; /* the worst verdict of the reasons */
    struct validity_reason reasons[VALIDITY_REASONS_MAXIMUM];
    size_t count;
};

struct validity_evidence {
    /* CALLS: calls of all series. FAILED: failed calls; short READs and WRITEs are not counted */
    uint64_t calls, failed;
    uint64_t retransmissions, reconnections;
    bool counts_resent;       /* latencies of calls that were sent again are in the results */
    uint64_t early;           /* number of replies to calls that had not been sent yet */
    bool on_mount;            /* the kernel's client makes the calls */
    uint64_t trailing;        /* number of replies with bytes after the end of their result */
    const char *trailing_ops; /* names of the ops with TRAILING replies; NULL or "": none */
    size_t rounds;
    /* the warm-up ended at a steady level, was given up, or was too short for two windows */
    bool warmed_up_steady;
    /* change of the level of the first op, usually null (on a mount: the first over the network):
     * last third of the rounds / first third - 1; 0: unknown */
    double level_change;
    double clock_ppm;     /* the clock's rate less CLOCK_MONOTONIC_RAW's, parts per million */
    double clock_step_ns; /* largest change of the clocks' offset between rounds */
    double steal_share;   /* steal time as a share of all processors' time */
    double involuntary_switches; /* involuntary context switches per call */
    /* mean processor time of the client's threads / elapsed time; 0 with --spin */
    double client_cpu_share;
    /* change of the frequency of the client's processor: end / beginning - 1; 0: unknown */
    double frequency_change;
    bool shares_core;   /* client and server are bound to one core */
    bool one_processor; /* client and server share one processor, as requested */
    bool has_control;
    /* the null control's cost; its 95 % interval */
    double control_ns, control_low_ns, control_high_ns;
    /* median latency of the first op, usually null; on a mount: the lowest median of any op over
     * the network; in a merge: null's mean latency */
    double null_ns;
    /* Outliers of one op, which show other work on the machine. It is the op with the largest ratio
     * of mean to median, or the op of LEVEL_CHANGE if no op exceeds VALIDITY_MEAN_SUSPECT. */
    const char *spread_of; /* name of this op; NULL: null */
    double mean_over_median;
    double outlier_share; /* share of the calls above VALIDITY_OUTLIER times the median */
    /* time that threads waited for a processor, added up / the rounds' time; NAN: unknown */
    double client_waited, server_waited;
    /* other processes' share of the time of the processors in use (NAN: unknown), and its standard
     * error */
    double others, others_error;
    double not_own; /* if ONE_PROCESSOR: share of its time that neither client nor servers used */
    /* share of the rounds in which another machine seems to have used the core */
    double core_shared;
    double autocorrelation; /* largest autocorrelation of any op's costs in successive rounds */
    /* The trend within blocks under load; else 0. TREND_OF is the series with the largest |TREND| /
     * TREND_WIDTH. TREND is the change of the series' typical latency from the first to the last
     * third of a block. TREND_WIDTH is the width of TREND's interval. Both are shares of the
     * series' typical latency. */
    const char *trend_of;
    double trend, trend_width;
    /* Open loop; else 0. The p99s are of the op with the largest lateness / response time. */
    double rate_reached;    /* smallest reached rate of an op / requested rate */
    double sender_late_ns;  /* p99 of the sender's lateness */
    double response_p99_ns; /* p99 of the response time */
    /* Open loop. HELD: mean time for which calls were held (not sent when due) / mean response
     * time, of the op with the largest ratio; HELD_BY: its main cause. UNANSWERED: number of all
     * ops' calls without a reply; UNSENT: number of all ops' calls that were not sent. */
    double held;
    enum load_hold held_by;
    uint64_t unanswered, unsent;
    /* Open loop, over all ops: number and duration of the schedule's interruptions, and time in
     * which calls were sent, s. */
    uint64_t interruptions;
    double interrupted_s, sending_s;
    /* slowest rank's rate / fastest rank's rate, for the op with the smallest ratio; 0: no ranks */
    double ranks_evenness;
    double late_frames; /* share of the emulated link's frames that were late; 0 without a link */
    /* A part of an op's cost that is below 0 beyond its interval and noise: the model failed. */
    const char *impossible_of, *impossible_part; /* op and part of the cost; NULL: there is none */
    double impossible_ns;
};

/* Thresholds: above them a result is suspect or invalid ("minimum": below them). */
#define VALIDITY_FAILED_INVALID          0.01 /* share of the calls that failed */
#define VALIDITY_ROUNDS_SUSPECT          20 /* minimum: with fewer, the interval itself is uncertain */
#define VALIDITY_LEVEL_SUSPECT           0.1 /* relative change of the level during the rounds */
#define VALIDITY_STATES_SUSPECT          0.1 /* relative difference between the levels of launches */
#define VALIDITY_CLOCK_PPM_SUSPECT       10.0
#define VALIDITY_CLOCK_PPM_INVALID       1000.0
#define VALIDITY_CLOCK_STEP_SUSPECT      10000.0 /* ns */
#define VALIDITY_STEAL_SUSPECT           0.02
#define VALIDITY_PREEMPTED_SUSPECT       0.02 /* involuntary switches per call */
#define VALIDITY_CLIENT_CPU_SUSPECT      0.95 /* threads' mean processor time / elapsed time */
#define VALIDITY_FREQUENCY_SUSPECT       0.05 /* change of the client processor's frequency */
#define VALIDITY_FLOOR_SUSPECT           0.02 /* noise floor / null_ns of the evidence */
#define VALIDITY_MEAN_SUSPECT            1.5  /* mean / median of an op's latencies */
#define VALIDITY_OUTLIER                 10.0
#define VALIDITY_OUTLIERS_SUSPECT        0.002 /* share of the calls that are outliers */
#define VALIDITY_WAITED_SUSPECT          0.03  /* time waited for processors / the rounds' time */
#define VALIDITY_OTHERS_SUSPECT          0.05  /* other processes' share, less 3 standard errors */
#define VALIDITY_SHARED_SUSPECT          0.1   /* share of the rounds with a shared core */
#define VALIDITY_AUTOCORRELATION_SUSPECT 0.5
#define VALIDITY_TREND_SUSPECT           0.02 /* trend within a block / typical latency */
#define VALIDITY_RATE_SUSPECT            0.98 /* minimum of the reached rate / the requested rate */
#define VALIDITY_RATE_INVALID            0.9
#define VALIDITY_HELD_SUSPECT            0.1  /* mean time held / mean response time */
#define VALIDITY_INTERRUPTED_SUSPECT     0.02 /* time of interruptions / an open loop's time */
#define VALIDITY_LATE_SUSPECT            0.1  /* p99 of the lateness / p99 of the response time */
#define VALIDITY_LATE_INVALID            0.5
#define VALIDITY_EVENNESS_SUSPECT        0.9 /* minimum: below it, the ranks' loads did not coincide */
/* share of the frames that were late; if calls have two frames, 1 % of the calls */
#define VALIDITY_LATE_FRAMES_SUSPECT 0.005

/* Evidence on the phases of calls. WAITING and DISCREPANCY are each of the op with the largest. */
struct validity_phases {
    const char *op; /* the op with the largest share WAITING */
    /* time that its calls waited for the client's or server's processor / lifetime */
    double waiting;
    /* numbers of all ops' calls, and of the calls that the phases explain */
    uint64_t calls, explained;
    double discrepancy; /* |lifetime - sum of the phases| / lifetime */
};

#define VALIDITY_WAITING_SUSPECT   0.2
#define VALIDITY_EXPLAINED_SUSPECT 0.99 /* minimum share of the calls that the phases explain */
/* share of the lifetime; callers pass only discrepancies above VALIDITY_READINGS_NS */
#define VALIDITY_DISCREPANCY_SUSPECT 0.01
#define VALIDITY_READINGS_NS         300.0

/* Add the reasons to doubt PHASES to VALIDITY. */
void validity_judge_phases(struct validity *validity, const struct validity_phases *phases);

/* Judge EVIDENCE. VALIDITY loses all earlier reasons. */
void validity_judge(struct validity *validity, const struct validity_evidence *evidence);

/* Add REASON to VALIDITY, with a sentence for people; the verdict becomes at least VERDICT. If
 * VALIDITY already has VALIDITY_REASONS_MAXIMUM reasons, neither reasons nor verdict change. */
void validity_add_reason(struct validity *validity, enum verdict verdict, enum reason reason,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Add a copy of REASON, which was made for another verdict; the verdict becomes at least REASON's.
 * Its name and variant must outlive VALIDITY. */
void validity_add_copy(struct validity *validity, const struct validity_reason *reason);

const struct validity_reason *validity_find(const struct validity *validity, enum reason reason);

/* Add the reason "cut-short", unless VALIDITY has it. CUT_SHORT_BY is the error's text. */
void validity_doubt_end(struct validity *validity, const char *cut_short_by);

const char *verdict_name(enum verdict verdict);
