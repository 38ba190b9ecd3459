#include "explain/rpc_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

enum { NFS_VERSION = 3, RPC_TASK_ASYNC = 1 /* of flags */ };
enum { NAME_SIZE = sizeof((struct rpc_event){0}.name) };

#define OF_TASK [RPC_FIELD_TASK] = "task_id", [RPC_FIELD_CLIENT] = "client_id"
#define OF_PEER [RPC_FIELD_PEER] = "addr", [RPC_FIELD_PORT] = "port"

const struct rpc_tracepoint rpc_tracepoints[RPC_TRACEPOINTS] = {
    {"sunrpc", "rpc_task_begin", RPC_BEGUN, .fields = {OF_TASK, [RPC_FIELD_VALUE] = "flags"}},
    {"sunrpc", "rpc_task_run_action", RPC_ACTION,
     .fields = {OF_TASK, [RPC_FIELD_VALUE] = "action"}},
    {"sunrpc", "rpc_task_sleep", RPC_SLEEPS, .fields = {OF_TASK, [RPC_FIELD_NAME] = "q_name"}},
    {"sunrpc", "rpc_task_wakeup", RPC_WOKEN, .fields = {OF_TASK}},
    {"sunrpc", "xprt_transmit", RPC_SENT,
     .fields = {OF_TASK, [RPC_FIELD_XID] = "xid", [RPC_FIELD_STATUS] = "status"}},
    {"sunrpc", "rpc_task_end", RPC_ENDED, .fields = {OF_TASK}},
    {"sunrpc", "rpc_stats_latency", RPC_MEASURED,
     .fields = {OF_TASK, [RPC_FIELD_VALUE] = "execute", [RPC_FIELD_NAME] = "procname",
                [RPC_FIELD_PROGRAM] = "progname", [RPC_FIELD_VERSION] = "version"}},
    {"sunrpc", "xs_data_ready", RPC_DATA_READY, .fields = {OF_PEER}},
    {"sunrpc", "xprt_lookup_rqst", RPC_REPLIED,
     .fields = {OF_PEER, [RPC_FIELD_XID] = "xid", [RPC_FIELD_STATUS] = "status"}},
    {"sunrpc", "svc_xprt_enqueue", SVC_QUEUED, .fields = {[RPC_FIELD_PEER] = "client"}},
    {"sunrpc", "svc_xprt_dequeue", SVC_TAKEN, .fields = {[RPC_FIELD_PEER] = "client"}},
    {"sunrpc", "svc_xdr_recvfrom", .type = SVC_RECEIVED},
    {"sunrpc", "svc_process", SVC_PROCESSED,
     .fields = {[RPC_FIELD_NAME] = "procedure",
                [RPC_FIELD_PROGRAM] = "service",
                [RPC_FIELD_VERSION] = "vers"}},
    {"nfsd", "nfsd_fh_verify", .type = SVC_CHECKED},
    {"nfsd", "nfsd_read_splice", .type = SVC_IO_BEGUN},
    {"nfsd", "nfsd_read_vector", .type = SVC_IO_BEGUN},
    {"nfsd", "nfsd_write_opened", .type = SVC_IO_BEGUN},
    {"nfsd", "nfsd_read_io_done", .type = SVC_IO_DONE},
    {"nfsd", "nfsd_write_io_done", .type = SVC_IO_DONE},
    {"sunrpc", "svc_stats_latency", .type = SVC_SENDS},
    {"sunrpc", "svc_send", .type = SVC_SENT},
    {"raw_syscalls", "sys_enter", RPC_CALL_ENTERED, .filter = "common_pid"},
    {"raw_syscalls", "sys_exit", RPC_CALL_RETURNED, .filter = "common_pid"},
    {"sched", "sched_switch", RPC_CALLER_RUNS, .filter = "next_pid"},
};

/* Formats */

int rpc_record_format(struct rpc_record_format *format, const struct rpc_tracepoint *tracepoint,
                      const char *text)
{
    int code = trace_format_id(text, &format->id);

    for (size_t i = 0; i < RPC_FIELDS && code == 0; i++) {
        const char *name = i == RPC_FIELD_TYPE     ? "common_type"
                           : i == RPC_FIELD_THREAD ? "common_pid"
                                                   : tracepoint->fields[i];

        if (name)
            code = trace_format_field(text, name, &format->fields[i]);
    }
    format->known = code == 0;
    return code;
}

/* Records */

/* A record, as it is looked at. */
struct view {
    const struct rpc_tracepoint *tracepoint;
    const struct rpc_record_format *format;
    const void *record;
    size_t length;
};

static bool has(const struct view *view, enum rpc_field field)
{
    return view->tracepoint->fields[field] != NULL;
}

/* 0 where the tracepoint has no such field, or the record is too short for it. */
static uint64_t number(const struct view *view, enum rpc_field field)
{
    uint64_t value = 0;

    trace_number(&view->format->fields[field], view->record, view->length, &value);
    return value;
}

/* As much of a text as fits. */
static void text(const struct view *view, enum rpc_field field, char name[NAME_SIZE])
{
    size_t size = 0;
    const char *bytes =
        trace_bytes(&view->format->fields[field], view->record, view->length, &size);

    if (bytes)
        snprintf(name, NAME_SIZE, "%.*s", (int)size, bytes);
    else
        name[0] = '\0';
}

/* That of no bytes, where there is no such field. */
static uint64_t hash_of(const struct view *view, enum rpc_field field)
{
    static const struct hash_key key = {{0}};
    size_t size = 0;
    const void *bytes =
        trace_bytes(&view->format->fields[field], view->record, view->length, &size);

    return hash_bytes(&key, bytes, bytes ? size : 0);
}

/* Transports have no address here, and are told apart by their other ends. */
static uint64_t peer(const struct view *view)
{
    return hash_of(view, RPC_FIELD_PEER) + 3 * hash_of(view, RPC_FIELD_PORT);
}

static bool is_nfs(const struct view *view)
{
    char program[NAME_SIZE];

    text(view, RPC_FIELD_PROGRAM, program);
    return number(view, RPC_FIELD_VERSION) == NFS_VERSION &&
           (strcmp(program, "nfs") == 0 || strcmp(program, "nfsacl") == 0 ||
            strcmp(program, "nfsd") == 0);
}

/* Of an RPC its client and its number; of a request its thread. No task is 0 or 1. */
static uint64_t task(const struct view *view)
{
    if (has(view, RPC_FIELD_TASK))
        return (number(view, RPC_FIELD_CLIENT) + 1) << 32 | number(view, RPC_FIELD_TASK);
    return view->tracepoint->type >= SVC_TAKEN && view->tracepoint->type <= SVC_SENT
               ? number(view, RPC_FIELD_THREAD)
               : 0;
}

static uint64_t value(const struct view *view)
{
    const uint64_t plain = number(view, RPC_FIELD_VALUE);

    if (has(view, RPC_FIELD_PEER))
        return peer(view);
    if (!has(view, RPC_FIELD_VALUE))
        return 0;
    if (view->tracepoint->type == RPC_BEGUN)
        return plain & RPC_TASK_ASYNC;
    /* Whole microseconds, rounded down: so they are half of one more in the mean. */
    return view->tracepoint->type == RPC_MEASURED ? plain * 1000 + 500 : plain;
}

static void fill_in(const struct view *view, uint64_t at_ns, struct rpc_event *event)
{
    *event = (struct rpc_event){
        .at_ns = at_ns,
        .type = view->tracepoint->type,
        .task = task(view),
        .value = value(view),
        .process = (uint32_t)number(view, RPC_FIELD_THREAD),
        .number = (uint32_t)number(view, view->tracepoint->type == RPC_BEGUN ? RPC_FIELD_CLIENT
                                                                             : RPC_FIELD_XID),
    };
    if (has(view, RPC_FIELD_NAME))
        text(view, RPC_FIELD_NAME, event->name);
}

static const struct rpc_record_format *
find_format(const struct rpc_record_format formats[RPC_TRACEPOINTS], const void *record,
            size_t length)
{
    uint64_t id;

    for (size_t i = 0; i < RPC_TRACEPOINTS; i++)
        if (formats[i].known &&
            trace_number(&formats[i].fields[RPC_FIELD_TYPE], record, length, &id) &&
            id == formats[i].id)
            return &formats[i];
    return NULL;
}

bool rpc_record_read(const struct rpc_record_format formats[RPC_TRACEPOINTS], uint64_t at_ns,
                     const void *record, size_t length, struct rpc_event *event)
{
    struct view view = {
        .format = find_format(formats, record, length), .record = record, .length = length};

    if (!view.format)
        return false;
    view.tracepoint = &rpc_tracepoints[view.format - formats];
    if (number(&view, RPC_FIELD_STATUS) != 0 || (has(&view, RPC_FIELD_PROGRAM) && !is_nfs(&view)))
        return false;
    fill_in(&view, at_ns, event);
    return true;
}

/* What later records say */

static int by_time(const void *a, const void *b)
{
    const struct rpc_event *x = a, *y = b;

    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static void sort(struct rpc_event *events, size_t count)
{
    if (count > 0)
        qsort(events, count, sizeof *events, by_time);
}

static struct rpc_event *latest_begun(struct rpc_event *events, size_t before, uint64_t of_task)
{
    while (before-- > 0)
        if (events[before].type == RPC_BEGUN && events[before].task == of_task)
            return &events[before];
    return NULL;
}

static struct rpc_event *latest_sent(struct rpc_event *events, size_t before, uint32_t xid)
{
    while (before-- > 0)
        if (events[before].type == RPC_SENT && events[before].number == xid)
            return &events[before];
    return NULL;
}

/* The kernel began to count its lifetime some time before the first tracepoint, and ends it at the
 * last one. */
static void complete_begun(struct rpc_event *begun, const struct rpc_event *measured)
{
    const uint64_t from = measured->at_ns > measured->value ? measured->at_ns - measured->value : 0;

    memcpy(begun->name, measured->name, sizeof begun->name);
    begun->at_ns = from < begun->at_ns ? from : begun->at_ns;
}

static void complete(struct rpc_event *events, size_t index)
{
    const struct rpc_event *event = &events[index];
    struct rpc_event *begun =
        event->type == RPC_MEASURED ? latest_begun(events, index, event->task) : NULL;
    struct rpc_event *sent =
        event->type == RPC_REPLIED ? latest_sent(events, index, event->number) : NULL;

    if (begun)
        complete_begun(begun, event);
    if (sent)
        sent->value = event->value;
}

void rpc_records_complete(struct rpc_event *events, size_t count)
{
    sort(events, count);
    for (size_t i = 0; i < count; i++)
        complete(events, i);
    for (size_t i = 0; i < count; i++)
        if (events[i].type == RPC_BEGUN && !events[i].name[0]) {
            events[i].number = UINT32_MAX; /* that no client has */
            events[i].process = 0;
        }
    sort(events, count);
}
