#include "server/exported.h"

#include <errno.h>
#include <string.h>

enum { REPLIES = 65536, WRITE_REPLIES = 4096, SMALL_REPLIES = 64 };

static uint64_t longest_cost(const struct policy *policy)
{
    uint64_t longest = 0;

    for (size_t i = 0; i < POLICY_PROCEDURES; i++)
        if (policy->costs[i].ns > longest)
            longest = policy->costs[i].ns;
    return longest;
}

static void allow_flavors(struct exported *exported, const struct policy *policy)
{
    static const uint32_t usual[] = {RPC_FLAVOR_SYS, RPC_FLAVOR_NONE};
    size_t count = policy->flavor_count ? policy->flavor_count : sizeof usual / sizeof usual[0];
    const uint32_t *flavors = policy->flavor_count ? policy->flavors : usual;

    for (size_t i = 0; i < count; i++) {
        exported->mounts.flavors[i] = flavors[i];
        if (flavors[i] <= RPC_FLAVOR_SYS)
            exported->flavors[flavors[i]] = true;
    }
    exported->mounts.flavor_count = count;
    /* Where TLS is demanded, every call is checked as one whose flavor is not allowed in general.
     */
    if (policy->xprtsec == RPC_XPRTSEC_NONE)
        return;
    memcpy(exported->flavors_by_tls, exported->flavors, sizeof exported->flavors);
    memset(exported->flavors, 0, sizeof exported->flavors);
}

static void open_replies(struct exported *exported)
{
    const bool small = exported->policy.habits & HABIT_SMALL_CACHE;
    const unsigned lifetime_s = small ? 1 : REPLIES_LIFETIME_S;

    exported->replies = replies_open(small ? SMALL_REPLIES : REPLIES, lifetime_s);
    exported->write_replies = replies_open(small ? SMALL_REPLIES : WRITE_REPLIES, lifetime_s);
}

int exported_open(struct exported *exported, struct tree *tree, const struct policy *policy)
{
    pthread_rwlockattr_t attributes;

    memset(exported, 0, sizeof *exported);
    exported->tree = tree;
    exported->policy = *policy;
    exported->longest_cost_ns = longest_cost(policy);
    allow_flavors(exported, policy);
    if (policy->habits & HABIT_COARSE_TIMES)
        tree_set_time_unit(tree, 1000000000);
    pthread_rwlockattr_init(&attributes);
    /* A continuous stream of readers must not block writers for ever. */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&exported->lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_mutex_init(&exported->memory.lock, NULL);
    open_replies(exported);
    if (exported->replies && exported->write_replies)
        return 0;
    exported_close(exported);
    return -ENOMEM;
}

void exported_close(struct exported *exported)
{
    tree_close(exported->tree);
    replies_close(exported->replies);
    replies_close(exported->write_replies);
    if (exported->gss)
        gss_server_close(exported->gss);
    if (exported->tls)
        rpc_tls_context_close(exported->tls);
    pthread_rwlock_destroy(&exported->lock);
    pthread_mutex_destroy(&exported->memory.lock);
}
