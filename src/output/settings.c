#include "output/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_SIZE = 80 };

/* A setting: its value as text, "" where it is not known; and the ops that it matters for (NULL:
 * all), or whether it is only a note. */
struct setting {
    const char *name;
    void (*value)(const struct result *result, char *text);
    const char *const *ops;
    bool note;
};

#define VALUE(name) static void value_of_##name(const struct result *result, char text[VALUE_SIZE])

static void put_text(char *text, const char *value)
{
    snprintf(text, VALUE_SIZE, "%s", value ? value : "");
}

/* A number of which 0 is none known. */
static void put_count(char *text, uint64_t value, const char *unit)
{
    if (value > 0)
        snprintf(text, VALUE_SIZE, "%" PRIu64 "%s", value, unit);
    else
        put_text(text, "");
}

VALUE(transport)
{
    put_text(text, result->target.transport);
}

VALUE(engine)
{
    put_text(text, result->config.engine);
}

VALUE(clock)
{
    put_text(text, result->clock.name);
}

VALUE(security)
{
    put_text(text, result->target.auth);
}

VALUE(waiting)
{
    put_text(text, result->config.spin ? "spinning" : "blocking");
}

VALUE(baseline)
{
    put_text(text, result->null_calls ? "null calls" : "none");
}

VALUE(clients)
{
    put_count(text, result->config.load.clients, "");
}

VALUE(connections)
{
    put_count(text, result->config.load.connections ? result->config.load.connections : 1, "");
}

VALUE(depth)
{
    put_count(text, result->config.load.depth, "");
}

VALUE(batch)
{
    put_count(text, result->config.load.batch ? result->config.load.batch : 1, "");
}

VALUE(rate)
{
    const struct load *load = &result->config.load;

    if (load->rate > 0)
        snprintf(text, VALUE_SIZE, "%.6g calls/s, %s", load->rate,
                 load->arrival == ARRIVALS_POISSON ? "poisson" : "constant");
    else
        put_text(text, "none (a closed loop)");
}

VALUE(ranks)
{
    put_count(text, result->config.load.ranks ? result->config.load.ranks : 1, "");
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

VALUE(read_size)
{
    put_count(text, result->config.read_size, " bytes");
}

VALUE(read_offset)
{
    if (result->config.read_size)
        snprintf(text, VALUE_SIZE, "%" PRIu64, result->config.read_offset);
    else
        put_text(text, "");
}

VALUE(write_size)
{
    put_count(text, result->config.write_size, " bytes");
}

/* Files from before these were written have none of them: then they can't be told apart from
 * results without a file set. */
VALUE(files)
{
    if (result->config.files)
        snprintf(text, VALUE_SIZE, "%u of %" PRIu64 " bytes", result->config.files,
                 result->config.file_size);
    else
        put_text(text, result->launch_count ? "the one found" : "");
}

VALUE(directory_size)
{
    if (result->config.directory_size)
        snprintf(text, VALUE_SIZE, "%u entries", result->config.directory_size);
    else
        put_text(text, result->launch_count ? "as found" : "");
}

VALUE(target)
{
    put_text(text, result->target.text);
}

VALUE(cpu)
{
    put_text(text, result->host.cpu);
}

VALUE(kernel)
{
    put_text(text, result->host.kernel);
}

VALUE(version)
{
    put_text(text, result->tool.version);
}

VALUE(client_cpus)
{
    put_text(text, result->config.client_cpus);
}

VALUE(threads)
{
    put_count(text, result->config.load.threads, "");
}

VALUE(awake)
{
    put_text(text, result->config.awake ? "kept awake" : "may sleep");
}

VALUE(verify)
{
    put_text(text, result->config.verify ? "yes" : "no");
}

static const char *const of_read[] = {"read", "mix", NULL},
                         *const of_write[] = {"write", "mix", NULL},
                         *const of_files[] = {"getattr", "setattr", "lookup", "access",   "read",
                                              "write",   "mix",     "commit", "pathconf", NULL},
                         *const of_directory[] = {"lookup", "readdir", "readdirplus", "create",
                                                  "mkdir",  "symlink", "mknod",       "remove",
                                                  "rmdir",  "rename",  "link",        "mix",
                                                  NULL};

static const struct setting settings[] = {
    {"transport", value_of_transport, NULL, false},
    {"clock", value_of_clock, NULL, false},
    {"engine", value_of_engine, NULL, false},
    {"waiting for replies", value_of_waiting, NULL, false},
    {"baseline", value_of_baseline, NULL, false},
    {"security", value_of_security, NULL, false},
    {"clients", value_of_clients, NULL, false},
    {"connections of each", value_of_connections, NULL, false},
    {"depth", value_of_depth, NULL, false},
    {"batch", value_of_batch, NULL, false},
    {"rate", value_of_rate, NULL, false},
    {"ranks", value_of_ranks, NULL, false},
    {"mix", value_of_mix, NULL, false},
    {"size of READ", value_of_read_size, of_read, false},
    {"offset of READ", value_of_read_offset, of_read, false},
    {"size of WRITE", value_of_write_size, of_write, false},
    {"files", value_of_files, of_files, false},
    {"directory size", value_of_directory_size, of_directory, false},
    {"target", value_of_target, NULL, true},
    {"the client's processor", value_of_cpu, NULL, true},
    {"the client's kernel", value_of_kernel, NULL, true},
    {"version of nfsbench", value_of_version, NULL, true},
    {"processors of the client", value_of_client_cpus, NULL, true},
    {"threads", value_of_threads, NULL, true},
    {"idle processors", value_of_awake, NULL, true},
    {"data verified", value_of_verify, NULL, true},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

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

    setting->value(first, values[0]);
    setting->value(second, values[1]);
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

void settings_note(struct compare_pair *pair)
{
    pair->note_count = 0;
    for (size_t i = 0; i < SETTINGS && pair->note_count < COMPARE_NOTES_MAXIMUM; i++)
        if (settings[i].note && differ(&settings[i], pair->first, pair->second,
                                       pair->notes[pair->note_count], COMPARE_TEXT_SIZE))
            pair->note_count++;
}
