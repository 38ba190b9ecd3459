/* Connecting again to a server that may be down, without waiting. A new attempt begins after each
 * pause, while earlier attempts continue. So the time when the server is reachable again is known
 * to within a pause, whether its port refuses connections or drops packets. In one attempt, the
 * kernel would repeat packets only after 1 s, 3 s, 7 s and so on. */
#pragma once

#include <poll.h>
#include <stdint.h>

#include "engine/channel/endpoint.h"

enum {
    ATTEMPTS_MAXIMUM = 16, /* largest number of attempts at the same time */
    ATTEMPTS_MINIMUM = 4,
};

struct attempts {
    int fds[ATTEMPTS_MAXIMUM]; /* connecting sockets; -1: none */
    unsigned count;            /* number of entries in use, ATTEMPTS_MINIMUM to ATTEMPTS_MAXIMUM */
    unsigned next;             /* index in FDS of the next attempt, which replaces the oldest one */
    uint64_t pause_ns;         /* ns between the beginnings of two attempts */
    uint64_t next_ns;          /* clock_raw_ns() when the next attempt is due */
};

/* Allow up to COUNT (at most ATTEMPTS_MAXIMUM) attempts in progress. One begins every PAUSE_NS. */
void attempts_open(struct attempts *attempts, unsigned count, uint64_t pause_ns);

void attempts_stop(struct attempts *attempts);

/* Begin an attempt to connect to ENDPOINT if one is due by NOW (clock_raw_ns()). Returns a
 * connected socket, which the caller owns, or -1 if there is none yet. If attempts have failed,
 * *FAILURE is set to the negative errno of one, else unchanged. */
int attempts_check(struct attempts *attempts, struct endpoint *endpoint, uint64_t now,
                   int *failure);

/* Set POLLERS (room for ATTEMPTS_MAXIMUM) to poll the connecting sockets. Returns their number. */
nfds_t attempts_poll(const struct attempts *attempts, struct pollfd *pollers);
