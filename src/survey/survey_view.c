/* A survey's fields, its screen of 24 lines, and the reading of its files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/experiment_parts.h"
#include "output/result/result_fields.h"
#include "output/result/result_json.h"
#include "survey/survey.h"
#include "version.h"

#define AT(member)     FIELD_AT(struct survey, member)
#define PART(member)   FIELD_AT(struct survey_part, member)
#define STEADY(member) FIELD_AT(struct survey_steadiness, member)

const char *const survey_step_keys[] = {"calls",  "services", "large_reads", "writes", "load",
                                        "stream", "alone",    "knee",        NULL};

static const char *key_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey *survey = root;

    return survey_step_keys[(const struct survey_part *)object - survey->parts];
}

static json_t *write_part(const void *object, const void *root)
{
    return json_incref(((const struct survey_part *)object)->json);
}

/* Return the mean number of calls that the server works on at a sweep's limit: by the utilization
 * law, the throughput times the time by which a call alone exceeds NULL. NAN: unknown. */
static double calls_in_work(const void *object, const void *root)
{
    const struct survey_part *part = object;

    return part->alone && part->limit ? part->limit->intervals[CELL_RATE].estimate *
                                            part->alone->intervals[CELL_COST].estimate / 1e9
                                      : NAN;
}

static const char *phases(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey_part *part = object;

    return part->file.breakdowns ? breakdown_kinds(part->file.breakdowns, room) : NULL;
}

#define RESULT               FIELD_SHOWN | FIELD_ROOT, .fields = result_file_fields
#define POINTS(member, list) FIELD_TO(struct survey_part, member, list), FIELD_SHOWN

static const struct field part_fields[] = {
    {"part", FIELD_WORD, .flags = FIELD_KEY, .text = key_of},
    {"result", FIELD_OWN, .write = write_part,
     .schema = "{\"anyOf\": [{\"$ref\": \"measurement.json\"}, {\"$ref\": \"experiment.json\"}, "
               "{\"$ref\": \"explanation.json\"}, {\"$ref\": \"services.json\"}]}"},
    /* members of the part's result, for the screen and the rules */
    {"run", FIELD_OBJECT, PART(file.result), RESULT},
    {NULL, FIELD_POINTER, POINTS(diagnosis, diagnosis_fields)},
    {"scaling", FIELD_POINTER, POINTS(scaling, scaling_fields)},
    {"alone", FIELD_POINTER, POINTS(alone, cell_fields)},
    {"most", FIELD_POINTER, POINTS(most, cell_fields)},
    {"limit", FIELD_POINTER, POINTS(limit, cell_fields)},
    {"calls_in_work", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = calls_in_work},
    {"phases", FIELD_TEXT, .flags = FIELD_SHOWN, .text = phases},
    FIELD_END,
};

static const struct field step_fields[] = {
    {"part", FIELD_WORD, .flags = FIELD_KEY, .text = key_of},
    {"seconds", FIELD_QUANTITY, PART(seconds)},
    {"missing", FIELD_BUFFER, PART(missing), FIELD_OR_NONE},
    FIELD_END,
};

static const struct field steadiness_fields[] = {
    {"stalls", FIELD_COUNT, STEADY(stalls)},
    {"longest_stall_s", FIELD_QUANTITY, STEADY(longest_stall_s)},
    {"sent_again", FIELD_COUNT, STEADY(sent_again)},
    {"reconnections", FIELD_COUNT, STEADY(reconnections)},
    {"tail", FIELD_QUANTITY, STEADY(tail)},
    {"tail_op", FIELD_WORD, STEADY(tail_op), FIELD_OR_NULL},
    {"drift", FIELD_TEXT, STEADY(drift), FIELD_OR_NULL},
    FIELD_END,
};

static const struct field finding_fields[] = {
    {"name", FIELD_WORD, FIELD_AT(struct result_finding, name), FIELD_NAME},
    {"text", FIELD_BUFFER, FIELD_AT(struct result_finding, text)},
    {"next", FIELD_BUFFER, FIELD_AT(struct result_finding, next)},
    FIELD_END,
};

/* Return the throughput of large READs divided by that of the sweep's READs with one call in
 * flight, both computed from typical times. NAN: unknown. */
static double large_share(const void *object, const void *root)
{
    const struct survey_part *parts = ((const struct survey *)object)->parts;
    const struct result_op *read = result_find(&parts[SURVEY_LARGE_READS].file.result, "read");
    const struct experiment_cell *alone = parts[SURVEY_STREAM].alone;

    return read && alone ? read->data_bytes / read->latency.p50 *
                               alone->intervals[CELL_TYPICAL].estimate / alone->setting.size
                         : NAN;
}

static const char *text_of(const void *survey, enum survey_step step, const char *key)
{
    return json_string_value(
        json_object_get(((const struct survey *)survey)->parts[step].json, key));
}

static const char *nfs_over(const void *object, const void *root, char room[FIELD_ROOM])
{
    return text_of(object, SURVEY_SERVICES, "nfs_over");
}

static const char *server_missing(const void *object, const void *root, char room[FIELD_ROOM])
{
    return text_of(object, SURVEY_ALONE, "server_missing");
}

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), .fields = origin_members},
    {NULL, FIELD_OBJECT, AT(origin), .fields = origin_security},
    {"duration_s", FIELD_QUANTITY, AT(duration)},
    {"writes", FIELD_FLAG, AT(writes)},
    {"passed", FIELD_BUFFER, AT(passed), FIELD_OR_NONE},
    {"self", FIELD_FLAG, AT(self), FIELD_SHOWN},
    {"calls", FIELD_OBJECT, AT(parts[SURVEY_CALLS].file.result), RESULT},
    {"limits", FIELD_OBJECT, AT(parts[SURVEY_CALLS].file.result), FIELD_SHOWN,
     .fields = limits_fields},
    {"nfs_over", FIELD_WORD, .flags = FIELD_SHOWN, .text = nfs_over},
    {"load", FIELD_OBJECT, AT(parts[SURVEY_LOAD]), FIELD_SHOWN, .fields = part_fields},
    {"large_share", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = large_share},
    {"server_missing", FIELD_TEXT, .flags = FIELD_SHOWN, .text = server_missing},
    {"findings", FIELD_ARRAY, FIELD_ITEMS(struct survey, findings, finding_count, finding_fields)},
    {"machine_busy", FIELD_FLAG, AT(is_machine_busy), FIELD_SHOWN},
    {"looked_for", FIELD_BUFFER, AT(looked_for)},
    {"steadiness", FIELD_OBJECT, AT(steadiness), .fields = steadiness_fields},
    {"steps", FIELD_ARRAY, FIELD_TO(struct survey, parts, step_fields), .names = survey_step_keys},
    {"parts", FIELD_ARRAY, FIELD_TO(struct survey, parts, part_fields), FIELD_BY_NAME,
     .names = survey_step_keys},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

/* Condition of a line: it is shown if the condition OR holds, or if the screen has room for it. The
 * screen has room if there are fewer than 3 findings, and --writes is not given. UP: path from the
 * row to the survey, such as "^". */
#define IF_ROOM(or, up) or "|" up "findings<3 " or "|!" up "writes"

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  survey of {target}  NFSv3 over {transport}  {auth}"
     "{?  xprtsec={xprtsec}}"},
    {"{!CUT SHORT}: {cut_short_by}", .tone = TERMINAL_DOUBTFUL},
    {"{calls.target.address} port {calls.target.nfs_port}{? over {nfs_over}}, MOUNT "
     "{calls.target.mount_port}{?; {calls.target.auth_offered}}"},
    {"mounted in {calls.setup.mount_ns/1000000:1} ms"
     "{?; look-up {calls.setup.look_up_ns/1000000:1}}"
     "{?, port mapper {calls.setup.port_mapper_ns/1000000:1}}"
     "{?, connect {calls.setup.connect_ns/1000000:2}}",
     .when = "calls.setup.mount_ns", .flags = VIEW_VERBOSE},
    {"READ up to {limits.rtmax:,} bytes, WRITE {limits.wtmax:,}"
     "{?, names of {limits.name_max}}{?; {limits.bytes_free/1000000000:1} GB free}",
     .when = IF_ROOM("-v", "")},
    {"READ preferably {limits.rtpref:,} bytes, WRITE {limits.wtpref:,}, lists {limits.dtpref:,}; "
     "{limits.files_free:,} of {limits.files:,} files free",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column cost_columns[] = {
    {"{op}{? {bytes.data:0}}", "us", .width = 15},
    {"latency_ns.p50", "p50", 0, 1, VIEW_US, .width = 8},
    {"latency_ns.p99", "p99", 0, 1, VIEW_US, .width = 8},
    {"above_null_ns", "above null", 0, 1, VIEW_US},
    {"above_null_ns", "95 %", 0, 1, VIEW_US, .flags = VIEW_RANGE},
    {"model.server_ns", "server", 2, 1, VIEW_US, .flags = VIEW_IF_ANY, .width = 7},
    {"mb_per_s", "MB/s", 1, VIEW_GROUPED, .flags = VIEW_IF_ANY},
    {NULL},
};

static const struct view_column load_columns[] = {
    {"{most.op}{? {most.size}}", "most", .width = 12},
    {"most.throughput_per_s.level", "calls/s", 0, VIEW_GROUPED, .width = 8},
    {"most.mb_per_s.level", "MB/s", 0, VIEW_GROUPED, .flags = VIEW_IF_ANY},
    {"{?(scaling.knee.lower_bound)> |}{scaling.knee.concurrency:1}", "knee", .width = 6},
    {"{limited_by} ({sureness})", "limited by", .flags = VIEW_LEFT},
    {NULL},
};

/* Every measurement has the op NULL, but only that of the first is shown. */
static const struct view_table tables[] = {
    {"parts/run.ops", NULL, cost_columns,
     .when = "role=op|^part=calls !role=null_control " IF_ROOM(
         "-v|role=null|op=getattr|op=read|^^writes", "^^")},
    {"parts", NULL, load_columns, .when = "most"},
    {NULL},
};

static const struct view_line notes[] = {
    {"  {op}: {phrase}: {evidence}", "parts", .flags = VIEW_VERBOSE},
    {"  depth {run.config.depth}: {phases}", "parts", .when = IF_ROOM("-v", "^")},
    {"  the server's own phases are not known: {server_missing}", .when = IF_ROOM("-v", "")},
    {"  steady: {steadiness.stalls#stall}, {steadiness.sent_again} sent again, "
     "{steadiness.reconnections#reconnection}, p99.9/p50 {steadiness.tail:0} "
     "({steadiness.tail_op})"},
    {"  drift: {steadiness.drift}", .flags = VIEW_VERBOSE},
    {"  {!suspect}: {*parts(!run.validity.verdict=ok)|{part}}{?(steadiness.drift); drift}",
     .tone = TERMINAL_DOUBTFUL},
    {"    {part}: {run.validity.main}", "parts", .flags = VIEW_VERBOSE},
    {"  {!busy machine}: other processes used {calls.validity.evidence.others/0.01:0} % of the "
     "processors in use, so some findings on times are left out",
     .when = "machine_busy", .tone = TERMINAL_DOUBTFUL},
    {"  not known: {part}: {missing}", "steps"},
    {"  not measured: {op}: {reason}", "parts/run.skipped",
     .when = "!reason~NFS3ERR_ !reason~UNAVAIL", .most = 2},
    {"  nothing stands out; looked for: {looked_for}", .when = "!findings"},
    {"  {#}. {text}", "findings", .when = "#<6", .tone = TERMINAL_MUCH_WORSE},
    {"       {next}", "findings", .when = "#<6"},
    {"  {findings} findings in all: see --json", .when = "findings>5"},
    {NULL},
};

int survey_read_part(struct result_file *file, const json_t *root, const char *name,
                     struct error *error)
{
    enum result_kind kind;
    int code = result_kind_of_root(root, name, &kind, error);

    if (code == 0 && view_of_kind(kind)->reading && kind != RESULT_SURVEY)
        code = result_file_read_root(file, root, name, "this", error);
    if (code)
        result_file_free(file);
    return code;
}

static const struct field read_fields[] = {
    {"findings", FIELD_LIST,
     FIELD_ITEMS(struct result_file, findings, finding_count, finding_fields),
     .maximum = SURVEY_FINDINGS},
    {"looked_for", FIELD_TEXT, FIELD_AT(struct result_file, looked_for)},
    FIELD_END,
};

static int read_survey(struct result_file *file, const json_t *root, const char *path,
                       struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};
    const json_t *parts = json_take_object(&reader, root, "parts");

    result_file_read_origin(&reader, root, &file->result);
    fields_read(&reader, root, read_fields, file);
    file->parts = json_room(&reader, SURVEY_STEPS, sizeof *file->parts);
    for (size_t i = 0; i < SURVEY_STEPS && reader.code == 0; i++) {
        struct result_file *part = &file->parts[file->part_count];
        const json_t *from = json_object_get(parts, survey_step_keys[i]);
        char name[400];

        snprintf(name, sizeof name, "%.300s, %s", path, survey_step_keys[i]);
        if (!from || (reader.code = survey_read_part(part, from, name, error)) || !part->reading)
            continue;
        part->key = survey_step_keys[i];
        part->result.path = arena_copy(&part->result.arena, name);
        file->part_count++;
    }
    return reader.code;
}

static const struct result_reading reading = {.plural = "surveys", .read = read_survey};

const struct view view_survey = {RESULT_SURVEY, fields, head, tables, notes, &reading};

void survey_free(struct survey *survey)
{
    for (size_t step = 0; step < SURVEY_STEPS; step++) {
        result_file_free(&survey->parts[step].file);
        json_decref(survey->parts[step].json);
        survey->parts[step].json = NULL;
    }
}
