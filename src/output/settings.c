#include "output/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_SIZE = 320 };

/* A setting. Its value is a text, "" where it is not known: the member at OFFSET, or what VALUE
 * makes of the result. */
struct setting {
    const char *name;
    enum { SETTING_TEXT, SETTING_COUNT, SETTING_FLAG, SETTING_OWN } kind;
    size_t offset;
    uint32_t otherwise;   /* of a count that is 0; 0: then it is not known */
    const char *unit;     /* after a count */
    const char *words[2]; /* of a flag that is false, and of one that is true */
    void (*value)(const struct result *result, char *text);
    const char *const *ops; /* that it matters for; NULL: all */
    bool note;              /* results that differ in it can be compared */
    const char *before;     /* it, in what distinguishes series; NULL: it does not */
    const char *usual;      /* a value that is left out there */
};

#define MEMBER(setting_kind, member)                                                               \
    .kind = SETTING_##setting_kind, .offset = offsetof(struct result, member)
#define OWN(function) .kind = SETTING_OWN, .value = value_of_##function
#define VALUE(name)   static void value_of_##name(const struct result *result, char text[VALUE_SIZE])

static void put_text(char *text, const char *value)
{
    snprintf(text, VALUE_SIZE, "%s", value ? value : "");
}

VALUE(baseline)
{
    const struct result_op *null_calls = result->null_calls;

    put_text(text, !null_calls                           ? "none"
                   : strcmp(null_calls->op, "null") == 0 ? "null calls"
                                                         : null_calls->op);
}

VALUE(xprtsec)
{
    put_text(text, result->target.xprtsec ? result->target.xprtsec : "none");
}

VALUE(rate)
{
    const struct load *load = &result->config.load;

    put_text(text, "none (a closed loop)");
    if (load->rate > 0)
        snprintf(text, VALUE_SIZE, "%.12g calls/s, %s", load->rate, arrivals_names[load->arrival]);
}

VALUE(mix)
{
    const struct result_mix *mix = result->config.mix;
    size_t used;

    put_text(text, mix ? mix->name : "none");
    for (size_t i = 0; mix && i < mix->count; i++) {
        used = strlen(text);
        snprintf(text + used, VALUE_SIZE - used, "%s%.12s %u", i ? ", " : ": ", mix->ops[i].op,
                 mix->ops[i].weight);
    }
}

VALUE(read_offset)
{
    if (result->config.read_size)
        snprintf(text, VALUE_SIZE, "%" PRIu64, result->config.read_offset);
    else
        put_text(text, "");
}

/* Files from before these were written have none of them: then they can't be told apart from
 * results without a file set. */
VALUE(files)
{
    const struct result_tree *tree = result->config.tree;

    if (tree)
        snprintf(text, VALUE_SIZE, "%" PRIu64 " of the tree %.60s", tree->files,
                 tree->path ? tree->path : "?");
    else if (result->config.files)
        snprintf(text, VALUE_SIZE, "%u of %" PRIu64 " bytes", result->config.files,
                 result->config.file_size);
    else
        put_text(text, result->launch_count ? "the one found" : "");
}

VALUE(pattern)
{
    const struct result_config *config = &result->config;

    snprintf(text, VALUE_SIZE, "%s%s", config->pattern ? config->pattern : "",
             config->cold ? ", each place once" : "");
}

/* Known where the pattern is. */
VALUE(working_set)
{
    const struct result_config *config = &result->config;

    if (config->working_set_bytes)
        snprintf(text, VALUE_SIZE, "%" PRIu64 " bytes", config->working_set_bytes);
    else if (config->working_set_files)
        snprintf(text, VALUE_SIZE, "%" PRIu64 " files", config->working_set_files);
    else
        put_text(text, config->pattern ? "all" : "");
}

VALUE(directory_size)
{
    if (result->config.directory_size)
        snprintf(text, VALUE_SIZE, "%u entries", result->config.directory_size);
    else
        put_text(text, result->launch_count ? "as found" : "");
}

/* Where the local files are: their rates depend on the file system. */
VALUE(baseline_directory)
{
    const struct result_baseline_directory *directory = result->config.baseline_directory;

    put_text(text, "");
    if (directory && directory->file_system)
        snprintf(text, VALUE_SIZE, "%s%s", directory->file_system,
                 directory->direct ? " with O_DIRECT" : "");
}

static const char *const
    of_read[] = {"read", "read-local", "mix", NULL},
    *const of_write[] = {"write", "write-local", "mix", NULL},
    *const of_local[] = {"read-local",
                         "write-local",
                         "write-data-sync-local",
                         "write-file-sync-local",
                         "commit-local",
                         NULL},
    *const of_files[] = {"getattr",  "setattr",         "lookup",          "access", "read",
                         "write",    "write-data-sync", "write-file-sync", "mix",    "commit",
                         "pathconf", "read-local",      "write-local",     NULL},
    *const of_directory[] = {"lookup",  "readdir", "readdirplus", "create", "mkdir",
                             "symlink", "mknod",   "remove",      "rmdir",  "rename",
                             "link",    "mix",     NULL};

static const struct setting settings[] = {
    {"target", MEMBER(TEXT, target.text), .note = true, .before = ""},
    {"transport", MEMBER(TEXT, target.transport), .before = " over "},
    {"clock", MEMBER(TEXT, clock.name), .before = ", clock "},
    {"engine", MEMBER(TEXT, config.engine), .before = ", engine "},
    {"waiting for replies", MEMBER(FLAG, config.spin), .words = {"blocking", "spinning"},
     .before = ", "},
    {"baseline", OWN(baseline), .before = ", baseline ", .usual = "null calls"},
    {"security", MEMBER(TEXT, target.auth), .before = ", "},
    {"transport security", OWN(xprtsec), .before = ", xprtsec ", .usual = "none"},
    {"protected replies", MEMBER(FLAG, config.check_in_time),
     .words = {"verified after the call", "verified in its time"}, .before = ", replies ",
     .usual = "verified after the call"},
    {"security contexts", MEMBER(FLAG, config.load.shared_contexts),
     .words = {"of each client", "shared"}, .before = ", contexts ", .usual = "of each client"},
    {"clients", MEMBER(COUNT, config.load.clients), .before = ", clients "},
    {"connections of each", MEMBER(COUNT, config.load.connections), .otherwise = 1,
     .before = ", connections ", .usual = "1"},
    {"depth", MEMBER(COUNT, config.load.depth), .before = ", depth "},
    {"batch", MEMBER(COUNT, config.load.batch), .otherwise = 1, .before = ", batch ", .usual = "1"},
    {"rate", OWN(rate), .before = ", ", .usual = "none (a closed loop)"},
    {"ranks", MEMBER(COUNT, config.load.ranks), .otherwise = 1, .before = ", ranks ", .usual = "1"},
    {"mix", OWN(mix), .before = ", mix ", .usual = "none"},
    {"size of READ", MEMBER(COUNT, config.read_size), .unit = " bytes", .ops = of_read,
     .before = ", "},
    {"offset of READ", OWN(read_offset), .ops = of_read, .before = ", offset ", .usual = "0"},
    {"size of WRITE", MEMBER(COUNT, config.write_size), .unit = " bytes", .ops = of_write,
     .before = ", "},
    {"files", OWN(files), .ops = of_files, .before = ", files ", .usual = "the one found"},
    {"pattern", OWN(pattern), .ops = of_files, .before = ", pattern ", .usual = "same"},
    {"working set", OWN(working_set), .ops = of_files, .before = ", working set ", .usual = "all"},
    {"directory size", OWN(directory_size), .ops = of_directory, .before = ", directory of ",
     .usual = "as found"},
    {"local files", OWN(baseline_directory), .ops = of_local, .before = ", local files on "},
    {"the client's processor", MEMBER(TEXT, host.cpu), .note = true, .before = "; client "},
    {"the mount's options", MEMBER(TEXT, target.mount_options), .note = true},
    {"the client's kernel", MEMBER(TEXT, host.kernel), .note = true},
    {"version of nfsbench", MEMBER(TEXT, tool.version), .note = true},
    {"processors of the client", MEMBER(TEXT, config.client_cpus), .note = true},
    {"threads", MEMBER(COUNT, config.load.threads), .note = true},
    {"idle processors", MEMBER(FLAG, config.awake), .words = {"may sleep", "kept awake"},
     .note = true},
    {"calls sent again", MEMBER(FLAG, config.count_resent), .words = {"left out", "counted"},
     .note = true},
    {"data verified", MEMBER(FLAG, config.verify), .words = {"no", "yes"}, .note = true},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

static void find_value(const struct setting *setting, const struct result *result,
                       char text[VALUE_SIZE])
{
    const void *member = (const char *)result + setting->offset;
    uint32_t count;

    switch (setting->kind) {
    case SETTING_TEXT:
        put_text(text, *(const char *const *)member);
        return;
    case SETTING_COUNT:
        count = *(const uint32_t *)member ? *(const uint32_t *)member : setting->otherwise;
        put_text(text, "");
        if (count > 0)
            snprintf(text, VALUE_SIZE, "%" PRIu32 "%s", count, setting->unit ? setting->unit : "");
        return;
    case SETTING_FLAG:
        put_text(text, setting->words[*(const bool *)member]);
        return;
    default:
        setting->value(result, text);
    }
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

/* Do they differ? TEXT then says how. */
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

const char *settings_against(const struct result *first, const struct result *second,
                             const char *op, char *buffer, size_t size)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (!settings[i].note && matters(&settings[i], op) &&
            differ(&settings[i], first, second, buffer, size))
            return buffer;
    return NULL;
}

/* What the mix of RESULT went without ("readdirplus, access"), or NULL. */
static const char *missing_from_mix(const struct result *result)
{
    const char *less =
        result->config.mix ? strstr(result->config.mix->name, RESULT_MIX_LESS) : NULL;

    return less ? less + strlen(RESULT_MIX_LESS) : NULL;
}

static void note_mix(struct compare_pair *pair)
{
    const char *first = missing_from_mix(pair->first), *second = missing_from_mix(pair->second);

    if (!first == !second || pair->note_count == COMPARE_NOTES_MAXIMUM)
        return;
    snprintf(pair->notes[pair->note_count++], COMPARE_TEXT_SIZE,
             "the mix of %s went without %.150s, which its server lacks: the two loads differ",
             first ? "A" : "B", first ? first : second);
}

void settings_note(struct compare_pair *pair)
{
    pair->note_count = 0;
    for (size_t i = 0; i < SETTINGS && pair->note_count < COMPARE_NOTES_MAXIMUM; i++)
        if (settings[i].note && differ(&settings[i], pair->first, pair->second,
                                       pair->notes[pair->note_count], COMPARE_TEXT_SIZE))
            pair->note_count++;
    note_mix(pair);
}

/* Add what SETTING's value in RESULT is called in a series, unless it is the usual one. */
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
