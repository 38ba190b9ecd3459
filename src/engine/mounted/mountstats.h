/* What the kernel's NFS client counts of a mount in /proc/self/mountstats. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* For each procedure the calls, what was sent, and where their time went. All mounts of one server
 * with the same options may share the counts, and so do all their users. */

enum { MOUNTSTATS_PROCEDURES = 22 /* of NFSv3 */ };

/* Of one procedure, since the mount was made. */
enum mountstats_counter {
    MOUNTSTATS_CALLS,         /* that ended */
    MOUNTSTATS_TRANSMISSIONS, /* of them: more than the calls, if there were retransmissions */
    MOUNTSTATS_TIMEOUTS,      /* major timeouts */
    MOUNTSTATS_BYTES_SENT,
    MOUNTSTATS_BYTES_RECEIVED,
    MOUNTSTATS_QUEUE_MS,   /* from when they were begun until they were sent */
    MOUNTSTATS_RTT_MS,     /* from then to their replies */
    MOUNTSTATS_EXECUTE_MS, /* from when they were begun to their end */
    MOUNTSTATS_COUNTERS,
};

struct mountstats {
    uint64_t counters[MOUNTSTATS_PROCEDURES][MOUNTSTATS_COUNTERS];
    uint64_t connections; /* that it has now */
    uint64_t slots;       /* the most that any of them had in use at a time; 0: not known */
    /* By all connections: messages that were sent; and of each, how many other calls waited for a
     * slot, added up. */
    uint64_t sends, backlog;
};

/* Find the NFSv3 mount at POINT in TEXT, the contents of the file (the last one, where several
 * cover each other), and fill in STATS. Returns 0; -ENOENT if no NFS is mounted there; -EBADMSG if
 * its statistics are not of version 1.0 or 1.1, not of NFSv3, or incomplete. */
int mountstats_find(const char *text, const char *point, struct mountstats *stats);

/* The same of this process' own file. As above, or another negative errno. */
int mountstats_read(const char *point, struct mountstats *stats);

/* Add AFTER less BEFORE to SUM. A counter that went back adds nothing. SUM's connections and slots
 * become AFTER's. */
void mountstats_add(struct mountstats *sum, const struct mountstats *before,
                    const struct mountstats *after);

/* A counter, of all procedures. */
uint64_t mountstats_sum(const struct mountstats *stats, enum mountstats_counter counter);

/* Write the procedures that were called, with their numbers of calls: "100 READ, 2 GETATTR";
 * "none".
 */
void mountstats_describe(const struct mountstats *stats, char *text, size_t size);
