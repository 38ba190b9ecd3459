#include "cli/ops.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int add_op(struct settings *settings, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error)
{
    for (size_t i = 0; i < settings->op_count; i++)
        if (settings->ops[i] == procedure) {
            settings->from_group[i] &= from_group;
            return 0;
        }
    if (settings->op_count == SETTINGS_OPS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -E2BIG, "more than %d ops in one run",
                         SETTINGS_OPS_MAXIMUM);
    settings->ops[settings->op_count] = procedure;
    settings->from_group[settings->op_count++] = from_group;
    return 0;
}

static int add_group(struct settings *settings, bool changing_too, struct error *error)
{
    const struct nfs_procedure *procedure;
    int code = 0;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)) && code == 0; i++)
        if (!procedure->by_name_only &&
            (changing_too || (!procedure->changes && procedure->rpc.program == NFS_PROGRAM)))
            code = add_op(settings, procedure, true, error);
    return code;
}

static int refuse_op(const char *word, struct error *error)
{
    const struct nfs_procedure *procedure;
    char known[512] = "";

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++) {
        size_t used = strlen(known);

        snprintf(known + used, sizeof known - used, "%s, ", procedure->op);
    }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "unknown op '%.60s'; the ops are %sread-only, all, mix:NAME", word, known);
}

/* A mix stands alone. Its ops' bytes are not told from the server's work: the cost model's calls
 * come in blocks of their own, and not between others. */
static int parse_mix(struct settings *settings, const char *name, struct error *error)
{
    int code = nfs_mix_load(&settings->mix, name, error);

    settings->mix_name = name;
    settings->no_model = true;
    for (size_t i = 0; i < settings->mix.count && code == 0; i++)
        code = add_op(settings, settings->mix.ops[i].procedure, false, error);
    return code;
}

int ops_parse(struct settings *settings, const char *text, struct error *error)
{
    int code = 0;

    if (strncmp(text, "mix:", 4) == 0)
        return parse_mix(settings, text + 4, error);
    for (const char *at = text; code == 0;) {
        size_t length = strcspn(at, ",");
        const struct nfs_procedure *procedure;
        char word[64];

        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
        procedure = nfs_procedure_find(word);
        if (strcmp(word, "read-only") == 0 || strcmp(word, "all") == 0)
            code = add_group(settings, strcmp(word, "all") == 0, error);
        else if (procedure)
            code = add_op(settings, procedure, false, error);
        else
            return refuse_op(word, error);
        if (!at[length])
            break;
        at += length + 1;
    }
    return code;
}
