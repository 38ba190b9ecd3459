/* The states of requests inside the kernel's server, which handles each by one thread from the
 * queue to the reply. */
#include <string.h>

#include "explain/rpc_states_parts.h"

static struct rpc_request *find(struct rpc_requests *requests, uint64_t task)
{
    for (size_t i = 0; i < RPC_REQUESTS_MAXIMUM; i++)
        if (requests->list[i].task == task)
            return &requests->list[i];
    return NULL;
}

static void queue(struct rpc_requests *requests, const struct rpc_event *event)
{
    size_t i = 0;

    while (i < RPC_REQUESTS_MAXIMUM && requests->queued[i].transport &&
           requests->queued[i].transport != event->value)
        i++;
    if (i == RPC_REQUESTS_MAXIMUM)
        return;
    requests->queued[i].transport = event->value;
    requests->queued[i].at_ns = event->at_ns;
}

/* When TRANSPORT was queued, once; 0: unknown. */
static uint64_t unqueue(struct rpc_requests *requests, uint64_t transport)
{
    uint64_t at_ns = 0;

    for (size_t i = 0; i < RPC_REQUESTS_MAXIMUM && at_ns == 0; i++)
        if (requests->queued[i].transport == transport) {
            at_ns = requests->queued[i].at_ns;
            requests->queued[i].at_ns = 0;
        }
    return at_ns;
}

static void take(struct rpc_requests *requests, const struct rpc_event *event)
{
    struct rpc_request *request = find(requests, event->task);

    if (!request)
        request = find(requests, 0);
    if (!request)
        return;
    *request = (struct rpc_request){.task = event->task,
                                    .queued_ns = unqueue(requests, event->value),
                                    .taken_ns = event->at_ns};
}

static void enter(struct rpc_reader *reader, uint64_t task, uint64_t at_ns, const char *state)
{
    rpc_reader_emit(reader, &(struct state_event){
                                .at_ns = at_ns,
                                .task = task,
                                .type = STATE_ENTERED,
                                .state = rpc_state_called(reader->rpcs, state, PHASE_SERVER)});
}

/* The server's request and the client's RPC of one call have different addresses, so both may be
 * tasks at the same time. */
static void know(struct rpc_reader *reader, struct rpc_request *request,
                 const struct rpc_event *event)
{
    uint64_t begins = request->queued_ns ? request->queued_ns : request->taken_ns;

    if (!request->received_ns)
        return; /* its begin was not seen */
    rpc_reader_emit(reader,
                    &(struct state_event){
                        .at_ns = begins,
                        .task = request->task,
                        .type = STATE_TASK_BEGINS,
                        .group = rpc_group_called(reader->rpcs, event->name, true),
                        .state = rpc_state_called(reader->rpcs, "server queue", PHASE_QUEUEING)});
    enter(reader, request->task, request->taken_ns, "receive");
    enter(reader, request->task, request->received_ns, "authenticate");
    enter(reader, request->task, event->at_ns, "decode arguments");
    request->known = true;
}

static void go_on(struct rpc_reader *reader, struct rpc_request *request,
                  const struct rpc_event *event)
{
    if (event->type == SVC_CHECKED && !request->checked) {
        request->checked = true;
        enter(reader, request->task, event->at_ns, "nfsd");
    } else if (event->type == SVC_IO_BEGUN) {
        enter(reader, request->task, event->at_ns, "file system");
    } else if (event->type == SVC_IO_DONE) {
        enter(reader, request->task, event->at_ns, "nfsd");
    } else if (event->type == SVC_SENDS) {
        enter(reader, request->task, event->at_ns, "send");
    } else if (event->type == SVC_SENT) {
        rpc_reader_emit(reader, &(struct state_event){.at_ns = event->at_ns,
                                                      .task = request->task,
                                                      .type = STATE_TASK_ENDS});
        request->task = 0;
    }
}

void rpc_reader_take_request(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_request *request;

    if (event->type == SVC_QUEUED) {
        queue(&reader->requests, event);
        return;
    }
    if (event->type == SVC_TAKEN) {
        take(&reader->requests, event);
        return;
    }
    request = find(&reader->requests, event->task);
    if (!request)
        return;
    if (request->known)
        go_on(reader, request, event);
    else if (event->type == SVC_RECEIVED)
        request->received_ns = event->at_ns;
    else if (event->type == SVC_PROCESSED)
        know(reader, request, event);
}
