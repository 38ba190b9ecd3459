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

/* The result in a file that was not left out. */
struct history_result {
    const char *path, *start, *target;
    time_t started;
    uint64_t seed;
    enum verdict verdict;
};

/* A file that was left out, and the reason. */
struct history_left_out {
    const char *path, *reason;
};

/* A change of the level, and the first result after it. */
struct history_change {
    struct change change;
    const struct history_result *result;
    /* the change counts: the series is judged, and RESULT is among the series' N last results
       (--last N) */
    bool recent;
};

struct history_point {
    const struct history_result *result;
    struct interval value; /* the series' quantity in this result, ns; ends are NAN if unknown */
    /* the change whose first result is this point; NULL: none */
    const struct history_change *change;
};

/* A quantity of an op over time, from results with the same settings. */
struct history_series {
    const char *op;
    const char *settings;          /* the settings as text: "self: over TCP, engine wire, ..." */
    const char *size;              /* settings that only some ops have: "4096 bytes"; "" for none */
    enum result_quantity quantity; /* quantity of the values */
    /* a recent change of the series sets the history's CHANGED; false for null and local files,
     * unless --op names them */
    bool judged;
    bool enough; /* the series has enough results for a change to be found */
    struct history_point *points;
    size_t count; /* number of POINTS, which are in the order of time */
    struct history_change *changes;
    size_t change_count;
};

struct history {
    size_t room; /* capacity of RESULTS, of LEFT_OUT, and of each series' POINTS */
    struct history_result *results;
    size_t result_count;
    struct history_left_out *left_out;
    size_t left_out_count;
    struct history_series series[HISTORY_SERIES]; /* series of the same settings are adjacent */
    size_t series_count;
    /* significance level of each series: 5 % divided by the number of judged series with 2 x
     * CHANGES_LEAST results or more, but not less than 0.001 */
    double significance;
    size_t enough; /* minimum number of results in which a change can be found */
    size_t last;   /* number of latest results in which changes count; 0: --last was not given */
    /* a judged series has a change among its LAST latest results; false without --last */
    bool changed;
    struct arena arena; /* memory of texts and results */
};

/* Return whether tables and picture show SERIES: a series of mean costs or p99 only if it has a
 * change. JSON and CSV contain all series. */
bool history_is_shown(const struct history_series *series);

/* Initialize HISTORY for up to CHANGES_VALUES files. Returns 0 or -ENOMEM. The caller must release
 * HISTORY's arena in both cases. */
int history_begin(struct history *history, struct error *error);

/* Record that the file PATH is left out for REASON. */
void history_leave_out(struct history *history, const char *path, const char *reason);

/* Add RESULT's ops to the series with RESULT's settings. WANTED names the ops, separated by commas
 * (NULL: all). The null control is never added. RESULT is left out if it is invalid, has no start
 * time, or if its run was added before. Returns 0, -E2BIG (ERROR_USAGE) for too many series, or
 * -ENOMEM. */
int history_add(struct history *history, const struct result *result, const char *wanted,
                struct error *error);

/* Find all series' changes, and set SIGNIFICANCE, ENOUGH and CHANGED. Returns 0 or -ENOMEM. */
int history_find_changes(struct history *history, struct error *error);

/* Draw into PICTURE the first PLOT_PANELS shown series of HISTORY, each in a panel: results with
 * intervals, means between changes, and changes. Returns what panels_draw() returns. */
int history_draw(const struct history *history, const struct plot_output *output,
                 struct bytes *picture, struct error *error);

extern const struct view view_history;
