/* Measure how a pause changes a round trip, with bare UDP echoes: either the server spins for a
 * known time before it answers, or the client spins before it sends. If there were no caches, the
 * round trip, not counting the pause, would be the same for all pauses. The client is on the first
 * processor that may be used, the server on the last. Blocks of 100 round trips of each kind take
 * turns.
 * usage: pause [ROUNDS]  (default: 100) */
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { BLOCK = 100, ROUNDS_MAXIMUM = 10000, WAITS = 8, MESSAGE_SIZE = 96 };

static const uint64_t waits_us[WAITS] = {0, 1, 2, 5, 10, 20, 50, 100};

/* The first bytes of a message. */
struct request {
    uint64_t spin_ns; /* time that the server must spin before it answers */
};

enum who { SERVER, CLIENT, WHO };

struct bench {
    struct clock clock;
    pid_t echo;
    int fd;
    double blocks[WHO][WAITS]
                 [ROUNDS_MAXIMUM]; /* median round trip minus the server's spin, in ns */
};

static void fail(const char *what)
{
    struct error error;

    error_set(&error, ERROR_FAILED, -errno, "%s: %s", what, strerror(errno));
    bench_fail(&error);
}

static void spin(const struct clock *clock, uint64_t nanoseconds)
{
    uint64_t started = clock->start();
    uint64_t ticks = (uint64_t)((double)nanoseconds / clock->ns_per_tick);

    while (clock->start() - started < ticks)
        ;
}

static void run_echo(const struct clock *clock, int fd)
{
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char bytes[MESSAGE_SIZE];
    struct request request;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_pin(cpu_allowed_edge(1));
    while (recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&peer, &length) > 0) {
        memcpy(&request, bytes, sizeof request);
        spin(clock, request.spin_ns);
        if (sendto(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&peer, length) < 0)
            break;
    }
    _exit(0);
}

static void open_bench(struct bench *bench)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_DGRAM, 0);
    struct error error;

    if (clock_open(&bench->clock, "tsc", &error) != 0)
        bench_fail(&error);
    bench->fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0 || bench->fd < 0 ||
        connect(bench->fd, (struct sockaddr *)&address, length) != 0)
        fail("the echo's sockets");
    bench->echo = fork();
    if (bench->echo == 0)
        run_echo(&bench->clock, listener);
    close(listener);
    cpu_pin(cpu_allowed_edge(0));
}

/* Make a block in which WHO spins for WAIT_NS before sending each message. Returns the median round
 * trip minus the server's spin, in ns. */
static double block(const struct bench *bench, enum who who, uint64_t wait_ns)
{
    struct request request = {.spin_ns = who == SERVER ? wait_ns : 0};
    char bytes[MESSAGE_SIZE] = "";
    double samples[BLOCK];

    memcpy(bytes, &request, sizeof request);
    for (int i = 0; i < BLOCK; i++) {
        uint64_t started;

        if (who == CLIENT)
            spin(&bench->clock, wait_ns);
        started = bench->clock.start();
        if (send(bench->fd, bytes, sizeof bytes, 0) < 0 ||
            recv(bench->fd, bytes, sizeof bytes, 0) < 0)
            fail("a round trip");
        samples[i] = clock_sample_ns(&bench->clock, bench->clock.stop() - started);
    }
    return estimate_median(samples, BLOCK) - (double)request.spin_ns;
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_count(argc, argv, 1, 100);
    static struct bench bench;
    double levels[WHO];

    if (rounds < 1 || rounds > ROUNDS_MAXIMUM) {
        fprintf(stderr, "usage: %s [ROUNDS]\n", argv[0]);
        return 2;
    }
    cpu_keep_awake();
    open_bench(&bench);
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < WAITS; i++)
            for (enum who who = 0; who < WHO; who++)
                bench.blocks[who][i][round] = block(&bench, who, waits_us[i] * 1000);
    printf("median round trip of a UDP echo, ns, without the wait itself\n"
           "  %8s  %22s  %22s\n",
           "wait us", "the server waits", "the client waits");
    for (size_t i = 0; i < WAITS; i++) {
        double now[WHO];

        for (enum who who = 0; who < WHO; who++) {
            now[who] = estimate_median(bench.blocks[who][i], rounds);
            if (i == 0)
                levels[who] = now[who];
        }
        printf("  %8llu  %10.0f  (%+8.0f)  %10.0f  (%+8.0f)\n", (unsigned long long)waits_us[i],
               now[SERVER], now[SERVER] - levels[SERVER], now[CLIENT],
               now[CLIENT] - levels[CLIENT]);
    }
    kill(bench.echo, SIGKILL);
    waitpid(bench.echo, NULL, 0);
    return 0;
}
