#include "report/plot_kinds.h"

extern const struct plot_kind plot_load, plot_size, plot_variants, plot_phases, plot_predicted,
    plot_steps, plot_cost, plot_stack, plot_percentiles, plot_fine, plot_log2, plot_rounds,
    plot_heat;

const struct plot_kind *const plot_kinds[] = {
    &plot_load, &plot_size,  &plot_variants,    &plot_phases, &plot_predicted, &plot_steps,
    &plot_cost, &plot_stack, &plot_percentiles, &plot_fine,   &plot_log2,      &plot_rounds,
    &plot_heat, NULL,
};

size_t plot_kind_panels(const struct plot_kind *kind, const struct result_set *set)
{
    size_t count = 0;
    bool there = true;

    while (there && count < PLOT_PANELS) {
        struct panel panel;

        there = panel_open(&panel) == 0 && kind->draw(set, count, &panel);
        count += there;
        panel_close(&panel);
    }
    return count;
}

int plot_draw(const struct plot_panel *panels, size_t count, const struct result_set *set,
              const struct plot_output *output, struct bytes *picture, struct error *error)
{
    struct panel drawn[PLOT_PANELS];
    size_t opened = 0;
    int code = 0;

    for (; code == 0 && opened < count; opened++) {
        const struct plot_panel *panel = &panels[opened];

        code = panel_open(&drawn[opened]);
        drawn[opened].follows = opened > 0 && panel->kind == panels[opened - 1].kind;
        if (code == 0)
            panel->kind->draw(set, panel->index, &drawn[opened]);
    }
    return panels_draw(drawn, opened, code, output, picture, error);
}
