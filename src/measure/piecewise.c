#include "measure/piecewise.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PIECES_MAXIMUM = PIECEWISE_BREAKS_MAXIMUM + 1 };

struct piecewise_line {
    double fixed, slope;
    double squares; /* of the relative errors */
};

/* The pieces of a fit: FIRST[i] is the first point of piece i, FIRST[pieces] the number of points.
 */
struct piecewise_pieces {
    size_t first[PIECES_MAXIMUM + 1];
    struct piecewise_line line[PIECES_MAXIMUM];
};

/* COUNT points, with memory for what is found. */
struct piecewise_search {
    size_t count;
    double sizes[PIECEWISE_POINTS_MAXIMUM], scales[PIECEWISE_POINTS_MAXIMUM]; /* of errors */
    double drop; /* share of the scale by which noise may let a piece begin lower */
    struct piecewise_line lines[PIECEWISE_POINTS_MAXIMUM]
                               [PIECEWISE_POINTS_MAXIMUM]; /* through the points i to j */
    double best[PIECES_MAXIMUM]
               [PIECEWISE_POINTS_MAXIMUM]; /* sum of squares of points 0 to j with k breaks */
    size_t first[PIECES_MAXIMUM][PIECEWISE_POINTS_MAXIMUM]; /* of their last piece */
};

/* The points */

static int by_size(const void *a, const void *b)
{
    double first = ((const struct piecewise_point *)a)->size;
    double second = ((const struct piecewise_point *)b)->size;

    return (first > second) - (first < second);
}

void piecewise_sort(struct piecewise_point *points, size_t count)
{
    qsort(points, count, sizeof *points, by_size);
}

/* Lines */

enum { PIECE_POINTS_LEAST = 2 };

/* Sums over the points of a line, weighted by 1 / scale^2; sizes are relative to the first point's.
 */
struct sums {
    double origin;
    double weight, size, size_size, cost, size_cost, cost_cost;
    size_t count;
};

static void add_point(struct sums *sums, double size, double cost, double scale)
{
    double weight = 1 / (scale * scale), x = size - sums->origin;

    sums->weight += weight;
    sums->size += weight * x;
    sums->size_size += weight * x * x;
    sums->cost += weight * cost;
    sums->size_cost += weight * x * cost;
    sums->cost_cost += weight * cost * cost;
    sums->count++;
}

/* The best line with a slope of 0. */
static struct piecewise_line find_level(const struct sums *sums)
{
    double fixed = fmax(sums->cost / sums->weight, 0);

    return (struct piecewise_line){
        fixed, 0, sums->cost_cost - 2 * fixed * sums->cost + fixed * fixed * sums->weight};
}

/* The best line with a fixed cost of 0. */
static struct piecewise_line find_slope(const struct sums *sums)
{
    double origin = sums->origin;
    double size_cost = sums->size_cost + origin * sums->cost;
    double size_size = sums->size_size + 2 * origin * sums->size + origin * origin * sums->weight;
    double slope = fmax(size_cost / size_size, 0);

    return (struct piecewise_line){
        0, slope, sums->cost_cost - 2 * slope * size_cost + slope * slope * size_size};
}

/* The least squares line through two or more points with nonnegative coefficients. */
static struct piecewise_line find_line(const struct sums *sums)
{
    double determinant = sums->weight * sums->size_size - sums->size * sums->size;
    double slope = (sums->weight * sums->size_cost - sums->size * sums->cost) / determinant;
    double at_origin = (sums->cost - slope * sums->size) / sums->weight;
    double squares = sums->cost_cost - at_origin * sums->cost - slope * sums->size_cost;
    struct piecewise_line line = {at_origin - slope * sums->origin, slope, fmax(squares, 0)};

    if (line.fixed < 0 || line.slope < 0) {
        struct piecewise_line level = find_level(sums);

        line = find_slope(sums);
        if (level.squares < line.squares)
            line = level;
    }
    return line;
}

/* The search for the best pieces is dynamic programming over all positions of the breaks. */

static void fill_lines(struct piecewise_search *search, const double *costs)
{
    for (size_t i = 0; i < search->count; i++) {
        struct sums sums = {.origin = search->sizes[i]};

        for (size_t j = i; j < search->count; j++) {
            add_point(&sums, search->sizes[j], costs[j], search->scales[j]);
            search->lines[i][j] = sums.count < PIECE_POINTS_LEAST
                                      ? (struct piecewise_line){0, 0, INFINITY}
                                      : find_line(&sums);
        }
    }
}

/* AFTER minus BEFORE at SIZE. */
static double jump_at(const struct piecewise_line *before, const struct piecewise_line *after,
                      double size)
{
    return after->fixed - before->fixed + (after->slope - before->slope) * size;
}

/* Does the piece from FIRST to LAST begin below the end of the best pieces before it? Not if the
 * lines cross in between, where only the slope changes. */
static bool drops(const struct piecewise_search *search, size_t breaks, size_t first, size_t last)
{
    const struct piecewise_line *after = &search->lines[first][last];
    size_t begin = search->first[breaks - 1][first - 1];
    const struct piecewise_line *before = &search->lines[begin][first - 1];
    double least = -search->drop * search->scales[first];

    return jump_at(before, after, search->sizes[first - 1]) < least &&
           jump_at(before, after, search->sizes[first]) < least;
}

/* The penalty for a drop in a sum of squares: so large that a fit with a drop is chosen only if
 * there is none without. */
#define DROP_SQUARES 1e9

/* Find the best last piece of points 0 to LAST, with BREAKS breaks before it. */
static void find_last_piece(struct piecewise_search *search, size_t breaks, size_t last)
{
    double *best = &search->best[breaks][last];

    *best = INFINITY;
    for (size_t first = PIECE_POINTS_LEAST; first <= last; first++) {
        double squares = search->best[breaks - 1][first - 1] + search->lines[first][last].squares;

        if (squares < *best && drops(search, breaks, first, last))
            squares += DROP_SQUARES;
        if (squares < *best) {
            *best = squares;
            search->first[breaks][last] = first;
        }
    }
}

/* Find the best places for up to BREAKS breaks in COSTS, one for each of SEARCH's sizes. */
static void find_places(struct piecewise_search *search, const double *costs, size_t breaks)
{
    fill_lines(search, costs);
    for (size_t last = 0; last < search->count; last++) {
        search->best[0][last] = search->lines[0][last].squares;
        search->first[0][last] = 0;
    }
    for (size_t k = 1; k <= breaks; k++)
        for (size_t last = 0; last < search->count; last++)
            find_last_piece(search, k, last);
}

/* The pieces that were found for BREAKS. */
static void find_pieces(const struct piecewise_search *search, size_t breaks,
                        struct piecewise_pieces *pieces)
{
    size_t end = search->count;

    pieces->first[breaks + 1] = end;
    for (size_t k = breaks + 1; k-- > 0;) {
        size_t first = search->first[k][end - 1];

        pieces->first[k] = first;
        pieces->line[k] = search->lines[first][end - 1];
        end = first;
    }
}

/* The number of breaks */

/* The relative variance of a point's level, from the median absolute deviation of its repeats, so
 * that disturbed repeats don't hide the breaks; the variance of a median is pi/2 times that of a
 * mean. 0 if no point has two repeats. */
static double noise_variance(const double *levels, const double *scales,
                             const struct piecewise_point *points, size_t count, double *scratch)
{
    size_t n = 0;
    double sigma;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < points[i].cost.count; k++)
            scratch[n++] = fabs(points[i].cost.values[k] - levels[i]) / scales[i];
    if (n == count)
        return 0;
    sigma = 1.4826 * estimate_median(scratch, n); /* of a normal distribution */
    return sigma * sigma * (double)n / (double)(n - count) * M_PI_2 * (double)count / (double)n;
}

static size_t most_breaks(size_t count)
{
    size_t breaks = (count - PIECEWISE_POINTS_LEAST) / 3; /* fewer parameters than points */

    return breaks < PIECEWISE_BREAKS_MAXIMUM ? breaks : PIECEWISE_BREAKS_MAXIMUM;
}

static size_t choose_breaks(const struct piecewise_search *search, double noise)
{
    double least = INFINITY, evidence = (double)search->count;
    size_t chosen = 0;

    for (size_t breaks = 0; breaks <= most_breaks(search->count); breaks++) {
        double misfit = search->best[breaks][search->count - 1] / (double)search->count;
        double variance = misfit + noise + PIECEWISE_RESOLUTION * PIECEWISE_RESOLUTION;
        double criterion = evidence * log(variance) + 3 * (double)breaks * log(evidence);

        if (criterion < least) {
            least = criterion;
            chosen = breaks;
        }
    }
    return chosen;
}

/* The replicates: the pieces fitted to each row of levels. */

struct rows {
    double fixed[PIECES_MAXIMUM][LEVELS_ROWS], slope[PIECES_MAXIMUM][LEVELS_ROWS];
    double size[PIECEWISE_BREAKS_MAXIMUM][LEVELS_ROWS], next[PIECEWISE_BREAKS_MAXIMUM][LEVELS_ROWS];
    double jump[PIECEWISE_BREAKS_MAXIMUM][LEVELS_ROWS];
};

static void keep(struct rows *rows, size_t row, const struct piecewise_search *search,
                 const struct piecewise_pieces *pieces, size_t breaks)
{
    for (size_t i = 0; i <= breaks; i++) {
        rows->fixed[i][row] = pieces->line[i].fixed;
        rows->slope[i][row] = pieces->line[i].slope;
    }
    for (size_t i = 0; i < breaks; i++) {
        const struct piecewise_line *before = &pieces->line[i], *after = before + 1;
        double size = search->sizes[pieces->first[i + 1] - 1];
        double next = search->sizes[pieces->first[i + 1]];

        rows->size[i][row] = size;
        rows->next[i][row] = next;
        rows->jump[i][row] = jump_at(before, after, (size + next) / 2);
    }
}

/* Positions are measured sizes, so their interval is not widened. */
static void place_interval(double *size, double *next, struct interval *interval)
{
    interval->estimate = size[0];
    estimate_sort(size + 1, ESTIMATE_REPLICATES);
    estimate_sort(next + 1, ESTIMATE_REPLICATES);
    interval->low = fmin(estimate_quantile(size + 1, ESTIMATE_REPLICATES, 0.025), size[0]);
    interval->high = fmax(estimate_quantile(next + 1, ESTIMATE_REPLICATES, 0.975), next[0]);
}

/* The largest distance of the points FIRST to END - 1 from LINE, beyond their own noise. */
static double misfit(const struct piecewise_search *search, const struct levels *levels,
                     const struct piecewise_line *line, size_t first, size_t end)
{
    double most = 0;

    for (size_t i = first; i < end; i++) {
        double off = fabs(levels_row(levels, 0)[i] - line->fixed - line->slope * search->sizes[i]);

        most = fmax(most, off - 2 * levels_deviation(levels, i) -
                              PIECEWISE_RESOLUTION * search->scales[i]);
    }
    return most;
}

static void judge_piece(struct piecewise_piece *piece)
{
    piece->fixed_known = piece->misfit_ns <= interval_half_width(&piece->fixed_ns);
    piece->slope_known =
        piece->misfit_ns <= interval_half_width(&piece->ns_per_byte) * (piece->last - piece->first);
}

static void describe(struct piecewise *piecewise, const struct piecewise_search *search,
                     const struct levels *levels, const struct piecewise_pieces *pieces,
                     struct rows *rows)
{
    for (size_t i = 0; i <= piecewise->breaks; i++) {
        struct piecewise_piece *piece = &piecewise->piece[i];

        piece->first = search->sizes[pieces->first[i]];
        piece->last = search->sizes[pieces->first[i + 1] - 1];
        piece->fixed_ns = levels_fitted(levels, rows->fixed[i]);
        piece->ns_per_byte = levels_fitted(levels, rows->slope[i]);
        piece->fixed_ns.low = fmax(piece->fixed_ns.low, 0);
        piece->ns_per_byte.low = fmax(piece->ns_per_byte.low, 0);
        piece->misfit_ns =
            misfit(search, levels, &pieces->line[i], pieces->first[i], pieces->first[i + 1]);
        judge_piece(piece);
    }
    for (size_t i = 0; i < piecewise->breaks; i++) {
        struct piecewise_break *at = &piecewise->at[i];

        at->next = rows->next[i][0];
        at->jump_ns = levels_fitted(levels, rows->jump[i]);
        place_interval(rows->size[i], rows->next[i], &at->size);
    }
}

static void find_residual(struct piecewise *piecewise, const struct piecewise_search *search,
                          const double *levels, const struct piecewise_pieces *pieces)
{
    piecewise->residual_largest = -1;
    for (size_t i = 0; i <= piecewise->breaks; i++) {
        for (size_t k = pieces->first[i]; k < pieces->first[i + 1]; k++) {
            double fitted = pieces->line[i].fixed + pieces->line[i].slope * search->sizes[k];
            double residual = fabs(fitted - levels[k]) / search->scales[k];

            if (residual > piecewise->residual_largest) {
                piecewise->residual_largest = residual;
                piecewise->residual_size = search->sizes[k];
            }
        }
    }
}

static void fit(struct piecewise *piecewise, struct piecewise_search *search,
                const struct levels *levels, const struct piecewise_point *points,
                struct rows *rows, double *scratch)
{
    const double *costs = levels_row(levels, 0);
    double noise = noise_variance(costs, search->scales, points, search->count, scratch);
    struct piecewise_pieces pieces, resampled;

    search->drop = PIECEWISE_RESOLUTION + 2 * sqrt(noise);

    find_places(search, costs, most_breaks(search->count));
    piecewise->breaks = choose_breaks(search, noise);
    find_pieces(search, piecewise->breaks, &pieces);
    keep(rows, 0, search, &pieces, piecewise->breaks);
    find_residual(piecewise, search, costs, &pieces);
    for (size_t row = 1; row < LEVELS_ROWS; row++) {
        costs = levels_row(levels, row);
        find_places(search, costs, piecewise->breaks);
        find_pieces(search, piecewise->breaks, &resampled);
        keep(rows, row, search, &resampled, piecewise->breaks);
    }
    describe(piecewise, search, levels, &pieces, rows);
}

static int check_costs(const struct piecewise_point *point, struct error *error)
{
    for (size_t i = 0; i < point->cost.count; i++)
        if (!isfinite(point->cost.values[i]) || (!(point->scale > 0) && point->cost.values[i] <= 0))
            return error_set(error, ERROR_FAILED, -EINVAL, "a cost at size %g is not above 0",
                             point->size);
    return 0;
}

static int check(const struct piecewise_point *points, size_t count, struct error *error)
{
    int code = 0;

    if (count < PIECEWISE_POINTS_LEAST)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "the cost over the size needs at least %d sizes; there are %zu",
                         PIECEWISE_POINTS_LEAST, count);
    if (count > PIECEWISE_POINTS_MAXIMUM)
        return error_set(error, ERROR_FAILED, -E2BIG,
                         "the cost over the size takes at most %d sizes; there are %zu",
                         PIECEWISE_POINTS_MAXIMUM, count);
    for (size_t i = 0; code == 0 && i < count; i++) {
        bool ascends = i == 0 ? points[i].size >= 0 : points[i].size > points[i - 1].size;

        if (!ascends || !isfinite(points[i].size))
            return error_set(error, ERROR_FAILED, -EINVAL, "size %g is not above the one before",
                             points[i].size);
        code = check_costs(&points[i], error);
    }
    return code;
}

/* What a fit needs besides its arguments. */
struct workspace {
    struct piecewise_search search;
    struct rows rows;
    double scratch[]; /* as many as there are repeats */
};

static struct workspace *open_workspace(const struct piecewise_point *points, size_t count)
{
    struct workspace *workspace;
    size_t values = 0;

    for (size_t i = 0; i < count; i++)
        values += points[i].cost.count;
    workspace = calloc(1, sizeof *workspace + values * sizeof workspace->scratch[0]);
    if (!workspace)
        return NULL;
    workspace->search.count = count;
    for (size_t i = 0; i < count; i++)
        workspace->search.sizes[i] = points[i].size;
    return workspace;
}

int piecewise_fit(const struct piecewise_point *points, size_t count, uint64_t seed,
                  struct piecewise *piecewise, struct error *error)
{
    struct workspace *workspace;
    struct levels levels;
    int code = check(points, count, error);

    if (code)
        return code;
    workspace = open_workspace(points, count);
    if (!workspace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu sizes", count);
    code = levels_resample(&levels, &points->cost, sizeof *points, count, seed, error);
    if (code == 0) {
        for (size_t i = 0; i < count; i++)
            workspace->search.scales[i] =
                points[i].scale > 0 ? points[i].scale : levels_row(&levels, 0)[i];
        fit(piecewise, &workspace->search, &levels, points, &workspace->rows, workspace->scratch);
        levels_free(&levels);
    }
    free(workspace);
    return code;
}
