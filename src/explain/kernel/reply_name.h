/* Which of the server's system calls send which reply. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/kernel/kernel_event.h"

/* Set the xid of each KERNEL_SEND_ENTERED among the COUNT EVENTS, which are sorted by time. A
 * server may send the record mark, the header and the data of a reply in any number of system
 * calls; the kernel reports the first bytes of each. A datagram is a reply. Over TCP, with one call
 * at a time, a reply begins with the first send() after a receive (RFC 5531, section 11: the record
 * mark, then the xid); further ones until the next receive become KERNEL_SEND_CONTINUED. A reply
 * whose first bytes could not be read, or are encrypted, has xid 0. */
void reply_name(struct kernel_event *events, size_t count, bool is_tcp);
