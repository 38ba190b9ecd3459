#include "serve/limits.h"

#include <math.h>

#include "serve/service_time.h"

void limits_open(struct limits *limits, const struct policy *policy)
{
    limits->policy = policy;
    limits->delay_calls =
        policy->device.ns || policy->call_rate.per_second || policy->byte_rate.per_second;
    limits->calls.tokens = (double)policy->call_rate.burst;
    limits->bytes.tokens = (double)policy->byte_rate.burst;
    pthread_mutex_init(&limits->lock, NULL);
    pthread_mutex_init(&limits->shared, NULL);
}

void limits_close(struct limits *limits)
{
    pthread_mutex_destroy(&limits->lock);
    pthread_mutex_destroy(&limits->shared);
}

void limits_spin_locked(struct limits *limits, uint64_t nanoseconds)
{
    pthread_mutex_lock(&limits->lock);
    spin_for(nanoseconds);
    pthread_mutex_unlock(&limits->lock);
}

/* Take COUNT tokens from BUCKET, which RATE refills. Returns after how many ns the call may pass; 0
 * if BUCKET had enough tokens, COUNT is 0, or RATE is no limit. */
static uint64_t take_tokens(struct limits_bucket *bucket, const struct policy_rate *rate,
                            uint64_t count, uint64_t now_ns)
{
    const double per_ns = (double)rate->per_second / 1e9;

    if (rate->per_second == 0 || count == 0)
        return 0;
    if (now_ns > bucket->filled_ns) { /* false if another thread has read a later time */
        const double added = (double)(now_ns - bucket->filled_ns) * per_ns;

        bucket->tokens = fmin((double)rate->burst, bucket->tokens + added);
        bucket->filled_ns = now_ns;
    }
    bucket->tokens -= (double)count;
    return bucket->tokens < 0 ? (uint64_t)(-bucket->tokens / per_ns) : 0;
}

/* Reserve the slot of DEVICE that is free first. FREE_NS: when each slot is free. Returns the ns
 * until DEVICE has served the call; 0 if there is no device. */
static uint64_t use_device(uint64_t *free_ns, const struct policy_device *device, uint64_t now_ns)
{
    uint64_t *first = free_ns;

    if (device->ns == 0)
        return 0;
    for (unsigned i = 1; i < device->at_once; i++)
        if (free_ns[i] < *first)
            first = &free_ns[i];
    *first = (*first > now_ns ? *first : now_ns) + device->ns;
    return *first - now_ns;
}

static uint64_t longer(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t limits_take(struct limits *limits, const struct limits_use *use, uint64_t now_ns)
{
    const struct policy *policy = limits->policy;
    uint64_t wait;

    pthread_mutex_lock(&limits->shared);
    wait = take_tokens(&limits->calls, &policy->call_rate, 1, now_ns);
    wait = longer(wait, take_tokens(&limits->bytes, &policy->byte_rate, use->bytes, now_ns));
    if (use->is_stable)
        wait = longer(wait, use_device(limits->device_free_ns, &policy->device, now_ns));
    pthread_mutex_unlock(&limits->shared);
    return wait;
}
