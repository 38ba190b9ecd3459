/* Fields of the laws: how figures depend on concurrency, size and delay. */
#include "experiment/experiment_parts.h"

/* Concurrency */

#define LAW(member) FIELD_AT(struct scalability, member)

static const struct field law_fields[] = {
    {"lambda", FIELD_INTERVAL, LAW(lambda)},
    {"sigma", FIELD_INTERVAL, LAW(sigma)},
    {"kappa", FIELD_INTERVAL, LAW(kappa)},
    {"peak_concurrency", FIELD_INTERVAL, LAW(peak_concurrency)},
    {"peak_throughput", FIELD_INTERVAL, LAW(peak_throughput)},
    {"peak_beyond", FIELD_FLAG, LAW(peak_beyond)},
    {"r_squared", FIELD_NUMBER, LAW(r_squared)},
    {"residual_largest", FIELD_NUMBER, LAW(residual_largest)},
    {"residual_concurrency", FIELD_QUANTITY, LAW(residual_concurrency), FIELD_OR_NAN},
    FIELD_END,
};

#define KNEE(member) FIELD_AT(struct knee, member)

static const struct field knee_fields[] = {
    {"concurrency", FIELD_INTERVAL, KNEE(concurrency)},
    {"throughput_maximum", FIELD_INTERVAL, KNEE(throughput_maximum)},
    {"response_minimum_ns", FIELD_INTERVAL, KNEE(response_minimum)},
    {"lower_bound", FIELD_FLAG, KNEE(lower_bound)},
    FIELD_END,
};

#define SCALING(member) FIELD_AT(struct experiment_scaling, member)

const struct field scaling_fields[] = {
    {"op", FIELD_WORD, SCALING(op), FIELD_NAME},
    {"variant", FIELD_TEXT, SCALING(variant), FIELD_OR_NULL | FIELD_KEY},
    {"size", FIELD_COUNT, SCALING(size), FIELD_KEY},
    {"law", FIELD_OBJECT, SCALING(law), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct experiment_scaling, has_law), .fields = law_fields},
    {"law_missing", FIELD_BUFFER, SCALING(missing), FIELD_OR_NONE},
    {"knee", FIELD_OBJECT, SCALING(knee), FIELD_SETS_IF,
     FIELD_IF(struct experiment_scaling, has_knee), .fields = knee_fields},
    FIELD_END,
};

/* Size */

#define PIECE(member) FIELD_AT(struct piecewise_piece, member)

static const struct field piece_fields[] = {
    {"first", FIELD_QUANTITY, PIECE(first)},
    {"last", FIELD_QUANTITY, PIECE(last)},
    {"fixed_ns", FIELD_INTERVAL, PIECE(fixed_ns), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct piecewise_piece, fixed_known)},
    {"ns_per_byte", FIELD_INTERVAL, PIECE(ns_per_byte), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct piecewise_piece, slope_known)},
    {"misfit_ns", FIELD_NUMBER, PIECE(misfit_ns)},
    FIELD_END,
};

#define BREAK(member) FIELD_AT(struct piecewise_break, member)

static const struct field break_fields[] = {
    {"size", FIELD_INTERVAL, BREAK(size)},
    {"next", FIELD_QUANTITY, BREAK(next)},
    {"jump_ns", FIELD_INTERVAL, BREAK(jump_ns)},
    FIELD_END,
};

static void check_pieces(struct json_reader *reader, const json_t *from, void *object)
{
    const struct experiment_sizes *sizes = object;

    if (sizes->piece_count != sizes->cost.breaks + (sizes->piece_count > 0))
        json_refuse(reader, " has breaks that are not between its pieces");
}

static const char *const basis_keys[] = {"typical", "above-null", "above-reference", NULL};
static const char *const bases[] = {"typical time", "cost above null", "cost above the reference",
                                    NULL};

#define SIZES(member)               FIELD_AT(struct experiment_sizes, member)
#define OF_SIZES(member, count, to) FIELD_ITEMS(struct experiment_sizes, member, count, to)

const struct field sizes_fields[] = {
    {"op", FIELD_WORD, SIZES(op), FIELD_NAME},
    {"variant", FIELD_TEXT, SIZES(variant), FIELD_OR_NULL | FIELD_KEY},
    {"clients", FIELD_COUNT, SIZES(clients), FIELD_KEY},
    {"depth", FIELD_COUNT, SIZES(depth), FIELD_KEY},
    {"basis", FIELD_CHOICE, SIZES(basis), .names = basis_keys},
    {"what", FIELD_CHOICE, SIZES(basis), FIELD_SHOWN, .names = bases},
    {"breaks", FIELD_ARRAY, OF_SIZES(cost.at, cost.breaks, break_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM},
    {"pieces", FIELD_ARRAY, OF_SIZES(cost.piece, piece_count, piece_fields),
     .maximum = PIECEWISE_BREAKS_MAXIMUM + 1},
    {NULL, FIELD_OWN, .read = check_pieces},
    {"missing", FIELD_BUFFER, SIZES(missing), FIELD_OR_NONE},
    {"residual_largest", FIELD_NUMBER, SIZES(cost.residual_largest), FIELD_SHOWN,
     FIELD_IF(struct experiment_sizes, piece_count)},
    {"residual_size", FIELD_NUMBER, SIZES(cost.residual_size), FIELD_SHOWN},
    FIELD_END,
};

#define DELAY(member) FIELD_AT(struct experiment_delay, member)

const struct field delay_fields[] = {
    {"op", FIELD_WORD, DELAY(op), FIELD_NAME},
    {"clients", FIELD_COUNT, DELAY(setting.clients), FIELD_KEY},
    {"depth", FIELD_COUNT, DELAY(setting.depth), FIELD_KEY},
    {"size", FIELD_COUNT, DELAY(setting.size), FIELD_OR_NULL | FIELD_KEY},
    {"round_trips", FIELD_INTERVAL, DELAY(effect.round_trips)},
    {"least_delay_ns", FIELD_QUANTITY, DELAY(effect.least_ns)},
    {"most_delay_ns", FIELD_QUANTITY, DELAY(effect.most_ns)},
    {"half_rate_delay_ns", FIELD_INTERVAL, DELAY(effect.half_ns), FIELD_OR_NAN},
    FIELD_END,
};
