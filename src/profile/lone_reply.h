/* Replies over UDP without their calls: tshark finds no message in such a datagram, be it that the
 * capture lacks the call or that tshark has forgotten it. What is known of them is read from the
 * datagram's first bytes. */
#pragma once

#include "profile/dissection.h"

/* Does PAYLOAD, the beginning of a datagram as tshark prints it, begin as a reply does? Then REPLY
 * is what its header says, and its status is CALL_STATUS_CUT. */
bool lone_reply_read(const char *payload, struct message *reply);
