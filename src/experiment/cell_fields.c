/* Fields of a cell. */
#include "experiment/experiment_parts.h"

/* Figures, each with the values of its units */

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

static const char *name_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    return cell_name(object, room);
}

static const char *own_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    return cell_label(root, object, true, room);
}

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

static const char *const answers[] = {
    [OBJECTIVE_NO_ANSWER] = "no answer", [OBJECTIVE_FAILED] = "no", [OBJECTIVE_HELD] = "yes", NULL};

const struct field link_fields[] = {
    {"delay_ns", FIELD_QUANTITY, FIELD_AT(struct link_counts, latency_ns)},
    {"bits_per_s", FIELD_QUANTITY, FIELD_AT(struct link_counts, rate), FIELD_OR_NULL},
    FIELD_END,
};

/* Return the cell's rate / its reference's rate; NAN if the cell has no reference. */
static double share_of_rate(const void *object, const void *root)
{
    const struct experiment_result *experiment = root;
    const struct experiment_cell *cell = object;

    return cell->against ? cell->intervals[CELL_RATE].estimate /
                               experiment->cells[cell->against->first].intervals[CELL_RATE].estimate
                         : NAN;
}

const struct field cell_fields[] = {
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
