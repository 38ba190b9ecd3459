/* The members of the kernel's structures that the eBPF program reads. The loader finds their
 * offsets in the running kernel by name (CO-RE). */
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
    int pid, tgid; /* the thread's number, and the process's */
    char comm[16];
    struct files_struct *files;
};

struct file {
    void *private_data; /* for a socket: struct socket */
};

struct socket {
    struct file *file;
    struct sock *sk;
};

struct sock_common {
    __be16 skc_dport; /* 0: not connected */
    __u16 skc_num;    /* its own port, in the host's byte order */
};

struct sock {
    struct sock_common __sk_common;
    __u16 sk_protocol;
};

struct tcp_sock {
    __u32 rcv_nxt;        /* the sequence number after the last byte received */
    __u32 copied_seq;     /* after the last byte read */
    __u32 write_seq;      /* after the last byte written */
    __u32 snd_una;        /* after the last byte that the peer has acknowledged */
    __u64 bytes_received; /* since the connection began */
    __u64 bytes_acked;    /* likewise, of what was sent */
};

struct sk_buff {
    struct sock *sk;
    unsigned len;           /* including the headers from DATA on */
    __u16 transport_header; /* offset from HEAD */
    unsigned char *head, *data;
};

struct net_device;

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
