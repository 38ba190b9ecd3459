/* What first touches cost against later ones, places in order against random ones, and how much
 * data the server keeps in memory. */
#include <math.h>
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "character/touches.h"
#include "common/random.h"

enum { PIECE = 16 << 10, DATAGRAM_PIECE = 8 << 10, CHUNK = 64 << 10 };
enum { PASSES = 2, SETS = 16, READS = 64, SET_LEAST = 256 << 10 };

enum { ARM_IN_ORDER, ARM_RANDOM, ARMS };

struct caches {
    struct lab *lab;
    struct nfs_handle file; /* a large one */
    uint64_t size;          /* of it, */
    uint64_t next;          /* and the place of the next READ in order */
    uint32_t piece;         /* bytes of a READ */
    struct random random;
    struct interval sets[PASSES][SETS]; /* what a random READ in a set takes, us */
    size_t set_count;
};

static int read_at(struct caches *caches, uint64_t offset, uint64_t *ticks, struct error *error)
{
    union nfs_arguments arguments = {.read = {.file = nfs_handle_argument(&caches->file),
                                              .offset = offset,
                                              .count = caches->piece}};

    return lab_call_timed(caches->lab, "read", &arguments, ticks, error);
}

/* As large as --memory says, or as there is time for. */
static int fill_large(struct caches *caches, struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + lab_rounds_ns(caches->lab);
    int code = lab_make_file(caches->lab, NULL, &caches->file, error);

    while (caches->size < caches->lab->plan->memory && code == 0 &&
           (clock_raw_ns() < end_ns || caches->size < SET_LEAST)) {
        code = lab_write(caches->lab, &caches->file, caches->size, CHUNK, error);
        caches->size += CHUNK;
    }
    return code;
}

/* Working sets. They come one after the other, the smallest first, since the READs of a large one
 * take the place of what was read for a small one. */

static uint64_t random_place(struct caches *caches, uint64_t bytes)
{
    return random_below_64(&caches->random, bytes / caches->piece) * caches->piece;
}

static int read_set(struct caches *caches, uint64_t bytes, struct interval *level,
                    struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + lab_rounds_ns(caches->lab) / 4 / PASSES;
    double samples[READS];
    uint64_t ticks;
    size_t count = 0;
    int code = 0;

    for (uint64_t at = 0; at < bytes && code == 0 && clock_raw_ns() < end_ns; at += caches->piece)
        code = read_at(caches, at, &ticks, error);
    while (count < READS && code == 0) {
        code = read_at(caches, random_place(caches, bytes), &ticks, error);
        samples[count++] = clock_sample_ns(&caches->lab->clock, ticks) / 1000;
    }
    return code ? code
                : estimate_median_interval(samples, count, caches->lab->plan->run.seed, level,
                                           error);
}

static uint64_t set_bytes(size_t index)
{
    return (uint64_t)SET_LEAST << index;
}

static int read_sets(struct caches *caches, struct character_answer *answer, struct error *error)
{
    char name[64];
    int code = 0;

    while (caches->set_count < SETS && set_bytes(caches->set_count) <= caches->size)
        caches->set_count++;
    for (size_t pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < caches->set_count && code == 0; i++)
            code = read_set(caches, set_bytes(i), &caches->sets[pass][i], error);
    for (size_t i = 0; i < caches->set_count && code == 0; i++) {
        snprintf(name, sizeof name, "random READs in %llu KiB",
                 (unsigned long long)set_bytes(i) >> 10);
        answer_figure(answer, name, &caches->sets[0][i], "us", "of %u bytes; again %.3g us",
                      caches->piece, caches->sets[1][i].estimate);
    }
    return code;
}

/* The index of the first set whose READs certainly take much longer than those of a smaller one; 0:
 * none has. What makes READs slow once may be something else: it must do so in both passes. */
static size_t find_knee(const struct caches *caches)
{
    size_t knee = 0;

    for (size_t pass = 0; pass < PASSES; pass++) {
        const size_t found = knee_find(caches->sets[pass], caches->set_count);

        if (found == 0)
            return 0;
        knee = found > knee ? found : knee;
    }
    return knee;
}

/* Order */

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct caches *caches = context;
    uint64_t place = caches->next;

    if (arm == ARM_RANDOM)
        place = random_place(caches, caches->size);
    else
        caches->next = (caches->next + caches->piece) % caches->size;
    return read_at(caches, place, ticks, error);
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

static void conclude(struct character_answer *answer, const struct caches *caches, bool cold,
                     const struct interval *order)
{
    const enum gain gain = gain_classify(order);
    const size_t knee = find_knee(caches);
    char sets[128];

    if (knee)
        snprintf(sets, sizeof sets, "READs become slow between working sets of %llu and %llu KiB",
                 (unsigned long long)set_bytes(knee - 1) >> 10,
                 (unsigned long long)set_bytes(knee) >> 10);
    else
        snprintf(sets, sizeof sets, "a working set of %llu KiB stays fast",
                 (unsigned long long)set_bytes(caches->set_count - 1) >> 10);
    answer_say(answer, "First touches of new files %s; %s; %s.",
               cold ? "take longer" : "are as fast as later ones", sets,
               gain == GAIN_SOME   ? "random READs are slower than READs in order"
               : gain == GAIN_NONE ? "random READs are as fast as READs in order"
                                   : "whether random READs are slower is not clear");
    if (knee)
        answer_mean(answer,
                    "The server keeps some %llu KiB in memory for one file; jobs that "
                    "read more at random wait for its disk.",
                    (unsigned long long)set_bytes(knee - 1) >> 10);
    else
        answer_mean(answer, "So much data the server keeps in memory; measurements of smaller "
                            "files say nothing about its disk.");
    if (gain == GAIN_SOME)
        answer_mean(answer, "It reads ahead: programs that read in order gain by it.");
}

static int find_all(struct caches *caches, struct character_answer *answer, struct error *error)
{
    struct touches touches;
    struct interval order;
    bool cold;
    int code = touches_make(&touches, caches->lab, error);

    if (code == 0)
        code = touches_compare(&touches, "a new file", answer, &cold, error);
    if (code == 0)
        code = fill_large(caches, error);
    if (code == 0)
        code = read_sets(caches, answer, error);
    if (code == 0)
        code = compare_orders(caches, answer, &order, error);
    if (code == 0)
        conclude(answer, caches, cold, &order);
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
               "touched for a while, or since the server was started.",
    .works_in_directory = true,
    .run = run,
};
