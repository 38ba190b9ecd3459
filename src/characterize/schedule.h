/* Which experiments fit into the time of the command, and how much of it each may take: a pure
 * function of what they need. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* How an experiment is made: with all its calls, with fewer, or not at all. */
enum schedule_scale { SCHEDULE_FULL, SCHEDULE_QUICK, SCHEDULE_LEFT_OUT };

/* Round trips, one after the other, that an experiment takes at least, by its scale; those that
 * remove its files are among them. */
struct schedule_need {
    unsigned full, quick;
};

/* What an experiment takes at least at SCALE, ns, where a round trip takes ROUND_TRIP_NS. */
uint64_t schedule_need_ns(const struct schedule_need *need, enum schedule_scale scale,
                          uint64_t round_trip_ns);

/* Choose the SCALES of COUNT experiments, which are WANTED on entry, so that they take TIME_NS at
 * most: from the last one on they become quick; if that is not enough, each one is left out that
 * does not fit beside those before it. Returns how long those that are made take at least, ns. */
uint64_t character_schedule(enum schedule_scale *scales, const struct schedule_need *const *needs,
                            size_t count, uint64_t round_trip_ns, uint64_t time_ns);
