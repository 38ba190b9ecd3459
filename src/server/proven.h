/* Hosts that have proven that an address is theirs: they have a TCP connection from it, for which
 * they had to receive packets at that address. For several threads. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { PROVEN_MAXIMUM = 256 }; /* connections */

/* With its lock initialized and the rest zeroed, it is empty. */
struct proven {
    pthread_mutex_t lock;
    struct sockaddr_storage peers[PROVEN_MAXIMUM]; /* free if the family is 0 */
};

/* Record a connection from PEER. Returns a number for proven_remove(), or -ENOSPC. */
int proven_add(struct proven *proven, const struct sockaddr_storage *peer);

/* The connection has ended. */
void proven_remove(struct proven *proven, int number);

/* Is there a connection from PEER's host, whatever the port? */
bool proven_has(struct proven *proven, const struct sockaddr_storage *peer);
