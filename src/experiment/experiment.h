/* An experiment: ops measured in several variants of a run, repeatedly, and conclusions from the
 * measurements. Times are in ns unless a name says otherwise. A cell is one op in one variant. A
 * unit is one of the measurements of a cell: in a launch, or in one pass of a sweep. */
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

/* The command or option that requested the experiment. Analysis and view depend on it. */
enum experiment_preset {
    PRESET_SWEEP,
    PRESET_SEC_LADDER,
    PRESET_VARY,
    PRESET_VERSUS, /* two sides, A and B, with their complete results */
};

/* By enum experiment_preset: "sweep", "sec-ladder" and so on; ends with NULL. */
extern const char *const experiment_preset_names[];

/* The figures of one unit of a cell, and their names for programs. Shares are 0 to 1. A figure is
 * NAN if it is unknown or not measured. For example, an open loop has no typical rate, no
 * turn-around and no figures of null calls, a closed loop has no lateness, and a client that spins
 * has no figures of its threads' processor use. Processors and links are watched during the op's
 * blocks. */
#define CELL_FIGURES_EACH(X)                                                                       \
    X(CELL_RATE, "throughput_per_s")           /* mean */                                          \
    X(CELL_TYPICAL_RATE, "typical_rate_per_s") /* calls in flight / typical time of a call */      \
    X(CELL_MEAN, "mean_ns")                    /* mean latency; in an open loop, response time */  \
    X(CELL_TYPICAL, "typical_ns")              /* median of the blocks' trimmed mean latencies */  \
    X(CELL_NULL, "null_ns")                    /* CELL_TYPICAL of null calls in the same rounds */ \
    X(CELL_COST, "above_null_ns")              /* median of the rounds' costs above null */        \
    X(CELL_TURN_AROUND, "turn_around_ns")      /* mean time from a reply to the next call */       \
    X(CELL_P50, "p50_ns")                                                                          \
    X(CELL_P90, "p90_ns")                                                                          \
    X(CELL_P99, "p99_ns")                                                                          \
    X(CELL_P999, "p999_ns")                                                                        \
    X(CELL_MAXIMUM, "max_ns")                                                                      \
    X(CELL_CLIENT_CPU, "client_cpu_share")       /* mean processor use of client threads */        \
    X(CELL_CLIENT_THREAD, "client_thread_share") /* the busiest thread's use of a processor */     \
    X(CELL_SERVER_CPU, "server_cpus")            /* number of processors that the server uses */   \
    X(CELL_SERVER_SHARE, "server_cpu_share")     /* server's use / processors it may use */        \
    X(CELL_SERVER_THREAD, "server_thread_share") /* the busiest thread's use of a processor */     \
    X(CELL_BOTH_CPUS, "both_cpus")               /* processors in use, client's + server's */      \
    X(CELL_LINK, "link_share")                   /* traffic / speed of the link */                 \
    X(CELL_CLIENT_CALL, "client_cpu_ns_per_call")                                                  \
    X(CELL_MACHINE, "machine_cpu_share") /* use of the client machine's processors */              \
    X(CELL_SERVER_CALL, "server_cpu_ns_per_call")                                                  \
    X(CELL_LATE, "lateness_p99_ns")                                                                \
    X(CELL_MEGABYTES, "mb_per_s") /* file data, 10^6 bytes per second */                           \
    /* Counts of the client's whole machine, divided by the op's calls: packets and bytes that     \
     * the busiest interface received, hardware interrupts, NET_RX soft interrupts. */             \
    X(CELL_PACKETS, "rx_packets_per_call")                                                         \
    X(CELL_BYTES, "rx_bytes_per_call")                                                             \
    X(CELL_INTERRUPTS, "interrupts_per_call")                                                      \
    X(CELL_NET_RX, "net_rx_per_call")                                                              \
    /* tcp_: TCP figures of some of the op's connections, by the client's kernel (tcp_state.h). */ \
    X(CELL_RTT, "tcp_rtt_ns")                        /* mean of the smoothed RTT */                \
    X(CELL_RTT_LEAST, "tcp_rtt_min_ns")              /* minimum RTT of the last minutes */         \
    X(CELL_RTT_VARIATION, "tcp_rttvar_ns")           /* mean deviation of the RTT */               \
    X(CELL_RETRANSMITTED, "tcp_retransmitted_share") /* resent / sent data segments */             \
    X(CELL_OUT_OF_ORDER, "tcp_out_of_order_share")   /* out-of-order / received data segments */   \
    X(CELL_SPURIOUS, "tcp_spurious_share")           /* needless / all retransmissions */          \
    X(CELL_WINDOW_LIMITED, "tcp_rwnd_limited_share") /* share of time with a full server window */ \
    X(CELL_BUFFER_LIMITED, "tcp_sndbuf_limited_share") /* share of time with a full send buffer */ \
    X(CELL_WINDOW_USED, "tcp_window_used")             /* used share of client's receive window */ \
    X(CELL_RESENT, "udp_resent_share")                 /* retransmissions / calls */               \
    X(CELL_SLOTS_WAITING, "slots_waiting")             /* calls waiting for an RPC slot */

#define CELL_FIGURE_ENUM(figure, name) figure,
enum cell_figure { CELL_FIGURES_EACH(CELL_FIGURE_ENUM) CELL_FIGURES };

const char *cell_figure_name(enum cell_figure figure);

enum {
    UNITS_MAXIMUM = 64,
    CELLS_MAXIMUM = 1024,
    CONTRASTS_MAXIMUM = 4096,
    EXPERIMENT_GROUPS_MAXIMUM = 64,
    LEFT_OUT_MAXIMUM = 64,
};

struct cell_setting {
    unsigned clients, connections, depth;
    uint32_t size; /* bytes of a READ or WRITE; 0 if the op moves no data */
    double rate;   /* calls per second that are offered; 0 in a closed loop */
};

struct experiment_cell {
    const char *op;
    /* Varied options that are not in SETTING, such as "krb5p" or "proto=udp"; NULL: none. */
    const char *variant;
    struct cell_setting setting;
    double figures[CELL_FIGURES][UNITS_MAXIMUM];
    /* intervals of the latest unit's figures, from the rounds of this unit only; NAN: unknown */
    struct interval within[CELL_FIGURES];
    size_t units;
    /* for each unit: number of the experiment's units that were measured before it */
    size_t order[UNITS_MAXIMUM];
    size_t invalid;               /* number of UNITS with an invalid verdict */
    bool out_of_reach;            /* the cell's rate can't be reached */
    enum objective_answer answer; /* in a search: whether the cell met the objective */
    /* means over UNITS with 95 % intervals; if UNITS is 1, the ends are those of WITHIN */
    struct interval intervals[CELL_FIGURES];
    bool has_little;
    struct little little;
    enum bottleneck bottleneck;
    bool has_link;
    struct link_counts link; /* emulated link to the server */
    /* contrast of QUANTITY_ROUND_TRIP with the reference (experiment_complete()); NULL: none */
    const struct experiment_contrast *against;
};

/* Quantities, ns, that are compared between two cells of an op. The typical round trip is the sum
 * of QUANTITY_NETWORK and the typical cost, QUANTITY_ABOVE_NULL. This cost is the sum of its parts
 * QUANTITY_BYTES, QUANTITY_PAUSE and QUANTITY_SERVER. QUANTITY_MEAN is the mean cost. */
enum quantity {
    QUANTITY_ROUND_TRIP,
    QUANTITY_NETWORK, /* round trip of null calls */
    QUANTITY_ABOVE_NULL,
    QUANTITY_BYTES,
    QUANTITY_PAUSE,
    QUANTITY_SERVER,
    QUANTITY_MEAN,
    QUANTITIES,
};

/* By enum quantity: "round_trip" to "mean_above_null"; ends with NULL. */
extern const char *const quantity_keys[];

/* The difference between two cells of the same op: SECOND minus FIRST, the reference. */
struct experiment_contrast {
    size_t first, second; /* indices of cells */
    enum quantity quantity;
    /* for each unit, ns: the difference, and its standard error; NAN if unknown */
    double differences[UNITS_MAXIMUM], errors[UNITS_MAXIMUM];
    size_t units;
    struct comparison comparison; /* comparison over the units */
    double floor; /* noise floor, ns: a smaller difference counts as no difference */
    bool judged;  /* the contrast has a verdict, WORD; false: WORD is not set */
    enum comparison_verdict word;
    struct interval ratio; /* SECOND / FIRST; NAN unless FIRST is clearly above 0 */
};

/* How the throughput depends on the concurrency, for one op, variant and size. */
struct experiment_scaling {
    const char *op, *variant; /* VARIANT: see struct experiment_cell */
    uint32_t size;
    bool has_law, has_knee;
    char missing[256]; /* why there is no law; "" if there is one */
    struct scalability law;
    struct knee knee;
};

/* How the cost depends on the size, for one op, variant and concurrency. */
struct experiment_sizes {
    const char *op, *variant; /* VARIANT: see struct experiment_cell */
    unsigned clients, depth;
    /* What COST is: the typical time, or its excess over null's or the reference's typical time. */
    enum { SIZES_TYPICAL, SIZES_ABOVE_NULL, SIZES_ABOVE_REFERENCE } basis;
    char missing[256]; /* why COST has no pieces; "" if it has some */
    size_t piece_count;
    struct piecewise cost;
};

/* How the delay of the network affects one op at one load and size. */
struct experiment_delay {
    const char *op;
    struct cell_setting setting;
    struct delay_effect effect;
};

struct experiment_probes {
    size_t repeated;       /* number of repetitions of probes that had no answer */
    size_t without_answer; /* number of probes without an answer even after repetition */
    uint64_t calls_wanted; /* number of calls that a probe needs */
    uint64_t calls_least;  /* fewest calls that any probe made */
};

struct experiment_left_out {
    const char *variant;
    const char *op; /* op that was not measured; NULL if no op of the variant was measured */
    uint32_t depth; /* calls in flight of OP on each connection; 0 if OP is NULL */
    const char *reason;
};

/* What limits the throughput of one op, variant and size, at the setting with the most calls in
 * flight or the highest rate. A search instead takes the highest rate that did not meet the
 * objective, if there is one. */
struct experiment_diagnosis {
    const char *op, *variant; /* VARIANT: see struct experiment_cell */
    struct cell_setting at;   /* setting at which the limit was found */
    const char *untried;      /* why no trial was begun; NULL: unknown, or trials were begun */
    struct bottleneck_trials trials;
    struct bottleneck_answer answer;
};

struct experiment_result {
    struct origin origin;
    enum experiment_preset preset;
    const char *ops; /* the ops, as the user named them: "getattr,read" */
    const char *engine, *client_cpus;
    /* Varied options that are neither load nor size: "sec"; NULL if there are none. */
    const char *varied;
    const char *reference; /* variant that all other variants are compared with; NULL if none */
    bool check_in_time;    /* round trips include the verification of protected replies */
    double unit_seconds;   /* duration of a unit; 0 if a number of calls ends a unit */
    /* If there was no time for REPEATS_USUAL units of each cell, REPEATS is the smaller number of
     * units for which there was time. Otherwise both are 0. */
    unsigned repeats, repeats_usual;
    double usual_seconds; /* --max-time that is enough for REPEATS_USUAL, s */
    uint64_t unit_calls;
    bool varies_op, varies_clients, varies_depth, varies_size, varies_rate, varies_link;
    /* the emulated link, if all measured cells have the same one; else NULL */
    const struct link_counts *line;
    unsigned most_depth; /* largest depth of a cell */
    bool interleaved;    /* some or all variants were measured in the same rounds */
    /* calls/s of a closed loop (--rate 100%); 0: no --rate with %, and no search */
    double full_rate;
    struct experiment_cell *cells;
    size_t cell_count;
    struct experiment_contrast *contrasts;
    size_t contrast_count;
    size_t units_planned, units_done; /* totals; in a search, UNITS_PLANNED is a maximum */
    /* Number of launches; 0 if one process measured all units. A cell's unit is one launch or, with
     * two sides on several servers, all launches with the same servers. */
    size_t launches;
    /* Time over which the launches were spread, ns; 0 if they followed each other at once. */
    uint64_t over_ns;
    const struct result *first, *second; /* results of the two sides; NULL without sides */
    /* why the experiment ended early; NULL: it ended as planned */
    const char *cut_short_by;
    struct experiment_scaling scaling[EXPERIMENT_GROUPS_MAXIMUM];
    size_t scaling_count;
    struct experiment_sizes sizes[EXPERIMENT_GROUPS_MAXIMUM];
    size_t sizes_count;
    struct experiment_delay delays[EXPERIMENT_GROUPS_MAXIMUM];
    size_t delay_count;
    struct experiment_diagnosis diagnoses[EXPERIMENT_GROUPS_MAXIMUM];
    size_t diagnosis_count;
    bool no_diagnosis; /* the user asked for no trials */
    struct experiment_left_out *left_out;
    size_t left_out_count;
    const char *objective_text; /* objective of --find-max; NULL if there is no search */
    struct objective_result objective;
    struct experiment_probes probes; /* probes of --find-max */
    struct validity validity;
};

#define SEC_BASE "sys" /* the security flavor that all other flavors are compared with */

extern const struct view view_experiment;
extern const struct result_reading experiment_reading;
extern const struct field experiment_fields[]; /* fields of struct experiment_result */

/* Return the experiment in FILE; NULL if FILE is of another kind. */
const struct experiment_result *experiment_of(const struct result_file *file);

/* Print to OUT the measurements and differences of EXPERIMENT, which has two sides. VERBOSE: -v. */
void experiment_print_sides(const struct experiment_result *experiment, bool verbose, FILE *out);

/* Read the JSON of an experiment from ROOT into RESULT, which is zeroed. Errors are noted in
 * READER. The origin and the sides are not read, because struct result_file has them. */
void experiment_read(struct json_reader *reader, const json_t *root,
                     struct experiment_result *result);

/* Set what follows from cells and contrasts: VARIES_..., LINE, MOST_DEPTH, each cell's AGAINST. */
void experiment_complete(struct experiment_result *experiment);

/* Write to ROOM CELL's name, variant (if WITH_VARIANT), numbers of clients and depth (if EXPERIMENT
 * varies them) and, in an open loop, offered rate: "read 64Ki, depth 64". Returns ROOM. */
const char *cell_label(const struct experiment_result *experiment,
                       const struct experiment_cell *cell, bool with_variant,
                       char room[FIELD_ROOM]);

/* Return the cell of EXPERIMENT with the op, variant and setting of LIKE; NULL if there is none. */
const struct experiment_cell *experiment_find_cell(const struct experiment_result *experiment,
                                                   const struct experiment_cell *like);

/* Return whether both texts are equal, or both NULL. */
bool same_text(const char *first, const char *second);

/* Return whether two cells have the same op, variant and size, so that they differ only in load. */
bool cells_differ_in_load_only(const struct experiment_cell *first,
                               const struct experiment_cell *second);

/* Return the number of calls that all clients have in flight; in an open loop, its maximum. */
double cell_in_flight(const struct cell_setting *setting);

/* Write CELL's op to OUT, with CELL's size if the op moves data: "read 64Ki". Returns OUT. */
enum { CELL_NAME_SIZE = 48 };
const char *cell_name(const struct experiment_cell *cell, char out[CELL_NAME_SIZE]);
