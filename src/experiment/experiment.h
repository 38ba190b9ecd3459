/* An experiment: ops by variants of a run, each measured several times, and what that teaches. A
 * sweep, a security ladder, --vary and --versus are its presets. Filled in by run/. Times are in ns
 * unless a name says otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/laws/bottleneck.h"
#include "experiment/laws/delay.h"
#include "experiment/laws/load_point.h"
#include "experiment/laws/objective.h"
#include "experiment/laws/piecewise.h"
#include "experiment/laws/scalability.h"
#include "measure/link.h"
#include "measure/statistics/contrast.h"
#include "measure/validity.h"
#include "output/result/origin.h"
#include "output/result/result_file.h"
#include "output/view/fields.h"
#include "output/view/view.h"

/* What asked for it; it decides what is shown, not what is measured. */
enum experiment_preset {
    PRESET_SWEEP,
    PRESET_SEC_LADDER,
    PRESET_VARY,
    PRESET_VERSUS, /* two sides, A and B, whose whole measurements are kept */
};

/* For programs: "sweep", "sec-ladder"; NULL after the last. */
extern const char *const experiment_preset_names[];

/* What one unit of a cell found, a visit of the group of variants that it is in, and what programs
 * call it. NAN: not known, or none; so are in an open loop the typical figures and those of null,
 * in a closed one the sender's lateness, and a client's share of processors while it spins. All of
 * processors and the link is while the op's blocks ran, and not between them. */
#define CELL_FIGURES_EACH(X)                                                                       \
    X(CELL_RATE, "throughput_per_s")           /* the mean */                                      \
    X(CELL_TYPICAL_RATE, "typical_rate_per_s") /* calls in flight / the typical time of a call */  \
    X(CELL_MEAN, "mean_ns")                    /* latency; in an open loop the response time */    \
    X(CELL_TYPICAL, "typical_ns")              /* the median of the blocks' trimmed means */       \
    X(CELL_NULL, "null_ns")                    /* that of the null calls in the same rounds */     \
    X(CELL_COST, "above_null_ns")              /* the median of the rounds' differences */         \
    X(CELL_TURN_AROUND, "turn_around_ns")      /* the mean, from a reply to the next call */       \
    X(CELL_P50, "p50_ns")                                                                          \
    X(CELL_P90, "p90_ns")                                                                          \
    X(CELL_P99, "p99_ns")                                                                          \
    X(CELL_P999, "p999_ns")                                                                        \
    X(CELL_MAXIMUM, "max_ns")                                                                      \
    X(CELL_CLIENT_CPU, "client_cpu_share")       /* of those that its threads may use */           \
    X(CELL_CLIENT_THREAD, "client_thread_share") /* of one, by its busiest thread */               \
    X(CELL_SERVER_CPU, "server_cpus")            /* processors' worth */                           \
    X(CELL_SERVER_SHARE, "server_cpu_share")     /* of those that it may use */                    \
    X(CELL_SERVER_THREAD, "server_thread_share") /* of one, by its busiest thread */               \
    X(CELL_BOTH_CPUS, "both_cpus")               /* processors' worth of client and server */      \
    X(CELL_LINK, "link_share")                   /* of its speed */                                \
    X(CELL_CLIENT_CALL, "client_cpu_ns_per_call")                                                  \
    X(CELL_SERVER_CALL, "server_cpu_ns_per_call")                                                  \
    X(CELL_LATE, "lateness_p99_ns")                                                                \
    X(CELL_MEGABYTES, "mb_per_s") /* of file data, 10^6 bytes a second */                          \
    /* Of the client's machine and whatever else it does, by the busiest interface (of loopback    \
     * in both directions); hardware's interrupts, and soft ones. */                               \
    X(CELL_PACKETS, "rx_packets_per_call")                                                         \
    X(CELL_BYTES, "rx_bytes_per_call")                                                             \
    X(CELL_INTERRUPTS, "interrupts_per_call")                                                      \
    X(CELL_NET_RX, "net_rx_per_call")                                                              \
    /* TCP as the client's kernel sees it, of some of the op's connections (tcp_state.h). */       \
    X(CELL_RTT, "tcp_rtt_ns")                        /* smoothed, the mean */                      \
    X(CELL_RTT_LEAST, "tcp_rtt_min_ns")              /* the least of the last minutes */           \
    X(CELL_RTT_VARIATION, "tcp_rttvar_ns")           /* the mean deviation */                      \
    X(CELL_RETRANSMITTED, "tcp_retransmitted_share") /* of the segments with data sent */          \
    X(CELL_OUT_OF_ORDER, "tcp_out_of_order_share")   /* of the segments with data received */      \
    X(CELL_WINDOW_LIMITED,                                                                         \
      "tcp_rwnd_limited_share") /* of the time: the server's window is full */                     \
    X(CELL_BUFFER_LIMITED, "tcp_sndbuf_limited_share") /* of the time */                           \
    X(CELL_WINDOW_USED, "tcp_window_used") /* bytes in flight to the client over its window */     \
    X(CELL_RESENT, "udp_resent_share")     /* of the calls */                                      \
    X(CELL_SLOTS_WAITING, "slots_waiting") /* on a mount: calls that wait for an RPC slot */

#define CELL_FIGURE_ENUM(figure, name) figure,
enum cell_figure { CELL_FIGURES_EACH(CELL_FIGURE_ENUM) CELL_FIGURES };

/* For programs: "throughput_per_s", "mean_ns". */
const char *cell_figure_name(enum cell_figure figure);

enum {
    UNITS_MAXIMUM = 64,
    CELLS_MAXIMUM = 1024,
    CONTRASTS_MAXIMUM = 4096,
    EXPERIMENT_GROUPS_MAXIMUM = 64,
    LEFT_OUT_MAXIMUM = 64,
};

/* What a cell's load and size are. */
struct cell_setting {
    unsigned clients, connections, depth;
    uint32_t size; /* bytes in a READ or WRITE; 0: the op moves no data */
    double rate;   /* 0: closed loop */
};

/* An op of a variant. */
struct experiment_cell {
    const char *op;
    const char *variant; /* what else than its setting is varied, such as "krb5p" or "proto=udp";
                            NULL: nothing */
    struct cell_setting setting;
    double figures[CELL_FIGURES][UNITS_MAXIMUM];
    struct interval within[CELL_FIGURES]; /* of the latest unit, from its own rounds; the ends are
                                             NAN where these say nothing of the figure */
    size_t units;
    size_t order[UNITS_MAXIMUM];  /* of each unit, how many of the experiment's came before */
    size_t invalid;               /* of them, those whose own verdict was that */
    bool out_of_reach;            /* its rate */
    enum objective_answer answer; /* of a probe: was the objective held? */
    struct interval intervals[CELL_FIGURES];
    bool has_little;
    struct little little;
    enum bottleneck bottleneck;
    bool has_link;
    struct link_counts link;                   /* the emulated one to its server */
    const struct experiment_contrast *against; /* of its round trip, the reference;
                                                  experiment_complete() sets it. NULL: none */
};

/* What is compared of an op: its round trip, which is network and cost; the cost, which is bytes,
 * pause and server; and the cost in the mean, which rare slow calls are part of. */
enum quantity {
    QUANTITY_ROUND_TRIP,
    QUANTITY_NETWORK, /* the null calls below it */
    QUANTITY_ABOVE_NULL,
    QUANTITY_BYTES,
    QUANTITY_PAUSE,
    QUANTITY_SERVER,
    QUANTITY_MEAN,
    QUANTITIES,
};

/* For programs: "round_trip", "mean_above_null"; NULL after the last. */
extern const char *const quantity_keys[];

/* The difference of two cells of the same op: the second less the first, the reference. */
struct experiment_contrast {
    size_t first, second; /* cells */
    enum quantity quantity;
    double differences[UNITS_MAXIMUM], errors[UNITS_MAXIMUM]; /* of each unit, with its standard
                                                                 error (NAN: unknown) */
    size_t units;
    struct comparison comparison; /* over the units */
    double floor; /* how much two alike may differ by: a smaller difference is none */
    bool judged;  /* it is of the primary question: the word is said */
    enum comparison_verdict word;
    struct interval ratio; /* the second over the first; NAN where the first can't be told from 0 */
};

/* What the cells of one op, variant and size teach about concurrency. */
struct experiment_scaling {
    const char *op, *variant; /* NULL, as in a cell */
    uint32_t size;
    bool has_law, has_knee;
    char missing[256]; /* why there is no law; "" */
    struct scalability law;
    struct knee knee;
};

/* What the cells of one op, variant and concurrency teach about size. */
struct experiment_sizes {
    const char *op, *variant; /* NULL, as in a cell */
    unsigned clients, depth;
    enum { SIZES_TYPICAL, SIZES_ABOVE_NULL, SIZES_ABOVE_REFERENCE } basis; /* of COST */
    char missing[256]; /* why COST has no pieces; "" */
    size_t piece_count;
    struct piecewise cost;
};

/* What the cells of one op and load teach about the delay of the network. */
struct experiment_delay {
    const char *op;
    struct cell_setting setting;
    struct delay_effect effect;
};

/* What became of the probes of a search. */
struct experiment_probes {
    size_t repeated;       /* units without an answer that were made again */
    size_t without_answer; /* probes that got none in the end */
    uint64_t calls_wanted; /* in a probe */
    uint64_t calls_least;  /* that one had */
};

/* A variant, or an op of it, that was not measured. */
struct experiment_left_out {
    const char *variant;
    const char *op; /* with which it was not; NULL: with none */
    uint32_t depth; /* with so many calls in flight; 0 where OP is NULL */
    const char *reason;
};

/* What limits the cells of one op, variant and size at their limit: at the most calls in flight, or
 * the highest rate; of a search, the highest rate that did not meet the objective. */
struct experiment_diagnosis {
    const char *op, *variant; /* NULL, as in a cell */
    struct cell_setting at;   /* where it was found */
    const char *untried;      /* why there are no trials; NULL: there are */
    struct bottleneck_trials trials;
    struct bottleneck_answer answer;
};

struct experiment_result {
    struct origin origin;
    enum experiment_preset preset;
    const char *ops; /* as they were named: "getattr,read" */
    const char *engine, *client_cpus;
    const char
        *varied; /* the options that are varied, and are neither load nor size: "sec"; NULL */
    const char *reference; /* the variant that others are compared with; NULL: none are */
    bool check_in_time;    /* a round trip includes the verification of a protected reply */
    double unit_seconds;   /* of a variant; 0: COUNT calls each */
    unsigned repeats, repeats_usual; /* of each point, where there was no time for the usual; 0:
                                        there was */
    double usual_seconds;            /* the time that would have done */
    uint64_t unit_calls;
    bool varies_op, varies_clients, varies_depth, varies_size, varies_rate, varies_link;
    const struct link_counts *line; /* the emulated line of all cells; NULL: none, or several */
    unsigned most_depth;            /* of any cell */
    bool interleaved; /* variants were measured in the same rounds, not one after the other */
    double full_rate; /* what 100 % of --rate is; 0: not asked for */
    struct experiment_cell *cells;
    size_t cell_count;
    struct experiment_contrast *contrasts;
    size_t contrast_count;
    size_t units_planned, units_done; /* of all cells */
    size_t launches;                  /* that the units are; 0: they are visits of one process */
    uint64_t over_ns; /* that the launches were spread over; 0: they followed one another */
    const struct result *first, *second; /* of two sides, all of both; else NULL */
    const char *cut_short_by;            /* the line that says why; NULL */
    struct experiment_scaling scaling[EXPERIMENT_GROUPS_MAXIMUM];
    size_t scaling_count;
    struct experiment_sizes sizes[EXPERIMENT_GROUPS_MAXIMUM];
    size_t sizes_count;
    struct experiment_delay delays[EXPERIMENT_GROUPS_MAXIMUM];
    size_t delay_count;
    struct experiment_diagnosis diagnoses[EXPERIMENT_GROUPS_MAXIMUM];
    size_t diagnosis_count;
    bool no_diagnosis; /* the user wanted no trials */
    struct experiment_left_out *left_out;
    size_t left_out_count;
    const char *objective_text; /* of --find-max; NULL: none */
    struct objective_result objective;
    struct experiment_probes probes; /* likewise */
    struct validity validity;
};

#define SEC_BASE "sys" /* what security flavors are compared with */

extern const struct view view_experiment;
extern const struct result_reading experiment_reading;
extern const struct field experiment_fields[]; /* of struct experiment_result */

/* The experiment that FILE is, or NULL. */
const struct experiment_result *experiment_of(const struct result_file *file);

/* Print EXPERIMENT, of two sides: both as measurements, and what differs. */
void experiment_print_sides(const struct experiment_result *experiment, bool verbose, FILE *out);

/* Read its JSON back from ROOT into RESULT, which is zeroed: everything but its origin, which a
 * struct result has (output/result/result_file.h). */
void experiment_read(struct json_reader *reader, const json_t *root,
                     struct experiment_result *result);

/* Set what follows from the cells and contrasts: which settings vary, and what each cell is
 * compared with. */
void experiment_complete(struct experiment_result *experiment);

/* CELL, and what varies of it: "read 64Ki, krb5p, depth 64". Returns ROOM. */
const char *cell_label(const struct experiment_result *experiment,
                       const struct experiment_cell *cell, bool with_variant,
                       char room[FIELD_ROOM]);

/* The cell of EXPERIMENT of the same op, variant and setting as LIKE, or NULL. */
const struct experiment_cell *experiment_cell_like(const struct experiment_result *experiment,
                                                   const struct experiment_cell *like);

/* Are both the same, or NULL, as variants may be? */
bool same_text(const char *first, const char *second);

/* Are both of the same op, variant and size, so that they differ in the load alone? */
bool cells_are_one_curve(const struct experiment_cell *first, const struct experiment_cell *second);

/* The calls that all clients of a cell have in flight together; in an open loop, the most that
 * they may have. */
double cell_in_flight(const struct cell_setting *setting);

/* "read 64Ki"; just the op where it moves no data. Returns OUT. */
enum { CELL_NAME_SIZE = 48 };
const char *cell_name(const struct experiment_cell *cell, char out[CELL_NAME_SIZE]);
