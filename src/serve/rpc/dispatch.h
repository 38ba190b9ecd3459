/* From a request message to a reply message: the RPC layer of a call, independent of sockets. */
#pragma once

#include <pthread.h>
#include <stdio.h>

#include "common/random.h"
#include "serve/policy.h"
#include "serve/programs/programs.h"
#include "serve/rpc/gss.h"
#include "serve/rpc/replies.h"
#include "serve/service_time.h"
#include "serve/transport/budget.h"
#include "serve/transport/delayed.h"
#include "serve/transport/tls.h"

/* Others wait for a cost up to that: the calls behind it that arrived with it, and those of other
 * threads that change the tree. So a server with small costs takes and answers as many calls
 * together as one without, and they cost what they say. */
enum { COST_IN_BATCH_NS = 10 * 1000 };

/* What the server exports: the tree, who may use it and how, and what all threads share. */
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
    struct tls_server *tls;       /* NULL: there is no TLS */
    struct limits limits;         /* of the policy */
    uint64_t longest_cost_ns;     /* of the policy, under --lock, too; 0: it has none */
    habit_turn locks[CALL_LOCKS]; /* as habits have them */
    struct habit_memory memory;   /* likewise */
    atomic_bool without_costs;    /* costs are switched off for now */
    /* A line for each NFS call: when it arrived and when its reply was ready to be sent, its delay
     * included (ns on CLOCK_MONOTONIC), and its procedure's number. NULL: none is written. */
    FILE *call_log;
    _Atomic uint64_t fault_calls[POLICY_PROCEDURES]; /* calls that could have a fault, so far */
    struct fault_kept kept;                          /* under the exclusive lock */
};

/* (server.c) Take ownership of TREE, empty or filled. 0; or -ENOMEM, and the tree is closed. */
int exported_open(struct exported *exported, struct tree *tree, const struct policy *policy);
void exported_close(struct exported *exported);

/* The state of one thread. */
struct service {
    struct exported *exported;
    struct random random; /* for injections with a probability */
    struct delayed delayed;
    bool crowded; /* others wait for their turns: calls whose replies may be long take turns, too */
    pthread_mutex_t times_lock;
    struct service_time *times;             /* by NFS procedure; NULL: not kept */
    uint64_t calls[POLICY_FLAVORS_MAXIMUM]; /* by the export's flavors; kept with the times */
    bool in_batch, reading;                 /* the tree is locked for reading */
    bool without_costs; /* the calls of the present turn are spared the policy's costs */
    bool over_tls;      /* the calls of the present turn come over TLS */
    bool starts_tls;    /* after the present turn, TLS begins, for which the client has asked
                         */
    struct gss_scratch gss;
    struct gather gather; /* data of replies that have not been sent yet */
};

/* The most that dispatch_message() writes: the reply to a READ over TCP, or to a long DUMP. */
enum { DISPATCH_REPLY_MAXIMUM = CALL_DATA_MAXIMUM_STREAM + 80 * 1024 };

struct answer {
    size_t length;     /* of the reply; 0: there is none */
    uint64_t delay_ns; /* before it is sent */
};

/* Answer the request in REQUEST (LENGTH bytes) from PEER into REPLY (DISPATCH_REPLY_MAXIMUM bytes),
 * over a stream or in a datagram. There is no answer to a message that is not a call, nor to a
 * repeated request that is still being executed. */
struct answer dispatch_message(struct service *service, const uint8_t *request, size_t length,
                               bool stream, const struct sockaddr_storage *peer, uint8_t *reply);

/* Can the reply to the call in BYTES, with its header in front, be longer than some KiB? */
bool dispatch_is_long(const uint8_t *bytes, size_t length);

/* Answer several messages while the tree is locked for reading only once: from dispatch_begin() to
 * dispatch_pause() or dispatch_end(), or until a message changes something. Other threads may wait
 * for the lock, so a batch must not block, and must have a bounded number of messages. In a batch,
 * READ data for a stream may stay in the tree: gather_segments() says what to send, and must be
 * called before the lock is released; otherwise releasing it copies the data into the replies. */
void dispatch_begin(struct service *service);
void dispatch_pause(struct service *service);
void dispatch_end(struct service *service);
