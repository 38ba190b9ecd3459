#include "capture/packet.h"

#include <stdlib.h>
#include <string.h>

enum {
    PACKETS = 256,    /* that are incomplete at the same time */
    SIZE = 65536,     /* of the largest packet */
    UNITS = SIZE / 8, /* offsets are multiples of 8 bytes */
    TIMEOUT_S = 30,   /* as Linux has it; later, the identification is another packet's */
};

/* A packet in parts. */
struct assembly {
    struct packet first; /* whose packet it is */
    uint64_t began;
    bool used;
    size_t length;  /* 0: the last fragment has not come */
    size_t end;     /* of the fragment that reaches furthest */
    size_t units;   /* that have come */
    size_t valid;   /* bytes from the start on that are not cut */
    uint8_t *bytes; /* SIZE of them; kept for the next packet */
    uint8_t *come;  /* after them: a bit for each unit */
};

struct fragments {
    struct assembly packets[PACKETS];
    uint64_t incomplete;
};

struct fragments *fragments_open(void)
{
    return calloc(1, sizeof(struct fragments));
}

void fragments_close(struct fragments *fragments)
{
    for (size_t i = 0; fragments && i < PACKETS; i++)
        free(fragments->packets[i].bytes);
    free(fragments);
}

static bool is_of(const struct assembly *assembly, const struct packet *packet)
{
    const struct packet *first = &assembly->first;

    return assembly->used && first->identification == packet->identification &&
           first->protocol == packet->protocol && memcmp(first->from, packet->from, 16) == 0 &&
           memcmp(first->to, packet->to, 16) == 0;
}

static void give_up_old(struct fragments *fragments, uint64_t time)
{
    for (size_t i = 0; i < PACKETS; i++) {
        struct assembly *assembly = &fragments->packets[i];

        if (!assembly->used || time < assembly->began + TIMEOUT_S * UINT64_C(1000000000))
            continue;
        assembly->used = false;
        fragments->incomplete++;
    }
}

/* A free place, or that of the packet which has waited longest. */
static struct assembly *choose(struct fragments *fragments)
{
    struct assembly *oldest = fragments->packets;

    for (size_t i = 0; i < PACKETS; i++) {
        struct assembly *assembly = &fragments->packets[i];

        if (!assembly->used)
            return assembly;
        if (assembly->began < oldest->began)
            oldest = assembly;
    }
    fragments->incomplete++;
    return oldest;
}

static struct assembly *find_or_begin(struct fragments *fragments, const struct packet *packet,
                                      uint64_t time)
{
    struct assembly *assembly;
    uint8_t *bytes;

    give_up_old(fragments, time);
    for (size_t i = 0; i < PACKETS; i++)
        if (is_of(&fragments->packets[i], packet))
            return &fragments->packets[i];
    assembly = choose(fragments);
    bytes = assembly->bytes ? assembly->bytes : malloc(SIZE + UNITS / 8);
    *assembly = (struct assembly){.bytes = bytes};
    if (!bytes)
        return NULL;
    assembly->first = *packet;
    assembly->began = time;
    assembly->used = true;
    assembly->valid = SIZE;
    assembly->come = bytes + SIZE;
    memset(assembly->come, 0, UNITS / 8);
    return assembly;
}

/* Note that the bytes of a fragment have come; those of a copy are not counted again. */
static void mark(struct assembly *assembly, size_t offset, size_t length)
{
    for (size_t unit = offset / 8; unit < (offset + length + 7) / 8; unit++) {
        uint8_t bit = (uint8_t)(1 << (unit % 8));

        if (assembly->come[unit / 8] & bit)
            continue;
        assembly->come[unit / 8] |= bit;
        assembly->units++;
    }
}

static void add(struct assembly *assembly, const struct packet *packet)
{
    size_t offset = packet->fragment_offset;

    memcpy(assembly->bytes + offset, packet->data, packet->captured);
    if (packet->captured < packet->length && offset + packet->captured < assembly->valid)
        assembly->valid = offset + packet->captured;
    mark(assembly, offset, packet->length);
    if (offset + packet->length > assembly->end)
        assembly->end = offset + packet->length;
    if (!packet->more_fragments)
        assembly->length = offset + packet->length;
}

/* A fragment after the end that the last one gives is another packet's, or nonsense: the number of
 * units then says nothing of what is before the end. */
static bool is_whole(const struct assembly *assembly)
{
    return assembly->length > 0 && assembly->end == assembly->length &&
           assembly->units == (assembly->length + 7) / 8;
}

bool fragments_add(struct fragments *fragments, struct packet *packet, uint64_t time)
{
    struct assembly *assembly;

    if (packet->fragment_offset + packet->length > SIZE ||
        (packet->more_fragments && packet->length % 8 != 0))
        return false;
    assembly = find_or_begin(fragments, packet, time);
    if (!assembly)
        return false;
    add(assembly, packet);
    if (!is_whole(assembly))
        return false;
    assembly->used = false;
    packet->data = assembly->bytes;
    packet->length = assembly->length;
    packet->captured = assembly->valid < assembly->length ? assembly->valid : assembly->length;
    packet->is_fragment = false;
    return true;
}

uint64_t fragments_incomplete(const struct fragments *fragments)
{
    uint64_t count = fragments->incomplete;

    for (size_t i = 0; i < PACKETS; i++)
        count += fragments->packets[i].used;
    return count;
}
