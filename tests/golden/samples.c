#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "job/forms.h"
#include "nfs/status.h"

static void fill_op(struct samples *samples, size_t index, const char *name, enum result_role role)
{
    struct result_op *op = &samples->ops[index];

    *op = (struct result_op){.op = name,
                             .role = role,
                             .calls = 2,
                             .timed = 2,
                             .latency = result_latency_of(&samples->histogram),
                             .histogram = &samples->histogram,
                             .blocks = samples->blocks};
    if (role == RESULT_NULL)
        return;
    op->baseline = samples->ops;
    op->has_above_null = true;
    op->above_null.cost = (struct interval){5, 4, 6};
}

static void fill_result(struct samples *samples)
{
    histogram_record(&samples->histogram, 1000);
    histogram_record(&samples->histogram, 3000);
    samples->blocks[0] = samples->blocks[1] = 2000;
    fill_op(samples, 0, "null", RESULT_NULL);
    fill_op(samples, 1, "null_control", RESULT_NULL_CONTROL);
    fill_op(samples, 2, "getattr", RESULT_OP);
    samples->result = (struct result){
        .path = "a.json",
        .tool = {"nfsbench", "1", "test"},
        .start = "2026-01-02T03:04:05+00:00",
        .target = {.text = "self:", .transport = "TCP"},
        .config = {.baseline = true, .load = {.clients = 1, .connections = 1, .depth = 1}},
        .rounds = {.done = 2, .planned = 2},
        .ops = samples->ops,
        .op_count = 3,
        .null_calls = &samples->ops[0],
        .null_control = &samples->ops[1],
    };
}

static void fill_services(struct samples *samples)
{
    samples->services = (struct services){.target = "host:", .address = "192.0.2.1"};
    services_add(&samples->services, SERVICES_NFS, 3);
}

static void fill_more_services(struct samples *samples)
{
    struct service *mount;

    services_add(&samples->services, SERVICES_NFS, 4);
    mount = services_add(&samples->services, SERVICES_MOUNT, 3);
    mount->tcp_port = 20048;
    mount->udp_port = 20048;
    services_service(&samples->services, SERVICES_NFS)->tcp_port = 2049;
    samples->export_client = "192.0.2.0/24";
    samples->exports[0] = (struct services_export){"/export", NULL, 0};
    samples->exports[1] = (struct services_export){"/home", &samples->export_client, 1};
    samples->services.exports = samples->exports;
    samples->services.export_count = 2;
}

/* Fill the ops and launches of `whole`. GETATTR has counters, and launches with two latency levels.
 * `ops` gets numbers of the mounted file system, too. */
static void fill_more_ops(struct samples *samples)
{
    struct result *result = &samples->whole;
    struct result_op *op = &samples->whole_ops[2];

    samples->ops[1].latency.mean = 3000;
    for (size_t i = 1; i < 3; i++) {
        samples->ops[i].has_of_local = true;
        samples->mounted[i] = (struct result_mounted){.connections = (unsigned)i};
        samples->ops[i].mounted = &samples->mounted[i];
    }
    memcpy(samples->whole_ops, samples->ops, sizeof samples->ops);
    result->ops = samples->whole_ops;
    result->null_calls = &samples->whole_ops[0];
    result->null_control = &samples->whole_ops[1];
    for (size_t i = 1; i < 3; i++)
        samples->whole_ops[i].baseline = result->null_calls;
    for (size_t i = 0; i < 2; i++) {
        samples->ledgers[i].values[COUNTER_INTERRUPTS] = 0.007;
        strcpy(samples->ledgers[i].interfaces[0].name, "lo");
        strcpy(samples->ledgers[i].interfaces[1].name, "eth0");
        samples->ledgers[i].interface_count = 2;
    }
    samples->mounted[0] = (struct result_mounted){.rpcs = 1.25, .rtt_ns = 3000};
    op->has_echo = true;
    op->echo = (struct interval){1500, 1400, 1600};
    op->echo_blocks = samples->blocks;
    op->client = &samples->ledgers[0];
    op->server = &samples->ledgers[1];
    op->mounted = samples->mounted;
    op->rate_per_s = 500;
    op->has_spread = true;
    op->levels = (struct launches_levels){2, {4, 7}, {2, 1}, 0.001};
    for (int i = 0; i < 3; i++)
        samples->launches[i] = (struct result_launch){.start = samples->result.start,
                                                      .rounds = i < 2,
                                                      .client_cpu = i / 2,
                                                      .server_cpu = 1,
                                                      .ops = op,
                                                      .op_count = 1};
    result->ledger.counted = true;
    result->launches = samples->launches;
    result->launch_count = 3;
}

static void fill_more_result(struct samples *samples)
{
    struct result *result = &samples->whole;

    *result = samples->result;
    fill_more_ops(samples);
    samples->results[RESULT_MEASUREMENT] = result;
    result->target.auth = "AUTH_SYS";
    result->target.limits = (struct result_limits){.rtmax = 1 << 20,
                                                   .rtpref = 1 << 18,
                                                   .wtmax = 1 << 20,
                                                   .wtpref = 1 << 18,
                                                   .dtpref = 4096,
                                                   .properties = 27,
                                                   .name_max = 255,
                                                   .link_max = 32000,
                                                   .bytes = 64000000000,
                                                   .bytes_free = 32000000000,
                                                   .files = 1000000,
                                                   .files_free = 999000};
    result->target.look_up_ns = 100000;
    result->target.port_mapper_ns = 200000;
    result->target.connect_ns = 50000;
    result->target.mount_point = "/mnt";
    result->config.engine = "wire";
    result->config.client_cpus = "0";
    result->config.server_cpu = 1;
    result->config.one_processor = (struct cpu_choice){.cpu = 1, .of = 2, .busy_share = 0.03};
    samples->regimes[0] = (struct regime){1, 1500};
    samples->regimes[1] = (struct regime){1, 2000};
    result->regimes = samples->regimes;
    result->regime_count = 2;
    result->config.block = 50;
    result->rounds.warmup = 3;
    result->config.maximum_ns = 10000000000;
    result->config.over_ns = 600000000000;
    result->config.given_up =
        (struct result_given_up){.launches = 2, .launches_usual = 5, .usual_seconds = 30};
    result->cut_short = true;
    result->cut_short_by = "the connection was lost";
    result->seed = 42;
    result->validity.verdict = VERDICT_SUSPECT;
    result->validity.count = 1;
    result->validity.reasons[0] =
        (struct validity_reason){REASONS, "rounds", VERDICT_SUSPECT, "only 2 rounds were done"};
}

#define IS_KIND(KIND, key, name) || kind == RESULT_##KIND

bool samples_have_more(enum result_kind kind)
{
    return kind == RESULT_SERVICES UNIT_KINDS(IS_KIND) || kind == RESULT_MEASUREMENT;
}

static void fill_more(struct samples *samples)
{
    /* Kinds that no unit makes: here, their missing numbers are made up. */
    static const enum result_kind filled[] = {RESULT_MEASUREMENT, RESULT_SERVICES};

    fill_more_services(samples);
    fill_more_result(samples);
    for (size_t i = 0; i < sizeof filled / sizeof filled[0]; i++)
        figures_set_missing(view_of_kind(filled[i])->fields,
                            (void *)(uintptr_t)samples->results[filled[i]]);
}

static const struct result *run, *bare_run;

const struct result *sample_run(void)
{
    return run;
}

const struct result *sample_bare_run(void)
{
    return bare_run;
}

#define TAKE_SAMPLE(KIND, key, name)                                                               \
    samples->results[RESULT_##KIND] = sample_##KIND(of == SAMPLES_FULL);
#define TAKE_EMPTY(KIND, key, name)                                                                \
    samples->results[RESULT_##KIND] = empty_##KIND ? empty_##KIND() : NULL;

struct samples *samples_open(enum samples_of of)
{
    struct samples *samples = calloc(1, sizeof *samples);

    fill_result(samples);
    fill_services(samples);
    samples->results[RESULT_MEASUREMENT] = &samples->result;
    samples->results[RESULT_SERVICES] = &samples->services;
    if (of == SAMPLES_FULL)
        fill_more(samples);
    run = samples->results[RESULT_MEASUREMENT];
    bare_run = &samples->result;
    if (of == SAMPLES_EMPTY) {
        memset(samples->results, 0, sizeof samples->results);
        UNIT_KINDS(TAKE_EMPTY)
    } else {
        UNIT_KINDS(TAKE_SAMPLE)
    }
    return samples;
}

void samples_close(struct samples *samples)
{
    free(samples);
}
