/* The server compared with a model of a file system: the same random operations on both must have
 * the same results (run.h). Names and directories are few, so that corner cases are frequent. Some
 * runs call the server in this process; some use TCP connections that different threads serve. A
 * difference is reported with its seed and step. The environment's SEED (default 1) is the first
 * seed. */
#include "run.h"

#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "rpc/record.h"

enum { SEEDS = 16, SEEDS_OVER_TCP = 4, CONNECTIONS = 2 };

/* In process */

static size_t exchange_in_process(void *server, const uint8_t *request, size_t length,
                                  uint8_t *reply)
{
    struct fixture *fixture = server;
    uint8_t *copy = exact_copy(request, length);

    length = dispatch_message(&fixture->service, copy, length, true, &peer, reply).length;
    free(copy);
    return length;
}

/* Over TCP */

struct wire {
    struct server *server;
    pthread_t thread;
    int connections[CONNECTIONS];
    unsigned turn;
    uint8_t last_xid[4];
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    stop = number;
}

static void *serve_wire(void *server)
{
    struct error error;

    if (server_run(server, &stop, &error) != 0)
        print_error("server_run: %s\n", error.text);
    return NULL;
}

/* HOW SIG_BLOCK: set up the signal handling that server_run() needs. HOW SIG_UNBLOCK: undo it. */
static void hold_signals(int how)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_handler = how == SIG_BLOCK ? on_signal : SIG_DFL};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        sigaddset(&set, numbers[i]);
        sigaction(numbers[i], &action, NULL);
    }
    pthread_sigmask(how, &set, NULL);
}

/* Connect to PORT from port SOURCE. If SOURCE is 0, bind() chooses a free port, because connect()
 * might choose a port that is in use. */
static int connect_to(uint16_t port, uint16_t source)
{
    struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons(source)};
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 20};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    assert_int_equal(bind(fd, (const struct sockaddr *)&local, sizeof local), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static struct wire *wire_open(void)
{
    struct wire *wire = calloc(1, sizeof *wire);
    struct server_config config = {.memory_limit = UINT64_C(1) << 26,
                                   .held_limit = UINT64_C(1) << 24,
                                   .stall_ns = UINT64_C(60000000000),
                                   .threads = 2};
    struct error error;

    hold_signals(SIG_BLOCK);
    stop = 0;
    if (server_open(&wire->server, &config, &error) != 0)
        fail_msg("server_open: %s", error.text);
    assert_int_equal(pthread_create(&wire->thread, NULL, serve_wire, wire->server), 0);
    for (size_t i = 0; i < CONNECTIONS; i++)
        wire->connections[i] = connect_to(server_port(wire->server), 0);
    return wire;
}

static void wire_close(struct wire *wire)
{
    for (size_t i = 0; i < CONNECTIONS; i++)
        close(wire->connections[i]);
    pthread_kill(wire->thread, SIGTERM);
    pthread_join(wire->thread, NULL);
    server_close(wire->server);
    hold_signals(SIG_UNBLOCK);
    free(wire);
}

static void receive(int fd, uint8_t *bytes, size_t length)
{
    assert_int_equal(recv(fd, bytes, length, MSG_WAITALL), length);
}

/* Connect again from the same port, like a client that has lost its connection. */
static int connect_again(const struct wire *wire, int fd)
{
    const struct linger reset = {.l_onoff = 1};
    struct sockaddr_in local;
    socklen_t length = sizeof local;

    assert_int_equal(getsockname(fd, (struct sockaddr *)&local, &length), 0);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(fd);
    return connect_to(server_port(wire->server), ntohs(local.sin_port));
}

/* Choose the connections in turn. A repeated request uses a new connection from the port of the
 * first request. */
static int *choose_connection(struct wire *wire, const uint8_t *request)
{
    int *chosen;

    if (memcmp(wire->last_xid, request, sizeof wire->last_xid) != 0)
        wire->turn++;
    chosen = &wire->connections[wire->turn % CONNECTIONS];
    if (memcmp(wire->last_xid, request, sizeof wire->last_xid) == 0)
        *chosen = connect_again(wire, *chosen);
    memcpy(wire->last_xid, request, sizeof wire->last_xid);
    return chosen;
}

static size_t exchange_over_tcp(void *server, const uint8_t *request, size_t length, uint8_t *reply)
{
    struct wire *wire = server;
    int fd = *choose_connection(wire, request);
    uint8_t record[RPC_RECORD_MARK_SIZE + REQUEST_MAXIMUM], mark[RPC_RECORD_MARK_SIZE];
    struct wire_reader reader = wire_reader(mark, sizeof mark);
    uint32_t size;

    wire_store_u32(record, RPC_LAST_FRAGMENT | (uint32_t)length);
    memcpy(record + sizeof mark, request, length);
    length += sizeof mark;
    assert_int_equal(send(fd, record, length, MSG_NOSIGNAL), length);
    receive(fd, mark, sizeof mark);
    size = wire_get_u32(&reader);
    assert_true(size & RPC_LAST_FRAGMENT);
    size -= RPC_LAST_FRAGMENT;
    assert_true(size <= DISPATCH_REPLY_MAXIMUM);
    receive(fd, reply, size);
    return size;
}

/* Setting up */

static int open_run(void **state)
{
    static unsigned opened;
    const char *first = getenv("SEED");
    struct run *run = calloc(1, sizeof *run);

    run->seed = (first ? strtoull(first, NULL, 10) : 1) + opened;
    random_seed(&run->random, run->seed);
    model_open(&run->model);
    if (opened++ >= SEEDS) {
        run->client = calloc(1, sizeof *run->client);
        run->client->reply = malloc(DISPATCH_REPLY_MAXIMUM);
        run->exchange = exchange_over_tcp;
        run->server = wire_open();
    } else {
        set_up((void **)&run->client);
        run->exchange = exchange_in_process;
        run->server = run->client;
    }
    *state = run;
    return 0;
}

static void close_servers(struct run *run)
{
    void *client = run->client;

    if (run->exchange == exchange_in_process) {
        tear_down(&client);
        return;
    }
    wire_close(run->server);
    free(run->client->reply);
    free(run->client);
}

/* cmocka calls this after a failed test, too. */
static int close_run(void **state)
{
    struct run *run = *state;

    if (run->doing[0])
        print_error("the difference is at seed %llu, step %u: %s\n", (unsigned long long)run->seed,
                    run->step, run->doing);
    close_servers(run);
    model_close(&run->model);
    free(run);
    return 0;
}

static void test_run(void **state)
{
    run_steps(*state);
}

/* Check that the runs produced these statuses, to notice a test that tests nothing. */
static void test_all_came_up(void **state)
{
    static const struct {
        uint32_t procedure;
        /* statuses that PROCEDURE must have returned, including the NFS3_OK that ends the list */
        nfsstat3 statuses[9];
    } expected[] = {
        {NFSPROC3_GETATTR, {NFS3ERR_STALE, NFS3ERR_BADHANDLE}},
        {NFSPROC3_SETATTR,
         {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_ISDIR, NFS3ERR_INVAL, NFS3ERR_NOT_SYNC}},
        {NFSPROC3_LOOKUP, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_NOENT}},
        {NFSPROC3_READLINK, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_INVAL}},
        {NFSPROC3_READ, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_ISDIR, NFS3ERR_INVAL}},
        {NFSPROC3_WRITE, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_ISDIR, NFS3ERR_INVAL}},
        {NFSPROC3_CREATE, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_EXIST}},
        {NFSPROC3_MKDIR, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_EXIST}},
        {NFSPROC3_SYMLINK, {NFS3ERR_STALE, NFS3ERR_NOTDIR, NFS3ERR_EXIST, NFS3ERR_INVAL}},
        {NFSPROC3_MKNOD, {NFS3ERR_STALE, NFS3ERR_NOTDIR, NFS3ERR_EXIST}},
        {NFSPROC3_REMOVE,
         {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_NOENT, NFS3ERR_ISDIR}},
        {NFSPROC3_RMDIR,
         {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_NOENT, NFS3ERR_NOTEMPTY}},
        {NFSPROC3_RENAME,
         {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_NOENT, NFS3ERR_ISDIR,
          NFS3ERR_NOTEMPTY, NFS3ERR_INVAL}},
        {NFSPROC3_LINK,
         {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_EXIST, NFS3ERR_INVAL}},
        {NFSPROC3_READDIR, {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_TOOSMALL}},
        {NFSPROC3_READDIRPLUS,
         {NFS3ERR_STALE, NFS3ERR_BADHANDLE, NFS3ERR_NOTDIR, NFS3ERR_TOOSMALL}},
    };

    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const nfsstat3 *status = expected[i].statuses;

        for (; *status != NFS3_OK; status++)
            if (run_times_met(expected[i].procedure, *status) == 0)
                fail_msg("no %s gave %d", server_procedure_name(expected[i].procedure), *status);
        if (run_times_met(expected[i].procedure, NFS3_OK) == 0)
            fail_msg("no %s succeeded", server_procedure_name(expected[i].procedure));
    }
}

__attribute__((constructor)) static void add_runs(void)
{
    static char titles[SEEDS + SEEDS_OVER_TCP][64];

    for (unsigned i = 0; i < COUNT_OF(titles); i++) {
        snprintf(titles[i], sizeof titles[i], "%s, the first seed and %u",
                 i >= SEEDS ? "over TCP" : "in process", i);
        test_add(titles[i], test_run, open_run, close_run);
    }
    test_add("all came up", test_all_came_up, NULL, NULL);
}
