/* Hosts that have a TCP connection. The connection proves that the host owns its address, because
 * the host had to receive packets there. Several threads may use the functions. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { CONNECTED_HOSTS_MAXIMUM = 256 }; /* maximum of recorded connections */

/* The recorded connections. If LOCK is initialized and the rest is zeroed, there are none. */
struct connected_hosts {
    pthread_mutex_t lock;
    /* peers of the connections; address family 0: the element is free */
    struct sockaddr_storage peers[CONNECTED_HOSTS_MAXIMUM];
};

/* Record a connection from PEER. Returns a number for connected_hosts_remove(), or -ENOSPC. */
int connected_hosts_add(struct connected_hosts *connected, const struct sockaddr_storage *peer);

void connected_hosts_remove(struct connected_hosts *connected, int number);

/* Is there a connection from PEER's host, whatever the port? */
bool connected_hosts_has(struct connected_hosts *connected, const struct sockaddr_storage *peer);
