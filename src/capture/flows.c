#include "capture/flows.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

enum { BUCKETS = FLOWS_MAXIMUM };

struct flows {
    struct hash_key hash_key;
    struct flow *buckets[BUCKETS];
    struct flow *newest, *oldest;
    size_t count;
    void (*end_flow)(void *context, struct flow *flow);
    void *context;
    struct flow pool[FLOWS_MAXIMUM]; /* the first COUNT are in use */
};

struct flows *flows_open(void (*end_flow)(void *context, struct flow *flow), void *context)
{
    struct flows *flows = calloc(1, sizeof *flows);

    if (!flows)
        return NULL;
    flows->hash_key = hash_new_key();
    flows->end_flow = end_flow;
    flows->context = context;
    return flows;
}

static struct flow **bucket_of(struct flows *flows, const struct flow_key *key)
{
    return &flows->buckets[hash_bytes(&flows->hash_key, key, sizeof *key) % BUCKETS];
}

static void unlink_by_age(struct flows *flows, struct flow *flow)
{
    *(flow->newer ? &flow->newer->older : &flows->newest) = flow->older;
    *(flow->older ? &flow->older->newer : &flows->oldest) = flow->newer;
}

static void link_newest(struct flows *flows, struct flow *flow)
{
    flow->newer = NULL;
    flow->older = flows->newest;
    *(flows->newest ? &flows->newest->newer : &flows->oldest) = flow;
    flows->newest = flow;
}

static void forget(struct flows *flows, struct flow *flow)
{
    struct flow **place = bucket_of(flows, &flow->key);

    flows->end_flow(flows->context, flow);
    while (*place != flow)
        place = &(*place)->chained;
    *place = flow->chained;
    unlink_by_age(flows, flow);
}

void flows_close(struct flows *flows)
{
    while (flows && flows->oldest)
        forget(flows, flows->oldest);
    free(flows);
}

static void set_end(struct flow_key *key, unsigned end, const uint8_t address[16], uint16_t port)
{
    memcpy(key->ends[end].address, address, 16);
    key->ends[end].port = port;
}

/* The key of PACKET's flow. Returns which end sent it. */
static unsigned make_key(struct flow_key *key, const struct packet *packet)
{
    int order = memcmp(packet->from, packet->to, 16);
    unsigned side = order > 0 || (order == 0 && packet->from_port > packet->to_port);

    memset(key, 0, sizeof *key);
    set_end(key, side, packet->from, packet->from_port);
    set_end(key, !side, packet->to, packet->to_port);
    key->protocol = (uint16_t)packet->protocol;
    return side;
}

static struct flow *make(struct flows *flows, const struct flow_key *key)
{
    struct flow **bucket = bucket_of(flows, key), *flow = flows->oldest;
    uint64_t number;

    if (flows->count == FLOWS_MAXIMUM) {
        forget(flows, flow);
        number = flow->number + FLOWS_MAXIMUM;
    } else {
        flow = &flows->pool[flows->count];
        number = ++flows->count;
    }
    *flow = (struct flow){.key = *key, .number = number, .chained = *bucket};
    *bucket = flow;
    link_newest(flows, flow);
    return flow;
}

struct flow *flows_numbered(struct flows *flows, uint64_t number)
{
    struct flow *flow = &flows->pool[(number - 1) % FLOWS_MAXIMUM];

    return flow->number == number ? flow : NULL;
}

struct flow *flows_find(struct flows *flows, const struct packet *packet, unsigned *side)
{
    struct flow_key key;
    struct flow *flow;

    *side = make_key(&key, packet);
    flow = *bucket_of(flows, &key);
    while (flow && memcmp(&flow->key, &key, sizeof key) != 0)
        flow = flow->chained;
    if (!flow)
        return make(flows, &key);
    unlink_by_age(flows, flow);
    link_newest(flows, flow);
    return flow;
}
