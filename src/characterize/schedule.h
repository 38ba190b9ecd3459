/* Choice of the experiments that fit into the command's time, and of their scales. Pure
 * functions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Scale of an experiment: all calls, fewer calls, or no calls. */
enum schedule_scale { SCHEDULE_FULL, SCHEDULE_QUICK, SCHEDULE_LEFT_OUT };

/* Minimum numbers of successive round trips of an experiment at each scale, including those that
 * remove its files. */
struct schedule_need {
    unsigned full, quick;
};

/* Return the minimum time of an experiment at SCALE, ns, if a round trip takes ROUND_TRIP_NS. */
uint64_t schedule_need_ns(const struct schedule_need *need, enum schedule_scale scale,
                          uint64_t round_trip_ns);

/* Change the wanted SCALES of COUNT experiments so that the experiments take at most TIME_NS.
 * First, experiments become quick, beginning with the last one, until the time suffices. If it does
 * not suffice for all quick experiments, they are chosen in order, and one that does not fit into
 * the remaining time is left out. Returns the minimum time of the chosen experiments, ns. */
uint64_t character_schedule(enum schedule_scale *scales, const struct schedule_need *const *needs,
                            size_t count, uint64_t round_trip_ns, uint64_t time_ns);
