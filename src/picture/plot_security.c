/* Pictures of security ladders: what each flavor makes of a call by AUTH_SYS. */
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/plot_kind.h"

enum { ROW_HEIGHT = 18, FRAME_HEIGHT = 130, FLAVORS_MAXIMUM = 16 };

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

static size_t security_panels(const struct result_set *set)
{
    struct rows rows;

    find_rows(set, &rows);
    return rows.count > 0;
}

static unsigned security_height(const struct result_set *set, size_t panel)
{
    struct rows rows;

    find_rows(set, &rows);
    return FRAME_HEIGHT + ROW_HEIGHT * (unsigned)(rows.count + rows.flavor_count + 1);
}

/* "A  read 64Ki" beside the first row of an op and size. */
static void write_names(const struct result_set *set, const struct rows *rows, FILE *out)
{
    char name[SEC_NAME_SIZE], before[SEC_NAME_SIZE] = "", text[PLOT_TEXT_SIZE], letter[4] = "";
    size_t longest = 4, file = 0;
    const char *separator = "";

    fputs("set ytics (", out);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];

        sec_point_name(row->point, name);
        if (strcmp(name, before) == 0 && row->file == file)
            continue;
        strcpy(before, name);
        file = row->file;
        if (set->file_count > 1)
            snprintf(letter, sizeof letter, "%c  ", result_set_letter(file));
        longest = strlen(name) > longest ? strlen(name) : longest;
        fprintf(out, "%s'%s%s' %zu", separator, letter, plot_text(name, text), i);
        separator = ", ";
    }
    longest += set->file_count > 1 ? 3 : 0;
    fprintf(out, ") scale 0 nomirror\nset lmargin %zu\nset yrange [%g:-1]\n",
            longest < 24 ? longest + 2 : 26, (double)rows->count - 0.2);
}

/* Its multiple, place, the ends of its interval, and what is above, us. */
static void write_row(const struct row *row, size_t place, FILE *out)
{
    double above = us(row->point->intervals[SEC_ABOVE].estimate);

    fprintf(out, "%.8g %zu %.8g %.8g %+.*f\n", row->times.estimate, place, row->times.low,
            row->times.high, fabs(above) < 100 ? 1 : 0, above);
}

static void write_flavor(const struct rows *rows, size_t flavor, FILE *out)
{
    fprintf(out, "$flavor%zu << END\n", flavor);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];

        if (flavor_of(rows, row->point->security) == flavor)
            write_row(row, i, out);
    }
    fputs("END\n", out);
}

static void write_axis(const struct rows *rows, FILE *out)
{
    double low = 1, high = 2;

    for (size_t i = 0; i < rows->count; i++) {
        low = fmin(low, rows->list[i].times.low);
        high = fmax(high, rows->list[i].times.high);
    }
    fputs("set xlabel 'times the round trip by AUTH_SYS; figures: '.US.' above it'\n"
          "set logscale x\n",
          out);
    plot_log_tics("x", low, high, out);
    fprintf(out, "set xrange [%.8g:%.8g]\n", 0.9 * low, high * pow(high / low, 0.25));
}

static void draw_security(const struct result_set *set, size_t panel, FILE *out)
{
    char label[PLOT_TEXT_SIZE + 8], name[PLOT_TEXT_SIZE];
    struct rows rows;

    find_rows(set, &rows);
    for (size_t i = 0; i < rows.flavor_count; i++)
        write_flavor(&rows, i, out);
    plot_title(set, "what security costs: point and 95 % interval", out);
    write_axis(&rows, out);
    write_names(set, &rows, out);
    fputs("set arrow from 1, graph 0 to 1, graph 1 nohead lt 1 lc rgb '#808080'\n"
          "set key maxcols 1\n",
          out);
    plot_key_rows(rows.flavor_count + (set->file_count > 1 ? set->file_count : 0), out);
    for (size_t i = 0; i < rows.flavor_count; i++)
        fprintf(out,
                "%s $flavor%zu using 1:2:3:4 with xerrorbars lw 1.6 pt 7 ps 0.6 lt %zu lc rgb '%s' "
                "title '%s',\\\n    '' using 4:2:5 with labels left offset 1,0 notitle",
                i ? ",\\\n    " : "plot", i, i + 1, plot_colour(i),
                plot_text(rows.flavors[i], name));
    for (size_t i = 0; set->file_count > 1 && i < set->file_count; i++) {
        plot_file_label(set, i, label);
        fprintf(out, ",\\\n    keyentry with points pt -1 title '%s'", label);
    }
    fputc('\n', out);
}

const struct plot_kind plot_security = {
    .name = "security",
    .caption = "What each security flavor costs: the round trip of a call as a multiple of that by "
               "AUTH_SYS in the same rounds, with its 95 % interval from the spread between "
               "trials; the figure beside it is the difference.",
    .usual = true,
    .panels = security_panels,
    .height = security_height,
    .draw = draw_security,
};
