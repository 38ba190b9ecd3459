/* Limits that all threads of the server share, so that a client can be tried on a server that has
 * them: a lock, a device for stable storage, calls per second and bytes per second. No thread waits
 * for the last three, which only say how long a reply is to be delayed. */
#pragma once

#include <pthread.h>

#include "serve/policy.h"

/* The tokens of a token bucket, each of which lets one call or one byte pass. */
struct limits_bucket {
    double tokens;      /* less than 0: so many are owed to calls that wait */
    uint64_t filled_ns; /* when TOKENS was computed */
};

struct limits {
    const struct policy *policy;
    bool delay_calls;       /* the policy has a device, or a rate */
    pthread_mutex_t lock;   /* that calls with --lock hold */
    pthread_mutex_t shared; /* for the members below */
    struct limits_bucket calls, bytes;
    uint64_t device_free_ns[POLICY_DEVICE_MAXIMUM]; /* when each of the device's places is free */
};

/* What a call uses. */
struct limits_use {
    uint32_t bytes; /* of file data that it reads or writes */
    bool is_stable; /* it waits for stable storage */
};

/* POLICY must live as long as LIMITS. */
void limits_open(struct limits *limits, const struct policy *policy);
void limits_close(struct limits *limits);

/* Keep the processor busy for NANOSECONDS, as spin_for() does, while holding the lock; until it is
 * free, the thread sleeps. */
void limits_spin_locked(struct limits *limits, uint64_t nanoseconds);

/* A call that arrives at NOW_NS (of any one clock) uses USE: by how many ns its reply is to be
 * delayed. Calls get what they use in the order in which they ask. A call waits for the rates and
 * the device at the same time, not for one after the other. */
uint64_t limits_take(struct limits *limits, const struct limits_use *use, uint64_t now_ns);
