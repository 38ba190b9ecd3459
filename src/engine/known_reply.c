#include "engine/known_reply.h"

int known_reply_learn(struct known_reply *known, const struct engine_call *call,
                      const uint8_t *bytes, size_t length, struct engine_tally *tally)
{
    /* COMPARED is read before the check. If another thread changes the value later, the remembered
     * reply no longer matches. */
    uint64_t trailing = tally->trailing, compared = known_reply_compared(call);
    int status = engine_check_reply(call, bytes, length, tally);

    if (status != 0 || tally->trailing != trailing || length > KNOWN_REPLY_MAXIMUM)
        return status;
    known->call = call;
    known->compared = compared;
    known->length = length;
    memcpy(known->bytes, bytes, length);
    return 0;
}
