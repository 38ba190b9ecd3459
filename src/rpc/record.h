/* Record marking (RFC 5531 section 11): finding whole messages in a byte stream. */
#ifndef NFSBENCH_RPC_RECORD_H
#define NFSBENCH_RPC_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum {
    RPC_RECORD_MARK_SIZE = 4,
    RPC_RECORD_FRAGMENTS = 1024, /* in a record, at most: they are gone through at each look */
};

struct rpc_record {
    const uint8_t *message; /* in place in the buffer, fragments joined */
    size_t length;          /* of the message */
    size_t consumed;        /* bytes of the buffer that the record took, marks included */
};

/* Look for one record at the start of BYTES, of which LENGTH are filled and CAPACITY exist. Returns
 * 1 when it is complete (more than one fragment is joined in place, which moves bytes); 0 when
 * more must be read; -EMSGSIZE when it can't fit within CAPACITY, or has too many fragments. */
int rpc_record_find(uint8_t *bytes, size_t length, size_t capacity, struct rpc_record *record);

/* How many bytes must come at least to complete the record at the start of BYTES (LENGTH of them,
 * in which rpc_record_find() found none): those up to the end of the fragment that has begun, and
 * the mark after it where it is not the last. Receiving no more never takes anything from the next
 * record. */
size_t rpc_record_missing(const uint8_t *bytes, size_t length);

#endif
