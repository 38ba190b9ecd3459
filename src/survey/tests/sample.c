/* A sample of a survey, for the tests of all forms of output. */
#include <math.h>
#include <string.h>

#include "figures.h"
#include "survey/survey.h"
#include "unit_sample.h"

static struct survey survey;
static struct result_op ops[3];
static struct result_skipped skipped[2];
static struct result_stall stalls[2];
static struct breakdown_part phases[2];
static struct breakdown breakdown;
static struct experiment_cell cell;
static struct experiment_scaling scaling;
static struct experiment_diagnosis diagnosis;
static json_t *services;

static void fill(void)
{
    survey = (struct survey){
        .origin = {.target = "self:", .transport = "TCP", .auth = "AUTH_SYS"},
        .steadiness = {.tail = NAN},
    };
}

/* Set RESULT to a measurement of null and read in which calls of read failed and were
 * retransmitted, and the server stalled. */
static void fill_calls(struct result *result)
{
    ops[0] =
        (struct result_op){.op = "null", .calls = 5000, .data_bytes = NAN, .megabytes_per_s = NAN};
    ops[1] = (struct result_op){.op = "null_control", .role = RESULT_NULL_CONTROL};
    ops[2] = (struct result_op){.op = "read",
                                .role = RESULT_OP,
                                .baseline = &ops[0],
                                .calls = 5000,
                                .failed = 7,
                                .data_bytes = 4096,
                                .retransmissions = 3,
                                .reconnections = 1,
                                .has_above_null = true,
                                .has_split = true,
                                .has_mean_cost = true};
    skipped[0] = (struct result_skipped){"readdirplus", "NFS3ERR_NOTSUPP"};
    skipped[1] = (struct result_skipped){"readlink", "there is no symbolic link"};
    *result = (struct result){.target = {.address = "127.0.0.1",
                                         .nfs_port = 2049,
                                         .mount_port = 2049,
                                         .flavors = "AUTH_SYS, krb5",
                                         .limits = {.rtmax = 32768,
                                                    .rtpref = 1024,
                                                    .wtmax = 32768,
                                                    .wtpref = 1024,
                                                    .dtpref = 1024,
                                                    .name_max = 255,
                                                    .bytes = 64000000000,
                                                    .bytes_free = 32000000000,
                                                    .files = 1000000,
                                                    .files_free = 999000},
                                         .mount_ns = 3000000,
                                         .look_up_ns = 100000,
                                         .connect_ns = 200000},
                              .ops = ops,
                              .op_count = 3,
                              .skipped = skipped,
                              .skipped_count = 2,
                              .stalls = stalls,
                              .stall_count = 2,
                              .validity = {VERDICT_SUSPECT, .count = 1}};
    result->validity.reasons[0] = (struct validity_reason){
        .name = "drift", .verdict = VERDICT_SUSPECT, .text = "the level was still changing"};
}

static void fill_load(struct survey_part *part)
{
    cell = (struct experiment_cell){.op = "getattr", .setting.depth = 64};
    scaling = (struct experiment_scaling){.op = "getattr", .has_knee = true};
    scaling.knee.lower_bound = true;
    diagnosis = (struct experiment_diagnosis){.op = "getattr",
                                              .answer = {.limit = BOTTLENECK_CALL_RATE,
                                                         .sureness = BOTTLENECK_LIKELY,
                                                         .evidence = "2000 calls/s"}};
    part->scaling = &scaling;
    part->diagnosis = &diagnosis;
    part->most = part->limit = part->alone = &cell;
}

static void fill_alone(struct survey_part *part)
{
    phases[0] = (struct breakdown_part){.kind = "client", .ns = {7500, NAN, NAN}};
    phases[1] = (struct breakdown_part){.kind = "network-and-server", .ns = {3400, NAN, NAN}};
    breakdown = (struct breakdown){.whole = {10900, NAN, NAN}, .parts = phases, .part_count = 2};
    part->file.breakdowns = &breakdown;
    part->file.result.config.load.depth = 1;
}

static void fill_more(void)
{
    if (!services)
        services = json_pack("{s:s, s:s, s:s, s:s, s:[], s:n, s:s, s:[], s:n, s:{s:s, s:s, s:n}}",
                             "kind", "services", "schema", RESULT_SCHEMA, "target",
                             "server:", "address", "192.0.2.1", "services", "services_missing",
                             "nfs_over", "TCP and UDP", "exports", "exports_missing", "tool",
                             "name", "nfsbench", "version", "0.1.0", "build");
    survey.writes = true;
    survey.cut_short_by = "interrupted";
    strcpy(survey.origin.start, "2026-01-02T03:04:05+00:00");
    strcpy(survey.passed, "--proto=udp");
    survey.parts[SURVEY_SERVICES].json = services;
    strcpy(survey.parts[SURVEY_STREAM].missing, "READ was answered by NFS3ERR_ACCES");
    fill_calls(&survey.parts[SURVEY_CALLS].file.result);
    fill_load(&survey.parts[SURVEY_LOAD]);
    fill_alone(&survey.parts[SURVEY_ALONE]);
    figures_set_missing(view_survey.fields, &survey);
    survey.parts[SURVEY_CALLS].file.result.evidence.others = 0.6;
    survey_conclude(&survey);
}

const void *sample_SURVEY(bool full)
{
    fill();
    if (full)
        fill_more();
    return &survey;
}
