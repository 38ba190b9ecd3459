#include "server/proven.h"

#include <errno.h>

#include "common/address.h"

static int find_free(const struct proven *proven)
{
    for (int i = 0; i < PROVEN_MAXIMUM; i++)
        if (proven->peers[i].ss_family == 0)
            return i;
    return -ENOSPC;
}

int proven_add(struct proven *proven, const struct sockaddr_storage *peer)
{
    int number;

    pthread_mutex_lock(&proven->lock);
    number = find_free(proven);
    if (number >= 0)
        proven->peers[number] = *peer;
    pthread_mutex_unlock(&proven->lock);
    return number;
}

void proven_remove(struct proven *proven, int number)
{
    pthread_mutex_lock(&proven->lock);
    proven->peers[number].ss_family = 0;
    pthread_mutex_unlock(&proven->lock);
}

bool proven_has(struct proven *proven, const struct sockaddr_storage *peer)
{
    bool has = false;

    pthread_mutex_lock(&proven->lock);
    for (int i = 0; i < PROVEN_MAXIMUM && !has; i++)
        has = proven->peers[i].ss_family && address_is_same_host(&proven->peers[i], peer);
    pthread_mutex_unlock(&proven->lock);
    return has;
}
