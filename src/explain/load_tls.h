/* Where calls under load lie in the streams of a connection with TLS. The kernel's events have
 * positions in the stream that is encrypted; the client knows those of its calls before that. Both
 * are known of the records' ends. */
#pragma once

#include <stdbool.h>

#include "explain/decryption.h"

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
