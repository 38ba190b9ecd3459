#include "experiment/laws/piecewise.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PIECES_MAXIMUM = PIECEWISE_BREAKS_MAXIMUM + 1 };

struct piecewise_line {
    double fixed, slope;
    double squares; /* sum of squares of the relative errors */
};

/* The pieces of a fit. FIRST[i] is the index of piece i's first point; after the last piece, the
 * number of points. */
struct piecewise_pieces {
    size_t first[PIECES_MAXIMUM + 1];
    struct piecewise_line line[PIECES_MAXIMUM];
};

/* Points of a fit, and the memory of the search. */
struct piecewise_search {
    size_t count;
    /* SCALES: divisors of errors, ns */
    double sizes[PIECEWISE_POINTS_MAXIMUM], scales[PIECEWISE_POINTS_MAXIMUM];
    double drop; /* noise may lower the beginning of a piece by this share of the scale */
    /* LINES[i][j]: line through points i to j. */
    struct piecewise_line lines[PIECEWISE_POINTS_MAXIMUM][PIECEWISE_POINTS_MAXIMUM];
    /* BEST[k][j]: sum of squares of the best fit of points 0 to j with k breaks. */
    double best[PIECES_MAXIMUM][PIECEWISE_POINTS_MAXIMUM];
    /* FIRST[k][j]: first point of the last piece in the fit of BEST[k][j] */
    size_t first[PIECES_MAXIMUM][PIECEWISE_POINTS_MAXIMUM];
};

/* Lines */

enum { PIECE_POINTS_LEAST = 2 };

/* Sums over the points of a line, weighted by 1 / scale^2. Sizes are relative to ORIGIN. */
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

/* Return the least squares line with a slope of 0 and a fixed cost of at least 0. */
static struct piecewise_line find_level(const struct sums *sums)
{
    double fixed = fmax(sums->cost / sums->weight, 0);

    return (struct piecewise_line){
        fixed, 0, sums->cost_cost - 2 * fixed * sums->cost + fixed * fixed * sums->weight};
}

/* Return the least squares line with a fixed cost of 0 and a slope of at least 0. */
static struct piecewise_line find_slope(const struct sums *sums)
{
    double origin = sums->origin;
    double size_cost = sums->size_cost + origin * sums->cost;
    double size_size = sums->size_size + 2 * origin * sums->size + origin * origin * sums->weight;
    double slope = fmax(size_cost / size_size, 0);

    return (struct piecewise_line){
        0, slope, sums->cost_cost - 2 * slope * size_cost + slope * slope * size_size};
}

/* Return the least squares line with nonnegative coefficients through two or more points. */
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

/* Search for the best pieces: dynamic programming over all positions of the breaks */

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

static double jump_at(const struct piecewise_line *before, const struct piecewise_line *after,
                      double size)
{
    return after->fixed - before->fixed + (after->slope - before->slope) * size;
}

/* Return whether the piece from point FIRST to LAST begins below the end of the best piece before
 * it, by more than noise; false if the lines cross between the pieces (only the slope changes). */
static bool drops(const struct piecewise_search *search, size_t breaks, size_t first, size_t last)
{
    const struct piecewise_line *after = &search->lines[first][last];
    size_t begin = search->first[breaks - 1][first - 1];
    const struct piecewise_line *before = &search->lines[begin][first - 1];
    double least = -search->drop * search->scales[first];

    return jump_at(before, after, search->sizes[first - 1]) < least &&
           jump_at(before, after, search->sizes[first]) < least;
}

/* Penalty for a fit with a drop, which is therefore chosen only if every fit has a drop. */
#define DROP_SQUARES 1e9

/* Find the best last piece of points 0 to LAST, if BREAKS breaks are before this piece. */
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

/* Find the best positions of up to BREAKS breaks in COSTS, which has a cost for each size. */
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

/* Return the mean relative variance of a point's level, from the median absolute deviation of all
 * repeats from their levels, so that disturbed repeats do not hide breaks. 0 if no point has two
 * repeats. SCRATCH has space for all repeats. */
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
    sigma = 1.4826 * estimate_median(scratch, n); /* standard deviation of normal noise */
    return sigma * sigma * (double)n / (double)(n - count) * (double)count / (double)n;
}

static size_t most_breaks(size_t count)
{
    /* the most breaks with which there are fewer parameters than points */
    size_t breaks = (count - PIECEWISE_POINTS_LEAST) / 3;

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

/* Indices of a fit's figures. */
enum {
    FIXED,                                       /* fixed cost of each piece */
    SLOPE = FIXED + PIECES_MAXIMUM,              /* slope of each piece */
    PLACE = SLOPE + PIECES_MAXIMUM,              /* index of the first point after each break */
    JUMP = PLACE + PIECEWISE_BREAKS_MAXIMUM,     /* jump at each break */
    RESIDUALS = JUMP + PIECEWISE_BREAKS_MAXIMUM, /* level of each point less its line, ns */
};

static void store_figures(double *figures, const struct piecewise_search *search,
                          const struct piecewise_pieces *pieces, size_t breaks,
                          const double *levels)
{
    for (size_t i = 0; i <= breaks; i++) {
        const struct piecewise_line *line = &pieces->line[i];

        figures[FIXED + i] = line->fixed;
        figures[SLOPE + i] = line->slope;
        for (size_t k = pieces->first[i]; k < pieces->first[i + 1]; k++)
            figures[RESIDUALS + k] = levels[k] - line->fixed - line->slope * search->sizes[k];
    }
    for (size_t i = 0; i < breaks; i++) {
        const size_t first = pieces->first[i + 1];
        double middle = (search->sizes[first - 1] + search->sizes[first]) / 2;

        figures[PLACE + i] = (double)first;
        figures[JUMP + i] = jump_at(&pieces->line[i], &pieces->line[i + 1], middle);
    }
}

struct workspace {
    const struct piecewise_point *points;
    struct piecewise_search search;
    struct piecewise_pieces pieces; /* the pieces of the fit to all units */
    size_t breaks;
    double scratch[]; /* memory of noise_variance(): one value per repeat */
};

static void choose_pieces(struct workspace *workspace, const double *levels)
{
    struct piecewise_search *search = &workspace->search;
    double noise;

    for (size_t i = 0; i < search->count; i++)
        search->scales[i] = workspace->points[i].scale > 0 ? workspace->points[i].scale : levels[i];
    noise = noise_variance(levels, search->scales, workspace->points, search->count,
                           workspace->scratch);
    search->drop = PIECEWISE_RESOLUTION + 2 * sqrt(noise);
    find_places(search, levels, most_breaks(search->count));
    workspace->breaks = choose_breaks(search, noise);
    find_pieces(search, workspace->breaks, &workspace->pieces);
}

static int fit_pieces(void *context, const double *levels, bool all, double *figures,
                      struct error *error)
{
    struct workspace *workspace = context;
    struct piecewise_search *search = &workspace->search;
    struct piecewise_pieces pieces;

    if (all)
        choose_pieces(workspace, levels);
    else
        find_places(search, levels, workspace->breaks);
    find_pieces(search, workspace->breaks, &pieces);
    store_figures(figures, search, &pieces, workspace->breaks, levels);
    return 0;
}

/* Return the interval of a break's size. PLACE is the interval of the index of the first point
 * after the break. */
static struct interval place_interval(const struct piecewise_search *search,
                                      const struct interval *place)
{
    size_t low = (size_t)ceil(fmax(place->low - 1e-9, 1));
    size_t high = (size_t)floor(fmin(place->high + 1e-9, (double)(search->count - 1)));

    return (struct interval){search->sizes[(size_t)place->estimate - 1], search->sizes[low - 1],
                             search->sizes[high]};
}

/* Return the largest distance of points FIRST to END - 1 from their line, less noise and
 * PIECEWISE_RESOLUTION x scale, ns; at least 0. */
static double misfit(const struct piecewise_search *search, const struct jackknife *jackknife,
                     size_t first, size_t end)
{
    double most = 0;

    for (size_t i = RESIDUALS + first; i < RESIDUALS + end; i++)
        most = fmax(most, fabs(jackknife->rows[i]) - 2 * jackknife_error(jackknife, i) -
                              PIECEWISE_RESOLUTION * search->scales[i - RESIDUALS]);
    return most;
}

/* Set which coefficients are known. If the noise is unknown, a misfit above
 * PIECEWISE_MISFIT_LEAST_NS makes both coefficients unknown. */
static void judge_piece(struct piecewise_piece *piece)
{
    const double fixed = fmax(interval_half_width(&piece->fixed_ns), 0);
    const double slope = fmax(interval_half_width(&piece->ns_per_byte), 0);
    const double misfit = piece->misfit_ns > PIECEWISE_MISFIT_LEAST_NS ? piece->misfit_ns : 0;

    piece->fixed_known = misfit <= fixed;
    piece->slope_known = misfit <= slope * (piece->last - piece->first);
}

static void describe_pieces(struct piecewise *piecewise, const struct workspace *workspace,
                            const struct jackknife *jackknife)
{
    const struct piecewise_search *search = &workspace->search;
    const size_t *first = workspace->pieces.first;

    piecewise->breaks = workspace->breaks;
    for (size_t i = 0; i <= piecewise->breaks; i++) {
        struct piecewise_piece *piece = &piecewise->piece[i];

        piece->first = search->sizes[first[i]];
        piece->last = search->sizes[first[i + 1] - 1];
        piece->fixed_ns = jackknife_bounded(jackknife, FIXED + i, FIXED + i);
        piece->ns_per_byte = jackknife_bounded(jackknife, SLOPE + i, SLOPE + i);
        piece->misfit_ns = misfit(search, jackknife, first[i], first[i + 1]);
        judge_piece(piece);
    }
    for (size_t i = 0; i < piecewise->breaks; i++) {
        const struct interval place = jackknife_interval(jackknife, PLACE + i);

        piecewise->at[i] =
            (struct piecewise_break){.size = place_interval(search, &place),
                                     .next = search->sizes[first[i + 1]],
                                     .jump_ns = jackknife_interval(jackknife, JUMP + i)};
    }
    piecewise->residual_largest = -1;
    for (size_t i = 0; i < search->count; i++) {
        double residual = fabs(jackknife->rows[RESIDUALS + i]) / search->scales[i];

        if (residual > piecewise->residual_largest) {
            piecewise->residual_largest = residual;
            piecewise->residual_size = search->sizes[i];
        }
    }
}

static int check_costs(const struct piecewise_point *point, struct error *error)
{
    if (point->cost.count == 0)
        return error_set(error, ERROR_FAILED, -EINVAL, "size %g was not measured", point->size);
    for (size_t i = 0; i < point->cost.count; i++)
        if (!isfinite(point->cost.values[i]) || (!(point->scale > 0) && point->cost.values[i] <= 0))
            return error_set(error, ERROR_FAILED, -EINVAL, "a cost at size %g is not above 0",
                             point->size);
    return 0;
}

static int check_points(const struct piecewise_point *points, size_t count, struct error *error)
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
            return error_set(error, ERROR_FAILED, -EINVAL, "size %g is not above the previous one",
                             points[i].size);
        code = check_costs(&points[i], error);
    }
    return code;
}

static struct workspace *open_workspace(const struct piecewise_point *points, size_t count)
{
    struct workspace *workspace;
    size_t values = 0;

    for (size_t i = 0; i < count; i++)
        values += points[i].cost.count;
    workspace = calloc(1, sizeof *workspace + values * sizeof workspace->scratch[0]);
    if (!workspace)
        return NULL;
    workspace->points = points;
    workspace->search.count = count;
    for (size_t i = 0; i < count; i++)
        workspace->search.sizes[i] = points[i].size;
    return workspace;
}

int piecewise_fit(const struct piecewise_point *points, size_t count, struct piecewise *piecewise,
                  struct error *error)
{
    struct workspace *workspace;
    struct jackknife jackknife;
    int code = check_points(points, count, error);

    if (code)
        return code;
    workspace = open_workspace(points, count);
    if (!workspace)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu sizes", count);
    code = jackknife_make(&jackknife, &points->cost, sizeof *points, count, RESIDUALS + count,
                          fit_pieces, workspace, error);
    if (code == 0) {
        describe_pieces(piecewise, workspace, &jackknife);
        jackknife_free(&jackknife);
    }
    free(workspace);
    return code;
}
