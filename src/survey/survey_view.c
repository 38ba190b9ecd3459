/* A survey as data, and what people see of it. */
#include <math.h>
#include <string.h>

#include "common/append.h"
#include "survey/survey.h"
#include "version.h"

#define AT(member)     FIELD_AT(struct survey, member)
#define SERVER(member) FIELD_AT(struct survey_server, member)
#define PART(member)   FIELD_AT(struct survey_part, member)
#define COST(member)   FIELD_AT(struct survey_cost, member)
#define LOAD(member)   FIELD_AT(struct survey_load, member)
#define TIME(member)   FIELD_AT(struct survey_time, member)
#define STEADY(member) FIELD_AT(struct survey_steadiness, member)

/* Who answers */

static const char *transports(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey_server *server = object;

    return server->tcp && server->udp ? "TCP and UDP" : server->tcp ? "TCP" : "UDP";
}

/* Would clients use larger ones? */
static double small_transfers(const void *object, const void *root)
{
    enum { SMALL = 64 << 10 };
    const struct survey_server *server = object;

    return server->has_fsinfo && (server->rtmax <= SMALL || server->wtmax <= SMALL);
}

#define FSINFO(member)   SERVER(member), FIELD_OR_NULL, FIELD_IF(struct survey_server, has_fsinfo)
#define PATHCONF(member) SERVER(member), FIELD_OR_NULL, FIELD_IF(struct survey_server, has_pathconf)
#define FSSTAT(member)   SERVER(member), FIELD_OR_NULL, FIELD_IF(struct survey_server, has_fsstat)

static const struct field server_fields[] = {
    {"address", FIELD_BUFFER, SERVER(address)},
    {"nfs_port", FIELD_COUNT, SERVER(nfs_port)},
    {"mount_port", FIELD_COUNT, SERVER(mount_port)},
    {"tcp", FIELD_FLAG, SERVER(tcp)},
    {"udp", FIELD_FLAG, SERVER(udp)},
    {"transports", FIELD_WORD, .flags = FIELD_SHOWN, .text = transports},
    {"flavors", FIELD_BUFFER, SERVER(flavors), FIELD_OR_NONE},
    {"look_up_ns", FIELD_QUANTITY, SERVER(look_up)},
    {"port_mapper_ns", FIELD_QUANTITY, SERVER(port_mapper)},
    {"mount_ns", FIELD_QUANTITY, SERVER(mount)},
    {"connect_ns", FIELD_QUANTITY, SERVER(connect)},
    {"rtmax", FIELD_COUNT, FSINFO(rtmax)},
    {"rtpref", FIELD_COUNT, FSINFO(rtpref)},
    {"wtmax", FIELD_COUNT, FSINFO(wtmax)},
    {"wtpref", FIELD_COUNT, FSINFO(wtpref)},
    {"dtpref", FIELD_COUNT, FSINFO(dtpref)},
    {"small_transfers", FIELD_COUNT, .flags = FIELD_SHOWN, .number = small_transfers},
    {"links", FIELD_FLAG, SERVER(links)},
    {"symbolic_links", FIELD_FLAG, SERVER(symbolic_links)},
    {"name_max", FIELD_COUNT, PATHCONF(name_max)},
    {"link_max", FIELD_COUNT, PATHCONF(link_max)},
    {"case_insensitive", FIELD_FLAG, SERVER(case_insensitive)},
    {"bytes", FIELD_COUNT, FSSTAT(bytes)},
    {"bytes_free", FIELD_COUNT, FSSTAT(bytes_free)},
    {"files", FIELD_COUNT, FSSTAT(files)},
    {"files_free", FIELD_COUNT, FSSTAT(files_free)},
    FIELD_END,
};

/* Parts */

static const char *key_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey *survey = root;

    return survey_step_keys[(const struct survey_part *)object - survey->parts];
}

static json_t *write_part(const void *object, const void *root)
{
    return json_incref(((const struct survey_part *)object)->json);
}

static const struct field part_fields[] = {
    {"part", FIELD_WORD, .flags = FIELD_KEY, .text = key_of},
    {"result", FIELD_OWN, .write = write_part,
     .schema = "{\"anyOf\": [{\"$ref\": \"measurement.json\"}, {\"$ref\": \"experiment.json\"}, "
               "{\"$ref\": \"explanation.json\"}, {\"$ref\": \"services.json\"}]}"},
    FIELD_END,
};

static const char *command_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const json_t *words = json_object_get(((const struct survey_part *)object)->json, "command");

    room[0] = '\0';
    for (size_t i = 0; i < json_array_size(words); i++)
        field_append(room, "%s%s", i ? " " : "", json_string_value(json_array_get(words, i)));
    return *room ? room : NULL;
}

/* Of a result that was read. */
static const char *verdict_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_file *file = &((const struct survey_part *)object)->file;

    return file->reading ? verdict_name(file->result.validity.verdict) : NULL;
}

static const struct field step_fields[] = {
    {"part", FIELD_WORD, .flags = FIELD_KEY, .text = key_of},
    {"command", FIELD_TEXT, .flags = FIELD_SHOWN, .text = command_of},
    {"seconds", FIELD_QUANTITY, PART(seconds)},
    {"verdict", FIELD_WORD, .text = verdict_of},
    {"missing", FIELD_BUFFER, PART(missing), FIELD_OR_NONE},
    FIELD_END,
};

/* Figures */

/* The bytes that a larger READ moves in its typical time, of those that the READs of the sweep move
 * in that time, one at a time. */
static double large_share(const void *object, const void *root)
{
    const struct survey *survey = root;
    const struct survey_cost *cost = object;

    for (size_t i = 0; i < survey->load_count; i++) {
        const struct survey_load *load = &survey->loads[i];

        if (strcmp(cost->op, "read") == 0 && load->bytes > 0 && cost->bytes > load->bytes)
            return (double)cost->bytes / cost->p50 * load->alone.estimate / (double)load->bytes;
    }
    return NAN;
}

/* What rare slow calls add for certain, of the typical time. */
static double rare_share(const void *object, const void *root)
{
    const struct survey_cost *cost = object;

    return cost->rare.low / cost->p50;
}

static const struct field cost_fields[] = {
    {"op", FIELD_WORD, COST(op), FIELD_KEY},
    {"bytes", FIELD_COUNT, COST(bytes), FIELD_OR_NONE | FIELD_KEY},
    {"calls", FIELD_COUNT, COST(calls)},
    {"failed", FIELD_COUNT, COST(failed)},
    {"p50_ns", FIELD_QUANTITY, COST(p50)},
    {"p99_ns", FIELD_QUANTITY, COST(p99)},
    {"above_null_ns", FIELD_INTERVAL, COST(above_null), FIELD_OR_NAN},
    {"server_ns", FIELD_INTERVAL, COST(server), FIELD_OR_NAN},
    {"rare_ns", FIELD_INTERVAL, COST(rare), FIELD_OR_NAN},
    {"mb_per_s", FIELD_QUANTITY, COST(megabytes_per_s), FIELD_OR_NAN},
    {"large_share", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = large_share},
    {"rare_share", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = rare_share},
    FIELD_END,
};

/* Did the server say so, or does the export have nothing to call it for? */
static double by_server(const void *object, const void *root)
{
    const struct survey_lacking *lacking = object;

    return lacking->reason && (strstr(lacking->reason, "NFS3ERR_") != NULL ||
                               strstr(lacking->reason, "UNAVAIL") != NULL);
}

static const struct field lacking_fields[] = {
    {"op", FIELD_WORD, FIELD_AT(struct survey_lacking, op), FIELD_KEY},
    {"reason", FIELD_TEXT, FIELD_AT(struct survey_lacking, reason)},
    {"by_server", FIELD_COUNT, .flags = FIELD_SHOWN, .number = by_server},
    FIELD_END,
};

/* Is it sure what limits it, or at least likely where the rate is known to a sixth? */
static double certain(const void *object, const void *root)
{
    const struct survey_load *load = object;

    return load->sureness == BOTTLENECK_SURE ||
           (load->sureness == BOTTLENECK_LIKELY &&
            load->limit_rate.high - load->limit_rate.low < load->limit_rate.estimate / 3);
}

static const struct field load_fields_of[] = {
    {"op", FIELD_WORD, LOAD(op), FIELD_KEY},
    {"bytes", FIELD_COUNT, LOAD(bytes), FIELD_OR_NONE},
    {"knee", FIELD_INTERVAL, LOAD(knee)},
    {"grows", FIELD_FLAG, LOAD(grows)},
    {"rate_per_s", FIELD_INTERVAL, LOAD(rate)},
    {"alone_ns", FIELD_INTERVAL, LOAD(alone)},
    {"mb_per_s", FIELD_QUANTITY, LOAD(megabytes_per_s), FIELD_OR_NAN},
    {"limit_rate_per_s", FIELD_INTERVAL, LOAD(limit_rate)},
    {"limited_by", FIELD_CHOICE, LOAD(limit), .names = bottleneck_names},
    {"phrase", FIELD_CHOICE, LOAD(limit), FIELD_SHOWN, .names = bottleneck_phrases},
    {"sureness", FIELD_CHOICE, LOAD(sureness), .names = bottleneck_sureness_names},
    {"evidence", FIELD_TEXT, LOAD(evidence), FIELD_OR_NULL},
    {"certain", FIELD_COUNT, .flags = FIELD_SHOWN, .number = certain},
    FIELD_END,
};

static const struct field time_fields[] = {
    {"depth", FIELD_COUNT, TIME(depth), FIELD_KEY},
    {"whole_ns", FIELD_QUANTITY, TIME(whole)},
    {"client_ns", FIELD_QUANTITY, TIME(client)},
    {"network_ns", FIELD_QUANTITY, TIME(network)},
    {"server_ns", FIELD_QUANTITY, TIME(server)},
    {"queueing_ns", FIELD_QUANTITY, TIME(queueing)},
    {"network_and_server_ns", FIELD_QUANTITY, TIME(together)},
    {"server_missing", FIELD_TEXT, TIME(server_missing), FIELD_OR_NULL},
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
    {"name", FIELD_WORD, FIELD_AT(struct survey_finding, name), FIELD_KEY},
    {"text", FIELD_BUFFER, FIELD_AT(struct survey_finding, text)},
    {"next", FIELD_BUFFER, FIELD_AT(struct survey_finding, next)},
    FIELD_END,
};

/* What commands are given */

enum { LARGE_READ = 1 << 20, STREAM_READ = 64 << 10 }; /* bytes, if the server takes so many */

static double read_of(const struct survey *survey, uint32_t most)
{
    const uint32_t rtmax = survey->server.rtmax;

    return rtmax > 0 && rtmax < most ? rtmax : most;
}

static double large_read(const void *object, const void *root)
{
    return read_of(object, LARGE_READ);
}

static double stream_read(const void *object, const void *root)
{
    return read_of(object, STREAM_READ);
}

/* Between 2 and the most calls in flight of the sweep; 16 if the knee is not known. */
static double knee_depth(const void *object, const void *root)
{
    const struct survey *survey = object;
    const double knee = survey->load_count > 0 ? survey->loads[0].knee.estimate : NAN;

    return isnan(knee) ? 16 : fmin(64, fmax(2, round(knee)));
}

/* The whole */

static const char *server_missing(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey *survey = object;

    return survey->time_count > 0 ? survey->times[0].server_missing : NULL;
}

static bool is_doubtful(const struct survey_part *part)
{
    return part->file.reading && part->file.result.validity.verdict != VERDICT_OK;
}

/* The parts that are not to be believed, and why the first is not. */
static const char *doubted(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey *survey = object;

    room[0] = '\0';
    for (size_t step = 0; step < SURVEY_STEPS; step++)
        if (is_doubtful(&survey->parts[step]))
            append_item(room, FIELD_ROOM, "%s", survey_step_keys[step]);
    return room;
}

static const char *doubt(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct survey *survey = object;

    for (size_t step = 0; step < SURVEY_STEPS; step++)
        if (is_doubtful(&survey->parts[step]) && survey->parts[step].file.result.validity.count > 0)
            return survey->parts[step].file.result.validity.reasons[0].text;
    return NULL;
}

/* There is room on the screen for more than costs, loads and findings. */
static double few_findings(const void *object, const void *root)
{
    const struct survey *survey = object;

    return survey->finding_count < 3 && !survey->writes && !survey->steadiness.drift;
}

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), .fields = origin_members},
    {NULL, FIELD_OBJECT, AT(origin), .fields = origin_security},
    {"duration_s", FIELD_QUANTITY, AT(duration)},
    {"writes", FIELD_FLAG, AT(writes)},
    {"passed", FIELD_BUFFER, AT(passed), FIELD_OR_NONE},
    {"host_word", FIELD_BUFFER, AT(host_word), FIELD_SHOWN | FIELD_OR_NONE},
    {"large_read", FIELD_COUNT, .flags = FIELD_SHOWN, .number = large_read},
    {"stream_read", FIELD_COUNT, .flags = FIELD_SHOWN, .number = stream_read},
    {"knee_depth", FIELD_COUNT, .flags = FIELD_SHOWN, .number = knee_depth},
    {"server", FIELD_OBJECT, AT(server), .fields = server_fields},
    {"findings", FIELD_ARRAY, FIELD_ITEMS(struct survey, findings, finding_count, finding_fields)},
    {"findings_left_out", FIELD_COUNT, AT(findings_left_out)},
    {"looked_for", FIELD_BUFFER, AT(looked_for)},
    {"server_missing", FIELD_TEXT, .flags = FIELD_SHOWN, .text = server_missing},
    {"doubted", FIELD_WORD, .flags = FIELD_SHOWN, .text = doubted},
    {"doubt", FIELD_TEXT, .flags = FIELD_SHOWN, .text = doubt},
    {"few_findings", FIELD_COUNT, .flags = FIELD_SHOWN, .number = few_findings},
    {"costs", FIELD_ARRAY, FIELD_ITEMS(struct survey, costs, cost_count, cost_fields)},
    {"lacking", FIELD_ARRAY, FIELD_ITEMS(struct survey, lacking, lacking_count, lacking_fields)},
    {"loads", FIELD_ARRAY, FIELD_ITEMS(struct survey, loads, load_count, load_fields_of)},
    {"times", FIELD_ARRAY, FIELD_ITEMS(struct survey, times, time_count, time_fields)},
    {"steadiness", FIELD_OBJECT, AT(steadiness), .fields = steadiness_fields},
    {"steps", FIELD_ARRAY, FIELD_TO(struct survey, parts, step_fields), .names = survey_step_keys},
    {"parts", FIELD_ARRAY, FIELD_TO(struct survey, parts, part_fields), FIELD_BY_NAME,
     .names = survey_step_keys},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

/* For people, on a screen of 24 lines */

#define IF_ROOM "-v|few_findings"

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  survey of {target}  NFSv3 over {transport}  {auth}"
     "{?  xprtsec={xprtsec}}"},
    {"{!CUT SHORT}: {cut_short_by}", .tone = TERMINAL_DOUBTFUL},
    {"{server.address} port {server.nfs_port} over {server.transports}, MOUNT "
     "{server.mount_port}{?; {server.flavors}}"},
    {"mounted in {server.mount_ns/1000000:1} ms{?; look-up {server.look_up_ns/1000000:1}}"
     "{?, port mapper {server.port_mapper_ns/1000000:1}}{?, connect "
     "{server.connect_ns/1000000:2}}",
     .flags = VIEW_VERBOSE},
    {"READ up to {server.rtmax:,} bytes, WRITE {server.wtmax:,}"
     "{?, names of {server.name_max}}{?; {server.bytes_free/1000000000:1} GB free}",
     .when = IF_ROOM},
    {"READ preferably {server.rtpref:,} bytes, WRITE {server.wtpref:,}, lists {server.dtpref:,}; "
     "{server.files_free:,} of {server.files:,} files free",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column cost_columns[] = {
    {"{op}{? {bytes}}", "us", .width = 15},
    {"p50_ns", "p50", 0, 1, VIEW_US, .width = 8},
    {"p99_ns", "p99", 0, 1, VIEW_US, .width = 8},
    {"above_null_ns", "above null", 0, 1, VIEW_US},
    {"above_null_ns", "95 %", 0, 1, VIEW_US, .flags = VIEW_RANGE},
    {"server_ns", "server", 2, 1, VIEW_US, .flags = VIEW_IF_ANY, .width = 7},
    {"mb_per_s", "MB/s", 1, VIEW_GROUPED, .flags = VIEW_IF_ANY},
    {NULL},
};

static const struct view_column load_columns[] = {
    {"{op}{? {bytes}}", "most", .width = 12},
    {"rate_per_s", "calls/s", 0, VIEW_GROUPED, .width = 8},
    {"mb_per_s", "MB/s", 0, VIEW_GROUPED, .flags = VIEW_IF_ANY},
    {"{?(grows)> |}{knee:1}", "knee", .width = 6},
    {"{limited_by} ({sureness})", "limited by", .flags = VIEW_LEFT, .when = "evidence"},
    {NULL},
};

static const struct view_column step_columns[] = {
    {"part", "part"},
    {"seconds", "seconds", .decimals = 1},
    {"verdict", "verdict", .width = 8},
    {"command", "command", .flags = VIEW_LEFT},
    {NULL},
};

static const struct view_table tables[] = {
    {"costs", NULL, cost_columns, .when = "-v|^few_findings|op=null|op=getattr|op=read|^writes"},
    {"loads", NULL, load_columns},
    {"steps", NULL, step_columns, .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_line notes[] = {
    {"  {op}: {phrase}: {evidence}", "loads", .flags = VIEW_VERBOSE},
    {"  depth {depth}: {whole_ns/1000:1} us, client {client_ns/1000:1}"
     "{?(network_ns>0), network {network_ns/1000:1}}"
     "{?(network_and_server_ns>0), network and server {network_and_server_ns/1000:1}}"
     "{?(server_ns>0), server {server_ns/1000:1}}{?(queueing_ns>0), queues {queueing_ns/1000:1}}",
     "times", .when = "-v|^few_findings"},
    {"  the server's own phases are not known: {server_missing}", .when = IF_ROOM},
    {"  steady: {steadiness.stalls#stall}, {steadiness.sent_again} sent again, "
     "{steadiness.reconnections#reconnection}, p99.9/p50 {steadiness.tail:0} "
     "({steadiness.tail_op})"},
    {"  drift: {steadiness.drift}"},
    {"  {!suspect}: {doubted}{?(-v): {doubt}}", .tone = TERMINAL_DOUBTFUL},
    {"  not known: {part}: {missing}", "steps"},
    {"  not measured: {op}: {reason}", "lacking", .when = "!by_server", .most = 2},
    {"  nothing stands out; looked for: {looked_for}", .when = "!findings"},
    {"  {#}. {text}", "findings", .tone = TERMINAL_MUCH_WORSE},
    {"       {next}", "findings"},
    {"  {findings_left_out#more finding}: see --json", .when = "findings_left_out"},
    {NULL},
};

const struct view view_survey = {RESULT_SURVEY, fields, head, tables, notes, &survey_reading};
