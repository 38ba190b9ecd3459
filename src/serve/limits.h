/* Limits that all threads of the server share: a lock, a device for stable storage, and rates of
 * calls and of bytes. No thread waits for the device or a rate, because the reply is delayed
 * instead. */
#pragma once

#include <pthread.h>

#include "serve/policy.h"

/* A token bucket. Each token lets one call or one byte pass. */
struct limits_bucket {
    /* number of tokens; negative if delayed calls have used tokens that are not added yet */
    double tokens;
    uint64_t filled_ns; /* time up to which TOKENS were added, in ns */
};

struct limits {
    const struct policy *policy;
    bool delay_calls;       /* the policy has a device or a rate */
    pthread_mutex_t lock;   /* a call holds the lock during its --lock time */
    pthread_mutex_t shared; /* protects the members below */
    struct limits_bucket calls, bytes;
    uint64_t device_free_ns[POLICY_DEVICE_MAXIMUM]; /* time from which each slot is free, ns */
};

/* The resources that one call uses. */
struct limits_use {
    uint32_t bytes; /* bytes of file data that the call reads or writes */
    bool is_stable; /* the call waits for stable storage */
};

/* Initialize LIMITS, which the caller has zeroed. POLICY must outlive LIMITS. */
void limits_open(struct limits *limits, const struct policy *policy);
void limits_close(struct limits *limits);

/* Wait for LOCK of LIMITS, hold LOCK while spin_for(NANOSECONDS) keeps the processor busy, and
 * release LOCK. */
void limits_spin_locked(struct limits *limits, uint64_t nanoseconds);

/* Reserve a token of the call rate and the resources in USE for a call that arrives at NOW_NS, by a
 * clock that all calls share. Returns by how many ns the call's reply must be delayed: the longest
 * of the waits for rates and device, not their sum. Calls are served in order of reservation. */
uint64_t limits_take(struct limits *limits, const struct limits_use *use, uint64_t now_ns);
