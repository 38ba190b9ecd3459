/* The effects of TLS on calls.
 * A long reply is decrypted piece by piece, while server and network still work on its rest.
 * Calls under load are found by their positions in the connection's streams, numbers of bytes
 * modulo 2^32. The kernel's events have positions in the encrypted stream. The client knows
 * positions before encryption. Both positions are known only at the ends of TLS records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Positions of bytes or datagrams */

/* Return true if A is before B. They must be less than 2^31 apart. */
static inline bool position_is_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

/* Search LIST, COUNT items of SIZE bytes. Each item begins with its position, a uint32_t; positions
 * ascend. Returns the index of the first item whose position is not before END, or COUNT. */
static inline size_t position_find(const void *list, size_t count, size_t size, uint32_t end)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *position = (const void *)((const char *)list + middle * size);

        if (position_is_before(*position, end))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Decryption */

/* Decryption of the bytes that one recv() returned. FROM and UNTIL are ns of CLOCK_MONOTONIC. */
struct decryption {
    uint32_t end; /* position, in the decrypted stream, after the last of these bytes */
    uint64_t from, until;
};

struct decryptions {
    struct decryption *list; /* ordered by time */
    size_t count, capacity;
};

/* Append DECRYPTION. Returns 0 or -ENOMEM. */
int decryptions_add(struct decryptions *decryptions, struct decryption decryption);

/* Correct AT, the timestamps of a call, as if its whole reply was decrypted after the last recv().
 * LIST has the COUNT decryptions of the reply's pieces. From each timestamp up to REPLY_READ, the
 * time of the decryptions before it is subtracted. */
void decryption_gather(uint64_t *at, const struct decryption *list, size_t count);

/* Records */

/* One TLS record, or several consecutive ones. */
struct load_record {
    uint32_t end; /* position after the records' last byte in the unencrypted stream */
    /* positions of the records' first byte and after their last byte in the encrypted stream */
    uint32_t wire_begin, wire_end;
    uint64_t encrypt_ns, send_ns; /* times of encrypting and sending, summed over the block's
                                     records up to this one */
};

struct load_records {
    struct load_record *list; /* records of the block, in order */
    size_t count, capacity;
};

struct load_tls {
    uint32_t sent, received;      /* positions after the last byte in the unencrypted stream */
    uint32_t wire_sent, opened;   /* positions in the encrypted stream: WIRE_SENT: after the last
                                     record sent; OPENED: after the last record decrypted */
    uint64_t encrypting_since;    /* time when encrypting the current record began; 0: unknown */
    uint64_t encrypt_ns, send_ns; /* times of encrypting and sending, summed over the block */
    uint64_t decrypted_at;        /* time when the bytes of the last recv() were decrypted */
    struct load_records records_sent, records_opened;
    struct decryptions decryptions;
};

/* Begin a TLS session on a connection that has sent SENT bytes and received RECEIVED bytes. These
 * are positions in the encrypted stream. Positions in the unencrypted stream begin at 0. */
void load_tls_begin_session(struct load_tls *tls, uint32_t sent, uint32_t received);

void load_tls_begin_block(struct load_tls *tls);

/* Add the times of a record that was encrypted until AT and sent until UNTIL. Encrypting the next
 * record begins at UNTIL. Does nothing if ENCRYPTING_SINCE is 0. */
void load_tls_note_send(struct load_tls *tls, uint64_t at, uint64_t until);

/* Note a sent record with BYTES of data that ends at position WIRE_SENT of the encrypted stream. If
 * ON is false, only positions are updated. Returns 0 or -ENOMEM. */
int load_tls_note_sent(struct load_tls *tls, size_t bytes, uint32_t wire_sent, bool on);
/* Note a record with BYTES of data that was decrypted from RECEIVED bytes of the encrypted stream,
 * after SKIPPED bytes of other records. ON and the return value are as in load_tls_note_sent(). */
int load_tls_note_opened(struct load_tls *tls, size_t bytes, size_t received, size_t skipped,
                         bool on);

/* Set SPAN to the records with the unencrypted bytes from position BEGIN to END - 1. Its times are
 * summed over these records alone. Returns false, without changing SPAN, if the last of them was
 * not noted. */
bool load_records_find(const struct load_records *records, uint32_t begin, uint32_t end,
                       struct load_record *span);

void load_tls_free(struct load_tls *tls);
