#include "run/outcome/measured.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/outcome/measured_parts.h"
#include "run/series/listing_findings.h"
#include "run/session.h"
#include "run/witness.h"

static void add_link(struct measured *measured, const char *name)
{
    double speed = counters_interface_speed(name);
    struct result_link *link = &measured->links[measured->link_count];

    for (size_t i = 0; i < measured->link_count; i++)
        if (strcmp(measured->links[i].name, name) == 0)
            return;
    if (!isfinite(speed) || measured->link_count == COUNTERS_INTERFACES_MAXIMUM)
        return;
    snprintf(link->name, sizeof link->name, "%s", name);
    link->bits_per_s = speed;
    measured->link_count++;
}

static void take_links(struct measured *measured)
{
    for (size_t i = 0; i < measured->count; i++) {
        const struct ledger_entry *client = measured->series[i].client;

        for (size_t j = 0; client && j < client->interface_count; j++)
            add_link(measured, client->interfaces[j].name);
    }
}

static const char *take_listings(struct taking *taking)
{
    const struct series_set *set = taking->set;
    char text[LISTING_FINDINGS_TEXT];
    bool found = listing_findings_of_tree(&taking->setup->objects, text);

    for (size_t i = 0; i < set->count && !found; i++)
        found = listing_findings(set->series[i], text);
    return found ? filling_copy(&taking->filling, text) : NULL;
}

int measured_take(struct measured *measured, const struct session *session, struct error *error)
{
    const struct measuring *measuring = &session->measuring;
    const struct setup *setup = &session->setup;
    struct taking taking = {.measured = measured,
                            .setup = setup,
                            .contexts = &session->contexts,
                            .set = &session->set,
                            .mix = &session->mix,
                            .intervals = &measuring->intervals,
                            .time = &session->time,
                            .filling.arena = &measured->arena};

    *measured = (struct measured){
        .plan = session->plan,
        .started = session->started,
        .clock = &session->clock,
        .rounds = &measuring->rounds,
        .rounds_began_ns = measuring->began_ns,
        .setup_began_ns = setup->began_ns,
        .has_witness = session->set.witness && !session->set.witness->failed,
        .is_shared = measuring->ranks || measuring->other_calls > 0,
        .other_calls = measuring->other_calls,
        .other_servers_ns = measuring->other_servers_ns,
        .skipped = session->set.skipped,
        .skipped_count = session->set.skipped_count,
        .readings = &session->readings,
        .processors = contention_cpus(&session->readings.scope),
        .ledger = &session->ledger,
        .stalls = &setup->stalls,
        .trailing = &setup->trailing,
        .read = setup->objects.read,
        .write = setup->objects.write,
        .mount_change = setup->on_mount ? session->plan->engine->mount->change(setup) : NULL,
        .is_stopped = run_plan_is_stopped(session->plan),
    };
    measured_take_series(&taking);
    measured_take_settings(&taking);
    measured->config.calls = session->calls;
    measured->config.precision_reached = measuring->end == MEASURING_END_PRECISION;
    measured->config.awake = session->awake >= 0;
    take_links(measured);
    measured->listings = take_listings(&taking);
    return taking.filling.failed
               ? error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result")
               : 0;
}

const struct measured_series *measured_find_op(const struct measured *measured, const char *op)
{
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_series *series = &measured->series[i];

        if (series_roles[series->role].is_op && strcmp(series->name, op) == 0)
            return series;
    }
    return NULL;
}

uint64_t measured_calls(const struct measured *measured)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < measured->count; i++)
        if (measured->series[i].role != SERIES_MIX_OP) /* the mix counts its ops' calls */
            calls += measured->series[i].samples->calls;
    return calls;
}

void measured_free(struct measured *measured)
{
    arena_free(&measured->arena);
    *measured = (struct measured){.plan = NULL};
}
