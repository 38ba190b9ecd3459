/* Chooses the experiments that fit into the command's time, and how many calls they make. A pure
 * function. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Scale of an experiment: all its calls, fewer calls, or none. */
enum schedule_scale { SCHEDULE_FULL, SCHEDULE_QUICK, SCHEDULE_LEFT_OUT };

/* Minimum of successive round trips of an experiment, by scale. Removing its files is included. */
struct schedule_need {
    unsigned full, quick;
};

/* Return the minimum time of an experiment at SCALE, ns, if a round trip takes ROUND_TRIP_NS. */
uint64_t schedule_need_ns(const struct schedule_need *need, enum schedule_scale scale,
                          uint64_t round_trip_ns);

/* Choose the SCALES of COUNT experiments so that they take at most TIME_NS. On entry, SCALES has
 * the wanted scales. Beginning with the last, experiments become quick. If all are quick and there
 * is too little time, each experiment that does not fit after those before it is left out. Returns
 * the minimum time of the experiments that are made, ns. */
uint64_t character_schedule(enum schedule_scale *scales, const struct schedule_need *const *needs,
                            size_t count, uint64_t round_trip_ns, uint64_t time_ns);
