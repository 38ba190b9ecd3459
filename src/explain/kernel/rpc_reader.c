/* Translates the events of RPCs into events of states (struct state_event). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explain/kernel/rpc_states.h"

/* Task number of the caller's system call. Other tasks have an address as number, never 1. */
#define CALL_TASK     UINT64_C(1)
#define QUEUE_PENDING "xprt_pending"

/* Maximum number of items in each list: RPCs that wait for a reply, requests, queued transports. */
enum { PLACES = 256 };

/* A request that a server's thread handles. The transport that the thread took may have no data, so
 * states are emitted only once the procedure is known. */
struct rpc_request {
    uint64_t task; /* 0: none */
    uint64_t queued_ns, taken_ns, received_ns;
    /* KNOWN: the first states were emitted; CHECKED: the file handle was verified */
    bool known, checked;
};

struct rpc_queued {
    uint64_t transport; /* 0: none */
    uint64_t at_ns;     /* time when the transport was last queued; 0: a thread took it */
};

/* An RPC that was sent and not woken since. Its state machine takes a step, and usually goes to
 * sleep, before the reply arrives. These events are ignored, because the RPC waits for network and
 * server. A sleep in QUEUE_PENDING while the reply is being read is ignored, too. */
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
    /* IN_CALL to PHASE: the caller's current system call, and the latest RPC of this call. */
    bool in_call;
    bool has_rpc;
    uint64_t entered_ns, action_ns;
    uint64_t phase_ns; /* time when the current phase began */
    uint64_t task, transport;
    bool replied;
    bool waits_elsewhere; /* the RPC is asynchronous: the caller does not wait in the RPC */
    enum rpc_phase phase;
    struct rpc_request requests[PLACES];
    struct rpc_queued queued[PLACES];
};

/* Find the item in LIST whose first member is KEY. LIST has PLACES items of SIZE bytes. Returns
 * NULL if no item has KEY. */
static void *find_item(void *list, size_t size, uint64_t key)
{
    for (size_t i = 0; i < PLACES; i++) {
        void *item = (char *)list + i * size;

        if (memcmp(item, &key, sizeof key) == 0)
            return item;
    }
    return NULL;
}

/* Find the item in LIST whose first member is KEY, or else a free one. NULL: there is neither. */
static void *find_or_free_item(void *list, size_t size, uint64_t key)
{
    void *found = find_item(list, size, key);

    return found ? found : find_item(list, size, 0);
}

/* States and groups, which get numbers when they are first seen */

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

/* Return the state of an RPC that sleeps in QUEUE. The state's name omits the prefix "xprt_". In
 * the queue "xprt_pending", and in no other, an RPC waits for network and server. */
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

/* Space for the state events that one event causes. SVC_PROCESSED causes the most: 4. */
enum { EVENTS_OF_ONE = 5 };

static void emit_state_event(struct rpc_reader *reader, struct state_event event)
{
    reader->list[reader->count++] = event;
}

static void enter_state(struct rpc_reader *reader, uint64_t task, uint64_t at_ns, unsigned state)
{
    emit_state_event(
        reader,
        (struct state_event){.at_ns = at_ns, .task = task, .type = STATE_ENTERED, .state = state});
}

static void end_task(struct rpc_reader *reader, uint64_t task, uint64_t at_ns)
{
    emit_state_event(reader,
                     (struct state_event){.at_ns = at_ns, .task = task, .type = STATE_TASK_ENDS});
}

/* The caller's system call */

static void enter_phase(struct rpc_reader *reader, enum rpc_phase phase, uint64_t at_ns)
{
    reader->phase = phase;
    reader->phase_ns = at_ns > reader->phase_ns ? at_ns : reader->phase_ns;
    enter_state(reader, CALL_TASK, reader->phase_ns, phase);
}

/* Begin the system call's task at its first RPC. At each RPC the task enters the phase "RPC begun".
 * System calls without an RPC, such as those that read the caller's commands, are no tasks. */
static void begin_call_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (!reader->in_call || event->process != reader->rpcs->caller)
        return;
    if (!reader->has_rpc)
        emit_state_event(reader, (struct state_event){.at_ns = reader->entered_ns,
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

static void continue_call(struct rpc_reader *reader, const struct rpc_event *event)
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
        if (phase == RPC_PHASE_AWAY) /* no RPC_DATA_READY was recorded */
            enter_phase(reader, RPC_PHASE_RECEIVED, event->at_ns);
    } else if (event->type == RPC_WOKEN &&
               (phase == RPC_PHASE_AWAY || phase == RPC_PHASE_RECEIVED)) {
        enter_phase(reader, RPC_PHASE_WOKEN, event->at_ns);
    } else if (event->type == RPC_ENDED) {
        enter_phase(reader, reader->waits_elsewhere ? RPC_PHASE_CALLER_WAITS : RPC_PHASE_RETURNED,
                    event->at_ns);
    }
}

static void end_call(struct rpc_reader *reader, uint64_t at_ns)
{
    if (reader->in_call && reader->has_rpc)
        end_task(reader, CALL_TASK, at_ns);
    reader->in_call = reader->has_rpc = false;
}

static void read_call_event(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (event->type == RPC_CALL_ENTERED) {
        reader->in_call = true;
        reader->has_rpc = false;
        reader->entered_ns = event->at_ns;
    } else if (event->type == RPC_CALL_RETURNED) {
        end_call(reader, event->at_ns);
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
    emit_state_event(reader, begins);
    begin_call_rpc(reader, event);
}

static void send_away(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_away *away = find_or_free_item(reader->away, sizeof *away, event->task);

    if (away)
        *away = (struct rpc_away){event->task, event->value, event->number, false};
}

/* Return true if EVENT does not change its task's state, because the task waits for its reply, or
 * sleeps again while the reply is read. A task that is woken or ends is removed from AWAY. */
static bool remains_away(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_away *away = find_item(reader->away, sizeof *away, event->task);

    if (!away)
        return false;
    if (event->type == RPC_WOKEN || event->type == RPC_ENDED)
        away->task = 0;
    return away->task && (!away->replied ||
                          (event->type == RPC_SLEEPS && strcmp(event->name, QUEUE_PENDING) == 0));
}

/* Handle a reply's arrival. Its RPC, if found, enters "received". The RPC's system call does so,
 * too, if RPC_DATA_READY was not recorded. */
static void receive_reply(struct rpc_reader *reader, const struct rpc_event *event)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct rpc_away *away = &reader->away[i];
        struct rpc_event replied = *event;

        if (!away->task || away->replied || away->transport != event->value ||
            away->xid != event->number)
            continue;
        replied.task = away->task;
        away->replied = true;
        enter_state(reader, away->task, event->at_ns,
                    state_called(reader->rpcs, "received", PHASE_CLIENT));
        if (reader->has_rpc && replied.task == reader->task)
            continue_call(reader, &replied);
        return;
    }
}

static void read_rpc_event(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_states *rpcs = reader->rpcs;
    bool away = remains_away(reader, event);

    if (reader->has_rpc && event->task == reader->task)
        continue_call(reader, event);
    if (event->type == RPC_SENT) {
        send_away(reader, event);
        enter_state(reader, event->task, event->at_ns, state_of_queue(rpcs, QUEUE_PENDING));
    } else if (event->type == RPC_ENDED) {
        end_task(reader, event->task, event->at_ns);
    } else if (event->type == RPC_MEASURED) {
        emit_state_event(reader, (struct state_event){.at_ns = event->at_ns,
                                                      .task = event->task,
                                                      .type = STATE_TASK_MEASURED,
                                                      .measured_ns = event->value});
    } else if (away) {
        return;
    } else if (event->type == RPC_ACTION) {
        enter_state(reader, event->task, event->at_ns, state_of_function(rpcs, event->value));
    } else if (event->type == RPC_SLEEPS) {
        enter_state(reader, event->task, event->at_ns, state_of_queue(rpcs, event->name));
    } else if (event->type == RPC_WOKEN) {
        enter_state(reader, event->task, event->at_ns, state_called(rpcs, "woken", PHASE_QUEUEING));
    }
}

/* Requests in the kernel's server. One thread handles a request from the queue to the reply. */

static void enter_named(struct rpc_reader *reader, uint64_t task, uint64_t at_ns, const char *state)
{
    enter_state(reader, task, at_ns, state_called(reader->rpcs, state, PHASE_SERVER));
}

static void queue_transport(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_queued *queued = find_or_free_item(reader->queued, sizeof *queued, event->value);

    if (queued)
        *queued = (struct rpc_queued){event->value, event->at_ns};
}

/* Begin the request of the thread that took a transport. The transport's time in the queue belongs
 * to this request, and not to the next one. */
static void take_transport(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_request *request = find_or_free_item(reader->requests, sizeof *request, event->task);
    struct rpc_queued *queued = find_item(reader->queued, sizeof *queued, event->value);

    if (!request)
        return;
    *request = (struct rpc_request){
        .task = event->task, .queued_ns = queued ? queued->at_ns : 0, .taken_ns = event->at_ns};
    if (queued)
        queued->at_ns = 0;
}

/* Emit the first states of REQUEST, whose procedure is now known. The server's request and the
 * client's RPC of one call have different addresses, so they are different tasks. */
static void begin_request(struct rpc_reader *reader, struct rpc_request *request,
                          const struct rpc_event *event)
{
    uint64_t begins = request->queued_ns ? request->queued_ns : request->taken_ns;

    if (!request->received_ns)
        return; /* the request's SVC_RECEIVED was not recorded */
    emit_state_event(
        reader,
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

static void continue_request(struct rpc_reader *reader, struct rpc_request *request,
                             const struct rpc_event *event)
{
    static const char *const states[RPC_EVENT_TYPES] = {[SVC_CHECKED] = "nfsd",
                                                        [SVC_IO_BEGUN] = "file system",
                                                        [SVC_IO_DONE] = "nfsd",
                                                        [SVC_SENDS] = "send"};

    if (event->type == SVC_SENT) {
        end_task(reader, request->task, event->at_ns);
        request->task = 0;
    } else if (states[event->type] && !(event->type == SVC_CHECKED && request->checked)) {
        request->checked |= event->type == SVC_CHECKED;
        enter_named(reader, request->task, event->at_ns, states[event->type]);
    }
}

static void read_request_event(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_request *request;

    if (event->type == SVC_QUEUED) {
        queue_transport(reader, event);
        return;
    }
    if (event->type == SVC_TAKEN) {
        take_transport(reader, event);
        return;
    }
    request = find_item(reader->requests, sizeof *request, event->task);
    if (!request)
        return;
    if (request->known)
        continue_request(reader, request, event);
    else if (event->type == SVC_RECEIVED)
        request->received_ns = event->at_ns;
    else if (event->type == SVC_PROCESSED)
        begin_request(reader, request, event);
}

static void read_event(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (event->type == RPC_BEGUN)
        begin_rpc(reader, event);
    else if (event->type == RPC_REPLIED)
        receive_reply(reader, event);
    else if (event->type >= SVC_QUEUED && event->type <= SVC_SENT)
        read_request_event(reader, event);
    else if (event->task)
        read_rpc_event(reader, event);
    else
        read_call_event(reader, event);
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
        read_event(&reader, &events[i]);
    code = states_add(rpcs->states, reader.list, reader.count, lost);
    free(reader.list);
    return code;
}
