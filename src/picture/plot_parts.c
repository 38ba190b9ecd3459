/* Pictures of what a call's time consists of: the phases of calls stacked side by side, and the
 * steps of ladders. */
#include <math.h>
#include <string.h>

#include "picture/panel.h"

enum { KEYS_MAXIMUM = BREAKDOWN_PARTS_MAXIMUM };

/* The breakdowns of a set, file by file; the first ones of many. */
enum { ROWS_MAXIMUM = 48 };

struct rows {
    const struct breakdown *list[ROWS_MAXIMUM];
    size_t files[ROWS_MAXIMUM];
    size_t count;
    const struct breakdown_part *keys[KEYS_MAXIMUM]; /* each part that any has, once */
    size_t key_count;
};

/* Its number; KEY_COUNT: none has it. */
static size_t key_of(const struct rows *rows, const char *key)
{
    size_t i = 0;

    while (i < rows->key_count && strcmp(rows->keys[i]->key, key) != 0)
        i++;
    return i;
}

static void add_row(struct rows *rows, const struct breakdown *breakdown, size_t file)
{
    rows->list[rows->count] = breakdown;
    rows->files[rows->count++] = file;
    for (size_t i = 0; i < breakdown->part_count; i++)
        if (rows->key_count < KEYS_MAXIMUM &&
            key_of(rows, breakdown->parts[i].key) == rows->key_count)
            rows->keys[rows->key_count++] = &breakdown->parts[i];
}

static bool has_op(const struct rows *rows, const char *op)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->list[i]->op, op) == 0)
            return true;
    return false;
}

/* Add those of OP, of FILE and of all files after it. */
static void add_op(const struct result_set *set, size_t file, const char *op, bool phases,
                   struct rows *rows)
{
    for (; file < set->file_count; file++)
        for (size_t i = 0; i < set->files[file].breakdown_count; i++) {
            const struct breakdown *own = &set->files[file].breakdowns[i];
            bool wanted = (own->view != NULL) == phases && own->part_count > 0;

            if (wanted && strcmp(own->op, op) == 0 && rows->count < ROWS_MAXIMUM)
                add_row(rows, own, file);
        }
}

/* Those with phases, or the ladders, the longest of which sets the panel's unit. The same op of
 * several files is in neighbouring rows. */
static void find_rows(const struct result_set *set, bool phases, struct rows *rows,
                      struct panel *panel)
{
    double largest = 0;

    *rows = (struct rows){.count = 0};
    for (size_t file = 0; file < set->file_count; file++)
        for (size_t i = 0; i < set->files[file].breakdown_count; i++) {
            const char *op = set->files[file].breakdowns[i].op;

            if (!has_op(rows, op))
                add_op(set, file, op, phases, rows);
        }
    for (size_t i = 0; i < rows->count; i++)
        largest = fmax(largest, rows->list[i]->whole.estimate);
    panel_unit(panel, largest);
}

/* With another apostrophe than the one that would end its quotes. */
static const char *part_name(const struct breakdown_part *part, char out[PANEL_TEXT_SIZE])
{
    const char *apostrophe = strchr(part->name, '\'');
    char name[PANEL_TEXT_SIZE];

    if (!apostrophe)
        return plot_text(part->name, out);
    snprintf(name, sizeof name, "%.*s\u2019%s", (int)(apostrophe - part->name), part->name,
             apostrophe + 1);
    return plot_text(name, out);
}

/* What was found of the first row: its largest part. */
static void title_rows(const struct result_set *set, const struct rows *rows, const char *otherwise,
                       struct panel *panel)
{
    const struct breakdown *row = rows->count ? rows->list[0] : NULL;
    const struct breakdown_part *largest = NULL;
    char name[PANEL_TEXT_SIZE], op[PANEL_TEXT_SIZE];

    for (size_t i = 0; row && i < row->part_count; i++)
        if (row->parts[i].in_sum &&
            row->parts[i].ns.estimate > (largest ? largest->ns.estimate : 0))
            largest = &row->parts[i];
    if (!largest || set->file_count > 1)
        panel_title(panel, set, "%s", otherwise);
    else
        panel_title(panel, set, "%.0f %% of a %s: %s",
                    100 * largest->ns.estimate / row->whole.estimate, plot_text(row->op, op),
                    part_name(largest, name));
}

/* Phases */

/* Each kind of phase has a colour, as in explain's own picture; further phases of a kind are
 * lighter ones. */
static unsigned colour_of(const struct rows *rows, size_t key)
{
    static const struct {
        const char *kind;
        size_t colour;
    } kinds[] = {
        {"client", 0}, {"queueing", 4}, {"network", 3}, {"server", 2}, {"network-and-server", 5}};
    const char *kind = rows->keys[key]->kind;
    unsigned colour = 0x909090, lighter = 0, mixed = 0;
    double share;

    for (size_t i = 0; kind && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i].kind) == 0)
            colour = plot_rgb(plot_colour(kinds[i].colour));
    for (size_t i = 0; i < key; i++)
        lighter += kind && rows->keys[i]->kind && strcmp(rows->keys[i]->kind, kind) == 0;
    share = pow(0.72, lighter % 6);
    for (unsigned shift = 0; shift < 24; shift += 8) {
        unsigned level = colour >> shift & 0xff;

        mixed |= (unsigned)lround(level * share + 0xf0 * (1 - share)) << shift;
    }
    return mixed;
}

/* Where the part of KEY begins and ends in a row: parts stand end to end, in their own order. */
static bool extent_of(const struct breakdown *row, const char *key, double *begin, double *end)
{
    double sum = 0;

    for (size_t i = 0; i < row->part_count; i++) {
        double ns = isnan(row->parts[i].ns.estimate) ? 0 : row->parts[i].ns.estimate;

        *begin = sum;
        sum += ns;
        *end = sum;
        if (strcmp(row->parts[i].key, key) == 0)
            return ns != 0;
    }
    return false;
}

/* A phase in all rows. */
static void draw_phase(const struct rows *rows, size_t key, struct panel *panel)
{
    const unsigned colour = colour_of(rows, key);
    char name[PANEL_TEXT_SIZE];
    double begin, end;

    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++)
        if (extent_of(rows->list[i], rows->keys[key]->key, &begin, &end))
            panel_bar(panel, (double)i, begin, end, colour);
    if (panel->rows > 0)
        panel_draw_bars(panel, 0.4, "solid 1 noborder", part_name(rows->keys[key], name), colour);
}

static void draw_wholes(const struct rows *rows, struct panel *panel)
{
    panel_block(panel);
    for (size_t i = 0; i < rows->count; i++)
        panel_row(panel, "%.8g %zu %.4g", panel_time(panel, rows->list[i]->whole.estimate), i,
                  panel_time(panel, rows->list[i]->whole.estimate));
    panel_draw(panel, NULL, "using 1:2:3 with labels left offset 1,0");
}

static bool draw_phases(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows;

    find_rows(set, true, &rows, panel);
    title_rows(set, &rows, "the phases of a mean call", panel);
    panel_time_axis(panel, "time of a call", "0");
    for (size_t i = 0; i < rows.count; i++)
        panel_name_row(panel, (double)i, set, rows.files[i], rows.list[i]->op);
    panel->bottom = (double)rows.count - 0.2;
    draw_wholes(&rows, panel);
    for (size_t i = 0; i < rows.key_count; i++)
        draw_phase(&rows, i, panel);
    panel_key_files(panel, set);
    return index == 0 && rows.count > 0;
}

const struct plot_kind plot_phases = {
    .name = "phases",
    .caption = "The phases of calls, one after the other, as they add up to the mean lifetime of a "
               "call: those of the client are blue, of the server green, of the network pink, and "
               "waiting for a processor orange. They have no intervals, since they were measured "
               "in one run.",
    .usual = true,
    .draw = draw_phases,
};

/* Steps */

/* The steps of ROW, of each its bar, or else its point and interval. A step beside the sum begins
 * at 0. */
static void write_steps(const struct rows *rows, size_t row, bool bars, struct panel *panel)
{
    const struct breakdown *ladder = rows->list[row];
    const unsigned colour = plot_rgb(plot_colour(row));
    double sum = 0;

    panel_block(panel);
    for (size_t i = 0; i < ladder->part_count; i++) {
        const struct breakdown_part *part = &ladder->parts[i];
        const double begin = part->in_sum ? sum : 0;
        const struct interval shown = panel_times(panel, begin, &part->ns);
        const size_t key = key_of(rows, part->key);
        const double place = (double)(key * (rows->count + 1) + row);

        if (isnan(part->ns.estimate) || key == rows->key_count)
            continue;
        if (bars)
            panel_bar(panel, place, begin, begin + part->ns.estimate, colour);
        else
            panel_point(panel, place, &shown, shown.estimate, "%.4g",
                        panel_time(panel, part->ns.estimate));
        sum += part->in_sum ? part->ns.estimate : 0;
    }
}

static void draw_ladder(const struct result_set *set, const struct rows *rows, size_t row,
                        struct panel *panel)
{
    char file[PANEL_LABEL_SIZE] = "", op[PANEL_TEXT_SIZE], label[2 * PANEL_LABEL_SIZE];

    if (set->file_count > 1)
        plot_file_label(set, rows->files[row], file);
    snprintf(label, sizeof label, "%s%s%s", file, file[0] ? ", " : "",
             plot_text(rows->list[row]->op, op));
    write_steps(rows, row, true, panel);
    panel_draw_bars(panel, 0.4, "solid 0.6 noborder", label, plot_rgb(plot_colour(row)));
    write_steps(rows, row, false, panel);
    panel_draw_points(panel, NULL, "pt 7 ps 0.4 lw 1.4 lt 1 lc rgb '#404040'");
}

static bool draw_steps(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows;

    find_rows(set, false, &rows, panel);
    title_rows(set, &rows, "the steps of the ladder", panel);
    panel_time_axis(panel, "time of a call, and each step''s 95 % interval", "*<0");
    panel->bottom = (double)(rows.key_count * (rows.count + 1));
    for (size_t i = 0; i < rows.key_count; i++)
        panel_name_row(panel, (double)(i * (rows.count + 1)) + (double)(rows.count - 1) / 2, set,
                       PANEL_NO_FILE, rows.keys[i]->name);
    for (size_t i = 0; i < rows.count; i++)
        draw_ladder(set, &rows, i, panel);
    return index == 0 && rows.count > 0;
}

const struct plot_kind plot_steps = {
    .name = "steps",
    .caption = "What each step of the ladder adds to a call: the timer, an exchange over the "
               "socket, RPC, the op's longer messages, and the procedure itself. XDR is beside the "
               "sum, as engine wire encodes nothing during a call.",
    .usual = true,
    .draw = draw_steps,
};
