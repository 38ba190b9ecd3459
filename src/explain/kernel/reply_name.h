/* Assigns the server's sending system calls to replies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/kernel/kernel_event.h"

/* Set the xid of each KERNEL_SEND_ENTERED in EVENTS, COUNT events sorted by time. The kernel
 * reports the first bytes of each send().
 * Over UDP, one send() is one reply. Over TCP, calls are made one at a time, and a server may send
 * the record mark, the header and the data of a reply in any number of send() calls. So the first
 * send() after a receive begins a reply (record mark, then xid: RFC 5531, section 11). Further
 * send() calls until the next receive become KERNEL_SEND_CONTINUED. If the first bytes could not be
 * read or are encrypted, the xid is 0. */
void reply_name(struct kernel_event *events, size_t count, bool is_tcp);
