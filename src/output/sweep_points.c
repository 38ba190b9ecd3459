/* A sweep's points as a table for people. */
#include <inttypes.h>
#include <math.h>

#include "output/number.h"
#include "output/sweep.h"
#include "output/table.h"
#include "output/terminal.h"

const char *sweep_cell(char out[SWEEP_CELL_SIZE], int decimals, double value)
{
    if (isnan(value))
        snprintf(out, SWEEP_CELL_SIZE, "-");
    else if (isinf(value))
        snprintf(out, SWEEP_CELL_SIZE, "no end");
    else
        snprintf(out, SWEEP_CELL_SIZE, "%.*f", decimals, value);
    return out;
}

const char *sweep_bracket(char out[SWEEP_CELL_SIZE], const struct interval *interval, int decimals)
{
    char low[SWEEP_CELL_SIZE], high[SWEEP_CELL_SIZE];

    out[0] = '\0';
    if (!isnan(interval->estimate) && interval->low < interval->high)
        snprintf(out, SWEEP_CELL_SIZE, "[%.20s, %.20s]", sweep_cell(low, decimals, interval->low),
                 sweep_cell(high, decimals, interval->high));
    return out;
}

static bool is_open_loop(const struct sweep *sweep)
{
    return sweep->swept_rate || sweep->objective_text ||
           (sweep->point_count > 0 && sweep->points[0].setting.rate > 0);
}

static bool moves_data(const struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->point_count; i++)
        if (isfinite(sweep->points[i].intervals[SWEEP_MEGABYTES].estimate))
            return true;
    return false;
}

static bool is_closed_loop(const struct sweep *sweep)
{
    return !is_open_loop(sweep);
}

static bool has_clients(const struct sweep *sweep)
{
    return sweep->swept_clients;
}

static bool has_depth(const struct sweep *sweep)
{
    return sweep->swept_depth;
}

static bool has_size(const struct sweep *sweep)
{
    return sweep->swept_size;
}

static bool has_rate(const struct sweep *sweep)
{
    return sweep->swept_rate || sweep->objective_text;
}

static bool is_search(const struct sweep *sweep)
{
    return sweep->objective_text;
}

static bool is_no_search(const struct sweep *sweep)
{
    return !is_search(sweep);
}

/* A probe is one trial, which gives no interval. */
static bool has_open_intervals(const struct sweep *sweep)
{
    return is_open_loop(sweep) && is_no_search(sweep);
}

/* A column, and how its cells are printed. */
struct column {
    struct table_column shape;
    bool (*applies)(const struct sweep *sweep); /* NULL: to all */
    void (*print)(const struct column *column, const struct sweep_point *point,
                  struct table *table);
    enum sweep_figure figure; /* for those that print one */
    int decimals;
};

static void print_clients(const struct column *column, const struct sweep_point *point,
                          struct table *table)
{
    table_cell(table, "%u", point->setting.clients);
}

static void print_depth(const struct column *column, const struct sweep_point *point,
                        struct table *table)
{
    table_cell(table, "%u", point->setting.depth);
}

static void print_size(const struct column *column, const struct sweep_point *point,
                       struct table *table)
{
    table_cell(table, "%" PRIu32, point->setting.size);
}

static void print_rate(const struct column *column, const struct sweep_point *point,
                       struct table *table)
{
    table_cell(table, "%.0f", point->setting.rate);
}

static void print_throughput(const struct column *column, const struct sweep_point *point,
                             struct table *table)
{
    table_cell(table, "%.0f", point->intervals[SWEEP_THROUGHPUT].estimate);
}

static void print_figure(const struct column *column, const struct sweep_point *point,
                         struct table *table)
{
    char text[SWEEP_CELL_SIZE];

    table_cell(table, "%s",
               sweep_cell(text, column->decimals, point->intervals[column->figure].estimate));
}

static void print_throughput_interval(const struct column *column, const struct sweep_point *point,
                                      struct table *table)
{
    char range[SWEEP_CELL_SIZE];

    table_cell(table, "%s", sweep_bracket(range, &point->intervals[SWEEP_THROUGHPUT], 0));
}

static void print_us(const struct column *column, const struct sweep_point *point,
                     struct table *table)
{
    char text[SWEEP_CELL_SIZE];

    table_cell(table, "%s",
               sweep_cell(text, column->decimals, us(point->intervals[column->figure].estimate)));
}

static void print_us_interval(const struct column *column, const struct sweep_point *point,
                              struct table *table)
{
    const struct interval *ns = &point->intervals[column->figure];
    const struct interval in_us = {us(ns->estimate), us(ns->low), us(ns->high)};
    char range[SWEEP_CELL_SIZE];

    table_cell(table, "%s", sweep_bracket(range, &in_us, column->decimals));
}

static void print_share(const struct column *column, const struct sweep_point *point,
                        struct table *table)
{
    char text[SWEEP_CELL_SIZE];

    table_cell(table, "%s %%",
               sweep_cell(text, column->decimals, 100 * point->intervals[column->figure].estimate));
}

static void print_little(const struct column *column, const struct sweep_point *point,
                         struct table *table)
{
    if (point->has_little && point->little.verdict == LITTLE_HOLDS)
        table_cell(table, "holds");
    else if (point->has_little)
        table_cell(table, "%+.1f %%", 100 * point->little.discrepancy.estimate);
    else
        table_cell(table, "-");
}

static void print_answer(const struct column *column, const struct sweep_point *point,
                         struct table *table)
{
    table_cell(table, "%s",
               point->answer == OBJECTIVE_HELD     ? "yes"
               : point->answer == OBJECTIVE_FAILED ? "no"
                                                   : "no answer");
}

static void print_bottleneck(const struct column *column, const struct sweep_point *point,
                             struct table *table)
{
    table_cell(table, "%s", bottleneck_name(point->bottleneck));
}

/* Given up first is what explains a point, last what it is. */
static const struct column sweep_columns[] = {
    {{"clients", 7, false, 0}, has_clients, .print = print_clients},
    {{"depth", 5, false, 0}, has_depth, .print = print_depth},
    {{"bytes", 8, false, 0}, has_size, .print = print_size},
    {{"rate", 10, false, 0}, has_rate, .print = print_rate},
    {{"calls/s", 10, false, 0}, NULL, .print = print_throughput},
    {{"95 %", 20, true, 6}, is_no_search, .print = print_throughput_interval},
    {{"MB/s", 8, false, 4}, moves_data, print_figure, SWEEP_MEGABYTES, 1},
    {{"typical us", 10, false, 0}, is_closed_loop, print_us, SWEEP_TYPICAL, 2},
    {{"95 %", 18, true, 1}, is_closed_loop, print_us_interval, SWEEP_TYPICAL, 2},
    {{"above null", 10, false, 2}, is_closed_loop, print_us, SWEEP_COST, 2},
    {{"95 %", 18, true, 5}, is_closed_loop, print_us_interval, SWEEP_COST, 2},
    {{"mean us", 9, false, 0}, is_open_loop, print_us, SWEEP_MEAN, 2},
    {{"95 %", 18, true, 1}, has_open_intervals, print_us_interval, SWEEP_MEAN, 2},
    {{"p50", 8, false, 5}, is_open_loop, print_us, SWEEP_P50, 2},
    {{"p99", 8, false, 3}, NULL, print_us, SWEEP_P99, 2},
    {{"CPU us", 7, false, 4}, NULL, print_us, SWEEP_CLIENT_CALL, 3},
    {{"client", 6, false, 7}, NULL, print_share, SWEEP_CLIENT_CPU, 0},
    {{"server", 6, false, 7}, NULL, print_share, SWEEP_SERVER_CPU, 0},
    {{"rx packets", 10, false, 10}, has_size, print_figure, SWEEP_PACKETS, 2},
    {{"rx bytes", 9, false, 10}, has_size, print_figure, SWEEP_BYTES, 0},
    {{"interrupts", 10, false, 11}, has_size, print_figure, SWEEP_INTERRUPTS, 2},
    {{"NET_RX", 6, false, 11}, has_size, print_figure, SWEEP_NET_RX, 2},
    {{"turn us", 7, false, 9}, is_closed_loop, print_us, SWEEP_TURN_AROUND, 2},
    {{"Little", 7, false, 8}, is_closed_loop, .print = print_little},
    {{"late p99", 8, false, 4}, is_open_loop, print_us, SWEEP_LATE, 1},
    {{"held", 9, true, 0}, is_search, .print = print_answer},
    {{"limited by", 10, true, 0}, is_no_search, .print = print_bottleneck},
};

enum { COLUMNS = sizeof sweep_columns / sizeof sweep_columns[0] };

struct point_table {
    struct table table;
    struct table_column shapes[COLUMNS];
    const struct column *columns[COLUMNS];
    size_t count, settings; /* the first columns say what a point is */
};

static void begin_points(struct point_table *points, const struct sweep *sweep, FILE *out)
{
    points->count = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (sweep_columns[i].applies && !sweep_columns[i].applies(sweep))
            continue;
        if (sweep_columns[i].print == print_throughput)
            points->settings = points->count;
        points->shapes[points->count] = sweep_columns[i].shape;
        points->columns[points->count++] = &sweep_columns[i];
    }
    table_begin(&points->table, points->shapes, points->count, terminal_width(out), out);
    fputc('\n', out);
    table_headings(&points->table);
}

static void print_point(struct point_table *points, const struct sweep_point *point)
{
    const size_t known = point->repeats > 0 ? points->count : points->settings;
    char remark[64] = "";

    for (size_t i = 0; i < known; i++)
        points->columns[i]->print(points->columns[i], point, &points->table);
    if (point->repeats == 0)
        snprintf(remark, sizeof remark, "can't be reached");
    else if (point->invalid)
        snprintf(remark, sizeof remark, "(%zu of %zu trials invalid)", point->invalid,
                 point->repeats);
    table_end_row(&points->table, remark);
}

void sweep_print_points(const struct sweep *sweep, FILE *out)
{
    struct point_table points;

    begin_points(&points, sweep, out);
    for (size_t i = 0; i < sweep->point_count; i++)
        print_point(&points, &sweep->points[i]);
}
