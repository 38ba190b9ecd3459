#include "character/character_run.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "run/outcome.h"

static void describe(struct character_run *run)
{
    const struct lab *lab = &run->lab;
    struct character *character = &run->character;
    time_t now = time(NULL);
    struct tm broken_down;

    outcome_fill_origin(&character->origin, &lab->plan->run, now,
                        transport_name(lab->setup.target.transport));
    character->target = lab->plan->run.target_text;
    character->transport = transport_name(lab->setup.target.transport);
    character->quick = lab->plan->quick;
    character->scratch = lab->no_scratch[0] ? lab->no_scratch : NULL;
    gmtime_r(&now, &broken_down);
    strftime(character->start, sizeof character->start, "%Y-%m-%dT%H:%M:%S+00:00", &broken_down);
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

static int experiment(struct lab *lab, const struct experiment *experiment,
                      struct character_answer *answer, struct error *error)
{
    int code;

    if (experiment->works_in_directory && lab->no_scratch[0])
        return error_set(error, ERROR_FAILED, -EROFS, "there is no directory to work in: %s",
                         lab->no_scratch);
    code = lab_begin(lab, error);
    if (code)
        return code;
    code = experiment->run(lab, answer, error);
    lab_end(lab);
    return code;
}

/* Where it fails, the answer is not known, and the others go on. */
static int find_answer(struct character_run *run, const struct experiment *of, struct error *error)
{
    struct character *character = &run->character;
    struct character_answer *answer = &character->answers[character->answer_count++];
    uint64_t began = clock_raw_ns();
    int code;

    *answer = (struct character_answer){
        .name = of->name, .question = of->question, .unknown = of->unknown};
    code = experiment(&run->lab, of, answer, error);
    if (code)
        answer_not_known(answer, "Not known: %s.", error->text);
    answer->calls = run->lab.calls;
    answer->duration = (double)(clock_raw_ns() - began) / 1e9;
    run->lab.setup.scratch_filling_ns += clock_raw_ns() - began;
    run->lab.setup.healthy = !(code && error->kind == ERROR_UNREACHABLE);
    return code == -EINTR ? code : 0;
}

int character_run_all(struct character_run *run, character_progress *show, struct error *error)
{
    const struct experiment *only = run->lab.plan->only, *at;
    const size_t count = only ? 1 : experiment_count();
    uint64_t began = clock_raw_ns();
    int code = 0;

    for (size_t i = 0; (at = experiment_at(i)) && code == 0; i++) {
        if (only && only != at)
            continue;
        if (show)
            show(at, run->character.answer_count + 1, count);
        code = find_answer(run, at, error);
    }
    run->character.interrupted = code == -EINTR;
    run->character.duration = (double)(clock_raw_ns() - began) / 1e9;
    return code;
}

int character_run_unmount(struct character_run *run, struct error *error)
{
    return lab_unmount(&run->lab, error);
}

void character_run_close(struct character_run *run)
{
    lab_close(&run->lab);
}
