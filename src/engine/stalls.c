#include "engine/stalls.h"

bool stall_is_one(double ns, double usual_ns)
{
    if (ns <= STALL_LEAST_NS)
        return false;
    return ns > 100 * usual_ns || (ns >= STALL_SECOND_NS && ns > 2 * usual_ns);
}

static bool add_to_overlapping(struct stalls *stalls, uint64_t began_ns, uint64_t ended_ns)
{
    for (size_t i = stalls->count; i-- > 0;) {
        struct stall *stall = &stalls->list[i];

        if (began_ns > stall->ended_ns || stall->began_ns > ended_ns)
            continue;
        stall->began_ns = began_ns < stall->began_ns ? began_ns : stall->began_ns;
        stall->ended_ns = ended_ns > stall->ended_ns ? ended_ns : stall->ended_ns;
        stall->calls++;
        return true;
    }
    return false;
}

void stalls_note(struct stalls *stalls, const char *series, uint64_t began_ns, uint64_t ended_ns)
{
    pthread_mutex_lock(&stalls->lock);
    if (add_to_overlapping(stalls, began_ns, ended_ns))
        ;
    else if (stalls->count == STALLS_MAXIMUM)
        stalls->not_kept++;
    else
        stalls->list[stalls->count++] = (struct stall){began_ns, ended_ns, 1, series};
    pthread_mutex_unlock(&stalls->lock);
}
