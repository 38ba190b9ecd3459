#include "characterize/experiment.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "measure/contention.h"
#include "run/outcome/outcome.h"

#define DECLARE(name) extern const struct experiment experiment_##name;
#define LIST(name)    &experiment_##name,

EXPERIMENTS(DECLARE)

static const struct experiment *const experiments[] = {EXPERIMENTS(LIST)};

enum { COUNT = sizeof experiments / sizeof experiments[0] };

_Static_assert((int)COUNT <= (int)CHARACTER_ANSWERS_MAXIMUM,
               "the character has room for each answer");

const struct experiment *experiment_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}

static void describe_origin(struct character_run *run)
{
    const struct testbed *testbed = &run->testbed;
    struct character *character = &run->character;

    outcome_fill_origin(&character->origin, &testbed->plan->run, time(NULL),
                        transport_name(testbed->setup.target.transport));
    character->quick = testbed->plan->quick;
    character->scratch = testbed->no_scratch[0] ? testbed->no_scratch : NULL;
}

int character_run_open(struct character_run *run, const struct character_plan *plan,
                       struct error *error)
{
    int code;

    memset(run, 0, sizeof *run);
    code = testbed_open(&run->testbed, plan, error);
    if (code == 0)
        describe_origin(run);
    return code;
}

static const struct contention_scope this_process = {.server_remote = true, .cpus = {"", ""}};

static void run_steps(struct testbed *testbed, const struct experiment *experiment)
{
    void *state = calloc(1, experiment->state_size + 1);

    testbed_keep_until_end(testbed, state, free);
    testbed->timing = (struct timing){.plan = experiment->timing};
    if (testbed->code == 0 && experiment->prepare)
        experiment->prepare(testbed, state);
    if (testbed->code == 0 && testbed->timing.plan.series > 0)
        timing_run(testbed, state);
    if (testbed->code == 0)
        experiment->conclude(testbed, state);
}

/* The experiments of a run in their order, and the scale of each. */
struct programme {
    const struct experiment *experiments[COUNT];
    const struct schedule_need *needs[COUNT];
    enum schedule_scale scales[COUNT];
    size_t count;
    uint64_t round_trip_ns;
    uint64_t reserve_ns; /* time for unmounting and removing the directory */
    uint64_t least_ns;   /* sum of the experiments' minimum times at their scales */
};

/* Maximum time of an experiment, ns; twice its minimum time if that is longer. */
#define USUAL_NS UINT64_C(20000000000)

static uint64_t need_ns(const struct programme *programme, size_t index)
{
    return schedule_need_ns(programme->needs[index], programme->scales[index],
                            programme->round_trip_ns);
}

/* Return the time, ns, for the experiment at INDEX. LATER_NS is kept for later experiments. */
static uint64_t experiment_time_ns(const struct programme *programme, size_t index,
                                   uint64_t later_ns, const struct deadline *deadline)
{
    const uint64_t kept_ns = later_ns + programme->reserve_ns, left_ns = deadline_left_ns(deadline);
    const uint64_t usual_ns =
        2 * need_ns(programme, index) > USUAL_NS ? 2 * need_ns(programme, index) : USUAL_NS;
    const uint64_t time_ns = left_ns > kept_ns ? left_ns - kept_ns : 0;

    return time_ns < usual_ns ? time_ns : usual_ns;
}

/* Return how many seconds a command needs for all of PROGRAMME at the requested scale. */
static double whole_time(const struct programme *programme, const struct character_plan *plan)
{
    const enum schedule_scale scale = plan->quick ? SCHEDULE_QUICK : SCHEDULE_FULL;
    uint64_t ns = plan->run.maximum_ns - deadline_left_ns(&plan->run.deadline);

    for (size_t i = 0; i < programme->count; i++)
        ns += schedule_need_ns(programme->needs[i], scale, programme->round_trip_ns);
    return ceil(1.1 * (double)(ns + programme->reserve_ns) / 1e9);
}

static void run_experiment(struct testbed *testbed, const struct experiment *experiment,
                           struct character_answer *answer, bool quick, uint64_t time_ns)
{
    if (experiment->works_in_directory && testbed->no_scratch[0]) {
        testbed->code =
            error_set(&testbed->error, ERROR_FAILED, -EROFS,
                      "the experiment needs a scratch directory: %s", testbed->no_scratch);
        testbed->calls = 0;
        return;
    }
    testbed_begin(testbed, answer, quick, time_ns);
    run_steps(testbed, experiment);
    testbed_end(testbed);
}

/* Make experiment OF. If it fails, its answer is not known. */
static void find_answer(struct character_run *run, const struct experiment *of, bool quick,
                        uint64_t time_ns)
{
    struct character *character = &run->character;
    struct character_answer *answer = &character->answers[character->answer_count - 1];
    struct testbed *testbed = &run->testbed;
    uint64_t began = clock_raw_ns();

    run_experiment(testbed, of, answer, quick, time_ns);
    if (testbed->code)
        answer_not_known(answer, "Not known: %s.", testbed->error.text);
    answer->calls = testbed->calls;
    answer->duration = (double)(clock_raw_ns() - began) / 1e9;
    testbed->setup.scratch_filling_ns += clock_raw_ns() - began;
    testbed->setup.healthy = !(testbed->code && testbed->error.kind == ERROR_UNREACHABLE);
}

/* Make the experiment at INDEX as planned, or record in its answer that it is left out. */
static void make_experiment(struct character_run *run, const struct programme *programme,
                            size_t index, uint64_t later_ns)
{
    const struct character_plan *plan = run->testbed.plan;
    const struct experiment *of = programme->experiments[index];
    struct character_answer *answer = &run->character.answers[run->character.answer_count++];
    const enum schedule_scale scale = programme->scales[index];

    *answer = (struct character_answer){
        .name = of->name, .question = of->question, .unknown = of->unknown};
    if (scale == SCHEDULE_LEFT_OUT) {
        answer_not_known(answer,
                         "Not known: --max-time %.3g s leaves no time for this experiment; use "
                         "--max-time %.0fs for all.",
                         (double)plan->run.maximum_ns / 1e9, whole_time(programme, plan));
        return;
    }
    find_answer(run, of, scale == SCHEDULE_QUICK,
                experiment_time_ns(programme, index, later_ns, &plan->run.deadline));
    if (scale == SCHEDULE_QUICK && !plan->quick)
        answer_detail(answer, "short of time",
                      "made with as few calls as with --quick; use --max-time %.0fs for all calls "
                      "of all experiments",
                      whole_time(programme, plan));
}

static int refuse_short_time(const struct programme *programme, const struct character_plan *plan,
                             struct error *error)
{
    const uint64_t spent_ns = plan->run.maximum_ns - deadline_left_ns(&plan->run.deadline);
    const uint64_t least_ns =
        spent_ns + programme->reserve_ns +
        schedule_need_ns(programme->needs[0], SCHEDULE_QUICK, programme->round_trip_ns);

    return error_set(error, ERROR_USAGE, -ETIME,
                     "--max-time: %.3g s are too short for an experiment, since a call takes %.3g "
                     "ms; for %s use --max-time %.0fs",
                     (double)plan->run.maximum_ns / 1e9, (double)programme->round_trip_ns / 1e6,
                     programme->experiments[0]->name, ceil(1.1 * (double)least_ns / 1e9));
}

/* Choose the experiments and their scales for the time that is left. Returns 0, or a negative errno
 * with ERROR set. */
static int plan_experiments(struct programme *programme, struct testbed *testbed,
                            struct error *error)
{
    enum { AFTERWARDS = 15 /* round trips for UMNT and removing the scratch directory */ };
    const struct character_plan *plan = testbed->plan;
    uint64_t left_ns;
    int code = testbed_round_trip(testbed, &programme->round_trip_ns, error);

    for (size_t i = 0; i < COUNT; i++) {
        if (plan->only && plan->only != experiments[i])
            continue;
        programme->needs[programme->count] = &experiments[i]->need;
        programme->scales[programme->count] = plan->quick ? SCHEDULE_QUICK : SCHEDULE_FULL;
        programme->experiments[programme->count++] = experiments[i];
    }
    if (code)
        return code;
    programme->reserve_ns = AFTERWARDS * programme->round_trip_ns;
    left_ns = deadline_left_ns(&plan->run.deadline);
    left_ns = left_ns > programme->reserve_ns ? left_ns - programme->reserve_ns : 0;
    programme->least_ns = character_schedule(programme->scales, programme->needs, programme->count,
                                             programme->round_trip_ns, left_ns);
    return programme->least_ns == 0 ? refuse_short_time(programme, plan, error) : 0;
}

/* Add a reason for doubt if the client has waited for a processor for more than
 * VALIDITY_WAITED_SUSPECT of the time since BEFORE, because waiting affects all figures. */
static void doubt_waiting(struct character *character, const struct contention *before)
{
    struct contention after;
    struct contention_shares shares;

    contention_read(&after, &this_process);
    contention_between(&shares, before, &after, 0, 0);
    if (shares.client_waited > VALIDITY_WAITED_SUSPECT)
        validity_add_reason(&character->validity, VERDICT_SUSPECT, REASON_WAITED_FOR_PROCESSOR,
                            "the client waited %.1f %% of the time for a processor that other "
                            "processes used; end them, or move them with taskset",
                            100 * shares.client_waited);
}

int character_run_all(struct character_run *run, character_progress *show, struct error *error)
{
    struct programme programme = {.count = 0};
    struct testbed *testbed = &run->testbed;
    uint64_t began = clock_raw_ns(), later_ns;
    struct contention before;
    int code = plan_experiments(&programme, testbed, error);

    if (code)
        return code;
    later_ns = programme.least_ns;
    contention_read(&before, &this_process);
    for (size_t i = 0; i < programme.count && !run->character.interrupted; i++) {
        if (show)
            show(programme.experiments[i], i + 1, programme.count);
        later_ns -= need_ns(&programme, i);
        make_experiment(run, &programme, i, later_ns);
        run->character.interrupted = testbed->code == -EINTR;
    }
    run->character.duration = (double)(clock_raw_ns() - began) / 1e9;
    character_judge(&run->character);
    doubt_waiting(&run->character, &before);
    *error = testbed->error;
    return run->character.interrupted ? -EINTR : 0;
}
