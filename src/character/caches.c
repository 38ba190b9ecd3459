/* What first touches cost against later ones, places in order against random ones, and how much
 * data the server keeps in memory. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/gain.h"
#include "character/link.h"
#include "common/random.h"
#include "nfs/change.h"

enum { FILES = 16, PIECE = 16 << 10, DATAGRAM_PIECE = 8 << 10, CHUNK = 64 << 10 };
enum { SETS = 16, READS = 64, SET_LEAST = 256 << 10, PAUSE_NS = 50 * 1000 * 1000 };
/* What a READ must take longer by, and a first touch by more. */
#define KNEE_LEAST    2.0
#define COLD_LEAST_US 20.0

enum { ARM_IN_ORDER, ARM_RANDOM, ARMS };
enum touch { FRESH, IDLE, TOUCHES };
enum operation { LOOKUPS, GETATTRS, READ_CALLS, OPERATIONS };

static const char *const operation_names[OPERATIONS] = {"LOOKUP", "GETATTR", "READ"};
static const char *const operation_ops[OPERATIONS] = {"lookup", "getattr", "read"};

struct file {
    char name[NFS_VARIANT_NAME_SIZE];
    struct nfs_handle handle;
};

struct caches {
    struct lab *lab;
    struct file files[FILES]; /* small ones */
    uint64_t touched_ns;      /* when they were last touched */
    struct nfs_handle file;   /* a large one */
    uint64_t size;            /* of it, */
    uint64_t next;            /* and the place of the next READ in order */
    uint32_t piece;           /* bytes of a READ */
    struct random random;
    struct interval sets[SETS]; /* what a random READ in a set takes, us */
    uint64_t set_bytes[SETS];
    size_t set_count;
};

/* Calls */

static int timed(struct caches *caches, const char *op, union nfs_arguments *arguments, double *us,
                 struct error *error)
{
    const struct clock *clock = &caches->lab->clock;
    const uint64_t started = clock->start();
    union nfs_result result;
    int code = lab_call_well(caches->lab, op, arguments, &result, error);

    *us = clock_sample_ns(clock, clock->stop() - started) / 1000;
    if (code == 0)
        nfs_free_result(op, &result);
    return code;
}

static int read_at(struct caches *caches, const struct nfs_handle *file, uint64_t offset,
                   double *us, struct error *error)
{
    union nfs_arguments arguments = {
        .read = {.file = nfs_handle_argument(file), .offset = offset, .count = caches->piece}};

    return timed(caches, "read", &arguments, us, error);
}

static int touch(struct caches *caches, enum operation operation, const struct file *file,
                 double *us, struct error *error)
{
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    if (operation == READ_CALLS)
        return read_at(caches, &file->handle, 0, us, error);
    if (operation == LOOKUPS)
        arguments.lookup.what = lab_place(caches->lab, file->name);
    else
        arguments.getattr.object = nfs_handle_argument(&file->handle);
    return timed(caches, operation_ops[operation], &arguments, us, error);
}

/* Filling */

/* nfs_write() divides what is more than the server takes. */
static int write_file(struct caches *caches, const struct nfs_handle *file, uint64_t offset,
                      uint32_t bytes, struct error *error)
{
    static const uint8_t data[CHUNK];
    const uint32_t most = caches->piece < PIECE ? caches->piece : CHUNK;
    int code = lab_goes_on(caches->lab, error);

    for (uint32_t at = 0; at < bytes && code == 0; at += most, caches->lab->calls++)
        code = nfs_write(caches->lab->client, file, "a file to read", offset + at, data,
                         bytes - at < most ? bytes - at : most, error);
    return code;
}

static int make_files(struct caches *caches, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < FILES && code == 0; i++) {
        code = lab_make_file(caches->lab, caches->files[i].name, &caches->files[i].handle, error);
        if (code == 0)
            code = write_file(caches, &caches->files[i].handle, 0, caches->piece, error);
    }
    return code;
}

/* As large as --memory says, or as there is time for. */
static int fill_large(struct caches *caches, struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + lab_rounds_ns(caches->lab);
    int code = lab_make_file(caches->lab, NULL, &caches->file, error);

    while (caches->size < caches->lab->plan->memory && code == 0 &&
           (clock_raw_ns() < end_ns || caches->size < SET_LEAST)) {
        code = write_file(caches, &caches->file, caches->size, CHUNK, error);
        caches->size += CHUNK;
    }
    return code;
}

/* First touches and later ones */

static int touch_all(struct caches *caches, enum touch when, enum operation operation,
                     struct character_answer *answer, struct interval *more, struct error *error)
{
    double differences[FILES], seconds[FILES];
    struct interval later;
    char name[64];
    int code = 0;

    for (size_t i = 0; i < FILES && code == 0; i++) {
        double first = 0;

        code = touch(caches, operation, &caches->files[i], &first, error);
        if (code == 0)
            code = touch(caches, operation, &caches->files[i], &seconds[i], error);
        differences[i] = first - seconds[i];
    }
    caches->touched_ns = clock_raw_ns();
    if (code == 0)
        code =
            estimate_median_interval(differences, FILES, caches->lab->plan->run.seed, more, error);
    if (code == 0)
        code = estimate_median_interval(seconds, FILES, caches->lab->plan->run.seed, &later, error);
    if (code)
        return code;
    snprintf(name, sizeof name, "first %s, %s", operation_names[operation],
             when == FRESH ? "a new file" : "after a pause");
    answer_figure(answer, name, more, "us", "more than the one after it (%.1f us)", later.estimate);
    return 0;
}

/* READs of new files come last, since they may bring attributes into memory. */
static int find_touches(struct caches *caches, enum touch when, struct character_answer *answer,
                        struct interval more[OPERATIONS], struct error *error)
{
    int code = 0;

    for (enum operation operation = 0; operation < OPERATIONS && code == 0; operation++)
        code = touch_all(caches, when, operation, answer, &more[operation], error);
    return code;
}

static int wait_idle(const struct caches *caches, struct error *error)
{
    const uint64_t end_ns = caches->touched_ns + caches->lab->plan->idle_ns;
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int code = 0;

    while (code == 0 && clock_raw_ns() < end_ns) {
        nanosleep(&pause, NULL);
        code = lab_goes_on(caches->lab, error);
    }
    return code;
}

/* Working sets. They come one after the other, the smallest first, since the READs of a large one
 * take the place of what was read for a small one. */

static uint64_t random_place(struct caches *caches, uint64_t bytes)
{
    return random_below_64(&caches->random, bytes / caches->piece) * caches->piece;
}

static int read_set(struct caches *caches, uint64_t bytes, struct character_answer *answer,
                    struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + lab_rounds_ns(caches->lab) / 4;
    double ignored, samples[READS];
    struct interval level;
    size_t count = 0;
    char name[64];
    int code = 0;

    for (uint64_t at = 0; at < bytes && code == 0 && clock_raw_ns() < end_ns; at += caches->piece)
        code = read_at(caches, &caches->file, at, &ignored, error);
    while (count < READS && code == 0)
        code =
            read_at(caches, &caches->file, random_place(caches, bytes), &samples[count++], error);
    if (code == 0)
        code = estimate_median_interval(samples, count, caches->lab->plan->run.seed, &level, error);
    if (code)
        return code;
    snprintf(name, sizeof name, "random READs in %llu KiB", (unsigned long long)bytes >> 10);
    answer_figure(answer, name, &level, "us", "of %u bytes", caches->piece);
    caches->set_bytes[caches->set_count] = bytes;
    caches->sets[caches->set_count++] = level;
    return 0;
}

static int read_sets(struct caches *caches, struct character_answer *answer, struct error *error)
{
    int code = 0;

    for (uint64_t bytes = SET_LEAST; bytes <= caches->size && caches->set_count < SETS && code == 0;
         bytes *= 2)
        code = read_set(caches, bytes, answer, error);
    return code;
}

/* The index of the first set whose READs certainly take much longer than those of a smaller one; 0:
 * none has. */
static size_t find_knee(const struct caches *caches)
{
    const struct interval *least = &caches->sets[0];

    for (size_t i = 1; i < caches->set_count; i++) {
        const struct interval *set = &caches->sets[i];

        if (set->estimate > KNEE_LEAST * least->estimate && set->low > least->high)
            return i;
        if (set->estimate < least->estimate)
            least = set;
    }
    return 0;
}

/* Order */

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct caches *caches = context;
    const struct clock *clock = &caches->lab->clock;
    const uint64_t started = clock->start();
    uint64_t place = caches->next;
    double us;
    int code;

    if (arm == ARM_RANDOM)
        place = random_place(caches, caches->size);
    else
        caches->next = (caches->next + caches->piece) % caches->size;
    code = read_at(caches, &caches->file, place, &us, error);
    *ticks = clock->stop() - started;
    return code;
}

static int compare_orders(struct caches *caches, struct character_answer *answer,
                          struct interval *ratio, struct error *error)
{
    struct arms arms = {.lab = caches->lab,
                        .count = ARMS,
                        .calls = 16,
                        .call = call,
                        .context = caches,
                        .time_ns = lab_rounds_ns(caches->lab) / 2};
    struct interval in_order, at_random;
    int code = arms_run(&arms, lab_scaled(caches->lab, 60, 8), error);

    if (code == 0)
        code = arms_level(&arms, ARM_IN_ORDER, &in_order, error);
    if (code == 0)
        code = arms_level(&arms, ARM_RANDOM, &at_random, error);
    if (code == 0)
        code = arms_ratio(&arms, ARM_RANDOM, ARM_IN_ORDER, ratio, error);
    arms_close(&arms);
    if (code)
        return code;
    answer_figure(answer, "READs in order", &in_order, "us", "of %u bytes", caches->piece);
    answer_figure(answer, "READs at random", &at_random, "us", "in %llu KiB",
                  (unsigned long long)caches->size >> 10);
    answer_figure(answer, "random against in order", ratio, "times", "as long");
    return 0;
}

/* The answer */

/* Does a first touch take at least as much more as anybody notices? */
static bool is_cold(const struct interval more[OPERATIONS])
{
    bool cold = false;

    for (enum operation operation = 0; operation < OPERATIONS; operation++)
        cold = cold || more[operation].low > COLD_LEAST_US;
    return cold;
}

static void conclude(struct character_answer *answer, const struct caches *caches,
                     struct interval touches[TOUCHES][OPERATIONS], const struct interval *order)
{
    const enum gain gain = gain_classify(order);
    const size_t knee = find_knee(caches);
    const bool fresh = is_cold(touches[FRESH]), idle = is_cold(touches[IDLE]);
    char sets[128];

    if (knee)
        snprintf(sets, sizeof sets, "READs become slow between working sets of %llu and %llu KiB",
                 (unsigned long long)caches->set_bytes[knee - 1] >> 10,
                 (unsigned long long)caches->set_bytes[knee] >> 10);
    else
        snprintf(sets, sizeof sets, "a working set of %llu KiB stays fast",
                 (unsigned long long)caches->set_bytes[caches->set_count - 1] >> 10);
    answer_say(answer, "First touches of new files %s; after a pause of %.3g s they %s; %s; %s.",
               fresh ? "take longer" : "are as fast as later ones",
               (double)caches->lab->plan->idle_ns / 1e9, idle ? "take longer" : "are as fast", sets,
               gain == GAIN_SOME   ? "random READs are slower than READs in order"
               : gain == GAIN_NONE ? "random READs are as fast as READs in order"
                                   : "whether random READs are slower is not clear");
    if (knee)
        answer_mean(answer,
                    "The server keeps some %llu KiB in memory for one file; jobs that "
                    "read more at random wait for its disk.",
                    (unsigned long long)caches->set_bytes[knee - 1] >> 10);
    else
        answer_mean(answer, "So much data the server keeps in memory; measurements of smaller "
                            "files say nothing about its disk.");
    if (idle)
        answer_mean(answer, "What was not used for a while is slow at first: a measurement that "
                            "warms up does not show it.");
    if (gain == GAIN_SOME)
        answer_mean(answer, "It reads ahead: programs that read in order gain by it.");
}

static int find_all(struct caches *caches, struct character_answer *answer, struct error *error)
{
    struct interval touches[TOUCHES][OPERATIONS], order;
    int code = make_files(caches, error);

    if (code == 0)
        code = find_touches(caches, FRESH, answer, touches[FRESH], error);
    if (code == 0)
        code = fill_large(caches, error);
    if (code == 0)
        code = read_sets(caches, answer, error);
    if (code == 0)
        code = compare_orders(caches, answer, &order, error);
    if (code == 0)
        code = wait_idle(caches, error);
    if (code == 0)
        code = find_touches(caches, IDLE, answer, touches[IDLE], error);
    if (code == 0)
        conclude(answer, caches, touches, &order);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct caches caches = {.lab = lab,
                            .piece = endpoint.transport == TRANSPORT_UDP ? DATAGRAM_PIECE : PIECE};

    random_seed(&caches.random, lab->plan->run.seed);
    return find_all(&caches, answer, error);
}

const struct experiment experiment_caches = {
    .name = "caches",
    .question = "What does the server keep in memory, and what does it cost where it does not?",
    .unknown = "What else the server's memory holds; more than --memory; data that no client has "
               "touched since the server was started, and longer pauses than --idle.",
    .works_in_directory = true,
    .waits = true,
    .run = run,
};
