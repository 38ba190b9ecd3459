/* Record marking (RFC 5531 section 11): finding complete messages in a byte stream. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RPC_RECORD_MARK_SIZE = 4 };

/* Limit for the length in bytes, in a stream, of the record of a message of at most LENGTH bytes:
 * each byte may be a fragment with a mark of its own, and one more fragment may follow. RFC 5531
 * has no such limit: it allows any number of empty fragments. */
#define RPC_RECORD_STREAM_MAXIMUM(length) (((length) + 1) * (RPC_RECORD_MARK_SIZE + 1))

struct rpc_record {
    const uint8_t *message; /* message in the buffer, with its fragments joined */
    size_t length;          /* length of MESSAGE */
    size_t consumed;        /* bytes of the record in the buffer: one mark and the message */
    size_t marks;           /* bytes of marks removed from an incomplete record */
};

/* Find a record at the start of BYTES, which has *LENGTH bytes. Returns 1 if the record is
 * complete, 0 if more must be received, or -EMSGSIZE if the record is too long: its message and one
 * mark need more than CAPACITY bytes, or more than CAPACITY marks would be removed. After 1, RECORD
 * has the message.
 *
 * Fragments are joined as they arrive: marks are removed, which moves the bytes after them and
 * reduces *LENGTH. So an incomplete record needs at most CAPACITY + RPC_RECORD_MARK_SIZE bytes.
 * RECORD must be zeroed before the first bytes of a stream, and not be changed between calls. */
int rpc_record_find(uint8_t *bytes, size_t *length, size_t capacity, struct rpc_record *record);

/* Return how many bytes the incomplete record in the LENGTH BYTES lacks at least. If a mark is
 * incomplete, this is the rest of the mark. Else it is the rest of the current fragment and, unless
 * this is the record's last fragment, the next mark. Receiving at most this number takes no bytes
 * of the next record. */
size_t rpc_record_missing(const uint8_t *bytes, size_t length);
