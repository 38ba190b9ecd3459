/* Connecting again to a server that may be away, without waiting: a new attempt begins after each
 * pause, while earlier attempts go on. So the time at which the server can be reached again is
 * found to within the pause, whether its port refuses connections or swallows their packets: the
 * kernel repeats the packets of one attempt only after 1 s, 3 s, 7 s and so on. */
#pragma once

#include <poll.h>
#include <stdint.h>

#include "engine/channel/endpoint.h"

enum {
    ATTEMPTS_MAXIMUM = 16, /* under way at once */
    ATTEMPTS_MINIMUM = 4,
};

struct attempts {
    int fds[ATTEMPTS_MAXIMUM]; /* sockets that are connecting; -1: none */
    unsigned count;            /* how many of them are used, ATTEMPTS_MINIMUM to MAXIMUM */
    unsigned next;     /* the one that the next attempt takes; its own attempt is given up */
    uint64_t pause_ns; /* between two attempts */
    uint64_t next_ns;  /* clock_raw_ns(): when the next one is due */
};

/* COUNT attempts at once, PAUSE_NS after each other. */
void attempts_open(struct attempts *attempts, unsigned count, uint64_t pause_ns);

/* Give up all attempts that are under way. */
void attempts_stop(struct attempts *attempts);

/* Begin an attempt to connect to ENDPOINT if one is due by NOW. Returns a connected socket, which
 * belongs to the caller; or -1 if there is none yet, with *FAILURE set to the negative errno of the
 * latest attempt that failed, if one has. */
int attempts_look(struct attempts *attempts, struct endpoint *endpoint, uint64_t now, int *failure);

/* Add what to poll() for to POLLERS, which has room for ATTEMPTS_MAXIMUM more. Returns how many. */
nfds_t attempts_poll(const struct attempts *attempts, struct pollfd *pollers);
