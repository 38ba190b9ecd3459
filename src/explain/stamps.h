/* The kernel's own stamps of a message's way through a socket: when it is given to the queueing
 * discipline, when to the device, and when the reply's last packet came (SO_TIMESTAMPING; Linux's
 * Documentation/networking/timestamping.rst). Stamps of what was sent come back through the
 * socket's error queue with a number: over TCP that of the last byte, over UDP that of the
 * datagram. */
#ifndef NFSBENCH_EXPLAIN_STAMPS_H
#define NFSBENCH_EXPLAIN_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "measure/timestamp.h"

/* A call whose stamps are awaited: those of the messages numbered FIRST to LAST are its. */
struct stamps_call {
    uint32_t first, last;
};

struct stamps {
    int fd;
    bool tcp;
    uint32_t next;        /* number of the next byte or datagram */
    uint64_t real_ahead;  /* ns by which CLOCK_REALTIME is ahead of CLOCK_MONOTONIC */
    uint64_t received_at; /* of the latest receive; CLOCK_MONOTONIC, 0: it came without */
    uint64_t unmatched;   /* stamps of no call that is known */
};

/* CLOCK_MONOTONIC in ns. */
uint64_t stamps_now(void);

/* Have FD, a connected socket that has sent nothing, stamped. 0, or a negative errno: -ENOPROTOOPT
 * or -EINVAL where the kernel is too old for it. */
int stamps_begin(struct stamps *stamps, int fd, bool tcp);

/* Compare the clocks: kernel stamps are of CLOCK_REALTIME, which may be set. Returns true when it
 * was set since the last time. */
bool stamps_compare_clocks(struct stamps *stamps);

/* send() returned SENT for CALL (whose FIRST is set by the first of its sends). */
void stamps_note_sent(struct stamps *stamps, ssize_t sent, bool first, struct stamps_call *call);

/* As recv(); RECEIVED_AT is then the stamp of the last packet that it returned bytes of. */
ssize_t stamps_receive(struct stamps *stamps, void *bytes, size_t room, int flags);

/* Take stamps that have come, and give them to COUNT calls, CALLS and their TIMES, the latest last:
 * until the latest one has both of its own or none is left; and all. */
void stamps_collect(struct stamps *stamps, const struct stamps_call *calls,
                    struct call_times *times, size_t count);
void stamps_collect_all(struct stamps *stamps, const struct stamps_call *calls,
                        struct call_times *times, size_t count);

#endif
