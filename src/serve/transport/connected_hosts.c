#include "serve/transport/connected_hosts.h"

#include <errno.h>

#include "common/address.h"

static int find_free(const struct connected_hosts *connected)
{
    for (int i = 0; i < CONNECTED_HOSTS_MAXIMUM; i++)
        if (connected->peers[i].ss_family == 0)
            return i;
    return -ENOSPC;
}

int connected_hosts_add(struct connected_hosts *connected, const struct sockaddr_storage *peer)
{
    int number;

    pthread_mutex_lock(&connected->lock);
    number = find_free(connected);
    if (number >= 0)
        connected->peers[number] = *peer;
    pthread_mutex_unlock(&connected->lock);
    return number;
}

void connected_hosts_remove(struct connected_hosts *connected, int number)
{
    pthread_mutex_lock(&connected->lock);
    connected->peers[number].ss_family = 0;
    pthread_mutex_unlock(&connected->lock);
}

bool connected_hosts_has(struct connected_hosts *connected, const struct sockaddr_storage *peer)
{
    bool has = false;

    pthread_mutex_lock(&connected->lock);
    for (int i = 0; i < CONNECTED_HOSTS_MAXIMUM && !has; i++)
        has = connected->peers[i].ss_family && address_is_same_host(&connected->peers[i], peer);
    pthread_mutex_unlock(&connected->lock);
    return has;
}
