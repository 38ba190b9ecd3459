#include "serve/rpc/dispatch.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/system_clock.h"
#include "nfs_acl.h"

enum { RESERVED_PORTS = 1024 };

/* Programs */

struct program {
    uint32_t version;
    const struct procedure *table;
    size_t size;
};

static bool find_program(uint32_t number, struct program *program)
{
    if (number == NFS_PROGRAM)
        *program = (struct program){NFS_V3, nfs_table, NFS_PROCEDURES};
    else if (number == MOUNT_PROGRAM)
        *program = (struct program){MOUNT_V3, mount_table, MOUNT_PROCEDURES};
    else if (number == NFS_ACL_PROGRAM)
        *program = (struct program){NFS_ACL_V3, acl_table, ACL_PROCEDURES};
    else
        return false;
    return true;
}

/* Return the procedure to run, or NULL with the reason in REPLY's outcome. */
static const struct procedure *find_procedure(const struct rpc_call_header *header,
                                              struct rpc_reply_header *reply)
{
    struct program program;

    reply->outcome = RPC_OUTCOME_PROG_UNAVAIL;
    if (!find_program(header->program, &program))
        return NULL;
    reply->outcome = RPC_OUTCOME_PROG_MISMATCH;
    reply->low = reply->high = program.version;
    if (header->version != program.version)
        return NULL;
    reply->outcome = RPC_OUTCOME_PROC_UNAVAIL;
    return header->procedure < program.size ? &program.table[header->procedure] : NULL;
}

/* Procedures */

struct request {
    const uint8_t *bytes;
    size_t length;
    bool stream;
    struct rpc_call_header header;
    uint32_t kerberos;     /* verified flavor of Kerberos (krb5, krb5i or krb5p); 0: none */
    uint64_t sync_ns;      /* delay of the reply, set by the procedure, in ns */
    struct limits_use use; /* resources of struct limits that the call uses */
};

/* Write the results of a call of PROCEDURE that is not carried out but fails with STATUS. */
static void put_failure(const struct procedure *procedure, nfsstat3 status,
                        struct wire_writer *results)
{
    wire_put_u32(results, status);
    for (unsigned words = procedure->head; words > HEAD_STATUS; words--)
        wire_put_u32(results, 0); /* no attributes */
}

/* If the policy chooses an error for this call, write the error and return true; else false. */
static bool inject_error(struct service *service, const struct rpc_call_header *header,
                         const struct procedure *procedure, struct wire_writer *results)
{
    const struct policy *policy = &service->exported->policy;
    uint32_t number = header->procedure;

    if (header->program != NFS_PROGRAM || policy->errors[number].probability == 0 ||
        !random_chance(&service->random, policy->errors[number].probability))
        return false;
    put_failure(procedure, policy->errors[number].status, results);
    return true;
}

/* Return the additional time of a call: TIME's ns with TIME's probability, else 0. */
static uint64_t draw_time(struct service *service, const struct policy_time *time)
{
    bool happens = time->ns > 0 &&
                   (time->probability == 1 || random_chance(&service->random, time->probability));

    return happens ? time->ns : 0;
}

/* Locks */

void dispatch_pause(struct service *service)
{
    if (!service->reading)
        return;
    gather_copy(&service->gather, NULL);
    pthread_rwlock_unlock(&service->exported->lock);
    service->reading = false;
}

static void lock_tree(struct service *service, bool to_change)
{
    if (to_change) {
        dispatch_pause(service);
        pthread_rwlock_wrlock(&service->exported->lock);
    } else if (!service->reading) {
        pthread_rwlock_rdlock(&service->exported->lock);
        service->reading = true;
    }
}

static void unlock_tree(struct service *service, bool to_change)
{
    if (to_change)
        pthread_rwlock_unlock(&service->exported->lock);
    else if (!service->in_batch)
        dispatch_pause(service);
}

void dispatch_begin(struct service *service)
{
    service->in_batch = true;
}

void dispatch_end(struct service *service)
{
    dispatch_pause(service);
    service->in_batch = false;
}

/* Running procedures */

/* Spend the time of --lock for PROCEDURE, with the tree unlocked. */
static void spend_locked(struct service *service, uint32_t procedure)
{
    struct exported *exported = service->exported;
    const uint64_t ns = draw_time(service, &exported->policy.locks[procedure]);

    if (ns == 0)
        return;
    dispatch_pause(service);
    limits_spin_locked(&exported->limits, ns);
}

/* Spend the time of --lock for the call with HEADER. Returns the call's time of --cost, in ns, for
 * run_at_cost(). */
static uint64_t begin_costs(struct service *service, const struct rpc_call_header *header)
{
    const struct exported *exported = service->exported;

    if (exported->longest_cost_ns == 0 || header->program != NFS_PROGRAM ||
        service->without_costs ||
        atomic_load_explicit(&exported->without_costs, memory_order_relaxed))
        return 0;
    spend_locked(service, header->procedure);
    return draw_time(service, &exported->policy.costs[header->procedure]);
}

/* Run PROCEDURE on CALL, and spend COST_NS. A long cost is spent first, while the tree is not
 * locked. A short cost is spent last: before the procedure, it would hide the 15 to 30 ns in which
 * the processor fetches the procedure's code, and the call's additional time would be too short. */
static enum rpc_outcome run_at_cost(struct service *service, const struct procedure *procedure,
                                    struct call *call, uint64_t cost_ns)
{
    enum rpc_outcome outcome;

    if (cost_ns > COST_IN_BATCH_NS) {
        dispatch_pause(service);
        spin_for(cost_ns);
    }
    lock_tree(service, procedure->changes);
    outcome = call_serve(call, procedure);
    unlock_tree(service, procedure->changes);
    if (cost_ns > 0 && cost_ns <= COST_IN_BATCH_NS)
        spin_for(cost_ns);
    return outcome;
}

/* Return the fault of the call with HEADER. Counts the call if the policy has a fault for the
 * procedure. */
static enum fault draw_fault(struct exported *exported, const struct rpc_call_header *header)
{
    const struct policy_fault *fault = &exported->policy.faults[header->procedure];

    if (fault->number == 0 ||
        atomic_fetch_add(&exported->fault_calls[header->procedure], 1) + 1 != fault->number)
        return FAULT_NONE;
    return fault->kind;
}

/* If CALL is not carried out because of its fault, write the result and return true. Else return
 * false, also for a lost WRITE, whose procedure handles the fault. */
static bool put_faulty_result(struct call *call, const struct rpc_call_header *header,
                              const struct procedure *procedure)
{
    if (call->fault == FAULT_FAILED)
        put_failure(procedure, NFS3ERR_IO, &call->results);
    else if (call->fault == FAULT_LOST && header->procedure != NFSPROC3_WRITE)
        fault_acknowledge(header->procedure, &call->results);
    else
        return false;
    return true;
}

/* Run PROCEDURE on CALL, or inject an error or fault. The results follow the reply's header. */
static enum rpc_outcome run_procedure(struct service *service, const struct rpc_call_header *header,
                                      const struct procedure *procedure, struct call *call)
{
    enum rpc_outcome outcome;

    if (inject_error(service, header, procedure, &call->results))
        return RPC_OUTCOME_SUCCESS;
    if (header->program == NFS_PROGRAM)
        call->fault = draw_fault(service->exported, header);
    if (put_faulty_result(call, header, procedure))
        return RPC_OUTCOME_SUCCESS;
    outcome = run_at_cost(service, procedure, call, begin_costs(service, header));
    return call->results.failed ? RPC_OUTCOME_SYSTEM_ERR : outcome;
}

/* Messages */

static size_t refuse(const struct rpc_reply_header *header, uint8_t *reply)
{
    struct wire_writer writer = wire_writer(reply, DISPATCH_REPLY_MAXIMUM);

    rpc_reply_encode(&writer, header);
    return (size_t)(writer.at - reply);
}

/* Run PROCEDURE on CALL and write the reply. Returns the reply's length. */
static size_t carry_out(struct service *service, const struct request *request,
                        const struct procedure *procedure, struct call *call, uint8_t *reply)
{
    struct rpc_reply_header header = {.xid = request->header.xid, .outcome = RPC_OUTCOME_SUCCESS};

    call->results = wire_writer(reply, DISPATCH_REPLY_MAXIMUM);
    rpc_reply_encode(&call->results, &header);
    header.outcome = run_procedure(service, &request->header, procedure, call);
    return header.outcome == RPC_OUTCOME_SUCCESS ? (size_t)(call->results.at - reply)
                                                 : refuse(&header, reply);
}

/* Like carry_out(), but a repeated request gets the first request's reply, or no reply (0) if the
 * first request is still being carried out or its reply was too long to keep. */
static size_t carry_out_once(struct service *service, const struct request *request,
                             const struct procedure *procedure, struct call *call, uint8_t *reply)
{
    struct exported *exported = service->exported;
    struct replies *replies =
        request->header.procedure == NFSPROC3_WRITE ? exported->write_replies : exported->replies;
    const struct replies_request asked = {request->bytes, request->length, call->peer,
                                          request->stream};
    size_t length = 0;
    uint64_t ticket;

    if (replies_find(replies, &asked, &ticket, reply, &length) != REPLIES_NEW)
        return length;
    length = carry_out(service, request, procedure, call, reply);
    replies_keep(replies, ticket, reply, length);
    return length;
}

/* Squash CALL's caller. Then run PROCEDURE, or repeat an earlier reply to the same request. Returns
 * the reply's length; 0: none. */
static size_t serve_caller(struct service *service, const struct request *request,
                           const struct procedure *procedure, struct call *call, uint8_t *reply)
{
    caller_squash(&call->caller, service->exported->policy.squash);
    return procedure->remembered && !(call->habits & HABIT_NO_CACHE)
               ? carry_out_once(service, request, procedure, call, reply)
               : carry_out(service, request, procedure, call, reply);
}

static size_t refuse_credential(uint32_t xid, uint32_t auth_status, uint8_t *reply)
{
    struct rpc_reply_header refusal = {
        .xid = xid, .outcome = RPC_OUTCOME_AUTH_ERROR, .auth_status = auth_status};

    return refuse(&refusal, reply);
}

static size_t serve_known_flavor(struct service *service, const struct request *request,
                                 struct call *call, uint8_t *reply)
{
    struct rpc_reply_header refusal = {.xid = request->header.xid};
    const struct procedure *procedure = find_procedure(&request->header, &refusal);

    if (!procedure)
        return refuse(&refusal, reply);
    if (!caller_read(&request->header, &call->caller))
        return refuse_credential(refusal.xid, RPC_AUTH_BADCRED, reply);
    return serve_caller(service, request, procedure, call, reply);
}

/* RPCSEC_GSS and TLS */

/* Carry out the plain call that PROTECTED has unwrapped from REQUEST. Writes the reply to REPLY,
 * without protection, and returns its length. */
static size_t serve_plain(struct service *service, const struct gss_call *protected,
                          const struct request *request, struct call *call, uint8_t *reply)
{
    struct rpc_reply_header refusal = {.xid = request->header.xid,
                                       .outcome = RPC_OUTCOME_GARBAGE_ARGS};
    struct request plain = {
        .bytes = service->gss.bytes, .length = protected->plain_length, .stream = request->stream};
    const struct procedure *procedure = NULL;

    call->arguments = wire_reader(plain.bytes, plain.length);
    if (!protected->garbled && rpc_call_decode(&call->arguments, &plain.header) == 0)
        procedure = find_procedure(&plain.header, &refusal);
    if (!procedure)
        return refuse(&refusal, reply);
    call->caller = *protected->caller;
    call->gather = NULL; /* results may be signed or encrypted, so they must be complete */
    return serve_caller(service, &plain, procedure, call, reply);
}

/* Answer a call with an RPCSEC_GSS credential. The tree is not locked during cryptography, so that
 * other threads need not wait. Returns the reply's length. */
static size_t serve_protected(struct service *service, struct request *request, struct call *call,
                              uint8_t *reply)
{
    struct gss_call protected = {.server = service->exported->gss,
                                 .scratch = &service->gss,
                                 .bytes = request->bytes,
                                 .length = request->length,
                                 .header = &request->header,
                                 .arguments = call->arguments,
                                 .reply = wire_writer(reply, DISPATCH_REPLY_MAXIMUM)};
    size_t length;

    dispatch_pause(service);
    switch (protected.server->type->take(&protected)) {
    case GSS_VERIFIED:
        request->kerberos = RPC_FLAVOR_KRB5 + protected.service - 1;
        length = serve_plain(service, &protected, request, call, reply);
        dispatch_pause(service);
        return protected.server->type->protect(&protected, reply, length, DISPATCH_REPLY_MAXIMUM);
    case GSS_ANSWERED:
        return (size_t)(protected.reply.at - reply);
    case GSS_REFUSED:
        return refuse_credential(request->header.xid, protected.auth_status, reply);
    default:
        return 0;
    }
}

/* Must the call have an allowed flavor, and TLS if TLS is required? Calls of MOUNT need not, nor
 * does NULL, which reveals and changes nothing (RFC 2623 section 2.3). */
static bool needs_security(const struct rpc_call_header *header)
{
    return header->program != MOUNT_PROGRAM && header->procedure != NFSPROC3_NULL;
}

/* Answer the TLS probe (RFC 9289 section 4.1). Refuse the probe if the server has no TLS, or if the
 * probe comes in a datagram, over TLS, or in another procedure than NULL. */
static size_t serve_probe(struct service *service, const struct request *request, uint8_t *reply)
{
    struct wire_writer writer = wire_writer(reply, DISPATCH_REPLY_MAXIMUM);

    if (!service->exported->tls || !request->stream || service->over_tls ||
        request->header.procedure != NFSPROC3_NULL)
        return refuse_credential(request->header.xid, RPC_AUTH_BADCRED, reply);
    service->starts_tls = true;
    service->exported->tls->type->put_reply(&writer, request->header.xid);
    return (size_t)(writer.at - reply);
}

/* Does the policy allow the call's flavor, AUTH_NONE or AUTH_SYS, because it comes over TLS? */
static bool allowed_by_tls(const struct service *service, const struct rpc_call_header *header)
{
    return service->over_tls && header->credential_flavor <= RPC_FLAVOR_SYS &&
           service->exported->flavors_by_tls[header->credential_flavor];
}

/* Answer a call whose flavor is not in FLAVORS of struct exported: the TLS probe, an RPCSEC_GSS
 * call, or a call that is refused unless TLS makes its flavor allowed or it needs no security. */
static size_t serve_flavor(struct service *service, struct request *request, struct call *call,
                           uint8_t *reply)
{
    const struct rpc_call_header *header = &request->header;
    const struct exported *exported = service->exported;

    if (header->credential_flavor == RPC_FLAVOR_TLS)
        return serve_probe(service, request, reply);
    if (exported->policy.xprtsec != RPC_XPRTSEC_NONE && !service->over_tls &&
        needs_security(header))
        return refuse_credential(header->xid, RPC_AUTH_TOOWEAK, reply);
    if (header->credential_flavor == RPC_FLAVOR_GSS && exported->gss)
        return serve_protected(service, request, call, reply);
    if (header->credential_flavor <= RPC_FLAVOR_SYS && needs_security(header) &&
        !allowed_by_tls(service, header))
        return refuse_credential(request->header.xid, RPC_AUTH_TOOWEAK, reply);
    return serve_known_flavor(service, request, call, reply);
}

static bool flavor_allowed(const struct exported *exported, const struct rpc_call_header *header)
{
    return header->credential_flavor <= RPC_FLAVOR_SYS &&
           exported->flavors[header->credential_flavor];
}

/* Answer REQUEST, and set its header, delay and resources. Returns the reply's length; 0: none. */
static size_t answer_request(struct service *service, struct request *request,
                             const struct sockaddr_storage *peer, uint8_t *reply)
{
    struct exported *exported = service->exported;
    struct call call = {
        .arguments = wire_reader(request->bytes, request->length),
        .tree = exported->tree,
        .mounts = &exported->mounts,
        .peer = peer,
        .gather = request->stream && service->in_batch ? &service->gather : NULL,
        .data_maximum = request->stream ? CALL_DATA_MAXIMUM_STREAM : CALL_DATA_MAXIMUM_DATAGRAM,
        .read_only = exported->policy.read_only,
        .habits = exported->policy.habits,
        .locks = exported->locks,
        .memory = &exported->memory,
        .kept = &exported->kept,
    };
    struct rpc_reply_header mismatch = {.outcome = RPC_OUTCOME_RPC_MISMATCH,
                                        .low = RPC_MESSAGE_VERSION,
                                        .high = RPC_MESSAGE_VERSION};
    int code = rpc_call_decode(&call.arguments, &request->header);
    size_t length;

    if (code == -EBADMSG)
        return 0;
    mismatch.xid = request->header.xid;
    if (code)
        return refuse(&mismatch, reply);
    length = flavor_allowed(exported, &request->header)
                 ? serve_known_flavor(service, request, &call, reply)
                 : serve_flavor(service, request, &call, reply);
    request->sync_ns = call.sync_ns;
    request->use = call.use;
    return length;
}

bool dispatch_is_long(const uint8_t *bytes, size_t length)
{
    /* PROGRAM, PROCEDURE: indices of words in a call's header (RFC 5531) */
    enum { PROGRAM = 3, PROCEDURE = 5, WORDS = 6 };
    uint32_t words[WORDS];

    if (length < sizeof words)
        return false;
    memcpy(words, bytes, sizeof words);
    return words[PROGRAM] == htobe32(NFS_PROGRAM) &&
           (words[PROCEDURE] == htobe32(NFSPROC3_READ) ||
            words[PROCEDURE] == htobe32(NFSPROC3_READDIR) ||
            words[PROCEDURE] == htobe32(NFSPROC3_READDIRPLUS));
}

static bool is_nfs(const struct rpc_call_header *header)
{
    return header->program == NFS_PROGRAM && header->version == NFS_V3 &&
           header->procedure < NFS_PROCEDURES;
}

static void count_call(struct service *service, uint32_t flavor)
{
    const struct mounts *mounts = &service->exported->mounts;

    for (size_t i = 0; i < mounts->flavor_count; i++)
        if (mounts->flavors[i] == flavor)
            service->calls[i]++;
}

static void note_time(struct service *service, const struct request *request, uint64_t ticks)
{
    const struct rpc_call_header *header = &request->header;

    if (!is_nfs(header))
        return;
    pthread_mutex_lock(&service->times_lock);
    service_time_record(&service->times[header->procedure], spin_ticks_ns(ticks));
    count_call(service, request->kerberos ? request->kerberos : header->credential_flavor);
    pthread_mutex_unlock(&service->times_lock);
}

/* Log HEADER's call, if of NFS: it arrived at ARRIVED_NS; its reply is sent DELAY_NS from now. */
static void log_call(const struct exported *exported, const struct rpc_call_header *header,
                     uint64_t arrived_ns, uint64_t delay_ns)
{
    if (is_nfs(header))
        fprintf(exported->call_log, "%" PRIu64 " %" PRIu64 " %" PRIu32 "\n", arrived_ns,
                monotonic_ns() + delay_ns, header->procedure);
}

/* Reserve the resources that REQUEST uses. Return by how many ns its reply must be delayed. */
static uint64_t find_delay(struct service *service, const struct request *request)
{
    const uint32_t procedure = request->header.procedure;
    struct limits *limits = &service->exported->limits;
    uint64_t delay_ns;

    if (!is_nfs(&request->header))
        return request->sync_ns;
    delay_ns = request->sync_ns + draw_time(service, &service->exported->policy.delays[procedure]);
    if (limits->delay_calls && procedure != NFSPROC3_NULL)
        delay_ns += limits_take(limits, &request->use, monotonic_ns());
    return delay_ns;
}

struct answer dispatch_message(struct service *service, const uint8_t *bytes, size_t length,
                               bool stream, const struct sockaddr_storage *peer, uint8_t *reply)
{
    struct request request = {.bytes = bytes, .length = length, .stream = stream};
    FILE *log = service->exported->call_log;
    uint64_t arrived_ns = log ? monotonic_ns() : 0;
    uint64_t started = service->times ? spin_ticks() : 0;
    struct answer answered = {.length = answer_request(service, &request, peer, reply)};

    if (service->times)
        note_time(service, &request, spin_ticks() - started);
    if (service->starts_tls)
        return answered; /* never delayed, because TLS begins after this reply */
    answered.delay_ns = find_delay(service, &request);
    if (log)
        log_call(service->exported, &request.header, arrived_ns, answered.delay_ns);
    return answered;
}
