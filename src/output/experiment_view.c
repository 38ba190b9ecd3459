/* An experiment as data, and what people see of it. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "output/experiment.h"
#include "output/result_fields.h"
#include "version.h"

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

const char *cell_name(const struct experiment_cell *cell, char out[CELL_NAME_SIZE])
{
    static const char *const units[] = {"", "Ki", "Mi"};
    uint32_t size = cell->setting.size;
    size_t unit = 0;

    for (; size > 0 && size % 1024 == 0 && unit < 2; unit++)
        size /= 1024;
    snprintf(out, CELL_NAME_SIZE, size > 0 ? "%.20s %" PRIu32 "%s" : "%.20s", cell->op, size,
             units[unit]);
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

/* Contrasts */

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
               ? fmax(fabs(difference->low), fabs(difference->high))
               : NAN;
}

#define CONTRAST(member) FIELD_AT(struct experiment_contrast, member)
#define UNITS(type, member)                                                                        \
    FIELD_ARRAY, .maximum = UNITS_MAXIMUM, FIELD_VALUES(type, member, units, unit_fields)

static const struct field contrast_fields[] = {
    {"first", FIELD_COUNT, CONTRAST(first), FIELD_NAME},
    {"second", FIELD_COUNT, CONTRAST(second), FIELD_NAME},
    {"of", FIELD_TEXT, .flags = FIELD_KEY, .text = second_label},
    {"against", FIELD_TEXT, .flags = FIELD_KEY, .text = first_label},
    {"quantity", FIELD_CHOICE, CONTRAST(quantity), FIELD_KEY, .names = versus_keys},
    {"what", FIELD_CHOICE, CONTRAST(quantity), FIELD_SHOWN, .names = quantities},
    {"difference_ns", FIELD_INTERVAL, CONTRAST(comparison.difference)},
    {"first_ns", FIELD_INTERVAL, CONTRAST(comparison.first), FIELD_OR_NAN},
    {"second_ns", FIELD_INTERVAL, CONTRAST(comparison.second), FIELD_OR_NAN},
    {"ratio", FIELD_INTERVAL, CONTRAST(ratio), FIELD_OR_NAN},
    {"p", FIELD_QUANTITY, CONTRAST(comparison.p), FIELD_OR_NAN},
    {"adjusted_p", FIELD_QUANTITY, CONTRAST(comparison.adjusted_p), FIELD_OR_NAN},
    {"word", FIELD_CHOICE, CONTRAST(word), FIELD_OR_LAST | FIELD_SETS_IF,
     FIELD_IF(struct experiment_contrast, judged), .names = words},
    {"below_ns", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = at_most},
    {"units", UNITS(struct experiment_contrast, differences)},
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

#define SCALING(member) FIELD_AT(struct experiment_scaling, member)

static const struct field scaling_fields[] = {
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

static const char *const presets[] = {"sweep", "sec-ladder", "vary", NULL};

#define ITEMS(member, number, list) FIELD_ITEMS(struct experiment_result, member, number, list)

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), FIELD_UNREAD, .fields = origin_members},
    {"preset", FIELD_CHOICE, AT(preset), .names = presets},
    {"ops", FIELD_WORD, AT(ops), FIELD_NAME},
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"varied", FIELD_WORD, AT(varied), FIELD_OR_NULL},
    {"reference", FIELD_TEXT, AT(reference), FIELD_OR_NULL},
    {"check_in_time", FIELD_FLAG, AT(check_in_time)},
    {"interleaved", FIELD_FLAG, AT(interleaved)},
    {"units_done", FIELD_COUNT, AT(units_done)},
    {"units_planned", FIELD_COUNT, AT(units_planned)},
    {"unit_seconds", FIELD_QUANTITY, AT(unit_seconds), FIELD_OR_NULL},
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
    {"left_out", FIELD_LIST, ITEMS(left_out, left_out_count, left_out_fields),
     .maximum = LEFT_OUT_MAXIMUM},
    {"find_max", FIELD_OBJECT, FIELD_IF(struct experiment_result, objective_text),
     .fields = find_fields},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
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
        if (experiment->contrasts[i].quantity == VERSUS_ROUND_TRIP)
            cells[experiment->contrasts[i].second].against = &experiment->contrasts[i];
}

void experiment_read(struct json_reader *reader, const json_t *root,
                     struct experiment_result *experiment)
{
    const struct experiment_cell *cells;

    fields_read(reader, root, fields, experiment);
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

/* What people see */

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION
     "  {?(preset=sec-ladder)security ladder|{?(preset=vary)experiment|sweep}} of {ops}"
     "{?(preset=vary) by {varied}}{? on {target}}{?  NFSv3 over {transport}}  engine {engine}"},
    {"client on CPU {client_cpus}     {units_done#trial}{? of {unit_calls#call}}"
     "{? of {unit_seconds} s}{?(interleaved), in the same rounds| in random order}, seed {seed}"},
    {"each against AUTH_SYS in the same rounds; a call is protected within its time, and its reply "
     "verified {?(check_in_time)within it, too|after it (but see --check-in-time)}",
     .when = "preset=sec-ladder"},
    {"each against {reference}", .when = "!preset=sec-ladder"},
    {"a closed loop makes {full_rate_per_s:0} calls/s: that is 100 % of --rate"},
    {"CUT SHORT after {units_done} of {units_planned#trial}: {cut_short_by}"},
    {NULL},
};

/* Given up first is what explains a cell, last what it is. */
static const struct view_column cell_columns[] = {
    {"name", "op", .flags = VIEW_IF_ANY, .when = "^varies_op"},
    {"variant", "sec", .flags = VIEW_IF_ANY, .when = "^preset=sec-ladder"},
    {"variant", "variant", .flags = VIEW_IF_ANY, .when = "!^preset=sec-ladder"},
    {"link.delay_ns", "delay us", 0, 1, VIEW_US, VIEW_IF_ANY},
    {"clients", "clients", .flags = VIEW_IF_ANY, .when = "^varies_clients"},
    {"depth", "depth", .flags = VIEW_IF_ANY, .when = "^varies_depth"},
    {"size", "bytes", .flags = VIEW_IF_ANY, .when = "^varies_size !^varies_op"},
    {"rate_per_s", "rate", .flags = VIEW_IF_ANY, .when = "^varies_rate|^find_max"},
    {"throughput_per_s.level", "calls/s"},
    {"throughput_per_s.level", "95 %", 6, .flags = VIEW_RANGE | VIEW_IF_ANY, .when = "!^find_max"},
    {"typical_rate_per_s.level", "typical/s", 9, .flags = VIEW_IF_ANY},
    {"mb_per_s.level", "MB/s", 4, 1, .flags = VIEW_IF_ANY},
    {"typical_ns.level", "typical us", 0, 2, VIEW_US, VIEW_IF_ANY, .when = "!rate_per_s"},
    {"typical_ns.level", "95 %", 1, 2, VIEW_US, VIEW_RANGE | VIEW_IF_ANY,
     .when = "!rate_per_s !^reference"},
    {"typical_ns.level", "95 %", 7, 2, VIEW_US, VIEW_RANGE | VIEW_IF_ANY,
     .when = "!rate_per_s ^reference"},
    {"mean_ns.level", "mean us", 0, 2, VIEW_US, VIEW_IF_ANY, .when = "rate_per_s"},
    {"mean_ns.level", "95 %", 1, 2, VIEW_US, VIEW_RANGE | VIEW_IF_ANY,
     .when = "rate_per_s !^find_max"},
    {"p50_ns.level", "p50", 5, 2, VIEW_US, VIEW_IF_ANY, .when = "rate_per_s"},
    {"against.difference_ns", "above", 0, 2, VIEW_US, VIEW_SIGNED | VIEW_IF_ANY},
    {"against.difference_ns", "95 %", 0, 2, VIEW_US, VIEW_RANGE | VIEW_IF_ANY},
    {"{?(against.word=same)none seen|{against.word}}", "it is", .flags = VIEW_IF_ANY},
    {"against.below_ns", "below", 2, 2, VIEW_US, VIEW_IF_ANY},
    {"against.ratio", "times", 8, 2, .flags = VIEW_IF_ANY},
    {"share_of_rate", "% of rate", 9, 0, 100, VIEW_IF_ANY, .when = "^most_depth>1"},
    {"above_null_ns.level", "above null", 2, 2, VIEW_US, VIEW_IF_ANY},
    {"above_null_ns.level", "95 %", 5, 2, VIEW_US, VIEW_RANGE | VIEW_IF_ANY},
    {"p99_ns.level", "p99", 3, 2, VIEW_US, VIEW_IF_ANY},
    {"client_cpu_ns_per_call.level", "CPU us", 4, 3, VIEW_US, VIEW_IF_ANY},
    {"server_cpu_ns_per_call.level", "server us", 5, 3, VIEW_US, VIEW_IF_ANY},
    {"client_cpu_share.level", "client", 7, .flags = VIEW_PERCENT | VIEW_IF_ANY},
    {"server_cpus.level", "server", 7, .flags = VIEW_PERCENT | VIEW_IF_ANY},
    {"rx_packets_per_call.level", "rx packets", 10, 2, .flags = VIEW_IF_ANY,
     .when = "^varies_size"},
    {"rx_bytes_per_call.level", "rx bytes", 10, .flags = VIEW_IF_ANY, .when = "^varies_size"},
    {"interrupts_per_call.level", "interrupts", 11, 2, .flags = VIEW_IF_ANY,
     .when = "^varies_size"},
    {"net_rx_per_call.level", "NET_RX", 11, 2, .flags = VIEW_IF_ANY, .when = "^varies_size"},
    {"lateness_p99_ns.level", "late p99", 4, 1, VIEW_US, VIEW_IF_ANY},
    {"turn_around_ns.level", "turn us", 9, 2, VIEW_US, VIEW_IF_ANY},
    {"{?(little.verdict=holds)holds|{+little.discrepancy%1}}", "Little", 8, .flags = VIEW_IF_ANY},
    {"limited_by", "limited by", .flags = VIEW_IF_ANY, .when = "units !^find_max !^reference"},
    {"limited_by", "limited by", 9, .flags = VIEW_IF_ANY, .when = "units ^reference"},
    {"held", "held", .flags = VIEW_IF_ANY, .when = "units"},
    {NULL},
};

static const struct view_line cell_remarks[] = {
    {"can't be reached", .when = "!units"},
    {"({invalid_units} of {units} trials invalid)", .when = "invalid_units"},
    {NULL}};

static const struct view_line cell_notes[] = {
    {"", .when = "reference", .flags = VIEW_VERBOSE},
    {"  above: the typical time of a call, less that of {reference}{?(preset=sec-ladder) in the "
     "same rounds}; times: over that; CPU us, server us: the client's and the server's processor "
     "time of a call",
     .flags = VIEW_VERBOSE},
    {NULL},
};

/* What is in no column of the cells. */
static const struct view_column contrasts[] = {
    {"of", "of", .flags = VIEW_LEFT},
    {"against", "that of", .flags = VIEW_LEFT | VIEW_IF_ANY, .when = "!^reference"},
    {"what", "what", .flags = VIEW_LEFT},
    {"difference_ns", "above", 0, 2, VIEW_US, VIEW_SIGNED},
    {"difference_ns", "95 %", 0, 2, VIEW_US, VIEW_RANGE},
    {"{?(word=same)none seen|{word}}", "it is", .flags = VIEW_IF_ANY},
    {"below_ns", "below", 2, 2, VIEW_US, VIEW_IF_ANY},
    {"adjusted_p", "p", 3, 3, .flags = VIEW_IF_ANY},
    {"ratio", "times", 4, 3, .flags = VIEW_IF_ANY},
    {NULL},
};

static const struct view_column knee[] = {
    {"{?(^varies_size)knee, calls of {size} B in flight|knee, calls in flight}", "scalability",
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
    {"  {?(^varies_size)of {size} bytes: }Universal Scalability Law: R2 {law.r_squared:3}, off by "
     "{law.residual_largest%1} at worst, at {law.residual_concurrency:0} in flight",
     "scaling"},
    {"  {?(^varies_size)of {size} bytes: }no scalability law: {law_missing}", "scaling"},
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

/* Of a security ladder all are of one call at a time. */
static const struct view_column pieces_above_reference[] = {
    {"^op", "op, by size"},
    {"^variant", "variant"},
    {"first", "from B"},
    {"last", "to B"},
    {"ns_per_byte", "above us/KiB", 0, 3, VIEW_US * 1024},
    {"ns_per_byte", "95 %", 0, 3, VIEW_US * 1024, VIEW_RANGE},
    {"fixed_ns", "+ us", 0, 2, VIEW_US},
    {NULL},
};

static const struct view_column delays[] = {
    {"op", "delay, by op"},
    {"clients", "clients", .flags = VIEW_IF_ANY, .when = "^varies_clients"},
    {"depth", "depth", .flags = VIEW_IF_ANY, .when = "^varies_depth"},
    {"size", "bytes", .flags = VIEW_IF_ANY, .when = "^varies_size"},
    {"round_trips", "round trips a call", 0, 3},
    {"round_trips", "95 %", 0, 3, .flags = VIEW_RANGE},
    {"half_rate_delay_ns", "half the rate at us", 0, 1, VIEW_US},
    {"half_rate_delay_ns", "95 %", 1, 1, VIEW_US, VIEW_RANGE},
    {NULL},
};

static const struct view_line delay_remarks[] = {
    {"calls wait for more than one", .when = "round_trips[>1.05"},
    {"half the rate beyond {most_delay_ns/1000:0} us", .when = "!half_rate_delay_ns"},
    {NULL}};

static const struct view_line delay_notes[] = {
    {"", .flags = VIEW_VERBOSE},
    {"  round trips a call: half of what its typical time grows by with the delay one way; the "
     "typical rate is half of that with the least delay",
     .flags = VIEW_VERBOSE},
    {NULL},
};

/* Of what the sizes are: "read by krb5p, 1 client, depth 1". */
#define SIZES_NAME "{?(^varies_op){op} }{?{variant}, }{clients#client}, depth {depth}"
#define PIECE_NAME "{?(^^varies_op){^op} }{?{^variant}, }{^clients#client}, depth {^depth}"

static const struct view_line pieces_notes[] = {
    {"  " PIECE_NAME ", {first:0} to {last:0} bytes: "
     "on no line: off it by up to {misfit_ns/1000:3} us beyond the noise",
     "sizes/pieces", "!fixed_ns|!ns_per_byte"},
    {"  " PIECE_NAME ": a step of {jump_ns/1000:3} us {jump_ns/1000[3} between "
     "{size:0} and {next:0} bytes",
     "sizes/breaks", "jump_ns[>0"},
    {"  " PIECE_NAME ": a bend between {size:0} and {next:0} bytes", "sizes/breaks", "!jump_ns[>0"},
    {"  " SIZES_NAME ": off by {residual_largest%1} of a call at worst, at {residual_size:0} bytes",
     "sizes"},
    {NULL},
};

static const struct view_table tables[] = {
    {"cells", NULL, cell_columns, NULL, cell_remarks, cell_notes, .when = "!^find_max|-v"},
    {"contrasts", NULL, contrasts, .when = "!^reference|!quantity=round_trip"},
    {"scaling", NULL, knee, law, scaling_remarks, scaling_notes},
    {"delays", NULL, delays, NULL, delay_remarks, delay_notes},
    {"sizes/pieces", "  {what} by size, " SIZES_NAME, pieces, .notes = pieces_notes,
     .when = "!^basis=above-reference"},
    {"sizes/pieces", NULL, pieces_above_reference, .notes = pieces_notes,
     .when = "^basis=above-reference"},
    {NULL},
};

#define BY                                                                                         \
    ", by {find_max.probes#probe} of {find_max.calls_least#call} or more"                          \
    "{?(find_max.lacks_calls) ({find_max.calls_wanted} {?(unit_calls)are needed|"                  \
    "would take too long at some rates})}"

static const struct view_line notes[] = {
    {"  {what} by size, " SIZES_NAME ": no line through it: {missing}", "sizes"},
    {"", .when = "reference !contrasts"},
    {"  There is {reference} only, and nothing to compare it with.", .when = "!contrasts"},
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
    {"  {find_max.objective} holds up to {find_max.rate_per_s:0} calls/s "
     "{find_max.rate_per_s[0} (95 % credible interval){?(find_max.outcome=unclear); the probes did "
     "not "
     "narrow it further}" BY,
     .when = "find_max.outcome=found|find_max.outcome=unclear"},
    {"  {find_max.probes_repeated#probe} without an answer, made again; "
     "{find_max.probes_without_answer} got none in the end",
     .when = "find_max.probes_repeated"},
    {"  rates below {find_max.lowest_rate:0} calls/s were not tried"},
    {"", .when = "left_out"},
    {"  left out: {names}: {reason}", "left_out"},
    {""},
    VIEW_VERDICT,
    {NULL},
};

const struct view view_experiment = {RESULT_EXPERIMENT, fields, head, tables, notes};
