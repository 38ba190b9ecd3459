/* A picture of an experiment's variants: the time of a call, divided by the reference's time. */
#include <math.h>
#include <string.h>

#include "experiment/experiment.h"
#include "report/plot_kinds.h"

enum { ROWS_MAXIMUM = 96, VARIANTS_MAXIMUM = 16, REFERENCE_SHORT = 20 };

/* The rows of a picture: cells that are compared with a reference. Cells beyond ROWS_MAXIMUM or
 * VARIANTS_MAXIMUM, or with a ratio below TIMES_LEAST, are left out. */
struct rows {
    struct {
        const struct experiment_cell *cell;
        const char *reference; /* the variant that the cell is compared with */
        size_t variant;
        double place;
        struct interval times; /* time of a call, divided by the reference's time */
    } list[ROWS_MAXIMUM];
    size_t count;
    const char *variants[VARIANTS_MAXIMUM]; /* each variant of any row, once */
    size_t variant_count;
    double low, high; /* lowest and highest end of all intervals; LOW <= 1, HIGH >= 2 */
    double place;     /* vertical position of the next row */
};

#define GROUP_GAP 0.7

/* smallest ratio that is drawn, because a logarithmic axis has no 0 */
#define TIMES_LEAST 0.1

static void add_row(struct rows *rows, const struct experiment_result *experiment,
                    const struct experiment_cell *cell)
{
    const struct interval *ratio = &cell->against->ratio;
    const struct interval times = {
        ratio->estimate, fmax(isfinite(ratio->low) ? ratio->low : ratio->estimate, TIMES_LEAST),
        isfinite(ratio->high) ? ratio->high : ratio->estimate};
    const char *variant = cell->variant ? cell->variant : cell->op;
    size_t i = 0;

    while (i < rows->variant_count && strcmp(rows->variants[i], variant) != 0)
        i++;
    if (rows->count == ROWS_MAXIMUM || i == VARIANTS_MAXIMUM || !(times.estimate >= TIMES_LEAST))
        return;
    rows->variants[i] = variant;
    rows->variant_count += i == rows->variant_count;
    rows->low = fmin(rows->low, times.low);
    rows->high = fmax(rows->high, times.high);
    rows->list[rows->count].cell = cell;
    rows->list[rows->count].reference = experiment->cells[cell->against->first].variant;
    rows->list[rows->count].variant = i;
    rows->list[rows->count].place = rows->place++;
    rows->list[rows->count++].times = times;
}

/* Return the name of the rows' reference, or "AUTH_SYS" if the name is SEC_BASE. If the name is
 * long or unknown, or rows have different references, return "the reference". */
static const char *name_reference(const struct rows *rows, char name[PANEL_TEXT_SIZE])
{
    const char *first = rows->count ? rows->list[0].reference : NULL;

    for (size_t i = 0; i < rows->count; i++)
        if (!first || strlen(first) > REFERENCE_SHORT || !rows->list[i].reference ||
            strcmp(rows->list[i].reference, first) != 0)
            return "the reference";
    return first && strcmp(first, SEC_BASE) != 0 ? plot_text(first, name) : "AUTH_SYS";
}

/* Set NAME to the settings of cell INDEX except the variant: "read 64Ki, depth 8". Returns NAME;
 * NULL if the cell has no reference, or if an earlier cell has the same NAME. */
static const char *group_of(const struct experiment_result *experiment, size_t index,
                            char name[FIELD_ROOM])
{
    char other[FIELD_ROOM];

    if (!experiment->cells[index].against)
        return NULL;
    cell_label(experiment, &experiment->cells[index], false, name);
    for (size_t i = 0; i < index; i++)
        if (experiment->cells[i].against &&
            strcmp(cell_label(experiment, &experiment->cells[i], false, other), name) == 0)
            return NULL;
    return name;
}

/* Add the rows of FILE. Rows that differ only in the variant form a group. The first row of a
 * group has the group's name as its label. */
static void add_groups(struct rows *rows, const struct result_set *set, size_t file,
                       struct panel *panel)
{
    const struct experiment_result *experiment = experiment_of(set->files[file]);
    char name[FIELD_ROOM], other[FIELD_ROOM];

    for (size_t i = 0; i < experiment->cell_count; i++) {
        const size_t before = rows->count;

        if (!group_of(experiment, i, name))
            continue;
        for (size_t j = i; j < experiment->cell_count; j++)
            if (experiment->cells[j].against &&
                strcmp(cell_label(experiment, &experiment->cells[j], false, other), name) == 0)
                add_row(rows, experiment, &experiment->cells[j]);
        if (rows->count == before)
            continue;
        panel_name_row(panel, rows->list[before].place, set, file, name);
        rows->place += rows->count - before > 1 ? GROUP_GAP : 0;
    }
}

/* Draw the ratios of VARIANT. The label of each is the difference from the reference. */
static void draw_variant(const struct rows *rows, size_t variant, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE];

    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++) {
        const struct interval *times = &rows->list[i].times;
        const double above =
            panel_time(panel, rows->list[i].cell->against->comparison.difference.estimate);

        if (rows->list[i].variant == variant)
            panel_point(panel, rows->list[i].place, times, times->high, "%+.4g", above);
    }
    panel_draw_points(panel, plot_text(rows->variants[variant], name),
                      "lw 1.6 pt 7 ps 0.6 lt %zu lc rgb '%s'", variant + 2,
                      /* colour 0 is the reference's */
                      plot_colour(variant + 1));
}

/* Set the panel's unit to suit the largest difference. The title names the variant whose
 * significant ratio is farthest from 1, or says that no ratio is significant. */
static void title_variants(const struct result_set *set, const struct rows *rows,
                           const char *reference, struct panel *panel)
{
    const struct interval *most = NULL;
    char name[PANEL_TEXT_SIZE];
    double largest = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct interval *times = &rows->list[i].times;

        largest = fmax(largest, fabs(rows->list[i].cell->against->comparison.difference.estimate));
        if ((times->low > 1 || times->high < 1) &&
            (!most || fabs(log(times->estimate)) > fabs(log(most->estimate)))) {
            most = times;
            plot_text(rows->variants[rows->list[i].variant], name);
        }
    }
    panel_unit(panel, largest);
    if (most)
        panel_title(panel, set, "%s is %.3g times %s", name, most->estimate, reference);
    else
        panel_title(panel, set, "no difference from %s was seen", reference);
}

static bool draw_variants(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows = {.low = 1, .high = 2};
    const char *reference;
    char name[PANEL_TEXT_SIZE];

    for (size_t file = 0; file < set->file_count; file++)
        if (experiment_of(set->files[file]))
            add_groups(&rows, set, file, panel);
    reference = name_reference(&rows, name);
    panel->bottom = rows.place - 0.2;
    title_variants(set, &rows, reference, panel);
    panel_set(panel, "xlabel 'multiple of %s'", reference);
    panel_set(panel, "logscale x");
    panel_log_tics(panel, "x", rows.low, rows.high, false);
    panel_set(panel, "xrange [%.8g:%.8g]", 0.9 * rows.low,
              rows.high * pow(rows.high / rows.low, 0.25));
    panel_set(panel, "arrow from 1, graph 0 to 1, graph 1 nohead lt 1 lc rgb '#808080'");
    for (size_t i = 0; i < rows.variant_count; i++)
        draw_variant(&rows, i, panel);
    panel_key(panel, "figures: difference in '.UNIT.'", "points pt -1");
    panel_key_files(panel, set);
    return index == 0 && rows.count > 0;
}

const struct plot_kind plot_variants = {
    .name = "variants",
    .caption = "The round trip of each variant as a multiple of the reference's, with its 95 % "
               "interval from the spread between trials. The figure next to a point is the "
               "difference in time.",
    .usual = true,
    .draw = draw_variants,
};
