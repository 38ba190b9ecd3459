/* Record marking (RFC 5531 section 11): finding whole messages in a byte stream. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    RPC_RECORD_MARK_SIZE = 4,
    RPC_RECORD_FRAGMENTS =
        1024, /* maximum in a record; each call of rpc_record_find() goes through all of them */
};

struct rpc_record {
    const uint8_t *message; /* in place in the buffer, fragments joined */
    size_t length;          /* of the message */
    size_t consumed;        /* bytes of the buffer that the record took, marks included */
};

/* Look for a record at the start of BYTES, of which LENGTH are filled and CAPACITY exist. Returns 1
 * if it is complete (several fragments are joined in place, which moves bytes); 0 if more must be
 * read; -EMSGSIZE if it does not fit into CAPACITY, or has too many fragments. */
int rpc_record_find(uint8_t *bytes, size_t length, size_t capacity, struct rpc_record *record);

/* The least number of bytes that are missing from the record at the start of BYTES (LENGTH of them,
 * in which rpc_record_find() found none): the rest of the current fragment, and the next mark if it
 * is not the last. Receiving no more than that never takes bytes of the next record. */
size_t rpc_record_missing(const uint8_t *bytes, size_t length);
