#include "engine/stalls.h"

bool stall_is_one(double ns, double usual_ns)
{
    if (ns <= STALL_LEAST_NS)
        return false;
    return ns > 100 * usual_ns || (ns >= STALL_SECOND_NS && ns > 2 * usual_ns);
}

static bool add_to_overlapping(struct stalls *stalls, const struct stall *added)
{
    for (size_t i = stalls->count; i-- > 0;) {
        struct stall *stall = &stalls->list[i];

        if (added->began_ns > stall->ended_ns || stall->began_ns > added->ended_ns)
            continue;
        stall->began_ns = added->began_ns < stall->began_ns ? added->began_ns : stall->began_ns;
        stall->ended_ns = added->ended_ns > stall->ended_ns ? added->ended_ns : stall->ended_ns;
        stall->calls += added->calls;
        return true;
    }
    return false;
}

void stalls_note(struct stalls *stalls, const struct stall *stall)
{
    pthread_mutex_lock(&stalls->lock);
    if (add_to_overlapping(stalls, stall))
        ;
    else if (stalls->count == STALLS_MAXIMUM)
        stalls->not_kept++;
    else
        stalls->list[stalls->count++] = *stall;
    pthread_mutex_unlock(&stalls->lock);
}
