#include "cli/load_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/session.h"

static uint64_t process_cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int open_series(struct session *session, size_t index)
{
    struct load_series *load = &session->load.series[index];

    load->clients = calloc(session->settings->load.clients, sizeof *load->clients);
    session->series[index].tally.clients = load->clients;
    session->series[index].tally.detail = &session->load.detail;
    return load->clients ? 0 : -ENOMEM;
}

int load_run_open(struct session *session, struct error *error)
{
    struct load_run *run = &session->load;
    size_t block = session->block;
    int code = 0;

    run->series = calloc(session->series_count, sizeof *run->series);
    run->detail.done = calloc(block, sizeof *run->detail.done);
    run->detail.service = calloc(block, sizeof *run->detail.service);
    run->detail.number = calloc(block, sizeof *run->detail.number);
    run->detail.held = calloc(block, sizeof *run->detail.held);
    run->done_ns = calloc(block, sizeof *run->done_ns);
    run->ns = calloc(block, sizeof *run->ns);
    if (!run->series || !run->detail.done || !run->detail.service || !run->detail.number ||
        !run->detail.held || !run->done_ns || !run->ns)
        code = -ENOMEM;
    for (size_t i = 0; i < session->series_count && code == 0; i++)
        code = open_series(session, i);
    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory for %u clients",
                  session->settings->load.clients);
    return code;
}

void load_run_close(struct session *session)
{
    struct load_run *run = &session->load;

    for (size_t i = 0; run->series && i < session->series_count; i++) {
        free(run->series[i].clients);
        timeline_free(&run->series[i].timeline);
    }
    free(run->series);
    free(run->detail.done);
    free(run->detail.service);
    free(run->detail.number);
    free(run->detail.held);
    free(run->done_ns);
    free(run->ns);
    memset(run, 0, sizeof *run);
}

void load_run_begin(struct session *session)
{
    struct load_run *run = &session->load;

    for (size_t i = 0; i < session->series_count; i++) {
        struct load_client *clients = run->series[i].clients;

        timeline_free(&run->series[i].timeline);
        memset(clients, 0, session->settings->load.clients * sizeof *clients);
        run->series[i] = (struct load_series){.clients = clients};
        session->series[i].tally.clients = clients;
        session->series[i].tally.detail = &run->detail;
    }
    run->began_ticks = session->clock.start();
}

static double since_begin(const struct session *session, uint64_t ticks)
{
    uint64_t began = session->load.began_ticks;

    return ticks > began ? (double)(ticks - began) * session->clock.ns_per_tick : 0;
}

static int keep_block(struct session *session, struct load_series *load, uint64_t began,
                      const uint64_t *ticks, size_t recorded)
{
    struct load_run *run = &session->load;
    bool open_loop = session->settings->load.rate > 0;

    for (size_t i = 0; i < recorded; i++) {
        run->done_ns[i] = since_begin(session, run->detail.done[i]);
        run->ns[i] = clock_sample_ns(&session->clock, ticks[i]);
        if (!open_loop)
            continue;
        histogram_record(&load->service, clock_sample_ns(&session->clock, run->detail.service[i]));
        histogram_record(&load->lateness,
                         (double)(ticks[i] - run->detail.service[i] - run->detail.held[i]) *
                             session->clock.ns_per_tick);
    }
    return timeline_add(&load->timeline, (uint64_t)since_begin(session, began),
                        (uint64_t)since_begin(session, session->clock.stop()), run->done_ns,
                        run->ns, recorded);
}

int load_run_block(struct session *session, size_t index, const struct engine_call *call,
                   size_t count, uint64_t *ticks, size_t *recorded, struct error *error)
{
    struct session_series *series = &session->series[index];
    struct load_series *load = &session->load.series[index];
    uint64_t cpu_ns = process_cpu_ns(), began = session->clock.start();
    int code = engine_run(session->engines[series->service], call, count, ticks, recorded,
                          &series->tally, error);

    load->cpu_ns += process_cpu_ns() - cpu_ns;
    load->calls += count;
    if (code == 0 && session->load.began_ticks &&
        keep_block(session, load, began, ticks, *recorded) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the course of the run");
    return code;
}

void load_run_end(struct session *session)
{
    for (size_t i = 0; i < session->series_count; i++)
        timeline_end(&session->load.series[i].timeline); /* the points before stay, if it fails */
}
