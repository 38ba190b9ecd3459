/* An emulated ethernet: two TAP devices, each in a network namespace, and between them a
 * full-duplex link of a given rate and latency (ethernet_link.h), which can also lose or delay
 * frames on purpose.
 * The link is a relay in user space, because the kernel's traffic control shapes the flow of many
 * packets and does not delay a single one. A frame is due a known time after it was read. The relay
 * sleeps until shortly before this time, or until a new frame comes. It spins for the last
 * microseconds, because a timer is less exact. If SCHED_FIFO is permitted, the relay is on time
 * even on a busy machine. With one call at a time, it may share a processor with client or server,
 * which wait while it spins. With many calls, it needs a separate processor. At the end, it reports
 * how late frames left.
 * usage: ethernet_wire [OPTION...] NAMESPACE DEVICE NAMESPACE DEVICE */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "cli/command_line.h"
#include "common/system_clock.h"
#include "common/units.h"
#include "ethernet_link.h"
#include "job/option_values.h"
#include "job/options.h"
#include "measure/link.h"
#include "tap.h"

enum { ENDS = 2, LONGEST_REST_NS = 100000000 };

struct settings {
    /* Properties of the links in both directions. Each link's seed is derived from `link.seed`. */
    struct ethernet_properties link;
    uint64_t spin_ns;
    const char *counts;
    bool help;
};

/* Read the percentage at the start of TEXT, such as "0.1%", into *PROBABILITY, and set *REST to the
 * text after it. Returns true, or false if TEXT does not begin with a percentage from 0 to 100. */
static bool read_probability(const char *text, double *probability, char **rest)
{
    double percent = strtod(text, rest);

    *probability = percent / 100;
    return *rest != text && *(*rest)++ == '%' && percent >= 0 && percent <= 100;
}

static int parse_loss(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    char *rest;

    if (read_probability(text, member, &rest) && !*rest)
        return 0;
    return option_refuse(entry, text, "a percentage such as 0.1%", error);
}

static int parse_reordering(const struct option_entry *entry, const char *text, void *member,
                            struct error *error)
{
    struct ethernet_reordering *reordering = member;
    char *rest;

    if (read_probability(text, &reordering->probability, &rest) &&
        (!*rest || (*rest == '/' && units_parse_time(rest + 1, &reordering->delay_ns) == 0)))
        return 0;
    return option_refuse(entry, text, "a percentage, or one and a time, such as 1% or 1%/5ms",
                         error);
}

#define TO(field) .offset = offsetof(struct settings, field), .section = SECTION_GENERAL

static const struct option_entry options[] = {
    {"rate", 'r', OPTION_COUNT, TO(link.rate), .value = "BITS",
     .help = "bits per second, such as 100M (default: frames take no time to send)"},
    {"latency", 'l', OPTION_TIME, TO(link.latency_ns), .value = "TIME",
     .help = "from end to end, such as 50us (default: none)"},
    {"mtu", 0, OPTION_SIZE, TO(link.mtu), .value = "BYTES",
     .help = "bytes of a frame without its header, 576 to 9000 (default 1500)",
     .minimum = ETHERNET_MTU_LEAST, .maximum = ETHERNET_MTU_MAXIMUM},
    {"queue", 0, OPTION_NUMBER, TO(link.capacity), .value = "FRAMES",
     .help = "frames that a direction holds; more are dropped (default 50000)", .minimum = 1,
     .maximum = 100000},
    {"loss", 0, OPTION_OTHER, TO(link.loss), .value = "P%",
     .help = "probability that a frame is lost, such as 0.1% (default 0%)", .parse = parse_loss},
    {"jitter", 0, OPTION_TIME, TO(link.jitter_ns), .value = "TIME",
     .help = "each frame takes up to TIME longer, evenly distributed; the order is kept "
             "(default: none)"},
    {"reorder", 0, OPTION_OTHER, TO(link.reordering), .value = "P%[/TIME]",
     .help = "probability that a frame arrives TIME (1ms) late, and others overtake it, such as "
             "1%/5ms (default 0%)",
     .parse = parse_reordering},
    {"seed", 0, OPTION_COUNT, TO(link.seed), .value = "N",
     .help = "which frames these are (default, or 0: drawn); printed"},
    {"spin", 0, OPTION_TIME, TO(spin_ns), .value = "TIME",
     .help = "how long before a frame is due to stop sleeping (default 30us)"},
    {"counts", 0, OPTION_FILE, TO(counts), .value = "FILE",
     .help = "where nfsbench finds the latency, and whether frames are late"},
    {"help", 'h', OPTION_FLAG, TO(help), .help = "print this text"},
};

enum { OPTIONS = sizeof options / sizeof options[0] };

/* Two devices and two links. LINKS[I] carries the frames that TAPS[I] sends. */
struct wire {
    struct tap taps[ENDS];
    struct ethernet_link links[ENDS];
    uint64_t spin_ns, seed;
    struct link_counts *counts; /* sums over both directions; in a mapped file with --counts */
};

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    stopped = 1;
}

/* Deliver the frames that are due on link END. After that, accept at most one new frame, so that
 * the other direction does not wait. Returns whether any frame was delivered or accepted. */
static bool relay(struct wire *wire, unsigned end)
{
    struct ethernet_link *link = &wire->links[end];
    const struct ethernet_frame *next;
    bool worked = false;
    ssize_t length;
    uint64_t now;

    while ((next = ethernet_link_next(link)) && next->due_ns <= (now = monotonic_ns())) {
        /* If the device is down, the frame is lost, as with a disconnected cable. */
        if (write(wire->taps[!end].fd, next->bytes, next->length) < 0 && errno == EINTR)
            break;
        wire->counts->frames++;
        wire->counts->late += now - next->due_ns > LINK_LATE_NS;
        ethernet_link_deliver(link, now);
        worked = true;
    }
    length = read(wire->taps[end].fd, ethernet_link_room(link)->bytes, ethernet_link_longest(link));
    if (length <= 0)
        return worked;
    ethernet_link_send(link, (size_t)length, monotonic_ns());
    return true;
}

/* Sleep until a frame arrives, or until `spin_ns` before the next frame is due. Never sleep long,
 * because the signal to stop may have arrived just before. */
static void rest(const struct wire *wire)
{
    struct pollfd fds[ENDS];
    struct timespec time;
    uint64_t wake = monotonic_ns() + wire->spin_ns, due = wake + LONGEST_REST_NS;

    for (unsigned i = 0; i < ENDS; i++) {
        const struct ethernet_frame *next = ethernet_link_next(&wire->links[i]);

        if (next && next->due_ns < due)
            due = next->due_ns;
        fds[i] = (struct pollfd){.fd = wire->taps[i].fd, .events = POLLIN};
    }
    if (due <= wake)
        return;
    time = (struct timespec){.tv_nsec = (long)(due - wake)};
    ppoll(fds, ENDS, &time, NULL);
}

static void relay_until_stopped(struct wire *wire)
{
    while (!stopped) {
        bool worked = relay(wire, 0);

        if (!relay(wire, 1) && !worked)
            rest(wire);
    }
}

static void print_counts(const struct wire *wire)
{
    for (unsigned i = 0; i < ENDS; i++) {
        const struct ethernet_link *link = &wire->links[i];

        printf("ethernet_wire: from=%s frames=%" PRIu64 " bytes=%" PRIu64 " dropped=%" PRIu64
               " dropped_unread=%" PRIu64 " late_mean_us=%.2f late_p99_us=%.2f late_max_us=%.2f"
               " lost=%" PRIu64 " reordered=%" PRIu64 " seed=%" PRIu64 "\n",
               wire->taps[i].name, link->delivered, link->bytes, link->dropped,
               tap_dropped(&wire->taps[i]), link->late_ns.mean / 1000,
               histogram_quantile(&link->late_ns, 0.99) / 1000, link->late_ns.maximum / 1000,
               link->lost, link->reordered, wire->seed);
    }
}

/* Map the file for the counts, if SETTINGS names one: other processes can read it without delaying
 * the relay. */
static int open_counts(struct wire *wire, const struct settings *settings, struct error *error)
{
    static struct link_counts unread;
    int fd = settings->counts ? open(settings->counts, O_RDWR | O_CREAT | O_TRUNC, 0644) : -1;

    wire->counts = &unread;
    if (settings->counts && (fd < 0 || ftruncate(fd, sizeof unread) < 0 ||
                             (wire->counts = mmap(NULL, sizeof unread, PROT_READ | PROT_WRITE,
                                                  MAP_SHARED, fd, 0)) == MAP_FAILED))
        return error_set(error, ERROR_FAILED, -errno, "can't write to %s: %s", settings->counts,
                         strerror(errno));
    *wire->counts =
        (struct link_counts){(double)settings->link.latency_ns, (double)settings->link.rate, 0, 0};
    return 0;
}

static int open_wire(struct wire *wire, const struct settings *settings, char **words,
                     struct error *error)
{
    struct ethernet_properties properties = settings->link;
    int code = open_counts(wire, settings, error);

    wire->spin_ns = settings->spin_ns;
    wire->seed = settings->link.seed;
    for (unsigned i = 0; i < ENDS && !code; i++) {
        properties.seed = random_mix(wire->seed) + i;
        code = tap_open(&wire->taps[i], words[2 * i], words[2 * i + 1], properties.mtu,
                        properties.capacity, error);
        if (!code && ethernet_link_open(&wire->links[i], &properties) != 0)
            code = error_set(error, ERROR_FAILED, -ENOMEM, "no memory for %u frames",
                             properties.capacity);
    }
    return code;
}

/* Make a NULL-terminated list of pointers, which the option parser and the help need. */
static void fill_entries(const struct option_entry *entries[OPTIONS + 1])
{
    for (size_t i = 0; i < OPTIONS; i++)
        entries[i] = &options[i];
    entries[OPTIONS] = NULL;
}

/* Parse the options in ARGV, and leave its other words from index 1 on. */
static int parse(struct settings *settings, int argc, char **argv, struct error *error)
{
    const struct option_entry *entries[OPTIONS + 1];
    const char *given[OPTIONS] = {false};
    struct option_parser parser = {.entries = entries, .values = settings, .given = given};
    int code;

    fill_entries(entries);
    code = options_parse_by(&parser, argc, argv, error);
    if (code || settings->help)
        return code;
    if (parser.word_count != 2 * ENDS)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected NAMESPACE DEVICE NAMESPACE DEVICE; see --help");
    while (settings->link.seed == 0)
        settings->link.seed = random_system_seed();
    return 0;
}

static void print_help(void)
{
    const struct option_entry *entries[OPTIONS + 1];

    puts("usage: ethernet_wire [OPTION...] NAMESPACE DEVICE NAMESPACE DEVICE\n\n"
         "Makes a TAP device in each network namespace (a file, such as /run/netns/NAME), and\n"
         "relays frames between them as an ethernet would, until SIGINT or SIGTERM; then prints\n"
         "what went each way, what was dropped, how late frames left, and what was lost or made\n"
         "late on purpose.");
    fill_entries(entries);
    help_options(NULL, entries, stdout);
}

/* Handle signals, and make delays small: no timer slack, real-time priority, no processor sleep. */
static void prepare(void)
{
    const struct sched_param priority = {.sched_priority = 1};
    const struct sigaction action = {.sa_handler = stop};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    prctl(PR_SET_TIMERSLACK, 1);
    cpu_keep_awake();
    /* Without permission this fails, and frames leave later; print_counts() shows how late. */
    sched_setscheduler(0, SCHED_FIFO, &priority);
}

int main(int argc, char **argv)
{
    struct settings settings = {
        .link = {.mtu = 1500, .capacity = 50000, .reordering.delay_ns = 1000000},
        .spin_ns = 30000,
    };
    static struct wire wire;
    struct error error;

    if (parse(&settings, argc, argv, &error) != 0 ||
        (!settings.help && open_wire(&wire, &settings, argv + 1, &error) != 0))
        bench_fail(&error);
    if (settings.help) {
        print_help();
        return 0;
    }
    prepare();
    printf("ethernet_wire: ready seed=%" PRIu64 "\n", wire.seed);
    fflush(stdout);
    relay_until_stopped(&wire);
    print_counts(&wire);
    for (unsigned i = 0; i < ENDS; i++) {
        tap_close(&wire.taps[i]);
        ethernet_link_close(&wire.links[i]);
    }
    return 0;
}
