/* Pictures of what a call's time consists of: the phases of calls stacked side by side, and the
 * steps of ladders. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/number.h"
#include "picture/plot_kind.h"

enum { ROW_HEIGHT = 18, FRAME_HEIGHT = 130, KEYS_MAXIMUM = BREAKDOWN_PARTS_MAXIMUM };

/* The breakdowns of a set, file by file; the first ones of many. */
enum { ROWS_MAXIMUM = 48 };

struct rows {
    const struct breakdown *list[ROWS_MAXIMUM];
    size_t files[ROWS_MAXIMUM];
    size_t count;
    const struct breakdown_part *keys[KEYS_MAXIMUM]; /* each part that any has, once */
    size_t key_count;
};

static bool has_key(const struct rows *rows, const char *key)
{
    for (size_t i = 0; i < rows->key_count; i++)
        if (strcmp(rows->keys[i]->key, key) == 0)
            return true;
    return false;
}

static void add_row(struct rows *rows, const struct breakdown *breakdown, size_t file)
{
    rows->list[rows->count] = breakdown;
    rows->files[rows->count++] = file;
    for (size_t i = 0; i < breakdown->part_count; i++)
        if (rows->key_count < KEYS_MAXIMUM && !has_key(rows, breakdown->parts[i].key))
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

/* Those with phases, or the ladders. The same op of several files is in neighbouring rows. */
static void find_rows(const struct result_set *set, bool phases, struct rows *rows)
{
    *rows = (struct rows){.count = 0};
    for (size_t file = 0; file < set->file_count; file++)
        for (size_t i = 0; i < set->files[file].breakdown_count; i++) {
            const char *op = set->files[file].breakdowns[i].op;

            if (!has_op(rows, op))
                add_op(set, file, op, phases, rows);
        }
}

static size_t count_rows(const struct result_set *set, bool phases)
{
    struct rows rows;

    find_rows(set, phases, &rows);
    return rows.count;
}

/* "A  getattr" beside its row. */
static void write_names(const struct result_set *set, const struct rows *rows, FILE *out)
{
    size_t longest = 4;
    char name[PLOT_TEXT_SIZE];

    fputs("set ytics (", out);
    for (size_t i = 0; i < rows->count; i++) {
        char letter[4] = "";

        if (set->file_count > 1)
            snprintf(letter, sizeof letter, "%c  ", result_set_letter(rows->files[i]));
        plot_text(rows->list[i]->op, name);
        longest = strlen(name) > longest ? strlen(name) : longest;
        fprintf(out, "%s'%s%s' %zu", i ? ", " : "", letter, name, i);
    }
    longest += set->file_count > 1 ? 3 : 0;
    fprintf(out, ") scale 0 nomirror\nset lmargin %zu\nset yrange [%g:-1]\n",
            longest < 24 ? longest + 2 : 26, (double)rows->count - 0.2);
}

/* "A  today.json", where there are several files. */
static void write_file_keys(const struct result_set *set, FILE *out)
{
    char label[PLOT_TEXT_SIZE + 8];

    for (size_t i = 0; set->file_count > 1 && i < set->file_count; i++) {
        plot_file_label(set, i, label);
        fprintf(out, ",\\\n    keyentry with points pt -1 title '%s'", label);
    }
}

/* Phases */

static size_t phase_panels(const struct result_set *set)
{
    return count_rows(set, true) > 0;
}

static unsigned phase_height(const struct result_set *set, size_t panel)
{
    struct rows rows;

    find_rows(set, true, &rows);
    return FRAME_HEIGHT +
           ROW_HEIGHT * (unsigned)(rows.count + rows.key_count + set->file_count + 1);
}

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
            colour = (unsigned)strtoul(plot_colour(kinds[i].colour) + 1, NULL, 16);
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

/* Left and right end, and row, of the part in all rows. False where no row has it. */
static bool write_phase(const struct rows *rows, size_t key, FILE *out)
{
    bool any = false;

    for (size_t i = 0; i < rows->count; i++) {
        double begin, end;

        if (!extent_of(rows->list[i], rows->keys[key]->key, &begin, &end))
            continue;
        if (!any)
            fprintf(out, "$phase%zu << END\n", key);
        any = true;
        fprintf(out, "%.8g %.8g %zu\n", us(fmin(begin, end)), us(fmax(begin, end)), i);
    }
    if (any)
        fputs("END\n", out);
    return any;
}

static void write_wholes(const struct rows *rows, FILE *out)
{
    fputs("$whole << END\n", out);
    for (size_t i = 0; i < rows->count; i++)
        fprintf(out, "%.8g %zu %.2f\n", us(rows->list[i]->whole.estimate), i,
                us(rows->list[i]->whole.estimate));
    fputs("END\n", out);
}

/* With another apostrophe than the one that would end its quotes. */
static const char *phase_name(const struct breakdown_part *part, char out[PLOT_TEXT_SIZE])
{
    const char *apostrophe = strchr(part->name, '\'');
    char name[PLOT_TEXT_SIZE];

    if (!apostrophe)
        return plot_text(part->name, out);
    snprintf(name, sizeof name, "%.*s\u2019%s", (int)(apostrophe - part->name), part->name,
             apostrophe + 1);
    return plot_text(name, out);
}

static void draw_phases(const struct result_set *set, size_t panel, FILE *out)
{
    bool drawn[KEYS_MAXIMUM];
    struct rows rows;
    size_t keys = 0;
    char name[PLOT_TEXT_SIZE];

    find_rows(set, true, &rows);
    for (size_t i = 0; i < rows.key_count; i++) {
        drawn[i] = write_phase(&rows, i, out);
        keys += drawn[i];
    }
    write_wholes(&rows, out);
    plot_title(set, "the phases of a mean call", out);
    fputs("set xlabel 'time of a call ('.US.')'\nset xrange [0:*]\n"
          "set offsets 0, graph 0.12, 0, 0\nset key maxcols 1\n",
          out);
    write_names(set, &rows, out);
    plot_key_rows(keys + (set->file_count > 1 ? set->file_count : 0), out);
    fputs("plot $whole using 1:2:3 with labels left offset 1,0 notitle", out);
    for (size_t i = 0; i < rows.key_count; i++)
        if (drawn[i])
            fprintf(out,
                    ",\\\n    $phase%zu using 1:3:1:2:($3-0.4):($3+0.4) with boxxyerror fs solid 1 "
                    "noborder lc rgb '#%06x' title '%s'",
                    i, colour_of(&rows, i), phase_name(rows.keys[i], name));
    write_file_keys(set, out);
    fputc('\n', out);
}

const struct plot_kind plot_phases = {
    .name = "phases",
    .caption = "The phases of calls, one after the other, as they add up to the mean lifetime of a "
               "call: those of the client are blue, of the server green, of the network pink, and "
               "waiting for a processor orange. They have no intervals, since they were measured "
               "in one run.",
    .usual = true,
    .panels = phase_panels,
    .height = phase_height,
    .draw = draw_phases,
};

/* Steps */

static size_t step_panels(const struct result_set *set)
{
    return count_rows(set, false) > 0;
}

static unsigned step_height(const struct result_set *set, size_t panel)
{
    struct rows rows;

    find_rows(set, false, &rows);
    return FRAME_HEIGHT +
           ROW_HEIGHT * (unsigned)(rows.key_count * (rows.count + 1) + rows.count + 1);
}

/* Row by row: where the step begins and ends, its place, and the ends of its interval. A step
 * beside the sum begins at 0. */
static void write_steps(const struct rows *rows, size_t row, FILE *out)
{
    const struct breakdown *ladder = rows->list[row];
    double sum = 0;

    fprintf(out, "$steps%zu << END\nNaN NaN NaN NaN NaN NaN\n", row);
    for (size_t i = 0; i < ladder->part_count; i++) {
        const struct breakdown_part *part = &ladder->parts[i];
        double begin = part->in_sum ? sum : 0, end = begin + part->ns.estimate;
        size_t key = 0;

        while (key < rows->key_count && strcmp(rows->keys[key]->key, part->key) != 0)
            key++;
        if (isnan(part->ns.estimate) || key == rows->key_count)
            continue;
        fprintf(out, "%.8g %.8g %zu %.8g %.8g %.3f\n", us(begin), us(end),
                key * (rows->count + 1) + row,
                us(begin + (isnan(part->ns.low) ? part->ns.estimate : part->ns.low)),
                us(begin + (isnan(part->ns.high) ? part->ns.estimate : part->ns.high)),
                us(part->ns.estimate));
        sum = part->in_sum ? end : sum;
    }
    fputs("END\n", out);
}

static void write_step_names(const struct rows *rows, FILE *out)
{
    char name[PLOT_TEXT_SIZE];

    fputs("set ytics (", out);
    for (size_t i = 0; i < rows->key_count; i++)
        fprintf(out, "%s'%s' %g", i ? ", " : "", plot_text(rows->keys[i]->name, name),
                (double)(i * (rows->count + 1)) + (double)(rows->count - 1) / 2);
    fprintf(out, ") scale 0 nomirror\nset lmargin 12\nset yrange [%zu:-1]\n",
            rows->key_count * (rows->count + 1));
}

static void draw_steps(const struct result_set *set, size_t panel, FILE *out)
{
    char label[PLOT_TEXT_SIZE + 8], op[PLOT_TEXT_SIZE];
    struct rows rows;

    find_rows(set, false, &rows);
    for (size_t i = 0; i < rows.count; i++)
        write_steps(&rows, i, out);
    plot_title(set, "the steps of the ladder, with 95 % intervals", out);
    fputs("set xlabel 'time of a call ('.US.')'\nset xrange [*<0:*]\n"
          "set offsets 0, graph 0.12, 0, 0\nset key maxcols 1\n",
          out);
    write_step_names(&rows, out);
    plot_key_rows(rows.count, out);
    for (size_t i = 0; i < rows.count; i++) {
        label[0] = '\0';
        if (set->file_count > 1)
            plot_file_label(set, rows.files[i], label);
        fprintf(out,
                "%s $steps%zu using 1:3:1:2:($3-0.4):($3+0.4) with boxxyerror fs solid 0.6 "
                "noborder lc rgb '%s' title '%s%s%s',\\\n"
                "    '' using 2:3:4:5 with xerrorbars pt 7 ps 0.4 lw 1.4 lt 1 lc rgb '#404040' "
                "notitle,\\\n"
                "    '' using ($2>$5?$2:$5):3:6 with labels left offset 1,0 notitle",
                i ? ",\\\n    " : "plot", i, plot_colour(i), label, label[0] ? ", " : "",
                plot_text(rows.list[i]->op, op));
    }
    fputc('\n', out);
}

const struct plot_kind plot_steps = {
    .name = "steps",
    .caption = "What each step of the ladder adds to a call: the timer, an exchange over the "
               "socket, RPC, the op's longer messages, and the procedure itself. XDR is beside the "
               "sum, as engine wire encodes nothing during a call.",
    .usual = true,
    .panels = step_panels,
    .height = step_height,
    .draw = draw_steps,
};
