/* A sweep: what a run over a range of loads, or of sizes, found at each point, and what that
 * teaches. Filled in by cli/. Times are in ns unless a name says otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/load_point.h"
#include "measure/objective.h"
#include "measure/piecewise.h"
#include "measure/scalability.h"
#include "measure/validity.h"
#include "output/fields.h"
#include "output/origin.h"
#include "output/view.h"

/* What one trial of a point found. */
enum sweep_figure {
    SWEEP_THROUGHPUT,  /* calls per second */
    SWEEP_MEAN,        /* latency; in an open loop the response time */
    SWEEP_TYPICAL,     /* the same: the median over rounds of the blocks' trimmed means */
    SWEEP_NULL,        /* that of the null calls in the same rounds; NAN in an open loop */
    SWEEP_COST,        /* above null: the median of the rounds' differences; likewise */
    SWEEP_TURN_AROUND, /* the mean time from a reply to the next call in its place; NAN: unknown */
    SWEEP_P50,
    SWEEP_P90,
    SWEEP_P99,
    SWEEP_P999,
    SWEEP_MAXIMUM,
    /* While the op's blocks ran, and not between them; NAN: unknown. */
    SWEEP_CLIENT_CPU,    /* share of the processors that its threads may use; NAN: spins */
    SWEEP_CLIENT_THREAD, /* share of one processor, by its busiest thread; likewise */
    SWEEP_SERVER_CPU,    /* processors' worth */
    SWEEP_SERVER_SHARE,  /* the same, of the processors that it may use */
    SWEEP_SERVER_THREAD, /* share of one processor, by its busiest thread */
    SWEEP_BOTH_CPUS,     /* client and server together, processors' worth */
    SWEEP_LINK,          /* share of its speed */
    SWEEP_CLIENT_CALL,   /* client CPU per call */
    SWEEP_LATE,          /* the sender's lateness, p99; NAN in a closed loop */
    SWEEP_MEGABYTES,     /* of file data, 10^6 bytes a second; NAN: none */
    /* Per call, of the client's machine and whatever else it does; NAN: unknown. */
    SWEEP_PACKETS,    /* received by the busiest interface; of loopback: in both directions */
    SWEEP_BYTES,      /* likewise */
    SWEEP_INTERRUPTS, /* of hardware */
    SWEEP_NET_RX,     /* soft interrupts */
    SWEEP_FIGURES,
};

/* For programs: "throughput_per_s", "mean_ns". */
const char *sweep_figure_name(enum sweep_figure figure);

enum { SWEEP_REPEATS_MAXIMUM = 64, SWEEP_POINTS_MAXIMUM = 1024 };

/* What a point is. */
struct sweep_setting {
    unsigned clients, connections, depth;
    uint32_t size;
    double rate; /* 0: closed loop */
};

struct sweep_point {
    struct sweep_setting setting;
    double figures[SWEEP_FIGURES][SWEEP_REPEATS_MAXIMUM];
    size_t repeats;
    bool out_of_reach;                   /* its rate */
    enum objective_answer answer;        /* of a probe: was the objective held? */
    size_t order[SWEEP_REPEATS_MAXIMUM]; /* of each trial, how many of the sweep came before */
    size_t invalid;                      /* of them, trials whose own verdict was that */
    struct interval intervals[SWEEP_FIGURES];
    bool has_little;
    struct little little;
    enum bottleneck bottleneck;
};

/* What the points of one size and rate teach about concurrency. */
struct sweep_scaling {
    uint32_t size;
    bool has_law, has_knee;
    char missing[256]; /* why there is no law; "" */
    struct scalability law;
    struct knee knee;
};

/* What the points of one concurrency teach about size. */
struct sweep_sizes {
    unsigned clients, depth;
    bool above_null;   /* else COST is the typical time of a call */
    char missing[256]; /* why COST has no pieces; "" */
    size_t piece_count;
    struct piecewise cost;
};

/* What became of the probes of a search. */
struct sweep_probes {
    size_t repeated;       /* trials without an answer that were made again */
    size_t without_answer; /* probes that got none in the end */
    uint64_t calls_wanted; /* in a probe */
    uint64_t calls_least;  /* that one had */
};

enum { SWEEP_GROUPS_MAXIMUM = 64 };

struct sweep {
    struct origin origin;
    const char *op, *engine;
    const char *client_cpus;
    double trial_seconds; /* 0: COUNT calls each */
    uint64_t trial_calls;
    bool swept_clients, swept_depth, swept_size, swept_rate;
    double full_rate; /* what 100 % of --rate is; 0: not asked for */
    struct sweep_point *points;
    size_t point_count;
    size_t trials_planned, trials_done;
    const char *cut_short_by; /* the line that says why; NULL */
    struct sweep_scaling scaling[SWEEP_GROUPS_MAXIMUM];
    size_t scaling_count;
    struct sweep_sizes sizes[SWEEP_GROUPS_MAXIMUM];
    size_t sizes_count;
    const char *objective_text; /* of --find-max; NULL: none */
    struct objective_result objective;
    struct sweep_probes probes; /* likewise */
    struct validity validity;
};

extern const struct view view_sweep;

/* Read its JSON back from ROOT into SWEEP, which is zeroed: everything but its origin, which a
 * struct result has (output/result_file.h). */
void sweep_read(struct json_reader *reader, const json_t *root, struct sweep *sweep);

/* What a security ladder has, too. */

/* The field of FIGURE, called NAME, of a structure TYPE that has the members FIGURES, INTERVALS and
 * REPEATS of struct sweep_point; and reading a table of such FIGURES. */
#define SWEEP_FIGURE(type, name, figure)                                                           \
    {                                                                                              \
        name, FIELD_OBJECT, .fields = (const struct field[])                                       \
        {                                                                                          \
            {"level", FIELD_INTERVAL, FIELD_AT(type, intervals[figure])},                          \
                {"trials", FIELD_ARRAY,                                                            \
                 FIELD_VALUES(type, figures[figure], repeats, sweep_trial_fields)},                \
                FIELD_END                                                                          \
        }                                                                                          \
    }
extern const struct field sweep_trial_fields[];
void sweep_read_figures(struct json_reader *reader, const json_t *from, const struct field *figures,
                        void *object);

extern const struct field sweep_sizes_fields[]; /* of struct sweep_sizes */

/* What is said of a piece that is on no line, and when. */
#define SWEEP_NO_LINE    "on no line: off it by up to {misfit_ns/1000:3} us beyond the noise"
#define SWEEP_IS_NO_LINE "!fixed_ns|!ns_per_byte"

/* Behind a point: how many trials were invalid. */
#define SWEEP_INVALID_TRIALS                                                                       \
    {                                                                                              \
        "({invalid_trials} of {trials} trials invalid)", .when = "invalid_trials"                  \
    }
