/* A sweep as JSON (doc/FORMAT.md), written and read back. */
#include <math.h>
#include <string.h>

#include "output/json.h"
#include "output/result_fields.h"
#include "output/sweep.h"

const char *const sweep_figure_names[SWEEP_FIGURES] = {
    [SWEEP_THROUGHPUT] = "throughput_per_s",
    [SWEEP_MEAN] = "mean_ns",
    [SWEEP_TYPICAL] = "typical_ns",
    [SWEEP_NULL] = "null_ns",
    [SWEEP_COST] = "above_null_ns",
    [SWEEP_TURN_AROUND] = "turn_around_ns",
    [SWEEP_P50] = "p50_ns",
    [SWEEP_P90] = "p90_ns",
    [SWEEP_P99] = "p99_ns",
    [SWEEP_P999] = "p999_ns",
    [SWEEP_MAXIMUM] = "max_ns",
    [SWEEP_CLIENT_CPU] = "client_cpu_share",
    [SWEEP_CLIENT_THREAD] = "client_thread_share",
    [SWEEP_SERVER_CPU] = "server_cpus",
    [SWEEP_SERVER_SHARE] = "server_cpu_share",
    [SWEEP_SERVER_THREAD] = "server_thread_share",
    [SWEEP_BOTH_CPUS] = "both_cpus",
    [SWEEP_LINK] = "link_share",
    [SWEEP_CLIENT_CALL] = "client_cpu_ns_per_call",
    [SWEEP_LATE] = "lateness_p99_ns",
    [SWEEP_MEGABYTES] = "mb_per_s",
    [SWEEP_PACKETS] = "rx_packets_per_call",
    [SWEEP_BYTES] = "rx_bytes_per_call",
    [SWEEP_INTERRUPTS] = "interrupts_per_call",
    [SWEEP_NET_RX] = "net_rx_per_call",
};

/* Points */

json_t *sweep_figure_write(const double *values, size_t count, const struct interval *level)
{
    json_t *trials = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(trials, json_known(values[i]));
    return json_pack("{s:o, s:o}", "level", json_interval(level), "trials", trials);
}

static json_t *figures_write(const void *object, const void *root)
{
    const struct sweep_point *point = object;
    json_t *figures = json_object();

    for (unsigned i = 0; i < SWEEP_FIGURES; i++)
        json_object_set_new(
            figures, sweep_figure_names[i],
            sweep_figure_write(point->figures[i], point->repeats, &point->intervals[i]));
    return figures;
}

/* Files of older versions don't have all figures. */
void sweep_figure_read(struct json_reader *reader, const json_t *from, double *values, size_t count,
                       struct interval *level)
{
    size_t trial_count;
    const json_t *trials =
        json_take_array(reader, from, "trials", SWEEP_REPEATS_MAXIMUM, &trial_count);

    json_take_interval(reader, from, "level", level);
    if (from && trial_count != count)
        json_refuse(reader, " has figures of another number of trials");
    for (size_t i = 0; i < count; i++) {
        const json_t *trial = json_array_get(trials, i);
        double value = json_number_value(trial);

        values[i] = json_is_number(trial) && fabs(value) <= 1e18 ? value : NAN;
    }
}

static void figures_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct sweep_point *point = object;

    for (unsigned i = 0; i < SWEEP_FIGURES && reader->code == 0; i++)
        sweep_figure_read(reader, json_take_object(reader, from, sweep_figure_names[i]),
                          point->figures[i], point->repeats, &point->intervals[i]);
}

static const struct field little_fields[] = {
    {"discrepancy", FIELD_INTERVAL, FIELD_AT(struct little, discrepancy)},
    {"verdict", FIELD_CHOICE, FIELD_AT(struct little, verdict), FIELD_OR_LAST,
     .names = little_verdict_names},
    FIELD_END,
};

#define POINT(member) FIELD_AT(struct sweep_point, member)

static const struct field point_fields[] = {
    {"clients", FIELD_COUNT, POINT(setting.clients)},
    {"connections", FIELD_COUNT, POINT(setting.connections)},
    {"depth", FIELD_COUNT, POINT(setting.depth)},
    {"size", FIELD_COUNT, POINT(setting.size)},
    {"rate_per_s", FIELD_QUANTITY, POINT(setting.rate), FIELD_OR_NULL},
    {"trials", FIELD_COUNT, POINT(repeats), .maximum = SWEEP_REPEATS_MAXIMUM},
    {"invalid_trials", FIELD_COUNT, POINT(invalid), .maximum = SWEEP_REPEATS_MAXIMUM},
    {"out_of_reach", FIELD_FLAG, POINT(out_of_reach)},
    {"limited_by", FIELD_CHOICE, POINT(bottleneck), .names = bottleneck_names},
    {NULL, FIELD_OWN, .write = figures_write, .read = figures_read},
    {"little", FIELD_OBJECT, POINT(little), FIELD_SETS_IF, FIELD_IF(struct sweep_point, has_little),
     .fields = little_fields},
    FIELD_END,
};

/* A search says of each of its probes whether the objective was held. */
static json_t *held_value(const struct sweep_point *point)
{
    return point->answer == OBJECTIVE_NO_ANSWER ? json_null()
                                                : json_boolean(point->answer == OBJECTIVE_HELD);
}

static enum objective_answer held_read(struct json_reader *reader, const json_t *from)
{
    bool held = json_take_flag(reader, from, "held");

    return !json_find(from, "held") ? OBJECTIVE_NO_ANSWER
           : held                   ? OBJECTIVE_HELD
                                    : OBJECTIVE_FAILED;
}

static json_t *points_write(const void *object, const void *root)
{
    const struct result *result = root;
    const struct sweep *sweep = object;
    json_t *points = json_array();

    for (size_t i = 0; i < sweep->point_count; i++) {
        json_t *point = fields_write(point_fields, &sweep->points[i], result);

        if (sweep->objective_text)
            json_object_set_new(point, "held", held_value(&sweep->points[i]));
        json_array_append_new(points, point);
    }
    return points;
}

static void points_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct sweep *sweep = object;
    size_t count;
    const json_t *points = json_take_array(reader, from, "points", SWEEP_POINTS_MAXIMUM, &count);

    sweep->points = count ? json_room(reader, count, sizeof *sweep->points) : NULL;
    for (size_t i = 0; sweep->points && i < count && reader->code == 0; i++) {
        const json_t *point = json_array_get(points, i);

        snprintf(reader->where, sizeof reader->where, "points[%zu].", i);
        fields_read(reader, point, point_fields, &sweep->points[i]);
        sweep->points[i].answer = held_read(reader, point);
        sweep->point_count = i + 1;
    }
    reader->where[0] = '\0';
}

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
    {"size", FIELD_COUNT, SCALING(size)},
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

#define BREAK(member) FIELD_AT(struct piecewise_break, member)

static const struct field break_fields[] = {
    {"size", FIELD_INTERVAL, BREAK(size)},
    {"next", FIELD_QUANTITY, BREAK(next)},
    {"jump_ns", FIELD_INTERVAL, BREAK(jump_ns)},
    FIELD_END,
};

static json_t *pieces_write(const void *object, const void *root)
{
    const struct result *result = root;
    const struct sweep_sizes *sizes = object;
    json_t *pieces = json_array();

    for (size_t i = 0; sizes->has_cost && i <= sizes->cost.breaks; i++)
        json_array_append_new(pieces, fields_write(piece_fields, &sizes->cost.piece[i], result));
    return pieces;
}

/* There is one more than breaks, which are read before; or none. */
static void pieces_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct sweep_sizes *sizes = object;
    size_t count;
    const json_t *pieces =
        json_take_array(reader, from, "pieces", PIECEWISE_BREAKS_MAXIMUM + 1, &count);

    sizes->has_cost = count > 0;
    if (count != sizes->cost.breaks + sizes->has_cost)
        json_refuse(reader, " has breaks that are not between its pieces");
    for (size_t i = 0; i < count; i++)
        fields_read(reader, json_array_get(pieces, i), piece_fields, &sizes->cost.piece[i]);
}

static bool has_no_cost(const void *object, const void *root)
{
    return !((const struct sweep_sizes *)object)->has_cost;
}

#define SIZES(member) FIELD_AT(struct sweep_sizes, member)

const struct field sweep_sizes_fields[] = {
    {"clients", FIELD_COUNT, SIZES(clients)},
    {"depth", FIELD_COUNT, SIZES(depth)},
    {"above_null", FIELD_FLAG, SIZES(above_null)},
    {"breaks", FIELD_ARRAY, FIELD_ITEMS(struct sweep_sizes, cost.at, cost.breaks, break_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM},
    {"pieces", FIELD_OWN, .write = pieces_write, .read = pieces_read},
    {"missing", FIELD_BUFFER, SIZES(missing), .known = has_no_cost},
    FIELD_END,
};

/* The whole */

#define AT(member) FIELD_AT(struct sweep, member)

static const struct field find_fields[] = {
    {"objective", FIELD_TEXT, AT(objective_text)},
    {"outcome", FIELD_CHOICE, AT(objective.outcome), .names = objective_outcome_names},
    {"rate_per_s", FIELD_INTERVAL, AT(objective.rate)},
    {"probes", FIELD_COUNT, AT(objective.probes)},
    {"probes_repeated", FIELD_COUNT, AT(probes.repeated)},
    {"probes_without_answer", FIELD_COUNT, AT(probes.without_answer)},
    {"calls_wanted", FIELD_COUNT, AT(probes.calls_wanted)},
    {"calls_least", FIELD_COUNT, AT(probes.calls_least)},
    FIELD_END,
};

static bool is_by_time(const void *object, const void *root)
{
    return ((const struct sweep *)object)->trial_calls == 0;
}

static const struct field sweep_fields[] = {
    {"op", FIELD_WORD, AT(op), FIELD_NAME},
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"points", FIELD_OWN, .write = points_write, .read = points_read},
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

int sweep_write_json(const void *data, FILE *out)
{
    const struct sweep *sweep = data;
    json_t *object = json_begin(RESULT_SWEEP);

    origin_add_json(object, &sweep->origin);
    fields_add(object, sweep_fields, sweep, NULL);
    return json_write_object(object, out);
}

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
    fields_read(reader, root, sweep_fields, sweep);
    if (reader->code == 0)
        find_swept(sweep);
}
