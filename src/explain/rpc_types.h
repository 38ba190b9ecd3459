/* The members of the kernel's structures that the eBPF program of RPCs reads. The loader finds
 * their offsets by name, in the running kernel and its modules (CO-RE). */
#pragma once

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct {
    int tgid; /* the process's number */
};

struct rpc_procinfo {
    const char *p_name; /* "READ" */
};

struct rpc_message {
    const struct rpc_procinfo *rpc_proc;
};

struct rpc_clnt {
    unsigned cl_clid; /* its number */
    unsigned cl_prog, cl_vers;
};

struct rpc_task {
    struct rpc_message tk_msg;
    struct rpc_clnt *tk_client;
    __s64 tk_start; /* CLOCK_MONOTONIC, ns; from then on the kernel counts its lifetime */
    unsigned short tk_flags;
};

struct rpc_wait_queue {
    const char *name; /* "xprt_pending" */
};

struct rpc_xprt;

struct rpc_rqst {
    struct rpc_xprt *rq_xprt;
    struct rpc_task *rq_task;
    unsigned rq_xid;
};

struct svc_procedure {
    const char *pc_name; /* "READ" */
};

struct svc_xprt;

struct xdr_buf {
    unsigned len;
};

struct svc_rqst {
    struct svc_xprt *rq_xprt;
    const struct svc_procedure *rq_procinfo;
    struct xdr_buf rq_arg;
    unsigned rq_prog, rq_vers;
};

#pragma clang attribute pop
