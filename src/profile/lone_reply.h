/* Replies over UDP without their calls. tshark finds no message in such a datagram, because the
 * capture lacks the call or tshark has forgotten it. Instead, the first bytes are read. */
#pragma once

#include "profile/dissection.h"

/* Return whether PAYLOAD, the first bytes of a datagram as tshark prints them, begins like a reply.
 * Sets REPLY to the values of the header; the status becomes CALL_STATUS_CUT. */
bool lone_reply_read(const char *payload, struct message *reply);
