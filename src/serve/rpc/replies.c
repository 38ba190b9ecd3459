#include "serve/rpc/replies.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/address.h"
#include "common/hash.h"
#include "common/system_clock.h"

enum {
    /* number of a request's first bytes that are hashed; most of a WRITE's data are not */
    HASHED_MAXIMUM = 256,
};

struct entry {
    uint64_t ticket; /* number of the request, from 1 */
    uint64_t hash;   /* hash of the request and its sender */
    uint32_t next;   /* next entry of the same bucket: index plus one; 0: none */
    uint16_t length; /* bytes of the reply; 0: no reply yet, or one that is too long */
    time_t made;     /* arrival of the request in s, by monotonic_coarse_ns() */
    uint8_t reply[REPLIES_SIZE];
};

struct replies {
    pthread_mutex_t lock;
    struct hash_key key;
    uint32_t capacity;     /* length of ENTRIES and of BUCKETS */
    struct entry *entries; /* a ring: request T has index T modulo CAPACITY */
    uint32_t *buckets;     /* newest entry of each bucket: index plus one; 0: none */
    uint64_t last_ticket;
    time_t lifetime_s;
};

struct replies *replies_open(uint32_t capacity, unsigned lifetime_s)
{
    struct replies *replies = calloc(1, sizeof *replies);

    if (!replies)
        return NULL;
    pthread_mutex_init(&replies->lock, NULL);
    replies->key = hash_new_key();
    replies->capacity = capacity;
    replies->lifetime_s = lifetime_s;
    replies->entries = calloc(capacity, sizeof *replies->entries);
    replies->buckets = calloc(capacity, sizeof *replies->buckets);
    if (replies->entries && replies->buckets)
        return replies;
    replies_close(replies);
    return NULL;
}

void replies_close(struct replies *replies)
{
    if (!replies)
        return;
    pthread_mutex_destroy(&replies->lock);
    free(replies->entries);
    free(replies->buckets);
    free(replies);
}

static uint64_t hash_request(const struct replies *replies, const struct replies_request *request)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)request->peer;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)request->peer;
    struct {
        uint64_t length;
        uint8_t host[16];
        uint32_t port, stream;
    } who = {
        .length = request->length, .port = address_port(request->peer), .stream = request->stream};
    size_t hashed = request->length < HASHED_MAXIMUM ? request->length : HASHED_MAXIMUM;

    if (request->peer->ss_family == AF_INET6)
        memcpy(who.host, &v6->sin6_addr, sizeof v6->sin6_addr);
    else
        memcpy(who.host, &v4->sin_addr, sizeof v4->sin_addr);
    return hash_bytes(&replies->key, request->bytes, hashed) ^
           hash_bytes(&replies->key, &who, sizeof who);
}

static uint32_t *bucket_of(struct replies *replies, uint64_t hash)
{
    return &replies->buckets[hash % replies->capacity];
}

static time_t now_s(void)
{
    return (time_t)(monotonic_coarse_ns() / 1000000000);
}

/* Return the newest entry with HASH; NULL if there is none, or it is older than the lifetime. */
static struct entry *find_entry(struct replies *replies, uint64_t hash)
{
    time_t oldest = now_s() - replies->lifetime_s;

    for (uint32_t place = *bucket_of(replies, hash); place;
         place = replies->entries[place - 1].next)
        if (replies->entries[place - 1].hash == hash && replies->entries[place - 1].made >= oldest)
            return &replies->entries[place - 1];
    return NULL;
}

static void unlink_entry(struct replies *replies, uint32_t place)
{
    uint32_t *link = bucket_of(replies, replies->entries[place].hash);

    while (*link != place + 1)
        link = &replies->entries[*link - 1].next;
    *link = replies->entries[place].next;
}

static uint64_t add_entry(struct replies *replies, uint64_t hash)
{
    uint64_t ticket = ++replies->last_ticket;
    uint32_t place = (uint32_t)(ticket % replies->capacity);
    struct entry *entry = &replies->entries[place];

    if (entry->ticket)
        unlink_entry(replies, place);
    entry->ticket = ticket;
    entry->hash = hash;
    entry->length = 0;
    entry->made = now_s();
    entry->next = *bucket_of(replies, hash);
    *bucket_of(replies, hash) = place + 1;
    return ticket;
}

enum replies_found replies_find(struct replies *replies, const struct replies_request *request,
                                uint64_t *ticket, uint8_t *reply, size_t *reply_length)
{
    uint64_t hash = hash_request(replies, request);
    enum replies_found found = REPLIES_NEW;
    const struct entry *entry;

    pthread_mutex_lock(&replies->lock);
    entry = find_entry(replies, hash);
    if (!entry) {
        *ticket = add_entry(replies, hash);
    } else if (entry->length == 0) {
        found = REPLIES_UNDER_WAY;
    } else {
        found = REPLIES_KNOWN;
        *reply_length = entry->length;
        memcpy(reply, entry->reply, entry->length);
    }
    pthread_mutex_unlock(&replies->lock);
    return found;
}

void replies_keep(struct replies *replies, uint64_t ticket, const uint8_t *reply, size_t length)
{
    struct entry *entry = &replies->entries[ticket % replies->capacity];

    pthread_mutex_lock(&replies->lock);
    if (entry->ticket == ticket && length <= sizeof entry->reply) {
        memcpy(entry->reply, reply, length);
        entry->length = (uint16_t)length;
    }
    pthread_mutex_unlock(&replies->lock);
}
