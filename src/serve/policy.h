/* The server's policy: trusted callers, limits, and injected costs, errors, faults and habits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nfs3.h"
#include "rpc/xprtsec.h"
#include "serve/fault.h"

enum {
    POLICY_PROCEDURES = 22,
    POLICY_FLAVORS_MAXIMUM = 5,
    POLICY_DEVICE_MAXIMUM = 64,
    /* maximum of context_window, in sequence numbers. The maximum must be a power of two; a smaller
     * window need not be. */
    SEQUENCE_WINDOW_MAXIMUM = 1024,
};

/* Which users and groups of callers are replaced by nobody: none, the superuser's (0), or all. */
enum policy_squash { SQUASH_NONE, SQUASH_ROOT, SQUASH_ALL };

/* Additional time of a procedure's calls: each call has it with PROBABILITY, 0 to 1. */
struct policy_time {
    uint64_t ns; /* the additional time, in ns; 0: none */
    double probability;
};

/* A device for stable storage. It serves each call in NS (0: there is no device), and AT_ONCE calls
 * at a time, 1 to POLICY_DEVICE_MAXIMUM. */
struct policy_device {
    uint64_t ns;
    unsigned at_once;
};

/* A token bucket: PER_SECOND tokens are added per second (0: no limit). At most BURST tokens can be
 * saved up and used at once. */
struct policy_rate {
    uint64_t per_second, burst;
};

struct policy {
    unsigned habits; /* bits of enum habit */
    bool read_only;
    enum policy_squash squash;
    /* The security flavors that calls except NULL and MOUNT's may have, the preferred one first. If
     * there are none, such calls may have AUTH_SYS and AUTH_NONE. */
    uint32_t flavors[POLICY_FLAVORS_MAXIMUM];
    size_t flavor_count;
    enum rpc_xprtsec xprtsec; /* minimum protection of calls, except NULL and MOUNT's calls */
    uint64_t context_ns;      /* maximum lifetime of a security context, ns; 0: only its ticket's */
    uint64_t context_calls;   /* number of calls after which a context is forgotten; 0: never */
    uint32_t context_window;  /* size of a context's window of sequence numbers; 0: the maximum */

    /* The following members are indexed by NFS procedure. */
    struct policy_time costs[POLICY_PROCEDURES]; /* processor time added to a call */
    /* processor time added to a call, during which the call holds the lock of struct limits */
    struct policy_time locks[POLICY_PROCEDURES];
    /* delay of a call's reply, during which its thread serves other calls */
    struct policy_time delays[POLICY_PROCEDURES];
    struct policy_error {
        nfsstat3 status;
        double probability; /* probability that a call is not executed, but answered with STATUS */
    } errors[POLICY_PROCEDURES];
    struct policy_fault faults[POLICY_PROCEDURES];

    struct policy_device device;  /* used by COMMITs, and by WRITEs that are not UNSTABLE */
    struct policy_rate call_rate; /* rate of all NFS calls except NULL */
    struct policy_rate byte_rate; /* rate of the bytes of file data in READs and WRITEs */

    /* For UDP. DROP: probability that a request is lost, and that a reply is lost. DUPLICATE:
     * probability that a request is processed twice. */
    double drop, duplicate;
    /* For TCP: number, from 1, of the call on each connection that is carried out, but answered by
     * a reset of the connection; 0: none. */
    uint64_t reset_after;
};
