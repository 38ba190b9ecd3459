/* An experiment as data, written and read. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "experiment/experiment.h"
#include "output/result/result_fields.h"
#include "output/view/number.h"

/* Figures, each with its values of units, of which there are as many as the object says before */

static const struct field unit_fields[] = {{NULL, FIELD_NUMBER, .size = sizeof(double)}, FIELD_END};

#define CELL(member) FIELD_AT(struct experiment_cell, member)
#define FIGURE(figure, name)                                                                       \
    {name, FIELD_OBJECT,                                                                           \
     .fields = (const struct field[]){                                                             \
         {"level", FIELD_INTERVAL, CELL(intervals[figure])},                                       \
         {"units", FIELD_ARRAY,                                                                    \
          FIELD_VALUES(struct experiment_cell, figures[figure], units, unit_fields) |              \
              FIELD_COUNTED,                                                                       \
          .maximum = UNITS_MAXIMUM},                                                               \
         FIELD_END}},

static const struct field figure_fields[] = {CELL_FIGURES_EACH(FIGURE) FIELD_END};

const char *cell_figure_name(enum cell_figure figure)
{
    return figure_fields[figure].key;
}

/* Cells */

bool same_text(const char *first, const char *second)
{
    return first && second ? strcmp(first, second) == 0 : first == second;
}

bool cells_are_one_curve(const struct experiment_cell *first, const struct experiment_cell *second)
{
    return strcmp(first->op, second->op) == 0 && same_text(first->variant, second->variant) &&
           first->setting.size == second->setting.size;
}

double cell_in_flight(const struct cell_setting *setting)
{
    return (double)setting->clients * setting->connections * setting->depth;
}

static bool is_same_cell(const struct experiment_cell *first, const struct experiment_cell *second)
{
    const struct cell_setting *a = &first->setting, *b = &second->setting;

    return cells_are_one_curve(first, second) && a->clients == b->clients &&
           a->connections == b->connections && a->depth == b->depth && a->rate == b->rate;
}

const struct experiment_cell *experiment_cell_like(const struct experiment_result *experiment,
                                                   const struct experiment_cell *like)
{
    for (size_t i = 0; i < experiment->cell_count; i++)
        if (is_same_cell(&experiment->cells[i], like))
            return &experiment->cells[i];
    return NULL;
}

const char *cell_name(const struct experiment_cell *cell, char out[CELL_NAME_SIZE])
{
    const uint32_t size = cell->setting.size;
    char text[NUMBER_SIZE];

    snprintf(out, CELL_NAME_SIZE, size > 0 ? "%.20s %.20s" : "%.20s", cell->op,
             number_binary(size, text));
    return out;
}

static const char *name_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    return cell_name(object, room);
}

const char *cell_label(const struct experiment_result *experiment,
                       const struct experiment_cell *cell, bool with_variant, char room[FIELD_ROOM])
{
    const struct cell_setting *setting = &cell->setting;

    cell_name(cell, room);
    if (cell->variant && with_variant)
        field_append(room, ", %s", cell->variant);
    if (experiment->varies_clients)
        field_append(room, ", %s", counted(setting->clients, "client").text);
    if (experiment->varies_depth)
        field_append(room, ", depth %u", setting->depth);
    if (setting->rate > 0)
        field_append(room, ", %.6g/s", setting->rate);
    return room;
}

static const char *own_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    return cell_label(root, object, true, room);
}

/* Two sides, of which one may be on a mount */

static bool is_on_mount(const struct result *result)
{
    return result->target.mount_point != NULL;
}

/* Is one of EXPERIMENT's sides on a mount, and the other not? */
static bool is_beside_mount(const struct experiment_result *experiment)
{
    return experiment->first && is_on_mount(experiment->first) != is_on_mount(experiment->second);
}

/* What the kernel's client adds to an op. */
static const char *mount_adds(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct experiment_contrast *contrast = object;
    const struct comparison *comparison = &contrast->comparison;
    struct interval added = comparison->difference;
    char bracket[NUMBER_INTERVAL_SIZE];
    double wire = us(comparison->first.estimate), mount = us(comparison->second.estimate);

    if (!is_beside_mount(experiment) || contrast->quantity != QUANTITY_ROUND_TRIP)
        return NULL;
    if (is_on_mount(experiment->first)) {
        added = (struct interval){-added.estimate, -added.high, -added.low};
        wire = us(comparison->second.estimate);
        mount = us(comparison->first.estimate);
    }
    return field_print(
        room, "%.3f us on the wire, %.3f us through the mount; the kernel's client adds %.3f us %s",
        wire, mount, us(added.estimate), number_interval(&added, 1000, 3, false, bracket));
}

/* How many connections the mount has, where it is more than one. A call waits for the one before it
 * on either side, so that the mount uses them in turn. */
static double mount_connections(const void *object, const void *root)
{
    const struct experiment_result *experiment = object;
    const struct result *mount;
    uint64_t most = 0;

    if (!is_beside_mount(experiment))
        return NAN;
    mount = is_on_mount(experiment->first) ? experiment->first : experiment->second;
    for (size_t i = 0; i < mount->op_count; i++)
        if (mount->ops[i].mounted && mount->ops[i].mounted->connections > most)
            most = mount->ops[i].mounted->connections;
    return most > 1 ? (double)most : NAN;
}

static const char *transports(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const char *first, *second;

    if (!is_beside_mount(experiment))
        return NULL;
    first = experiment->first->target.transport;
    second = experiment->second->target.transport;
    return strcmp(first, second) == 0
               ? NULL
               : field_print(room, "A uses %s and B %s: the transports' difference is in this, too",
                             first, second);
}

/* Contrasts */

const char *const quantity_keys[] = {"round_trip", "network", "above_null",      "bytes",
                                     "pause",      "server",  "mean_above_null", NULL};
static const char *const quantities[] = {"round trip", "network", "above null",  "bytes",
                                         "pause",      "server",  "in the mean", NULL};
static const char *const words[] = {"same",  "faster",    "slower", "not comparable",
                                    "equal", "not known", NULL};

static const char *label_of(const struct experiment_result *experiment, size_t cell,
                            char room[FIELD_ROOM])
{
    return cell_label(experiment, &experiment->cells[cell], true, room);
}

static const char *first_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    return label_of(root, ((const struct experiment_contrast *)object)->first, room);
}

static const char *second_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    return label_of(root, ((const struct experiment_contrast *)object)->second, room);
}

/* Where no difference was seen: what it is below. */
static double at_most(const void *object, const void *root)
{
    const struct experiment_contrast *contrast = object;
    const struct interval *difference = &contrast->comparison.difference;

    return contrast->judged && contrast->word == COMPARISON_SAME
               ? fmax(contrast->floor, fmax(fabs(difference->low), fabs(difference->high)))
               : NAN;
}

static const char *op_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;

    return experiment->cells[((const struct experiment_contrast *)object)->second].op;
}

/* Of two sides: what an op is compared with that is not compared with null. */
static const char *other_baseline(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct result *first = experiment->first;
    const struct result_op *op = first ? result_find(first, op_of(object, root, room)) : NULL;

    return op && op->baseline && op->baseline != first->null_calls ? op->baseline->op : NULL;
}

/* Is the server's part of the same cost among the contrasts? */
static double is_split(const void *object, const void *root)
{
    const struct experiment_result *experiment = root;
    const struct experiment_contrast *contrast = object;
    bool split = false;

    for (size_t i = 0; i < experiment->contrast_count; i++)
        split |= experiment->contrasts[i].second == contrast->second &&
                 experiment->contrasts[i].quantity == QUANTITY_SERVER;
    return split;
}

static const char *p_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_contrast *contrast = object;

    return contrast->judged ? number_p(contrast->comparison.adjusted_p, room) : NULL;
}

/* "+0.215 +0.198", in us. */
static const char *units_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_contrast *contrast = object;
    char text[NUMBER_SIZE];

    room[0] = '\0';
    for (size_t i = 0; i < contrast->units; i++)
        if (!isnan(contrast->differences[i]))
            field_append(room, "%s%s", *room ? " " : "",
                         number_print(contrast->differences[i] / 1000, 3, true, text));
    return room;
}

#define CONTRAST(member) FIELD_AT(struct experiment_contrast, member)
#define UNITS(type, member)                                                                        \
    FIELD_ARRAY, .maximum = UNITS_MAXIMUM, FIELD_VALUES(type, member, units, unit_fields)

static const struct field contrast_fields[] = {
    {"first", FIELD_COUNT, CONTRAST(first), FIELD_NAME},
    {"second", FIELD_COUNT, CONTRAST(second), FIELD_NAME},
    {"of", FIELD_TEXT, .flags = FIELD_KEY, .text = second_label},
    {"against", FIELD_TEXT, .flags = FIELD_KEY, .text = first_label},
    {"quantity", FIELD_CHOICE, CONTRAST(quantity), FIELD_KEY, .names = quantity_keys},
    {"what", FIELD_CHOICE, CONTRAST(quantity), FIELD_SHOWN, .names = quantities},
    {"difference_ns", FIELD_INTERVAL, CONTRAST(comparison.difference)},
    {"first_ns", FIELD_INTERVAL, CONTRAST(comparison.first), FIELD_OR_NAN},
    {"second_ns", FIELD_INTERVAL, CONTRAST(comparison.second), FIELD_OR_NAN},
    {"ratio", FIELD_INTERVAL, CONTRAST(ratio), FIELD_OR_NAN},
    {"floor_ns", FIELD_QUANTITY, CONTRAST(floor), FIELD_OR_NAN},
    {"p", FIELD_QUANTITY, CONTRAST(comparison.p), FIELD_OR_NAN},
    {"adjusted_p", FIELD_QUANTITY, CONTRAST(comparison.adjusted_p), FIELD_OR_NAN},
    {"word", FIELD_CHOICE, CONTRAST(word), FIELD_OR_LAST | FIELD_SETS_IF,
     FIELD_IF(struct experiment_contrast, judged), .names = words},
    {"below_ns", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = at_most},
    {"op", FIELD_WORD, .flags = FIELD_SHOWN, .text = op_of},
    {"other_baseline", FIELD_WORD, .flags = FIELD_SHOWN, .text = other_baseline},
    {"is_split", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_split},
    {"p_text", FIELD_WORD, .flags = FIELD_SHOWN, .text = p_text},
    {"mount_adds", FIELD_TEXT, .flags = FIELD_SHOWN, .text = mount_adds},
    {"units", UNITS(struct experiment_contrast, differences)},
    {"units_text", FIELD_WORD, .flags = FIELD_SHOWN, .text = units_text},
    {"errors_ns", UNITS(struct experiment_contrast, errors) | FIELD_COUNTED | FIELD_OR_NAN},
    FIELD_END,
};

static const struct field little_fields[] = {
    {"discrepancy", FIELD_INTERVAL, FIELD_AT(struct little, discrepancy)},
    {"verdict", FIELD_CHOICE, FIELD_AT(struct little, verdict), FIELD_OR_LAST,
     .names = little_verdict_names},
    FIELD_END,
};

static bool is_search(const void *object, const void *root)
{
    return ((const struct experiment_result *)root)->objective_text;
}

/* Of each probe of a search: was the objective held? */
static const char *const answers[] = {
    [OBJECTIVE_NO_ANSWER] = "no answer", [OBJECTIVE_FAILED] = "no", [OBJECTIVE_HELD] = "yes", NULL};

static const struct field link_fields[] = {
    {"delay_ns", FIELD_QUANTITY, FIELD_AT(struct link_counts, latency_ns)},
    {"bits_per_s", FIELD_QUANTITY, FIELD_AT(struct link_counts, rate), FIELD_OR_NULL},
    FIELD_END,
};

/* Its rate over the reference's. */
static double share_of_rate(const void *object, const void *root)
{
    const struct experiment_result *experiment = root;
    const struct experiment_cell *cell = object;

    return cell->against ? cell->intervals[CELL_RATE].estimate /
                               experiment->cells[cell->against->first].intervals[CELL_RATE].estimate
                         : NAN;
}

static const struct field cell_fields[] = {
    {"op", FIELD_WORD, CELL(op), FIELD_NAME},
    {"variant", FIELD_TEXT, CELL(variant), FIELD_OR_NULL | FIELD_KEY},
    {"name", FIELD_WORD, .flags = FIELD_SHOWN, .text = name_of},
    {"label", FIELD_WORD, .flags = FIELD_SHOWN, .text = own_label},
    {"clients", FIELD_COUNT, CELL(setting.clients), FIELD_KEY},
    {"connections", FIELD_COUNT, CELL(setting.connections)},
    {"depth", FIELD_COUNT, CELL(setting.depth), FIELD_KEY},
    {"size", FIELD_COUNT, CELL(setting.size), FIELD_OR_NULL | FIELD_KEY},
    {"rate_per_s", FIELD_QUANTITY, CELL(setting.rate), FIELD_OR_NULL | FIELD_KEY},
    {"units", FIELD_COUNT, CELL(units), .maximum = UNITS_MAXIMUM},
    {"invalid_units", FIELD_COUNT, CELL(invalid), .maximum = UNITS_MAXIMUM},
    {"out_of_reach", FIELD_FLAG, CELL(out_of_reach)},
    {"limited_by", FIELD_CHOICE, CELL(bottleneck), .names = bottleneck_names},
    {NULL, FIELD_OBJECT, .fields = figure_fields},
    {"share_of_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = share_of_rate},
    {"against", FIELD_POINTER, FIELD_TO(struct experiment_cell, against, contrast_fields),
     FIELD_SHOWN},
    {"little", FIELD_OBJECT, CELL(little), FIELD_SETS_IF,
     FIELD_IF(struct experiment_cell, has_little), .fields = little_fields},
    {"link", FIELD_OBJECT, CELL(link), FIELD_SETS_IF, FIELD_IF(struct experiment_cell, has_link),
     .fields = link_fields},
    {"held", FIELD_CHOICE, CELL(answer), .known = is_search, .names = answers},
    FIELD_END,
};

/* What the cells teach about concurrency */

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
    {"residual_concurrency", FIELD_QUANTITY, LAW(residual_concurrency), FIELD_OR_NAN},
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

#define SCALING(member) FIELD_AT(struct experiment_scaling, member)

static const struct field scaling_fields[] = {
    {"op", FIELD_WORD, SCALING(op), FIELD_NAME},
    {"variant", FIELD_TEXT, SCALING(variant), FIELD_OR_NULL | FIELD_KEY},
    {"size", FIELD_COUNT, SCALING(size), FIELD_KEY},
    {"law", FIELD_OBJECT, SCALING(law), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct experiment_scaling, has_law), .fields = law_fields},
    {"law_missing", FIELD_BUFFER, SCALING(missing), FIELD_OR_NONE},
    {"knee", FIELD_OBJECT, SCALING(knee), FIELD_SETS_IF,
     FIELD_IF(struct experiment_scaling, has_knee), .fields = knee_fields},
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

/* There is one more than breaks, which are read before; or none. */
static void check_pieces(struct json_reader *reader, const json_t *from, void *object)
{
    const struct experiment_sizes *sizes = object;

    if (sizes->piece_count != sizes->cost.breaks + (sizes->piece_count > 0))
        json_refuse(reader, " has breaks that are not between its pieces");
}

static const char *const basis_keys[] = {"typical", "above-null", "above-reference", NULL};
static const char *const bases[] = {"typical time", "cost above null", "cost above the reference",
                                    NULL};

#define SIZES(member)               FIELD_AT(struct experiment_sizes, member)
#define OF_SIZES(member, count, to) FIELD_ITEMS(struct experiment_sizes, member, count, to)

static const struct field sizes_fields[] = {
    {"op", FIELD_WORD, SIZES(op), FIELD_NAME},
    {"variant", FIELD_TEXT, SIZES(variant), FIELD_OR_NULL | FIELD_KEY},
    {"clients", FIELD_COUNT, SIZES(clients), FIELD_KEY},
    {"depth", FIELD_COUNT, SIZES(depth), FIELD_KEY},
    {"basis", FIELD_CHOICE, SIZES(basis), .names = basis_keys},
    {"what", FIELD_CHOICE, SIZES(basis), FIELD_SHOWN, .names = bases},
    {"breaks", FIELD_ARRAY, OF_SIZES(cost.at, cost.breaks, break_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM},
    {"pieces", FIELD_ARRAY, OF_SIZES(cost.piece, piece_count, piece_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM + 1},
    {NULL, FIELD_OWN, .read = check_pieces},
    {"missing", FIELD_BUFFER, SIZES(missing), FIELD_OR_NONE},
    {"residual_largest", FIELD_NUMBER, SIZES(cost.residual_largest), FIELD_SHOWN,
     FIELD_IF(struct experiment_sizes, piece_count)},
    {"residual_size", FIELD_NUMBER, SIZES(cost.residual_size), FIELD_SHOWN},
    FIELD_END,
};

/* What they teach about the network's delay */

#define DELAY(member) FIELD_AT(struct experiment_delay, member)

static const struct field delay_fields[] = {
    {"op", FIELD_WORD, DELAY(op), FIELD_NAME},
    {"clients", FIELD_COUNT, DELAY(setting.clients), FIELD_KEY},
    {"depth", FIELD_COUNT, DELAY(setting.depth), FIELD_KEY},
    {"size", FIELD_COUNT, DELAY(setting.size), FIELD_OR_NULL | FIELD_KEY},
    {"round_trips", FIELD_INTERVAL, DELAY(effect.round_trips)},
    {"least_delay_ns", FIELD_QUANTITY, DELAY(effect.least_ns)},
    {"most_delay_ns", FIELD_QUANTITY, DELAY(effect.most_ns)},
    {"half_rate_delay_ns", FIELD_INTERVAL, DELAY(effect.half_ns), FIELD_OR_NAN},
    FIELD_END,
};

/* What limits them */

#define TRIAL(member) FIELD_AT(struct bottleneck_trials, member)

static const struct field trial_fields[] = {
    {"size_elasticity", FIELD_NUMBER, TRIAL(size_elasticity), FIELD_OR_NAN},
    {"connections", FIELD_QUANTITY, TRIAL(connections), FIELD_OR_NAN},
    {"connections_ratio", FIELD_QUANTITY, TRIAL(connections_ratio), FIELD_OR_NAN},
    {"null_alone_ns", FIELD_QUANTITY, TRIAL(null_alone_ns), FIELD_OR_NAN},
    {"null_beside_ns", FIELD_QUANTITY, TRIAL(null_beside_ns), FIELD_OR_NAN},
    {"pause_ratio", FIELD_QUANTITY, TRIAL(pause_ratio), FIELD_OR_NAN},
    {"unstable_ratio", FIELD_QUANTITY, TRIAL(unstable_ratio), FIELD_OR_NAN},
    FIELD_END,
};

static bool same_limit(const struct experiment_diagnosis *a, const struct experiment_diagnosis *b)
{
    return same_text(a->op, b->op) && same_text(a->variant, b->variant) &&
           a->answer.limit == b->answer.limit;
}

/* "read 64Ki, krb5p, depth 64 and 3 other sizes": of sizes with the same limit, the last has a
 * line.
 */
static const char *limited_cells(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct experiment_diagnosis *diagnosis = object;
    const struct experiment_diagnosis *each = experiment->diagnoses;
    const struct experiment_cell cell = {
        .op = diagnosis->op, .variant = diagnosis->variant, .setting = diagnosis->at};
    size_t others = 0;

    for (; each < experiment->diagnoses + experiment->diagnosis_count; each++) {
        if (each > diagnosis && same_limit(each, diagnosis))
            return NULL;
        others += each < diagnosis && same_limit(each, diagnosis);
    }
    cell_label(experiment, &cell, true, room);
    if (others > 0)
        field_append(room, " and %s", counted(others, "other size").text);
    return room;
}

#define DIAGNOSIS(member) FIELD_AT(struct experiment_diagnosis, member)

static const struct field diagnosis_fields[] = {
    {"op", FIELD_WORD, DIAGNOSIS(op), FIELD_NAME},
    {"variant", FIELD_TEXT, DIAGNOSIS(variant), FIELD_OR_NULL | FIELD_KEY},
    {"of", FIELD_TEXT, .flags = FIELD_SHOWN, .text = limited_cells},
    {"clients", FIELD_COUNT, DIAGNOSIS(at.clients), FIELD_KEY},
    {"connections", FIELD_COUNT, DIAGNOSIS(at.connections)},
    {"depth", FIELD_COUNT, DIAGNOSIS(at.depth), FIELD_KEY},
    {"size", FIELD_COUNT, DIAGNOSIS(at.size), FIELD_OR_NULL | FIELD_KEY},
    {"rate_per_s", FIELD_QUANTITY, DIAGNOSIS(at.rate), FIELD_OR_NULL | FIELD_KEY},
    {"limited_by", FIELD_CHOICE, DIAGNOSIS(answer.limit), .names = bottleneck_names},
    {"phrase", FIELD_CHOICE, DIAGNOSIS(answer.limit), FIELD_SHOWN, .names = bottleneck_phrases},
    {"sureness", FIELD_CHOICE, DIAGNOSIS(answer.sureness), .names = bottleneck_sureness_names},
    {"evidence", FIELD_BUFFER, DIAGNOSIS(answer.evidence)},
    {"advice", FIELD_BUFFER, DIAGNOSIS(answer.advice)},
    {"trials", FIELD_OBJECT, DIAGNOSIS(trials), .fields = trial_fields},
    {"untried", FIELD_WORD, DIAGNOSIS(untried), FIELD_OR_NONE},
    FIELD_END,
};

/* What was left out */

/* "krb5; none with read, depth 64": what was left out for the same reason, with the first of it. */
static const char *names_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct experiment_left_out *first = object;
    const struct experiment_left_out *end = experiment->left_out + experiment->left_out_count;

    if (first > experiment->left_out && same_text(first[-1].reason, first->reason))
        return NULL;
    room[0] = '\0';
    for (const struct experiment_left_out *each = first;
         each < end && (each == first || same_text(each->reason, first->reason)); each++) {
        field_append(room, "%s%.40s", *room ? "; " : "", each->variant ? each->variant : "");
        if (each->op)
            field_append(room, "%s%.20s", each->variant ? " with " : "", each->op);
        if (each->depth > 0)
            field_append(room, ", depth %" PRIu32, each->depth);
    }
    return room;
}

#define LEFT(member) FIELD_AT(struct experiment_left_out, member)

static const struct field left_out_fields[] = {
    {"variant", FIELD_TEXT, LEFT(variant), FIELD_OR_NULL | FIELD_KEY},
    {"op", FIELD_WORD, LEFT(op), FIELD_OR_NULL | FIELD_KEY},
    {"depth", FIELD_COUNT, LEFT(depth), FIELD_OR_NULL | FIELD_KEY},
    {"reason", FIELD_TEXT, LEFT(reason)},
    {"names", FIELD_WORD, .flags = FIELD_SHOWN, .text = names_of},
    FIELD_END,
};

/* What a search found */

static double rate_of(const struct experiment_result *experiment, double (*of)(double, double))
{
    double rate = NAN;

    for (size_t i = 0; i < experiment->cell_count; i++)
        rate = of(rate, experiment->cells[i].setting.rate);
    return rate;
}

static double lowest_rate(const void *object, const void *root)
{
    return rate_of(object, fmin);
}

static double highest_rate(const void *object, const void *root)
{
    return rate_of(object, fmax);
}

static double held_at_times(const void *object, const void *root)
{
    const struct experiment_result *experiment = object;
    size_t held = 0;

    for (size_t i = 0; i < experiment->cell_count; i++)
        held += experiment->cells[i].answer == OBJECTIVE_HELD;
    return (double)held;
}

static double lacks_calls(const void *object, const void *root)
{
    const struct experiment_probes *probes = &((const struct experiment_result *)object)->probes;

    return probes->calls_least < probes->calls_wanted;
}

#define AT(member) FIELD_AT(struct experiment_result, member)

static const struct field find_fields[] = {
    {"objective", FIELD_TEXT, AT(objective_text)},
    {"outcome", FIELD_CHOICE, AT(objective.outcome), .names = objective_outcome_names},
    {"rate_per_s", FIELD_INTERVAL, AT(objective.rate)},
    {"highest_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = highest_rate},
    {"held_at_times", FIELD_COUNT, .flags = FIELD_SHOWN, .number = held_at_times},
    {"probes", FIELD_COUNT, AT(objective.probes)},
    {"probes_repeated", FIELD_COUNT, AT(probes.repeated)},
    {"probes_without_answer", FIELD_COUNT, AT(probes.without_answer)},
    {"calls_wanted", FIELD_COUNT, AT(probes.calls_wanted)},
    {"calls_least", FIELD_COUNT, AT(probes.calls_least)},
    {"lacks_calls", FIELD_COUNT, .flags = FIELD_SHOWN, .number = lacks_calls},
    {"lowest_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = lowest_rate},
    FIELD_END,
};

/* The whole */

const char *const experiment_preset_names[] = {"sweep", "sec-ladder", "vary", "versus", NULL};

#define ITEMS(member, number, list) FIELD_ITEMS(struct experiment_result, member, number, list)

static bool gave_up(const void *object, const void *root)
{
    return ((const struct experiment_result *)object)->repeats > 0;
}

static const struct field given_up_fields[] = {
    {"repeats", FIELD_COUNT, AT(repeats)},
    {"repeats_usual", FIELD_COUNT, AT(repeats_usual)},
    {"usual_seconds", FIELD_QUANTITY, AT(usual_seconds)},
    FIELD_END,
};

static const struct field own_fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), FIELD_UNREAD, .fields = origin_members},
    {"preset", FIELD_CHOICE, AT(preset), .names = experiment_preset_names},
    {"ops", FIELD_WORD, AT(ops), FIELD_NAME},
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"varied", FIELD_WORD, AT(varied), FIELD_OR_NULL},
    {"reference", FIELD_TEXT, AT(reference), FIELD_OR_NULL},
    {"check_in_time", FIELD_FLAG, AT(check_in_time)},
    {"interleaved", FIELD_FLAG, AT(interleaved)},
    {"units_done", FIELD_COUNT, AT(units_done)},
    {"units_planned", FIELD_COUNT, AT(units_planned)},
    {"launches", FIELD_COUNT, AT(launches), FIELD_OR_NULL},
    {"over_ns", FIELD_COUNT, AT(over_ns), FIELD_OR_NONE},
    {"unit_seconds", FIELD_QUANTITY, AT(unit_seconds), FIELD_OR_NULL},
    {"given_up", FIELD_OBJECT, .fields = given_up_fields, .known = gave_up},
    {"unit_calls", FIELD_COUNT, AT(unit_calls), FIELD_OR_NULL},
    {"full_rate_per_s", FIELD_QUANTITY, AT(full_rate), FIELD_OR_NULL},
    {"cells", FIELD_LIST, ITEMS(cells, cell_count, cell_fields), .maximum = CELLS_MAXIMUM},
    {"contrasts", FIELD_LIST, ITEMS(contrasts, contrast_count, contrast_fields),
     .maximum = CONTRASTS_MAXIMUM},
    {"varies_clients", FIELD_FLAG, AT(varies_clients), FIELD_SHOWN},
    {"varies_depth", FIELD_FLAG, AT(varies_depth), FIELD_SHOWN},
    {"varies_size", FIELD_FLAG, AT(varies_size), FIELD_SHOWN},
    {"varies_rate", FIELD_FLAG, AT(varies_rate), FIELD_SHOWN},
    {"varies_op", FIELD_FLAG, AT(varies_op), FIELD_SHOWN},
    {"most_depth", FIELD_COUNT, AT(most_depth), FIELD_SHOWN},
    {"scaling", FIELD_ARRAY, ITEMS(scaling, scaling_count, scaling_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM},
    {"sizes", FIELD_ARRAY, ITEMS(sizes, sizes_count, sizes_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM},
    {"delays", FIELD_ARRAY, ITEMS(delays, delay_count, delay_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM},
    {"diagnoses", FIELD_ARRAY, ITEMS(diagnoses, diagnosis_count, diagnosis_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM, FIELD_IF(struct experiment_result, diagnosis_count)},
    {"no_diagnosis", FIELD_FLAG, AT(no_diagnosis), FIELD_OR_NONE},
    {"left_out", FIELD_LIST, ITEMS(left_out, left_out_count, left_out_fields),
     .maximum = LEFT_OUT_MAXIMUM},
    {"find_max", FIELD_OBJECT, FIELD_IF(struct experiment_result, objective_text),
     .fields = find_fields},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

#define SIDE(member) FIELD_TO(struct experiment_result, member, result_file_fields), FIELD_ROOT

const struct field experiment_fields[] = {
    {NULL, FIELD_OBJECT, .fields = own_fields},
    {"first", FIELD_POINTER, SIDE(first)},
    {"second", FIELD_POINTER, SIDE(second)},
    {"transports", FIELD_TEXT, .flags = FIELD_SHOWN, .text = transports},
    {"mount_connections", FIELD_COUNT, .flags = FIELD_SHOWN, .number = mount_connections},
    FIELD_END,
};

void experiment_complete(struct experiment_result *experiment)
{
    struct experiment_cell *cells = experiment->cells;

    experiment->varies_op = false;
    experiment->most_depth = 0;
    for (size_t i = 0; i < experiment->cell_count; i++) {
        size_t of_op = 0;

        while (strcmp(cells[of_op].op, cells[i].op) != 0)
            of_op++;
        experiment->varies_op |= of_op > 0;
        if (cells[i].setting.depth > experiment->most_depth)
            experiment->most_depth = cells[i].setting.depth;
        experiment->varies_size |= cells[i].setting.size != cells[of_op].setting.size;
        experiment->varies_clients |= cells[i].setting.clients != cells[0].setting.clients;
        experiment->varies_depth |= cells[i].setting.depth != cells[0].setting.depth;
        experiment->varies_rate |= cells[i].setting.rate != cells[0].setting.rate;
        cells[i].against = NULL;
    }
    for (size_t i = 0; experiment->reference && i < experiment->contrast_count; i++)
        if (experiment->contrasts[i].quantity == QUANTITY_ROUND_TRIP)
            cells[experiment->contrasts[i].second].against = &experiment->contrasts[i];
}

void experiment_read(struct json_reader *reader, const json_t *root,
                     struct experiment_result *experiment)
{
    const struct experiment_cell *cells;

    fields_read(reader, root, own_fields, experiment);
    cells = experiment->cells;
    for (size_t i = 0; reader->code == 0 && i < experiment->contrast_count; i++) {
        const size_t first = experiment->contrasts[i].first,
                     second = experiment->contrasts[i].second;

        if (first >= experiment->cell_count || second >= experiment->cell_count ||
            strcmp(cells[first].op, cells[second].op) != 0)
            json_refuse(reader, " has contrasts that are not of two cells of an op");
    }
    if (reader->code == 0)
        experiment_complete(experiment);
}
