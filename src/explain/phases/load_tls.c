#include "explain/phases/load_tls.h"

#include <stdlib.h>

#include "common/memory.h"
#include "measure/timestamp.h"

int decryptions_add(struct decryptions *decryptions, struct decryption decryption)
{
    return array_add(&decryptions->list, &decryptions->count, &decryptions->capacity, &decryption,
                     sizeof decryption);
}

/* Return how much time the decryptions in LIST took before AT, ns. */
static uint64_t spent_before(const struct decryption *list, size_t count, uint64_t at)
{
    uint64_t spent = 0;

    for (size_t i = 0; i < count && list[i].from < at; i++)
        spent += (list[i].until < at ? list[i].until : at) - list[i].from;
    return spent;
}

void decryption_gather(uint64_t *at, const struct decryption *list, size_t count)
{
    for (int i = TIMESTAMP_BEGUN; i <= TIMESTAMP_REPLY_READ; i++)
        at[i] -= spent_before(list, count, at[i]);
}

void load_tls_begin_session(struct load_tls *tls, uint32_t sent, uint32_t received)
{
    load_tls_begin_block(tls);
    tls->sent = tls->received = 0;
    tls->wire_sent = sent;
    tls->opened = received;
}

void load_tls_begin_block(struct load_tls *tls)
{
    tls->encrypt_ns = tls->send_ns = 0;
    tls->records_sent.count = tls->records_opened.count = tls->decryptions.count = 0;
}

static int add_record(struct load_records *records, struct load_record record)
{
    return array_add(&records->list, &records->count, &records->capacity, &record, sizeof record);
}

void load_tls_note_send(struct load_tls *tls, uint64_t at, uint64_t until)
{
    if (tls->encrypting_since == 0)
        return;
    tls->encrypt_ns += at - tls->encrypting_since;
    tls->send_ns += until - at;
    tls->encrypting_since = until;
}

int load_tls_note_sent(struct load_tls *tls, size_t bytes, uint32_t wire_sent, bool on)
{
    struct load_record record = {.wire_begin = tls->wire_sent,
                                 .wire_end = wire_sent,
                                 .encrypt_ns = tls->encrypt_ns,
                                 .send_ns = tls->send_ns};

    record.end = tls->sent += (uint32_t)bytes;
    tls->wire_sent = wire_sent;
    return on ? add_record(&tls->records_sent, record) : 0;
}

int load_tls_note_opened(struct load_tls *tls, size_t bytes, size_t received, size_t skipped,
                         bool on)
{
    struct load_record record = {.wire_begin = tls->opened += (uint32_t)skipped};

    record.end = tls->received += (uint32_t)bytes;
    record.wire_end = tls->opened += (uint32_t)received;
    return on ? add_record(&tls->records_opened, record) : 0;
}

bool load_records_find(const struct load_records *records, uint32_t begin, uint32_t end,
                       struct load_record *span)
{
    const struct load_record *list = records->list;
    size_t first = position_find(list, records->count, sizeof *list, begin + 1);
    size_t last = position_find(list, records->count, sizeof *list, end);

    if (last == records->count)
        return false;
    *span = list[last];
    span->wire_begin = list[first].wire_begin;
    if (first > 0) {
        span->encrypt_ns -= list[first - 1].encrypt_ns;
        span->send_ns -= list[first - 1].send_ns;
    }
    return true;
}

void load_tls_free(struct load_tls *tls)
{
    free(tls->records_sent.list);
    free(tls->records_opened.list);
    free(tls->decryptions.list);
}
