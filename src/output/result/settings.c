#include "output/result/settings.h"

#include <stdio.h>
#include <string.h>

#include "output/result/result_fields.h"
#include "output/view/view.h"

enum { VALUE_SIZE = 320 };

/* A setting that results are compared by, or that distinguishes series. */
struct setting {
    const char *name;
    const char *value;      /* text of a view_line; the value is unknown if no text results */
    const char *const *ops; /* the ops for which the setting matters; NULL for all */
    bool note;              /* a difference is noted, but does not prevent a comparison */
    /* text before the value in the description of a series; NULL: not described */
    const char *before;
    const char *usual; /* value that the description of a series leaves out */
};

static const char *const
    of_read[] = {"read", "read-local", "mix", NULL},
    *const of_write[] = {"write", "write-local", "mix", NULL},
    *const of_local[] = {"read-local",
                         "write-local",
                         "write-data-sync-local",
                         "write-file-sync-local",
                         "commit-local",
                         "mix-local",
                         NULL},
    *const of_files[] = {"getattr",  "setattr",         "lookup",          "access",    "read",
                         "write",    "write-data-sync", "write-file-sync", "mix",       "commit",
                         "pathconf", "read-local",      "write-local",     "mix-local", NULL},
    *const of_directory[] = {"lookup",  "readdir", "readdirplus", "create", "mkdir",
                             "symlink", "mknod",   "remove",      "rmdir",  "rename",
                             "link",    "mix",     NULL};

/* The settings. A file without "launches" was written by a version that did not record file sets
 * and directory sizes, so they are unknown. In a file without "load", each client had one
 * connection. */
static const struct setting settings[] = {
    {"target", "{target.text}", .note = true, .before = ""},
    {"transport", "{target.transport}", .before = " over "},
    {"clock", "{clock.name}", .before = ", clock "},
    {"engine", "{config.engine}", .before = ", engine "},
    {"waiting for replies", "{?(config.wait=spin)spinning|blocking}", .before = ", "},
    {"client and server", "{?(config.one_processor)on one processor|without --one-processor}",
     .before = ", client and server ", .usual = "without --one-processor"},
    {"baseline", "{?(null_name=null)null calls|{?{null_name}|none}}", .before = ", baseline ",
     .usual = "null calls"},
    {"security", "{target.auth}", .before = ", "},
    {"transport security", "{?{target.xprtsec}|none}", .before = ", xprtsec ", .usual = "none"},
    {"protected replies", "verified {?(config.check_in_time)in its time|after the call}",
     .before = ", replies ", .usual = "verified after the call"},
    {"security contexts", "{?(config.load.shared_contexts)shared|of each client}",
     .before = ", contexts ", .usual = "of each client"},
    {"clients", "{?(config.clients){config.clients}}", .before = ", clients "},
    {"connections of each", "{?(config.load.connections){config.load.connections}|1}",
     .before = ", connections ", .usual = "1"},
    {"depth", "{?(config.depth){config.depth}}", .before = ", depth "},
    {"batch", "{?{config.load.batch}|1}", .before = ", batch ", .usual = "1"},
    {"rate", "{?{config.load.rate_per_s:12g} calls/s, {config.load.arrival}|none (a closed loop)}",
     .before = ", ", .usual = "none (a closed loop)"},
    {"ranks", "{?{config.load.ranks}|1}", .before = ", ranks ", .usual = "1"},
    {"receive window", "{?{config.receive_window} bytes|the kernel's choice}",
     .before = ", receive window ", .usual = "the kernel's choice"},
    {"mix", "{?{config.mix.name}: {*config.mix.weights|{op} {weight}}|none}", .before = ", mix ",
     .usual = "none"},
    {"size of READ", "{config.read_size} bytes", .ops = of_read, .before = ", "},
    {"offset of READ", "{config.read_offset}", .ops = of_read, .before = ", offset ", .usual = "0"},
    {"size of WRITE", "{config.write_size} bytes", .ops = of_write, .before = ", "},
    {"files",
     "{?{config.tree.files} of the tree {?{config.tree.path}|?}|"
     "{?{config.files} of {config.file_size} bytes|{?(launches)the one found}}}",
     .ops = of_files, .before = ", files ", .usual = "the one found"},
    {"pattern", "{?{config.pattern}}{?(config.cold), each place once}", .ops = of_files,
     .before = ", pattern ", .usual = "same"},
    {"working set",
     "{?{config.working_set_bytes} bytes|{?{config.working_set_files} files|"
     "{?(config.pattern)all}}}",
     .ops = of_files, .before = ", working set ", .usual = "all"},
    {"directory size", "{?{config.dir_size} entries|{?(launches)as found}}", .ops = of_directory,
     .before = ", directory of ", .usual = "as found"},
    {"local files", /* rates of local ops depend on the file system */
     "{config.baseline_dir.file_system}{?(config.baseline_dir.direct) with O_DIRECT}",
     .ops = of_local, .before = ", local files on "},
    {"the client's processor", "{host.cpu}", .note = true, .before = "; client "},
    {"the mount's options", "{target.mount_options}", .note = true},
    {"the client's kernel", "{host.kernel}", .note = true},
    {"version of nfsbench", "{tool.version}", .note = true},
    {"launches", "{?(config.over_ns)spread over {config.over_ns/1e9:4g} s|one after another}",
     .note = true},
    {"processors of the client", "{config.client_cpus}", .note = true},
    {"threads", "{?(config.load.threads){config.load.threads}}", .note = true},
    {"idle processors", "{?(config.kept_awake)kept awake|may sleep}", .note = true},
    {"calls sent again", "{?(config.count_resent)counted|left out}", .note = true},
    {"data verified", "{?(config.verify)yes|no}", .note = true},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

static void find_value(const struct setting *setting, const struct result *result,
                       char text[VALUE_SIZE])
{
    const struct view_row row = {.fields = result_fields, .object = result, .root = result};

    if (!view_expand(&row, setting->value, text, VALUE_SIZE))
        *text = '\0';
}

static bool matters(const struct setting *setting, const char *op)
{
    if (!setting->ops)
        return true;
    for (size_t i = 0; setting->ops[i]; i++)
        if (strcmp(setting->ops[i], op) == 0)
            return true;
    return false;
}

/* Return whether SETTING differs between FIRST and SECOND; if so, set TEXT to the difference. */
static bool differ(const struct setting *setting, const struct result *first,
                   const struct result *second, char *text, size_t size)
{
    char values[2][VALUE_SIZE];

    find_value(setting, first, values[0]);
    find_value(setting, second, values[1]);
    if (!*values[0] || !*values[1] || strcmp(values[0], values[1]) == 0)
        return false;
    snprintf(text, size, "%s %s against %s", setting->name, values[0], values[1]);
    return true;
}

const char *settings_find_difference(const struct result *first, const struct result *second,
                                     const char *op, char *buffer, size_t size)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (!settings[i].note && matters(&settings[i], op) &&
            differ(&settings[i], first, second, buffer, size))
            return buffer;
    return NULL;
}

const char *settings_next_note(const struct result *first, const struct result *second, size_t *at,
                               char *buffer, size_t size)
{
    while (*at < SETTINGS) {
        const struct setting *setting = &settings[(*at)++];

        if (setting->note && differ(setting, first, second, buffer, size))
            return buffer;
    }
    return NULL;
}

/* Append the value of SETTING in RESULT to TEXT, unless the value is unknown or the usual one. */
static void add_to_series(const struct setting *setting, const struct result *result, char *text,
                          size_t size)
{
    size_t used = strlen(text);
    const char *before = setting->before;
    char value[VALUE_SIZE];

    find_value(setting, result, value);
    if (!*value || (setting->usual && strcmp(value, setting->usual) == 0))
        return;
    if (used == 0)
        before += strspn(before, ", ");
    snprintf(text + used, size - used, "%s%s", before, value);
}

const char *settings_of_series(const struct result *result, const char *op, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < SETTINGS; i++)
        if (settings[i].before &&
            (op ? settings[i].ops && matters(&settings[i], op) : !settings[i].ops))
            add_to_series(&settings[i], result, text, size);
    return text;
}
