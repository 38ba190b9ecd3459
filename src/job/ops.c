/* Parses the word of the command line that names the ops or a mix. */
#include "job/plan.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/nearest.h"

static int add_op(struct run_plan *plan, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i] == procedure) {
            if (!from_group && !plan->from_group[i])
                return error_set(error, ERROR_USAGE, -EINVAL, "'%s' is named twice; name it once",
                                 procedure->op);
            plan->from_group[i] &= from_group;
            return 0;
        }
    if (plan->op_count == RUN_PLAN_OPS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -E2BIG, "more than %d ops in one run",
                         RUN_PLAN_OPS_MAXIMUM);
    plan->ops[plan->op_count] = procedure;
    plan->from_group[plan->op_count++] = from_group;
    return 0;
}

static int add_group(struct run_plan *plan, bool changing_too, struct error *error)
{
    const struct nfs_procedure *procedure;
    int code = 0;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)) && code == 0; i++)
        if (!procedure->by_name_only &&
            (changing_too || (!procedure->changes && procedure->service == SERVICE_NFS)))
            code = add_op(plan, procedure, true, error);
    return code;
}

static const char *const op_groups[] = {"read-only", "all"};

static int refuse_op(const char *word, struct error *error)
{
    const struct nfs_procedure *procedure;
    char hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, word);
    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        nearest_offer(&nearest, procedure->op);
    for (size_t i = 0; i < sizeof op_groups / sizeof op_groups[0]; i++)
        nearest_offer(&nearest, op_groups[i]);
    return error_set(error, ERROR_USAGE, -EINVAL, "unknown op '%.60s'%s", word,
                     nearest.name ? nearest_hint(&nearest, hint) : "; see 'nfsbench help ops'");
}

/* Replace PLAN's ops by those of PLAN's mix, which is called NAME. A mix has no cost model, because
 * the model's calls are made in separate blocks and not among other calls. */
int ops_take_mix(struct run_plan *plan, const char *name, struct error *error)
{
    int code = 0;

    plan->op_count = 0;
    plan->mix_name = name;
    plan->no_model = true;
    for (size_t i = 0; i < plan->mix.count && code == 0; i++)
        code = add_op(plan, plan->mix.ops[i].procedure, true, error);
    return code;
}

static int parse_mix(struct run_plan *plan, const char *name, struct error *error)
{
    int code = nfs_mix_load(&plan->mix, name, error);

    return code ? code : ops_take_mix(plan, name, error);
}

static int parse_op(struct run_plan *plan, const char *word, struct error *error)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(word);

    if (strcmp(word, "read-only") == 0 || strcmp(word, "all") == 0)
        return add_group(plan, strcmp(word, "all") == 0, error);
    return procedure ? add_op(plan, procedure, false, error) : refuse_op(word, error);
}

int ops_parse(struct run_plan *plan, const char *text, struct error *error)
{
    int code = 0;

    if (strncasecmp(text, "mix:", 4) == 0)
        return parse_mix(plan, text + 4, error);
    for (const char *at = text; code == 0 && at;) {
        char word[64];

        option_word(&at, word, sizeof word);
        for (char *letter = word; *letter; letter++)
            *letter = (char)tolower((unsigned char)*letter);
        code = parse_op(plan, word, error);
    }
    return code;
}
