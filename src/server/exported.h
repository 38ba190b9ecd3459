/* What the server exports: the tree, who may use it and how, and what all threads share. */
#pragma once

#include <pthread.h>

#include "rpc/tls.h"
#include "server/budget.h"
#include "server/gss.h"
#include "server/policy.h"
#include "server/programs.h"
#include "server/replies.h"

/* Others wait for a cost up to that: the calls behind it that arrived with it, and those of other
 * threads that change the tree. So a server with small costs takes and answers as many calls
 * together as one without, and they cost what they say. */
enum { COST_IN_BATCH_NS = 10 * 1000 };

struct exported {
    struct tree *tree;
    struct mounts mounts;
    pthread_rwlock_t lock; /* of both; exclusive for changes */
    /* There are so many WRITEs that, in a common cache, they would evict the other replies. */
    struct replies *replies, *write_replies;
    struct budget budget; /* for requests and replies that connections hold, or that are delayed */
    uint64_t stall_ns; /* how long a request or a handshake may be incomplete, or replies unread */
    struct policy policy;
    bool flavors[2];              /* calls by AUTH_NONE, and by AUTH_SYS, are allowed */
    bool flavors_by_tls[2];       /* the same for calls over TLS, where the policy demands TLS */
    struct gss_server *gss;       /* for the others; NULL: there are none */
    struct rpc_tls_context *tls;  /* NULL: there is no TLS */
    uint64_t longest_cost_ns;     /* of the policy; 0: it has none */
    habit_turn locks[CALL_LOCKS]; /* as habits have them */
    struct habit_memory memory;   /* likewise */
    atomic_bool without_costs;    /* costs are switched off for now */
};

/* Take ownership of TREE, empty or filled. 0; or -ENOMEM, and the tree is closed. */
int exported_open(struct exported *exported, struct tree *tree, const struct policy *policy);
void exported_close(struct exported *exported);
