/* Pictures of experiments with a reference: what each variant makes of its call. */
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/panel.h"

enum { ROWS_MAXIMUM = 96, VARIANTS_MAXIMUM = 16 };

/* A cell, as a multiple of the reference's. */
struct row {
    const struct experiment_cell *cell;
    const struct experiment_contrast *contrast;
    size_t file;
    struct interval times;
};

/* The first ones of many. */
struct rows {
    struct row list[ROWS_MAXIMUM];
    size_t count;
    const char *variants[VARIANTS_MAXIMUM]; /* each once */
    size_t variant_count;
};

static size_t variant_of(const struct rows *rows, const char *variant)
{
    size_t i = 0;

    while (i < rows->variant_count && strcmp(rows->variants[i], variant) != 0)
        i++;
    return i;
}

/* Below a tenth of the reference's call, an interval says nothing, and a logarithmic axis has no 0.
 */
#define TIMES_LEAST 0.1

static void add_row(struct rows *rows, const struct experiment_result *experiment,
                    const struct experiment_contrast *contrast, size_t file)
{
    const struct experiment_cell *cell = &experiment->cells[contrast->second];
    const struct interval *ratio = &contrast->ratio;
    const struct interval times = {
        ratio->estimate, fmax(isnan(ratio->low) ? ratio->estimate : ratio->low, TIMES_LEAST),
        isnan(ratio->high) ? ratio->estimate : ratio->high};
    size_t variant;

    if (rows->count == ROWS_MAXIMUM || contrast->quantity != CONTRAST_ROUND_TRIP ||
        contrast->first == contrast->second || !cell->variant || !(times.estimate >= TIMES_LEAST) ||
        !isfinite(times.high))
        return;
    variant = variant_of(rows, cell->variant);
    if (variant == VARIANTS_MAXIMUM)
        return;
    rows->variants[variant] = cell->variant;
    rows->variant_count += variant == rows->variant_count;
    rows->list[rows->count++] = (struct row){cell, contrast, file, times};
}

/* All that are of one call at a time before those of many. */
static void find_rows(const struct result_set *set, struct rows *rows)
{
    *rows = (struct rows){.count = 0};
    for (size_t file = 0; file < set->file_count; file++) {
        const struct experiment_result *experiment = set->files[file].experiment;

        for (size_t i = 0; experiment && experiment->reference && i < experiment->contrast_count;
             i++)
            add_row(rows, experiment, &experiment->contrasts[i], file);
    }
}

/* "read 64Ki, depth 8" */
static void name_row(const struct row *row, char name[PANEL_TEXT_SIZE])
{
    const struct cell_setting *setting = &row->cell->setting;
    char op[CELL_NAME_SIZE], load[32] = "";

    if (setting->rate > 0)
        snprintf(load, sizeof load, ", %.6g/s", setting->rate);
    else if (setting->clients > 1)
        snprintf(load, sizeof load, ", %u x %u", setting->clients, setting->depth);
    else if (setting->depth > 1)
        snprintf(load, sizeof load, ", depth %u", setting->depth);
    snprintf(name, PANEL_TEXT_SIZE, "%s%s", cell_name(row->cell, op), load);
}

/* Beside the first row of what differs in the variant alone. */
static void name_rows(const struct result_set *set, const struct rows *rows, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE], before[PANEL_TEXT_SIZE] = "";

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];

        name_row(row, name);
        if (i == 0 || strcmp(name, before) != 0 || row->file != row[-1].file)
            panel_name_row(panel, (double)i, set, row->file, name);
        strcpy(before, name);
    }
    panel->bottom = (double)rows->count - 0.2;
}

/* Its multiple, and behind that what is above, us. */
static void draw_variant(const struct rows *rows, size_t variant, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE];

    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];
        const double above = us(row->contrast->comparison.difference.estimate);

        if (variant_of(rows, row->cell->variant) == variant)
            panel_point(panel, (double)i, &row->times, row->times.high, "%+.*f",
                        fabs(above) < 100 ? 1 : 0, above);
    }
    panel_draw_points(panel, plot_text(rows->variants[variant], name),
                      "lw 1.6 pt 7 ps 0.6 lt %zu lc rgb '%s'", variant + 1, plot_colour(variant));
}

static void set_axis(const struct rows *rows, const char *reference, struct panel *panel)
{
    double low = 1, high = 2;
    char name[PANEL_TEXT_SIZE];

    for (size_t i = 0; i < rows->count; i++) {
        low = fmin(low, rows->list[i].times.low);
        high = fmax(high, rows->list[i].times.high);
    }
    panel_set(panel, "xlabel 'times the round trip by %s; figures: '.US.' above it'",
              strcmp(reference, SEC_BASE) == 0 ? "AUTH_SYS" : plot_text(reference, name));
    panel_set(panel, "logscale x");
    panel_log_tics(panel, "x", low, high);
    panel_set(panel, "xrange [%.8g:%.8g]", 0.9 * low, high * pow(high / low, 0.25));
    panel_set(panel, "arrow from 1, graph 0 to 1, graph 1 nohead lt 1 lc rgb '#808080'");
}

static bool draw_variants(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows;

    find_rows(set, &rows);
    if (index > 0 || rows.count == 0)
        return false;
    panel_title(panel, set, "what each variant costs: point and 95 %% interval");
    set_axis(&rows, set->files[rows.list[0].file].experiment->reference, panel);
    name_rows(set, &rows, panel);
    for (size_t i = 0; i < rows.variant_count; i++)
        draw_variant(&rows, i, panel);
    panel_key_files(panel, set);
    return true;
}

const struct plot_kind plot_variants = {
    .name = "variants",
    .caption = "What each variant costs: the round trip of a call as a multiple of the "
               "reference's, with its 95 % interval from the spread between trials; the figure "
               "beside it is the difference.",
    .usual = true,
    .draw = draw_variants,
};
