/* From the records of tracefs to the events of the kernel's RPCs. Nothing here reads files. */
#ifndef NFSBENCH_EXPLAIN_RPC_RECORDS_H
#define NFSBENCH_EXPLAIN_RPC_RECORDS_H

#include "explain/rpc_event.h"
#include "explain/trace_format.h"

/* What a tracepoint's fields are to an event. */
enum rpc_field {
    RPC_FIELD_TYPE,   /* the number of the tracepoint */
    RPC_FIELD_THREAD, /* which was running */
    RPC_FIELD_TASK,   /* the RPC's number in its client */
    RPC_FIELD_CLIENT, /* the number of that */
    RPC_FIELD_VALUE,
    RPC_FIELD_XID,
    RPC_FIELD_NAME,
    RPC_FIELD_STATUS,  /* there is an event only if it is 0 */
    RPC_FIELD_PROGRAM, /* and if it is that of NFS, as a text */
    RPC_FIELD_VERSION, /* and if it is 3 */
    RPC_FIELD_PEER,    /* the transport's other end */
    RPC_FIELD_PORT,
    RPC_FIELDS,
};

struct rpc_tracepoint {
    const char *system, *name; /* "sunrpc", "rpc_task_begin" */
    enum rpc_event_type type;
    const char *filter; /* recorded only where this field is the caller's number; NULL: always */
    const char *fields[RPC_FIELDS]; /* their names; NULL: it has none */
};

enum { RPC_TRACEPOINTS = 24 };
extern const struct rpc_tracepoint rpc_tracepoints[RPC_TRACEPOINTS];

/* What the running kernel's records of a tracepoint look like. */
struct rpc_record_format {
    bool known;
    uint64_t id;
    struct trace_field fields[RPC_FIELDS];
};

/* From the text of its file "format". Returns 0; -ENOENT if the kernel's has not all fields;
 * -EBADMSG if it isn't understood. */
int rpc_record_format(struct rpc_record_format *format, const struct rpc_tracepoint *tracepoint,
                      const char *text);

/* Make EVENT of a record at AT_NS of a tracepoint that FORMATS, in the order of the tracepoints,
 * has. False: it is none of theirs, no event of NFSv3, or not understood. */
bool rpc_record_read(const struct rpc_record_format formats[RPC_TRACEPOINTS], uint64_t at_ns,
                     const void *record, size_t length, struct rpc_event *event);

/* Sort EVENTS by time, and fill in what only later ones say: of which procedure an RPC is, when the
 * kernel began to count its lifetime, and which transport it was sent over. An RPC whose procedure
 * remains unknown is of no mount. */
void rpc_records_complete(struct rpc_event *events, size_t count);

#endif
