/* A connection over which an experiment sends messages as it pleases: with xids of its own, the
 * same message again, several at once; and takes the replies in the order in which they come. What
 * engine/channel.h does against trouble would hide what is looked for here. */
#pragma once

#include "character/lab.h"
#include "engine/receive_buffer.h"

struct link {
    struct lab *lab;
    struct endpoint endpoint;
    int fd; /* -1: closed */
    struct receive_buffer buffer;
};

struct link_reply {
    uint32_t xid;
    const uint8_t *bytes; /* from the xid on; valid until the next is waited for */
    size_t length;
    uint64_t ticks; /* of the lab's clock, when it had arrived */
};

/* Connect to ENDPOINT. Returns 0, or a negative errno with ERROR set; link_close() takes either. */
int link_open(struct link *link, struct lab *lab, const struct endpoint *endpoint,
              struct error *error);

/* Close it by a reset, which leaves the port free for the next connection. */
void link_close(struct link *link);

/* Send MESSAGE with XID. Returns 0, or a negative errno with ERROR set. */
int link_send(struct link *link, const struct channel_message *message, uint32_t xid,
              struct error *error);

/* Send FIRST with XID and SECOND with the xid after it, over TCP by one system call if they are not
 * longer than LINK_TWO_MAXIMUM, so that nothing comes between them. Returns as link_send(). */
enum { LINK_TWO_MAXIMUM = 8192 };
int link_send_two(struct link *link, const struct channel_message *first,
                  const struct channel_message *second, uint32_t xid, struct error *error);

/* Send MESSAGE with XID, and wait for its reply for WAIT_NS at most; replies to other messages are
 * dropped. Returns 1; 0 when none came; or a negative errno with ERROR set: -ECONNRESET when the
 * server closed the connection. */
int link_exchange(struct link *link, const struct channel_message *message, uint32_t xid,
                  uint64_t wait_ns, struct link_reply *reply, struct error *error);

/* The same with the plan's timeout, after which they fail (-ETIMEDOUT): wait for the next reply,
 * and make a call. Return 0, or a negative errno with ERROR set. */
int link_must_receive(struct link *link, struct link_reply *reply, struct error *error);
int link_call(struct link *link, const struct channel_message *message, uint32_t xid,
              struct link_reply *reply, struct error *error);

/* The nfsstat3 of a reply, or minus its enum rpc_outcome; INT_MIN for what is no reply. */
int link_status(const struct link_reply *reply);

/* A call of OP as a message, to be released by free(message->bytes). Returns 0, or a negative errno
 * with ERROR set. */
int link_message(struct channel_message *message, const struct lab *lab, const char *op,
                 union nfs_arguments *arguments, struct error *error);
