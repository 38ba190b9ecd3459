/* Experiment: how much faster calls are with several in flight, over one connection and over
 * several. */

#include "characterize/burst.h"
#include "characterize/experiment.h"
#include "characterize/judgement.h"

enum { IN_FLIGHT = 16, FILES = IN_FLIGHT, BYTES = 16 << 10 };

enum { ALONE, ONE, SOME, MANY, WAYS };

static const struct {
    const char *name;
    unsigned connections, depth, calls; /* CALLS: number of calls in a block */
} ways[WAYS] = {
    [ALONE] = {"one at a time", 1, 1, IN_FLIGHT / 2},
    [ONE] = {"1 connection", 1, IN_FLIGHT, 2 * IN_FLIGHT},
    [SOME] = {"4 connections", 4, IN_FLIGHT / 4, 2 * IN_FLIGHT},
    [MANY] = {"16 connections", IN_FLIGHT, 1, 2 * IN_FLIGHT},
};

enum kind { KIND_GETATTR, KIND_WRITE, KINDS };

static const char *const kind_names[KINDS] = {"GETATTR", "WRITE"};

struct parallel {
    struct burst bursts[WAYS];
    struct encoded_calls calls[KINDS];
    struct nfs_handle files[FILES];
    char data[BYTES];
    enum kind kind; /* the kind that is being measured */
};

struct figures {
    /* throughput of each way / throughput of the way ALONE, whose own element is not used */
    struct interval at_once[WAYS];
    struct interval connections; /* throughput of SOME, divided by that of ONE */
};

static void fill_getattr(void *context, size_t number, union nfs_arguments *arguments)
{
    struct parallel *parallel = context;

    arguments->getattr.object = nfs_handle_argument(&parallel->files[number]);
}

static void fill_write(void *context, size_t number, union nfs_arguments *arguments)
{
    struct parallel *parallel = context;

    arguments->write = (WRITE3args){.file = nfs_handle_argument(&parallel->files[number]),
                                    .count = BYTES,
                                    .stable = FILE_SYNC,
                                    .data = {BYTES, parallel->data}};
}

static void prepare_parallel(struct testbed *testbed, void *state)
{
    struct parallel *parallel = state;

    for (size_t i = 0; i < FILES; i++)
        testbed_make_file(testbed, NULL, &parallel->files[i]);
    burst_encode(&parallel->calls[KIND_GETATTR], testbed, "getattr", FILES, fill_getattr, parallel);
    burst_encode(&parallel->calls[KIND_WRITE], testbed, "write", FILES, fill_write, parallel);
    for (size_t i = 0; i < WAYS; i++)
        burst_open(&parallel->bursts[i], testbed, ways[i].connections, ways[i].depth);
}

/* Make a block of calls in the given WAY. Returns its time per call, ticks. */
static uint64_t run_way(struct testbed *testbed, void *state, size_t way)
{
    struct parallel *parallel = state;
    const struct encoded_calls *calls = &parallel->calls[parallel->kind];

    return burst_run(&parallel->bursts[way], calls, ways[way].calls) / ways[way].calls;
}

static struct figures report_kind(struct testbed *testbed, enum kind kind)
{
    struct figures figures = {.connections = timing_ratio(testbed, ONE, SOME)};

    answer_figure(testbed->answer, answer_named("%s, one at a time", kind_names[kind]).text,
                  timing_level(testbed, ALONE), "us", "%u calls", ways[ALONE].calls);
    for (size_t way = ONE; way < WAYS; way++) {
        figures.at_once[way] = timing_ratio(testbed, ALONE, way);
        answer_figure(
            testbed->answer, answer_named("%s, %s", kind_names[kind], ways[way].name).text,
            figures.at_once[way], "times", "as many calls a second, with %d in flight", IN_FLIGHT);
    }
    return figures;
}

static const char *const gain_words[] = {
    [GAIN_NONE] = "4 connections are no faster",
    [GAIN_SOME] = "4 connections are faster",
    [GAIN_UNKNOWN] = "whether 4 connections are faster is unknown",
};

static void answer_parallel(struct character_answer *answer, const struct figures figures[KINDS])
{
    const enum gain gains[KINDS] = {gain_classify(&figures[KIND_GETATTR].connections),
                                    gain_classify(&figures[KIND_WRITE].connections)};

    answer_set(answer,
               "Over one connection, %d GETATTRs in flight are answered %.1f times as fast as one "
               "at a time, and %d WRITEs of %d KiB with FILE_SYNC %.1f times; for GETATTR %s (%.1f "
               "times as fast), for WRITE %s (%.1f times).",
               IN_FLIGHT, figures[KIND_GETATTR].at_once[ONE].estimate, IN_FLIGHT, BYTES >> 10,
               figures[KIND_WRITE].at_once[ONE].estimate, gain_words[gains[KIND_GETATTR]],
               figures[KIND_GETATTR].connections.estimate, gain_words[gains[KIND_WRITE]],
               figures[KIND_WRITE].connections.estimate);
    if (gains[KIND_GETATTR] == GAIN_SOME || gains[KIND_WRITE] == GAIN_SOME)
        answer->at_once = AT_ONCE;
    if (answer->at_once == AT_ONCE)
        answer_add_meaning(answer,
                           "More connections (mount option nconnect) help a client with many "
                           "calls at once%s.",
                           gains[KIND_GETATTR] != GAIN_SOME ? ", if it writes"
                           : gains[KIND_WRITE] != GAIN_SOME ? ", but not if it writes"
                                                            : "");
    if (gains[KIND_GETATTR] == GAIN_NONE && gains[KIND_WRITE] == GAIN_NONE)
        answer_add_meaning(answer,
                           "More connections (mount option nconnect) don't help one client.");
    if (figures[KIND_GETATTR].at_once[ONE].high < GAIN_LEAST)
        answer_add_meaning(answer,
                           "Programs that make many calls at once over one connection are no "
                           "faster than with one call at a time.");
}

/* Measure the kinds of calls one after the other, so that the first kind has figures even if the
 * second fails. */
static void conclude_parallel(struct testbed *testbed, void *state)
{
    struct parallel *parallel = state;
    struct figures figures[KINDS];

    testbed->timing.plan = (struct timing_plan){
        .series = WAYS, .calls = 1, .full = 200, .quick = 40, .part = KINDS, .call = run_way};
    for (enum kind kind = 0; kind < KINDS; kind++) {
        const size_t owned = testbed->owned_count;

        parallel->kind = kind;
        timing_run(testbed, parallel);
        if (testbed->code)
            return;
        figures[kind] = report_kind(testbed, kind);
        testbed_release(testbed, owned);
    }
    answer_parallel(testbed->answer, figures);
}

const struct experiment experiment_parallel = {
    .name = "parallel",
    .question =
        "How many calls does the server carry out at once, over one connection and over several?",
    .unknown = "Whether the server, the network or this client sets the limit; the rate with more "
               "calls in flight or more clients (see nfsbench sweep).",
    .need = {.full = 165, .quick = 165},
    .works_in_directory = true,
    .state_size = sizeof(struct parallel),
    .prepare = prepare_parallel,
    .conclude = conclude_parallel,
};
