/* Pictures of the parts of a call: its phases, or the steps of its ladder. The bar of a part begins
 * at the end of the part before it, or at 0 if the part is not in the sum. */
#include <math.h>
#include <string.h>

#include "report/plot_kinds.h"

enum {
    ROWS_MAXIMUM = 48, /* maximum number of breakdowns drawn in a panel */
    KEYS_MAXIMUM = BREAKDOWN_PARTS_MAXIMUM,
};

#define BEYOND_WHOLE 1.1 /* intervals are cut at this multiple of the largest lifetime */

/* The breakdowns of a panel, each of which is a row. */
struct rows {
    const struct breakdown *list[ROWS_MAXIMUM];
    size_t files[ROWS_MAXIMUM];
    size_t count;
    const struct breakdown_part *keys[KEYS_MAXIMUM]; /* each part of any breakdown, once */
    size_t key_count;
    bool overlap; /* at least one breakdown has an overlap */
};

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
    rows->overlap |= breakdown->overlap > 0;
    for (size_t i = 0; i < breakdown->part_count; i++)
        if (rows->key_count < KEYS_MAXIMUM &&
            key_of(rows, breakdown->parts[i].key) == rows->key_count)
            rows->keys[rows->key_count++] = &breakdown->parts[i];
}

/* The names of SET's breakdowns are numbered from 0: those of phases and states if PHASES, else
 * those of ladders. Add to ROWS the breakdowns with the name INDEX, until ROWS has ROWS_MAXIMUM.
 * Returns true, or false if there is no name INDEX. */
static bool add_op(const struct result_set *set, size_t index, bool phases, struct rows *rows)
{
    const char *ops[PLOT_PANELS];
    size_t count = 0;

    for (size_t file = 0; file < set->file_count; file++)
        for (size_t i = 0; i < set->files[file]->breakdown_count; i++) {
            const struct breakdown *own = &set->files[file]->breakdowns[i];
            size_t at = 0;

            if ((own->view != NULL) != phases || own->part_count == 0)
                continue;
            while (at < count && strcmp(ops[at], own->name) != 0)
                at++;
            if (at == PLOT_PANELS)
                continue;
            ops[at] = own->name;
            count += at == count;
            if (at == index && rows->count < ROWS_MAXIMUM)
                add_row(rows, own, file);
        }
    return index < count;
}

/* Write PART's name to OUT. A "'" becomes typographic, because it would end gnuplot's strings. */
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

struct rows_text {
    const char *name;      /* name of the breakdown, for the title */
    const char *otherwise; /* title if there are more than two rows, or no part is found */
    const char *whole, *axis;
    double least; /* the time axis reaches at least this lifetime, ns; 0: no minimum */
};

/* Set the title: one row's largest part, or the part with the largest difference of two rows. */
static void title_rows(const struct result_set *set, const struct rows *rows,
                       const struct rows_text *text, struct panel *panel)
{
    const struct breakdown *first = rows->list[0],
                           *second = rows->count == 2 ? rows->list[1] : NULL;
    const struct breakdown_part *found = NULL;
    char name[PANEL_TEXT_SIZE], op[PANEL_TEXT_SIZE], more[PANEL_TEXT_SIZE];
    double most = 0;

    for (size_t i = 0; i < first->part_count; i++) {
        const struct breakdown_part *part = &first->parts[i];
        const struct breakdown_part *other = second ? breakdown_find(second, part->key) : NULL;
        const double ns =
            second ? (other ? other->ns.estimate - part->ns.estimate : 0) : part->ns.estimate;

        if (!part->in_sum || !(fabs(ns) > fabs(most)))
            continue;
        found = part;
        most = ns;
    }
    plot_text(text->name, op);
    if (!found || rows->count > 2)
        panel_title(panel, set, "%s: %s", op, text->otherwise);
    else if (second)
        panel_title(panel, set, "%s: %c%s in %s", op, most < 0 ? '-' : '+',
                    panel_duration(fabs(most), more), part_name(found, name));
    else
        panel_title(panel, set, "%.0f %% of a %s: %s", 100 * most / first->whole.estimate, op,
                    part_name(found, name));
}

/* Places and colours */

/* Return the vertical position of ROW's bar in group KEY. There is a group for each part, then one
 * for the overlap if any row has one, then one for the whole call (whole_key()). */
static double place_of(const struct rows *rows, size_t key, size_t row)
{
    return (double)(key * (rows->count > 1 ? rows->count + 1 : 1) + row);
}

static size_t whole_key(const struct rows *rows)
{
    return rows->key_count + rows->overlap;
}

static const struct {
    const char *kind, *name;
    size_t colour;
} kinds[] = {{"client", "client", 0},
             {"queueing", "queueing", 4},
             {"network", "network", 3},
             {"server", "server", 2},
             {"network-and-server", "network and server", 5}};

enum { KINDS = sizeof kinds / sizeof kinds[0], GREY = 0x909090, LIGHT_GREY = 0xc8c8c8 };

/* Return the colour of PART. If the panel has one breakdown and PART has a kind, the colour shows
 * the kind. Otherwise the colour shows the breakdown. */
static unsigned colour_of(const struct rows *rows, size_t row, const struct breakdown_part *part)
{
    for (size_t i = 0; rows->count == 1 && part->kind && i < KINDS; i++)
        if (strcmp(kinds[i].kind, part->kind) == 0)
            return plot_rgb(plot_colour(kinds[i].colour));
    return rows->count == 1 && part->kind ? GREY : plot_rgb(plot_colour(row));
}

static void draw_kinds(const struct rows *rows, struct panel *panel)
{
    for (size_t i = 0; rows->count == 1 && i < KINDS; i++) {
        bool there = false;

        for (size_t key = 0; key < rows->key_count; key++)
            there |= rows->keys[key]->kind && strcmp(rows->keys[key]->kind, kinds[i].kind) == 0;
        if (there)
            panel_key(panel, kinds[i].name, "boxes fs solid 0.8 noborder lt 1 lc rgb '%s'",
                      plot_colour(kinds[i].colour));
    }
}

struct bar {
    double place, begin; /* PLACE: position on the axis of parts; BEGIN: start of the bar, ns */
    struct interval ns;
    double share; /* share of the lifetime, 0 to 1; NAN if not shown */
    unsigned colour;
};

/* Set BARS to the bars of ROW: the parts in the breakdown's order, the overlap if there is one, and
 * the lifetime. Parts that are not in the sum begin at 0. Returns the number of bars. */
static size_t find_bars(const struct rows *rows, size_t row, struct bar bars[KEYS_MAXIMUM + 2])
{
    const struct breakdown *own = rows->list[row];
    double sum = 0;
    size_t count = 0;

    for (size_t i = 0; i < own->part_count; i++) {
        const struct breakdown_part *part = &own->parts[i];
        const size_t key = key_of(rows, part->key);

        if (!isfinite(part->ns.estimate) || key == rows->key_count)
            continue;
        bars[count++] = (struct bar){place_of(rows, key, row), part->in_sum ? sum : 0, part->ns,
                                     part->in_sum ? part->ns.estimate / own->whole.estimate : NAN,
                                     colour_of(rows, row, part)};
        sum += part->in_sum ? part->ns.estimate : 0;
    }
    if (own->overlap > 0)
        bars[count++] = (struct bar){place_of(rows, rows->key_count, row),
                                     own->overlap_begins,
                                     {own->overlap, NAN, NAN},
                                     NAN,
                                     LIGHT_GREY};
    bars[count++] = (struct bar){place_of(rows, whole_key(rows), row), 0, own->whole, NAN, GREY};
    return count;
}

/* Return the times of BAR in the panel's unit. A phase with few long waits may have a very wide
 * interval. Therefore the interval, not the estimate, is cut to the range from 0 to BEYOND_WHOLE
 * times WHOLE, the largest lifetime in the panel. */
static struct interval shown(const struct panel *panel, const struct bar *bar, double whole)
{
    const struct interval *ns = &bar->ns;
    const struct interval cut = {
        ns->estimate, isfinite(ns->low) ? fmax(ns->low, fmin(ns->estimate, -bar->begin)) : NAN,
        isfinite(ns->high) ? fmin(ns->high, fmax(ns->estimate, BEYOND_WHOLE * whole - bar->begin))
                           : NAN};

    return panel_times(panel, bar->begin, &cut);
}

static const char *time_text(double time, char out[24])
{
    if (time > 0 && time < 0.001)
        return "<0.001";
    snprintf(out, 24, "%.3g", time);
    return out;
}

/* Write SHARE as ", 54 %" or ", 0.7 %" to OUT. Returns OUT; "" if SHARE is NAN. */
static const char *share_text(double share, char out[24])
{
    if (isnan(share))
        return "";
    snprintf(out, 24, share < 0.0995 ? ", %.1f %%" : ", %.0f %%", 100 * share);
    return out;
}

static void draw_row(const struct result_set *set, const struct rows *rows, size_t row,
                     double largest, struct panel *panel)
{
    char file[PANEL_LABEL_SIZE] = "", op[PANEL_TEXT_SIZE], label[2 * PANEL_LABEL_SIZE];
    char time[24], share[24];
    struct bar bars[KEYS_MAXIMUM + 2];
    const size_t count = find_bars(rows, row, bars);
    const unsigned colour = plot_rgb(plot_colour(row));

    if (set->file_count > 1)
        plot_file_label(set, rows->files[row], file);
    snprintf(label, sizeof label, "%s%s%s", file, file[0] ? ", " : "",
             plot_text(rows->list[row]->name, op));
    panel_block(panel);
    for (size_t i = 0; i < count; i++)
        panel_bar(panel, bars[i].place, bars[i].begin, bars[i].begin + bars[i].ns.estimate,
                  bars[i].colour);
    panel_draw_bars(panel, 0.4, "solid 0.8 noborder", rows->count > 1 ? label : NULL, colour);
    panel_block(panel);
    for (size_t i = 0; i < count; i++) {
        const struct interval drawn = shown(panel, &bars[i], largest);

        panel_point(panel, bars[i].place, &drawn, drawn.estimate, "\"%s%s\"",
                    time_text(panel_time(panel, bars[i].ns.estimate), time),
                    share_text(bars[i].share, share));
    }
    panel_draw_points(panel, NULL, "pt 7 ps 0.4 lw 1.4 lt 1 lc rgb '#404040'");
}

static void name_rows(const struct result_set *set, const struct rows *rows, const char *whole,
                      struct panel *panel)
{
    const double middle = (double)(rows->count - 1) / 2;
    char name[PANEL_TEXT_SIZE];

    for (size_t i = 0; i < rows->key_count; i++)
        panel_name_row(panel, place_of(rows, i, 0) + middle, set, PANEL_NO_FILE,
                       part_name(rows->keys[i], name));
    if (rows->overlap)
        panel_name_row(panel, place_of(rows, rows->key_count, 0) + middle, set, PANEL_NO_FILE,
                       "send() still runs");
    panel_name_row(panel, place_of(rows, whole_key(rows), 0) + middle, set, PANEL_NO_FILE, whole);
    panel->bottom = place_of(rows, whole_key(rows) + 1, 0) - 0.2;
}

static void draw_parts(const struct result_set *set, const struct rows *rows,
                       const struct rows_text *text, struct panel *panel)
{
    double largest = text->least;

    for (size_t i = 0; i < rows->count; i++)
        largest = fmax(largest, rows->list[i]->whole.estimate);
    panel_unit(panel, largest);
    title_rows(set, rows, text, panel);
    panel_time_axis(panel, text->axis, "*<0");
    panel_set(panel, "xrange [*<0:%.8g]", 1.45 * largest / panel->unit);
    name_rows(set, rows, text->whole, panel);
    for (size_t i = 0; i < rows->count; i++)
        draw_row(set, rows, i, largest, panel);
    draw_kinds(rows, panel);
}

static const char *axis_of(const struct rows *rows)
{
    return isnan(rows->list[0]->parts[0].ns.low) ? "time of a call"
                                                 : "time of a call, with 95 % intervals";
}

/* Draw the phases of op INDEX, for all files. */
static bool draw_phases(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows = {.count = 0};

    if (!add_op(set, index, true, &rows))
        return false;
    draw_parts(set, &rows,
               &(const struct rows_text){rows.list[0]->name, "the phases of a mean call",
                                         "lifetime", axis_of(&rows), 0},
               panel);
    return true;
}

const struct plot_kind plot_phases = {
    .name = "phases",
    .caption =
        "The phases of a mean call, one after another; next to each bar, the phase's time and "
        "its share of the call's lifetime. States of RPCs can be entered more than once, so they "
        "are not in the order of time.",
    .usual = true,
    .draw = draw_phases,
};

/* Draw the breakdown number INDEX among all breakdowns that were predicted from an earlier
 * measurement. One row has the predicted times, the other the measured times. */
static bool draw_predicted(const struct result_set *set, size_t index, struct panel *panel)
{
    const struct breakdown *own = NULL;
    struct rows rows = {.count = 0};
    size_t count = 0;

    for (size_t file = 0; file < set->file_count && !own; file++)
        for (size_t i = 0; i < set->files[file]->breakdown_count && !own; i++) {
            const struct breakdown *one = &set->files[file]->breakdowns[i];

            if (one->predicted && count++ == index) {
                own = one;
                add_row(&rows, &own->predicted[0], file);
                add_row(&rows, &own->predicted[1], file);
            }
        }
    if (!own)
        return false;
    draw_parts(set, &rows,
               &(const struct rows_text){own->name, "no phase differs", "lifetime",
                                         "time of a call, and predicted ranges",
                                         own->predicted[0].whole.high / BEYOND_WHOLE},
               panel);
    return true;
}

const struct plot_kind plot_predicted = {
    .name = "predicted",
    .caption =
        "The phases that were predicted: the upper bar is the time of an earlier measurement, "
        "with the predicted range; the lower bar is the time of this measurement.",
    .usual = true,
    .draw = draw_predicted,
};

/* Draw the ladders of all ops in one panel, because they have the same steps. */
static bool draw_steps(const struct result_set *set, size_t index, struct panel *panel)
{
    struct rows rows = {.count = 0};

    for (size_t i = 0; add_op(set, i, false, &rows);)
        i++;
    if (index > 0 || rows.count == 0)
        return false;
    draw_parts(set, &rows,
               &(const struct rows_text){rows.list[0]->name, "the steps of the ladder",
                                         "sum of the steps", axis_of(&rows), 0},
               panel);
    return true;
}

const struct plot_kind plot_steps = {
    .name = "steps",
    .caption = "What each step of the ladder adds to a call: the timer, an exchange over the "
               "socket, RPC, the op's longer messages, and the procedure itself. XDR is not "
               "in the sum, because engine wire encodes nothing during a call.",
    .usual = true,
    .draw = draw_steps,
};
