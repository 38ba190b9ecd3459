/* Makes a reply message from a request message: the server's RPC layer, independent of sockets. */
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

/* A cost of at most this many ns does not end a batch: it may be spent while the batch holds the
 * tree's read lock, although other threads' changes wait for the lock. So calls with small costs
 * are batched like calls without costs, and differ from them in time by the costs alone. */
enum { COST_IN_BATCH_NS = 10 * 1000 };

/* The exported tree, its policy, and the state that all threads share. */
struct exported {
    struct tree *tree;
    struct mounts mounts;
    /* protects TREE and MOUNTS; a thread that changes them holds it exclusively */
    pthread_rwlock_t lock;
    /* Replies to WRITEs are kept in WRITE_REPLIES, because the many WRITEs would evict other
     * replies. */
    struct replies *replies, *write_replies;
    struct budget budget; /* memory of connections and delayed replies */
    uint64_t stall_ns; /* time limit of incomplete requests and handshakes, and of unread replies */
    struct policy policy;
    bool flavors[2];                 /* AUTH_NONE, AUTH_SYS: allowed with and without TLS? */
    bool flavors_by_tls[2];          /* allowed, but only over TLS? False unless TLS is required */
    struct gss_server *gss;          /* state of Kerberos; NULL: Kerberos is not allowed */
    struct tls_server *tls;          /* state of TLS; NULL: there is no TLS */
    struct limits limits;            /* state of the policy's limits */
    uint64_t longest_cost_ns;        /* largest sum of a procedure's --cost and --lock; 0: none */
    habit_free_at locks[CALL_LOCKS]; /* objects' locks, for HABIT_OBJECT_LOCKS */
    struct habit_memory memory;      /* simulated cache, for HABIT_SMALL_MEMORY */
    atomic_bool without_costs;       /* costs are switched off for now */
    /* Call log, or NULL. Each NFS call has a line: its arrival, the time when its reply may be sent
     * (both in ns on CLOCK_MONOTONIC), and the number of its procedure. The time of the reply
     * includes the reply's delays, but not the delay by HABIT_IN_ORDER. */
    FILE *call_log;
    /* for each procedure with a fault in the policy: its calls so far that got no injected error */
    _Atomic uint64_t fault_calls[POLICY_PROCEDURES];
    struct fault_kept kept; /* the WRITE kept for FAULT_LATE; used with LOCK held exclusively */
};

/* (server.c) Set EXPORTED; own TREE and copy POLICY. Returns 0; or -ENOMEM, with TREE closed. */
int exported_open(struct exported *exported, struct tree *tree, const struct policy *policy);
void exported_close(struct exported *exported);

/* The state of one thread. */
struct service {
    struct exported *exported;
    struct random random; /* random numbers for injections with a probability */
    struct delayed delayed;
    /* calls with long replies must wait, because connections wait for memory or this turn took
     * long */
    bool crowded;
    pthread_mutex_t times_lock;
    struct service_time *times; /* service times by NFS procedure; NULL: not recorded */
    /* NFS calls by each flavor in MOUNTS since the last count; 0 unless TIMES are recorded */
    uint64_t calls[POLICY_FLAVORS_MAXIMUM];
    /* IN_BATCH: a batch has begun. READING: this thread holds the read lock of the tree */
    bool in_batch, reading;
    bool without_costs; /* calls of the present turn are not charged the policy's costs */
    bool over_tls;      /* calls of the present turn come over TLS */
    bool starts_tls;    /* TLS begins after the present turn, because the client has asked for it */
    struct gss_scratch gss;
    struct gather gather; /* data of replies that have not been sent yet */
};

/* Upper bound of a reply's bytes: the data of a READ over TCP, and 80 KiB for all else. */
enum { DISPATCH_REPLY_MAXIMUM = CALL_DATA_MAXIMUM_STREAM + 80 * 1024 };

struct answer {
    size_t length;     /* bytes of the reply; 0: there is no reply */
    uint64_t delay_ns; /* delay before the reply is sent, in ns */
};

/* Write the reply to REQUEST (LENGTH bytes) from PEER to REPLY, which has DISPATCH_REPLY_MAXIMUM
 * bytes. STREAM: the request came over TCP, else in a datagram. There is no reply to a message that
 * is no call, to a repetition of a call that is under way or had too long a reply to keep, to a
 * call that Kerberos finds replayed or too old, and to a call whose reply can't be protected. */
struct answer dispatch_message(struct service *service, const uint8_t *request, size_t length,
                               bool stream, const struct sockaddr_storage *peer, uint8_t *reply);

/* Do BYTES begin with the header of a READ, READDIR or READDIRPLUS, whose reply may be long? */
bool dispatch_is_long(const uint8_t *bytes, size_t length);

/* Answer several messages with one read lock of the tree. The lock is taken after dispatch_begin(),
 * by the first message that needs it, and released by dispatch_pause(), dispatch_end(), or a
 * message that must not hold it, such as a change of the tree. Other threads may wait for the lock,
 * so a batch must not block, and must have a bounded number of messages. READ data for a stream may
 * stay in the tree while the lock is held; its release copies them into the replies. To send them
 * from the tree, call gather_segments() and send before the lock is released. */
void dispatch_begin(struct service *service);
void dispatch_pause(struct service *service);
void dispatch_end(struct service *service);
