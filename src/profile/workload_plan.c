/* Makes the plan of a run with calls like those of a workload. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job/plan.h"
#include "profile/workload.h"
#include "profile/workload_plan.h"

/* Limits of a run, whatever the capture had: files, directory entries, calls, calls in a block,
 * burstiness and bytes of all files. BLOCKS is no limit, but the usual number of blocks. */
enum { FILES_MAXIMUM = 10000, DIRECTORY_MAXIMUM = 100000, CALLS_MINIMUM = 1000 };
enum { BLOCKS = 20, BLOCK_MAXIMUM = 5000, BURSTINESS_MAXIMUM = 30 };
#define BYTES_MAXIMUM (UINT64_C(1) << 29)

/* maximum length of a READ or WRITE without --size, in bytes, because few servers accept more */
enum { LENGTH_MAXIMUM = 1 << 20 };

/* The plan */

static uint32_t to_whole(double value, double maximum)
{
    return (uint32_t)fmax(1, round(fmin(value, maximum)));
}

/* Set RANGES to the lengths of WORKLOAD's READs or WRITEs (TRANSFER), each at most MOST bytes, and
 * to the share of sequential ones. */
static void plan_ranges(struct nfs_visit_ranges *ranges, const struct workload *workload,
                        size_t transfer, uint32_t most)
{
    *ranges = (struct nfs_visit_ranges){.sequential = fmin(workload->sequential[transfer], 1)};
    for (size_t i = 0; i < workload->size_count[transfer]; i++) {
        const struct workload_size *size = &workload->sizes[transfer][i];

        if (size->bytes < 1 || size->calls <= 0)
            continue;
        ranges->lengths[ranges->count].bytes = (uint32_t)fmin(size->bytes, most);
        ranges->lengths[ranges->count++].weight = size->calls;
    }
}

static uint32_t longest_range(const struct nfs_visit_ranges *ranges, uint32_t minimum)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->lengths[i].bytes > minimum)
            minimum = ranges->lengths[i].bytes;
    return minimum;
}

static void plan_visits(struct nfs_visits *visits, const struct workload *workload,
                        const struct options *options)
{
    uint32_t most =
        options_given(options, plan.read_size) ? options->plan.read_size : LENGTH_MAXIMUM;

    visits->exponent = workload->files[1] >= 0.01 ? fmin(workload->files[1], 10) : 0;
    plan_ranges(&visits->reads, workload, WORKLOAD_READ, most);
    plan_ranges(&visits->writes, workload, WORKLOAD_WRITE, most);
}

/* Set the run's files and their size, the longest READ or WRITE, and the directory's entries. */
static void plan_files(struct options *options, const struct workload *workload,
                       const struct nfs_visits *visits)
{
    uint32_t size = longest_range(&visits->reads, longest_range(&visits->writes, 0));
    double blocks, most;

    size = size ? size : options->plan.read_size;
    most = floor((double)BYTES_MAXIMUM / size);
    options->plan.read_size = size;
    options->plan.files = to_whole(workload->files[0], fmin(FILES_MAXIMUM, most));
    options_give(options, plan.files); /* marks --files as given, so that --file is refused */
    blocks = fmin(ceil(workload->file_size / size), floor(most / options->plan.files));
    options->plan.file_size = (uint64_t)fmax(blocks, 1) * size;
    if (workload->directory[0] >= 1)
        options->plan.directory_size = to_whole(workload->directory[0], DIRECTORY_MAXIMUM);
}

/* Return the coefficient of variation c that the gaps between calls would have at a constant rate.
 * Changes of the rate also make gaps unequal: mean(gap^2) = (1 + c^2) * mean(m^2), where m is the
 * mean gap in the interval of a call, and both means are over all calls. Successive intervals
 * without calls count as one gap. */
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
    return fmin(sqrt(fmax(0, square / (squares / calls) - 1)), BURSTINESS_MAXIMUM);
}

/* Set COURSE to the captured rate over time, or to a constant rate if none was captured. */
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

/* Set THINK from CLIENT, for DEPTH calls in flight. Returns false if CLIENT has no think times;
 * THINK then never waits. */
static bool plan_think(struct think *think, const struct workload_client *client, unsigned depth)
{
    double longest_wait = 0;

    for (size_t i = 0; i < THINK_QUANTILES; i++) {
        longest_wait = fmax(longest_wait, client->think[i]);
        think->ns[i] = longest_wait * 1e3;
    }
    think->calls = longest_wait > 0 ? fmin(fmax(client->think_calls, 1), UINT32_MAX) : UINT32_MAX;
    think->depth = depth;
    return longest_wait > 0;
}

/* Plan a closed loop. Each client has the calls in flight and the think times of one captured
 * client or, if WORKLOAD has no individual clients, those of all captured clients on average. */
static void plan_users(struct load *load, const struct workload *workload)
{
    static struct think users[WORKLOAD_OWN_CLIENTS_MAXIMUM];
    struct workload_client all = {.in_flight = workload->in_flight[0],
                                  .think_calls = workload->think_calls};
    const struct workload_client *clients = workload->own_count ? workload->own : &all;
    bool waits = false;

    memcpy(all.think, workload->think, sizeof all.think);
    load->thinks = workload->own_count ? workload->own_count : 1;
    load->depth = 1;
    for (size_t i = 0; i < load->thinks; i++) {
        unsigned depth = to_whole(clients[i].in_flight / load->connections, 1024);

        waits |= plan_think(&users[i], &clients[i], depth);
        if (depth > load->depth)
            load->depth = depth;
    }
    load->think = waits ? users : NULL;
}

/* Plan the captured clients and connections, and the times of calls: a closed loop, or the captured
 * course of arrivals if the user gave a rate. A client has no more connections than calls in
 * flight, because captured connections may have been used one after another. One thread keeps the
 * order of calls and the gaps between them. */
static void plan_load(struct options *options, const struct workload *workload)
{
    static struct arrivals_course course;
    struct load *load = &options->plan.load_request;
    double clients = fmax(workload->clients, 1);
    double connections = fmin(workload->connections / clients, fmax(workload->in_flight[1], 1));

    load->clients = to_whole(clients, 1000);
    load->connections = to_whole(connections, 64);
    load->threads = 1;
    if (load->rate == 0) {
        plan_users(load, workload);
        return;
    }
    plan_course(&course, workload);
    load->arrival = ARRIVALS_COURSE;
    load->course = &course;
}

static uint64_t captured_calls(const struct workload *workload)
{
    const double calls = workload_calls(workload);

    return calls > CALLS_MINIMUM ? (uint64_t)calls : CALLS_MINIMUM;
}

/* Return the mean latency of WORKLOAD's captured calls in ns; 0 if not known. */
static double mean_latency_ns(const struct workload *workload)
{
    double sum = 0, calls = workload_calls(workload);

    for (size_t i = 0; i < workload->op_count; i++)
        sum += workload->ops[i].calls * workload->ops[i].mean * 1e3;
    return calls > 0 ? sum / calls : 0;
}

/* Return LOAD's own pace in calls/s if WORKLOAD's calls take as long as captured; 0 without think
 * times, because the server then sets the pace. */
static double own_pace(const struct load *load, const struct workload *workload)
{
    const double latency_ns = mean_latency_ns(workload);
    double pace = 0;

    for (unsigned i = 0; i < load->clients && load->think; i++) {
        const struct think *think = &load->think[i % load->thinks];
        double cycle_ns = think_mean_ns(think) + think->calls * latency_ns / think->depth;

        pace += cycle_ns > 0 ? think->calls / cycle_ns * 1e9 * load->connections : 0;
    }
    return pace;
}

/* Return the number of calls in a block. Confidence intervals need several blocks. But a block must
 * be so long that rare ops occur, and have more calls than may be in flight, so that all clients
 * make some. A run with a given time and a pace of its own has about BLOCKS_IN_TIME blocks. */
static uint32_t choose_block(const struct run_plan *plan, const struct workload *workload)
{
    enum { BLOCKS_IN_TIME = 100, LEAST_IN_TIME = 5 };
    const double pace = own_pace(&plan->load, workload);
    const double calls = (double)(plan->calls ? plan->calls : captured_calls(workload));

    if (plan->calls || pace == 0)
        return to_whole(fmin(calls, fmax(calls / BLOCKS, 2 * (double)load_in_flight(&plan->load))),
                        BLOCK_MAXIMUM);
    return (uint32_t)fmax(
        LEAST_IN_TIME,
        to_whole(pace * (double)plan->maximum_ns / 1e9 / BLOCKS_IN_TIME, BLOCK_MAXIMUM));
}

/* Remove ops with less than half a call per block, because each op in the mix gets at least one. */
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

/* Set PLAN's number of calls (unless the user gave it or a time), blocks, access pattern, and ops,
 * which are WORKLOAD's mix without rare ops. The run makes only the mix's calls, so it has no
 * warm-up, no baseline and no ledger. */
static int complete_plan(struct run_plan *plan, const struct workload *workload,
                         const struct nfs_visits *visits, const struct options *options,
                         const char *file, struct error *error)
{
    int code;

    if (options->word_count < 3 && !options_given(options, plan.maximum_ns))
        plan->calls = captured_calls(workload);
    plan->block = choose_block(plan, workload);
    plan->mix = workload->mix;
    leave_out_rare(&plan->mix, workload, plan->block);
    code = ops_take_mix(plan, file, error);
    plan->working_set.pattern = pattern_of(visits);
    plan->working_set.chosen = true;
    plan->working_set.visits = visits;
    plan->no_warmup = true;
    plan->no_baseline = true;
    plan->no_ledger = true;
    return code ? code : run_plan_complete(plan, error);
}

/* Write SECONDS to TEXT, such as "12 s", "28 min" or "2.8 h". Returns TEXT. */
static const char *duration_text(double seconds, char text[32])
{
    if (seconds < 120)
        snprintf(text, 32, "%.3g s", seconds);
    else if (seconds < 7200)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.3g h", seconds / 3600);
    return text;
}

static void announce_pace(const struct run_plan *plan, const struct workload *workload)
{
    const double pace = plan->load.rate > 0 ? plan->load.rate : own_pace(&plan->load, workload);
    const char *whose = plan->load.rate > 0 ? "at the given rate" : "at the workload's own pace";
    const double seconds =
        plan->calls ? (double)plan->calls / pace : (double)plan->maximum_ns / 1e9;
    char text[32];

    if (pace > 0)
        run_plan_notice(plan, "%s, %.*f calls/s, %.*f calls take about %s", whose,
                        pace < 100 ? 2 : 0, pace, pace * seconds < 10 ? 1 : 0, pace * seconds,
                        duration_text(seconds, text));
}

/* Print notices about the run before it begins, but not again in each launch. */
static void announce(const struct run_plan *plan, const struct workload *workload,
                     const struct options *options)
{
    char part[FIELD_ROOM];

    if (options->launch.launch.of)
        return;
    if (workload_describe_part(workload, part))
        run_plan_notice(plan, "the workload has only a part of the captured calls: %s", part);
    if (workload->clock_tick > 0)
        run_plan_notice(plan,
                        "the times of the workload have the resolution of the clock that captured "
                        "them, %.3g ms",
                        workload->clock_tick / 1e3);
    announce_pace(plan, workload);
}

static int make_plan(struct run_plan *plan, const struct workload *workload,
                     const struct options *given, const char *file, struct error *error)
{
    static struct nfs_visits visits;
    static char op[] = "null";
    struct options options = *given;
    char *words[] = {given->words[0], op, given->word_count > 2 ? given->words[2] : NULL};
    int code;

    options.words = words;
    plan_visits(&visits, workload, given);
    plan_files(&options, workload, &visits);
    plan_load(&options, workload);
    code = plan_make(plan, &options, error);
    if (code == 0)
        code = complete_plan(plan, workload, &visits, given, file, error);
    if (code == 0)
        announce(plan, workload, given);
    return code;
}

int workload_plan(struct run_plan *plan, const struct options *options, const char *file,
                  struct error *error)
{
    static struct workload workload;
    int code = workload_read(&workload, file, error);

    return code ? code : make_plan(plan, &workload, options, file, error);
}
