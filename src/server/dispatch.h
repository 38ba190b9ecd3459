/* From a request message to a reply message: RPC's part of a call. Knows no sockets. */
#ifndef NFSBENCH_SERVER_DISPATCH_H
#define NFSBENCH_SERVER_DISPATCH_H

#include <pthread.h>

#include "common/random.h"
#include "server/budget.h"
#include "server/call.h"
#include "server/delayed.h"
#include "server/mount.h"
#include "server/policy.h"
#include "server/replies.h"
#include "server/service_time.h"

/* What all threads serve. */
struct exported {
    struct tree *tree;
    struct mounts mounts;
    pthread_rwlock_t lock; /* of both: alone, to change them */
    /* WRITEs are so many that in a common cache they would push out the others' replies. */
    struct replies *replies, *write_replies;
    struct budget budget; /* for requests and replies that connections hold, or that are delayed */
    uint64_t stall_ns;    /* for how long the rest of a request may be missing, or replies may be
                           * unread */
    struct policy policy;
    bool has_costs;            /* the policy has costs */
    atomic_bool without_costs; /* costs are not injected for now */
};

/* Take over TREE, empty or filled. 0, or -ENOMEM and the tree is closed. */
int exported_open(struct exported *exported, struct tree *tree, const struct policy *policy);
void exported_close(struct exported *exported);

/* One thread's service. */
struct service {
    struct exported *exported;
    struct random random; /* for what is injected with a probability */
    struct delayed delayed;
    pthread_mutex_t times_lock;
    struct service_time *times; /* by NFS procedure; NULL: not kept */
    bool in_batch, reading;     /* the tree is locked for reading */
    struct gather gather;       /* data of replies that are not sent yet */
};

/* What dispatch_message() may write at most: a READ's reply over TCP, or a long DUMP. */
enum { DISPATCH_REPLY_MAXIMUM = CALL_DATA_MAXIMUM_STREAM + 80 * 1024 };

struct answer {
    size_t length;     /* of the reply; 0: there is none */
    uint64_t delay_ns; /* to keep it back */
};

/* Answer the request in REQUEST (LENGTH bytes) from PEER into REPLY (DISPATCH_REPLY_MAXIMUM bytes),
 * over a stream or in a datagram. There is no answer to what is no call, nor to a repeated request
 * that is being carried out. */
struct answer dispatch_message(struct service *service, const uint8_t *request, size_t length,
                               bool stream, const struct sockaddr_storage *peer, uint8_t *reply);

/* Several messages in a row are answered with the tree locked for reading once, where nothing is
 * changed in between: from dispatch_begin() on, until dispatch_pause() or dispatch_end(), or until
 * one comes that changes something. What others wait for must not be long: nothing that may block
 * in between, and a bounded number of messages. In a batch, READ data over a stream may stay where
 * they are: gather_segments() has what is to be sent, before the lock is let go, which else copies
 * them into the replies. */
void dispatch_begin(struct service *service);
void dispatch_pause(struct service *service);
void dispatch_end(struct service *service);

#endif
