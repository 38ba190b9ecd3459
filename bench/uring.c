/* Would io_uring make engine wire faster over UDP? This program makes NULL calls to a bare server,
 * DEPTH in flight on one socket, either with sendmmsg() and recvmmsg(), as the engine does, or with
 * an io_uring and a multishot receive. Blocks of both take turns. The server answers in batches on
 * the last processor; the client is on the first.
 * usage: uring [DEPTH [REPEATS [BLOCKS]]]  (default: 64, 5 repeats of 40 blocks of 20,000) */
#include <errno.h>
#include <liburing.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "common/system_clock.h"

enum {
    CALL = 64, /* number of bytes in a NULL call with AUTH_SYS */
    REPLY = 24,
    ROOM = 256,
    DEPTH_MAXIMUM = 512,
    BLOCK = 20000,
    REPEATS_MAXIMUM = 100,
    GROUP = 1,
};

struct batch {
    char bytes[DEPTH_MAXIMUM][ROOM];
    struct iovec parts[DEPTH_MAXIMUM];
    struct mmsghdr messages[DEPTH_MAXIMUM];
};

struct bench {
    unsigned depth;
    int fd;
    pid_t server;
    struct io_uring ring;
    struct io_uring_buf_ring *buffers;
    bool armed; /* the multishot receive is active */
    struct batch in, out;
    struct error error;
};

static void fail(struct bench *bench, const char *what, int code)
{
    error_set(&bench->error, ERROR_FAILED, code, "%s: %s", what, strerror(-code));
    bench_fail(&bench->error);
}

static void prepare(struct batch *batch, unsigned depth, size_t length)
{
    for (unsigned i = 0; i < depth; i++) {
        batch->parts[i] = (struct iovec){batch->bytes[i], length};
        batch->messages[i].msg_hdr = (struct msghdr){.msg_iov = &batch->parts[i], .msg_iovlen = 1};
    }
}

static void serve_forever(int fd, unsigned depth)
{
    static struct batch in;

    prepare(&in, depth, ROOM);
    for (;;) {
        int got = recvmmsg(fd, in.messages, depth, MSG_WAITFORONE, NULL);

        if (got <= 0)
            _exit(0);
        for (int i = 0; i < got; i++)
            in.parts[i].iov_len = REPLY;
        for (int sent = 0; sent < got;) {
            int more = sendmmsg(fd, in.messages + sent, (unsigned)(got - sent), 0);

            if (more <= 0)
                _exit(0);
            sent += more;
        }
        for (int i = 0; i < got; i++)
            in.parts[i].iov_len = ROOM;
    }
}

static void start_server(struct bench *bench)
{
    struct sockaddr_in names[2] = {{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}},
                                   {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}};
    int fds[2], size = 4 << 20;

    for (int i = 0; i < 2; i++) {
        socklen_t length = sizeof names[i];

        fds[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        setsockopt(fds[i], SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
        if (bind(fds[i], (struct sockaddr *)&names[i], length) != 0 ||
            getsockname(fds[i], (struct sockaddr *)&names[i], &length) != 0)
            fail(bench, "binding a socket", -errno);
    }
    for (int i = 0; i < 2; i++)
        if (connect(fds[i], (struct sockaddr *)&names[!i], sizeof names[0]) != 0)
            fail(bench, "connecting a socket", -errno);
    bench->server = fork();
    if (bench->server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        cpu_pin(cpu_allowed_edge(1));
        serve_forever(fds[1], bench->depth);
    }
    close(fds[1]);
    bench->fd = fds[0];
    cpu_pin(cpu_allowed_edge(0));
}

static void send_batch(struct bench *bench, unsigned count)
{
    for (unsigned sent = 0; sent < count;) {
        int more = sendmmsg(bench->fd, bench->out.messages + sent, count - sent, 0);

        if (more < 0)
            fail(bench, "sendmmsg", -errno);
        sent += (unsigned)more;
    }
}

static void run_batches(struct bench *bench)
{
    unsigned sent = bench->depth, received = 0;

    send_batch(bench, sent);
    while (received < BLOCK) {
        int got = recvmmsg(bench->fd, bench->in.messages, bench->depth, MSG_WAITFORONE, NULL);
        unsigned more = BLOCK - sent;

        if (got < 0)
            fail(bench, "recvmmsg", -errno);
        received += (unsigned)got;
        more = more < (unsigned)got ? more : (unsigned)got;
        send_batch(bench, more);
        sent += more;
    }
}

static void open_ring(struct bench *bench)
{
    struct io_uring_params parameters = {.flags = IORING_SETUP_SINGLE_ISSUER |
                                                  IORING_SETUP_DEFER_TASKRUN};
    struct io_uring_buf_reg registration = {.ring_entries = DEPTH_MAXIMUM, .bgid = GROUP};
    int code = io_uring_queue_init_params(2 * DEPTH_MAXIMUM, &bench->ring, &parameters);

    if (code < 0)
        fail(bench, "io_uring", code);
    if (posix_memalign((void **)&bench->buffers, 4096,
                       DEPTH_MAXIMUM * sizeof(struct io_uring_buf)) != 0)
        fail(bench, "memory", -ENOMEM);
    registration.ring_addr = (uintptr_t)bench->buffers;
    code = io_uring_register_buf_ring(&bench->ring, &registration, 0);
    if (code < 0)
        fail(bench, "io_uring's buffers", code);
    io_uring_buf_ring_init(bench->buffers);
    for (unsigned i = 0; i < DEPTH_MAXIMUM; i++)
        io_uring_buf_ring_add(bench->buffers, bench->in.bytes[i], ROOM, (unsigned short)i,
                              io_uring_buf_ring_mask(DEPTH_MAXIMUM), (int)i);
    io_uring_buf_ring_advance(bench->buffers, DEPTH_MAXIMUM);
}

static struct io_uring_sqe *next_entry(struct bench *bench)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(&bench->ring);

    if (!entry)
        fail(bench, "io_uring's queue is full", -EBUSY);
    return entry;
}

static void queue_receive(struct bench *bench)
{
    struct io_uring_sqe *entry = next_entry(bench);

    io_uring_prep_recv_multishot(entry, bench->fd, NULL, 0, 0);
    entry->flags |= IOSQE_BUFFER_SELECT;
    entry->buf_group = GROUP;
    entry->user_data = 1;
    bench->armed = true;
}

static void queue_sends(struct bench *bench, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct io_uring_sqe *entry = next_entry(bench);

        io_uring_prep_send(entry, bench->fd, bench->out.bytes[i], CALL, 0);
        entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
        entry->user_data = 0;
    }
}

/* Return the number of replies among the completions. Give their buffers back; update `armed`. */
static unsigned take_completions(struct bench *bench)
{
    struct io_uring_cqe *entry;
    unsigned head, seen = 0, replies = 0;

    io_uring_for_each_cqe(&bench->ring, head, entry)
    {
        unsigned id = entry->flags >> IORING_CQE_BUFFER_SHIFT;

        seen++;
        if (entry->res < 0 && entry->res != -ENOBUFS && entry->res != -ECANCELED)
            fail(bench, "io_uring", entry->res);
        if (entry->user_data != 1)
            continue;
        bench->armed = entry->flags & IORING_CQE_F_MORE;
        if (entry->res < 0)
            continue;
        io_uring_buf_ring_add(bench->buffers, bench->in.bytes[id], ROOM, (unsigned short)id,
                              io_uring_buf_ring_mask(DEPTH_MAXIMUM), (int)replies);
        replies++;
    }
    io_uring_buf_ring_advance(bench->buffers, (int)replies);
    io_uring_cq_advance(&bench->ring, seen);
    return replies;
}

static void run_ring(struct bench *bench)
{
    unsigned sent = bench->depth, received = 0;

    queue_sends(bench, sent);
    while (received < BLOCK) {
        unsigned got, more = BLOCK - sent;
        int code;

        if (!bench->armed)
            queue_receive(bench);
        code = io_uring_submit_and_wait(&bench->ring, 1);

        if (code < 0)
            fail(bench, "io_uring_submit_and_wait", code);
        got = take_completions(bench);
        received += got;
        more = more < got ? more : got;
        queue_sends(bench, more);
        sent += more;
    }
}

/* Cancel the multishot receive, so that recvmmsg() can use the socket. */
static void end_receive(struct bench *bench)
{
    io_uring_prep_cancel64(next_entry(bench), 1, 0);
    while (bench->armed && io_uring_submit_and_wait(&bench->ring, 1) >= 0)
        take_completions(bench);
}

struct sums {
    double elapsed_ns, cpu_ns;
};

static double cpu_ns(void)
{
    return (double)system_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static void time_block(struct bench *bench, void (*run)(struct bench *), struct sums *sums)
{
    double cpu = cpu_ns();
    uint64_t began = clock_raw_ns();

    run(bench);
    sums->elapsed_ns += (double)(clock_raw_ns() - began);
    sums->cpu_ns += cpu_ns() - cpu;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    unsigned repeats = bench_count(argc, argv, 2, 5), blocks = bench_count(argc, argv, 3, 40);
    double rates[REPEATS_MAXIMUM], costs[REPEATS_MAXIMUM];
    int awake = cpu_keep_awake();

    bench.depth = bench_count(argc, argv, 1, 64);
    if (bench.depth == 0 || bench.depth > DEPTH_MAXIMUM || repeats == 0 || blocks == 0 ||
        repeats > REPEATS_MAXIMUM) {
        fprintf(stderr, "usage: uring [DEPTH [REPEATS [BLOCKS]]]\n");
        return 2;
    }
    prepare(&bench.in, bench.depth, ROOM);
    prepare(&bench.out, bench.depth, CALL);
    start_server(&bench);
    open_ring(&bench);
    for (unsigned i = 0; i < repeats; i++) {
        struct sums batches = {0}, ring = {0};

        for (unsigned block = 0; block < blocks; block++) {
            time_block(&bench, run_batches, &batches);
            time_block(&bench, run_ring, &ring);
            end_receive(&bench);
        }
        rates[i] = batches.elapsed_ns / ring.elapsed_ns;
        costs[i] = ring.cpu_ns / batches.cpu_ns;
        printf("depth %u: mmsg %.0f calls/s, %.3f us of CPU each; io_uring %.0f, %.3f\n",
               bench.depth, 1e9 * BLOCK * blocks / batches.elapsed_ns,
               batches.cpu_ns / 1000 / BLOCK / blocks, 1e9 * BLOCK * blocks / ring.elapsed_ns,
               ring.cpu_ns / 1000 / BLOCK / blocks);
    }
    bench_print_ratio("calls/s, io_uring / mmsg", rates, repeats);
    bench_print_ratio("client CPU, io_uring / mmsg", costs, repeats);
    io_uring_queue_exit(&bench.ring);
    free(bench.buffers);
    kill(bench.server, SIGKILL);
    waitpid(bench.server, NULL, 0);
    cpu_let_sleep(awake);
    return 0;
}
