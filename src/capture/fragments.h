/* IP packets put together from their fragments, as UDP sends messages that are longer than a
 * frame. */
#ifndef NFSBENCH_CAPTURE_FRAGMENTS_H
#define NFSBENCH_CAPTURE_FRAGMENTS_H

#include "capture/packet.h"

struct fragments;

/* Returns NULL without memory. Some 17 MB are used at most. */
struct fragments *fragments_open(void);
void fragments_close(struct fragments *fragments);

/* Add PACKET, a fragment captured at TIME (ns). True if the packet it belongs to is complete:
 * PACKET's data are then those of the whole, and valid until the next call. Where a fragment's end
 * was not captured, so many bytes of the whole count as captured as come before that. */
bool fragments_add(struct fragments *fragments, struct packet *packet, uint64_t time);

/* How many packets were given up for want of a fragment, those still incomplete included. */
uint64_t fragments_incomplete(const struct fragments *fragments);

#endif
