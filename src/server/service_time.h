/* How long the server takes for a procedure, as measured by the server itself: from the request in
 * user space to the reply that is ready to be sent. Receiving and sending are not included. */
#ifndef NFSBENCH_SERVER_SERVICE_TIME_H
#define NFSBENCH_SERVER_SERVICE_TIME_H

#include "measure/histogram.h"

/* Zeroed, it is empty. */
struct service_time {
    struct histogram histogram;     /* ns */
    double sums[HISTOGRAM_BUCKETS]; /* of the values in each bucket, to be exact even if the buckets
                                       are wide */
};

/* Count one call of NANOSECONDS. */
void service_time_record(struct service_time *time, double nanoseconds);

/* Add the counts of ADDED to SUM. */
void service_time_add(struct service_time *sum, const struct service_time *added);

/* The mean without the fastest and the slowest tenth of the calls, in ns (exact except for the two
 * buckets that are divided); 0 if there are no calls. The client's estimates use means that are
 * trimmed in the same way. */
double service_time_trimmed_mean(const struct service_time *time);

#endif
