#include "report/plot_curves.h"

/* Store in OPS the indices of the ops that have a histogram in every file. Returns their number. */
static size_t find_drawn(const struct result_set *set, size_t ops[RESULT_SET_OPS])
{
    size_t count = 0;

    for (size_t op = 0; op < set->op_count; op++) {
        size_t files = 0;

        while (files < set->count && result_set_op(set, files, op)->histogram)
            files++;
        ops[count] = op;
        count += files == set->count;
    }
    return count;
}

/* Set CURVE to OP of file FILE. With several files, dash and filling depend on the file. */
static void set_curve(struct plot_curve *curve, const struct result_set *set, size_t file,
                      size_t op)
{
    char name[PANEL_TEXT_SIZE];

    curve->result = set->results[file];
    curve->op = result_set_op(set, file, op);
    curve->style = plot_style_of(curve->op->op);
    if (set->count == 1) {
        snprintf(curve->label, sizeof curve->label, "%s", plot_text(curve->op->op, name));
        return;
    }
    plot_file_label(set, file, curve->label);
    curve->style.dash = plot_dash(file);
    curve->style.filling = (int)(file + 2) % 7 + 1;
}

static void title_curves(const struct result_set *set, size_t index, const char *what,
                         const size_t *ops, size_t count, struct panel *panel)
{
    char name[PANEL_TEXT_SIZE];

    if (set->count > 1)
        panel_title(panel, set, "%s: %s", plot_text(set->ops[ops[index]], name), what);
    else if (count > PANEL_CURVES)
        panel_title(panel, set, "%s (%d of %zu ops)", what, PANEL_CURVES, count);
    else
        panel_title(panel, set, "%s", what);
}

size_t plot_curves(const struct result_set *set, size_t index, const char *what,
                   struct plot_curve curves[RESULT_SET_FILES], struct panel *panel)
{
    const bool one_file = set->count == 1;
    size_t ops[RESULT_SET_OPS], found = find_drawn(set, ops);
    size_t drawn = found < PANEL_CURVES ? found : PANEL_CURVES;
    size_t count = one_file ? drawn : set->count;

    if (index >= (one_file ? drawn > 0 : drawn))
        return 0;
    title_curves(set, index, what, ops, found, panel);
    panel->key_columns = one_file ? 2 : 1; /* file names are longer than op names */
    for (size_t i = 0; i < count; i++) {
        set_curve(&curves[i], set, one_file ? 0 : i, ops[one_file ? i : index]);
        curves[i].style.line = (int)i + 1; /* each curve gets its own point character */
    }
    return count;
}

void plot_draw_curve(struct panel *panel, const struct plot_curve *curve,
                     const char *using_and_with)
{
    panel_draw(panel, curve->label, "%s lt %d lc rgb '%s' dt %s", using_and_with, curve->style.line,
               curve->style.colour, curve->style.dash);
}
