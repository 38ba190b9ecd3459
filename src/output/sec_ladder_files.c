/* A security ladder as JSON (doc/FORMAT.md), written and read back, and as CSV. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "output/csv.h"
#include "output/json.h"
#include "output/number.h"
#include "output/result_fields.h"
#include "output/sec_ladder.h"

const char *const sec_figure_names[SEC_FIGURES] = {
    [SEC_ROUND_TRIP] = "round_trip_ns",
    [SEC_ABOVE] = "above_sys_ns",
    [SEC_CLIENT_CPU] = "client_cpu_ns_per_call",
    [SEC_SERVER_CPU] = "server_cpu_ns_per_call",
    [SEC_RATE] = "throughput_per_s",
    [SEC_RATE_SHARE] = "throughput_of_sys",
};

/* JSON */

static json_t *figures_write(const void *object, const void *root)
{
    const struct sec_point *point = object;
    json_t *figures = json_object();

    for (unsigned i = 0; i < SEC_FIGURES; i++)
        json_object_set_new(
            figures, sec_figure_names[i],
            sweep_figure_write(point->figures[i], point->repeats, &point->intervals[i]));
    return figures;
}

static void figures_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct sec_point *point = object;

    for (unsigned i = 0; i < SEC_FIGURES && reader->code == 0; i++)
        sweep_figure_read(reader, json_take_object(reader, from, sec_figure_names[i]),
                          point->figures[i], point->repeats, &point->intervals[i]);
}

#define POINT(member) FIELD_AT(struct sec_point, member)

static const struct field point_fields[] = {
    {"op", FIELD_WORD, POINT(op), FIELD_NAME},
    {"security", FIELD_WORD, POINT(security), FIELD_NAME},
    {"size", FIELD_COUNT, POINT(size), FIELD_OR_NULL},
    {"depth", FIELD_COUNT, POINT(depth)},
    {"trials", FIELD_COUNT, POINT(repeats), .maximum = SWEEP_REPEATS_MAXIMUM},
    {"invalid_trials", FIELD_COUNT, POINT(invalid), .maximum = SWEEP_REPEATS_MAXIMUM},
    {NULL, FIELD_OWN, .write = figures_write, .read = figures_read},
    FIELD_END,
};

#define LINE(member) FIELD_AT(struct sec_line, member)

static const struct field line_fields[] = {
    {"op", FIELD_WORD, LINE(op), FIELD_NAME},
    {"security", FIELD_WORD, LINE(security), FIELD_NAME},
    {"sizes", FIELD_OBJECT, LINE(sizes), .fields = sweep_sizes_fields},
    FIELD_END,
};

#define LEFT(member) FIELD_AT(struct sec_left_out, member)

static const struct field left_out_fields[] = {
    {"security", FIELD_WORD, LEFT(security), FIELD_NAME},
    {"op", FIELD_WORD, LEFT(op), FIELD_OR_NULL},
    {"depth", FIELD_COUNT, LEFT(depth), FIELD_OR_NULL},
    {"reason", FIELD_TEXT, LEFT(reason)},
    FIELD_END,
};

static bool is_by_time(const void *object, const void *root)
{
    return ((const struct sec_ladder *)object)->trial_calls == 0;
}

#define AT(member)                  FIELD_AT(struct sec_ladder, member)
#define ITEMS(member, number, list) FIELD_ITEMS(struct sec_ladder, member, number, list)

static const struct field ladder_fields[] = {
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"check_in_time", FIELD_FLAG, AT(check_in_time)},
    {"trial_seconds", FIELD_QUANTITY, AT(trial_seconds), FIELD_OR_NULL, .known = is_by_time},
    {"trial_calls", FIELD_COUNT, AT(trial_calls), FIELD_OR_NULL},
    {"points", FIELD_LIST, ITEMS(points, point_count, point_fields), .maximum = SEC_POINTS_MAXIMUM},
    {"lines", FIELD_LIST, ITEMS(lines, line_count, line_fields), .maximum = SEC_LINES_MAXIMUM},
    {"left_out", FIELD_LIST, ITEMS(left_out, left_out_count, left_out_fields),
     .maximum = SEC_LEFT_OUT_MAXIMUM},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

int sec_ladder_write_json(const void *data, FILE *out)
{
    const struct sec_ladder *ladder = data;
    json_t *object = json_begin(RESULT_SEC_LADDER);

    origin_add_json(object, &ladder->origin);
    fields_add(object, ladder_fields, ladder, NULL);
    return json_write_object(object, out);
}

void sec_ladder_read(struct json_reader *reader, const json_t *root, struct sec_ladder *ladder)
{
    fields_read(reader, root, ladder_fields, ladder);
}

/* CSV: a line for each trial */

static void write_trial(const struct sec_ladder *ladder, const struct sec_point *point,
                        size_t trial, FILE *out)
{
    origin_write_csv(&ladder->origin, out);
    fprintf(out, "%s,%s,%s,%s", verdict_name(ladder->validity.verdict), ladder->engine, point->op,
            point->security);
    csv_write_number(point->size ? (double)point->size : NAN, NUMBER_WRITTEN_DIGITS, out);
    fprintf(out, ",%" PRIu32, point->depth);
    for (unsigned i = 0; i < SEC_FIGURES; i++)
        csv_write_number(point->figures[i][trial], 9, out);
    fputs("\r\n", out);
}

int sec_ladder_write_csv(const void *data, FILE *out)
{
    const struct sec_ladder *ladder = data;

    fputs(ORIGIN_CSV_COLUMNS "verdict,engine,op,security,size,depth", out);
    for (unsigned i = 0; i < SEC_FIGURES; i++)
        fprintf(out, ",%s", sec_figure_names[i]);
    fputs("\r\n", out);
    for (size_t i = 0; i < ladder->point_count; i++)
        for (size_t trial = 0; trial < ladder->points[i].repeats; trial++)
            write_trial(ladder, &ladder->points[i], trial, out);
    return ferror(out) ? -EIO : 0;
}
