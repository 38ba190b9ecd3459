/* Student's t distribution, compared with GSL. */
#include "test.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "measure/estimate.h"

static const double degrees[] = {0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 12.3, 30, 1000, 123456};

TEST_CASE(quantile)
{
    for (size_t i = 0; i < COUNT_OF(degrees); i++)
        assert_near(student_975(degrees[i]) / gsl_cdf_tdist_Pinv(0.975, degrees[i]), 1, 1e-9);
    assert_near(student_975(INFINITY), 1.959963984540054, 1e-9);
    assert_near(student_975(1), 12.7062047362, 1e-8); /* tan(0.475 pi) */
}

TEST_CASE(probability)
{
    static const double t[] = {1e-6, 0.1, 1, 2, 5, 40, 1e6};

    for (size_t i = 0; i < COUNT_OF(degrees); i++) {
        for (size_t j = 0; j < COUNT_OF(t); j++) {
            double exact = 2 * gsl_cdf_tdist_Q(t[j], degrees[i]);

            assert_near(student_p(t[j], degrees[i]), exact, 1e-9 * exact + 1e-300);
            assert_near(student_p(-t[j], degrees[i]), exact, 1e-9 * exact + 1e-300);
        }
        assert_near(student_p(0, degrees[i]), 1, 1e-12);
        assert_near(student_p(INFINITY, degrees[i]), 0, 0);
    }
    assert_near(student_p(2, INFINITY), 0.0455002638964, 1e-12);
}
