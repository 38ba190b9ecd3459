/* Finding changes in series with known changes. */
#include "history/changes.h"
#include "simulation.h"

enum { SERIES = 200 };

typedef void draw_type(gsl_rng *rng, double *values, size_t n);

static void normal(gsl_rng *rng, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = 1000 + gsl_ran_gaussian(rng, 50);
}

/* Draw values that drift: they rise by a standard deviation from the first to the last. */
static void drift(gsl_rng *rng, double *values, size_t n)
{
    normal(rng, values, n);
    for (size_t i = 0; i < n; i++)
        values[i] += 50 * (double)i / (double)n;
}

/* Draw values that drift; 10 % of them vary three times as much, and 5 % are much slower. */
static void nightly(gsl_rng *rng, double *values, size_t n)
{
    drift(rng, values, n);
    for (size_t i = 0; i < n; i++) {
        values[i] += gsl_ran_bernoulli(rng, 0.1) ? gsl_ran_gaussian(rng, 150) : 0;
        values[i] += gsl_ran_bernoulli(rng, 0.05) ? gsl_ran_flat(rng, 200, 750) : 0;
    }
}

static void two_levels(gsl_rng *rng, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = gsl_ran_gaussian(rng, 30) + (gsl_ran_bernoulli(rng, 0.5) ? 1200 : 1800);
}

static void shift(gsl_rng *rng, double *values, size_t n)
{
    normal(rng, values, n);
    for (size_t i = n / 2; i < n; i++)
        values[i] += 4 * 50;
}

/* Draw values of which ten successive ones are larger. */
static void there_and_back(gsl_rng *rng, double *values, size_t n)
{
    normal(rng, values, n);
    for (size_t i = n / 2; i < n / 2 + 10; i++)
        values[i] += 4 * 50;
}

static void find(const double *values, size_t n, double significance, struct changes *changes)
{
    struct error error;

    assert_int_equal(changes_find(values, n, significance, 7, changes, &error), 0);
}

/* Return the share of SERIES series of N values in which a change is found at SIGNIFICANCE. */
static double share_found(draw_type *draw, size_t n, double significance)
{
    gsl_rng *rng = seeded(17);
    static double values[CHANGES_VALUES];
    int found = 0;

    for (int i = 0; i < SERIES; i++) {
        struct changes changes;

        draw(rng, values, n);
        find(values, n, significance, &changes);
        found += changes.count > 0;
    }
    return (double)found / SERIES;
}

/* The limits, 9.4 % and 3.1 %, are about three standard deviations of a share of 200 series (1.5
 * and 0.7 points) above the expected shares, 5 % and 1 %. */
TEST_CASE(no_change)
{
    static const struct {
        const char *name;
        draw_type *draw;
        size_t n;
    } cases[] = {{"normal", normal, 10},        {"normal", normal, 40}, {"normal", normal, 100},
                 {"drift", drift, 20},          {"drift", drift, 60},   {"nightly", nightly, 60},
                 {"two levels", two_levels, 40}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double found = share_found(cases[i].draw, cases[i].n, 0.05);
        double strict = share_found(cases[i].draw, cases[i].n, 0.01);

        print_message("%s, %zu values: %.3f at 5 %%, %.3f at 1 %%\n", cases[i].name, cases[i].n,
                      found, strict);
        assert_all((found <= 0.094), (strict <= 0.031));
    }
}

/* At least 90 % of the series have a change exactly at the shift, and 95 % have exactly one change.
 * In 88 %, there is exactly one change, and its interval covers the size of the shift. */
TEST_CASE(shift)
{
    int there = 0, alone = 0, covered = 0;
    gsl_rng *rng = seeded(19);

    for (int i = 0; i < SERIES; i++) {
        struct changes changes;
        double values[40];

        shift(rng, values, 40);
        find(values, 40, 0.05, &changes);
        alone += changes.count == 1;
        for (size_t j = 0; j < changes.count; j++)
            there += changes.list[j].at == 20;
        covered += changes.count == 1 && covers(&changes.list[0].means.difference, 200);
    }
    print_message(
        "a shift of 4 sigma, 20 and 20 values: exactly there %d, alone %d, covered %d of %d\n",
        there, alone, covered, SERIES);
    assert_all((there >= 0.9 * SERIES), (alone >= 0.95 * SERIES), (covered >= 0.88 * SERIES));
}

TEST_CASE(there_and_back)
{
    gsl_rng *rng = seeded(23);
    int both = 0;

    for (int i = 0; i < 50; i++) {
        struct changes changes;
        double values[60];

        there_and_back(rng, values, 60);
        find(values, 60, 0.05, &changes);
        both += changes.count >= 2;
        for (size_t j = 1; j < changes.count; j++)
            assert_true(changes.list[j].at >= changes.list[j - 1].at + CHANGES_LEAST);
    }
    assert_true(both >= 45);
}

TEST_CASE(by_hand)
{
    static const double values[] = {10, 11, 9, 10, 30, 31, 29, 30, 20, 21, 19, 20, 21, 19};
    struct changes changes, again;

    memset(&changes, 0, sizeof changes);
    memset(&again, 0, sizeof again);
    find(values, COUNT_OF(values), 0.05, &changes);
    find(values, COUNT_OF(values), 0.05, &again);
    assert_memory_equal(&changes, &again, sizeof changes);
    assert_all((changes.count, 2), (changes.list[0].at, 4), (changes.list[1].at, 8),
               (changes.list[0].means.first.estimate, 10, 1e-9),
               (changes.list[0].means.second.estimate, 30, 1e-9),
               (changes.list[1].means.difference.estimate, -10, 1e-9),
               (changes.list[0].p <= 0.05 && changes.list[0].p >= 0.001),
               (changes.list[0].means.adjusted_p, changes.list[0].p, 0));
}

TEST_CASE(edges)
{
    static double values[CHANGES_VALUES + 1];
    static const double short_one[] = {1, 1, 1, 9, 9, 9, 9};
    struct changes changes;
    struct error error;

    for (size_t n = 0; n <= COUNT_OF(short_one); n++) {
        find(short_one, n, 0.05, &changes);
        assert_int_equal(changes.count, 0);
    }
    find(values, 50, 0.05, &changes);
    assert_int_equal(changes.count, 0);
    assert_int_equal(changes_find(values, CHANGES_VALUES + 1, 0.05, 1, &changes, &error), -EINVAL);
    assert_int_equal(changes.count, 0);
    values[20] = NAN;
    assert_int_equal(changes_find(values, 50, 0.05, 1, &changes, &error), -EINVAL);
    values[20] = 0;
}

/* All 9 changes among 200 values are found. Of 39 changes, as many as can be stored are stored. In
 * the longest series, which has no change, none is found. */
TEST_CASE(longest_series)
{
    static double values[CHANGES_VALUES];
    struct changes changes;

    for (size_t i = 0; i < CHANGES_VALUES; i++)
        values[i] = (i / 20 % 2 ? 500 : 100) + (double)(i % 7);
    find(values, 200, 0.05, &changes);
    assert_int_equal(changes.count, 9);
    for (size_t i = 0; i < changes.count; i++)
        assert_int_equal(changes.list[i].at, 20 * (i + 1));
    for (size_t i = 0; i < 240; i++)
        values[i] = (double)(100 * (i / 6) + i % 7);
    find(values, 240, 0.05, &changes);
    assert_int_equal(changes.count, CHANGES_MOST);
    for (size_t i = 0; i < CHANGES_VALUES; i++)
        values[i] = (double)(i % 7);
    find(values, CHANGES_VALUES, 0.05, &changes);
    assert_int_equal(changes.count, 0);
}

/* With 6 to 11 values, the smallest p-values are 2/20, 2/35, 2/70, 2/126, 2/252 and 2/462. */
TEST_CASE(enough)
{
    static const double few[] = {1, 2, 3, 4, 11, 12, 13, 14}, fewer[] = {1, 2, 3, 11, 12, 13, 14};
    static const double cases[][2] = {{0.5, 6}, {0.1, 6}, {0.05, 8}, {0.016, 9}, {0.005, 11}};
    struct changes changes;

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(changes_enough(cases[i][0]), cases[i][1]);
    find(few, 8, 0.05, &changes);
    assert_int_equal(changes.count, 1);
    find(fewer, 7, 0.05, &changes);
    assert_int_equal(changes.count, 0);
}
