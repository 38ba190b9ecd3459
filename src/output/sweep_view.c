/* A sweep as data. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "output/result_fields.h"
#include "output/sweep.h"
#include "version.h"

/* Figures */

const struct field sweep_trial_fields[] = {{NULL, FIELD_NUMBER, .size = sizeof(double)}, FIELD_END};

#define FIGURE(name, figure) SWEEP_FIGURE(struct sweep_point, name, figure)

static const struct field figure_fields[] = {
    [SWEEP_THROUGHPUT] = FIGURE("throughput_per_s", SWEEP_THROUGHPUT),
    [SWEEP_MEAN] = FIGURE("mean_ns", SWEEP_MEAN),
    [SWEEP_TYPICAL] = FIGURE("typical_ns", SWEEP_TYPICAL),
    [SWEEP_NULL] = FIGURE("null_ns", SWEEP_NULL),
    [SWEEP_COST] = FIGURE("above_null_ns", SWEEP_COST),
    [SWEEP_TURN_AROUND] = FIGURE("turn_around_ns", SWEEP_TURN_AROUND),
    [SWEEP_P50] = FIGURE("p50_ns", SWEEP_P50),
    [SWEEP_P90] = FIGURE("p90_ns", SWEEP_P90),
    [SWEEP_P99] = FIGURE("p99_ns", SWEEP_P99),
    [SWEEP_P999] = FIGURE("p999_ns", SWEEP_P999),
    [SWEEP_MAXIMUM] = FIGURE("max_ns", SWEEP_MAXIMUM),
    [SWEEP_CLIENT_CPU] = FIGURE("client_cpu_share", SWEEP_CLIENT_CPU),
    [SWEEP_CLIENT_THREAD] = FIGURE("client_thread_share", SWEEP_CLIENT_THREAD),
    [SWEEP_SERVER_CPU] = FIGURE("server_cpus", SWEEP_SERVER_CPU),
    [SWEEP_SERVER_SHARE] = FIGURE("server_cpu_share", SWEEP_SERVER_SHARE),
    [SWEEP_SERVER_THREAD] = FIGURE("server_thread_share", SWEEP_SERVER_THREAD),
    [SWEEP_BOTH_CPUS] = FIGURE("both_cpus", SWEEP_BOTH_CPUS),
    [SWEEP_LINK] = FIGURE("link_share", SWEEP_LINK),
    [SWEEP_CLIENT_CALL] = FIGURE("client_cpu_ns_per_call", SWEEP_CLIENT_CALL),
    [SWEEP_LATE] = FIGURE("lateness_p99_ns", SWEEP_LATE),
    [SWEEP_MEGABYTES] = FIGURE("mb_per_s", SWEEP_MEGABYTES),
    [SWEEP_PACKETS] = FIGURE("rx_packets_per_call", SWEEP_PACKETS),
    [SWEEP_BYTES] = FIGURE("rx_bytes_per_call", SWEEP_BYTES),
    [SWEEP_INTERRUPTS] = FIGURE("interrupts_per_call", SWEEP_INTERRUPTS),
    [SWEEP_NET_RX] = FIGURE("net_rx_per_call", SWEEP_NET_RX),
    FIELD_END,
};

const char *sweep_figure_name(enum sweep_figure figure)
{
    return figure_fields[figure].key;
}

static void read_figure(struct json_reader *reader, const json_t *from, const struct field *figure,
                        void *object)
{
    const struct field *trials = &figure->fields[1];
    const size_t count = *(const size_t *)(const void *)((const char *)object + trials->count);
    double *values = field_in(trials, object);
    const json_t *array;
    size_t there;

    json_take_interval(reader, from, "level", field_in(&figure->fields[0], object));
    array = json_take_array(reader, from, "trials", SWEEP_REPEATS_MAXIMUM, &there);
    if (from && there != count)
        json_refuse(reader, " has figures of another number of trials");
    for (size_t i = 0; i < count; i++) {
        const json_t *trial = json_array_get(array, i);
        double value = json_number_value(trial);

        values[i] = json_is_number(trial) && fabs(value) <= 1e18 ? value : NAN;
    }
}

void sweep_read_figures(struct json_reader *reader, const json_t *from, const struct field *figures,
                        void *object)
{
    for (; figures->kind && reader->code == 0; figures++)
        read_figure(reader, json_take_object(reader, from, figures->key), figures, object);
}

static void read_figures(struct json_reader *reader, const json_t *from, void *object)
{
    sweep_read_figures(reader, from, figure_fields, object);
}

/* Points */

static const struct field little_fields[] = {
    {"discrepancy", FIELD_INTERVAL, FIELD_AT(struct little, discrepancy)},
    {"verdict", FIELD_CHOICE, FIELD_AT(struct little, verdict), FIELD_OR_LAST,
     .names = little_verdict_names},
    FIELD_END,
};

static const char *op_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    return ((const struct sweep *)root)->op;
}

static bool is_search(const void *object, const void *root)
{
    return ((const struct sweep *)root)->objective_text;
}

/* A search says of each of its probes whether the objective was held. */
static json_t *write_held(const void *object, const void *root)
{
    const struct sweep_point *point = object;

    return point->answer == OBJECTIVE_NO_ANSWER ? json_null()
                                                : json_boolean(point->answer == OBJECTIVE_HELD);
}

static void read_held(struct json_reader *reader, const json_t *from, void *object)
{
    struct sweep_point *point = object;
    const bool held = json_take_flag(reader, from, "held");

    point->answer = !json_find(from, "held") ? OBJECTIVE_NO_ANSWER
                    : held                   ? OBJECTIVE_HELD
                                             : OBJECTIVE_FAILED;
}

static const char *const answers[] = {
    [OBJECTIVE_NO_ANSWER] = "no answer", [OBJECTIVE_FAILED] = "no", [OBJECTIVE_HELD] = "yes", NULL};

#define POINT(member) FIELD_AT(struct sweep_point, member)

static const struct field point_fields[] = {
    {"op", FIELD_WORD, .flags = FIELD_SHOWN | FIELD_KEY, .text = op_of},
    {"clients", FIELD_COUNT, POINT(setting.clients), FIELD_KEY},
    {"connections", FIELD_COUNT, POINT(setting.connections)},
    {"depth", FIELD_COUNT, POINT(setting.depth), FIELD_KEY},
    {"size", FIELD_COUNT, POINT(setting.size), FIELD_KEY},
    {"rate_per_s", FIELD_QUANTITY, POINT(setting.rate), FIELD_OR_NULL | FIELD_KEY},
    {"trials", FIELD_COUNT, POINT(repeats), .maximum = SWEEP_REPEATS_MAXIMUM},
    {"invalid_trials", FIELD_COUNT, POINT(invalid), .maximum = SWEEP_REPEATS_MAXIMUM},
    {"out_of_reach", FIELD_FLAG, POINT(out_of_reach)},
    {"limited_by", FIELD_CHOICE, POINT(bottleneck), .names = bottleneck_names},
    {"limit", FIELD_CHOICE, POINT(bottleneck), FIELD_SHOWN, .names = bottleneck_names,
     FIELD_IF(struct sweep_point, repeats)},
    {NULL, FIELD_OBJECT, .flags = FIELD_UNREAD, .fields = figure_fields},
    {NULL, FIELD_OWN, .read = read_figures},
    {"little", FIELD_OBJECT, POINT(little), FIELD_SETS_IF, FIELD_IF(struct sweep_point, has_little),
     .fields = little_fields},
    {"held", FIELD_OWN, .known = is_search, .write = write_held, .read = read_held,
     .schema = "{\"type\": [\"boolean\", \"null\"]}"},
    {"answer", FIELD_CHOICE, POINT(answer), FIELD_SHOWN, .names = answers,
     FIELD_IF(struct sweep_point, repeats)},
    FIELD_END,
};

/* What the points teach about concurrency */

#define LAW(member) FIELD_AT(struct scalability, member)

static const struct field law_fields[] = {
    {"lambda", FIELD_INTERVAL, LAW(lambda)},
    {"sigma", FIELD_INTERVAL, LAW(sigma)},
    {"kappa", FIELD_INTERVAL, LAW(kappa)},
    {"peak_concurrency", FIELD_INTERVAL, LAW(peak_concurrency)},
    {"peak_throughput", FIELD_INTERVAL, LAW(peak_throughput)},
    {"peak_beyond", FIELD_FLAG, LAW(peak_beyond)},
    {"r_squared", FIELD_NUMBER, LAW(r_squared)},
    {"residual_largest", FIELD_NUMBER, LAW(residual_largest)},
    {"residual_concurrency", FIELD_NUMBER, LAW(residual_concurrency), FIELD_SHOWN},
    FIELD_END,
};

#define KNEE(member) FIELD_AT(struct knee, member)

static const struct field knee_fields[] = {
    {"concurrency", FIELD_INTERVAL, KNEE(concurrency)},
    {"throughput_maximum", FIELD_INTERVAL, KNEE(throughput_maximum)},
    {"response_minimum_ns", FIELD_INTERVAL, KNEE(response_minimum)},
    {"lower_bound", FIELD_FLAG, KNEE(lower_bound)},
    FIELD_END,
};

static bool has_no_law(const void *object, const void *root)
{
    return !((const struct sweep_scaling *)object)->has_law;
}

#define SCALING(member) FIELD_AT(struct sweep_scaling, member)

static const struct field scaling_fields[] = {
    {"size", FIELD_COUNT, SCALING(size), FIELD_KEY},
    {"law", FIELD_OBJECT, SCALING(law), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct sweep_scaling, has_law), .fields = law_fields},
    {"law_missing", FIELD_BUFFER, SCALING(missing), .known = has_no_law},
    {"knee", FIELD_OBJECT, SCALING(knee), FIELD_SETS_IF, FIELD_IF(struct sweep_scaling, has_knee),
     .fields = knee_fields},
    FIELD_END,
};

/* What they teach about size */

#define PIECE(member) FIELD_AT(struct piecewise_piece, member)

static const struct field piece_fields[] = {
    {"first", FIELD_QUANTITY, PIECE(first)},
    {"last", FIELD_QUANTITY, PIECE(last)},
    {"fixed_ns", FIELD_INTERVAL, PIECE(fixed_ns), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct piecewise_piece, fixed_known)},
    {"ns_per_byte", FIELD_INTERVAL, PIECE(ns_per_byte), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct piecewise_piece, slope_known)},
    {"misfit_ns", FIELD_NUMBER, PIECE(misfit_ns)},
    FIELD_END,
};

static bool is_step(const void *object, const void *root)
{
    return !(((const struct piecewise_break *)object)->jump_ns.low <= 0);
}

#define BREAK(member) FIELD_AT(struct piecewise_break, member)

static const struct field break_fields[] = {
    {"size", FIELD_INTERVAL, BREAK(size)},
    {"next", FIELD_QUANTITY, BREAK(next)},
    {"jump_ns", FIELD_INTERVAL, BREAK(jump_ns)},
    {"step_ns", FIELD_INTERVAL, BREAK(jump_ns), FIELD_SHOWN, .known = is_step},
    FIELD_END,
};

/* There is one more than breaks, which are read before; or none. */
static void check_pieces(struct json_reader *reader, const json_t *from, void *object)
{
    const struct sweep_sizes *sizes = object;

    if (sizes->piece_count != sizes->cost.breaks + (sizes->piece_count > 0))
        json_refuse(reader, " has breaks that are not between its pieces");
}

static bool has_no_cost(const void *object, const void *root)
{
    return ((const struct sweep_sizes *)object)->piece_count == 0;
}

static const char *const bases[] = {"typical time", "cost above null", NULL};

#define SIZES(member)               FIELD_AT(struct sweep_sizes, member)
#define OF_SIZES(member, count, to) FIELD_ITEMS(struct sweep_sizes, member, count, to)

const struct field sweep_sizes_fields[] = {
    {"clients", FIELD_COUNT, SIZES(clients), FIELD_KEY},
    {"depth", FIELD_COUNT, SIZES(depth), FIELD_KEY},
    {"above_null", FIELD_FLAG, SIZES(above_null)},
    {"basis", FIELD_CHOICE, SIZES(above_null), FIELD_SHOWN, .names = bases},
    {"breaks", FIELD_ARRAY, OF_SIZES(cost.at, cost.breaks, break_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM},
    {"pieces", FIELD_ARRAY, OF_SIZES(cost.piece, piece_count, piece_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM + 1},
    {NULL, FIELD_OWN, .read = check_pieces},
    {"missing", FIELD_BUFFER, SIZES(missing), .known = has_no_cost},
    {"residual_largest", FIELD_NUMBER, SIZES(cost.residual_largest), FIELD_SHOWN,
     FIELD_IF(struct sweep_sizes, piece_count)},
    {"residual_size", FIELD_NUMBER, SIZES(cost.residual_size), FIELD_SHOWN},
    FIELD_END,
};

/* What a search found */

static double lowest_rate(const void *object, const void *root)
{
    const struct sweep *sweep = object;
    double rate = NAN;

    for (size_t i = 0; i < sweep->point_count; i++)
        rate = fmin(rate, sweep->points[i].setting.rate);
    return rate;
}

static double highest_rate(const void *object, const void *root)
{
    const struct sweep *sweep = object;
    double rate = NAN;

    for (size_t i = 0; i < sweep->point_count; i++)
        rate = fmax(rate, sweep->points[i].setting.rate);
    return rate;
}

static double held_at_times(const void *object, const void *root)
{
    const struct sweep *sweep = object;
    size_t held = 0;

    for (size_t i = 0; i < sweep->point_count; i++)
        held += sweep->points[i].answer == OBJECTIVE_HELD;
    return (double)held;
}

static const char *lack_of_calls(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct sweep *sweep = object;

    if (sweep->probes.calls_least >= sweep->probes.calls_wanted)
        return NULL;
    snprintf(room, FIELD_ROOM, "%" PRIu64 " %s", sweep->probes.calls_wanted,
             sweep->trial_calls ? "are needed" : "would take too long at some rates");
    return room;
}

#define AT(member) FIELD_AT(struct sweep, member)

static const struct field find_fields[] = {
    {"objective", FIELD_TEXT, AT(objective_text)},
    {"outcome", FIELD_CHOICE, AT(objective.outcome), .names = objective_outcome_names},
    {"rate_per_s", FIELD_INTERVAL, AT(objective.rate)},
    {"highest_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = highest_rate},
    {"held_at_times", FIELD_COUNT, .flags = FIELD_SHOWN, .number = held_at_times},
    {"found", FIELD_QUANTITY, AT(objective.rate.estimate), FIELD_SHOWN},
    {"low", FIELD_QUANTITY, AT(objective.rate.low), FIELD_SHOWN},
    {"high", FIELD_QUANTITY, AT(objective.rate.high), FIELD_SHOWN},
    {"probes", FIELD_COUNT, AT(objective.probes)},
    {"probes_repeated", FIELD_COUNT, AT(probes.repeated)},
    {"probes_without_answer", FIELD_COUNT, AT(probes.without_answer)},
    {"calls_wanted", FIELD_COUNT, AT(probes.calls_wanted)},
    {"calls_least", FIELD_COUNT, AT(probes.calls_least)},
    {"lack_of_calls", FIELD_WORD, .flags = FIELD_SHOWN, .text = lack_of_calls},
    {"lowest_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = lowest_rate},
    FIELD_END,
};

/* The whole */

static bool is_by_time(const void *object, const void *root)
{
    return ((const struct sweep *)object)->trial_calls == 0;
}

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), FIELD_UNREAD, .fields = origin_members},
    {"op", FIELD_WORD, AT(op), FIELD_NAME},
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"points", FIELD_LIST, FIELD_ITEMS(struct sweep, points, point_count, point_fields),
     .maximum = SWEEP_POINTS_MAXIMUM},
    {"swept_clients", FIELD_FLAG, AT(swept_clients), FIELD_SHOWN},
    {"swept_depth", FIELD_FLAG, AT(swept_depth), FIELD_SHOWN},
    {"swept_size", FIELD_FLAG, AT(swept_size), FIELD_SHOWN},
    {"swept_rate", FIELD_FLAG, AT(swept_rate), FIELD_SHOWN},
    {"trials_done", FIELD_COUNT, AT(trials_done), FIELD_SHOWN},
    {"trials_planned", FIELD_COUNT, AT(trials_planned), FIELD_SHOWN},
    {"trial_seconds", FIELD_QUANTITY, AT(trial_seconds), FIELD_OR_NULL, .known = is_by_time},
    {"trial_calls", FIELD_COUNT, AT(trial_calls), FIELD_OR_NULL},
    {"full_rate_per_s", FIELD_QUANTITY, AT(full_rate), FIELD_OR_NULL},
    {"scaling", FIELD_ARRAY, FIELD_ITEMS(struct sweep, scaling, scaling_count, scaling_fields),
     .maximum = SWEEP_GROUPS_MAXIMUM},
    {"sizes", FIELD_ARRAY, FIELD_ITEMS(struct sweep, sizes, sizes_count, sweep_sizes_fields),
     .maximum = SWEEP_GROUPS_MAXIMUM},
    {"find_max", FIELD_OBJECT, FIELD_IF(struct sweep, objective_text), .fields = find_fields},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

/* What was swept is not written, as the points say it. */
static void find_swept(struct sweep *sweep)
{
    for (size_t i = 1; i < sweep->point_count; i++) {
        const struct sweep_setting *first = &sweep->points[0].setting;
        const struct sweep_setting *setting = &sweep->points[i].setting;

        sweep->swept_clients = sweep->swept_clients || setting->clients != first->clients;
        sweep->swept_depth = sweep->swept_depth || setting->depth != first->depth;
        sweep->swept_size = sweep->swept_size || setting->size != first->size;
        sweep->swept_rate = sweep->swept_rate || setting->rate != first->rate;
    }
}

void sweep_read(struct json_reader *reader, const json_t *root, struct sweep *sweep)
{
    fields_read(reader, root, fields, sweep);
    if (reader->code == 0)
        find_swept(sweep);
}

/* What people see */

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  sweep of {op}{? on {target}}{?  NFSv3 over {transport}}  "
     "engine {engine}"},
    {"client on CPU {client_cpus}     {trials_done#trial} of {?{trial_calls#call}}"
     "{?{trial_seconds} s} in random order, seed {seed}"},
    {"a closed loop makes {full_rate_per_s:0} calls/s: that is 100 % of --rate"},
    {"CUT SHORT after {trials_done} of {trials_planned#trial}: {cut_short_by}"},
    {NULL},
};

static const struct view_line point_remarks[] = {
    {"can't be reached", .when = "!trials"}, SWEEP_INVALID_TRIALS, {NULL}};

/* Given up first is what explains a point, last what it is. */
#define SETTINGS                                                                                   \
    {"clients", "clients", .flags = VIEW_IF_ANY, .when = "^swept_clients"},                        \
        {"depth", "depth", .flags = VIEW_IF_ANY, .when = "^swept_depth"},                          \
        {"size", "bytes", .flags = VIEW_IF_ANY, .when = "^swept_size"},                            \
        {"rate_per_s", "rate", .flags = VIEW_IF_ANY, .when = "^swept_rate|^find_max"},             \
    {                                                                                              \
        "throughput_per_s.level", "calls/s"                                                        \
    }
#define MEGABYTES                                                                                  \
    {                                                                                              \
        "mb_per_s.level", "MB/s", 4, 1, .flags = VIEW_IF_ANY                                       \
    }
#define LOAD                                                                                       \
    {"p99_ns.level", "p99", 3, 2, VIEW_US},                                                        \
        {"client_cpu_ns_per_call.level", "CPU us", 4, 3, VIEW_US},                                 \
        {"client_cpu_share.level", "client", 7, .flags = VIEW_PERCENT},                            \
        {"server_cpus.level", "server", 7, .flags = VIEW_PERCENT},                                 \
        {"rx_packets_per_call.level", "rx packets",         10, 2,                                 \
         .flags = VIEW_IF_ANY,        .when = "^swept_size"},                                      \
        {"rx_bytes_per_call.level", "rx bytes", 10, .flags = VIEW_IF_ANY, .when = "^swept_size"},  \
        {"interrupts_per_call.level", "interrupts",         11, 2,                                 \
         .flags = VIEW_IF_ANY,        .when = "^swept_size"},                                      \
    {                                                                                              \
        "net_rx_per_call.level", "NET_RX", 11, 2, .flags = VIEW_IF_ANY, .when = "^swept_size"      \
    }
#define OPEN_LOOP                                                                                  \
    {                                                                                              \
        "lateness_p99_ns.level", "late p99", 4, 1, VIEW_US                                         \
    }

static const struct view_column closed_loop[] = {
    SETTINGS,
    {"throughput_per_s.level", "95 %", 6, .flags = VIEW_RANGE},
    MEGABYTES,
    {"typical_ns.level", "typical us", 0, 2, VIEW_US},
    {"typical_ns.level", "95 %", 1, 2, VIEW_US, VIEW_RANGE},
    {"above_null_ns.level", "above null", 2, 2, VIEW_US},
    {"above_null_ns.level", "95 %", 5, 2, VIEW_US, VIEW_RANGE},
    LOAD,
    {"turn_around_ns.level", "turn us", 9, 2, VIEW_US},
    {"{?(little.verdict=holds)holds|{+little.discrepancy%1}}", "Little", 8},
    {"limit", "limited by"},
    {NULL},
};

static const struct view_column open_loop[] = {
    SETTINGS,
    {"throughput_per_s.level", "95 %", 6, .flags = VIEW_RANGE},
    MEGABYTES,
    {"mean_ns.level", "mean us", 0, 2, VIEW_US},
    {"mean_ns.level", "95 %", 1, 2, VIEW_US, VIEW_RANGE},
    {"p50_ns.level", "p50", 5, 2, VIEW_US},
    LOAD,
    OPEN_LOOP,
    {"limit", "limited by"},
    {NULL},
};

/* A probe is one trial, which gives no interval. */
static const struct view_column probes[] = {
    SETTINGS,
    MEGABYTES,
    {"mean_ns.level", "mean us", 0, 2, VIEW_US},
    {"p50_ns.level", "p50", 5, 2, VIEW_US},
    LOAD,
    OPEN_LOOP,
    {"answer", "held"},
    {NULL},
};

static const struct view_column knee[] = {
    {"{?(^swept_size)knee, calls of {size} B in flight|knee, calls in flight}", "scalability",
     .width = 30},
    {"knee.concurrency", "estimate", 0, 2},
    {"knee.concurrency", "95 %", 0, 2, .flags = VIEW_RANGE},
    {NULL},
};

static const struct view_column law[] = {
    {"knee.throughput_maximum", "highest rate, calls/s"},
    {"law.lambda", "lambda, calls/s"},
    {"law.sigma", "sigma (contention)", 0, 5},
    {"law.kappa", "kappa (coherency)", 0, 7},
    {"law.peak_concurrency", "peak at, in flight", 0, 1,
     .remark = "{?(law.peak_beyond)beyond what was measured}"},
    {"law.peak_throughput", "peak, or limit, calls/s"},
    {NULL},
};

static const struct view_line scaling_remarks[] = {
    {"throughput still grew: it lies higher", .when = "knee.lower_bound"}, {NULL}};

static const struct view_line scaling_notes[] = {
    {"  {?(^swept_size)of {size} bytes: }Universal Scalability Law: R2 {law.r_squared:3}, off by "
     "{law.residual_largest%1} at worst, at {law.residual_concurrency:0} in flight",
     "scaling"},
    {"  {?(^swept_size)of {size} bytes: }no scalability law: {law_missing}", "scaling"},
    {"", .flags = VIEW_VERBOSE},
    {"  knee: with more calls in flight than this, calls wait for one another",
     .flags = VIEW_VERBOSE},
    {"  Universal Scalability Law: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column pieces[] = {
    {"first", "from B"},
    {"last", "to B"},
    {"fixed_ns", "us", 0, 3, VIEW_US},
    {"fixed_ns", "95 %", 1, 3, VIEW_US, VIEW_RANGE},
    {"ns_per_byte", "+ ns a byte", 0, 4},
    {"ns_per_byte", "95 %", 1, 4, .flags = VIEW_RANGE},
    {NULL},
};

#define OF_LOAD "{clients#client}, depth {depth}"

static const struct view_line pieces_notes[] = {
    {"  {^clients#client}, depth {^depth}, {first:0} to {last:0} bytes: " SWEEP_NO_LINE,
     "sizes/pieces", SWEEP_IS_NO_LINE},
    {"  {^clients#client}, depth {^depth}: a step of {step_ns/1000:3} us {step_ns/1000[3} between "
     "{size:0} and {next:0} bytes",
     "sizes/breaks"},
    {"  {^clients#client}, depth {^depth}: a bend between {size:0} and {next:0} bytes",
     "sizes/breaks", "!step_ns"},
    {"  " OF_LOAD ": off by {residual_largest%1} of a call at worst, at {residual_size:0} bytes",
     "sizes"},
    {NULL},
};

static const struct view_table tables[] = {
    {"points", NULL, closed_loop, .remarks = point_remarks, .when = "!^find_max !rate_per_s"},
    {"points", NULL, open_loop, .remarks = point_remarks, .when = "!^find_max rate_per_s"},
    {"points", NULL, probes, .remarks = point_remarks, .flags = VIEW_VERBOSE, .when = "^find_max"},
    {"scaling", NULL, knee, law, scaling_remarks, scaling_notes},
    {"sizes/pieces", "  {basis} by size, " OF_LOAD, pieces, .notes = pieces_notes},
    {NULL},
};

#define BY                                                                                         \
    ", by {find_max.probes#probe} of {find_max.calls_least#call} or more"                          \
    "{? ({find_max.lack_of_calls})}"

static const struct view_line notes[] = {
    {"  {basis} by size, " OF_LOAD ": no line through it: {missing}", "sizes"},
    {"", .when = "find_max"},
    {"  {find_max.objective} held at every rate that was tried, up to {find_max.highest_rate:0} "
     "calls/s" BY,
     .when = "find_max.outcome=all-held"},
    {"  {find_max.objective} held in {find_max.held_at_times} of the probes, but is not known to "
     "hold at any rate" BY,
     .when = "find_max.outcome=all-failed find_max.held_at_times"},
    {"  {find_max.objective} did not hold at any rate that was tried, down to "
     "{find_max.lowest_rate:0} calls/s" BY,
     .when = "find_max.outcome=all-failed !find_max.held_at_times"},
    {"  {find_max.objective} holds up to {find_max.found:0} calls/s [{find_max.low:0}, "
     "{find_max.high:0}] (95 % credible interval){?(find_max.outcome=unclear); the probes did not "
     "narrow it further}" BY,
     .when = "find_max.outcome=found|find_max.outcome=unclear"},
    {"  {find_max.probes_repeated#probe} without an answer, made again; "
     "{find_max.probes_without_answer} got none in the end",
     .when = "find_max.probes_repeated"},
    {"  rates below {find_max.lowest_rate:0} calls/s were not tried"},
    {""},
    VIEW_VERDICT,
    {NULL},
};

const struct view view_sweep = {RESULT_SWEEP, fields, head, tables, notes};
