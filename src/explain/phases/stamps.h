/* The kernel's timestamps ("stamps") of messages through a socket: when a message is passed to the
 * queueing discipline and to the device, and when the reply's last packet was received
 * (SO_TIMESTAMPING; Linux's Documentation/networking/timestamping.rst). Those of sent messages are
 * delivered through the socket's error queue with a number: over TCP that of the last byte, over
 * UDP that of the datagram. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

enum { STAMPS_DATAGRAMS_MAXIMUM = 64 }; /* that are received together */

struct stamps {
    int fd;
    bool tcp;
    bool sending;         /* sent messages have timestamps */
    uint64_t real_ahead;  /* CLOCK_REALTIME - CLOCK_MONOTONIC, ns */
    uint64_t received_at; /* of the last receive, by CLOCK_MONOTONIC; 0: none */
};

/* Enable timestamps on FD, a connected socket that has sent nothing. Returns 0, or a negative
 * errno: -ENOPROTOOPT or -EINVAL if the kernel is too old. */
int stamps_begin(struct stamps *stamps, int fd, bool tcp);

/* Request timestamps of the messages that are sent from now on, or stop that: a system call, where
 * that changes. */
void stamps_set_sending(struct stamps *stamps, bool on);

/* A work item of the kernel enables the timestamps of received packets, for all sockets, some time
 * after the first socket has asked for them: wait until a datagram has one, for a second at most.
 */
void stamps_await(void);

/* Determine the offset of the clocks: the kernel uses CLOCK_REALTIME, which may be set. Returns
 * true if it was set since the last call. */
bool stamps_compare_clocks(struct stamps *stamps);

/* As recv(); sets RECEIVED_AT to the timestamp of the last packet from which it returned bytes. */
ssize_t stamps_receive(struct stamps *stamps, void *bytes, size_t room, int flags);

/* As recvmmsg(); sets RECEIVED_AT for each of the datagrams that were received. */
int stamps_receive_datagrams(struct stamps *stamps, struct mmsghdr *list, unsigned count, int flags,
                             uint64_t *received_at);

/* The timestamp of a message that was sent. */
struct stamp {
    uint32_t number; /* over TCP, of its last byte; over UDP, of the datagram */
    uint32_t kind;   /* SCM_TSTAMP_SCHED or SCM_TSTAMP_SND (linux/errqueue.h) */
    uint64_t at;     /* CLOCK_MONOTONIC */
};

/* Take one timestamp from the error queue. Returns false if there is none. */
bool stamps_take(struct stamps *stamps, struct stamp *stamp);
