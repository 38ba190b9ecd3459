#include "explain/rpc_states_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a system call: no RPC has this address. */
#define CALL_TASK UINT64_C(1)

static const struct phase_type phases[RPC_PHASES] = {
    [RPC_PHASE_BEFORE] = {.key = "before-rpc",
                          .name = "before the RPC",
                          .meaning = "from the system call's entry until an RPC begins",
                          .kind = PHASE_CLIENT},
    [RPC_PHASE_BEGUN] = {.key = "rpc-begun",
                         .name = "RPC begun",
                         .meaning =
                             "until its first step; one that the caller does not wait for itself "
                             "waits for a thread of the kernel",
                         .kind = PHASE_QUEUEING},
    [RPC_PHASE_PREPARED] = {.key = "prepared",
                            .name = "prepared",
                            .meaning = "slot, credential, buffer and encoding",
                            .kind = PHASE_CLIENT},
    [RPC_PHASE_SENT] = {.key = "sent",
                        .name = "sent",
                        .meaning = "from its step transmit until the call is in the socket",
                        .kind = PHASE_CLIENT},
    [RPC_PHASE_AWAY] = {.key = "network-and-server",
                        .name = "network and server",
                        .meaning = "until data arrive in the client's socket",
                        .kind = PHASE_NETWORK_AND_SERVER},
    [RPC_PHASE_RECEIVED] = {.key = "received",
                            .name = "received",
                            .meaning = "until the reply is read and the RPC woken",
                            .kind = PHASE_CLIENT},
    [RPC_PHASE_WOKEN] = {.key = "rpc-woken",
                         .name = "RPC woken",
                         .meaning = "until it has a processor",
                         .kind = PHASE_QUEUEING},
    [RPC_PHASE_DECODED] = {.key = "decoded",
                           .name = "decoded",
                           .meaning = "until the RPC ends",
                           .kind = PHASE_CLIENT},
    [RPC_PHASE_CALLER_WAITS] =
        {.key = "caller-woken",
         .name = "caller woken",
         .meaning = "until the caller has a processor, if it did not wait in the RPC",
         .kind = PHASE_QUEUEING},
    [RPC_PHASE_RETURNED] = {.key = "returned",
                            .name = "returned",
                            .meaning = "until the system call returns",
                            .kind = PHASE_CLIENT},
};

static const struct phase_type *const in_order[RPC_PHASES] = {
    &phases[RPC_PHASE_BEFORE],   &phases[RPC_PHASE_BEGUN],   &phases[RPC_PHASE_PREPARED],
    &phases[RPC_PHASE_SENT],     &phases[RPC_PHASE_AWAY],    &phases[RPC_PHASE_RECEIVED],
    &phases[RPC_PHASE_WOKEN],    &phases[RPC_PHASE_DECODED], &phases[RPC_PHASE_CALLER_WAITS],
    &phases[RPC_PHASE_RETURNED],
};

static const struct phase_view view = {
    .name = "system-call", .phases = in_order, .count = RPC_PHASES};

const struct phase_view *const rpc_phase_views[] = {&view, NULL};

/* After the phases: where there is no room for another state. */
enum { STATE_OTHER = RPC_PHASES, STATES_FIRST };

const struct phase_type *rpc_phase_type(enum rpc_phase phase)
{
    return &phases[phase];
}

#define QUEUE_PENDING "xprt_pending"

/* Opening */

static void name_first_states(struct rpc_states *rpcs)
{
    for (unsigned i = 0; i < RPC_PHASES; i++) {
        snprintf(rpcs->list[i].name, RPC_STATE_NAME_SIZE, "%s", phases[i].name);
        rpcs->list[i].kind = phases[i].kind;
    }
    snprintf(rpcs->list[STATE_OTHER].name, RPC_STATE_NAME_SIZE, "other states");
    rpcs->count = STATES_FIRST;
    rpcs->group_count = RPC_GROUPS_FIRST;
}

int rpc_states_open(struct rpc_states *rpcs, uint32_t caller)
{
    memset(rpcs, 0, sizeof *rpcs);
    rpcs->caller = caller;
    name_first_states(rpcs);
    rpcs->states = calloc(1, sizeof *rpcs->states);
    return rpcs->states ? 0 : -ENOMEM;
}

void rpc_states_close(struct rpc_states *rpcs)
{
    free(rpcs->states);
    rpcs->states = NULL;
}

void rpc_states_clear(struct rpc_states *rpcs)
{
    memset(rpcs->states, 0, sizeof *rpcs->states);
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
    state->kind = kind;
    return (unsigned)rpcs->count++;
}

unsigned rpc_state_called(struct rpc_states *rpcs, const char *name, enum phase_kind kind)
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

    return rpc_state_called(rpcs, name, pending ? PHASE_NETWORK_AND_SERVER : PHASE_QUEUEING);
}

unsigned rpc_group_called(struct rpc_states *rpcs, const char *procedure, bool server)
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

/* Events */

/* Of one event come five at most: all that happened to a request before it was known. */
enum { EVENTS_OF_ONE = 5 };

void rpc_reader_emit(struct rpc_reader *reader, const struct state_event *event)
{
    reader->list[reader->count++] = *event;
}

static void enter_phase(struct rpc_reader *reader, enum rpc_phase phase, uint64_t at_ns)
{
    reader->phase = phase;
    reader->phase_ns = at_ns > reader->phase_ns ? at_ns : reader->phase_ns;
    rpc_reader_emit(reader, &(struct state_event){.at_ns = reader->phase_ns,
                                                  .task = CALL_TASK,
                                                  .type = STATE_ENTERED,
                                                  .state = phase});
}

/* System calls without an RPC, such as those by which the caller gets its orders, are no tasks. */
static void call_has_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (!reader->in_call || event->process != reader->rpcs->caller)
        return;
    if (!reader->has_rpc)
        rpc_reader_emit(reader, &(struct state_event){.at_ns = reader->entered_ns,
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
        rpc_reader_emit(reader, &(struct state_event){
                                    .at_ns = at_ns, .task = CALL_TASK, .type = STATE_TASK_ENDS});
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

static void begin_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_states *rpcs = reader->rpcs;
    struct state_event begins = {
        .at_ns = event->at_ns, .task = event->task, .type = STATE_TASK_BEGINS};

    note_client(rpcs, event);
    begins.group = is_of_mount(rpcs, event->number) ? rpc_group_called(rpcs, event->name, false)
                                                    : RPC_GROUP_OTHERS;
    begins.state = event->value ? rpc_state_called(rpcs, "workqueue", PHASE_QUEUEING)
                                : rpc_state_called(rpcs, "begun", PHASE_CLIENT);
    rpc_reader_emit(reader, &begins);
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

static void enter(struct rpc_reader *reader, const struct rpc_event *event, unsigned state)
{
    rpc_reader_emit(reader, &(struct state_event){.at_ns = event->at_ns,
                                                  .task = event->task,
                                                  .type = STATE_ENTERED,
                                                  .state = state});
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
        enter(reader, &replied, rpc_state_called(reader->rpcs, "received", PHASE_CLIENT));
        if (reader->has_rpc && replied.task == reader->task)
            call_goes_on(reader, &replied);
        return;
    }
}

static void end_or_measure(struct rpc_reader *reader, const struct rpc_event *event)
{
    bool ends = event->type == RPC_ENDED;

    rpc_reader_emit(reader,
                    &(struct state_event){.at_ns = event->at_ns,
                                          .task = event->task,
                                          .type = ends ? STATE_TASK_ENDS : STATE_TASK_MEASURED,
                                          .measured_ns = event->value});
}

static void take_of_rpc(struct rpc_reader *reader, const struct rpc_event *event)
{
    struct rpc_states *rpcs = reader->rpcs;
    bool away = remains_away(reader, event);

    if (reader->has_rpc && event->task == reader->task)
        call_goes_on(reader, event);
    if (event->type == RPC_SENT) {
        send_away(reader, event);
        enter(reader, event, state_of_queue(rpcs, QUEUE_PENDING));
    } else if (event->type == RPC_ENDED || event->type == RPC_MEASURED) {
        end_or_measure(reader, event);
    } else if (away) {
        return;
    } else if (event->type == RPC_ACTION) {
        enter(reader, event, state_of_function(rpcs, event->value));
    } else if (event->type == RPC_SLEEPS) {
        enter(reader, event, state_of_queue(rpcs, event->name));
    } else if (event->type == RPC_WOKEN) {
        enter(reader, event, rpc_state_called(rpcs, "woken", PHASE_QUEUEING));
    }
}

static void take(struct rpc_reader *reader, const struct rpc_event *event)
{
    if (event->type == RPC_BEGUN)
        begin_rpc(reader, event);
    else if (event->type == RPC_REPLIED)
        come_back(reader, event);
    else if (event->type >= SVC_QUEUED && event->type <= SVC_SENT)
        rpc_reader_take_request(reader, event);
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

/* Names */

/* "call_transmit.isra.0" is "transmit". */
static void set_name(struct rpc_state *state, const char *symbol)
{
    static const char *const prefixes[] = {"call_", "rpc_", "xprt_"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);

        if (strncmp(symbol, prefixes[i], length) == 0) {
            symbol += length;
            break;
        }
    }
    snprintf(state->name, sizeof state->name, "%.*s", (int)strcspn(symbol, "."), symbol);
}

void rpc_states_name(struct rpc_states *rpcs, FILE *symbols)
{
    char line[512], symbol[256];
    uint64_t address;

    while (fgets(line, sizeof line, symbols)) {
        if (sscanf(line, "%" SCNx64 " %*c %255s", &address, symbol) != 2 || address == 0)
            continue;
        for (size_t i = STATES_FIRST; i < rpcs->count; i++)
            if (rpcs->list[i].function == address)
                set_name(&rpcs->list[i], symbol);
    }
}

void rpc_states_table(const struct rpc_states *rpcs, size_t group, struct state_table *table)
{
    enum phase_kind kinds[STATES_MAXIMUM];

    for (size_t i = 0; i < STATES_MAXIMUM; i++)
        kinds[i] = rpcs->list[i].kind;
    state_table_make(table, &rpcs->states->groups[group], kinds);
}
