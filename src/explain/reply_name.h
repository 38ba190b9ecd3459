/* Which reply the server's sends are of. A server may send a record's mark, the reply's header and
 * its data by as many system calls as it likes; the kernel tells the first bytes of each. Pure. */
#ifndef NFSBENCH_EXPLAIN_REPLY_NAME_H
#define NFSBENCH_EXPLAIN_REPLY_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "explain/kernel_event.h"

/* Give each KERNEL_SEND_ENTERED of the COUNT EVENTS, which are sorted by time, its xid. A datagram
 * is a reply. Over TCP, where one call is made at a time, a reply begins with the first send()
 * after something was received (RFC 5531, section 11: the mark, then the xid); what follows it,
 * until something is received again, becomes KERNEL_SEND_CONTINUED. A reply whose first bytes were
 * not to be read has xid 0. */
void reply_name(struct kernel_event *events, size_t count, bool is_tcp);

#endif
