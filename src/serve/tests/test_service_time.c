/* The service times that the server itself measures. */
#include "test.h"

#include "serve/service_time.h"

TEST_CASE(trimmed_mean)
{
    struct service_time *time = calloc(1, sizeof *time);

    assert_all((time), (service_time_trimmed_mean(time), 0, 0));
    for (int i = 0; i < 80; i++)
        service_time_record(time, 50001 + 0.125 * i); /* one bucket, 256 ns wide */
    for (int i = 0; i < 10; i++) {
        service_time_record(time, 3);
        service_time_record(time, 1e9);
    }
    assert_near(service_time_trimmed_mean(time), 50001 + 0.125 * 39.5, 1e-6);
    assert_int_equal(time->histogram.count, 100);
    free(time);
}

/* A bucket that is divided counts in proportion. */
TEST_CASE(cut_through)
{
    struct service_time *time = calloc(1, sizeof *time);

    assert_non_null(time);
    for (int i = 0; i < 5; i++) {
        service_time_record(time, 10);
        service_time_record(time, 20);
    }
    assert_near(service_time_trimmed_mean(time), 15, 1e-9);
    free(time);
}
