#include "measure/statistics/regimes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statistics/estimate.h"

/* The values of a regime that may be split. */
struct part {
    const double *values;
    size_t n;
    double *room; /* memory for a copy of N values */
};

static double median_of(const double *values, size_t n, double *room)
{
    memcpy(room, values, n * sizeof *room);
    return estimate_median(room, n);
}

/* The window from FROM up to TO, whose ranks differ most from the ranks outside. */
struct window {
    size_t from, to; /* TO is 0 if there is no window */
    double range;    /* range of the CUSUM of the ranks, whose extremes are at FROM and TO */
};

static struct window find_window(const double *ranks, size_t n)
{
    double cusum = 0, least = 0, most = 0;
    size_t at_least = 0, at_most = 0;

    for (size_t i = 1; i + REGIMES_SHORTEST <= n; i++) {
        cusum += 2 * ranks[i - 1] - (double)(n - 1);
        if (i >= REGIMES_SHORTEST && cusum < least) {
            least = cusum;
            at_least = i;
        }
        if (i >= REGIMES_SHORTEST && cusum > most) {
            most = cusum;
            at_most = i;
        }
    }
    return at_least < at_most ? (struct window){at_least, at_most, most - least}
                              : (struct window){at_most, at_least, most - least};
}

/* Return the factor by which correlated neighbours increase the variance of PART's CUSUM, from the
 * residuals about the medians inside and outside WINDOW. */
static double inflation(const struct part *part, const struct window *window)
{
    const size_t inside = window->to - window->from;
    const double median = median_of(part->values + window->from, inside, part->room);
    double others, rho;

    memcpy(part->room, part->values, window->from * sizeof *part->room);
    memcpy(part->room + window->from, part->values + window->to,
           (part->n - window->to) * sizeof *part->room);
    others = estimate_median(part->room, part->n - inside);
    for (size_t i = 0; i < part->n; i++)
        part->room[i] = part->values[i] - (i >= window->from && i < window->to ? median : others);
    rho = fmin(fmax(estimate_autocorrelation(part->room, part->n), 0), 0.9);
    return (1 + rho) / (1 - rho);
}

/* Return the probability that chance alone causes a range above WINDOW's, by Kuiper's limit for the
 * range of a Brownian bridge. */
static double chance_of(const struct part *part, const struct window *window)
{
    const double n = (double)part->n;
    const double square =
        3 * window->range * window->range / (n * n * (n + 1)) / inflation(part, window);

    return square > 1 ? (8 * square - 2) * exp(-2 * square) : 1;
}

/* Return the relative step between the medians of PART's values from FIRST to AT, and AT to END. */
static double step_at(const struct part *part, size_t first, size_t at, size_t end)
{
    const double before = median_of(part->values + first, at - first, part->room);
    const double after = median_of(part->values + at, end - at, part->room);

    return fabs(after - before) / fmin(before, after);
}

/* Set *SPLIT to how many values precede PART's largest change (0: none). Returns 0 or -ENOMEM. */
static int find_split(const struct part *part, size_t *split)
{
    struct window window = {.to = 0};
    double *ranks, first, second;

    *split = 0;
    if (part->n < 2 * REGIMES_SHORTEST)
        return 0;
    ranks = estimate_ranks(part->values, part->n);
    if (!ranks)
        return -ENOMEM;
    window = find_window(ranks, part->n);
    free(ranks);
    if (window.to == 0 || chance_of(part, &window) >= REGIMES_P)
        return 0;
    first = window.from > 0 ? step_at(part, 0, window.from, window.to) : 0;
    second = step_at(part, window.from, window.to, part->n);
    if (fmax(first, second) >= REGIMES_SHARE)
        *split = first > second ? window.from : window.to;
    return 0;
}

static void divide_regime(struct regimes *regimes, size_t at, size_t split)
{
    struct regime *regime = &regimes->list[at];

    memmove(regime + 1, regime, (regimes->count - at) * sizeof *regime);
    regimes->count++;
    regime[0].rounds = split;
    regime[1].rounds -= split;
}

static int divide_all(struct regimes *regimes, const double *values, double *room)
{
    size_t first = 0;
    int code = 0;

    for (size_t at = 0; at < regimes->count && code == 0;) {
        const struct part part = {values + first, regimes->list[at].rounds, room};
        size_t split = 0;

        if (regimes->count < REGIMES_MOST)
            code = find_split(&part, &split);
        if (split > 0) {
            divide_regime(regimes, at, split);
            continue;
        }
        regimes->list[at].level = median_of(part.values, part.n, room);
        first += regimes->list[at++].rounds;
    }
    return code;
}

int regimes_find(struct regimes *regimes, const double *values, size_t n, struct error *error)
{
    double *room = malloc(n * sizeof *room);
    int code = room ? 0 : -ENOMEM;

    *regimes = (struct regimes){.list = {{.rounds = n}}, .count = 1};
    if (code == 0)
        code = divide_all(regimes, values, room);
    free(room);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for %zu rounds", n) : 0;
}

double regimes_extent(const struct regime *list, size_t count)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < count; i++) {
        if (list[i].rounds < REGIMES_SHORTEST)
            continue;
        least = fmin(least, list[i].level);
        most = fmax(most, list[i].level);
    }
    return most > 0 && least > 0 ? most / least - 1 : 0;
}
