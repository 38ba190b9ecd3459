/* The end of a report: pictures, where it was measured, and how to do it again. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "output/html.h"
#include "output/report_parts.h"

/* Pictures */

/* gnuplot gives the parts of every picture the same names; on one page each picture needs names of
 * its own. Those stand in attributes only: texts hold no quotes (plot_text()). */
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
        fputs("<p>There are none here: ", out);
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
    fputs("</div>\n<p class=soft>An op has one colour in all of them; dashes, points and fillings "
          "tell ops apart where there is no colour.</p>\n",
          out);
}

/* Environment */

static const struct {
    const char *name, *keys;
    double unit; /* a number is shown over it; 0: a text */
    int decimals;
    const char *unit_name;
} settings[] = {
    {"target", "target.text", 0, 0, NULL},
    {"server", "target.host", 0, 0, NULL},
    {"address", "target.address", 0, 0, NULL},
    {"export", "target.export", 0, 0, NULL},
    {"path below", "target.path", 0, 0, NULL},
    {"transport", "target.proto", 0, 0, NULL},
    {"NFS port", "target.nfs_port", 1, 0, ""},
    {"authentication", "target.auth", 0, 0, NULL},
    {"mount", "setup.mount_ns", 1e6, 1, " ms"},
    {"engine", "config.engine", 0, 0, NULL},
    {"waiting", "config.wait", 0, 0, NULL},
    {"rounds", "config.rounds", 1, 0, ""},
    {"calls in a block", "config.block", 1, 0, ""},
    {"warm-up rounds dropped", "config.warmup_rounds", 1, 0, ""},
    {"READ size", "config.read_size", 1, 0, " bytes"},
    {"client’s processors", "config.client_cpus", 0, 0, NULL},
    {"server’s processor", "config.server_cpu", 1, 0, ""},
    {"kept awake", "config.kept_awake", 0, 0, NULL},
    {"clock", "clock.name", 0, 0, NULL},
    {"clock off by", "clock.disagreement_ppm", 1, 2, " ppm"},
    {"timer cost taken off", "clock.cost_ns", 1, 1, " ns"},
    {"processor", "host.cpu", 0, 0, NULL},
    {"processors", "host.cpus", 1, 0, ""},
    {"virtual machine", "host.virtualisation", 0, 0, NULL},
    {"stolen by the hypervisor", "host.steal", 0.01, 2, " %"},
    {"kernel", "host.kernel", 0, 0, NULL},
    {"nfsbench", "tool.version", 0, 0, NULL},
    {"built by", "tool.build", 0, 0, NULL},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* The value as a text of SIZE bytes; "" where the file doesn't have it. */
static void setting_text(const struct result_file *file, size_t setting, char *text, size_t size)
{
    const char *keys = settings[setting].keys, *dot = strchr(keys, '.');
    const char *value = result_file_text(file->root, keys);
    double number = result_file_number(file->root, keys);
    char object[32];
    const json_t *flag;

    snprintf(object, sizeof object, "%.*s", dot ? (int)(dot - keys) : 0, keys);
    flag = dot ? json_object_get(json_object_get(file->root, object), dot + 1) : NULL;
    text[0] = '\0';
    if (json_is_boolean(flag))
        snprintf(text, size, "%s", json_is_true(flag) ? "yes" : "no");
    else if (settings[setting].unit_name && !isnan(number))
        snprintf(text, size, "%.*f%s", settings[setting].decimals, number / settings[setting].unit,
                 settings[setting].unit_name);
    else if (!settings[setting].unit_name && value)
        snprintf(text, size, "%s", value);
}

static void print_setting(const struct report *report, size_t setting, FILE *out)
{
    char text[512];
    bool known = false;

    for (size_t i = 0; i < report->set->count; i++) {
        setting_text(&report->set->files[i], setting, text, sizeof text);
        known = known || text[0];
    }
    if (!known)
        return;
    fprintf(out, "<tr><th>%s", settings[setting].name);
    for (size_t i = 0; i < report->set->count; i++) {
        setting_text(&report->set->files[i], setting, text, sizeof text);
        fputs("<td>", out);
        html_print(out, "%s", text[0] ? text : "–");
    }
    fputs("</tr>\n", out);
}

void report_environment(const struct report *report, FILE *out)
{
    fputs("<h2>Where and how</h2>\n<div class=wide tabindex=0><table class=settings>\n", out);
    if (report->set->count > 1) {
        fputs("<thead><tr><th>", out);
        for (size_t i = 0; i < report->set->count; i++) {
            fputs("<th class=text>", out);
            report_letter(report, i, out);
        }
        fputs("</tr></thead>\n", out);
    }
    fputs("<tbody>\n", out);
    for (size_t i = 0; i < SETTINGS; i++)
        print_setting(report, i, out);
    fputs("</tbody></table></div>\n", out);
}

/* Commands */

/* WORD as a shell takes it. */
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

static void print_command(const struct result_file *file, FILE *out)
{
    const json_t *words = json_object_get(file->root, "command");
    bool seeded = false;

    fputs("<pre>nfsbench", out);
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));

        print_word(word ? word : "?", out);
        seeded = seeded || (word && strncmp(word, "--seed", 6) == 0);
    }
    if (!seeded)
        html_print(out, " --seed %" JSON_INTEGER_FORMAT,
                   json_integer_value(json_object_get(file->root, "seed")));
    fputs("</pre>\n", out);
}

void report_commands(const struct report *report, FILE *out)
{
    fputs("<h2>To do it again</h2>\n", out);
    for (size_t i = 0; i < report->set->count; i++) {
        const struct result_file *file = &report->set->files[i];

        if (report->set->count > 1) {
            fputs("<p>", out);
            report_letter(report, i, out);
            html_print(out, "%s", file->path);
            fputs("</p>\n", out);
        }
        if (json_array_size(json_object_get(file->root, "command")) > 0) {
            print_command(file, out);
            continue;
        }
        fputs("<p>The file does not hold its command line. ", out);
        html_print(out, "The target was %s, the seed %" JSON_INTEGER_FORMAT ".",
                   report_text(file, "target.text"),
                   json_integer_value(json_object_get(file->root, "seed")));
        fputs("</p>\n", out);
    }
    fputs("<p class=soft>The seed repeats the order of the blocks, not the weather.</p>\n", out);
}
