/* How many calls are carried out at once, of one connection and of several. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "character/arms.h"
#include "character/crowd.h"
#include "character/experiment.h"
#include "character/judgement.h"

enum { IN_FLIGHT = 16, FILES = IN_FLIGHT, BYTES = 16 << 10 };

/* So many connections with so many calls in flight on each. */
enum { ARM_ALONE, ARM_ONE, ARM_SOME, ARM_MANY, ARMS };

static const struct {
    const char *name;
    unsigned connections, depth, calls; /* of a turn */
} arm_types[ARMS] = {
    [ARM_ALONE] = {"one at a time", 1, 1, IN_FLIGHT / 2},
    [ARM_ONE] = {"1 connection", 1, IN_FLIGHT, 2 * IN_FLIGHT},
    [ARM_SOME] = {"4 connections", 4, IN_FLIGHT / 4, 2 * IN_FLIGHT},
    [ARM_MANY] = {"16 connections", IN_FLIGHT, 1, 2 * IN_FLIGHT},
};

enum kind { KIND_GETATTR, KIND_WRITE, KINDS };

static const struct {
    const char *name, *op;
} kind_types[KINDS] = {{"GETATTR", "getattr"}, {"WRITE", "write"}};

struct parallel {
    struct lab *lab;
    struct crowd crowds[ARMS];
    struct crowd_calls calls[KINDS];
    struct nfs_handle files[FILES];
    uint8_t *data;
    enum kind kind; /* that is measured now */
};

/* What was found of a kind of calls. */
struct figures {
    struct interval at_once[ARMS]; /* as many times as fast as one after the other */
    struct interval connections;   /* several connections against one */
};

static void fill_getattr(const void *context, size_t number, union nfs_arguments *arguments)
{
    const struct parallel *parallel = context;

    arguments->getattr.object = nfs_handle_argument(&parallel->files[number]);
}

static void fill_write(const void *context, size_t number, union nfs_arguments *arguments)
{
    const struct parallel *parallel = context;

    arguments->write = (WRITE3args){.file = nfs_handle_argument(&parallel->files[number]),
                                    .count = BYTES,
                                    .stable = FILE_SYNC,
                                    .data = {BYTES, (char *)parallel->data}};
}

static int prepare(struct parallel *parallel, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < FILES && code == 0; i++)
        code = lab_make_file(parallel->lab, NULL, &parallel->files[i], error);
    if (code == 0)
        code = crowd_calls_make(&parallel->calls[KIND_GETATTR], parallel->lab, "getattr", FILES,
                                fill_getattr, parallel, error);
    if (code == 0)
        code = crowd_calls_make(&parallel->calls[KIND_WRITE], parallel->lab, "write", FILES,
                                fill_write, parallel, error);
    for (size_t arm = 0; arm < ARMS && code == 0; arm++)
        code = crowd_open(&parallel->crowds[arm], parallel->lab, arm_types[arm].connections,
                          arm_types[arm].depth, error);
    return code;
}

/* What a call takes of the whole. */
static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct parallel *parallel = context;
    int code = crowd_run(&parallel->crowds[arm], &parallel->calls[parallel->kind],
                         arm_types[arm].calls, ticks, error);

    *ticks /= arm_types[arm].calls;
    return code;
}

static int estimate(const struct arms *arms, struct figures *figures, struct error *error)
{
    int code = 0;

    for (size_t arm = ARM_ONE; arm < ARMS && code == 0; arm++)
        code = arms_ratio(arms, ARM_ALONE, arm, &figures->at_once[arm], error);
    return code ? code : arms_ratio(arms, ARM_ONE, ARM_SOME, &figures->connections, error);
}

static int measure(struct parallel *parallel, enum kind kind, struct character_answer *answer,
                   struct figures *figures, struct error *error)
{
    struct arms arms = {.lab = parallel->lab,
                        .count = ARMS,
                        .calls = 1,
                        .call = call,
                        .context = parallel,
                        .time_ns = lab_rounds_ns(parallel->lab) / KINDS};
    struct interval alone;
    char name[64];
    int code;

    parallel->kind = kind;
    code = arms_run(&arms, lab_scaled(parallel->lab, 200, 40), error);
    if (code == 0)
        code = arms_level(&arms, ARM_ALONE, &alone, error);
    if (code == 0)
        code = estimate(&arms, figures, error);
    arms_close(&arms);
    if (code)
        return code;
    snprintf(name, sizeof name, "%s, one at a time", kind_types[kind].name);
    answer_figure(answer, name, &alone, "us", "%u calls", arm_types[ARM_ALONE].calls);
    for (size_t arm = ARM_ONE; arm < ARMS; arm++) {
        snprintf(name, sizeof name, "%s, %s", kind_types[kind].name, arm_types[arm].name);
        answer_figure(answer, name, &figures->at_once[arm], "times",
                      "as many calls a second, with %d in flight", IN_FLIGHT);
    }
    return 0;
}

static const char *const gain_words[] = {
    [GAIN_NONE] = "4 connections are no faster",
    [GAIN_SOME] = "4 connections are faster",
    [GAIN_UNKNOWN] = "whether 4 connections are faster is not clear",
};

static void conclude(struct character_answer *answer, const struct figures figures[KINDS])
{
    const enum gain gains[KINDS] = {gain_classify(&figures[KIND_GETATTR].connections),
                                    gain_classify(&figures[KIND_WRITE].connections)};
    const bool one_at_a_time = figures[KIND_GETATTR].at_once[ARM_ONE].high < GAIN_LEAST;

    answer_say(answer,
               "Over one connection %d GETATTRs in flight are answered %.1f times as fast as one "
               "after the other, and %d WRITEs of %d KiB with FILE_SYNC %.1f times; of GETATTRs %s "
               "(%.1f times as fast), of WRITEs %s (%.1f times).",
               IN_FLIGHT, figures[KIND_GETATTR].at_once[ARM_ONE].estimate, IN_FLIGHT, BYTES >> 10,
               figures[KIND_WRITE].at_once[ARM_ONE].estimate, gain_words[gains[KIND_GETATTR]],
               figures[KIND_GETATTR].connections.estimate, gain_words[gains[KIND_WRITE]],
               figures[KIND_WRITE].connections.estimate);
    if (gains[KIND_GETATTR] == GAIN_SOME || gains[KIND_WRITE] == GAIN_SOME)
        answer_mean(answer,
                    "More connections (mount option nconnect) help a client with many "
                    "calls at once%s.",
                    gains[KIND_GETATTR] != GAIN_SOME ? ", where it writes"
                    : gains[KIND_WRITE] != GAIN_SOME ? ", but not where it writes"
                                                     : "");
    if (gains[KIND_GETATTR] == GAIN_NONE && gains[KIND_WRITE] == GAIN_NONE)
        answer_mean(answer, "More connections (mount option nconnect) don't help one client.");
    if (one_at_a_time)
        answer_mean(answer, "Calls of one connection are carried out one at a time: programs that "
                            "make many at once gain nothing by it.");
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct parallel parallel = {.lab = lab, .data = calloc(1, BYTES)};
    struct figures figures[KINDS];
    int code = parallel.data ? prepare(&parallel, error)
                             : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data");

    for (enum kind kind = 0; kind < KINDS && code == 0; kind++)
        code = measure(&parallel, kind, answer, &figures[kind], error);
    if (code == 0)
        conclude(answer, figures);
    for (size_t arm = 0; arm < ARMS; arm++)
        crowd_close(&parallel.crowds[arm]);
    for (enum kind kind = 0; kind < KINDS; kind++)
        crowd_calls_free(&parallel.calls[kind]);
    free(parallel.data);
    return code;
}

const struct experiment experiment_parallel = {
    .name = "parallel",
    .question = "How many calls are carried out at once, of one connection and of several?",
    .unknown = "Whether the server, the network or this client limits it, and what more calls in "
               "flight or more clients reach: see nfsbench sweep.",
    .works_in_directory = true,
    .run = run,
};
