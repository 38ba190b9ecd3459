/* Reads UDP replies in which tshark finds no message, because the capture lacks their calls or
 * tshark has forgotten them. */
#pragma once

#include "profile/dissection.h"

/* Return whether PAYLOAD, the first bytes of a datagram in hexadecimal, begins like a reply. If so,
 * sets REPLY to a message with the datagram's xid and the status CALL_STATUS_CUT. */
bool lone_reply_read(const char *payload, struct message *reply);
