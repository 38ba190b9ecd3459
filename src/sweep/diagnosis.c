#include "sweep/diagnosis.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sweep/null_probe.h"

/* PAUSE_NS: duration of the pause, without calls. FIRST_NS: duration of each block of calls before
 * or after the pause. BLOCKS_BEFORE_PAUSE: number of blocks before the pause. */
#define PAUSE_NS            UINT64_C(500000000)
#define FIRST_NS            UINT64_C(25000000)
#define BLOCKS_BEFORE_PAUSE 3

struct limit {
    struct experiment_run *run;
    const struct variant *variant;
    double usual_rate;            /* throughput that the sweep measured, calls/s */
    struct deadline deadline;     /* deadline of all trials */
    struct nfs_size_limits sizes; /* the server's limits of READ and WRITE; 0: not known yet */
    /* latest result of the unchanged load: calls/s, and bytes in a call; NAN: none, or it failed */
    double rate, bytes;
    uint64_t longest_ns; /* duration of the longest visit, without the pause trial */
    uint64_t paused_ns;  /* duration of the pause trial in the current visit; 0: none */
    bool is_gone;        /* the server can't be reached any more */
    struct null_probe *probe;
    struct bottleneck_trials found;
};

/* Make a visit with PLAN and HOOKS (NULL: none), and set UNIT to its figures. Returns 0, or a
 * negative errno with ERROR set. */
static int visit_limit(struct limit *limit, const struct run_plan *plan,
                       const struct visit_hooks *hooks, struct cell_unit *unit, struct error *error)
{
    const struct run_share share = {.launches = 1, .parts = 1, .fixed = true};
    const uint64_t began_ns = deadline_now_ns();
    struct variant variant = *limit->variant;
    struct visit visit;
    uint64_t took_ns;
    int code;

    variant.plan = *plan;
    variant.plan.deadline = limit->deadline;
    /* If the server has gone, wait for it at most until the deadline. */
    if (plan->target.transport == TRANSPORT_TCP)
        variant.plan.timeout_ns = deadline_at_most(&limit->deadline, plan->timeout_ns);
    code = visit_open(&visit, 1, &variant.plan, error);
    if (code == 0)
        code = experiment_unit_plan(limit->run->plan, &variant, DIAGNOSIS_TRIAL_NS, share,
                                    random_next(&limit->run->random) | 1, visit.group.plans, error);
    if (code == 0) {
        visit.group.names[0] = variant.name;
        visit.hooks = hooks ? *hooks : (struct visit_hooks){.context = NULL};
        code = visit_make(&visit, error);
    }
    if (code == 0 && !visit_unit(&visit, 0, 0, NULL, unit))
        code = error_set(error, ERROR_FAILED, -ENODATA, "no call was answered");
    visit_close(&visit);
    took_ns = deadline_now_ns() - began_ns - limit->paused_ns;
    limit->paused_ns = 0;
    limit->longest_ns = took_ns > limit->longest_ns ? took_ns : limit->longest_ns;
    limit->is_gone |= code && error->kind == ERROR_UNREACHABLE;
    return code;
}

/* Return true if there is time for VISITS more visits and, in addition, for NS; false if the server
 * is gone. */
static bool has_time(const struct limit *limit, unsigned visits, uint64_t ns)
{
    const uint64_t each_ns = limit->longest_ns ? limit->longest_ns : DIAGNOSIS_VISIT_NS;

    return !limit->is_gone && deadline_left_ns(&limit->deadline) > visits * each_ns + ns;
}

static void announce_trial(const struct limit *limit, enum diagnosis_trial trial)
{
    static const char *const names[] = {"NULL calls during the load", "a pause", "UNSTABLE WRITEs",
                                        "other sizes", "more connections"};

    limit->run->observer->trying(limit->run->observer->context, names[trial]);
}

static void begin_nulls(void *context, struct session *session)
{
    struct limit *limit = context;
    struct error ignored;

    limit->sizes = session->setup.objects.limits;
    if (null_probe_open(&limit->probe, session, &ignored) == 0) {
        limit->found.null_alone_ns = null_probe_alone_ns(limit->probe);
        if (null_probe_begin(limit->probe, session) == 0)
            return;
    }
    null_probe_close(limit->probe);
    limit->probe = NULL;
}

/* Measure the load of PLAN with HOOKS (NULL: none). Sets *RATE, calls/s, and *BYTES, file data in a
 * call; both are NAN if the measurement failed. Returns 0, or -EINTR with ERROR set. */
static int measure_load(struct limit *limit, const struct run_plan *plan,
                        const struct visit_hooks *hooks, double *rate, double *bytes,
                        struct error *error)
{
    struct cell_unit unit;
    int code = visit_limit(limit, plan, hooks, &unit, error);

    *rate = *bytes = NAN;
    if (code)
        return code == -EINTR ? code : 0;
    *rate = unit.figures[CELL_RATE];
    *bytes = unit.figures[CELL_MEGABYTES] * 1e6 / *rate;
    return 0;
}

/* Note the result of TRIAL, made with PLAN: RATE, calls/s, and BYTES of file data in a call. BEFORE
 * is the mean rate of the unchanged load before and after TRIAL. */
static void note_trial(struct limit *limit, enum diagnosis_trial trial, const struct run_plan *plan,
                       double rate, double bytes, double before)
{
    struct bottleneck_trials *found = &limit->found;
    const double ratio = rate / before, sizes = log(bytes / limit->bytes);

    if (isnan(ratio))
        return;
    if (trial == TRIAL_SIZE) { /* by the received bytes, because a READ may be short */
        found->size_elasticity = fabs(sizes) > log(1.5) ? log(ratio) / sizes : NAN;
    } else if (trial == TRIAL_CONNECTIONS) {
        found->connections = (double)plan->load.connections / limit->variant->plan.load.connections;
        found->connections_ratio = ratio;
    } else {
        found->unstable_ratio = ratio;
    }
}

/* Make TRIAL between two measurements of the load UNCHANGED. The first is made only if LIMIT has no
 * rate from an earlier one. Returns 0, or -EINTR with ERROR set. */
static int try_change(struct limit *limit, enum diagnosis_trial trial,
                      const struct run_plan *unchanged, struct error *error)
{
    struct run_plan plan = *unchanged;
    const bool begins = isnan(limit->rate);
    double rate, bytes, before;
    int code = 0;

    if (!diagnosis_change(trial, &limit->sizes, &plan) || !has_time(limit, begins ? 3 : 2, 0))
        return 0;
    announce_trial(limit, trial);
    if (begins)
        code = measure_load(limit, unchanged, NULL, &limit->rate, &limit->bytes, error);
    before = limit->rate;
    if (code == 0 && !isnan(before))
        code = measure_load(limit, &plan, NULL, &rate, &bytes, error);
    if (code || isnan(before) || limit->is_gone)
        return code;
    code = measure_load(limit, unchanged, NULL, &limit->rate, &limit->bytes, error);
    if (code == 0)
        note_trial(limit, trial, &plan, rate, bytes, (before + limit->rate) / 2);
    return code;
}

/* Make a block of COUNT calls with SESSION's load. Returns the rate from the first call to the last
 * reply, calls/s; NAN if the block failed. */
static double rate_of_block(struct session *session, size_t count)
{
    struct series_set *set = &session->set;
    struct run_series *series = set->series[0];
    struct engine_tally tally = {.failed = 0};
    uint64_t *ticks = calloc(count, sizeof *ticks), began_ns, took_ns;
    struct block block = {.count = count, .ticks = ticks, .until_ns = set->plan->deadline.at_ns};
    struct error ignored;
    int code = ticks ? series_set_prepare(set, series, count, &ignored) : -ENOMEM;

    began_ns = deadline_now_ns();
    if (code == 0)
        code = series_set_run(set, series, &block, &tally, &ignored);
    took_ns = deadline_now_ns() - began_ns;
    if (code == 0)
        code = block.is_cut ? -ETIME : series_set_clear(set, series, count, &ignored);
    free(ticks);
    session->setup.healthy &= code == 0 || code == -EINTR;
    return code ? NAN : (double)count / (double)took_ns * 1e9;
}

/* Compare the first calls after a pause with the fastest of BLOCKS_BEFORE_PAUSE blocks before the
 * pause, because blocks vary. One more block is made first, and not used, because its calls follow
 * a pause, too. Ops whose calls need their own objects have no such trial, because the first calls
 * after the pause would be those that make the objects. */
static void try_pause(struct limit *limit, struct session *session)
{
    const double calls = limit->usual_rate * FIRST_NS / 1e9;
    const size_t count =
        (size_t)fmax((double)load_in_flight(&session->plan->load), fmin(calls, UINT16_MAX));
    double before = NAN;

    if (nfs_call_count_own(&session->set.series[0]->call, 2) > 1 ||
        isnan(rate_of_block(session, count)))
        return;
    for (unsigned i = 0; i < BLOCKS_BEFORE_PAUSE; i++)
        before = fmax(before, rate_of_block(session, count)); /* fmax() ignores NAN */
    if (deadline_sleep(&limit->deadline, PAUSE_NS) == 0)
        limit->found.pause_ratio = rate_of_block(session, count) / before;
}

/* All trials */

static void end_unchanged(void *context, struct session *session, int code)
{
    struct limit *limit = context;
    const uint64_t began_ns = deadline_now_ns();

    if (limit->probe)
        limit->found.null_under_load_ns = null_probe_end(limit->probe);
    null_probe_close(limit->probe);
    limit->probe = NULL;
    if (code == 0 && deadline_left_ns(&limit->deadline) > DIAGNOSIS_PAUSE_NS) {
        announce_trial(limit, TRIAL_PAUSE);
        try_pause(limit, session);
        limit->paused_ns = deadline_now_ns() - began_ns;
    }
}

/* Return the number of calls in a block of PLAN: 1/BLOCKS of a trial's calls at RATE, calls/s, but
 * at least FILLINGS times the calls in flight. Without this number, a run would choose one by the
 * time of its first calls, but a server that limits the rate may answer these faster. */
static uint32_t block_of(const struct run_plan *plan, double rate)
{
    enum { BLOCKS = 20, FILLINGS = 2 };
    const double least = FILLINGS * (double)load_in_flight(&plan->load);

    return (uint32_t)fmax(least,
                          fmin(rate * (double)DIAGNOSIS_TRIAL_NS / 1e9 / BLOCKS, UINT16_MAX));
}

static int diagnose_limit(struct limit *limit, struct error *error)
{
    const struct visit_hooks unchanged = {limit, begin_nulls, end_unchanged};
    struct error ignored;
    struct run_plan plan;
    int code = 0;

    if (diagnosis_make_closed(limit->variant, &plan, &ignored) != 0)
        return 0;
    if (plan.block == 0)
        plan.block = block_of(&plan, limit->usual_rate);
    announce_trial(limit, TRIAL_NULL);
    code = measure_load(limit, &plan, &unchanged, &limit->rate, &limit->bytes, error);
    for (enum diagnosis_trial i = TRIAL_UNSTABLE; i < DIAGNOSIS_TRIALS && code == 0; i++)
        code = try_change(limit, i, &plan, error);
    return code;
}

/* Which limits */

bool diagnosis_is_limit(const struct experiment_result *result, const struct experiment_cell *cell)
{
    if (cell->units == 0)
        return false;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct experiment_cell *other = &result->cells[i];
        const double more = experiment_load(other) - experiment_load(cell);

        if (other->units > 0 && experiment_same_curve(other, cell) &&
            (more > 0 || (more == 0 && other < cell)))
            return false;
    }
    return true;
}

static bool is_out_of_reach(const struct experiment_result *result,
                            const struct experiment_cell *cell)
{
    for (size_t i = 0; i < result->cell_count; i++)
        if (result->cells[i].out_of_reach && experiment_same_curve(&result->cells[i], cell))
            return true;
    return false;
}

const char *diagnosis_why_none(const struct experiment_result *result,
                               const struct experiment_cell *cell, const struct run_plan *plan)
{
    const double gain = experiment_gain(result, cell);

    if (plan->working_set.once)
        return "calls that access each file or block once can't be repeated";
    if (cell->setting.rate == 0 && experiment_load(cell) < 2)
        return "only one call was in flight";
    if (is_out_of_reach(result, cell) || experiment_reached(cell) < BOTTLENECK_RATE_REACHED)
        return NULL;
    if (isnan(gain))
        return "only one load was measured";
    return gain >= BOTTLENECK_GAIN ? "the throughput still grew" : NULL;
}

/* Return the variant of cell number INDEX. A search has only one variant. */
static const struct variant *variant_of(const struct experiment_run *run, size_t index)
{
    size_t i = 0;

    while (run->first_cell && i + 1 < run->plan->count && run->first_cell[i + 1] <= index)
        i++;
    return &run->plan->variants[i];
}

static int diagnose_cell(struct experiment_run *run, size_t index, const struct deadline *deadline,
                         struct error *error)
{
    struct experiment_result *result = &run->result;
    const struct experiment_cell *cell = &result->cells[index];
    struct experiment_diagnosis *diagnosis = &result->diagnoses[result->diagnosis_count++];
    struct limit limit = {.run = run,
                          .variant = variant_of(run, index),
                          .usual_rate = cell->intervals[CELL_RATE].estimate,
                          .deadline = *deadline,
                          .rate = NAN,
                          .found = BOTTLENECK_NO_TRIALS};
    int code = 0;

    *diagnosis = (struct experiment_diagnosis){
        .op = cell->op, .variant = cell->variant, .at = cell->setting};
    diagnosis->untried = diagnosis_why_none(result, cell, &limit.variant->plan);
    if (!diagnosis->untried && !has_time(&limit, 1, 0))
        diagnosis->untried = "no time was left";
    if (!diagnosis->untried)
        code = diagnose_limit(&limit, error);
    diagnosis->trials = limit.found;
    return code;
}

int experiment_diagnose(struct experiment_run *run, struct error *error)
{
    struct experiment_result *result = &run->result;
    struct deadline deadline = run->plan->variants[0].plan.deadline;
    int code = 0;

    if (run->plan->diagnosis_ns == 0)
        return 0;
    if (deadline.at_ns)
        deadline.at_ns += run->kept_ns;
    else
        /* a limit that is sufficient even on slow machines */
        deadline = deadline_within(&deadline, 10 * run->plan->diagnosis_ns);
    experiment_find_intervals(result);
    for (size_t i = 0; i < result->cell_count && code == 0; i++)
        if (diagnosis_is_limit(result, &result->cells[i]) &&
            result->diagnosis_count < EXPERIMENT_GROUPS_MAXIMUM)
            code = diagnose_cell(run, i, &deadline, error);
    return code;
}
