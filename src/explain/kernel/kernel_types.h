/* The members of the kernel's structures that the eBPF programs read. The loader finds their
 * offsets by name, in the running kernel and its modules (CO-RE). */
#pragma once

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct fdtable {
    unsigned max_fds;
    struct file **fd;
};

struct files_struct {
    struct fdtable *fdt;
};

struct task_struct {
    int pid, tgid; /* numbers of the thread and of its process */
    char comm[16];
    struct files_struct *files;
};

struct file {
    void *private_data; /* the struct socket if the file is a socket */
};

struct socket {
    struct file *file;
    struct sock *sk;
};

struct sock_common {
    __be16 skc_dport; /* the peer's port; 0: not connected */
    __u16 skc_num;    /* local port, in the host's byte order */
};

struct sock {
    struct sock_common __sk_common;
    __u16 sk_protocol;
};

struct tcp_sock {
    __u32 rcv_nxt;        /* sequence number after the last byte received */
    __u32 copied_seq;     /* sequence number after the last byte read */
    __u32 write_seq;      /* sequence number after the last byte written */
    __u32 snd_una;        /* sequence number after the last byte that the peer has acknowledged */
    __u64 bytes_received; /* bytes received since the connection began */
    __u64 bytes_acked;    /* bytes sent and acknowledged since the connection began */
};

struct sk_buff {
    struct sock *sk;
    unsigned len;           /* bytes from DATA on, with headers */
    __u16 transport_header; /* offset from HEAD */
    unsigned char *head, *data;
};

struct net_device;

/* The kernel's RPCs */

struct rpc_procinfo {
    const char *p_name; /* such as "READ" */
};

struct rpc_message {
    const struct rpc_procinfo *rpc_proc;
};

struct rpc_clnt {
    unsigned cl_clid; /* number of the RPC client */
    unsigned cl_prog, cl_vers;
};

struct rpc_task {
    struct rpc_message tk_msg;
    struct rpc_clnt *tk_client;
    __s64 tk_start; /* CLOCK_MONOTONIC, ns: when the kernel began to count the RPC's lifetime */
    unsigned short tk_flags;
};

struct rpc_wait_queue {
    const char *name; /* such as "xprt_pending" */
};

struct rpc_xprt;

struct rpc_rqst {
    struct rpc_xprt *rq_xprt;
    struct rpc_task *rq_task;
    unsigned rq_xid;
};

struct svc_procedure {
    const char *pc_name; /* such as "READ" */
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

/* The registers that carry a system call's first three arguments. */
#if defined(__TARGET_ARCH_x86)
struct pt_regs {
    unsigned long di, si, dx;
};
#define FIRST_ARGUMENT(registers)  ((registers)->di)
#define SECOND_ARGUMENT(registers) ((registers)->si)
#define THIRD_ARGUMENT(registers)  ((registers)->dx)
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
    __u64 regs[31];
};
#define FIRST_ARGUMENT(registers)  ((registers)->regs[0])
#define SECOND_ARGUMENT(registers) ((registers)->regs[1])
#define THIRD_ARGUMENT(registers)  ((registers)->regs[2])
#endif

#pragma clang attribute pop
