/* How long a procedure takes the server, as the server itself measures it: from the request in user
 * space to its reply, ready to be sent. Receiving and sending are not included. */
#ifndef NFSBENCH_SERVER_SERVICE_TIME_H
#define NFSBENCH_SERVER_SERVICE_TIME_H

#include "measure/histogram.h"

/* Zeroed, it is empty. */
struct service_time {
    struct histogram histogram;     /* ns */
    double sums[HISTOGRAM_BUCKETS]; /* of each bucket's values: exact where the buckets are wide */
};

/* Count one call of NANOSECONDS. */
void service_time_record(struct service_time *time, double nanoseconds);

/* Add what ADDED has counted to SUM. */
void service_time_add(struct service_time *sum, const struct service_time *added);

/* The mean of what is left when a tenth of the calls is cut from each end, in ns (exact but for the
 * two buckets that are cut through); 0 when there are none. The client's estimates are made of
 * means that are trimmed alike. */
double service_time_trimmed_mean(const struct service_time *time);

#endif
