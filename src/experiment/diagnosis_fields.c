/* Fields of a diagnosis: what limits the cells of a curve. */
#include "common/counted.h"
#include "experiment/experiment_parts.h"

#define TRIAL(member) FIELD_AT(struct bottleneck_trials, member)

static const struct field trial_fields[] = {
    {"size_elasticity", FIELD_NUMBER, TRIAL(size_elasticity), FIELD_OR_NAN},
    {"connections", FIELD_QUANTITY, TRIAL(connections), FIELD_OR_NAN},
    {"connections_ratio", FIELD_QUANTITY, TRIAL(connections_ratio), FIELD_OR_NAN},
    {"null_alone_ns", FIELD_QUANTITY, TRIAL(null_alone_ns), FIELD_OR_NAN},
    {"null_under_load_ns", FIELD_QUANTITY, TRIAL(null_under_load_ns), FIELD_OR_NAN},
    {"pause_ratio", FIELD_QUANTITY, TRIAL(pause_ratio), FIELD_OR_NAN},
    {"unstable_ratio", FIELD_QUANTITY, TRIAL(unstable_ratio), FIELD_OR_NAN},
    FIELD_END,
};

static bool same_limit(const struct experiment_diagnosis *a, const struct experiment_diagnosis *b)
{
    return same_text(a->op, b->op) && same_text(a->variant, b->variant) &&
           a->answer.limit == b->answer.limit;
}

/* Return the name of the cells that have the limit of OBJECT, a diagnosis: "read 64Ki, krb5p, depth
 * 64 and 3 other sizes". Diagnoses of sizes with the same limit share one line: the name is
 * returned for the last of these diagnoses, NULL for the other ones. */
static const char *limited_cells(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct experiment_diagnosis *diagnosis = object;
    const struct experiment_diagnosis *each = experiment->diagnoses;
    const struct experiment_cell cell = {
        .op = diagnosis->op, .variant = diagnosis->variant, .setting = diagnosis->at};
    size_t others = 0;

    for (; each < experiment->diagnoses + experiment->diagnosis_count; each++) {
        if (each > diagnosis && same_limit(each, diagnosis))
            return NULL;
        others += each < diagnosis && same_limit(each, diagnosis);
    }
    cell_label(experiment, &cell, true, room);
    if (others > 0)
        field_append(room, " and %s", counted(others, "other size").text);
    return room;
}

#define DIAGNOSIS(member) FIELD_AT(struct experiment_diagnosis, member)

const struct field diagnosis_fields[] = {
    {"op", FIELD_WORD, DIAGNOSIS(op), FIELD_NAME},
    {"variant", FIELD_TEXT, DIAGNOSIS(variant), FIELD_OR_NULL | FIELD_KEY},
    {"of", FIELD_TEXT, .flags = FIELD_SHOWN, .text = limited_cells},
    {"clients", FIELD_COUNT, DIAGNOSIS(at.clients), FIELD_KEY},
    {"connections", FIELD_COUNT, DIAGNOSIS(at.connections)},
    {"depth", FIELD_COUNT, DIAGNOSIS(at.depth), FIELD_KEY},
    {"size", FIELD_COUNT, DIAGNOSIS(at.size), FIELD_OR_NULL | FIELD_KEY},
    {"rate_per_s", FIELD_QUANTITY, DIAGNOSIS(at.rate), FIELD_OR_NULL | FIELD_KEY},
    {"limited_by", FIELD_CHOICE, DIAGNOSIS(answer.limit), .names = bottleneck_names},
    {"phrase", FIELD_CHOICE, DIAGNOSIS(answer.limit), FIELD_SHOWN, .names = bottleneck_phrases},
    {"sureness", FIELD_CHOICE, DIAGNOSIS(answer.sureness), .names = bottleneck_sureness_names},
    {"evidence", FIELD_BUFFER, DIAGNOSIS(answer.evidence)},
    {"advice", FIELD_BUFFER, DIAGNOSIS(answer.advice)},
    {"trials", FIELD_OBJECT, DIAGNOSIS(trials), .fields = trial_fields},
    {"untried", FIELD_WORD, DIAGNOSIS(untried), FIELD_OR_NONE},
    FIELD_END,
};
