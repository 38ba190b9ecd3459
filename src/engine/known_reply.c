#include "engine/known_reply.h"

#include <string.h>

enum { XID_SIZE = 4 };

static bool is_known(const struct known_reply *known, const struct engine_call *call,
                     const uint8_t *bytes, size_t length)
{
    return call == known->call && length == known->length &&
           memcmp(bytes + XID_SIZE, known->bytes + XID_SIZE, length - XID_SIZE) == 0;
}

static void keep(struct known_reply *known, const struct engine_call *call, const uint8_t *bytes,
                 size_t length)
{
    if (length > KNOWN_REPLY_MAXIMUM)
        return;
    known->call = call;
    known->length = length;
    memcpy(known->bytes, bytes, length);
}

int known_reply_check(struct known_reply *known, const struct engine_call *call,
                      const uint8_t *bytes, size_t length, struct engine_tally *tally)
{
    uint64_t trailing = tally->trailing;
    int status;

    if (is_known(known, call, bytes, length))
        return 0;
    status = engine_check_reply(call, bytes, length, tally);
    if (status == 0 && tally->trailing == trailing)
        keep(known, call, bytes, length);
    return status;
}
