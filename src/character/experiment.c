#include "character/experiment.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "measure/contention.h"
#include "run/outcome.h"

/* The experiments */

#define DECLARE(name) extern const struct experiment experiment_##name;
#define LIST(name)    &experiment_##name,

EXPERIMENTS(DECLARE)

static const struct experiment *const experiments[] = {EXPERIMENTS(LIST)};

enum { COUNT = sizeof experiments / sizeof experiments[0] };

_Static_assert((int)COUNT <= (int)CHARACTER_ANSWERS_MAXIMUM, "there is an answer for each");

const struct experiment *experiment_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}

/* Opening */

static void describe(struct character_run *run)
{
    const struct lab *lab = &run->lab;
    struct character *character = &run->character;

    outcome_fill_origin(&character->origin, &lab->plan->run, time(NULL),
                        transport_name(lab->setup.target.transport));
    character->quick = lab->plan->quick;
    character->scratch = lab->no_scratch[0] ? lab->no_scratch : NULL;
}

int character_run_open(struct character_run *run, const struct character_plan *plan,
                       struct error *error)
{
    int code;

    memset(run, 0, sizeof *run);
    code = lab_open(&run->lab, plan, error);
    if (code == 0)
        describe(run);
    return code;
}

/* Running */

static const struct contention_scope this_process = {.server_remote = true, .cpus = {"", ""}};

/* Prepare, measure in rounds, and judge. */
static void run_steps(struct lab *lab, const struct experiment *experiment)
{
    void *state = calloc(1, experiment->state_size + 1);

    lab_own(lab, state, free);
    lab->timing = (struct timing){.plan = experiment->timing};
    if (lab->code == 0 && experiment->prepare)
        experiment->prepare(lab, state);
    if (lab->code == 0 && lab->timing.plan.series > 0)
        timing_run(lab, state);
    if (lab->code == 0)
        experiment->conclude(lab, state);
}

static void run_one(struct lab *lab, const struct experiment *experiment,
                    struct character_answer *answer)
{
    if (experiment->works_in_directory && lab->no_scratch[0]) {
        lab->code = error_set(&lab->error, ERROR_FAILED, -EROFS,
                              "there is no directory to work in: %s", lab->no_scratch);
        return;
    }
    lab_begin(lab, answer);
    run_steps(lab, experiment);
    lab_end(lab);
}

/* Where it fails, the answer is not known, and the others go on. */
static void find_answer(struct character_run *run, const struct experiment *of)
{
    struct character *character = &run->character;
    struct character_answer *answer = &character->answers[character->answer_count++];
    struct lab *lab = &run->lab;
    uint64_t began = clock_raw_ns();

    *answer = (struct character_answer){
        .name = of->name, .question = of->question, .unknown = of->unknown};
    run_one(lab, of, answer);
    if (lab->code)
        answer_not_known(answer, "Not known: %s.", lab->error.text);
    answer->calls = lab->calls;
    answer->duration = (double)(clock_raw_ns() - began) / 1e9;
    lab->setup.scratch_filling_ns += clock_raw_ns() - began;
    lab->setup.healthy = !(lab->code && lab->error.kind == ERROR_UNREACHABLE);
}

/* What it waited for a processor since BEFORE is in all figures. */
static void doubt_waiting(struct character *character, const struct contention *before)
{
    struct contention after;
    struct contention_shares shares;

    contention_read(&after, &this_process);
    contention_between(&shares, before, &after, 0);
    if (shares.client_waited > VALIDITY_WAITED_SUSPECT)
        validity_add_reason(&character->validity, VERDICT_SUSPECT, REASON_WAITED_FOR_PROCESSOR,
                            "the client waited %.1f %% of the time for a processor that other "
                            "processes used; end them, or move them with taskset",
                            100 * shares.client_waited);
}

int character_run_all(struct character_run *run, character_progress *show, struct error *error)
{
    const struct experiment *only = run->lab.plan->only;
    const struct lab *lab = &run->lab;
    uint64_t began = clock_raw_ns();
    struct contention before;

    contention_read(&before, &this_process);
    for (size_t i = 0; i < COUNT && !run->character.interrupted; i++) {
        if (only && only != experiments[i])
            continue;
        if (show)
            show(experiments[i], run->character.answer_count + 1, only ? 1 : COUNT);
        find_answer(run, experiments[i]);
        run->character.interrupted = lab->code == -EINTR;
    }
    run->character.duration = (double)(clock_raw_ns() - began) / 1e9;
    character_judge(&run->character);
    doubt_waiting(&run->character, &before);
    *error = lab->error;
    return run->character.interrupted ? -EINTR : 0;
}
