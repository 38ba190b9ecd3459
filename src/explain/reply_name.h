/* Assigns the server's send() calls to replies. A server may send the record mark, the header and
 * the data of a reply in any number of system calls; the kernel reports the first bytes of each.
 * Pure. */
#ifndef NFSBENCH_EXPLAIN_REPLY_NAME_H
#define NFSBENCH_EXPLAIN_REPLY_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "explain/kernel_event.h"

/* Set the xid of each KERNEL_SEND_ENTERED among the COUNT EVENTS, which are sorted by time. A
 * datagram is a reply. Over TCP, with one call at a time, a reply begins with the first send()
 * after a receive (RFC 5531, section 11: the record mark, then the xid); further ones until the
 * next receive become KERNEL_SEND_CONTINUED. A reply whose first bytes could not be read has xid 0.
 */
void reply_name(struct kernel_event *events, size_t count, bool is_tcp);

#endif
