/* Results of one server over time. */
#pragma once

#include <stdbool.h>
#include <time.h>

#include "common/memory.h"
#include "history/changes.h"
#include "measure/validity.h"
#include "output/result/result.h"
#include "output/view/view.h"
#include "picture/plot.h"

enum { HISTORY_SERIES = 512 };

/* A file that was read. */
struct history_result {
    const char *path, *start, *target;
    time_t started;
    uint64_t seed;
    enum verdict verdict;
};

/* A file that is in no series. */
struct history_left_out {
    const char *path, *reason;
};

/* Where the level changed, and the first result after it. */
struct history_change {
    struct change change;
    const struct history_result *result;
    bool recent; /* among the last results that count */
};

struct history_point {
    const struct history_result *result;
    struct interval value;               /* ns; its ends are NAN where they are not known */
    const struct history_change *change; /* with which it begins; NULL: none */
};

/* A quantity of an op over time, measured in one way. */
struct history_series {
    const char *op;
    const char *settings;          /* in words: "self: over TCP, engine wire, ..." */
    const char *size;              /* of what it transfers: "4096 bytes"; "" for ops without */
    enum result_quantity quantity; /* that the values are */
    bool judged;                   /* a change of it counts: not of null calls, unless asked for */
    bool enough;                   /* it has as many results as a change needs to be found */
    struct history_point *points;
    size_t count; /* points in the order of time */
    struct history_change *changes;
    size_t change_count;
};

struct history {
    size_t room; /* for results, for files left out, and for the points of each series */
    struct history_result *results; /* as they were given */
    size_t result_count;
    struct history_left_out *left_out;
    size_t left_out_count;
    struct history_series series[HISTORY_SERIES]; /* those of the same settings together */
    size_t series_count;
    double significance; /* of each series; 5 % of all together */
    size_t enough;       /* results that a series needs for a change to be found */
    size_t last;         /* how many results back changes count; 0: not asked */
    bool changed;        /* among these */
    struct arena arena;  /* texts and results */
};

/* Is SERIES shown to people? One of mean costs, or of p99, is if it changed; files have all. */
bool history_is_shown(const struct history_series *series);

/* Make HISTORY empty, with room for all files that there may be. 0 or -ENOMEM; release its arena
 * after either. */
int history_begin(struct history *history, struct error *error);

/* Record that the file PATH is left out, and why. */
void history_leave_out(struct history *history, const char *path, const char *reason);

/* Add those of RESULT's ops that WANTED names (separated by commas; NULL: all) to the series of
 * their settings. A result that is invalid, that does not say when it started, or that was added
 * before is left out. 0, -E2BIG (ERROR_USAGE) for too many series, or -ENOMEM. */
int history_add(struct history *history, const struct result *result, const char *wanted,
                struct error *error);

/* Find the changes of all series. 0 or -ENOMEM. */
int history_find_changes(struct history *history, struct error *error);

/* Draw the first PLOT_PANELS series of HISTORY, a panel for each: the results with their intervals,
 * the means between changes, and the changes. Returns as gnuplot_run(). */
int history_draw(const struct history *history, const struct plot_output *output,
                 struct bytes *picture, struct error *error);

extern const struct view view_history;
