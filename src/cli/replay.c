/* nfsbench replay: calls like those of a workload, on another server. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "capture/replay.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "output/terminal.h"

/* What a replay makes at most, however large the captured files were. */
enum { FILES_MAXIMUM = 10000, DIRECTORY_MAXIMUM = 100000, CALLS_MINIMUM = 1000 };
enum { BLOCKS = 20, BLOCK_MAXIMUM = 5000, BURSTINESS_MAXIMUM = 30 };
#define BYTES_MAXIMUM (UINT64_C(1) << 29)

/* Longer READs and WRITEs are made of this length, unless --size says otherwise: few servers take
 * more. */
enum { LENGTH_MAXIMUM = 1 << 20 };

/* The plan */

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* A whole number from VALUE, 1 at least and MAXIMUM at most. */
static uint32_t whole(double value, double maximum)
{
    return (uint32_t)fmax(1, round(least(value, maximum)));
}

/* The lengths of READs, or WRITEs, none of which is more than MOST. */
static void plan_ranges(struct nfs_visit_ranges *ranges, const struct workload *workload,
                        size_t transfer, uint32_t most)
{
    *ranges = (struct nfs_visit_ranges){.sequential = least(workload->sequential[transfer], 1)};
    for (size_t i = 0; i < workload->size_count[transfer]; i++) {
        const struct workload_size *size = &workload->sizes[transfer][i];

        if (size->bytes < 1 || size->calls <= 0)
            continue;
        ranges->lengths[ranges->count].bytes = (uint32_t)least(size->bytes, most);
        ranges->lengths[ranges->count++].weight = size->calls;
    }
}

/* The longest of them, and of MINIMUM. */
static uint32_t longest(const struct nfs_visit_ranges *ranges, uint32_t minimum)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->lengths[i].bytes > minimum)
            minimum = ranges->lengths[i].bytes;
    return minimum;
}

static void plan_visits(struct nfs_visits *visits, const struct workload *workload,
                        const struct options *options)
{
    uint32_t most = options_given(options, read_size) ? options->read_size : LENGTH_MAXIMUM;

    visits->exponent = workload->files[1] >= 0.01 ? least(workload->files[1], 10) : 0;
    plan_ranges(&visits->reads, workload, WORKLOAD_READ, most);
    plan_ranges(&visits->writes, workload, WORKLOAD_WRITE, most);
}

/* Files as many and as large as those captured, within bounds. */
static void plan_files(struct options *options, const struct workload *workload,
                       const struct nfs_visits *visits)
{
    uint32_t size = longest(&visits->reads, longest(&visits->writes, 0));
    double blocks, most;

    size = size ? size : options->read_size;
    most = floor((double)BYTES_MAXIMUM / size);
    options->read_size = size;
    options->files = whole(workload->files[0], least(FILES_MAXIMUM, most));
    blocks = least(ceil(workload->file_size / size), floor(most / options->files));
    options->file_size = (uint64_t)fmax(blocks, 1) * size;
    if (workload->directory[0] >= 1)
        options->directory_size = whole(workload->directory[0], DIRECTORY_MAXIMUM);
}

/* The burstiness that is left when the rate's changes, which make gaps unequal, too, are taken out:
 * if gaps have the coefficient of variation c where the rate does not change, the mean square of
 * all is 1 + c^2 times that of the mean gaps, each weighted by its calls; intervals without calls
 * are one gap. */
static double own_burstiness(const struct workload *workload, const struct arrivals_course *course)
{
    double calls = 0, gap, squares = 0, square, empty = 0;

    for (size_t i = 0; i < course->count; i++)
        calls += course->calls[i];
    gap = course->span / calls;
    for (size_t i = 0; i < course->count; i++) {
        double length = i + 1 < course->count ? 1 : course->span - (double)i;

        empty += course->calls[i] > 0 ? 0 : length;
        if (course->calls[i] <= 0)
            continue;
        squares += length * length / course->calls[i] + empty * empty;
        empty = 0;
    }
    square = gap * gap * (1 + workload->burstiness * workload->burstiness);
    return least(sqrt(fmax(0, square / (squares / calls) - 1)), BURSTINESS_MAXIMUM);
}

/* The rate over time as captured; without that, one rate. */
static void plan_course(struct arrivals_course *course, const struct workload *workload)
{
    double calls = 0;

    *course = (struct arrivals_course){.calls = {1}, .count = 1, .span = 1};
    for (size_t i = 0; i < workload->arrival_count; i++)
        calls += workload->arrivals[i];
    if (calls >= 2 && workload->interval > 0 && workload->rate > 0) {
        memcpy(course->calls, workload->arrivals, sizeof course->calls);
        course->count = workload->arrival_count;
        course->span = (calls - 1) / workload->rate / workload->interval;
        course->span =
            fmin(fmax(course->span, (double)course->count - 0.999), (double)course->count);
    }
    course->burstiness = own_burstiness(workload, course);
}

/* One that never waited makes more calls than there are. Returns whether it does. */
static bool plan_think(struct think *think, const double *us, double calls, unsigned depth)
{
    double longest_wait = 0;

    for (size_t i = 0; i < THINK_QUANTILES; i++) {
        longest_wait = fmax(longest_wait, us[i]);
        think->ns[i] = longest_wait * 1e3;
    }
    think->calls = longest_wait > 0 ? least(fmax(calls, 1), UINT32_MAX) : UINT32_MAX;
    think->depth = depth;
    return longest_wait > 0;
}

/* A closed loop: each client with the calls in flight and the think times of a captured one; where
 * the workload has none, with those of all. */
static void plan_users(struct load_request *load, const struct workload *workload)
{
    static struct think users[WORKLOAD_OWN_CLIENTS_MAXIMUM];
    const struct workload_client all = {.in_flight = workload->in_flight[0],
                                        .think_calls = workload->think_calls};
    bool waits = false;

    load->thinks = workload->own_count ? workload->own_count : 1;
    load->depth = 1;
    for (size_t i = 0; i < load->thinks; i++) {
        const struct workload_client *client = workload->own_count ? &workload->own[i] : &all;
        const double *us = workload->own_count ? client->think : workload->think;
        unsigned depth = whole(client->in_flight / load->connections, 1024);

        waits |= plan_think(&users[i], us, client->think_calls, depth);
        if (depth > load->depth)
            load->depth = depth;
    }
    load->think = waits ? users : NULL;
}

/* Clients and connections as captured; of connections no more than calls in flight, since those
 * that were used one after the other are one here. One thread keeps the calls in their order, and
 * the gaps between them. */
static void plan_load(struct options *options, const struct workload *workload)
{
    static struct arrivals_course course;
    struct load_request *load = &options->load;
    double clients = fmax(workload->clients, 1);
    double connections = least(workload->connections / clients, fmax(workload->in_flight[1], 1));

    load->clients = whole(clients, 1000);
    load->connections = whole(connections, 64);
    load->threads = 1;
    if (options->replay.closed) {
        plan_users(load, workload);
        return;
    }
    plan_course(&course, workload);
    load->rate = workload->rate * options->replay.speed;
    load->arrival = ARRIVALS_COURSE;
    load->course = &course;
}

static uint64_t captured_calls(const struct workload *workload)
{
    double calls = 0;

    for (size_t i = 0; i < workload->mix.count; i++)
        calls += workload->ops[i].calls;
    return calls > CALLS_MINIMUM ? (uint64_t)calls : CALLS_MINIMUM;
}

/* Several blocks, so that there are intervals; but long ones, in which rare ops have their share.
 */
static uint32_t choose_block(uint64_t calls)
{
    return whole((double)calls / BLOCKS, BLOCK_MAXIMUM);
}

/* Each block has a call of each op of the mix at least: an op that is rarer is left out. */
static void leave_out_rare(struct nfs_mix *mix, const struct workload *workload, uint32_t block)
{
    double total = 0;

    for (size_t i = 0; i < workload->mix.count; i++)
        total += workload->mix.ops[i].weight;
    for (size_t i = 0; i < workload->mix.count; i++)
        if (workload->mix.ops[i].weight / total * block < 0.5)
            nfs_mix_remove(mix, workload->mix.ops[i].procedure->op);
}

static struct pattern pattern_of(const struct nfs_visits *visits)
{
    if (visits->exponent > 0)
        return (struct pattern){.kind = PATTERN_ZIPF, .exponent = visits->exponent};
    return (struct pattern){.kind = PATTERN_RANDOM};
}

/* Replace the op in PLAN by the workload's mix. Only its calls are made, all at the same rate. */
static int complete(struct run_plan *plan, const struct replay *replay, const struct options *given,
                    struct error *error)
{
    int code;

    if (given->word_count < 3)
        plan->calls = captured_calls(&replay->workload);
    plan->block = choose_block(plan->calls);
    plan->mix = replay->workload.mix;
    leave_out_rare(&plan->mix, &replay->workload, plan->block);
    code = ops_take_mix(plan, replay->path, error);
    plan->working_set.pattern = pattern_of(replay->visits);
    plan->working_set.chosen = true;
    plan->working_set.visits = replay->visits;
    plan->no_warmup = true;
    plan->no_baseline = true;
    plan->no_ledger = true;
    return code ? code : run_plan_settle(plan, error);
}

static int make_plan(struct run_plan *plan, const struct options *given, struct replay *replay,
                     struct error *error)
{
    static struct nfs_visits visits;
    static char op[] = "null";
    static struct options options;
    static char *words[4];
    size_t count = 0;
    int code;

    options = *given;
    words[count++] = given->words[1];
    words[count++] = op;
    if (given->word_count > 2)
        words[count++] = given->words[2];
    options.words = words;
    options.word_count = count;
    plan_visits(&visits, &replay->workload, given);
    replay->visits = &visits;
    plan_files(&options, &replay->workload, &visits);
    plan_load(&options, &replay->workload);
    code = plan_make(plan, &options, error);
    return code ? code : complete(plan, replay, given, error);
}

static void describe(struct replay *replay, const struct run_plan *plan,
                     const struct options *options)
{
    static char pattern[PATTERN_NAME_SIZE];

    replay->speed = options->replay.speed;
    replay->closed = options->replay.closed;
    replay->size = plan->read_size;
    replay->files = plan->files;
    replay->file_size = plan->file_size;
    replay->pattern = pattern_name(&plan->working_set.pattern, pattern);
}

/* The run */

static struct replay *current; /* for the report, which is called with the options only */

static int report(struct result *result, const struct options *options)
{
    FILE *text;
    struct error error;

    current->result = result;
    text = terminal_begin_text(stdout);
    if (!options->quiet && !forms_on_stdout(options->forms))
        replay_print(current, text);
    terminal_end_text(text);
    if (forms_write(options->forms, RESULT_REPLAY, current, &error) == 0)
        return result->validity.verdict == VERDICT_INVALID ? ERROR_FAILED : 0;
    error_print(&error);
    return (int)error.kind;
}

static int check_words(const struct options *options, struct error *error)
{
    if (options->word_count == 2 || options->word_count == 3)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "expected WORKLOAD TARGET [COUNT], such as 'nfs.workload host:/export'; see "
                     "'nfsbench replay --help'");
}

static int check_rate(const struct replay *replay, const struct options *options,
                      struct error *error)
{
    if (options->replay.closed || replay->workload.rate > 0)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%.200s has no rate at which calls could be sent; give --closed",
                     replay->path);
}

static int run(const struct options *options, int *status, struct error *error)
{
    static struct run_plan plan;
    static struct replay replay;
    int code = check_words(options, error);

    if (code == 0)
        code = workload_read(&replay.workload, options->words[0], error);
    if (code)
        return code;
    replay.path = options->words[0];
    code = check_rate(&replay, options, error);
    if (code == 0)
        code = make_plan(&plan, options, &replay, error);
    if (code == 0)
        code = forms_check(options, RESULT_REPLAY, &plan, error);
    if (code)
        return code;
    describe(&replay, &plan, options);
    current = &replay;
    return measure_once(&plan, options, report, status, error);
}

const struct command command_replay = {
    .bit = COMMAND_REPLAY,
    .name = "replay",
    .usage = "nfsbench replay [options] WORKLOAD TARGET [COUNT]",
    .summary = "make calls like those of a capture, and compare the servers",
    .about =
        "Makes COUNT calls (default: as many as were captured, 1000 at least) like those of "
        "WORKLOAD, which 'nfsbench profile -o' made: its ops with their shares, following each "
        "other "
        "as captured ones did, refused LOOKUPs of absent names and the like included, on "
        "as many files of such a size, used as unequally; READs and WRITEs of the captured "
        "lengths, as many of them one after the other; from as many clients, at the captured rate "
        "with its changes and bursts, or with the captured think times. It prints each op's calls, "
        "latencies and errors on the captured server beside those of TARGET.\n\n"
        "It works in a directory of its own in TARGET, which is removed at the end.",
    .examples = "  nfsbench profile nfs.pcap -o nfs.workload\n"
                "  nfsbench replay nfs.workload server:/export --speed 2x\n",
    .status = "0, 1 the replay failed or its verdict is invalid, 2 usage, 3 the server could not "
              "be reached or refused access.",
    .run = run,
};
