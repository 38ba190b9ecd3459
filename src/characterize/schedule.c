#include "characterize/schedule.h"

/* Time that is reserved for an experiment at each scale, besides the time of its minimum number of
 * round trips, ns. It allows more rounds, which make the figures precise. */
#define FULL_NS  UINT64_C(1000000000)
#define QUICK_NS UINT64_C(200000000)

uint64_t schedule_need_ns(const struct schedule_need *need, enum schedule_scale scale,
                          uint64_t round_trip_ns)
{
    if (scale == SCHEDULE_LEFT_OUT)
        return 0;
    return scale == SCHEDULE_FULL ? FULL_NS + need->full * round_trip_ns
                                  : QUICK_NS + need->quick * round_trip_ns;
}

uint64_t character_schedule(enum schedule_scale *scales, const struct schedule_need *const *needs,
                            size_t count, uint64_t round_trip_ns, uint64_t time_ns)
{
    uint64_t all_ns = 0;

    for (size_t i = 0; i < count; i++)
        all_ns += schedule_need_ns(needs[i], scales[i], round_trip_ns);
    for (size_t i = count; i-- > 0 && all_ns > time_ns;) {
        all_ns -= schedule_need_ns(needs[i], scales[i], round_trip_ns);
        scales[i] = SCHEDULE_QUICK;
        all_ns += schedule_need_ns(needs[i], scales[i], round_trip_ns);
    }
    if (all_ns <= time_ns)
        return all_ns;
    all_ns = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t need_ns = schedule_need_ns(needs[i], SCHEDULE_QUICK, round_trip_ns);

        scales[i] = all_ns + need_ns <= time_ns ? SCHEDULE_QUICK : SCHEDULE_LEFT_OUT;
        all_ns += scales[i] == SCHEDULE_QUICK ? need_ns : 0;
    }
    return all_ns;
}
