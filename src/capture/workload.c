#include "capture/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "nfs/status.h"
#include "version.h"

/* The keys with a fixed number of values, each a number that is not negative. */
static const struct {
    const char *name;
    size_t offset, count;
    const char *comment;
} keys[] = {
    {"seconds", offsetof(struct workload, seconds), 1, "captured"},
    {"clients", offsetof(struct workload, clients), 1, NULL},
    {"connections", offsetof(struct workload, connections), 1, "of all clients"},
    {"in-flight", offsetof(struct workload, in_flight), 2, "calls of a client: mean, p99"},
    {"rate", offsetof(struct workload, rate), 1, "calls per second"},
    {"burstiness", offsetof(struct workload, burstiness), 1, "1: independent of each other"},
    {"dispersion", offsetof(struct workload, dispersion), WORKLOAD_DISPERSIONS,
     "in 10 ms, 100 ms, 1 s"},
    {"think", offsetof(struct workload, think), THINK_QUANTILES,
     "us after the last reply: p10, p25, p50, p75, p90, p99"},
    {"think-calls", offsetof(struct workload, think_calls), 1, "from one such time to the next"},
    {"sequential", offsetof(struct workload, sequential), 2, "share of READs, of WRITEs"},
    {"files", offsetof(struct workload, files), 2, "how many, exponent of Zipf's law"},
    {"file-size", offsetof(struct workload, file_size), 1, "bytes"},
    {"directory", offsetof(struct workload, directory), 2, "entries: mean, most"},
    {"directories", offsetof(struct workload, directories), THINK_QUANTILES,
     "entries: p10, p25, p50, p75, p90, p99"},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static const char *const transfer_names[WORKLOAD_TRANSFERS] = {"read", "write"};

static double *values_of(struct workload *workload, size_t key)
{
    return (double *)(void *)((char *)workload + keys[key].offset);
}

/* Reading */

/* A line that is being read. */
struct reading {
    struct workload *workload;
    char *rest;
};

static char *next_word(struct reading *reading)
{
    char *word;

    do
        word = strsep(&reading->rest, " \t\r");
    while (word && !*word);
    return word;
}

static bool read_number(struct reading *reading, double *value)
{
    const char *word = next_word(reading);
    char *end;

    if (!word)
        return false;
    *value = strtod(word, &end);
    return end != word && !*end && *value >= 0 &&
           *value <= WORKLOAD_NUMBER_MAXIMUM; /* and no NAN */
}

/* The number of the op called NAME in the mix; its count: it has none. */
static size_t find_op(const struct nfs_mix *mix, const char *name)
{
    size_t i = 0;

    while (i < mix->count && strcmp(mix->ops[i].procedure->op, name) != 0)
        i++;
    return i;
}

static struct workload_op *read_op(struct reading *reading)
{
    struct workload *workload = reading->workload;
    const char *name = next_word(reading);
    size_t op = name ? find_op(&workload->mix, name) : workload->mix.count;

    return op < workload->mix.count ? &workload->ops[op] : NULL;
}

/* An op, then those that followed it, each with how often it did. */
static bool read_after(struct reading *reading)
{
    struct nfs_mix *mix = &reading->workload->mix;
    const struct workload_op *op = read_op(reading);
    const char *name;

    if (!op)
        return false;
    mix->ordered = true;
    while ((name = next_word(reading))) {
        size_t next = find_op(mix, name);

        if (next == mix->count ||
            !read_number(reading, &mix->after[op - reading->workload->ops][next]))
            return false;
    }
    return true;
}

static bool read_client(struct reading *reading)
{
    struct workload *workload = reading->workload;
    struct workload_client *client = &workload->own[workload->own_count];
    bool good =
        workload->own_count < WORKLOAD_OWN_CLIENTS_MAXIMUM &&
        read_number(reading, &client->calls) && read_number(reading, &client->connections) &&
        read_number(reading, &client->in_flight) && read_number(reading, &client->think_calls);

    for (size_t i = 0; i < THINK_QUANTILES && good; i++)
        good = read_number(reading, &client->think[i]);
    workload->own_count += good;
    return good;
}

static bool read_latency(struct reading *reading)
{
    struct workload_op *op = read_op(reading);

    return op && read_number(reading, &op->calls) && read_number(reading, &op->p50) &&
           read_number(reading, &op->p99) && read_number(reading, &op->mean);
}

/* A status by its name or number; 0: there is none. */
static int find_status(const char *name)
{
    char buffer[NFS_STATUS_NAME_SIZE], *end;
    int status = nfs_status_find(name);
    long number = strtol(name, &end, 10);

    for (int outcome = RPC_OUTCOME_PROG_UNAVAIL;
         status < 0 && outcome <= (int)RPC_OUTCOME_AUTH_ERROR; outcome++)
        if (strcmp(nfs_status_name(-outcome, buffer), name) == 0)
            return -outcome;
    if (status < 0 && !*end && number > 0 && number <= INT_MAX)
        return (int)number;
    return status < 0 ? 0 : status;
}

static bool read_error(struct reading *reading)
{
    struct workload_op *op = read_op(reading);
    const char *name = op ? next_word(reading) : NULL;
    int status = name ? find_status(name) : 0;
    double count;

    if (status == 0 || !read_number(reading, &count))
        return false;
    engine_count_errors(&op->tally, status, (uint64_t)count);
    return true;
}

static bool read_size(struct reading *reading)
{
    struct workload *workload = reading->workload;
    const char *name = next_word(reading);
    size_t transfer = 0;
    struct workload_size *size;

    while (transfer < WORKLOAD_TRANSFERS && name && strcmp(transfer_names[transfer], name) != 0)
        transfer++;
    if (!name || transfer == WORKLOAD_TRANSFERS ||
        workload->size_count[transfer] == WORKLOAD_SIZES_MAXIMUM)
        return false;
    size = &workload->sizes[transfer][workload->size_count[transfer]++];
    return read_number(reading, &size->bytes) && read_number(reading, &size->calls);
}

static bool read_file(struct reading *reading)
{
    struct workload *workload = reading->workload;
    struct workload_file *file = &workload->most_used[workload->most_used_count];
    const char *name;

    if (workload->most_used_count == WORKLOAD_FILES_MAXIMUM ||
        !read_number(reading, &file->calls) || !read_number(reading, &file->bytes))
        return false;
    name = next_word(reading);
    if (!name || strlen(name) >= sizeof file->name)
        return false;
    memcpy(file->name, name, strlen(name) + 1);
    workload->most_used_count++;
    return true;
}

static bool read_arrivals(struct reading *reading)
{
    struct workload *workload = reading->workload;

    if (!read_number(reading, &workload->interval))
        return false;
    workload->arrival_count = 0;
    while (reading->rest && reading->rest[strspn(reading->rest, " \t\r")])
        if (workload->arrival_count == WORKLOAD_INTERVALS_MAXIMUM ||
            !read_number(reading, &workload->arrivals[workload->arrival_count++]))
            return false;
    return true;
}

/* The keys with values of other forms. */
static const struct {
    const char *name;
    bool (*read)(struct reading *reading);
} other_keys[] = {{"after", read_after},      {"client", read_client}, {"latency", read_latency},
                  {"error", read_error},      {"size", read_size},     {"file", read_file},
                  {"arrivals", read_arrivals}};

static bool read_values(struct reading *reading, const char *name)
{
    for (size_t i = 0; i < sizeof other_keys / sizeof other_keys[0]; i++)
        if (strcmp(other_keys[i].name, name) == 0)
            return other_keys[i].read(reading);
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        for (size_t j = 0; j < keys[i].count; j++)
            if (!read_number(reading, values_of(reading->workload, i) + j))
                return false;
        return true;
    }
    return false;
}

/* A line of the form "key: values"; others are the mix's. */
static int read_line(struct workload *workload, const char *name, unsigned number, char *line,
                     struct error *error)
{
    struct reading reading = {workload, line};
    char *key, copy[64];

    line[strcspn(line, "#")] = '\0';
    snprintf(copy, sizeof copy, "%s", line);
    if (!strchr(line, ':'))
        return 0;
    key = strsep(&reading.rest, ":") + strspn(line, " \t");
    if (read_values(&reading, key) && !next_word(&reading))
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%.200s, line %u, '%.60s': expected a key of a workload and its values; see "
                     "FORMAT.md",
                     name, number, copy);
}

static int read_text(struct workload *workload, const char *name, char *text, struct error *error)
{
    char *mix = strdup(text), *line;
    int code = mix ? nfs_mix_parse(&workload->mix, name, mix, error)
                   : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a workload");

    free(mix);
    for (unsigned number = 1; code == 0 && (line = strsep(&text, "\n")); number++)
        code = read_line(workload, name, number, line, error);
    return code;
}

int workload_read(struct workload *workload, const char *name, struct error *error)
{
    struct input input;
    int code = input_read(&input, name, name, INPUT_LINES_MAXIMUM, error);

    *workload = (struct workload){.rate = 0};
    if (code == 0)
        code = read_text(workload, name, input.text, error);
    free(input.text);
    return code;
}

/* Writing */

static void write_ops(const struct workload *workload, FILE *out)
{
    for (size_t i = 0; i < workload->mix.count; i++)
        fprintf(out, "%s %" PRIu32 "\n", workload->mix.ops[i].procedure->op,
                workload->mix.ops[i].weight);
}

static void write_keys(const struct workload *workload, FILE *out)
{
    for (size_t i = 0; i < KEYS; i++) {
        const double *values = (const void *)((const char *)workload + keys[i].offset);

        fprintf(out, "%s:", keys[i].name);
        for (size_t j = 0; j < keys[i].count; j++)
            fprintf(out, " %.9g", values[j]);
        fprintf(out, "%s%s\n", keys[i].comment ? "  # " : "",
                keys[i].comment ? keys[i].comment : "");
    }
}

static void write_clients(const struct workload *workload, FILE *out)
{
    for (size_t i = 0; i < workload->own_count; i++) {
        const struct workload_client *client = &workload->own[i];

        fprintf(out, "client: %.9g %.9g %.9g %.9g", client->calls, client->connections,
                client->in_flight, client->think_calls);
        for (size_t j = 0; j < THINK_QUANTILES; j++)
            fprintf(out, " %.9g", client->think[j]);
        fputc('\n', out);
    }
}

static void write_order(const struct nfs_mix *mix, FILE *out)
{
    for (size_t i = 0; i < mix->count && mix->ordered; i++) {
        fprintf(out, "after: %s", mix->ops[i].procedure->op);
        for (size_t j = 0; j < mix->count; j++)
            if (mix->after[i][j] > 0)
                fprintf(out, " %s %.9g", mix->ops[j].procedure->op, mix->after[i][j]);
        fputc('\n', out);
    }
}

static void write_sizes(const struct workload *workload, FILE *out)
{
    for (size_t transfer = 0; transfer < WORKLOAD_TRANSFERS; transfer++)
        for (size_t i = 0; i < workload->size_count[transfer]; i++)
            fprintf(out, "size: %s %.9g %.9g\n", transfer_names[transfer],
                    workload->sizes[transfer][i].bytes, workload->sizes[transfer][i].calls);
}

/* By the status's name, if it has one that is a word and read again. */
static void write_error(const char *op, int status, uint64_t count, FILE *out)
{
    char buffer[NFS_STATUS_NAME_SIZE];
    const char *name = nfs_status_name(status, buffer);

    if (!strchr(name, ' ') && find_status(name) == status)
        fprintf(out, "error: %s %s %" PRIu64 "\n", op, name, count);
    else
        fprintf(out, "error: %s %d %" PRIu64 "\n", op, status, count);
}

static void write_captured(const struct workload *workload, FILE *out)
{
    for (size_t i = 0; i < workload->mix.count; i++) {
        const struct workload_op *op = &workload->ops[i];
        const char *op_name = workload->mix.ops[i].procedure->op;

        fprintf(out, "latency: %s %.9g %.9g %.9g %.9g\n", op_name, op->calls, op->p50, op->p99,
                op->mean);
        for (size_t j = 0; j < op->tally.error_kinds; j++)
            write_error(op_name, op->tally.errors[j].status, op->tally.errors[j].count, out);
    }
}

static void write_files(const struct workload *workload, FILE *out)
{
    for (size_t i = 0; i < workload->most_used_count; i++)
        fprintf(out, "file: %.9g %.9g %s\n", workload->most_used[i].calls,
                workload->most_used[i].bytes, workload->most_used[i].name);
}

static void write_arrivals(const struct workload *workload, FILE *out)
{
    fprintf(out, "arrivals: %.9g", workload->interval);
    for (size_t i = 0; i < workload->arrival_count; i++)
        fprintf(out, " %.9g", workload->arrivals[i]);
    fputc('\n', out);
}

int workload_write(const void *data, FILE *out)
{
    const struct workload *workload = data;

    fprintf(out, "# A workload, by nfsbench %s profile. The mix:\n", NFSBENCH_VERSION);
    write_ops(workload, out);
    fputs("\n# who called, how often, and what\n", out);
    write_keys(workload, out);
    fputs("# clients: calls, connections, in flight, think-calls, think\n", out);
    write_clients(workload, out);
    fputs("# an op, and which came next on its client, how often\n", out);
    write_order(&workload->mix, out);
    fputs("# transfers: bytes, calls\n", out);
    write_sizes(workload, out);
    fputs("# the files that were used most: calls, bytes, name\n", out);
    write_files(workload, out);
    fputs("# the captured server: calls, p50, p99 and mean in us\n", out);
    write_captured(workload, out);
    fputs("# seconds, and the calls in each such time\n", out);
    write_arrivals(workload, out);
    return 0;
}
