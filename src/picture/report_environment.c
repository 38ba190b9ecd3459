/* The end of a report: pictures, the environment, and how to repeat the measurement. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/html.h"
#include "picture/report_parts.h"

/* Pictures */

/* gnuplot gives the parts of every picture the same names, but on one page names must be unique.
 * They occur in attributes only, since texts contain no quotes (plot_text()). */
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

void report_pictures(const struct report *report, FILE *out)
{
    fputs("<h2>Pictures</h2>\n", out);
    if (report->no_pictures) {
        fputs("<p>There are no pictures: ", out);
        html_print(out, "%s.", report->no_pictures);
        fputs("</p>\n", out);
        return;
    }
    fputs("<div class=pictures>\n", out);
    for (size_t i = 0; i < report->picture_count; i++) {
        fputs("<figure>\n", out);
        print_svg(report->pictures[i].svg.data, i, out);
        if (report->pictures[i].panel.index == 0) {
            fputs("<figcaption>", out);
            html_print(out, "%s", plot_kind_caption(report->pictures[i].panel.kind));
            fputs("</figcaption>\n", out);
        }
        fputs("</figure>\n", out);
    }
    fputs("</div>\n<p class=soft>Each op has the same colour in all pictures; dashes, points and "
          "fills distinguish ops without colour.</p>\n",
          out);
}

/* Environment */

/* A line of the table: a result's value, "" if it has none. */
struct setting {
    const char *name;
    char text[512];
};

struct settings {
    struct setting lines[40];
    size_t count;
};

static void add_text(struct settings *settings, const char *name, const char *text)
{
    struct setting *line = &settings->lines[settings->count++];

    line->name = name;
    snprintf(line->text, sizeof line->text, "%s", text ? text : "");
}

static void add_flag(struct settings *settings, const char *name, bool flag)
{
    add_text(settings, name, flag ? "yes" : "no");
}

static void add_number(struct settings *settings, const char *name, double value, int decimals,
                       const char *unit)
{
    char text[64];

    snprintf(text, sizeof text, "%.*f%s", decimals, value, unit);
    add_text(settings, name, isnan(value) ? NULL : text);
}

/* VALUE, or NAN for 0, which means that there is none. */
static double unless_0(uint64_t value)
{
    return value ? (double)value : NAN;
}

static void add_target(struct settings *settings, const struct result *result)
{
    const struct result_target *target = &result->target;

    add_text(settings, "target", target->text);
    add_text(settings, "server", target->host);
    add_text(settings, "address", target->address);
    add_text(settings, "export", target->export);
    add_text(settings, "path below", target->path);
    add_text(settings, "transport", target->transport);
    add_number(settings, "NFS port", unless_0(target->nfs_port), 0, "");
    add_text(settings, "authentication", target->auth);
    add_number(settings, "mount", unless_0(target->mount_ns) / 1e6, 1, " ms");
}

static void add_config(struct settings *settings, const struct result *result)
{
    const struct result_config *config = &result->config;

    add_text(settings, "engine", config->engine);
    add_text(settings, "waiting", config->spin ? "spin" : "block");
    add_number(settings, "rounds", (double)result->rounds.done, 0, "");
    add_number(settings, "calls in a block", unless_0(config->block), 0, "");
    add_number(settings, "warm-up rounds dropped", (double)result->rounds.warmup, 0, "");
    add_number(settings, "READ size", unless_0(config->read_size), 0, " bytes");
    add_text(settings, "client processors", config->client_cpus);
    add_number(settings, "server processor",
               config->server_cpu < 0 ? NAN : (double)config->server_cpu, 0, "");
    add_flag(settings, "kept awake", config->awake);
}

static void add_machine(struct settings *settings, const struct result *result)
{
    const struct result_host *host = &result->host;

    add_text(settings, "clock", result->clock.name);
    add_number(settings, "clock off by", result->clock.disagreement_ppm, 2, " ppm");
    add_number(settings, "timer cost, subtracted", result->clock.cost_ns, 1, " ns");
    add_text(settings, "processor", host->cpu);
    add_number(settings, "processors", unless_0(host->cpus), 0, "");
    add_flag(settings, "virtual machine", host->virtual);
    add_number(settings, "time stolen by the hypervisor", 100 * host->steal, 2, " %");
    add_text(settings, "kernel", host->kernel);
    add_text(settings, "nfsbench", result->tool.version);
    add_text(settings, "built by", result->tool.build);
}

static void describe(struct settings *settings, const struct result *result)
{
    settings->count = 0;
    add_target(settings, result);
    add_config(settings, result);
    add_machine(settings, result);
}

/* What results of all kinds have. */
static void describe_origin(struct settings *settings, const struct result *result)
{
    settings->count = 0;
    add_text(settings, "target", result->target.text);
    add_text(settings, "transport", result->target.transport);
    add_text(settings, "engine", result->config.engine);
    add_text(settings, "client processors", result->config.client_cpus);
    add_text(settings, "processor", result->host.cpu);
    add_text(settings, "kernel", result->host.kernel);
    add_text(settings, "nfsbench", result->tool.version);
    add_text(settings, "built by", result->tool.build);
}

/* Print line LINE of the SETTINGS of COUNT results, if any of them has a value there. */
static void print_setting(const struct settings *settings, size_t count, size_t line, FILE *out)
{
    bool known = false;

    for (size_t i = 0; i < count; i++)
        known = known || settings[i].lines[line].text[0];
    if (!known)
        return;
    fprintf(out, "<tr><th>%s", settings[0].lines[line].name);
    for (size_t i = 0; i < count; i++) {
        const char *text = settings[i].lines[line].text;

        fputs("<td>", out);
        html_print(out, "%s", text[0] ? text : "–");
    }
    fputs("</tr>\n", out);
}

static void print_settings(const struct report *report, FILE *out)
{
    size_t count = report->set->count;
    struct settings *settings = calloc(count, sizeof *settings);

    for (size_t i = 0; settings && i < count; i++)
        (result_file_has_ops(&report->set->files[0]) ? describe : describe_origin)(
            &settings[i], report->set->results[i]);
    for (size_t line = 0; settings && line < settings[0].count; line++)
        print_setting(settings, count, line, out);
    free(settings);
}

void report_environment(const struct report *report, FILE *out)
{
    fputs("<h2>Environment and settings</h2>\n<div class=wide tabindex=0><table class=settings>\n",
          out);
    if (report->set->count > 1) {
        fputs("<thead><tr><th>", out);
        for (size_t i = 0; i < report->set->count; i++) {
            fputs("<th class=text>", out);
            report_letter(report, i, out);
        }
        fputs("</tr></thead>\n", out);
    }
    fputs("<tbody>\n", out);
    print_settings(report, out);
    fputs("</tbody></table></div>\n", out);
}

/* Commands */

/* Print WORD quoted for a shell, after a space. */
static void print_word(const char *word, FILE *out)
{
    const char *harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-.,:/+=%@";

    if (*word && word[strspn(word, harmless)] == '\0') {
        html_print(out, " %s", word);
        return;
    }
    html_print(out, " '");
    for (; *word; word += *word != '\0') {
        size_t length = strcspn(word, "'");

        html_print(out, "%.*s", (int)length, word);
        word += length;
        if (*word)
            html_print(out, "'\\''");
        else
            break;
    }
    html_print(out, "'");
}

static void print_command(const struct result *result, FILE *out)
{
    const char *first = result->command[0];
    /* Older files lack the program's name. */
    bool named = strcmp(first, "nfsbench") == 0 || strcmp(first, "nfsbench-mpi") == 0;
    bool seeded = false;

    fputs("<pre>", out);
    if (named && result->rank_count > 0)
        html_print(out, "mpirun -np %zu ", result->rank_count);
    html_print(out, "%s", named ? first : "nfsbench");
    for (size_t i = named; i < result->command_count; i++)
        seeded = seeded || strncmp(result->command[i], "--seed", 6) == 0;
    for (size_t i = named; i < result->command_count; i++) {
        if (!seeded && strcmp(result->command[i], "--") == 0) {
            html_print(out, " --seed %" PRIu64, result->seed);
            seeded = true;
        }
        print_word(result->command[i], out);
    }
    if (!seeded)
        html_print(out, " --seed %" PRIu64, result->seed);
    fputs("</pre>\n", out);
}

void report_commands(const struct report *report, FILE *out)
{
    fputs("<h2>Repeating the measurement</h2>\n", out);
    for (size_t i = 0; i < report->set->count; i++) {
        const struct result *result = report->set->results[i];

        if (report->set->count > 1) {
            fputs("<p>", out);
            report_letter(report, i, out);
            html_print(out, "%s", result->path);
            fputs("</p>\n", out);
        }
        if (result->command_count > 0) {
            print_command(result, out);
            continue;
        }
        fputs("<p>The file does not contain its command line. ", out);
        html_print(out, "The target was %s, the seed %" PRIu64 ".",
                   report_known(result->target.text), result->seed);
        fputs("</p>\n", out);
    }
    fputs("<p class=soft>The seed repeats the order of the blocks, but not the conditions on the "
          "machine.</p>\n",
          out);
}
