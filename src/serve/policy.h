/* What the server was asked to do besides serving: which callers to trust, and what to inject. */
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
    SEQUENCE_WINDOW_MAXIMUM = 1024, /* numbers, of CONTEXT_WINDOW; a power of two */
};

/* Which callers are treated as nobody. */
enum policy_squash { SQUASH_NONE, SQUASH_ROOT, SQUASH_ALL };

/* Additional time of a call, with some probability. */
struct policy_time {
    uint64_t ns; /* 0: none */
    double probability;
};

/* A device for stable storage, which takes NS (0: there is none) for each call, and serves AT_ONCE
 * calls at a time, 1 to POLICY_DEVICE_MAXIMUM. */
struct policy_device {
    uint64_t ns;
    unsigned at_once;
};

/* A token bucket: how much may pass per second (0: any number), and how much at once after a pause.
 */
struct policy_rate {
    uint64_t per_second, burst;
};

struct policy {
    unsigned habits; /* of enum habit */
    bool read_only;
    enum policy_squash squash;
    /* The security flavours that calls may have, the preferred one first. None: AUTH_SYS and
     * AUTH_NONE. */
    uint32_t flavors[POLICY_FLAVORS_MAXIMUM];
    size_t flavor_count;
    enum rpc_xprtsec xprtsec; /* the least that calls must have, except NULL and those of MOUNT */
    uint64_t context_ns;      /* how long a security context is valid; 0: as long as its ticket */
    uint64_t context_calls;   /* after which a security context is forgotten; 0: never */
    uint32_t context_window;  /* sequence numbers in its window; 0: as many as there can be */

    /* By NFS procedure. */
    struct policy_time costs[POLICY_PROCEDURES]; /* spun on the processor before it runs */
    struct policy_time locks[POLICY_PROCEDURES]; /* the same, while the server's lock is held */
    struct policy_time
        delays[POLICY_PROCEDURES]; /* by which the reply is delayed, without delaying other calls */
    struct policy_error {
        nfsstat3 status;
        double probability; /* that a call is answered by STATUS, and not executed */
    } errors[POLICY_PROCEDURES];
    struct policy_fault faults[POLICY_PROCEDURES];

    struct policy_device device;  /* of WRITEs that are not UNSTABLE, and of COMMITs */
    struct policy_rate call_rate; /* of calls of NFS, but NULL */
    struct policy_rate byte_rate; /* of the bytes of file data of READs and WRITEs */

    /* UDP: the probability that a datagram is lost, in either direction, and that a request arrives
     * twice. */
    double drop, duplicate;
    /* TCP: the number of the call after which a connection is reset; it is executed, but not
     * answered. 0: none. */
    uint64_t reset_after;
};
