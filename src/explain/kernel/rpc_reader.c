/* From events to states, the first step: what the events of RPCs mean. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explain/kernel/rpc_states.h"

/* Of a system call: no RPC has this address. */
#define CALL_TASK     UINT64_C(1)
#define QUEUE_PENDING "xprt_pending"

enum { PLACES = 256 }; /* RPCs that are away; threads of the server; its transports */

/* A request of the server, before its procedure is known; most that a thread takes are none. */
struct rpc_request {
    uint64_t task; /* 0: none */
    uint64_t queued_ns, taken_ns, received_ns;
    bool known, checked; /* its first states were emitted; its handle was looked at */
};

struct rpc_queued {
    uint64_t transport; /* 0: none */
    uint64_t at_ns;     /* when it was last queued; 0: it was taken */
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

struct rpc_reader {
    struct rpc_states *rpcs;
    struct rpc_away away[PLACES];
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
    struct rpc_request requests[PLACES]; /* of the server */
    struct rpc_queued queued[PLACES];
};

/* The one of PLACES items of SIZE bytes in LIST whose first member is KEY; NULL: there is none. */
static void *find(void *list, size_t size, uint64_t key)
{
    for (size_t i = 0; i < PLACES; i++) {
        void *item = (char *)list + i * size;

        if (memcmp(item, &key, sizeof key) == 0)
            return item;
    }
    return NULL;
}

/* The same, or one that is free; NULL: none is. */
static void *find_place(void *list, size_t size, uint64_t key)
{
    void *found = find(list, size, key);

    return found ? found : find(list, size, 0);
}

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
    state->type.flags = kind == PHASE_QUEUEING ? PHASE_PROCESSOR : 0;
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

static void send_away(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_away *away = find_place(reader->away, sizeof *away, event->task);

    if (away)
        *away = (struct rpc_away){event->task, event->value, event->number, false};
}

/* Does the state of EVENT's task remain as it is, because it is away? */
static bool remains_away(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_away *away = find(reader->away, sizeof *away, event->task);

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
    for (size_t i = 0; i < PLACES; i++) {
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

static void queue(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_queued *queued = find_place(reader->queued, sizeof *queued, event->value);

    if (queued)
        *queued = (struct rpc_queued){event->value, event->at_ns};
}

/* It counts as queued once. */
static void take_transport(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_request *request = find_place(reader->requests, sizeof *request, event->task);
    struct rpc_queued *queued = find(reader->queued, sizeof *queued, event->value);

    if (!request)
        return;
    *request = (struct rpc_request){
        .task = event->task, .queued_ns = queued ? queued->at_ns : 0, .taken_ns = event->at_ns};
    if (queued)
        queued->at_ns = 0;
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
        queue(reader, event);
        return;
    }
    if (event->type == SVC_TAKEN) {
        take_transport(reader, event);
        return;
    }
    request = find(reader->requests, sizeof *request, event->task);
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
