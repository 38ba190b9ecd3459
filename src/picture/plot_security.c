/* Pictures of security ladders: what each flavor makes of a call by AUTH_SYS. */
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/panel.h"

enum { FLAVORS_MAXIMUM = 16 };

/* A point of a ladder, as a multiple of the call by AUTH_SYS. */
struct row {
    const struct sec_point *point;
    size_t file;
    struct interval times;
};

/* Of one call at a time; the first ones of many. */
enum { ROWS_MAXIMUM = 96 };

struct rows {
    struct row list[ROWS_MAXIMUM];
    size_t count;
    const char *flavors[FLAVORS_MAXIMUM]; /* each once */
    size_t flavor_count;
};

static size_t flavor_of(const struct rows *rows, const char *security)
{
    size_t i = 0;

    while (i < rows->flavor_count && strcmp(rows->flavors[i], security) != 0)
        i++;
    return i;
}

/* Below a tenth of the call by AUTH_SYS, an interval says nothing, and a logarithmic axis has no 0.
 */
#define TIMES_LEAST 0.1

static struct interval times_of(const struct sec_point *point)
{
    const struct interval *above = &point->intervals[SEC_ABOVE];
    double base = point->intervals[SEC_ROUND_TRIP].estimate - above->estimate;
    double low = isnan(above->low) ? above->estimate : above->low;
    double high = isnan(above->high) ? above->estimate : above->high;

    return (struct interval){1 + above->estimate / base, fmax(1 + low / base, TIMES_LEAST),
                             1 + high / base};
}

static void add_row(struct rows *rows, const struct sec_point *point, size_t file)
{
    const struct interval times = times_of(point);
    size_t flavor = flavor_of(rows, point->security);

    if (rows->count == ROWS_MAXIMUM || flavor == FLAVORS_MAXIMUM || point->depth != 1 ||
        strcmp(point->security, SEC_BASE) == 0 || !(times.estimate >= TIMES_LEAST) ||
        !isfinite(times.high))
        return;
    rows->flavors[flavor] = point->security;
    rows->flavor_count += flavor == rows->flavor_count;
    rows->list[rows->count++] = (struct row){point, file, times};
}

static void find_rows(const struct result_set *set, struct rows *rows)
{
    *rows = (struct rows){.count = 0};
    for (size_t file = 0; file < set->file_count; file++) {
        const struct sec_ladder *ladder = set->files[file].sec_ladder;

        for (size_t i = 0; ladder && i < ladder->point_count; i++)
            add_row(rows, &ladder->points[i], file);
    }
}

/* "A  read 64Ki" beside the first row of an op and size. */
static void name_rows(const struct result_set *set, const struct rows *rows, struct panel *panel)
{
    char name[SEC_NAME_SIZE], before[SEC_NAME_SIZE] = "";

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];

        sec_point_name(row->point, name);
        if (i == 0 || strcmp(name, before) != 0 || row->file != row[-1].file)
            panel_name_row(panel, (double)i, set, row->file, name);
        strcpy(before, name);
    }
    panel->bottom = (double)rows->count - 0.2;
}

/* Its multiple, and behind that what is above, us. */
static void draw_flavor(const struct rows *rows, size_t flavor, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE];

    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];
        const double above = us(row->point->intervals[SEC_ABOVE].estimate);

        if (flavor_of(rows, row->point->security) == flavor)
            panel_point(panel, (double)i, &row->times, row->times.high, "%+.*f",
                        fabs(above) < 100 ? 1 : 0, above);
    }
    panel_draw_points(panel, plot_text(rows->flavors[flavor], name),
                      "lw 1.6 pt 7 ps 0.6 lt %zu lc rgb '%s'", flavor + 1, plot_colour(flavor));
}

static void set_axis(const struct rows *rows, struct panel *panel)
{
    double low = 1, high = 2;

    for (size_t i = 0; i < rows->count; i++) {
        low = fmin(low, rows->list[i].times.low);
        high = fmax(high, rows->list[i].times.high);
    }
    panel_set(panel, "xlabel 'times the round trip by AUTH_SYS; figures: '.US.' above it'");
    panel_set(panel, "logscale x");
    panel_log_tics(panel, "x", low, high);
    panel_set(panel, "xrange [%.8g:%.8g]", 0.9 * low, high * pow(high / low, 0.25));
    panel_set(panel, "arrow from 1, graph 0 to 1, graph 1 nohead lt 1 lc rgb '#808080'");
}

static bool draw_security(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows;

    find_rows(set, &rows);
    panel_title(panel, set, "what security costs: point and 95 %% interval");
    set_axis(&rows, panel);
    name_rows(set, &rows, panel);
    for (size_t i = 0; i < rows.flavor_count; i++)
        draw_flavor(&rows, i, panel);
    panel_key_files(panel, set);
    return index == 0 && rows.count > 0;
}

const struct plot_kind plot_security = {
    .name = "security",
    .caption = "What each security flavor costs: the round trip of a call as a multiple of that by "
               "AUTH_SYS in the same rounds, with its 95 % interval from the spread between "
               "trials; the figure beside it is the difference.",
    .usual = true,
    .draw = draw_security,
};
