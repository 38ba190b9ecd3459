#include "measure/piecewise_search.h"

#include <math.h>
#include <stdbool.h>

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

/* The search */

static void fill_lines(struct piecewise_search *search, const double *costs)
{
    for (size_t i = 0; i < search->count; i++) {
        struct sums sums = {.origin = search->sizes[i]};

        for (size_t j = i; j < search->count; j++) {
            add_point(&sums, search->sizes[j], costs[j], search->scales[j]);
            search->lines[i * search->count + j] = sums.count < PIECE_POINTS_LEAST
                                                       ? (struct piecewise_line){0, 0, INFINITY}
                                                       : find_line(&sums);
        }
    }
}

double piecewise_jump_at(const struct piecewise_line *before, const struct piecewise_line *after,
                         double size)
{
    return after->fixed - before->fixed + (after->slope - before->slope) * size;
}

/* Does the piece from FIRST to LAST begin below the end of the best pieces before it? Not if the
 * lines cross in between, where only the slope changes. */
static bool drops(const struct piecewise_search *search, size_t breaks, size_t first, size_t last)
{
    const struct piecewise_line *after = &search->lines[first * search->count + last];
    size_t begin = search->first[breaks - 1][first - 1];
    const struct piecewise_line *before = &search->lines[begin * search->count + first - 1];
    double least = -search->drop * search->scales[first];

    return piecewise_jump_at(before, after, search->sizes[first - 1]) < least &&
           piecewise_jump_at(before, after, search->sizes[first]) < least;
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
        double squares = search->best[breaks - 1][first - 1] +
                         search->lines[first * search->count + last].squares;

        if (squares < *best && drops(search, breaks, first, last))
            squares += DROP_SQUARES;
        if (squares < *best) {
            *best = squares;
            search->first[breaks][last] = first;
        }
    }
}

void piecewise_find_places(struct piecewise_search *search, const double *costs, size_t breaks)
{
    fill_lines(search, costs);
    for (size_t last = 0; last < search->count; last++) {
        search->best[0][last] = search->lines[last].squares;
        search->first[0][last] = 0;
    }
    for (size_t k = 1; k <= breaks; k++)
        for (size_t last = 0; last < search->count; last++)
            find_last_piece(search, k, last);
}

void piecewise_find_pieces(const struct piecewise_search *search, size_t breaks,
                           struct piecewise_pieces *pieces)
{
    size_t end = search->count;

    pieces->first[breaks + 1] = end;
    for (size_t k = breaks + 1; k-- > 0;) {
        size_t first = search->first[k][end - 1];

        pieces->first[k] = first;
        pieces->line[k] = search->lines[first * search->count + end - 1];
        end = first;
    }
}
