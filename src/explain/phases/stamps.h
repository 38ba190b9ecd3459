/* The kernel's timestamps ("stamps") of messages through a socket: when a message is passed to the
 * queueing discipline and to the device, and when a reply's last packet is received
 * (SO_TIMESTAMPING; Linux's Documentation/networking/timestamping.rst). Timestamps of sent messages
 * come through the socket's error queue with a number: over TCP that of the last byte, over UDP
 * that of the datagram. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

enum { STAMPS_DATAGRAMS_MAXIMUM = 64 }; /* most datagrams in one receive */

struct stamps {
    int fd;
    bool tcp;
    bool sending;         /* sent messages get timestamps */
    uint64_t real_ahead;  /* CLOCK_REALTIME - CLOCK_MONOTONIC, ns */
    uint64_t received_at; /* timestamp of the last stamps_receive(), CLOCK_MONOTONIC ns; 0: none */
};

/* Enable timestamps of sent and received messages on FD, a connected socket. The numbers of the
 * sent bytes or datagrams begin at 0. Returns 0, or a negative errno: -ENOPROTOOPT or -EINVAL if
 * the kernel is too old. */
int stamps_begin(struct stamps *stamps, int fd, bool tcp);

/* Enable or disable timestamps of the messages that are sent from now on. Makes a system call only
 * if ON is a change. */
void stamps_set_sending(struct stamps *stamps, bool on);

/* Wait until a datagram gets a timestamp, for about one second at most. The kernel enables
 * timestamps of received packets, for all sockets, some time after the first socket asked for
 * them. */
void stamps_await(void);

/* Determine how far CLOCK_REALTIME, which the kernel's timestamps use, is ahead of CLOCK_MONOTONIC.
 * Returns true if this changed by over 1 us since the last call: CLOCK_REALTIME was set. */
bool stamps_compare_clocks(struct stamps *stamps);

/* Receive as recv() does, and set STAMPS' RECEIVED_AT to the timestamp of the last packet whose
 * bytes were returned. */
ssize_t stamps_receive(struct stamps *stamps, void *bytes, size_t room, int flags);

/* Receive at most STAMPS_DATAGRAMS_MAXIMUM datagrams as recvmmsg() does, and set RECEIVED_AT[i] to
 * the timestamp of datagram i (0: none). */
int stamps_receive_datagrams(struct stamps *stamps, struct mmsghdr *list, unsigned count, int flags,
                             uint64_t *received_at);

/* The timestamp of a sent message. */
struct stamp {
    uint32_t number; /* over TCP, the number of its last byte; over UDP, of the datagram */
    uint32_t kind;   /* SCM_TSTAMP_SCHED or SCM_TSTAMP_SND (linux/errqueue.h) */
    uint64_t at;     /* CLOCK_MONOTONIC, ns */
};

/* Read one timestamp from the error queue. Returns false if there is none. */
bool stamps_take(struct stamps *stamps, struct stamp *stamp);
