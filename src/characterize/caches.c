/* Experiment: how much longer first accesses take than later ones, and random READs than READs in
 * order; and how much data the server keeps in memory. */
#include <string.h>

#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "common/random.h"

enum { PIECE = 16 << 10, DATAGRAM_PIECE = 8 << 10, CHUNK = 64 << 10 };
enum { PASSES = 2, SETS = 16, READS = 64, SET_LEAST = 256 << 10 };

enum { IN_ORDER, AT_RANDOM, SERIES };
enum { NEW_FILES = 16, NEW_BYTES = 8 << 10 };

struct caches {
    struct nfs_handle file; /* a large file */
    uint64_t size;          /* size of FILE, bytes */
    uint64_t next;          /* offset of the next READ in order */
    uint32_t piece;         /* length of a READ, bytes */
    struct random random;
    struct interval sets[PASSES][SETS]; /* median time of a random READ in each working set, us */
    size_t set_count;
    struct new_file {
        char name[NFS_VARIANT_NAME_SIZE];
        struct nfs_handle handle;
    } files[NEW_FILES];
    enum gain cold; /* whether first accesses take longer than second ones */
};

/* The ops by which the first access to a file is compared with the second. READ comes last, because
 * it may bring attributes into memory. */

static const char *const accesses[] = {"lookup", "getattr", "read"};

enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

static void make_files(struct testbed *testbed, struct caches *caches)
{
    for (size_t i = 0; i < NEW_FILES; i++) {
        struct new_file *file = &caches->files[i];

        testbed_make_file(testbed, file->name, &file->handle);
        testbed_write(testbed, &file->handle, 0, NEW_BYTES);
    }
}

/* Call OP on FILE. Returns the call's time, us. */
static double access_once(struct testbed *testbed, const char *op, const struct new_file *file)
{
    const nfs_fh3 handle = nfs_handle_argument(&file->handle);
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    if (strcmp(op, "lookup") == 0)
        arguments.lookup.what = testbed_place(testbed, file->name);
    else if (strcmp(op, "getattr") == 0)
        arguments.getattr.object = handle;
    else
        arguments.read = (READ3args){.file = handle, .count = NEW_BYTES};
    return clock_sample_ns(&testbed->clock, testbed_call_timed(testbed, op, &arguments)) / 1000;
}

static void compare_access(struct testbed *testbed, struct caches *caches, const char *op)
{
    double differences[NEW_FILES], seconds[NEW_FILES], ratios[NEW_FILES];
    struct interval more, later, ratio;
    enum gain cold;

    for (size_t i = 0; i < NEW_FILES; i++) {
        const double first = access_once(testbed, op, &caches->files[i]);

        seconds[i] = access_once(testbed, op, &caches->files[i]);
        differences[i] = first - seconds[i];
        ratios[i] = first / seconds[i];
    }
    ratio = timing_median(testbed, ratios, NEW_FILES);
    more = timing_median(testbed, differences, NEW_FILES);
    later = timing_median(testbed, seconds, NEW_FILES);
    if (testbed->code)
        return;
    answer_figure(testbed->answer,
                  answer_named("first %s, a new file", nfs_procedure_find(op)->rpc.name).text, more,
                  "us", "more than the second one (%.1f us)", later.estimate);
    cold = gain_classify(&ratio);
    if (cold == GAIN_SOME || caches->cold == GAIN_NONE)
        caches->cold = cold;
}

static uint64_t read_at(struct testbed *testbed, const struct caches *caches, uint64_t offset)
{
    union nfs_arguments arguments = {.read = {.file = nfs_handle_argument(&caches->file),
                                              .offset = offset,
                                              .count = caches->piece}};

    return testbed_call_timed(testbed, "read", &arguments);
}

/* Write a file of --memory bytes, or as much of it as time permits. */
static void fill_large(struct testbed *testbed, struct caches *caches)
{
    const uint64_t end_ns = clock_raw_ns() + testbed_rounds_ns(testbed);

    testbed_make_file(testbed, NULL, &caches->file);
    while (caches->size < testbed->plan->memory && testbed->code == 0 &&
           (clock_raw_ns() < end_ns || caches->size < SET_LEAST)) {
        testbed_write(testbed, &caches->file, caches->size, CHUNK);
        caches->size += CHUNK;
    }
}

/* Working sets. The smallest is read first, because READs of a larger set would displace the
 * smaller set's data from the server's caches. */

static uint64_t random_place(struct caches *caches, uint64_t bytes)
{
    return random_below_64(&caches->random, bytes / caches->piece) * caches->piece;
}

static struct interval read_set(struct testbed *testbed, struct caches *caches, uint64_t bytes)
{
    const uint64_t end_ns = clock_raw_ns() + testbed_rounds_ns(testbed) / 4 / PASSES;
    double samples[READS];

    for (uint64_t at = 0; at < bytes && clock_raw_ns() < end_ns; at += caches->piece)
        read_at(testbed, caches, at);
    for (size_t i = 0; i < READS; i++)
        samples[i] = clock_sample_ns(&testbed->clock,
                                     read_at(testbed, caches, random_place(caches, bytes))) /
                     1000;
    return timing_median(testbed, samples, READS);
}

static uint64_t set_bytes(size_t index)
{
    return (uint64_t)SET_LEAST << index;
}

static void read_sets(struct testbed *testbed, struct caches *caches)
{
    while (caches->set_count < SETS && set_bytes(caches->set_count) <= caches->size)
        caches->set_count++;
    for (size_t pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < caches->set_count; i++)
            caches->sets[pass][i] = read_set(testbed, caches, set_bytes(i));
    for (size_t i = 0; i < caches->set_count && testbed->code == 0; i++)
        answer_figure(
            testbed->answer,
            answer_named("random READs in %llu KiB", (unsigned long long)set_bytes(i) >> 10).text,
            caches->sets[0][i], "us", "of %u bytes; in the second pass %.3g us", caches->piece,
            caches->sets[1][i].estimate);
}

/* Return the index of the set from which on READs take much longer than in a smaller set; 0 if
 * there is none. Both passes must show it (the larger index counts), because other load may slow
 * one pass. */
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

/* Return true if at least one pass shows that no set was slow. */
static bool is_fast(const struct caches *caches)
{
    bool fast = false;

    for (size_t pass = 0; pass < PASSES; pass++)
        fast = fast || knee_is_excluded(caches->sets[pass], caches->set_count);
    return fast;
}

/* READs in order and at random */

static uint64_t read_next(struct testbed *testbed, void *state, size_t series)
{
    struct caches *caches = state;
    uint64_t place = caches->next;

    if (series == AT_RANDOM)
        place = random_place(caches, caches->size);
    else
        caches->next = (caches->next + caches->piece) % caches->size;
    return read_at(testbed, caches, place);
}

static struct interval report_orders(struct testbed *testbed, const struct caches *caches)
{
    const struct interval ratio = timing_ratio(testbed, AT_RANDOM, IN_ORDER);

    answer_figure(testbed->answer, "READs in order", timing_level(testbed, IN_ORDER), "us",
                  "of %u bytes", caches->piece);
    answer_figure(testbed->answer, "READs at random", timing_level(testbed, AT_RANDOM), "us",
                  "of a file of %llu KiB", (unsigned long long)caches->size >> 10);
    answer_figure(testbed->answer, "random against in order", ratio, "times",
                  "as long as in order");
    return ratio;
}

static void answer_caches(struct character_answer *answer, const struct caches *caches,
                          const struct interval *order)
{
    const enum gain gain = gain_classify(order);
    const size_t knee = find_knee(caches);
    char sets[128];

    if (!knee && !is_fast(caches))
        snprintf(sets, sizeof sets,
                 "whether READs of a working set of %llu KiB stay fast is unknown, because their "
                 "times vary too much",
                 (unsigned long long)set_bytes(caches->set_count - 1) >> 10);
    else if (knee)
        snprintf(sets, sizeof sets, "READs become slow between working sets of %llu and %llu KiB",
                 (unsigned long long)set_bytes(knee - 1) >> 10,
                 (unsigned long long)set_bytes(knee) >> 10);
    else
        snprintf(sets, sizeof sets, "a working set of %llu KiB stays fast",
                 (unsigned long long)set_bytes(caches->set_count - 1) >> 10);
    answer_set(answer, "First accesses to new files %s; %s; %s.",
               caches->cold == GAIN_SOME   ? "take longer than second ones"
               : caches->cold == GAIN_NONE ? "are as fast as second ones"
                                           : "vary too much to tell whether they take longer",
               sets,
               gain == GAIN_SOME   ? "random READs are slower than READs in order"
               : gain == GAIN_NONE ? "random READs are as fast as READs in order"
                                   : "whether random READs are slower is unknown");
    if (knee)
        answer_add_meaning(
            answer,
            "The server keeps about %llu KiB of a file in memory; jobs that read more at "
            "random wait for the server's disk.",
            (unsigned long long)set_bytes(knee - 1) >> 10);
    else if (is_fast(caches))
        answer_add_meaning(answer,
                           "The server keeps a working set of this size in memory; measurements "
                           "of smaller files don't measure its disk.");
    if (gain == GAIN_SOME)
        answer_add_meaning(answer,
                           "The server reads ahead: programs that read in order are faster.");
}

static void conclude_caches(struct testbed *testbed, void *state)
{
    const struct interval order = report_orders(testbed, state);

    answer_caches(testbed->answer, state, &order);
}

static void prepare_caches(struct testbed *testbed, void *state)
{
    struct caches *caches = state;

    caches->piece = testbed_is_over_udp(testbed) ? DATAGRAM_PIECE : PIECE;
    random_seed(&caches->random, testbed->plan->run.seed);
    make_files(testbed, caches);
    for (size_t i = 0; i < ACCESSES; i++)
        compare_access(testbed, caches, accesses[i]);
    fill_large(testbed, caches);
    read_sets(testbed, caches);
}

const struct experiment experiment_caches = {
    .name = "caches",
    .question = "How much file data does the server keep in memory, and how much longer do other "
                "READs take?",
    .unknown = "Other contents of the server's memory; working sets above --memory; data that no "
               "client has accessed for a while, or since the server was started.",
    .need = {.full = 1455, .quick = 740},
    .works_in_directory = true,
    .state_size = sizeof(struct caches),
    .prepare = prepare_caches,
    .timing = {.series = SERIES, .calls = 16, .full = 60, .quick = 8, .part = 2, .call = read_next},
    .conclude = conclude_caches,
};
