#include "explain/breakdown_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/phases.h"
#include "measure/states.h"
#include "output/result/result.h"

#define PART(member) FIELD_AT(struct breakdown_part, member)
#define AT(member)   FIELD_AT(struct breakdown, member)

/* Phases */

static const struct field phase_fields[] = {
    {"key", FIELD_WORD, PART(key), FIELD_NAME},
    {"name", FIELD_WORD, PART(name), FIELD_NAME},
    {"kind", FIELD_WORD, PART(kind), FIELD_NAME},
    {"added_ns", FIELD_INTERVAL, PART(ns)},
    {"adjusted_ns", FIELD_NUMBER, PART(ns.estimate)}, /* as in added_ns, which old files lack */
    FIELD_END,
};

static const struct field lifetime_fields[] = {
    {"mean", FIELD_QUANTITY, AT(whole.estimate)},
    FIELD_END,
};

static const struct field overlapping_fields[] = {
    {"mean", FIELD_QUANTITY, AT(overlap)},
    FIELD_END,
};

static const struct field overlap_fields[] = {
    {"begins_ns", FIELD_NUMBER, AT(overlap_begins)},
    {"latency_ns", FIELD_OBJECT, .fields = overlapping_fields},
    FIELD_END,
};

static const struct field op_fields_of_phases[] = {
    {"op", FIELD_WORD, AT(op), FIELD_NAME},
    {"mean_lifetime_ns", FIELD_INTERVAL, AT(whole)},
    {"lifetime_ns", FIELD_OBJECT, .fields = lifetime_fields},
    {"discrepancy", FIELD_NUMBER, AT(discrepancy)},
    {"overlap", FIELD_OBJECT, .fields = overlap_fields},
    {"phases", FIELD_LIST, FIELD_ITEMS(struct breakdown, parts, part_count, phase_fields),
     .maximum = BREAKDOWN_PARTS_MAXIMUM},
    FIELD_END,
};

/* Predictions */

#define PREDICTIONS(list)                                                                          \
    {                                                                                              \
        "predictions", FIELD_LIST, FIELD_ITEMS(struct breakdown, parts, part_count, list),         \
            .maximum = BREAKDOWN_PARTS_MAXIMUM                                                     \
    }

static const struct field earlier_fields[] = {
    {"phases", FIELD_TEXT, PART(key), FIELD_NAME},     {"name", FIELD_TEXT, PART(name), FIELD_NAME},
    {"earlier_ns", FIELD_QUANTITY, PART(ns.estimate)}, {"low_ns", FIELD_QUANTITY, PART(ns.low)},
    {"high_ns", FIELD_QUANTITY, PART(ns.high)},        FIELD_END,
};

static const struct field measured_fields[] = {
    {"phases", FIELD_TEXT, PART(key), FIELD_NAME},
    {"name", FIELD_TEXT, PART(name), FIELD_NAME},
    {"mean_ns", FIELD_QUANTITY, PART(ns.estimate)},
    FIELD_END,
};

static const struct field predicted_fields[][2] = {{PREDICTIONS(earlier_fields), FIELD_END},
                                                   {PREDICTIONS(measured_fields), FIELD_END}};

/* Complete EARLIER and MEASURED, the two breakdowns of a prediction. Their part "life" becomes the
 * member WHOLE. A part whose time is unknown (not finite) in one of them is removed from both. The
 * intervals of EARLIER are the predicted ranges; the ends of MEASURED's intervals become NAN. */
static void keep_parts(struct breakdown *earlier, struct breakdown *measured)
{
    size_t kept = 0;

    for (size_t i = 0; i < earlier->part_count; i++) {
        struct breakdown_part one = earlier->parts[i], other = measured->parts[i];

        one.in_sum = other.in_sum = true;
        other.ns.low = other.ns.high = NAN;
        if (strcmp(one.key, phase_life.key) == 0) {
            earlier->whole = one.ns;
            measured->whole = other.ns;
        } else if (isfinite(one.ns.estimate) && isfinite(other.ns.estimate)) {
            earlier->parts[kept] = one;
            measured->parts[kept++] = other;
        }
    }
    earlier->part_count = measured->part_count = kept;
}

/* Set BREAKDOWN's PREDICTED to FROM's predictions if FROM has the earlier and the measured time of
 * the whole call and of at least one phase. Otherwise PREDICTED remains NULL. */
static void read_predicted(struct json_reader *reader, const json_t *from,
                           struct breakdown *breakdown)
{
    static const char *const names[] = {"earlier, and predicted range", "this measurement"};
    struct breakdown *predicted = json_room(reader, 2, sizeof *predicted);

    for (size_t i = 0; predicted && i < 2; i++) {
        predicted[i] = *breakdown;
        predicted[i].name = names[i];
        predicted[i].whole.estimate = NAN;
        predicted[i].overlap = 0;
        fields_read(reader, from, predicted_fields[i], &predicted[i]);
    }
    if (!predicted || reader->code)
        return;
    keep_parts(&predicted[0], &predicted[1]);
    if (isfinite(predicted[0].whole.estimate) && isfinite(predicted[1].whole.estimate) &&
        predicted[0].part_count > 0)
        breakdown->predicted = predicted;
}

/* Phases of an op */

static void read_phases(struct json_reader *reader, const json_t *from, const char *view,
                        struct breakdown *breakdown)
{
    fields_read(reader, from, op_fields_of_phases, breakdown);
    breakdown->name = breakdown->op;
    breakdown->view = view;
    for (size_t i = 0; i < breakdown->part_count; i++)
        breakdown->parts[i].in_sum = true;
    read_predicted(reader, from, breakdown);
}

/* Steps */

const struct field breakdown_step_fields[] = {
    {"step", FIELD_WORD, PART(key), FIELD_NAME},
    {"rung", FIELD_WORD, PART(rung)},
    {"above", FIELD_WORD, PART(above)},
    {"cost_ns", FIELD_INTERVAL, PART(ns)},
    {"share", FIELD_NUMBER, PART(share)},
    {"in_sum", FIELD_FLAG, PART(in_sum)},
    {"distinguishable", FIELD_FLAG, PART(distinguishable)},
    FIELD_END,
};

static const struct field ladder_fields[] = {
    {"op", FIELD_WORD, AT(op), FIELD_NAME},
    {"sum_ns", FIELD_INTERVAL, AT(whole)},
    {"discrepancy", FIELD_NUMBER, AT(discrepancy)},
    {"steps", FIELD_LIST, FIELD_ITEMS(struct breakdown, parts, part_count, breakdown_step_fields),
     .maximum = BREAKDOWN_PARTS_MAXIMUM},
    FIELD_END,
};

static void read_ladder(struct json_reader *reader, const json_t *root, struct breakdown *breakdown)
{
    fields_read(reader, root, ladder_fields, breakdown);
    breakdown->name = breakdown->op;
    for (size_t i = 0; i < breakdown->part_count; i++)
        breakdown->parts[i].name = breakdown->parts[i].key;
}

/* States, of which an op may have several tables */

static const struct field state_fields[] = {
    {"name", FIELD_WORD, PART(key), FIELD_NAME},
    {"kind", FIELD_WORD, PART(kind), FIELD_NAME},
    {"adjusted_ns", FIELD_QUANTITY, PART(ns.estimate)},
    FIELD_END,
};

static const struct field table_fields[] = {
    {"of", FIELD_WORD, AT(view), FIELD_NAME},
    {"name", FIELD_WORD, AT(name), FIELD_NAME},
    {"lifetime_ns", FIELD_QUANTITY, AT(whole.estimate)},
    {"discrepancy", FIELD_NUMBER, AT(discrepancy)},
    {"states", FIELD_LIST, FIELD_ITEMS(struct breakdown, parts, part_count, state_fields),
     .maximum = BREAKDOWN_PARTS_MAXIMUM},
    FIELD_END,
};

/* Read a table of OP's states, and name it: "read: RPC READ". */
static void read_table(struct json_reader *reader, const json_t *from, const char *op,
                       struct breakdown *breakdown)
{
    const char *what;
    char *name;
    size_t size;

    fields_read(reader, from, table_fields, breakdown);
    breakdown->whole.low = breakdown->whole.high = NAN;
    for (size_t i = 0; i < breakdown->part_count; i++) {
        breakdown->parts[i].name = breakdown->parts[i].key;
        breakdown->parts[i].ns.low = breakdown->parts[i].ns.high = NAN;
        breakdown->parts[i].in_sum = true;
    }
    if (reader->code)
        return;
    what = strcmp(breakdown->view, "procedure") == 0        ? "RPC "
           : strcmp(breakdown->view, "server-request") == 0 ? "server "
                                                            : "";
    size = strlen(op) + strlen(what) + strlen(breakdown->name) + 3;
    name = json_room(reader, size, 1);
    if (name)
        snprintf(name, size, "%s: %s%s", op, what, breakdown->name);
    breakdown->op = op;
    breakdown->name = name;
}

struct breakdown *breakdowns_read_states(struct json_reader *reader, const json_t *root,
                                         size_t *count)
{
    size_t op_count, table_count;
    const json_t *ops = json_take_array(reader, root, "ops", RESULT_OPS_MAXIMUM, &op_count);
    struct breakdown *all = json_room(reader, op_count * STATES_GROUPS_MAXIMUM, sizeof *all);

    *count = 0;
    for (size_t i = 0; all && i < op_count && reader->code == 0; i++) {
        const json_t *op = json_array_get(ops, i);
        const char *name = json_take_word(reader, op, "op");
        const json_t *tables =
            json_take_array(reader, op, "tables", STATES_GROUPS_MAXIMUM, &table_count);

        if (!name)
            json_refuse_value(reader, "op", "a string");
        for (size_t j = 0; j < table_count && reader->code == 0; j++) {
            struct breakdown *read = &all[(*count)++];

            read_table(reader, json_array_get(tables, j), name, read);
            if (reader->code == 0 && strcmp(read->view, "system-call") == 0)
                read_predicted(reader, op, read);
        }
    }
    return reader->code ? NULL : all;
}

struct breakdown *breakdowns_read(struct json_reader *reader, const json_t *root, size_t *count)
{
    const json_t *ops = json_take_array(reader, root, "ops", RESULT_OPS_MAXIMUM, count);
    const char *view = json_take_word(reader, root, "view");
    struct breakdown *breakdowns;

    *count = ops ? *count : 1;
    breakdowns = json_room(reader, *count, sizeof *breakdowns);
    for (size_t i = 0; breakdowns && i < *count && reader->code == 0; i++)
        if (json_find(root, "steps"))
            read_ladder(reader, root, &breakdowns[i]);
        else
            read_phases(reader, ops ? json_array_get(ops, i) : root, view, &breakdowns[i]);
    *count = breakdowns ? *count : 0;
    return breakdowns;
}
