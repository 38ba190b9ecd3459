/* Counts of a mount by the kernel's NFS client, in /proc/self/mountstats: calls, messages and times
 * of each procedure. Mounts of the same server with the same options may share the counts. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MOUNTSTATS_PROCEDURES = 22 /* procedures of NFSv3 */ };

/* Counts of one procedure since the mount was made. */
enum mountstats_counter {
    MOUNTSTATS_CALLS,         /* calls that ended */
    MOUNTSTATS_TRANSMISSIONS, /* transmissions, including retransmissions */
    MOUNTSTATS_TIMEOUTS,      /* major timeouts */
    MOUNTSTATS_BYTES_SENT,
    MOUNTSTATS_BYTES_RECEIVED,
    MOUNTSTATS_QUEUE_MS,   /* total time from the begin of each call until it was sent */
    MOUNTSTATS_RTT_MS,     /* total time from sending each call to its reply */
    MOUNTSTATS_EXECUTE_MS, /* total time from the begin of each call to its end */
    MOUNTSTATS_COUNTERS,
};

struct mountstats {
    uint64_t counters[MOUNTSTATS_PROCEDURES][MOUNTSTATS_COUNTERS];
    uint64_t connections; /* current number of connections */
    uint64_t slots;       /* most slots in use at a time on one connection; 0: unknown */
    /* Sums over all connections. SENDS: messages sent. BACKLOG: the kernel adds to it, for each
     * message sent, the number of calls that wait for a slot. */
    uint64_t sends, backlog;
};

/* Find the NFSv3 mount at POINT in TEXT, the contents of /proc/self/mountstats, and set STATS. If
 * several mounts have this point, use the last one, which covers the others. Returns 0, -ENOENT if
 * nothing of type nfs is mounted at POINT, or -EBADMSG if its statistics are not of version 1.0 or
 * 1.1, not of NFSv3, or incomplete. */
int mountstats_find(const char *text, const char *point, struct mountstats *stats);

/* Find the mount at POINT in /proc/self/mountstats, and set STATS. Returns as mountstats_find(), or
 * another negative errno. */
int mountstats_read(const char *point, struct mountstats *stats);

/* Add the growth of each counter from BEFORE to AFTER to SUM. A counter that decreased adds
 * nothing. SUM's connections and slots become AFTER's. */
void mountstats_add(struct mountstats *sum, const struct mountstats *before,
                    const struct mountstats *after);

/* Return the sum of COUNTER over all procedures. */
uint64_t mountstats_sum(const struct mountstats *stats, enum mountstats_counter counter);

/* Write the procedures that were called, with their numbers of calls, to TEXT: for example "2
 * GETATTR, 100 READ", or "none". */
void mountstats_describe(const struct mountstats *stats, char *text, size_t size);
