#include "server/service_time.h"

#include <math.h>

#define TRIM 0.1

void service_time_record(struct service_time *time, double nanoseconds)
{
    histogram_record(&time->histogram, nanoseconds);
    time->sums[histogram_bucket(nanoseconds)] += nanoseconds;
}

void service_time_add(struct service_time *sum, const struct service_time *added)
{
    histogram_add(&sum->histogram, &added->histogram);
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        sum->sums[i] += added->sums[i];
}

double service_time_trimmed_mean(const struct service_time *time)
{
    double first = TRIM * (double)time->histogram.count;
    double last = (double)time->histogram.count - first;
    double below = 0, sum = 0; /* calls before the current bucket */

    for (size_t i = 0; i < HISTOGRAM_BUCKETS && below < last; i++) {
        double count = (double)time->histogram.buckets[i];
        double kept = fmin(below + count, last) - fmax(below, first);

        if (kept > 0)
            sum += kept * time->sums[i] / count;
        below += count;
    }
    return last > first ? sum / (last - first) : 0;
}
