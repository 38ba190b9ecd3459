#include "explain/explain_judge.h"

#include <math.h>
#include <string.h>

static bool is_for_processor(const struct phase_type *type)
{
    static const char *const keys[] = {"server-run", "reader-run", "worker-run", "client-run"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(type->key, keys[i]) == 0)
            return true;
    return false;
}

/* The share of the lifetime in which a processor was waited for. */
static double waiting(const struct explanation *explanation)
{
    double share = 0;

    for (size_t i = 0; i < explanation->row_count; i++)
        if (is_for_processor(explanation->rows[i].type))
            share += explanation->rows[i].share;
    return share;
}

static void observe(struct validity_phases *evidence, const struct explanation *op)
{
    const struct phases *phases = op->phases;
    double off_ns = fabs(op->discrepancy) * phases->lifetime.mean;
    double share = waiting(op);

    if (!evidence->op || share > evidence->waiting) {
        evidence->op = op->op;
        evidence->waiting = share;
    }
    /* What failed or was sent again is judged already. */
    evidence->explained += phases->lifetime.count;
    evidence->calls += phases->lifetime.count + phases->incomplete + phases->out_of_order;
    if (off_ns > VALIDITY_READINGS_NS)
        evidence->discrepancy = fmax(evidence->discrepancy, fabs(op->discrepancy));
}

int explain_judge(struct explanation *ops, size_t count, struct outcome *outcome,
                  const struct session *session, struct error *error)
{
    struct validity_phases evidence = {.op = NULL};
    int code = outcome_fill(outcome, session, ops[0].cut_short_by, error);

    if (code)
        return code;
    for (size_t i = 0; i < count; i++)
        observe(&evidence, &ops[i]);
    validity_judge_phases(&outcome->result.validity, &evidence);
    for (size_t i = 0; i < count; i++)
        ops[i].validity = &outcome->result.validity;
    return 0;
}
