#include "profile/lone_reply.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/credential.h"

/* Store the first words of a datagram, at most WORDS words of 32 bits, in LIST. DIGITS: the
 * datagram in hexadecimal; old versions of tshark print colons between bytes. Returns the number of
 * words. */
static size_t read_words(const char *digits, uint32_t *list, size_t words)
{
    char byte[] = "00";
    size_t bytes = 0;

    for (; isxdigit(digits[0]) && isxdigit(digits[1]) && bytes < 4 * words; bytes++) {
        memcpy(byte, digits, 2);
        list[bytes / 4] = list[bytes / 4] << 8 | (uint32_t)strtoul(byte, NULL, 16);
        digits += digits[2] == ':' ? 3 : 2;
    }
    return bytes / 4;
}

/* Return whether a datagram whose first WORDS words are in LIST may be a reply (RFC 5531 section
 * 9): xid, type and state, then a verifier or, for a denied call, the reason. */
static bool is_reply(const uint32_t *list, size_t words)
{
    enum { IS_REPLY = 1, IS_DENIED = 1, DENIALS = 2, VERIFIER_MAXIMUM = 400 };

    if (words < 3 || list[1] != IS_REPLY || list[2] > IS_DENIED)
        return false;
    if (list[2] == IS_DENIED)
        return words < 4 || list[3] < DENIALS;
    return words < 5 || (list[3] <= RPC_FLAVOR_TLS && list[4] <= VERIFIER_MAXIMUM);
}

bool lone_reply_read(const char *payload, struct message *reply)
{
    uint32_t list[5] = {0};

    if (!is_reply(list, read_words(payload, list, sizeof list / sizeof list[0])))
        return false;
    *reply = (struct message){.xid = list[0], .decoded = true, .status = CALL_STATUS_CUT};
    return true;
}
