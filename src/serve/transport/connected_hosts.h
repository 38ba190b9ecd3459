/* Hosts of which it is known that an address is theirs: they have a TCP connection from it, for
 * which they had to receive packets at that address. For several threads. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { CONNECTED_HOSTS_MAXIMUM = 256 }; /* connections */

/* With its lock initialized and the rest zeroed, it is empty. */
struct connected_hosts {
    pthread_mutex_t lock;
    struct sockaddr_storage peers[CONNECTED_HOSTS_MAXIMUM]; /* free if the family is 0 */
};

/* Record a connection from PEER. Returns a number for connected_hosts_remove(), or -ENOSPC. */
int connected_hosts_add(struct connected_hosts *connected, const struct sockaddr_storage *peer);

/* The connection has ended. */
void connected_hosts_remove(struct connected_hosts *connected, int number);

/* Is there a connection from PEER's host, whatever the port? */
bool connected_hosts_has(struct connected_hosts *connected, const struct sockaddr_storage *peer);
