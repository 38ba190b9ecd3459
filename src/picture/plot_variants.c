/* A picture of an experiment's variants: what each makes of the reference's call. */
#include <math.h>
#include <string.h>

#include "picture/panel.h"

enum { ROWS_MAXIMUM = 96, VARIANTS_MAXIMUM = 16 };

/* Cells with a reference; the first ones of many. */
struct rows {
    struct {
        const struct experiment_cell *cell;
        size_t variant;
        struct interval times; /* a multiple of the reference's call */
    } list[ROWS_MAXIMUM];
    size_t count;
    const char *variants[VARIANTS_MAXIMUM]; /* each once */
    size_t variant_count;
    double low, high; /* of all */
    char name[FIELD_ROOM];
    size_t file; /* of the last one */
};

/* Below a tenth of the reference's call, an interval says nothing, and a logarithmic axis has no 0.
 */
#define TIMES_LEAST 0.1

/* "A  read 64Ki, depth 8" stands beside the first row of what differs in the variant alone. */
static void add_row(struct rows *rows, const struct result_set *set, size_t file,
                    const struct experiment_cell *cell, struct panel *panel)
{
    const struct interval *ratio = &cell->against->ratio;
    const struct interval times = {
        ratio->estimate, fmax(isfinite(ratio->low) ? ratio->low : ratio->estimate, TIMES_LEAST),
        isfinite(ratio->high) ? ratio->high : ratio->estimate};
    const char *variant = cell->variant ? cell->variant : cell->op;
    char name[FIELD_ROOM];
    size_t i = 0;

    while (i < rows->variant_count && strcmp(rows->variants[i], variant) != 0)
        i++;
    if (rows->count == ROWS_MAXIMUM || i == VARIANTS_MAXIMUM || !(times.estimate >= TIMES_LEAST))
        return;
    rows->variants[i] = variant;
    rows->variant_count += i == rows->variant_count;
    cell_label(set->files[file].experiment, cell, false, name);
    if (strcmp(name, rows->name) != 0 || file != rows->file)
        panel_name_row(panel, (double)rows->count, set, file, name);
    strcpy(rows->name, name);
    rows->file = file;
    rows->low = fmin(rows->low, times.low);
    rows->high = fmax(rows->high, times.high);
    rows->list[rows->count].cell = cell;
    rows->list[rows->count].variant = i;
    rows->list[rows->count++].times = times;
}

/* Its multiple, and behind that what is above. */
static void draw_variant(const struct rows *rows, size_t variant, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE];

    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++) {
        const struct interval *times = &rows->list[i].times;
        const double above =
            panel_time(panel, rows->list[i].cell->against->comparison.difference.estimate);

        if (rows->list[i].variant == variant)
            panel_point(panel, (double)i, times, times->high, "%+.4g", above);
    }
    panel_draw_points(panel, plot_text(rows->variants[variant], name),
                      "lw 1.6 pt 7 ps 0.6 lt %zu lc rgb '%s'", variant + 2,
                      plot_colour(variant + 1)); /* as of curves, the first of which is the
                                                    reference */
}

/* What was found: of the one that differs most, and significantly; the farthest sets the panel's
 * unit. */
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
        panel_title(panel, set, "%s%s is %.3g times %s",
                    rows->count > 1 ? "largest difference: " : "", name, most->estimate, reference);
    else
        panel_title(panel, set, "no difference from %s was seen", reference);
}

static bool draw_variants(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows = {.low = 1, .high = 2};
    const char *reference = SEC_BASE;
    char name[PANEL_TEXT_SIZE];

    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = set->files[file].experiment;

        for (size_t i = 0; experiment && i < experiment->cell_count; i++)
            if (experiment->cells[i].against) {
                reference = rows.count ? reference : experiment->reference;
                add_row(&rows, set, file, &experiment->cells[i], panel);
            }
    }
    reference = strcmp(reference, SEC_BASE) == 0 ? "AUTH_SYS" : plot_text(reference, name);
    panel->bottom = (double)rows.count - 0.2;
    title_variants(set, &rows, reference, panel);
    panel_set(panel, "xlabel 'times the round trip by %s; figures: '.UNIT.' above it'", reference);
    panel_set(panel, "logscale x");
    panel_log_tics(panel, "x", rows.low, rows.high, false);
    panel_set(panel, "xrange [%.8g:%.8g]", 0.9 * rows.low,
              rows.high * pow(rows.high / rows.low, 0.25));
    panel_set(panel, "arrow from 1, graph 0 to 1, graph 1 nohead lt 1 lc rgb '#808080'");
    for (size_t i = 0; i < rows.variant_count; i++)
        draw_variant(&rows, i, panel);
    panel_key_files(panel, set);
    return index == 0 && rows.count > 0;
}

const struct plot_kind plot_variants = {
    .name = "variants",
    .caption = "What each variant costs: the round trip of a call as a multiple of the "
               "reference's, with its 95 % interval from the spread between trials; the figure "
               "beside it is the difference.",
    .usual = true,
    .draw = draw_variants,
};
