/* What first touches cost against later ones, places in order against random ones, and how much
 * data the server keeps in memory. */
#include <string.h>

#include "character/experiment.h"
#include "character/judgement.h"
#include "common/random.h"

enum { PIECE = 16 << 10, DATAGRAM_PIECE = 8 << 10, CHUNK = 64 << 10 };
enum { PASSES = 2, SETS = 16, READS = 64, SET_LEAST = 256 << 10 };

enum { IN_ORDER, AT_RANDOM, SERIES };
enum { NEW_FILES = 16, NEW_BYTES = 8 << 10 };
#define COLD_LEAST_US 20.0

struct caches {
    struct nfs_handle file; /* a large one */
    uint64_t size;          /* of it, */
    uint64_t next;          /* and the place of the next READ in order */
    uint32_t piece;         /* bytes of a READ */
    struct random random;
    struct interval sets[PASSES][SETS]; /* what a random READ in a set takes, us */
    size_t set_count;
    struct new_file {
        char name[NFS_VARIANT_NAME_SIZE];
        struct nfs_handle handle;
    } files[NEW_FILES];
    bool cold; /* a first access takes certainly more than anybody notices */
};

/* The first access to a file against the next one, by LOOKUP, GETATTR and READ. READs of new files
 * come last, since they may bring attributes into memory. */

static const char *const accesses[] = {"lookup", "getattr", "read"};

enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

static int make_files(struct lab *lab, struct caches *caches, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < NEW_FILES && code == 0; i++) {
        struct new_file *file = &caches->files[i];

        code = lab_make_file(lab, file->name, &file->handle, error);
        if (code == 0)
            code = lab_write(lab, &file->handle, 0, NEW_BYTES, error);
    }
    return code;
}

static int access_once(struct lab *lab, const char *op, const struct new_file *file, double *us,
                       struct error *error)
{
    const nfs_fh3 handle = nfs_handle_argument(&file->handle);
    union nfs_arguments arguments;
    uint64_t ticks;
    int code;

    memset(&arguments, 0, sizeof arguments);
    if (strcmp(op, "lookup") == 0)
        arguments.lookup.what = lab_place(lab, file->name);
    else if (strcmp(op, "getattr") == 0)
        arguments.getattr.object = handle;
    else
        arguments.read = (READ3args){.file = handle, .count = NEW_BYTES};
    code = lab_call_timed(lab, op, &arguments, &ticks, error);
    *us = clock_sample_ns(&lab->clock, ticks) / 1000;
    return code;
}

static int compare_access(struct lab *lab, struct caches *caches, const char *op,
                          struct character_answer *answer, struct error *error)
{
    const uint64_t seed = lab->plan->run.seed;
    double differences[NEW_FILES], seconds[NEW_FILES];
    struct interval more, later;
    char name[64];
    int code = 0;

    for (size_t i = 0; i < NEW_FILES && code == 0; i++) {
        double first = 0;

        code = access_once(lab, op, &caches->files[i], &first, error);
        if (code == 0)
            code = access_once(lab, op, &caches->files[i], &seconds[i], error);
        differences[i] = first - seconds[i];
    }
    if (code == 0)
        code = estimate_median_interval(differences, NEW_FILES, seed, &more, error);
    if (code == 0)
        code = estimate_median_interval(seconds, NEW_FILES, seed, &later, error);
    if (code)
        return code;
    snprintf(name, sizeof name, "first %s, a new file", nfs_procedure_find(op)->rpc.name);
    answer_figure(answer, name, &more, "us", "more than the one after it (%.1f us)",
                  later.estimate);
    caches->cold = caches->cold || more.low > COLD_LEAST_US;
    return 0;
}

static int compare_accesses(struct lab *lab, struct caches *caches, struct character_answer *answer,
                            struct error *error)
{
    int code = make_files(lab, caches, error);

    for (size_t i = 0; i < ACCESSES && code == 0; i++)
        code = compare_access(lab, caches, accesses[i], answer, error);
    return code;
}

/* A large file */

static int read_at(struct lab *lab, const struct caches *caches, uint64_t offset, uint64_t *ticks,
                   struct error *error)
{
    union nfs_arguments arguments = {.read = {.file = nfs_handle_argument(&caches->file),
                                              .offset = offset,
                                              .count = caches->piece}};

    return lab_call_timed(lab, "read", &arguments, ticks, error);
}

/* As large as --memory says, or as there is time for. */
static int fill_large(struct lab *lab, struct caches *caches, struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + lab_rounds_ns(lab);
    int code = lab_make_file(lab, NULL, &caches->file, error);

    while (caches->size < lab->plan->memory && code == 0 &&
           (clock_raw_ns() < end_ns || caches->size < SET_LEAST)) {
        code = lab_write(lab, &caches->file, caches->size, CHUNK, error);
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

static int read_set(struct lab *lab, struct caches *caches, uint64_t bytes, struct interval *level,
                    struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + lab_rounds_ns(lab) / 4 / PASSES;
    double samples[READS];
    uint64_t ticks;
    size_t count = 0;
    int code = 0;

    for (uint64_t at = 0; at < bytes && code == 0 && clock_raw_ns() < end_ns; at += caches->piece)
        code = read_at(lab, caches, at, &ticks, error);
    while (count < READS && code == 0) {
        code = read_at(lab, caches, random_place(caches, bytes), &ticks, error);
        samples[count++] = clock_sample_ns(&lab->clock, ticks) / 1000;
    }
    return code ? code
                : estimate_median_interval(samples, count, lab->plan->run.seed, level, error);
}

static uint64_t set_bytes(size_t index)
{
    return (uint64_t)SET_LEAST << index;
}

static int read_sets(struct lab *lab, struct caches *caches, struct character_answer *answer,
                     struct error *error)
{
    char name[64];
    int code = 0;

    while (caches->set_count < SETS && set_bytes(caches->set_count) <= caches->size)
        caches->set_count++;
    for (size_t pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < caches->set_count && code == 0; i++)
            code = read_set(lab, caches, set_bytes(i), &caches->sets[pass][i], error);
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

static int call(struct lab *lab, void *state, size_t series, uint64_t *ticks, struct error *error)
{
    struct caches *caches = state;
    uint64_t place = caches->next;

    if (series == AT_RANDOM)
        place = random_place(caches, caches->size);
    else
        caches->next = (caches->next + caches->piece) % caches->size;
    return read_at(lab, caches, place, ticks, error);
}

static struct interval report_orders(struct timing *timing, const struct caches *caches,
                                     struct character_answer *answer)
{
    const struct interval in_order = timing_level(timing, IN_ORDER);
    const struct interval at_random = timing_level(timing, AT_RANDOM);
    const struct interval ratio = timing_ratio(timing, AT_RANDOM, IN_ORDER);

    answer_figure(answer, "READs in order", &in_order, "us", "of %u bytes", caches->piece);
    answer_figure(answer, "READs at random", &at_random, "us", "in %llu KiB",
                  (unsigned long long)caches->size >> 10);
    answer_figure(answer, "random against in order", &ratio, "times", "as long");
    return ratio;
}

/* The answer */

static void say(struct character_answer *answer, const struct caches *caches,
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
               caches->cold ? "take longer" : "are as fast as later ones", sets,
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

static int conclude(struct lab *lab, void *state, struct character_answer *answer,
                    struct error *error)
{
    const struct interval order = report_orders(&lab->timing, state, answer);

    say(answer, state, &order);
    return 0;
}

static int prepare(struct lab *lab, void *state, struct character_answer *answer,
                   struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct caches *caches = state;
    int code;

    caches->piece = endpoint.transport == TRANSPORT_UDP ? DATAGRAM_PIECE : PIECE;
    random_seed(&caches->random, lab->plan->run.seed);
    code = compare_accesses(lab, caches, answer, error);
    if (code == 0)
        code = fill_large(lab, caches, error);
    return code ? code : read_sets(lab, caches, answer, error);
}

const struct experiment experiment_caches = {
    .name = "caches",
    .question = "What does the server keep in memory, and what does it cost where it does not?",
    .unknown = "What else the server's memory holds; more than --memory; data that no client has "
               "touched for a while, or since the server was started.",
    .works_in_directory = true,
    .state_size = sizeof(struct caches),
    .prepare = prepare,
    .timing = {.series = SERIES, .calls = 16, .full = 60, .quick = 8, .part = 2, .call = call},
    .conclude = conclude,
};
