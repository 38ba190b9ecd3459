/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
 *
 * Records what the kernel's client does for RPCs of NFSv3 and NFS_ACL, what the kernel's server
 * does, and the system calls of one process, as events (see kernel_event.h). Each program is
 * attached by the name of its tracepoint, so that a missing one costs only its own events. */
#define EVENT struct rpc_event
#include "event_buffer.bpf.h"

enum {
    NFS_PROGRAM = 100003,
    NFS_ACL_PROGRAM = 100227,
    NFS_VERSION = 3,
    RPC_TASK_ASYNC = 1, /* flag in tk_flags */
};

/* Set before loading: the process that makes the system calls. */
const volatile __u32 caller;

static __always_inline bool is_nfs(const struct rpc_task *task)
{
    const struct rpc_clnt *client = BPF_CORE_READ(task, tk_client);
    unsigned program;

    if (!client)
        return false;
    program = BPF_CORE_READ(client, cl_prog);
    return (program == NFS_PROGRAM || program == NFS_ACL_PROGRAM) &&
           BPF_CORE_READ(client, cl_vers) == NFS_VERSION;
}

/* Add an event. TASK is an RPC or a request of the server; NULL: the event belongs to neither.
 * Returns NULL if events are disabled or there is no space. */
static __always_inline struct rpc_event *add_rpc_event(enum rpc_event_type type, const void *task,
                                                       __u64 value)
{
    struct rpc_event *event = enabled ? add_event(type) : NULL;

    if (!event)
        return NULL;
    event->task = (__u64)task;
    event->value = value;
    event->process = bpf_get_current_pid_tgid() >> 32;
    return event;
}

/* Add an event of the RPC TASK if TASK is an RPC of NFSv3 or NFS_ACL. */
static __always_inline struct rpc_event *add_task_event(enum rpc_event_type type,
                                                        const struct rpc_task *task, __u64 value)
{
    return enabled && task && is_nfs(task) ? add_rpc_event(type, task, value) : NULL;
}

static __always_inline void set_name(struct rpc_event *event, const char *name)
{
    bpf_probe_read_kernel_str(event->name, sizeof event->name, name);
}

SEC("raw_tp/rpc_task_begin")
int BPF_PROG(task_begin, const struct rpc_task *task)
{
    struct rpc_event *event = add_task_event(RPC_BEGUN, task, 0);

    if (!event)
        return 0;
    event->at_ns = (__u64)BPF_CORE_READ(task, tk_start);
    event->value = BPF_CORE_READ(task, tk_flags) & RPC_TASK_ASYNC;
    event->number = BPF_CORE_READ(task, tk_client, cl_clid);
    set_name(event, BPF_CORE_READ(task, tk_msg.rpc_proc, p_name));
    return 0;
}

SEC("raw_tp/rpc_task_run_action")
int BPF_PROG(task_run_action, const struct rpc_task *task, const void *action)
{
    add_task_event(RPC_ACTION, task, (__u64)action);
    return 0;
}

SEC("raw_tp/rpc_task_sleep")
int BPF_PROG(task_sleep, const struct rpc_task *task, const struct rpc_wait_queue *queue)
{
    struct rpc_event *event = add_task_event(RPC_SLEEPS, task, 0);

    if (event)
        set_name(event, BPF_CORE_READ(queue, name));
    return 0;
}

#define TASK_EVENT(tracepoint, type)                                                               \
    SEC("raw_tp/" #tracepoint) int BPF_PROG(on_##tracepoint, const struct rpc_task *task)          \
    {                                                                                              \
        add_task_event(type, task, 0);                                                             \
        return 0;                                                                                  \
    }

TASK_EVENT(rpc_task_wakeup, RPC_WOKEN)
TASK_EVENT(rpc_task_end, RPC_ENDED)

SEC("raw_tp/rpc_stats_latency")
int BPF_PROG(stats_latency, const struct rpc_task *task, __s64 backlog, __s64 rtt, __s64 execute)
{
    add_task_event(RPC_MEASURED, task, (__u64)execute);
    return 0;
}

SEC("raw_tp/xprt_transmit")
int BPF_PROG(transmit, const struct rpc_rqst *request, int status)
{
    struct rpc_event *event = NULL;

    if (status == 0)
        event = add_task_event(RPC_SENT, BPF_CORE_READ(request, rq_task),
                               (__u64)BPF_CORE_READ(request, rq_xprt));
    if (event)
        event->number = BPF_CORE_READ(request, rq_xid);
    return 0;
}

SEC("raw_tp/xs_data_ready")
int BPF_PROG(data_ready, const struct rpc_xprt *transport)
{
    add_rpc_event(RPC_DATA_READY, NULL, (__u64)transport);
    return 0;
}

SEC("raw_tp/xprt_lookup_rqst")
int BPF_PROG(lookup_request, const struct rpc_xprt *transport, __u32 xid, int status)
{
    struct rpc_event *event =
        status == 0 ? add_rpc_event(RPC_REPLIED, NULL, (__u64)transport) : NULL;

    if (event)
        event->number = xid;
    return 0;
}

/* The kernel's server */

SEC("raw_tp/svc_xprt_enqueue")
int BPF_PROG(server_queue, const struct svc_xprt *transport)
{
    add_rpc_event(SVC_QUEUED, NULL, (__u64)transport);
    return 0;
}

SEC("raw_tp/svc_xprt_dequeue")
int BPF_PROG(server_take, const struct svc_rqst *request)
{
    add_rpc_event(SVC_TAKEN, request, (__u64)BPF_CORE_READ(request, rq_xprt));
    return 0;
}

/* CALL is a member of the request, so the request's address can be computed from CALL's. */
SEC("raw_tp/svc_xdr_recvfrom")
int BPF_PROG(server_receive, const struct xdr_buf *call)
{
    add_rpc_event(SVC_RECEIVED, (const char *)call - bpf_core_field_offset(struct svc_rqst, rq_arg),
                  0);
    return 0;
}

SEC("raw_tp/svc_process")
int BPF_PROG(server_process, const struct svc_rqst *request)
{
    struct rpc_event *event;

    if (BPF_CORE_READ(request, rq_prog) != NFS_PROGRAM ||
        BPF_CORE_READ(request, rq_vers) != NFS_VERSION)
        return 0;
    event = add_rpc_event(SVC_PROCESSED, request, 0);
    if (event)
        set_name(event, BPF_CORE_READ(request, rq_procinfo, pc_name));
    return 0;
}

#define REQUEST_EVENT(tracepoint, type)                                                            \
    SEC("raw_tp/" #tracepoint) int BPF_PROG(on_##tracepoint, const struct svc_rqst *request)       \
    {                                                                                              \
        add_rpc_event(type, request, 0);                                                           \
        return 0;                                                                                  \
    }

REQUEST_EVENT(nfsd_fh_verify, SVC_CHECKED)
REQUEST_EVENT(nfsd_read_splice, SVC_IO_BEGUN)
REQUEST_EVENT(nfsd_read_vector, SVC_IO_BEGUN)
REQUEST_EVENT(nfsd_write_opened, SVC_IO_BEGUN)
REQUEST_EVENT(nfsd_read_io_done, SVC_IO_DONE)
REQUEST_EVENT(nfsd_write_io_done, SVC_IO_DONE)
REQUEST_EVENT(svc_stats_latency, SVC_SENDS)
REQUEST_EVENT(svc_send, SVC_SENT)

/* The caller's system calls */

static __always_inline void add_call_event(enum rpc_event_type type)
{
    if (enabled && bpf_get_current_pid_tgid() >> 32 == caller)
        add_rpc_event(type, NULL, 0);
}

SEC("raw_tp/sys_enter")
int BPF_PROG(call_enter)
{
    add_call_event(RPC_CALL_ENTERED);
    return 0;
}

SEC("raw_tp/sys_exit")
int BPF_PROG(call_exit)
{
    add_call_event(RPC_CALL_RETURNED);
    return 0;
}

SEC("raw_tp/sched_switch")
int BPF_PROG(sched_switch, bool preempt, const struct task_struct *from,
             const struct task_struct *to)
{
    if (enabled && (__u32)BPF_CORE_READ(to, tgid) == caller)
        add_rpc_event(RPC_CALLER_RUNS, NULL, 0);
    return 0;
}
