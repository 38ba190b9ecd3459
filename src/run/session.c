#include "run/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/counted.h"
#include "common/cpu.h"
#include "common/memory.h"
#include "common/thread.h"
#include "nfs/verify/verify.h"

static int set_up_blocks(struct session *session, struct error *error)
{
    int code = series_set_choose_blocks(&session->set, error);

    return code || !session->set.mix ? code : session_set_block(session, session->set.block, error);
}

/* Set SESSION's number of calls; with --cold, at most the number of unused places in files. */
static int set_number_of_calls(struct session *session, struct error *error)
{
    uint64_t left = series_set_places_left(&session->set);

    session->calls = session->plan->calls;
    if (!session->plan->working_set.once)
        return 0;
    if (left == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--cold: the trial of the op used the last file or block; give more "
                         "--files, or a longer --file");
    if (session->calls == 0 || session->calls > left)
        session->calls = left;
    return 0;
}

int session_reach(struct session *session, const struct run_plan *plan, struct error *error)
{
    int code;

    memset(session, 0, sizeof *session);
    session->plan = plan;
    session->started = time(NULL);
    session->began_ns = deadline_now_ns();
    session->awake = plan->let_sleep ? -1 : cpu_keep_awake();
    code = clock_open(&session->clock, plan->clock_name, error);
    session_enter(session, "mounting");
    if (code == 0)
        code = setup_reach(&session->setup, plan, &session->clock, error);
    session->setup.healthy = code == 0 || code == -EINTR;
    return code;
}

int session_prepare(struct session *session, struct error *error)
{
    const struct run_plan *plan = session->plan;
    int code = setup_prepare(&session->setup, error);

    session->unbound = cpu_allowed_set();
    if (code == 0 && !plan->target.mounted)
        code = contexts_run_make(&session->contexts, &session->setup, error);
    session_enter(session, "trying each op");
    if (code == 0)
        code = series_set_open(&session->set, &session->setup, &session->clock, error);
    if (code == 0)
        code = set_up_blocks(session, error);
    if (code == 0)
        code = set_number_of_calls(session, error);
    if (code == 0 && !plan->no_ledger)
        ledger_run_open(&session->ledger, &session->setup);
    session->setup.healthy = code == 0 || code == -EINTR;
    session->cpus = cpu_allowed_set();
    return code;
}

int session_open(struct session *session, const struct run_plan *plan, struct error *error)
{
    int code = session_reach(session, plan, error);

    return code ? code : session_prepare(session, error);
}

/* Sessions that are measured in the same rounds, whose series are ordered by session. */
struct sharing {
    struct session *sessions;
    size_t count;
    const struct beside *beside; /* additional series; NULL: none */
    size_t own;                  /* number of series of all sessions */
    struct rounds *rounds;
    /* for each series of the rounds: the session and index of the series that is called */
    struct place {
        struct session *session; /* NULL: no calls */
        size_t index;
    } * places;
    uint32_t *blocks;
    bool *follows;
    struct arena arena;
    size_t at;      /* index of the session of the last block, or whose files failed; COUNT: none */
    cpu_set_t cpus; /* processors that this thread is bound to */
};

static void show_rounds(const struct sharing *sharing)
{
    size_t first = 0;

    for (size_t i = 0; i < sharing->count; i++) {
        session_set_rounds(&sharing->sessions[i], sharing->rounds, first);
        first += sharing->sessions[i].set.count;
    }
}

/* Return the element of PLACES for SERIES, whose block is handled, and set AT to its session. */
static const struct place *go_to_series(struct sharing *sharing, size_t series)
{
    const struct place *place = &sharing->places[series];

    sharing->at = place->session ? (size_t)(place->session - sharing->sessions) : sharing->count;
    return place;
}

/* With several sessions, whose loads may name other processors, bind this thread to SESSION's. */
static void bind_thread(struct sharing *sharing, const struct session *session)
{
    if (sharing->count == 1 || CPU_EQUAL(&sharing->cpus, &session->cpus))
        return;
    sharing->cpus = session->cpus;
    cpu_allow_set(&sharing->cpus);
}

static int run_shared_block(void *context, size_t series, struct block *block, struct error *error)
{
    struct sharing *sharing = context;
    const struct place *place = go_to_series(sharing, series);

    if (series < sharing->own)
        return session_run_block(place->session, place->index, block, error);
    if (run_plan_is_stopped(sharing->sessions->plan))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return sharing->beside->source.run(sharing->beside->source.context, series - sharing->own,
                                       block, error);
}

static int prepare_shared_block(void *context, size_t series, size_t count, struct error *error)
{
    const struct place *place = go_to_series(context, series);

    if (!place->session)
        return 0;
    bind_thread(context, place->session);
    return session_blocks.prepare(place->session, place->index, count, error);
}

static int clear_shared_block(void *context, size_t series, size_t count, struct error *error)
{
    const struct place *place = go_to_series(context, series);

    return place->session ? session_blocks.clear(place->session, place->index, count, error) : 0;
}

static void shared_block_done(void *context, size_t series, size_t count)
{
    const struct place *place = go_to_series(context, series);

    if (place->session)
        session_blocks.block_done(place->session, place->index, count);
}

/* The next functions, up to is_time_over(), need one schedule for all blocks, so one session. */

static int submit_shared_block(void *context, size_t series, size_t count, struct error *error)
{
    const struct place *place = go_to_series(context, series);

    return session_submit_block(place->session, place->index, count, error);
}

static bool wants_shared_block(void *context)
{
    const struct sharing *sharing = context;

    return load_run_wants_block(&sharing->sessions[0].load);
}

static void finish_shared_blocks(void *context)
{
    const struct sharing *sharing = context;

    load_run_finish(&sharing->sessions[0].load);
}

static size_t rounds_ahead(void *context)
{
    const struct sharing *sharing = context;

    return session_rounds_ahead(&sharing->sessions[0]);
}

static bool is_time_over(void *context)
{
    const struct sharing *sharing = context;

    return session_is_time_over(&sharing->sessions[0]);
}

/* Return the minimum of VALUE over all ranks. Each rank has a single session. */

static uint64_t least_of_ranks(void *context, uint64_t value)
{
    const struct sharing *sharing = context;
    struct error ignored; /* a rank's failure is reported by the next block */

    ranks_meet(sharing->sessions[0].measuring.ranks, 0, &value, &ignored);
    return value;
}

static void while_ranks_wait(void *context, void (*step)(void *run), void *run)
{
    struct ranks *ranks = ((struct sharing *)context)->sessions[0].measuring.ranks;

    ranks->while_waiting = step;
    ranks->waiting = run;
}

/* Does one schedule run through all blocks? This needs an open loop of a single session whose
 * series use the same engine, without additional series. If there is a watch, the session must have
 * only one series, because the blocks of several series would overlap. */
static bool has_one_schedule(const struct sharing *sharing)
{
    const struct session *first = sharing->sessions;

    return sharing->count == 1 && !sharing->beside && (!first->watch || first->set.count == 1) &&
           run_plan_makes_load(first->plan) && load_run_is_continuous(&first->set);
}

static bool are_sessions_warm(void *context, bool steady)
{
    const struct sharing *sharing = context;
    const struct beside *beside = sharing->beside;

    if (beside && beside->source.warm)
        return beside->source.warm(beside->source.context, steady);
    for (size_t i = 0; i < sharing->count; i++)
        steady = session_blocks.warm(&sharing->sessions[i], steady);
    return steady;
}

static void begin_measuring_sessions(void *context)
{
    const struct sharing *sharing = context;

    for (size_t i = 0; i < sharing->count; i++)
        session_blocks.measuring_begins(&sharing->sessions[i]);
    if (sharing->beside && sharing->beside->source.measuring_begins)
        sharing->beside->source.measuring_begins(sharing->beside->source.context);
}

static void note_shared_round(void *context, size_t round)
{
    const struct sharing *sharing = context;

    for (size_t i = 0; i < sharing->count; i++)
        session_blocks.round_done(&sharing->sessions[i], round);
}

/* Do all sessions have enough rounds? Ask every session, because each updates its state. */
static bool have_sessions_enough(void *context, size_t round)
{
    const struct sharing *sharing = context;
    const struct beside *beside = sharing->beside;
    bool all = true;

    if (beside && beside->source.enough)
        return beside->source.enough(beside->source.context, round);
    for (size_t i = 0; i < sharing->count; i++)
        all = session_blocks.enough(&sharing->sessions[i], round) && all;
    return all;
}

/* Leave out the op of series INDEX of session AT, which failed: from that session only if its plan
 * has OPS_OPTIONAL, otherwise from all sessions. */
static void leave_out(struct sharing *sharing, size_t at, size_t index)
{
    const struct session *failed = &sharing->sessions[at];
    const char *op = failed->set.series[index]->name;
    const bool alone = failed->plan->ops_optional;
    char own[SERIES_SKIP_REASON_SIZE], others[SERIES_SKIP_REASON_SIZE];
    size_t first = sharing->rounds->series_count;

    series_describe_failure(failed->set.series[index], &failed->measuring.rounds.series[index],
                            own);
    snprintf(others, sizeof others, "%s %.540s", session_letters(at).text, own);
    for (size_t i = sharing->count; i-- > 0;) {
        struct series_set *set = &sharing->sessions[i].set;
        const struct run_series *series = series_set_find_op(set, op);

        first -= set->count;
        if (!series || (alone && i != at))
            continue;
        if (series_role(series)->in_mix)
            mix_run_remove(&sharing->sessions[i].mix, series);
        rounds_remove(sharing->rounds, first + series->index);
        series_set_leave_out(set, series->index, i == at ? own : others);
    }
    show_rounds(sharing);
}

static void remove_failed(struct sharing *sharing)
{
    for (size_t i = sharing->own; i-- > 0;)
        for (size_t at = 0; at < sharing->count; at++) {
            const struct session *session = &sharing->sessions[at];

            if (i < session->set.count &&
                series_lacks_rounds(session->set.series[i], sharing->rounds,
                                    &session->measuring.rounds.series[i]))
                leave_out(sharing, at, i);
        }
}

/* Complete the mix, whose values depend on its ops. If the rounds ended without error (CODE 0),
 * make and count the ledger's calls. */
static void complete_session(struct session *session, int code)
{
    if (session->set.mix)
        mix_run_complete(&session->mix, &session->measuring.rounds);
    if (code == 0 && session->ledger.opened) {
        session_enter(session, "counting the ledger");
        ledger_run_count(&session->ledger, &session->set, &session->measuring.rounds,
                         session->time.ledger_ns);
    }
}

size_t sessions_first_of_server(const struct session *sessions, size_t at)
{
    size_t first = 0;

    while (first < at && !setup_has_same_server(&sessions[first].setup, &sessions[at].setup))
        first++;
    return first;
}

static double other_servers_ns(const struct sharing *sharing, const struct session *session)
{
    double ns = 0;

    for (size_t i = 0; i < sharing->count; i++) {
        const struct session *other = &sharing->sessions[i];

        if (!setup_has_same_server(&session->setup, &other->setup) &&
            sessions_first_of_server(sharing->sessions, i) == i)
            ns += other->readings.contention_after.server.ran_ns -
                  other->readings.contention_before.server.ran_ns;
    }
    return ns;
}

/* Finish the rounds, which ended with CODE. After an error other than -EINTR, only the session
 * SHARING->at is no longer healthy. After any error, no ledger is counted. */
static void end_rounds(struct sharing *sharing, int code)
{
    uint64_t calls = 0;

    show_rounds(sharing);
    for (size_t i = 0; i < sharing->count; i++) {
        session_rounds_end(&sharing->sessions[i], i == sharing->at ? code : 0);
        calls += session_calls(&sharing->sessions[i]);
    }
    for (size_t i = sharing->own; i < sharing->rounds->series_count; i++)
        calls += sharing->rounds->series[i].calls;
    for (size_t i = 0; i < sharing->count; i++) {
        struct session *session = &sharing->sessions[i];

        session->measuring.other_calls = calls - session_calls(session);
        session->measuring.other_servers_ns = other_servers_ns(sharing, session);
    }
    if (sharing->beside) /* no op is removed, because BESIDE contains indices of series */
        return;
    remove_failed(sharing);
    show_rounds(sharing);
    for (size_t i = 0; i < sharing->count; i++) {
        bind_thread(sharing, &sharing->sessions[i]);
        complete_session(&sharing->sessions[i], code);
    }
}

/* Return the deadline for reading files back. Reading and then removing the files may take until a
 * tenth of MAXIMUM_NS after the command's deadline; half of the time until then is for reading. */
static struct deadline end_of_verification(const struct run_plan *plan)
{
    enum { LATER = 10 };
    struct deadline end = plan->deadline;

    if (end.at_ns)
        end.at_ns += plan->maximum_ns / LATER;
    return deadline_half(&end);
}

static int verify_files(const struct session *session, struct error *error)
{
    const struct setup *setup = &session->setup;
    const struct deadline end = end_of_verification(session->plan);
    uint64_t read, all;
    int code =
        nfs_verify_files(&setup->objects, setup->clients[SERVICE_NFS], &end, &read, &all, error);

    if (code == 0 && read < all)
        run_plan_notice(session->plan,
                        "--verify read back %.1f %% of the %.1f MiB of the files at the end",
                        100 * (double)read / (double)all, (double)all / (double)(1 << 20));
    return code;
}

static void report_unacknowledged(const struct session *session)
{
    for (size_t i = 0; i < session->set.count; i++) {
        const struct run_series *series = session->set.series[i];
        const struct nfs_unacknowledged calls = nfs_verify_unacknowledged(&series->call);

        if (calls.done + calls.undone > 0)
            run_plan_notice(session->plan,
                            "--verify: of %s of %s without NFS3_OK, the server had carried out "
                            "%llu, and %llu not",
                            counted(calls.done + calls.undone, "call").text, series->name,
                            (unsigned long long)calls.done, (unsigned long long)calls.undone);
    }
}

static int run_rounds(struct sharing *sharing, struct rounds_plan *plan, uint64_t calls_per_round,
                      struct error *error)
{
    struct session *first = sharing->sessions;
    struct block_source source = {
        .run = run_shared_block,
        .prepare = prepare_shared_block,
        .clear = clear_shared_block,
        .block_done = shared_block_done,
        .warm = are_sessions_warm,
        .measuring_begins = begin_measuring_sessions,
        .round_done = note_shared_round,
        .enough = first->calls && !first->time.rounds_end_ns ? NULL : have_sessions_enough,
        .context = sharing};
    int code = rounds_open(sharing->rounds, plan, error);

    if (has_one_schedule(sharing)) {
        source.submit = submit_shared_block;
        source.wants_block = wants_shared_block;
        source.finish = finish_shared_blocks;
        source.rounds_ahead = rounds_ahead;
        /* With ranks, enough() ends the rounds, because there the ranks agree. */
        source.is_over = first->measuring.ranks ? NULL : is_time_over;
    }
    if (first->measuring.ranks) {
        source.least = least_of_ranks;
        source.while_waiting = while_ranks_wait;
    }
    for (size_t i = 0; i < sharing->count && code == 0; i++)
        if (run_plan_makes_load(sharing->sessions[i].plan))
            code = load_run_open(&sharing->sessions[i].load, &sharing->sessions[i].set, error);
    if (code)
        return code;
    session_announce_time(first);
    first->load.continuous = source.submit != NULL;
    show_rounds(sharing);
    session_rounds_observe(first, sharing->rounds, calls_per_round);
    thread_may_preempt(!first->load.continuous); /* do not interrupt threads that make calls */
    code = rounds_run(sharing->rounds, plan, &first->clock, &source, error);
    thread_may_preempt(true);
    for (size_t i = 0; i < sharing->count && code == 0; i++) {
        code = verify_files(&sharing->sessions[i], error);
        if (code)
            sharing->at = i;
    }
    for (size_t i = 0; i < sharing->count && code == 0; i++)
        report_unacknowledged(&sharing->sessions[i]);
    end_rounds(sharing, code);
    return code;
}

/* Add all sessions' and the additional series to PLAN. Returns the number of calls in a round. */
static uint64_t add_shared_series(struct sharing *sharing, struct rounds_plan *plan)
{
    const struct beside *beside = sharing->beside;
    size_t series = 0;
    uint64_t calls = 0;

    for (size_t i = 0; i < sharing->count; i++) {
        struct session *session = &sharing->sessions[i];

        calls += session_block_sizes(session, sharing->blocks + series, sharing->follows + series);
        for (size_t j = 0; j < session->set.count; j++)
            sharing->places[series++] = (struct place){session, j};
    }
    for (size_t i = 0; beside && i < beside->count; i++, series++) {
        sharing->blocks[series] = beside->series[i].block;
        if (beside->series[i].calls_of == EXTRA_WITHOUT_CALLS)
            continue;
        calls += sharing->blocks[series];
        sharing->places[series] = sharing->places[beside->series[i].calls_of];
    }
    for (size_t i = 0; i < series; i++)
        plan->block = sharing->blocks[i] > plan->block ? sharing->blocks[i] : plan->block;
    return calls;
}

static int sharing_open(struct sharing *sharing, struct rounds_plan *plan, struct error *error)
{
    struct arena *arena = &sharing->arena;

    sharing->cpus = cpu_allowed_set();
    for (size_t i = 0; i < sharing->count; i++) {
        sharing->own += sharing->sessions[i].set.count;
        plan->load = plan->load || run_plan_makes_load(sharing->sessions[i].plan);
    }
    plan->series = sharing->own + (sharing->beside ? sharing->beside->count : 0);
    sharing->places = arena_alloc(arena, plan->series, sizeof *sharing->places);
    plan->blocks = sharing->blocks = arena_alloc(arena, plan->series, sizeof *sharing->blocks);
    plan->follows = sharing->follows = arena_alloc(arena, plan->series, sizeof *sharing->follows);
    if (sharing->places && sharing->blocks && sharing->follows)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the sessions");
}

int sessions_measure(struct session *sessions, size_t count, const struct beside *beside,
                     struct rounds *rounds, size_t *at, struct error *error)
{
    const struct run_plan *shared = sessions->plan;
    struct sharing sharing = {
        .sessions = sessions, .count = count, .beside = beside, .rounds = rounds, .at = count};
    struct rounds_plan plan = {.calls = sessions->calls,
                               .warmup = !shared->no_warmup,
                               .warmup_until_ns = sessions->time.warmup_end_ns,
                               .open_loop = shared->load.rate > 0,
                               .seed = shared->seed};
    int code = sharing_open(&sharing, &plan, error);

    if (code == 0)
        code = run_rounds(&sharing, &plan, add_shared_series(&sharing, &plan), error);
    *at = sharing.at;
    arena_free(&sharing.arena);
    return code;
}

int session_measure(struct session *session, struct error *error)
{
    size_t unused;

    return sessions_measure(session, 1, NULL, &session->measuring.rounds, &unused, error);
}

int session_unmount(struct session *session, struct error *error)
{
    ledger_run_close(&session->ledger);
    return setup_take_down(&session->setup, error);
}

void session_close(struct session *session)
{
    ledger_run_free(&session->ledger);
    series_set_close(&session->set);
    setup_close(&session->setup);
    load_run_close(&session->load);
    mix_run_close(&session->mix);
    if (!session->measuring.shares_rounds)
        rounds_close(&session->measuring.rounds);
    intervals_free(&session->measuring.intervals);
    readings_free(&session->readings);
    cpu_let_sleep(session->awake);
}
