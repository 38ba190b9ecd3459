/* Fields and view of the explanations of several ops: a line for each op, and a table of the
 * phases' shares with a column for each op. */
#include <math.h>
#include <string.h>

#include "explain/phases/explain.h"
#include "output/result/result_fields.h"
#include "output/view/number.h"
#include "version.h"

enum { NAME_COLUMNS = 21, OP_COLUMNS = 9 };

#define AT(member) FIELD_AT(struct explanations, member)
#define OP(member) FIELD_AT(struct explanation, member)

/* Fields of an op */

static double share_of_network(const void *object, const void *root)
{
    const struct explanation *op = object;

    return op->shares[PHASE_NETWORK] + op->shares[PHASE_NETWORK_AND_SERVER];
}

static double cost_share(const void *object, const void *root)
{
    const struct explanation *op = object;

    if (!op->has_stamping)
        return NAN;
    return op->stamping.estimate / op->sample / op->unstamped_typical;
}

static const struct field longest_type_fields[] = {
    {"longest_name", FIELD_WORD, FIELD_AT(struct phase_type, name), FIELD_SHOWN},
    FIELD_END,
};

static const struct field longest_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct phase_row, type, longest_type_fields)},
    {"longest_share", FIELD_NUMBER, FIELD_AT(struct phase_row, share), FIELD_SHOWN},
    FIELD_END,
};

static const struct field shown_op_fields[] = {
    {NULL, FIELD_OBJECT, .fields = explain_op_fields},
    {"client_share", FIELD_NUMBER, OP(shares[PHASE_CLIENT]), FIELD_SHOWN},
    {"queues_share", FIELD_NUMBER, OP(shares[PHASE_QUEUEING]), FIELD_SHOWN},
    {"network_share", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = share_of_network},
    {"server_share", FIELD_NUMBER, OP(shares[PHASE_SERVER]), FIELD_SHOWN},
    {NULL, FIELD_POINTER, FIELD_TO(struct explanation, longest, longest_fields)},
    {"cost_share", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = cost_share},
    FIELD_END,
};

static double life_of(const struct explanation *explanation)
{
    return explanation->phases->lifetime.mean;
}

static double work_of(const struct explanation *explanation)
{
    return life_of(explanation) * (1 - explanation->shares[PHASE_QUEUEING]);
}

/* Write to ROOM the ops with the smallest and the largest FIGURE(), and these two values in us. */
static const char *extremes(const struct explanations *explanations,
                            double (*figure)(const struct explanation *), char room[FIELD_ROOM])
{
    const struct explanation *least = &explanations->ops[0], *most = least;
    char low[NUMBER_SIZE], high[NUMBER_SIZE];

    for (size_t i = 1; i < explanations->count; i++) {
        const struct explanation *op = &explanations->ops[i];

        least = figure(op) < figure(least) ? op : least;
        most = figure(op) > figure(most) ? op : most;
    }
    return field_print(room, "shortest %s, %s us; longest %s, %s us", least->op,
                       number_us(figure(least), 9, low), most->op,
                       number_us(figure(most), 9, high));
}

static const char *extremes_of_life(const void *object, const void *root, char room[FIELD_ROOM])
{
    return extremes(object, life_of, room);
}

static const char *extremes_of_work(const void *object, const void *root, char room[FIELD_ROOM])
{
    return extremes(object, work_of, room);
}

static const char *explained_calls(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explanations *explanations = object;

    return explain_describe_explained(explanations->ops, explanations->count, " of these ops",
                                      room);
}

/* Describe the limit of a mix, whose ops share one load and one limit. */
static const char *limit_of_mix(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explanations *explanations = object;

    return explanations->mix && explanations->ops->load
               ? explain_limit_text(explanations->ops, explanations->mix, room)
               : NULL;
}

/* The fields of the run are those of the first op. */
static const struct field fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct explanations, ops, explain_run_fields)},
    {"mix", FIELD_TEXT, AT(mix)},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct explanations, ops, count, shown_op_fields)},
    {"skipped", FIELD_LIST,
     FIELD_ITEMS(struct explanations, skipped, skipped_count, skipped_fields)},
    {"extremes_of_life", FIELD_WORD, .flags = FIELD_SHOWN, .text = extremes_of_life},
    {"extremes_of_work", FIELD_WORD, .flags = FIELD_SHOWN, .text = extremes_of_work},
    {"limit_of_mix", FIELD_TEXT, .flags = FIELD_SHOWN, .text = limit_of_mix},
    {"explained_calls", FIELD_TEXT, .flags = FIELD_SHOWN, .text = explained_calls},
    FIELD_END,
};

/* Table of the shares of all phases */

static double share_of(const struct explanation *explanation, const char *key)
{
    for (size_t i = 0; i < explanation->row_count; i++)
        if (strcmp(explanation->rows[i].type->key, key) == 0)
            return explanation->rows[i].share;
    return NAN;
}

static bool is_entered(const struct explanations *explanations, const char *key)
{
    for (size_t i = 0; i < explanations->count; i++)
        if (!isnan(share_of(&explanations->ops[i], key)))
            return true;
    return false;
}

static void print_phase(const struct explanations *explanations, const struct phase_type *type,
                        size_t from, size_t until, FILE *out)
{
    fprintf(out, "  %-*s", NAME_COLUMNS, type->name);
    for (size_t i = from; i < until; i++) {
        double share = share_of(&explanations->ops[i], type->key);

        if (isnan(share))
            fprintf(out, "  %*s", OP_COLUMNS, "-");
        else
            fprintf(out, "  %*.1f", OP_COLUMNS, 100 * share);
    }
    fputc('\n', out);
}

static void print_phases(const struct explanations *explanations, size_t from, size_t until,
                         FILE *out)
{
    const struct phase_view *view = explanations->ops[0].view;

    fprintf(out, "\n  %-*s", NAME_COLUMNS, "share of lifetime, %");
    for (size_t i = from; i < until; i++)
        fprintf(out, "  %*.*s", OP_COLUMNS, OP_COLUMNS, explanations->ops[i].op);
    fputc('\n', out);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (phase_is_in(view, i) && !(phase_types[i].flags & PHASE_JOINED) &&
            is_entered(explanations, phase_types[i].key))
            print_phase(explanations, &phase_types[i], from, until, out);
}

static void draw_shares(const void *result, FILE *out)
{
    const struct explanations *explanations = result;
    const unsigned columns = terminal_of(out).columns, width = columns < 80 ? 80 : columns;
    const size_t beside = (width - 2 - NAME_COLUMNS) / (2 + OP_COLUMNS);

    for (size_t i = 0; i < explanations->count; i += beside)
        print_phases(explanations, i,
                     i + beside < explanations->count ? i + beside : explanations->count, out);
}

static const struct view_line head[] = {
    {EXPLAIN_TITLE("{?{mix}|{ops#op}}")},
    {EXPLAIN_CPUS "     seed {seed}"},
    {"CUT SHORT: {cut_short_by}"},
    {NULL},
};

static const struct view_column columns[] = {
    {"op", "op", .width = 16},
    {"explained", "calls", 1, VIEW_GROUPED},
    {"lifetime_ns.mean", "lifetime us", 0, 3, VIEW_US},
    {"lifetime_ns.p99", "p99 us", 4, 3, VIEW_US},
    {"client_share", "client", 3, 1, .flags = VIEW_PERCENT},
    {"queues_share", "queues", 0, 1, .flags = VIEW_PERCENT},
    {"network_share", "network", 3, 1, .flags = VIEW_PERCENT},
    {"server_share", "server", 2, 1, .flags = VIEW_PERCENT},
    {"longest_name", "longest phase"},
    {"longest_share", "share", 0, 1, .flags = VIEW_PERCENT},
    {"cost_share", "cost", 2, 1, .flags = VIEW_PERCENT},
    {NULL},
};

static const struct view_line columns_notes[] = {
    {"  cost: what the timestamps {?(one_in>1)of one call in {one_in} }add to a call on average",
     .flags = VIEW_VERBOSE, .column = "cost"},
    {NULL},
};

static const struct view_table tables[] = {
    {"ops", NULL, columns, .notes = columns_notes},
    {"ops", .draw = draw_shares},
    {NULL},
};

static const struct view_line notes[] = {
    {""},
    {"  lifetime: {extremes_of_life}"},
    {"  lifetime without queueing: {extremes_of_work}"},
    {"  {limit_of_mix}"},
    {"  {op}: {limit_text}", "ops", .when = "!^mix"},
    {"  not explained: {op} ({reason})", "skipped"},
    {"  {explained_calls}"},
    {"  {lost}"},
    {"  the server's own phases are not distinguished: {server_missing}"},
    VIEW_VERDICT,
    {NULL},
};

const struct view view_explanations = {RESULT_EXPLANATIONS, fields, head, tables, notes,
                                       &explanation_reading};
