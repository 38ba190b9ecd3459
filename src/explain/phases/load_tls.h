/* What TLS does to calls.
 *
 * A reply that takes several receives is decrypted piece by piece, while the client waits for the
 * rest, and the server and the network work on it.
 *
 * Calls under load are found by their place in the streams of their connection, as numbers of bytes
 * modulo 2^32. The kernel's events have positions in the stream that is encrypted; the client knows
 * those of its calls before that. Both are known of the records' ends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Positions, also of datagrams */

/* Is A before B? They are less than 2^31 apart. */
static inline bool position_is_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

/* LIST has COUNT items of SIZE bytes, whose first member is a position, in order: the index of the
 * first that is not before END; COUNT if all are. */
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

/* What one recv() brought was decrypted: FROM, UNTIL in ns of CLOCK_MONOTONIC. */
struct decryption {
    uint32_t end; /* of calls under load: the position after its last byte, once decrypted */
    uint64_t from, until;
};

struct decryptions {
    struct decryption *list; /* in order */
    size_t count, capacity;
};

/* Returns 0 or -ENOMEM. */
int decryptions_add(struct decryptions *decryptions, struct decryption decryption);

/* Count the time of the COUNT decryptions in LIST, which are of one reply, as if all of them came
 * after the last recv(): AT are the call's timestamps, of which those up to REPLY_READ become
 * earlier by the time that was spent on decryption before them. Their order stays the same. */
void decryption_gather(uint64_t *at, const struct decryption *list, size_t count);

/* Records */

/* A record of TLS, or several that follow one another. */
struct load_record {
    uint32_t end;                  /* the position after its last byte, not encrypted */
    uint32_t wire_begin, wire_end; /* of the first byte, and after the last, encrypted */
    uint64_t encrypt_ns, send_ns;  /* with all that were sent before it in the block */
};

struct load_records {
    struct load_record *list; /* of the block, in order */
    size_t count, capacity;
};

struct load_tls {
    uint32_t sent, received;      /* positions after what was sent and received, not encrypted */
    uint32_t wire_sent, opened;   /* positions after the last record that was sent, or decrypted */
    uint64_t encrypting_since;    /* 0: it is not known */
    uint64_t encrypt_ns, send_ns; /* of all records that were sent in the block */
    uint64_t decrypted_at;        /* what the last recv() brought */
    struct load_records records_sent, records_opened;
    struct decryptions decryptions;
};

/* There is a new session, after so many bytes. */
void load_tls_begin_session(struct load_tls *tls, uint32_t sent, uint32_t received);

void load_tls_begin_block(struct load_tls *tls);

/* A record was being encrypted until send() was called at AT; that returned at UNTIL. */
void load_tls_note_send(struct load_tls *tls, uint64_t at, uint64_t until);

/* A record with BYTES was sent, up to position WIRE_SENT; or was decrypted, which took RECEIVED
 * bytes of the stream, after SKIPPED bytes. It is noted only if ON. Returns 0 or -ENOMEM. */
int load_tls_note_sent(struct load_tls *tls, size_t bytes, uint32_t wire_sent, bool on);
int load_tls_note_opened(struct load_tls *tls, size_t bytes, size_t received, size_t skipped,
                         bool on);

/* Set SPAN to the records that have the bytes from position BEGIN to END, with the time that they
 * took themselves. Returns false if these were not noted. */
bool load_records_find(const struct load_records *records, uint32_t begin, uint32_t end,
                       struct load_record *span);

void load_tls_free(struct load_tls *tls);
