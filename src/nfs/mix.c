#include "nfs/mix.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/input.h"

/* The mixes of SPEC's file server benchmarks, in per cent, from M. Eisler, "More on SPEC SFS 2008"
 * (April 2008). As published, the weights of sfs3 add up to 99, because they are rounded. WRITE is
 * UNSTABLE here and CREATE is UNCHECKED. */
static const struct {
    const char *name, *text;
} built_in[] = {
    {"sfs2008", "lookup 24\nread 18\nwrite 10\ngetattr 26\nreadlink 1\nreaddir 1\ncreate 1\n"
                "remove 1\nfsstat 1\nsetattr 4\nreaddirplus 2\naccess 11\n"},
    {"sfs3", "lookup 27\nread 18\nwrite 9\ngetattr 11\nreadlink 7\nreaddir 2\ncreate 1\n"
             "remove 1\nfsstat 1\nsetattr 1\nreaddirplus 9\naccess 7\ncommit 5\n"},
};

const char *nfs_mix_name_at(size_t index)
{
    return index < sizeof built_in / sizeof built_in[0] ? built_in[index].name : NULL;
}

/* Return the index of OP in MIX; MIX's count if OP is not in it. */
static size_t find_op(const struct nfs_mix *mix, const char *op)
{
    size_t i = 0;

    while (i < mix->count && strcmp(mix->ops[i].procedure->op, op) != 0)
        i++;
    return i;
}

const char *nfs_mix_add(struct nfs_mix *mix, const struct nfs_procedure *procedure, unsigned weight)
{
    if (weight == 0 || weight > NFS_MIX_WEIGHT_MAXIMUM)
        return "expected an op and its weight, 1 to 1000000";
    if (!procedure || procedure->rpc.program != NFS_PROGRAM ||
        procedure->rpc.number == NFSPROC3_NULL)
        return "the op is not an NFS op, or it is null; see --help";
    if (procedure->sequence)
        return "the op is several calls, and a mix has single calls";
    if (find_op(mix, procedure->op) < mix->count)
        return "the op occurs twice";
    if (mix->count == NFS_MIX_OPS_MAXIMUM)
        return "a mix can't have more ops";
    mix->ops[mix->count].procedure = procedure;
    mix->ops[mix->count++].weight = weight;
    return NULL;
}

/* Add the op of LINE to MIX. LINE is "op weight" or empty, and may end with a comment after #. */
static int parse_line(struct nfs_mix *mix, const char *name, unsigned number, char *line,
                      struct error *error)
{
    char op[64], more[2];
    const char *refusal;
    unsigned weight = 0;
    int words;

    line[strcspn(line, "#")] = '\0';
    words = sscanf(line, "%63s %7u %1s", op, &weight, more);
    if (words <= 0)
        return 0;
    refusal = nfs_mix_add(mix, nfs_procedure_find(op), words == 2 ? weight : 0);
    return refusal ? error_set(error, ERROR_USAGE, -EINVAL, "mix:%.200s, line %u, '%.60s': %s",
                               name, number, line, refusal)
                   : 0;
}

static int parse_mix(struct nfs_mix *mix, const char *name, char *text, struct error *error)
{
    char *line;
    int code = 0;

    *mix = (struct nfs_mix){.count = 0};
    if (text[strspn(text, " \t\r\n")] == '{')
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "mix:%.200s is a captured workload, or other JSON; measure a workload by "
                         "'nfsbench TARGET mix:FILE [COUNT]' without --vary",
                         name);
    for (unsigned number = 1; code == 0 && (line = strsep(&text, "\n")); number++)
        code = parse_line(mix, name, number, line, error);
    if (code == 0 && mix->count == 0)
        code = error_set(error, ERROR_USAGE, -EINVAL, "mix:%.200s has no ops", name);
    return code;
}

/* Return the allocated lines of a built-in mix NAME, or of a mix whose ops NAME lists
 * ("read=70,write=30"). Returns NULL for any other name, or if out of memory. */
static char *known_mix(const char *name)
{
    char *text;

    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        if (strcmp(built_in[i].name, name) == 0)
            return strdup(built_in[i].text);
    if (!strchr(name, '=') || strchr(name, '/'))
        return NULL;
    text = strdup(name);
    for (char *at = text; at && *at; at++)
        *at = *at == ',' ? '\n' : *at == '=' ? ' ' : *at;
    return text;
}

static int read_mix(const char *name, char **text, struct error *error)
{
    struct input input;
    char called[220];
    int code;

    *text = known_mix(name);
    if (*text)
        return 0;
    snprintf(called, sizeof called, "mix:%.200s", name);
    code = input_read(&input, name, called, INPUT_LINES_MAXIMUM, error);
    *text = input.text;
    return code != -ENOENT ? code
                           : error_set(error, ERROR_USAGE, code,
                                       "%s: %s; built in are mix:sfs2008 and mix:sfs3", called,
                                       strerror(-code));
}

int nfs_mix_load(struct nfs_mix *mix, const char *name, struct error *error)
{
    char *text = NULL;
    int code = read_mix(name, &text, error);

    if (code == 0)
        code = parse_mix(mix, name, text, error);
    free(text);
    return code;
}

/* Return the index of the op whose element of SHARES is farthest below CALLS * weight / TOTAL.
 * TOTAL is the sum of all weights. */
static size_t most_due(const struct nfs_mix *mix, uint32_t calls, double total,
                       const uint32_t *shares)
{
    double most = -INFINITY;
    size_t found = 0;

    for (size_t i = 0; i < mix->count; i++) {
        double due = calls * (mix->ops[i].weight / total) - shares[i];

        if (due <= most)
            continue;
        most = due;
        found = i;
    }
    return found;
}

uint32_t nfs_mix_divide(const struct nfs_mix *mix, uint32_t calls,
                        uint32_t shares[NFS_MIX_OPS_MAXIMUM])
{
    double total = 0;
    uint32_t sum = 0;

    for (size_t i = 0; i < mix->count; i++)
        total += mix->ops[i].weight;
    for (size_t i = 0; i < mix->count; i++) {
        double share = floor(calls * mix->ops[i].weight / total);

        shares[i] = share < 1 ? 1 : (uint32_t)share;
        sum += shares[i];
    }
    for (; mix->count > 0 && sum < calls; sum++)
        shares[most_due(mix, calls, total, shares)]++;
    return sum;
}

void nfs_mix_remove(struct nfs_mix *mix, const char *op)
{
    size_t at = find_op(mix, op), later;

    if (at == mix->count)
        return;
    later = --mix->count - at;
    memmove(&mix->ops[at], &mix->ops[at + 1], later * sizeof mix->ops[0]);
    memmove(mix->after[at], mix->after[at + 1], later * sizeof mix->after[0]);
    for (size_t i = 0; i < mix->count; i++)
        memmove(&mix->after[i][at], &mix->after[i][at + 1], later * sizeof mix->after[0][0]);
    append_item(mix->missing, sizeof mix->missing, "%s", op);
}
