/* Fields of a measurement's verdict and ranks. */
#include <math.h>

#include "output/result/json.h"
#include "output/result/result_fields.h"

/* names of the verdicts; a missing or unknown name is read as the last */
const char *const verdict_names[] = {
    [VERDICT_OK] = "ok", [VERDICT_SUSPECT] = "suspect", [VERDICT_INVALID] = "invalid", NULL};

#define VERDICT(type, member) FIELD_AT(type, member), FIELD_OR_LAST, .names = verdict_names

#define REASON(member) FIELD_AT(struct validity_reason, member)

/* Read the name of a reason. An unknown name, from a file of another version, is kept as a text;
 * the member "reason" is then REASONS. */
static void read_name(struct json_reader *reader, const json_t *from, void *object)
{
    struct validity_reason *reason = object;

    reason->name = json_take_word(reader, from, "name");
    reason->reason = reason_find(reason->name);
}

static const struct field reason_fields[] = {
    {"name", FIELD_WORD, REASON(name), FIELD_NAME, .read = read_name},
    {"verdict", FIELD_CHOICE, VERDICT(struct validity_reason, verdict)},
    {"text", FIELD_BUFFER, REASON(text)},
    {"variant", FIELD_WORD, REASON(variant), FIELD_OR_NONE | FIELD_KEY},
    FIELD_END,
};

static const char *main_reason(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct validity *validity = object;

    (void)root;
    for (size_t i = 0; i < validity->count; i++)
        if (validity->reasons[i].verdict == validity->verdict) {
            field_print(room, "%s", validity->reasons[i].text);
            return room;
        }
    return NULL;
}

static const char *other_reasons(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct validity *validity = object;

    (void)root;
    if (validity->count < 2)
        return NULL;
    field_print(room, "%zu more reason%s", validity->count - 1, validity->count == 2 ? "" : "s");
    return room;
}

const struct field verdict_fields[] = {
    {"verdict", FIELD_CHOICE, VERDICT(struct validity, verdict)},
    {"reasons", FIELD_ARRAY, FIELD_ITEMS(struct validity, reasons, count, reason_fields),
     .maximum = VALIDITY_REASONS_MAXIMUM},
    {"verdict_number", FIELD_COUNT, FIELD_AT(struct validity, verdict), FIELD_SHOWN},
    {"main", FIELD_TEXT, .flags = FIELD_SHOWN, .text = main_reason},
    {"others", FIELD_TEXT, .flags = FIELD_SHOWN, .text = other_reasons},
    FIELD_END,
};

#define EVIDENCE(member) FIELD_AT(struct result_evidence, member)

static const struct field evidence_fields[] = {
    {"client_waited", FIELD_NUMBER, EVIDENCE(client_waited)},
    {"server_waited", FIELD_NUMBER, EVIDENCE(server_waited)},
    {"others", FIELD_NUMBER, EVIDENCE(others)},
    {"core_shared", FIELD_NUMBER, EVIDENCE(core_shared)},
    {"mean_over_median", FIELD_NUMBER, EVIDENCE(mean_over_median)},
    {"outlier_share", FIELD_NUMBER, EVIDENCE(outlier_share)},
    {"null_change", FIELD_NUMBER, EVIDENCE(null_change)},
    {"earlier_start", FIELD_WORD, EVIDENCE(earlier_start), FIELD_OR_NONE},
    FIELD_END,
};

/* Return whether the result has evidence; files of older versions have none. */
static bool has_evidence(const void *object, const void *root)
{
    const struct result *result = root;

    return !isnan(result->evidence.mean_over_median);
}

const struct field validity_fields[] = {
    {NULL, FIELD_OBJECT, FIELD_AT(struct result, validity), .fields = verdict_fields},
    {"evidence", FIELD_OBJECT, FIELD_AT(struct result, evidence), .fields = evidence_fields,
     .known = has_evidence},
    FIELD_END,
};

#define RANK_OP(member) FIELD_AT(struct result_op, member)

static const struct field rank_latency_fields[] = {
    {"mean", FIELD_QUANTITY, RANK_OP(latency.mean)},
    {"p50", FIELD_QUANTITY, RANK_OP(latency.p50)},
    {"p99", FIELD_QUANTITY, RANK_OP(latency.p99)},
    FIELD_END,
};

static const struct field rank_op_fields[] = {
    {"op", FIELD_WORD, RANK_OP(op)},
    {"calls", FIELD_COUNT, RANK_OP(calls)},
    {"timed", FIELD_COUNT, RANK_OP(timed)},
    {"failed", FIELD_COUNT, RANK_OP(failed)},
    {"rate_per_s", FIELD_QUANTITY, RANK_OP(rate_per_s)},
    {"latency_ns", FIELD_OBJECT, .fields = rank_latency_fields},
    FIELD_END,
};

static double rank_number(const void *object, const void *root)
{
    return (double)((const struct result_rank *)object - ((const struct result *)root)->ranks);
}

static json_t *rank_number_write(const void *object, const void *root)
{
    return json_count((uint64_t)rank_number(object, root));
}

#define RANK(member) FIELD_AT(struct result_rank, member)

const struct field rank_fields[] = {
    {"rank", FIELD_OWN, .write = rank_number_write, .schema = "{\"type\": \"integer\"}"},
    {"number", FIELD_COUNT, .flags = FIELD_SHOWN, .number = rank_number},
    {"host", FIELD_TEXT, RANK(host)},
    {"client_cpu_share", FIELD_NUMBER, RANK(client_cpu_share)},
    {NULL, FIELD_OBJECT, RANK(validity), .fields = verdict_fields},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct result_rank, ops, op_count, rank_op_fields),
     .maximum = RESULT_OPS_MAXIMUM},
    FIELD_END,
};
