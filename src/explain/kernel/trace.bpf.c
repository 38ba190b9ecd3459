/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
 *
 * Records what the kernel does for connections and for the threads at both of their ends, as events
 * (see kernel_event.h). All filtering is done here: a program with nothing to record returns
 * immediately. The programs use only tracepoints, because these exist even in kernels without
 * kprobes and fentry. */
#include <asm/unistd.h>
#include <linux/in.h>

#include <bpf/bpf_endian.h>

#define EVENT struct kernel_event
#include "event_buffer.bpf.h"

enum {
    MSG_PEEK = 2,         /* flag of recv(): the bytes remain in the socket */
    SEGMENTS_MAXIMUM = 4, /* the first bytes of a message are read from at most so many iovecs */
};

/* Set before loading. */
const volatile __u32 client_process; /* client's process; 0: it is on another machine */
const volatile __u32 server_process;
const volatile __u16 server_port;
const volatile __u16 protocol; /* IPPROTO_TCP or IPPROTO_UDP */
const volatile bool load;      /* true: also record when server threads begin to receive */

/* Set by trace_watch_port(), also while the programs run. */
volatile __u8 client_ports[1 << 13]; /* one bit per port, set if it is a port of the client */

/* AS(TYPE, ADDRESS): ADDRESS as a pointer to TYPE that the verifier accepts. */
extern void *bpf_rdonly_cast(const void *object, __u32 type) __ksym;
#define AS(type, address) ((type *)bpf_rdonly_cast((address), bpf_core_type_id_kernel(type)))

enum end { END_NONE, END_CLIENT, END_SERVER };

static __always_inline bool is_client(__u16 port)
{
    return client_ports[port >> 3] & 1 << (port & 7);
}

/* Return true for a UDP socket without a peer. Datagram sockets of servers and some clients are not
 * connected, and accept any peer. */
static __always_inline bool has_no_peer(const struct sock *sk)
{
    return sk->__sk_common.skc_dport == 0 && protocol == IPPROTO_UDP;
}

static __always_inline __u16 peer_of(const struct sock *sk)
{
    return bpf_ntohs(sk->__sk_common.skc_dport);
}

/* Return which end of a watched connection SK is; END_NONE: neither. */
static __always_inline enum end end_of(const struct sock *sk)
{
    __u16 port = sk->__sk_common.skc_num;

    if (port != server_port && !is_client(port))
        return END_NONE;
    if (sk->sk_protocol != protocol)
        return END_NONE;
    if (port == server_port && (is_client(peer_of(sk)) || has_no_peer(sk)))
        return END_SERVER;
    if (!is_client(port))
        return END_NONE;
    return peer_of(sk) == server_port || has_no_peer(sk) ? END_CLIENT : END_NONE;
}

static __always_inline bool is_watched(__u32 process)
{
    return process == server_process || (client_process && process == client_process);
}

static __always_inline void set_current(struct kernel_event *event)
{
    __u64 current = bpf_get_current_pid_tgid();

    event->process = current >> 32;
    event->thread = (__u32)current;
}

static __always_inline void set_other(struct kernel_event *event, const struct task_struct *task)
{
    event->other = task->pid;
    event->other_process = task->tgid;
    if (event->other)
        bpf_probe_read_kernel(event->other_name, sizeof event->other_name, task->comm);
}

static __always_inline const struct tcp_sock *tcp_of(const struct sock *sk)
{
    return AS(struct tcp_sock, sk);
}

/* Over TCP, set EVENT's SEQUENCE, and its PORT to the client's port. SK is the socket of END. */
static __always_inline void set_stream(struct kernel_event *event, const struct sock *sk,
                                       enum end end, __u32 sequence)
{
    if (protocol != IPPROTO_TCP)
        return;
    event->port = end == END_SERVER ? peer_of(sk) : sk->__sk_common.skc_num;
    event->sequence = sequence;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(data_ready, const struct sock *sk)
{
    struct kernel_event *event = NULL;
    enum end end;

    if (!enabled)
        return 0;
    end = end_of(sk);
    if (end == END_SERVER || (end == END_CLIENT && client_process))
        event = add_event(end == END_SERVER ? KERNEL_REQUEST_ARRIVED : KERNEL_REPLY_ARRIVED);
    if (event && protocol == IPPROTO_TCP) {
        set_stream(event, sk, end, tcp_of(sk)->rcv_nxt);
        event->position = (__u32)tcp_of(sk)->bytes_received;
    }
    return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(waking, struct task_struct *task)
{
    struct kernel_event *event;

    if (!enabled || !is_watched(task->tgid))
        return 0;
    event = add_event(KERNEL_WOKEN);
    if (!event)
        return 0;
    event->process = task->tgid;
    event->thread = task->pid;
    set_other(event, bpf_get_current_task_btf());
    return 0;
}

static __always_inline void add_switch_event(enum kernel_event_type type, struct task_struct *task,
                                             struct task_struct *other, bool preempted)
{
    struct kernel_event *event;

    if (!is_watched(task->tgid))
        return;
    event = add_event(type);
    if (!event)
        return;
    event->process = task->tgid;
    event->thread = task->pid;
    event->preempted = preempted;
    set_other(event, other);
}

/* A thread whose state is still "running" (0) was preempted. */
SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool preempt, struct task_struct *from, struct task_struct *to,
             unsigned from_state)
{
    if (!enabled)
        return 0;
    add_switch_event(KERNEL_SWITCHED_OUT, from, to, preempt || from_state == 0);
    add_switch_event(KERNEL_SWITCHED_IN, to, from, false);
    return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(received, struct sock *sk, int length, int flags)
{
    struct kernel_event *event;

    if (!enabled || length <= 0 || (flags & MSG_PEEK) || end_of(sk) != END_SERVER)
        return 0;
    event = add_event(KERNEL_RECEIVED);
    if (!event)
        return 0;
    set_current(event);
    set_stream(event, sk, END_SERVER, tcp_of(sk)->copied_seq);
    event->length = length;
    return 0;
}

/* Return the socket of the current thread's DESCRIPTOR; NULL if it is not a socket. A file is a
 * socket's if its private data points back to the file. */
static __always_inline const struct sock *socket_of(__u32 descriptor)
{
    struct fdtable *table = bpf_get_current_task_btf()->files->fdt;
    struct file *file = NULL;
    struct socket *socket;

    if (descriptor >= table->max_fds)
        return NULL;
    if (bpf_probe_read_kernel(&file, sizeof file, table->fd + descriptor) != 0 || !file)
        return NULL;
    socket = AS(struct socket, AS(struct file, file)->private_data);
    return socket && socket->file == file ? socket->sk : NULL;
}

/* User space's struct iovec, and the beginning of struct msghdr and struct mmsghdr. */
struct segment {
    const char *bytes;
    __u64 length;
};

struct message {
    void *name;
    __u32 name_length;
    const struct segment *segments;
    __u64 count;
};

/* Append the first bytes of SEGMENT to EVENT's HEAD, until HEAD contains KERNEL_EVENT_HEAD bytes.
 * The array HEAD is twice as long, so that the verifier can prove that the bytes fit. Returns false
 * if HEAD was already complete, or if SEGMENT can't be read. */
static __always_inline bool add_to_head(struct kernel_event *event, const struct segment *segment)
{
    __u32 have = event->length, more = KERNEL_EVENT_HEAD;

    if (have >= KERNEL_EVENT_HEAD)
        return false;
    if (segment->length < KERNEL_EVENT_HEAD - have)
        more = (__u32)segment->length;
    if (more > KERNEL_EVENT_HEAD)
        return false;
    if (more > 0 && bpf_probe_read_user(event->head + have, more, segment->bytes) != 0)
        return false;
    have += more;
    event->length = have > KERNEL_EVENT_HEAD ? KERNEL_EVENT_HEAD : (__s32)have;
    return true;
}

static __always_inline void gather_head(struct kernel_event *event, const struct segment *segments,
                                        __u64 count)
{
    for (__u32 i = 0; i < SEGMENTS_MAXIMUM && i < count; i++) {
        struct segment segment = {};

        if (bpf_probe_read_user(&segment, sizeof segment, segments + i) != 0 ||
            !add_to_head(event, &segment))
            return;
    }
}

/* Read the first bytes that the system call CALL sends; if CALL sends several datagrams, the first
 * bytes of the first datagram. */
static __always_inline void read_head(struct kernel_event *event, long call,
                                      struct pt_regs *registers)
{
    const void *argument = (const void *)SECOND_ARGUMENT(registers);
    struct segment whole = {argument, THIRD_ARGUMENT(registers)};
    struct message message = {};

    if (call == __NR_sendto || call == __NR_write)
        add_to_head(event, &whole);
    else if (call == __NR_writev)
        gather_head(event, argument, THIRD_ARGUMENT(registers));
    else if (bpf_probe_read_user(&message, sizeof message, argument) == 0)
        gather_head(event, message.segments, message.count);
}

static __always_inline bool sends(long call)
{
    return call == __NR_sendto || call == __NR_sendmsg || call == __NR_sendmmsg ||
           call == __NR_write || call == __NR_writev;
}

static __always_inline bool receives(long call)
{
    return call == __NR_recvfrom || call == __NR_recvmsg || call == __NR_read || call == __NR_readv;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(call_entered, struct pt_regs *registers, long call)
{
    struct kernel_event *event;
    const struct sock *sk;
    __u64 current;

    if (!enabled || !(sends(call) || (load && receives(call))))
        return 0;
    current = bpf_get_current_pid_tgid();
    if (current >> 32 != server_process)
        return 0;
    sk = socket_of(FIRST_ARGUMENT(registers));
    if (!sk || end_of(sk) != END_SERVER)
        return 0;
    event = add_event(sends(call) ? KERNEL_SEND_ENTERED : KERNEL_RECEIVE_ENTERED);
    if (!event)
        return 0;
    set_current(event);
    set_stream(event, sk, END_SERVER, tcp_of(sk)->write_seq);
    if (protocol == IPPROTO_TCP)
        event->position =
            (__u32)tcp_of(sk)->bytes_acked + tcp_of(sk)->write_seq - tcp_of(sk)->snd_una;
    if (sends(call))
        read_head(event, call, registers);
    return 0;
}

static __always_inline const unsigned char *header_of(const struct sk_buff *skb)
{
    return skb->head + skb->transport_header;
}

static __always_inline __u32 sequence_of(const struct sk_buff *skb)
{
    __be32 sequence = 0;

    bpf_probe_read_kernel(&sequence, sizeof sequence, header_of(skb) + 4);
    return bpf_ntohl(sequence);
}

/* Return the payload length of a TCP packet; 0 for an acknowledgement. */
static __always_inline int payload_of(const struct sk_buff *skb)
{
    const unsigned char *header = header_of(skb);
    unsigned char words = 0;

    /* The upper four bits of byte 12 are the header's length in 32-bit words. */
    bpf_probe_read_kernel(&words, sizeof words, header + 12);
    return (int)(skb->len - (__u32)(header - skb->data)) - (words >> 4) * 4;
}

SEC("tp_btf/net_dev_start_xmit")
int BPF_PROG(transmitted, const struct sk_buff *skb, const struct net_device *device)
{
    struct kernel_event *event;
    const struct sock *sk;
    int length;

    if (!enabled)
        return 0;
    sk = skb->sk;
    if (!sk || end_of(sk) != END_SERVER)
        return 0;
    length = protocol == IPPROTO_TCP ? payload_of(skb) : (int)skb->len;
    if (length <= 0)
        return 0;
    event = add_event(KERNEL_SENT);
    if (!event)
        return 0;
    event->length = length;
    set_stream(event, sk, END_SERVER, sequence_of(skb) + (__u32)length);
    return 0;
}
