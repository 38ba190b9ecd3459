/* From events to states, the first step: what the events of RPCs mean. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explain/rpc_states.h"

/* Of a system call: no RPC has this address. */
#define CALL_TASK     UINT64_C(1)
#define QUEUE_PENDING "xprt_pending"

enum { RPC_REQUESTS_MAXIMUM = 256 }; /* threads of the server, and its transports */

/* A request of the server, before its procedure is known; most that a thread takes are none. */
struct rpc_request {
    uint64_t task; /* 0: none */
    uint64_t queued_ns, taken_ns, received_ns;
    bool known, checked; /* its first states were emitted; its handle was looked at */
};

struct rpc_requests {
    struct rpc_request list[RPC_REQUESTS_MAXIMUM];
    struct {
        uint64_t transport, at_ns; /* when it was last queued; transport 0: none */
    } queued[RPC_REQUESTS_MAXIMUM];
};

/* An RPC that was sent, and has not been woken since. Until it is answered, its state machine takes
 * another step, and usually goes to sleep; but where it is then is not on this side. It may also go
 * to sleep while the answer is being read. */
struct rpc_away {
    uint64_t task; /* 0: none */
    uint64_t transport;
    uint32_t xid;
    bool replied;
};

enum { RPC_AWAY_MAXIMUM = 256 };

struct rpc_reader {
    struct rpc_states *rpcs;
    struct rpc_away away[RPC_AWAY_MAXIMUM];
    struct state_event *list;
    size_t count;
    /* The caller's system call, of which there is one at a time, and its latest RPC. */
    bool in_call;
    bool has_rpc;
    uint64_t entered_ns, action_ns;
    uint64_t phase_ns; /* when its present phase began */
    uint64_t task, transport;
    bool replied;
    bool waits_elsewhere; /* the caller does not wait in the RPC itself */
    enum rpc_phase phase;
    struct rpc_requests requests; /* of the server */
};

/* States and groups by name: each has a number from when it is first seen */

static unsigned add_state(struct rpc_states *rpcs, const char *name, uint64_t function,
                          enum phase_kind kind)
{
    struct rpc_state *state = &rpcs->list[rpcs->count];

    if (rpcs->count == STATES_MAXIMUM)
        return STATE_OTHER;
    snprintf(state->name, sizeof state->name, "%s", name);
    state->function = function;
    state->type.kind = kind;
    return (unsigned)rpcs->count++;
}

static unsigned state_called(struct rpc_states *rpcs, const char *name, enum phase_kind kind)
{
    for (size_t i = STATES_FIRST; i < rpcs->count; i++)
        if (rpcs->list[i].function == 0 && strcmp(rpcs->list[i].name, name) == 0)
            return (unsigned)i;
    return add_state(rpcs, name, 0, kind);
}

static unsigned state_of_function(struct rpc_states *rpcs, uint64_t function)
{
    char name[RPC_STATE_NAME_SIZE];

    for (size_t i = STATES_FIRST; i < rpcs->count; i++)
        if (rpcs->list[i].function == function)
            return (unsigned)i;
    snprintf(name, sizeof name, "0x%" PRIx64, function);
    return add_state(rpcs, name, function, PHASE_CLIENT);
}

/* The kernel's name is "xprt_pending"; only there an RPC waits for what others do. */
static unsigned state_of_queue(struct rpc_states *rpcs, const char *queue)
{
    const char *name = strncmp(queue, "xprt_", 5) == 0 ? queue + 5 : queue;
    bool pending = strcmp(name, "pending") == 0;

    return state_called(rpcs, name, pending ? PHASE_NETWORK_AND_SERVER : PHASE_QUEUEING);
}

static unsigned group_called(struct rpc_states *rpcs, const char *procedure, bool server)
{
    for (size_t i = RPC_GROUPS_FIRST; i < rpcs->group_count; i++)
        if (rpcs->of_server[i] == server && strcmp(rpcs->groups[i], procedure) == 0)
            return (unsigned)i;
    if (rpcs->group_count == STATES_GROUPS_MAXIMUM)
        return RPC_GROUP_OTHERS;
    rpcs->of_server[rpcs->group_count] = server;
    snprintf(rpcs->groups[rpcs->group_count], sizeof rpcs->groups[0], "%s", procedure);
    return (unsigned)rpcs->group_count++;
}

static bool is_of_mount(const struct rpc_states *rpcs, uint32_t client)
{
    for (size_t i = 0; i < rpcs->client_count; i++)
        if (rpcs->clients[i] == client)
            return true;
    return false;
}

static void note_client(struct rpc_states *rpcs, const struct rpc_event *event)
{
    if (event->process == rpcs->caller && !is_of_mount(rpcs, event->number) &&
        rpcs->client_count < RPC_CLIENTS_MAXIMUM)
        rpcs->clients[rpcs->client_count++] = event->number;
}

/* Of one event come five at most: all that happened to a request before it was known. */
enum { EVENTS_OF_ONE = 5 };

static void emit(struct rpc_reader *reader, struct state_event event)
{
    reader->list[reader->count++] = event;
}

static void enter(struct rpc_reader *reader, uint64_t task, uint64_t at_ns, unsigned state)
{
    emit(reader,
         (struct state_event){.at_ns = at_ns, .task = task, .type = STATE_ENTERED, .state = state});
}

static void end(struct rpc_reader *reader, uint64_t task, uint64_t at_ns)
{
    emit(reader, (struct state_event){.at_ns = at_ns, .task = task, .type = STATE_TASK_ENDS});
}

/* The caller's system call */

static void enter_phase(struct rpc_reader *reader, enum rpc_phase phase, uint64_t at_ns)
{
    reader->phase = phase;
    reader->phase_ns = at_ns > reader->phase_ns ? at_ns : reader->phase_ns;
    enter(reader, CALL_TASK, reader->phase_ns, phase);
}

/* System calls without an RPC, such as those by which the caller gets its orders, are no tasks. */
static void call_has_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (!reader->in_call || event->process != reader->rpcs->caller)
        return;
    if (!reader->has_rpc)
        emit(reader, (struct state_event){.at_ns = reader->entered_ns,
                                          .task = CALL_TASK,
                                          .type = STATE_TASK_BEGINS,
                                          .group = RPC_GROUP_CALLS,
                                          .state = RPC_PHASE_BEFORE});
    if (!reader->has_rpc)
        reader->phase_ns = reader->entered_ns;
    reader->has_rpc = true;
    reader->task = event->task;
    reader->replied = false;
    reader->waits_elsewhere = event->value;
    enter_phase(reader, RPC_PHASE_BEGUN, event->at_ns);
}

static void call_goes_on(struct rpc_reader *reader, const struct rpc_event *event)
{
    enum rpc_phase phase = reader->phase;

    if (event->type == RPC_ACTION) {
        reader->action_ns = event->at_ns;
        if (phase == RPC_PHASE_BEGUN)
            enter_phase(reader, RPC_PHASE_PREPARED, event->at_ns);
        else if (phase == RPC_PHASE_WOKEN || (phase == RPC_PHASE_RECEIVED && reader->replied))
            enter_phase(reader, RPC_PHASE_DECODED, event->at_ns);
    } else if (event->type == RPC_SENT) {
        reader->transport = event->value;
        reader->replied = false;
        enter_phase(reader, RPC_PHASE_SENT, reader->action_ns);
        enter_phase(reader, RPC_PHASE_AWAY, event->at_ns);
    } else if (event->type == RPC_REPLIED) {
        reader->replied = true;
        if (phase == RPC_PHASE_AWAY) /* the data were not noticed before */
            enter_phase(reader, RPC_PHASE_RECEIVED, event->at_ns);
    } else if (event->type == RPC_WOKEN &&
               (phase == RPC_PHASE_AWAY || phase == RPC_PHASE_RECEIVED)) {
        enter_phase(reader, RPC_PHASE_WOKEN, event->at_ns);
    } else if (event->type == RPC_ENDED) {
        enter_phase(reader, reader->waits_elsewhere ? RPC_PHASE_CALLER_WAITS : RPC_PHASE_RETURNED,
                    event->at_ns);
    }
}

static void call_returns(struct rpc_reader *reader, uint64_t at_ns)
{
    if (reader->in_call && reader->has_rpc)
        end(reader, CALL_TASK, at_ns);
    reader->in_call = reader->has_rpc = false;
}

/* What is no RPC's. */
static void take_of_call(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (event->type == RPC_CALL_ENTERED) {
        reader->in_call = true;
        reader->has_rpc = false;
        reader->entered_ns = event->at_ns;
    } else if (event->type == RPC_CALL_RETURNED) {
        call_returns(reader, event->at_ns);
    } else if (!reader->has_rpc) {
        return;
    } else if (event->type == RPC_DATA_READY && reader->phase == RPC_PHASE_AWAY &&
               event->value == reader->transport) {
        enter_phase(reader, RPC_PHASE_RECEIVED, event->at_ns);
    } else if (event->type == RPC_CALLER_RUNS && reader->phase == RPC_PHASE_CALLER_WAITS) {
        enter_phase(reader, RPC_PHASE_RETURNED, event->at_ns);
    }
}

/* RPCs */

static void begin_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_states *rpcs = reader->rpcs;
    struct state_event begins = {
        .at_ns = event->at_ns, .task = event->task, .type = STATE_TASK_BEGINS};

    note_client(rpcs, event);
    begins.group = is_of_mount(rpcs, event->number) ? group_called(rpcs, event->name, false)
                                                    : RPC_GROUP_OTHERS;
    begins.state = event->value ? state_called(rpcs, "workqueue", PHASE_QUEUEING)
                                : state_called(rpcs, "begun", PHASE_CLIENT);
    emit(reader, begins);
    call_has_rpc(reader, event);
}

/* The place of TASK, or a free one for task 0; NULL: there is none. */
static struct rpc_away *find_away(struct rpc_reader *reader, uint64_t task)
{
    for (size_t i = 0; i < RPC_AWAY_MAXIMUM; i++)
        if (reader->away[i].task == task)
            return &reader->away[i];
    return NULL;
}

static void send_away(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_away *away = find_away(reader, event->task);

    if (!away)
        away = find_away(reader, 0);
    if (away)
        *away = (struct rpc_away){event->task, event->value, event->number, false};
}

/* Does the state of EVENT's task remain as it is, because it is away? */
static bool remains_away(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_away *away = find_away(reader, event->task);

    if (!away)
        return false;
    if (event->type == RPC_WOKEN || event->type == RPC_ENDED)
        away->task = 0;
    return away->task && (!away->replied ||
                          (event->type == RPC_SLEEPS && strcmp(event->name, QUEUE_PENDING) == 0));
}

/* The reply has arrived: EVENT becomes that of the task. */
static void come_back(struct rpc_reader *reader, const struct rpc_event *event)
{
    for (size_t i = 0; i < RPC_AWAY_MAXIMUM; i++) {
        struct rpc_away *away = &reader->away[i];
        struct rpc_event replied = *event;

        if (!away->task || away->replied || away->transport != event->value ||
            away->xid != event->number)
            continue;
        replied.task = away->task;
        away->replied = true;
        enter(reader, away->task, event->at_ns,
              state_called(reader->rpcs, "received", PHASE_CLIENT));
        if (reader->has_rpc && replied.task == reader->task)
            call_goes_on(reader, &replied);
        return;
    }
}

static void take_of_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_states *rpcs = reader->rpcs;
    bool away = remains_away(reader, event);

    if (reader->has_rpc && event->task == reader->task)
        call_goes_on(reader, event);
    if (event->type == RPC_SENT) {
        send_away(reader, event);
        enter(reader, event->task, event->at_ns, state_of_queue(rpcs, QUEUE_PENDING));
    } else if (event->type == RPC_ENDED) {
        end(reader, event->task, event->at_ns);
    } else if (event->type == RPC_MEASURED) {
        emit(reader, (struct state_event){.at_ns = event->at_ns,
                                          .task = event->task,
                                          .type = STATE_TASK_MEASURED,
                                          .measured_ns = event->value});
    } else if (away) {
        return;
    } else if (event->type == RPC_ACTION) {
        enter(reader, event->task, event->at_ns, state_of_function(rpcs, event->value));
    } else if (event->type == RPC_SLEEPS) {
        enter(reader, event->task, event->at_ns, state_of_queue(rpcs, event->name));
    } else if (event->type == RPC_WOKEN) {
        enter(reader, event->task, event->at_ns, state_called(rpcs, "woken", PHASE_QUEUEING));
    }
}

/* Requests inside the kernel's server, which handles each by one thread from the queue to the reply
 */

static void enter_named(struct rpc_reader *reader, uint64_t task, uint64_t at_ns, const char *state)
{
    enter(reader, task, at_ns, state_called(reader->rpcs, state, PHASE_SERVER));
}

static struct rpc_request *find_request(struct rpc_requests *requests, uint64_t task)
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

static void take_transport(struct rpc_requests *requests, const struct rpc_event *event)
{
    struct rpc_request *request = find_request(requests, event->task);

    if (!request)
        request = find_request(requests, 0);
    if (!request)
        return;
    *request = (struct rpc_request){.task = event->task,
                                    .queued_ns = unqueue(requests, event->value),
                                    .taken_ns = event->at_ns};
}

/* The server's request and the client's RPC of one call have different addresses, so both may be
 * tasks at the same time. */
static void know(struct rpc_reader *reader, struct rpc_request *request,
                 const struct rpc_event *event)
{
    uint64_t begins = request->queued_ns ? request->queued_ns : request->taken_ns;

    if (!request->received_ns)
        return; /* its begin was not seen */
    emit(reader,
         (struct state_event){.at_ns = begins,
                              .task = request->task,
                              .type = STATE_TASK_BEGINS,
                              .group = group_called(reader->rpcs, event->name, true),
                              .state = state_called(reader->rpcs, "server queue", PHASE_QUEUEING)});
    enter_named(reader, request->task, request->taken_ns, "receive");
    enter_named(reader, request->task, request->received_ns, "authenticate");
    enter_named(reader, request->task, event->at_ns, "decode arguments");
    request->known = true;
}

static void go_on(struct rpc_reader *reader, struct rpc_request *request,
                  const struct rpc_event *event)
{
    static const char *const states[RPC_EVENT_TYPES] = {[SVC_CHECKED] = "nfsd",
                                                        [SVC_IO_BEGUN] = "file system",
                                                        [SVC_IO_DONE] = "nfsd",
                                                        [SVC_SENDS] = "send"};

    if (event->type == SVC_SENT) {
        end(reader, request->task, event->at_ns);
        request->task = 0;
    } else if (states[event->type] && !(event->type == SVC_CHECKED && request->checked)) {
        request->checked |= event->type == SVC_CHECKED;
        enter_named(reader, request->task, event->at_ns, states[event->type]);
    }
}

static void take_of_request(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_request *request;

    if (event->type == SVC_QUEUED) {
        queue(&reader->requests, event);
        return;
    }
    if (event->type == SVC_TAKEN) {
        take_transport(&reader->requests, event);
        return;
    }
    request = find_request(&reader->requests, event->task);
    if (!request)
        return;
    if (request->known)
        go_on(reader, request, event);
    else if (event->type == SVC_RECEIVED)
        request->received_ns = event->at_ns;
    else if (event->type == SVC_PROCESSED)
        know(reader, request, event);
}

static void take(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (event->type == RPC_BEGUN)
        begin_rpc(reader, event);
    else if (event->type == RPC_REPLIED)
        come_back(reader, event);
    else if (event->type >= SVC_QUEUED && event->type <= SVC_SENT)
        take_of_request(reader, event);
    else if (event->task)
        take_of_rpc(reader, event);
    else
        take_of_call(reader, event);
}

int rpc_states_add(struct rpc_states *rpcs, const struct rpc_event *events, size_t count,
                   uint64_t lost)
{
    struct rpc_reader reader = {.rpcs = rpcs};
    int code;

    reader.list = calloc(EVENTS_OF_ONE * count + 1, sizeof *reader.list);
    if (!reader.list)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        take(&reader, &events[i]);
    code = states_add(rpcs->states, reader.list, reader.count, lost);
    free(reader.list);
    return code;
}
