/* Record marking (RFC 5531 section 11): finding whole messages in a byte stream. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RPC_RECORD_MARK_SIZE = 4 };

/* The most bytes in a stream that a record with a message of at most LENGTH bytes may take: a mark
 * for each byte and for one fragment more. RFC 5531 limits neither the number of fragments nor how
 * short they are. */
#define RPC_RECORD_STREAM_MAXIMUM(length) (((length) + 1) * (RPC_RECORD_MARK_SIZE + 1))

struct rpc_record {
    const uint8_t *message; /* in place in the buffer, fragments joined */
    size_t length;          /* of the message */
    size_t consumed;        /* bytes of the buffer that the record takes, with one mark */
    size_t marks;           /* bytes of the marks that were removed from an incomplete record */
};

/* Look for a record at the start of BYTES, of which *LENGTH are filled. Returns 1 if it is
 * complete; 0 if more must be read; -EMSGSIZE if its message and one mark take more than CAPACITY
 * bytes, or it has more than CAPACITY fragments. Fragments are joined in place as they arrive:
 * their marks are removed, which moves the bytes after them and lowers *LENGTH. So an incomplete
 * record needs CAPACITY + RPC_RECORD_MARK_SIZE bytes at most. RECORD must be all 0 before the first
 * bytes of a stream, and stay as it is between the calls. */
int rpc_record_find(uint8_t *bytes, size_t *length, size_t capacity, struct rpc_record *record);

/* The least number of bytes that are missing from the record at the start of BYTES (LENGTH of them,
 * in which rpc_record_find() found none): the rest of the current fragment, and the next mark if it
 * is not the last. Receiving no more than that never takes bytes of the next record. */
size_t rpc_record_missing(const uint8_t *bytes, size_t length);
