/* The result of 'nfsbench explain', the phases of a call, and its views. Times are in ns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "explain/phases/explain_limit.h"
#include "explain/phases/prediction.h"
#include "measure/load.h"
#include "measure/phases.h"
#include "measure/statistics/estimate.h"
#include "measure/timestamp.h"
#include "measure/validity.h"
#include "output/result/origin.h"
#include "output/view/terminal.h"

/* A call that is an example for the trace file, or a slow call. A slow call has the reasons that
 * the kernel's events show. */
struct explain_single_call {
    struct call_times times;
    const struct phase_view *view;
    const char *which; /* kind of example: "slowest", "median" or "fastest" */
    /* Members of a slow call: */
    const struct phase_row *longest; /* phase that exceeds its median most; NULL: there is none */
    double longest_ns;
    /* Sentences, such as which thread preempted the client's or the server's thread, and where. */
    char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE];
    size_t note_count;
};

/* The time from the transmission of a request until the client's send() returned. */
struct explain_overlap {
    uint64_t calls; /* number of calls with an overlap */
    double begins;  /* mean time from the call's begin to the overlap */
    struct result_latency latency;
};

enum { EXPLAIN_EXAMPLES = 3, EXPLAIN_SLOW_MAXIMUM = 100 };

struct explanation {
    struct origin origin;
    const char *op;
    char client_cpus[128];
    int server_cpu; /* processor that the server of self: is bound to; -1: none */
    /* bytes of call and reply, without record marks and the bytes of Kerberos and TLS */
    size_t call_bytes, reply_bytes;
    const struct load *load;    /* load of the calls; NULL: one at a time */
    struct explain_limit limit; /* set only if there is a load */

    const struct phase_view *view;
    struct phase_row rows[PHASE_TYPES];
    size_t row_count;
    double shares[PHASE_KINDS];      /* share of the lifetime for each kind of phase, 0 to 1 */
    const struct phase_row *longest; /* the row with the largest SHARE; NULL: there is no row */
    const struct phases *phases;     /* times of the explained calls, by phase, and how many calls
                                        were not explained, by reason */
    struct result_latency latency;   /* statistics of the lifetime */
    struct explain_overlap overlap;
    struct interval lifetime; /* mean lifetime with its confidence interval over the rounds */
    double sum;               /* sum of the phases' adjusted means, ns */
    double discrepancy;       /* (mean lifetime by the measuring clock - SUM) / mean lifetime */

    uint64_t calls;            /* calls with timestamps, explained or not, without the warm-up */
    uint64_t stamps_lost;      /* the run's kernel timestamps that never arrived */
    uint64_t stamps_unmatched; /* the run's kernel timestamps that match no sent message */
    uint64_t dropped; /* calls of the run's blocks in which CLOCK_REALTIME was set; not in CALLS */
    uint64_t events_lost;     /* number of the run's kernel events that were lost */
    uint32_t sample;          /* one call in SAMPLE has timestamps */
    struct interval stamping; /* time that timestamps and eBPF add to a call */
    bool has_stamping;        /* STAMPING is known; false: few rounds, or no unstamped calls */
    double unstamped_mean; /* mean time of calls without timestamps; NAN: there was no time for such
                              calls */
    double unstamped_typical;   /* explain_run_typical() of calls without timestamps */
    const char *server_missing; /* why there are no server phases, and how to get them; or NULL */
    const char *cut_short_by;   /* why the run ended early; or NULL */
    const struct validity *validity; /* NULL: not judged */

    struct predictions predictions;
    struct explain_single_call examples[EXPLAIN_EXAMPLES];
    size_t example_count;
    struct explain_single_call *slow; /* slowest first */
    size_t slow_count;
    double slow_beyond;  /* the threshold for slow calls: p99.9 of the lifetime, ns */
    uint64_t slow_total; /* number of calls above SLOW_BEYOND */
};

/* The phases of several ops whose calls were made in one run. */
struct explanations {
    struct explanation *ops;        /* one per op with an explained call; all have the same run */
    size_t count;                   /* 1 or more */
    const char *mix;                /* name of the mix that the ops belong to; NULL: none */
    struct result_skipped *skipped; /* requested ops without an explained call */
    size_t skipped_count;
};

/* Set the members of EXPLANATION that follow from its phases, without the bounds of intervals. A
 * phase that no call entered has no row. */
void explain_rows(struct explanation *explanation);

extern const struct view view_explanation, view_explanations;
extern const struct result_reading explanation_reading; /* how to read the files of both views */

/* Fields of struct explanation: explain_run_fields are equal for all ops of a run, and
 * explain_op_fields belong to one op. */
extern const struct field explain_run_fields[], explain_op_fields[];

/* EXPLAIN_TITLE: first line of a view that explains WHAT; EXPLAIN_CPUS: begin of its second line */
#define EXPLAIN_TITLE(what)                                                                        \
    "nfsbench " NFSBENCH_VERSION "  explain of " what " on {target}  NFSv3 over {transport}"       \
    "{?  {auth}}{?  xprtsec={xprtsec}}"
#define EXPLAIN_CPUS                                                                               \
    "client on CPU {client_cpus}{?, server on CPU {server_cpu}}"                                   \
    "{?     {?(load.clients>1){load.clients} clients, }"                                           \
    "{?(load.connections>1){load.connections} connections each, }depth {load.depth}"               \
    "{?(load.rate_per_s), {load.rate_per_s:12g} calls/s}}"

/* Write to ROOM how many calls of the COUNT OPS are explained, and why the other calls are not.
 * WHOSE follows the word "calls": "", or " of these ops". Returns ROOM. */
const char *explain_describe_explained(const struct explanation *ops, size_t count,
                                       const char *whose, char room[FIELD_ROOM]);

/* Print the phases of EXPLANATION as bars to scale, and their sum, at least 60 columns wide. */
void explain_draw_waterfall(const void *explanation, FILE *out);
