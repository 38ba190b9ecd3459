/* Access patterns: which places are accessed, how often and in which order; the exactness of Zipf's
 * law. Seeds are fixed, so the results are reproducible. */
#include "test.h"

#include "common/pattern.h"

static struct pattern_order begin(const char *text, uint64_t count, uint64_t seed, bool once)
{
    struct pattern_order order;
    struct pattern pattern;

    assert_int_equal(pattern_parse(text, &pattern), 0);
    pattern_begin(&order, &pattern, count, seed, once);
    return order;
}

TEST_CASE(names)
{
    static const char *const good[] = {"same",   "sequential", "random",
                                       "zipf:1", "zipf:0.99",  "stride:7"};
    static const char *const bad[] = {"",        "sam",       "same:1",     "random:",   "zipf",
                                      "zipf:",   "zipf:0",    "zipf:-1",    "zipf:11",   "zipf:nan",
                                      "zipf:1x", "stride",    "stride:0",   "stride:-1", "stride:x",
                                      "strides", "randomize", "sequential "};
    char name[PATTERN_NAME_SIZE];
    struct pattern pattern;

    for (size_t i = 0; i < COUNT_OF(good); i++)
        assert_all((pattern_parse(good[i], &pattern), 0), (pattern_name(&pattern, name), good[i]));
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_not_equal(pattern_parse(bad[i], &pattern), 0);
}

static void assert_order(const char *text, uint64_t count, const uint64_t *expected, size_t length)
{
    struct pattern_order order = begin(text, count, 1, false);

    for (size_t i = 0; i < length; i++)
        assert_int_equal(pattern_next(&order), expected[i]);
}

TEST_CASE(computed_orders)
{
    static const uint64_t same[] = {0, 0, 0, 0}, sequential[] = {0, 1, 2, 3, 4, 0, 1},
                          stride[] = {0, 3, 6, 1, 4, 7, 2, 5, 0, 3}, wide[] = {0, 1, 2, 0, 1},
                          one[] = {0, 0, 0};

    assert_order("same", 5, same, COUNT_OF(same));
    assert_order("sequential", 5, sequential, COUNT_OF(sequential));
    assert_order("stride:3", 8, stride, COUNT_OF(stride));
    assert_order("stride:9", 3, wide, COUNT_OF(wide));
    assert_order("stride:18446744073709551615", 3, wide, COUNT_OF(wide));
    assert_order("stride:1", 1, one, COUNT_OF(one));
    assert_order("sequential", 1, one, COUNT_OF(one));
    assert_order("random", 1, one, COUNT_OF(one));
    assert_order("zipf:1", 1, one, COUNT_OF(one));
}

/* Return the chi-square of COUNTS in N cells, for TOTAL draws with PROBABILITIES (NULL: equal). */
static double chi_square(const unsigned *counts, size_t n, const double *probabilities,
                         double total)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double expected = total * (probabilities ? probabilities[i] : 1.0 / (double)n);

        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
}

/* Return a limit that the chi-square of N cells exceeds by chance once in about 1000 tests. */
static double chi_square_limit(size_t n)
{
    double freedom = (double)n - 1;

    return freedom + 3.1 * sqrt(2 * freedom) + 6;
}

TEST_CASE(random_is_uniform)
{
    enum { CELLS = 100, DRAWS = 200000 };
    struct pattern_order order = begin("random", CELLS, 42, false);
    unsigned counts[CELLS] = {0}, pairs[CELLS] = {0};
    uint64_t previous = 0;

    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t place = pattern_next(&order);

        assert_true(place < CELLS);
        counts[place]++;
        /* Not only places, but also differences of successive places are equally likely. */
        pairs[(place + CELLS - previous) % CELLS]++;
        previous = place;
    }
    assert_true(chi_square(counts, CELLS, NULL, DRAWS) < chi_square_limit(CELLS));
    assert_true(chi_square(pairs, CELLS, NULL, DRAWS) < chi_square_limit(CELLS));
}

/* Places are uniformly distributed even if there are more than 2^32. */
TEST_CASE(random_over_many_places)
{
    enum { DRAWS = 100000 };
    const uint64_t count = UINT64_C(3) << 40;
    struct pattern_order order = begin("random", count, 42, false);
    unsigned thirds[3] = {0};

    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t place = pattern_next(&order);

        assert_true(place < count);
        thirds[place >> 40]++;
    }
    assert_true(chi_square(thirds, 3, NULL, DRAWS) < chi_square_limit(3));
}

static void check_zipf(double exponent)
{
    enum { RANKS = 200, DRAWS = 400000 };
    double probabilities[RANKS], sum = 0, tail = 0;
    unsigned counts[RANKS] = {0}, last = 0;
    size_t cells = 0;
    struct random random;
    struct random_zipf zipf;

    random_seed(&random, 7);
    random_zipf_begin(&zipf, RANKS, exponent);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t rank = random_zipf_next(&zipf, &random);

        assert_true(rank >= 1 && rank <= RANKS);
        counts[rank - 1]++;
    }
    for (size_t i = 0; i < RANKS; i++)
        sum += pow((double)i + 1, -exponent);
    for (size_t i = 0; i < RANKS; i++)
        probabilities[i] = pow((double)i + 1, -exponent) / sum;
    /* In the chi-square test, the last cell contains all ranks that are rarely drawn. */
    while (cells < RANKS - 1 && probabilities[cells] * DRAWS > 20)
        cells++;
    for (size_t i = cells; i < RANKS; i++) {
        tail += probabilities[i];
        last += counts[i];
    }
    probabilities[cells] = tail;
    counts[cells] = last;
    assert_true(chi_square(counts, tail * DRAWS > 1 ? cells + 1 : cells, probabilities, DRAWS) <
                chi_square_limit(cells + 1));
}

TEST_CASE(zipf_has_its_probabilities)
{
    static const double exponents[] = {0.1, 0.5, 0.99, 1, 1.000000001, 1.2, 2, 5, 10};

    for (size_t i = 0; i < COUNT_OF(exponents); i++)
        check_zipf(exponents[i]);
}

/* In a set too large for a table, the first rank has the share 1 / H if the exponent is 1. H is the
 * harmonic number. */
TEST_CASE(zipf_of_many)
{
    enum { DRAWS = 200000 };
    const uint64_t count = UINT64_C(1) << 40;
    const double harmonic = log((double)count) + 0.57721566490153286;
    struct random random;
    struct random_zipf zipf;
    unsigned first = 0;

    random_seed(&random, 3);
    random_zipf_begin(&zipf, count, 1);
    for (unsigned i = 0; i < DRAWS; i++)
        first += random_zipf_next(&zipf, &random) == 1;
    assert_near(first, DRAWS / harmonic, 4 * sqrt(DRAWS / harmonic));
}

/* A pattern assigns a random place to each rank. So the most frequent place, which has the share of
 * rank 1, can be anywhere. */
TEST_CASE(zipf_places)
{
    enum { PLACES = 1000, DRAWS = 100000 };
    struct pattern_order order = begin("zipf:1", PLACES, 9, false);
    unsigned counts[PLACES] = {0}, most = 0;
    double harmonic = 0;

    for (unsigned i = 1; i <= PLACES; i++)
        harmonic += 1.0 / i;
    for (unsigned i = 0; i < DRAWS; i++)
        counts[pattern_next(&order)]++;
    for (unsigned i = 0; i < PLACES; i++)
        most = counts[i] > counts[most] ? i : most;
    assert_int_not_equal(most, 0);
    assert_near(counts[most], DRAWS / harmonic, 5 * sqrt(DRAWS / harmonic));
}

static void visit_each_once(const char *pattern, uint64_t places)
{
    struct pattern_order order = begin(pattern, places, 11, true);
    bool *seen = calloc(places, sizeof *seen);

    assert_non_null(seen);
    for (uint64_t i = 0; i < places; i++) {
        uint64_t place = pattern_next(&order);

        assert_all((place < places), (!seen[place]));
        seen[place] = true;
    }
    free(seen);
}

TEST_CASE(each_place_once)
{
    static const char *const patterns[] = {"sequential", "random", "stride:10"};
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 100, 997, 4096, 4097};

    for (size_t i = 0; i < COUNT_OF(patterns) * COUNT_OF(counts); i++)
        visit_each_once(patterns[i % COUNT_OF(patterns)], counts[i / COUNT_OF(patterns)]);
}

TEST_CASE(same_seed_same_order)
{
    static const char *const patterns[] = {"random", "zipf:1.1"};

    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        struct pattern_order a = begin(patterns[i], 1000, 1, false),
                             b = begin(patterns[i], 1000, 1, false),
                             c = begin(patterns[i], 1000, 2, false);
        unsigned differing = 0;

        for (unsigned j = 0; j < 1000; j++) {
            uint64_t place = pattern_next(&a);

            assert_int_equal(place, pattern_next(&b));
            differing += place != pattern_next(&c);
        }
        assert_true(differing > 900);
    }
}
