/* Pictures of the costs above null. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/number.h"
#include "picture/plot_kind.h"

enum { ROW_HEIGHT = 18, FRAME_HEIGHT = 130 };

/* What a call is made of. */
enum part { PART_FLOOR, PART_BYTES, PART_PAUSE, PART_SERVER, PARTS };

/* Rows: each op has one row per file; half a row separates ops. */

static bool has_cost(const struct result_set *set, size_t op)
{
    for (size_t i = 0; i < set->count; i++)
        if (!result_set_op(set, i, op)->has_above_null)
            return false;
    return true;
}

static size_t count_costs(const struct result_set *set)
{
    size_t count = 0;

    for (size_t i = 0; i < set->op_count; i++)
        count += has_cost(set, i);
    return count;
}

static size_t cost_panels(const struct result_set *set)
{
    return count_costs(set) > 0;
}

static unsigned cost_height(const struct result_set *set, size_t panel)
{
    size_t rows = count_costs(set) * (set->count + 1), keys = set->count > 1 ? set->count : 0;

    return FRAME_HEIGHT + ROW_HEIGHT * (unsigned)(rows + keys + 1);
}

static unsigned stack_height(const struct result_set *set, size_t panel)
{
    size_t rows = count_costs(set) * (set->count + 1);

    return FRAME_HEIGHT + ROW_HEIGHT * (unsigned)(rows + PARTS + 1);
}

/* The position of the row of the INDEX-th op in file FILE. */
static double row_of(const struct result_set *set, size_t index, size_t file)
{
    return (double)(index * (set->count + 1) + file);
}

/* Write the ops' names on the left, the first one at the top. */
static void write_names(const struct result_set *set, FILE *out)
{
    double between = (double)(set->count - 1) / 2;
    size_t index = 0, longest = 4;
    char name[PLOT_TEXT_SIZE];

    fputs("set ytics (", out);
    for (size_t i = 0; i < set->op_count; i++) {
        if (!has_cost(set, i))
            continue;
        plot_text(set->ops[i], name);
        longest = strlen(name) > longest ? strlen(name) : longest;
        fprintf(out, "%s'%s' %g", index ? ", " : "", name, row_of(set, index, 0) + between);
        index++;
    }
    fprintf(out, ") scale 0 nomirror\nset lmargin %zu\nset yrange [%g:-1]\n",
            longest < 24 ? longest + 2 : 26, row_of(set, index, 0));
}

/* Costs with their intervals */

/* A single round has no interval: its point has no bar. */
static double end_of(const struct interval *interval, double end)
{
    return isnan(end) ? interval->estimate : end;
}

static void write_costs(const struct result_set *set, FILE *out)
{
    size_t index = 0;

    for (size_t i = 0; i < set->op_count; i++) {
        if (!has_cost(set, i))
            continue;
        for (size_t file = 0; file < set->count; file++) {
            const struct interval cost = result_set_op(set, file, i)->above_null.cost;

            fprintf(out, "$cost%zu_%zu << END\n%.8g %g %.8g %.8g %.3f\nEND\n", index, file,
                    us(cost.estimate), row_of(set, index, file), us(end_of(&cost, cost.low)),
                    us(end_of(&cost, cost.high)), us(cost.estimate));
        }
        index++;
    }
}

/* The largest noise floor of the results, us; 0 if none has one. */
static double noise_floor(const struct result_set *set)
{
    double reach = 0;

    for (size_t i = 0; i < set->count; i++)
        reach = fmax(reach, result_noise_floor(set->results[i]));
    return us(reach);
}

static void write_floor(double reach, FILE *out)
{
    if (reach > 0)
        fprintf(out,
                "set object 1 rectangle from %.8g, graph 0 to %.8g, graph 1 behind "
                "fc rgb '#b8b8b8' fs solid 0.5 noborder\n",
                -reach, reach);
}

static void write_keys(const struct result_set *set, double reach, FILE *out)
{
    char label[PLOT_TEXT_SIZE + 8];

    for (size_t i = 0; set->count > 1 && i < set->count; i++) {
        plot_file_label(set, i, label);
        fprintf(out, ",\\\n    keyentry with points pt %d ps 0.6 lc rgb '#404040' title '%s'",
                plot_point(i), label);
    }
    if (reach > 0)
        fprintf(out,
                ",\\\n    keyentry with boxes fs solid 0.5 noborder lc rgb '#b8b8b8' title "
                "'noise floor of the run%s'",
                set->count > 1 ? "s" : "");
    fputc('\n', out);
}

static void draw_cost(const struct result_set *set, size_t panel, FILE *out)
{
    double reach = noise_floor(set);
    size_t index = 0;

    write_costs(set, out);
    plot_title(set, "cost above the null call: point and 95 % interval", out);
    fputs("set xlabel 'cost above null ('.US.')'\nset offsets 0, graph 0.12, 0, 0\n"
          "set yzeroaxis lt 1 lw 1 lc rgb '#808080'\nset xrange [*<0:*]\n",
          out);
    write_names(set, out);
    write_floor(reach, out);
    fputs("set key maxcols 1\n", out);
    plot_key_rows((set->count > 1 ? set->count : 0) + (reach > 0), out);
    for (size_t i = 0; i < set->op_count; i++) {
        if (!has_cost(set, i))
            continue;
        for (size_t file = 0; file < set->count; file++) {
            const char *colour = plot_style_of(set->ops[i]).colour;

            fprintf(out,
                    "%s $cost%zu_%zu using 1:2:3:4 with xerrorbars lw 1.6 pt %d ps 0.6 lc rgb '%s' "
                    "notitle,\\\n    '' using 4:2:5 with labels left offset 1,0 notitle",
                    index || file ? ",\\\n    " : "plot", index, file, plot_point(file), colour);
        }
        index++;
    }
    write_keys(set, reach, out);
}

const struct plot_kind plot_cost = {
    .name = "cost",
    .caption = "What each op costs above the null call, with its 95 % interval. An interval that "
               "overlaps the grey band is within the noise.",
    .usual = true,
    .panels = cost_panels,
    .height = cost_height,
    .draw = draw_cost,
};

/* Stacked parts */

/* Has any op its cost in parts? */
static bool any_is_split(const struct result_set *set)
{
    for (size_t i = 0; i < set->op_count; i++)
        for (size_t file = 0; file < set->count; file++)
            if (result_set_op(set, file, i)->has_split)
                return true;
    return false;
}

/* The op's parts, ns. If they are not known, the last one is the whole cost. */
static void parts_of(const struct result *result, const struct result_op *op, double parts[PARTS])
{
    bool split = op->has_split;

    parts[PART_FLOOR] = result_level(result, op->baseline);
    parts[PART_BYTES] = split ? op->split.bytes.estimate : 0;
    parts[PART_PAUSE] = split ? op->split.pause.estimate : 0;
    parts[PART_SERVER] = split ? op->split.server.estimate : op->above_null.cost.estimate;
}

/* Where a part begins and ends, ns: parts stand end to end, and one below 0 runs back. */
struct extent {
    double begin, end;
};

static struct extent extent_of(const double parts[PARTS], int part)
{
    struct extent extent = {0, parts[0]};

    for (int i = 1; i <= part; i++)
        extent = (struct extent){extent.end, extent.end + parts[i]};
    return extent;
}

static unsigned colour_of(const struct result_set *set, size_t op, int part)
{
    static const unsigned greys[PART_SERVER] = {0xd4d4d4, 0x9a9a9a, 0x606060};

    return part < PART_SERVER ? greys[part]
                              : (unsigned)strtoul(plot_style_of(set->ops[op]).colour + 1, NULL, 16);
}

/* Call WRITE for each row with its parts. */
static void for_rows(const struct result_set *set,
                     void (*write)(const struct result_set *set, size_t op, size_t file, double row,
                                   const double parts[PARTS], void *context),
                     void *context)
{
    size_t index = 0;

    for (size_t i = 0; i < set->op_count; i++) {
        if (!has_cost(set, i))
            continue;
        for (size_t file = 0; file < set->count; file++) {
            double parts[PARTS];

            parts_of(set->results[file], result_set_op(set, file, i), parts);
            write(set, i, file, row_of(set, index, file), parts, context);
        }
        index++;
    }
}

/* What of a stack is written, and where to. */
struct stack {
    FILE *out;
    int part;
    bool below; /* those parts that are below 0, else the others */
    size_t written;
};

/* Its left and right end, row, and colour. */
static void write_extent(const struct result_set *set, size_t op, size_t file, double row,
                         const double parts[PARTS], void *context)
{
    const struct extent extent = extent_of(parts, ((struct stack *)context)->part);
    struct stack *stack = context;

    if ((extent.end < extent.begin) != stack->below)
        return;
    if (stack->written++ == 0)
        fprintf(stack->out, "$%s%d << END\n", stack->below ? "below" : "part", stack->part);
    fprintf(stack->out, "%.8g %.8g %g %u\n", us(fmin(extent.begin, extent.end)),
            us(fmax(extent.begin, extent.end)), row, colour_of(set, op, stack->part));
}

/* A block of lines for the part, of those that are below 0 or of the others. False where there are
 * none. */
static bool write_part(const struct result_set *set, int part, bool below, FILE *out)
{
    struct stack stack = {.out = out, .part = part, .below = below};

    for_rows(set, write_extent, &stack);
    if (stack.written > 0)
        fputs("END\n", out);
    return stack.written > 0;
}

/* The whole, which is the null call and the cost above it: where it ends, row, the cost's interval,
 * how far to the right anything of the row reaches, and the figure. */
static void write_total(const struct result_set *set, size_t op, size_t file, double row,
                        const double parts[PARTS], void *context)
{
    const struct interval cost = result_set_op(set, file, op)->above_null.cost;
    const double total = extent_of(parts, PART_SERVER).end;
    const double low = total + end_of(&cost, cost.low) - cost.estimate;
    const double high = total + end_of(&cost, cost.high) - cost.estimate;
    double reach = high;

    for (int part = 0; part < PARTS; part++)
        reach = fmax(reach, extent_of(parts, part).end);
    fprintf(context, "%.8g %g %.8g %.8g %.8g %.2f\n", us(total), row, us(low), us(high), us(reach),
            us(total));
}

static const char *const fillings[PARTS] = {"solid 1 noborder", "pattern 2", "pattern 1",
                                            "solid 1 noborder"};
static const char *const key_colours[PARTS] = {"#d4d4d4", "#9a9a9a", "#606060", "#0072b2"};

/* A part's bars, where it has some, and its line in the key. */
static void write_part_command(int part, bool has_bars, const char *title, FILE *out)
{
    if (has_bars)
        fprintf(out,
                " $part%d using 1:3:1:2:($3-0.4):($3+0.4):4 with boxxyerror fs %s lc rgb variable "
                "notitle,\\\n   ",
                part, fillings[part]);
    fprintf(out, " keyentry with boxes fs %s lc rgb '%s' title '%s',\\\n   ", fillings[part],
            key_colours[part], title);
}

/* On top of the others, and lower, so that what they take back is seen. */
static void write_below_command(int part, FILE *out)
{
    fprintf(out,
            " $below%d using 1:3:1:2:($3-0.2):($3+0.2):4 with boxxyerror lc rgb variable "
            "fs solid 1 border rgb '#404040' notitle,\\\n   ",
            part);
}

static void draw_stack(const struct result_set *set, size_t panel, FILE *out)
{
    const bool split = any_is_split(set);
    const char *const titles[PARTS] = {"null call: RPC, network, waking up", "bytes", "pause",
                                       split ? "server (in the op''s colour)"
                                             : "cost above null (in the op''s colour)"};
    bool above[PARTS], below[PARTS], some_below = false;

    for (int part = 0; part < PARTS; part++) {
        above[part] = write_part(set, part, false, out);
        below[part] = write_part(set, part, true, out);
        some_below = some_below || below[part];
    }
    fputs("$total << END\n", out);
    for_rows(set, write_total, out);
    fputs("END\n", out);
    plot_title(set, "the parts of a typical call, with the cost''s 95 % interval", out);
    fputs("set xlabel 'time of a call ('.US.')'\n"
          "set xrange [0:*]\nset offsets 0, graph 0.12, 0, 0\n",
          out);
    write_names(set, out);
    fputs("set key maxcols 1\n", out);
    plot_key_rows((size_t)(split ? PARTS : 2) + some_below, out);
    fputs("plot", out);
    for (int part = 0; part < PARTS; part++)
        if (split || part == PART_FLOOR || part == PART_SERVER)
            write_part_command(part, above[part], titles[part], out);
    for (int part = 0; part < PARTS; part++)
        if (below[part])
            write_below_command(part, out);
    if (some_below)
        fputs(" keyentry with boxes lc rgb '#606060' fs solid 1 border rgb '#404040' title "
              "'lower: a part below 0, which is taken off',\\\n   ",
              out);
    fputs(" $total using 1:2:3:4 with xerrorbars pt 7 ps 0.4 lw 1.4 lt 1 lc rgb '#404040' "
          "notitle,\\\n"
          "    $total using 5:2:6 with labels left offset 1,0 notitle\n",
          out);
}

const struct plot_kind plot_stack = {
    .name = "stack",
    .caption =
        "The parts of a call's time: the null call, which is RPC, network and waking up; the cost "
        "of the op's longer messages (bytes); the cost of the pause before the call (pause); and "
        "the server's own work. A part that was estimated below 0 is a lower bar that runs back. "
        "If these are not known, the cost above null is shown undivided.",
    .usual = true,
    .panels = cost_panels,
    .height = stack_height,
    .draw = draw_stack,
};
