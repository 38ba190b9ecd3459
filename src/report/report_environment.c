/* The last parts of a section: pictures, environment, and commands that repeat the measurement. */
#include <inttypes.h>
#include <string.h>

#include "picture/html.h"
#include "report/report_parts.h"

/* Print SVG, a picture from gnuplot. "p" and the number PICTURE are put before each id and each
 * reference to an id, because ids on a page must be unique, but gnuplot uses the same ids in every
 * picture. Texts of the picture contain no quotes (plot_text()), so no text looks like an id. */
static void print_svg(const char *svg, size_t picture, FILE *out)
{
    static const char *const before[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

    while (*svg) {
        size_t matched = 0;

        for (size_t i = 0; i < sizeof before / sizeof before[0] && matched == 0; i++)
            if (strncmp(svg, before[i], strlen(before[i])) == 0)
                matched = strlen(before[i]);
        if (matched)
            fprintf(out, "%.*sp%zu-", (int)matched, svg, picture);
        else
            fputc(*svg, out);
        svg += matched ? matched : 1;
    }
}

static void print_picture(const struct report *report, size_t number, FILE *out)
{
    const struct report_picture *picture = &report->pictures[number];

    fputs("<figure>\n", out);
    print_svg(picture->svg.data, report->number * PLOT_PANELS + number, out);
    if (picture->panel.index == 0)
        html_print(out, "<figcaption>%s</figcaption>\n", picture->panel.kind->caption);
    fputs("</figure>\n", out);
}

void report_leading_pictures(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < report->leading; i++)
        print_picture(report, i, out);
}

void report_pictures(const struct report *report, FILE *out)
{
    if (report->picture_count == report->leading)
        return;
    fputs("<h2>Pictures</h2>\n<div class=pictures>\n", out);
    for (size_t i = report->leading; i < report->picture_count; i++)
        print_picture(report, i, out);
    fputs("</div>\n<p class=soft>Each op has the same colour in all pictures; dashes, points and "
          "fills distinguish ops without colour.</p>\n",
          out);
}

/* A row of the table of settings. */
static const struct setting {
    const char *name;
    const char *value; /* the setting's value; written as a line of a view */
    const char *when;  /* condition for the row, as in struct view_line */
    bool always;       /* true: shown for all results; false: only for results with ops */
} settings[] = {
    {"target", "{target.text}", .always = true},
    {"server", "{target.host}"},
    {"address", "{target.address}"},
    {"export", "{target.export}"},
    {"path below the export", "{target.path}"},
    {"transport", "{target.transport}", .always = true},
    {"NFS port", "{target.nfs_port}", .when = "target.nfs_port"},
    {"authentication", "{target.auth}"},
    {"mount", "{setup.mount_ns/1e6:1} ms", .when = "setup.mount_ns"},
    {"engine", "{config.engine}", .always = true},
    {"waiting", "{config.wait}"},
    {"rounds", "{config.rounds}"},
    {"calls in a block", "{config.block}", .when = "config.block"},
    {"warm-up rounds dropped", "{config.warmup_rounds}"},
    {"READ size", "{config.read_size:,} bytes", .when = "config.read_size"},
    {"client processors", "{config.client_cpus}", .always = true},
    {"server processor", "{config.server_cpu}"},
    {"client and server on one processor", "{config.one_processor.cpu}",
     .when = "config.one_processor"},
    {"processors kept awake", "{?(config.kept_awake)yes|no}"},
    {"clock", "{clock.name}"},
    {"clock off by", "{clock.disagreement_ppm:2} ppm"},
    {"timer cost, subtracted", "{clock.cost_ns:1} ns"},
    {"processor", "{host.cpu}", .always = true},
    {"processors", "{host.cpus}", .when = "host.cpus"},
    {"virtual machine", "{?(host.virtualisation)yes|no}"},
    {"time stolen by the hypervisor", "{host.steal/0.01:2} %"},
    {"kernel", "{host.kernel}", .always = true},
    {"nfsbench", "{tool.version}", .always = true},
    {"built by", "{tool.build}", .always = true},
};

/* Set TEXT to the value of SETTING in the result of file FILE; "" if unknown. Returns TEXT. */
static const char *value_of(const struct setting *setting, const struct report *report, size_t file,
                            char text[FIELD_ROOM])
{
    const struct view_row row = report_row(report, file);

    if (!view_holds(&row, setting->when) || !view_expand(&row, setting->value, text, FIELD_ROOM))
        text[0] = '\0';
    return text;
}

static void print_setting(const struct report *report, const struct setting *setting, FILE *out)
{
    char text[FIELD_ROOM];
    bool known = false;

    for (size_t i = 0; i < report->set->count; i++)
        known = known || *value_of(setting, report, i, text);
    if (!known)
        return;
    html_print(out, "<tr><th>%s", setting->name);
    for (size_t i = 0; i < report->set->count; i++) {
        const char *value = value_of(setting, report, i, text);

        html_print(out, "<td data-of=%c>%s", result_set_letter(i), *value ? value : "–");
    }
    fputs("</tr>\n", out);
}

static void print_settings(const struct report *report, FILE *out)
{
    const bool all = result_file_has_ops(report->set->files[0]);

    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (all || settings[i].always)
            print_setting(report, &settings[i], out);
}

/* assumed widths of the columns of names and of values, in letters; longer texts are broken */
enum { NAME_LETTERS = 20, VALUE_LETTERS = 18 };

void report_environment(const struct report *report, FILE *out)
{
    fputs("<h2>Environment and settings</h2>\n", out);
    report_begin_table(NAME_LETTERS + VALUE_LETTERS * report->set->count, " class=settings", out);
    if (report->set->count > 1) {
        fputs("<thead><tr><th>", out);
        for (size_t i = 0; i < report->set->count; i++)
            report_letter(report, i, "<th class=text>", out);
        fputs("</tr></thead>\n", out);
    }
    fputs("<tbody>\n", out);
    print_settings(report, out);
    fputs("</tbody></table></div>\n", out);
}

/* Print a space and WORD, quoted for a shell if necessary. */
static void print_word(const char *word, FILE *out)
{
    const char *harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-.,:/+=%@";
    size_t length;

    if (*word && word[strspn(word, harmless)] == '\0') {
        html_print(out, " %s", word);
        return;
    }
    html_print(out, " %c", '\'');
    for (; *word; word += length) {
        length = strcspn(word, "'");
        html_print(out, "%.*s%s", (int)length, word, word[length] ? "'\\''" : "");
        length += word[length] != '\0';
    }
    html_print(out, "%c", '\'');
}

static void print_words(const struct report_command *command, const struct result *result,
                        FILE *out)
{
    const char *first = command->words[0];
    /* old files lack the program's name as first word */
    bool named = strcmp(first, "nfsbench") == 0 || strcmp(first, "nfsbench-mpi") == 0;
    bool seeded = false;

    fputs("<pre>", out);
    if (named && result->rank_count > 0)
        html_print(out, "mpirun -np %zu ", result->rank_count);
    html_print(out, "%s", named ? first : "nfsbench");
    for (size_t i = named; i < command->count; i++)
        seeded = seeded || strncmp(command->words[i], "--seed", 6) == 0;
    for (size_t i = named; i < command->count; i++) {
        if (!seeded && strcmp(command->words[i], "--") == 0) {
            html_print(out, " --seed %" PRIu64, result->seed);
            seeded = true;
        }
        print_word(command->words[i], out);
    }
    if (!seeded)
        html_print(out, " --seed %" PRIu64, result->seed);
    fputs("</pre>\n", out);
}

static void print_command(const struct report_command *command, const struct result *result,
                          FILE *out)
{
    if (command->refused)
        html_print(out, "<p>The command in the file is not shown: %s.</p>\n", command->refused);
    else if (command->count == 0)
        html_print(out,
                   "<p>The file does not contain its command line. The target was %s, the seed "
                   "%" PRIu64 ".</p>\n",
                   report_known(result->target.text), result->seed);
    else
        print_words(command, result, out);
    if (!command->refused && command->left_out[0])
        html_print(out,
                   "<p>Left out, because they write files or run commands on your machine: %s. Add "
                   "those that you want, such as -j FILE.</p>\n",
                   command->left_out);
}

void report_commands(const struct report *report, FILE *out)
{
    fputs("<h2>Repeating the measurement</h2>\n", out);
    fputs("<p class=soft>Commands are taken from the result files, which somebody else may have "
          "written: read a command before you run it.</p>\n",
          out);
    for (size_t i = 0; i < report->set->count; i++) {
        const struct result *result = report->set->results[i];

        if (report->set->count > 1) {
            report_letter(report, i, "<p>", out);
            html_print(out, "%s</p>\n", result->path);
        }
        print_command(&report->commands[i], result, out);
    }
    fputs("<p class=soft>The seed repeats the order of the blocks, but not the conditions on the "
          "machine.</p>\n",
          out);
}
