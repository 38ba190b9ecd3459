#include "common/pattern.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

enum { EXPONENT_MAXIMUM = 10, FEISTEL_ROUNDS = 6 };

static const char *const names[] = {
    [PATTERN_SAME] = "same", [PATTERN_SEQUENTIAL] = "sequential", [PATTERN_RANDOM] = "random",
    [PATTERN_ZIPF] = "zipf", [PATTERN_STRIDE] = "stride",
};

enum { KINDS = sizeof names / sizeof names[0] };

static int parse_exponent(const char *text, double *exponent)
{
    char *end;

    *exponent = strtod(text, &end);
    return end != text && !*end && *exponent > 0 && *exponent <= EXPONENT_MAXIMUM ? 0 : -EINVAL;
}

static int parse_stride(const char *text, uint64_t *stride)
{
    return units_parse_count(text, stride) == 0 && *stride > 0 ? 0 : -EINVAL;
}

int pattern_parse(const char *text, struct pattern *pattern)
{
    size_t length = strcspn(text, ":");
    const char *value = text[length] ? text + length + 1 : NULL;
    unsigned kind = 0;

    while (kind < KINDS &&
           (strlen(names[kind]) != length || strncmp(names[kind], text, length) != 0))
        kind++;
    *pattern = (struct pattern){.kind = kind};
    if (kind == PATTERN_ZIPF)
        return value ? parse_exponent(value, &pattern->exponent) : -EINVAL;
    if (kind == PATTERN_STRIDE)
        return value ? parse_stride(value, &pattern->stride) : -EINVAL;
    return kind < KINDS && !value ? 0 : -EINVAL;
}

bool pattern_can_use_places_once(const struct pattern *pattern)
{
    return pattern->kind != PATTERN_SAME && pattern->kind != PATTERN_ZIPF;
}

const char *pattern_name(const struct pattern *pattern, char name[PATTERN_NAME_SIZE])
{
    const char *kind = names[pattern->kind];

    if (pattern->kind == PATTERN_ZIPF)
        snprintf(name, PATTERN_NAME_SIZE, "%s:%g", kind, pattern->exponent);
    else if (pattern->kind == PATTERN_STRIDE)
        snprintf(name, PATTERN_NAME_SIZE, "%s:%llu", kind, (unsigned long long)pattern->stride);
    else
        snprintf(name, PATTERN_NAME_SIZE, "%s", kind);
    return name;
}

static void permutation_begin(struct pattern_permutation *permutation, uint64_t count, uint64_t key)
{
    unsigned bits = count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0;

    *permutation = (struct pattern_permutation){
        .count = count, .key = key, .half_bits = bits > 2 ? (bits + 1) / 2 : 1};
}

static uint64_t apply_feistel(const struct pattern_permutation *permutation, uint64_t number)
{
    unsigned bits = permutation->half_bits;
    uint64_t mask = (UINT64_C(1) << bits) - 1, left = number >> bits, right = number & mask;

    for (uint64_t round = 0; round < FEISTEL_ROUNDS; round++) {
        uint64_t mixed = left ^ (random_mix(permutation->key + (round << 56) + right) & mask);

        left = right;
        right = mixed;
    }
    return left << bits | right;
}

static uint64_t permute(const struct pattern_permutation *permutation, uint64_t number)
{
    do
        number = apply_feistel(permutation, number);
    while (number >= permutation->count);
    return number;
}

void pattern_begin(struct pattern_order *order, const struct pattern *pattern, uint64_t count,
                   uint64_t seed, bool once)
{
    *order = (struct pattern_order){.pattern = *pattern, .count = count, .once = once};
    random_seed(&order->random, seed);
    permutation_begin(&order->permutation, count, random_next(&order->random));
    if (pattern->kind == PATTERN_ZIPF)
        random_zipf_begin(&order->zipf, count, pattern->exponent);
}

static uint64_t next_sequential(struct pattern_order *order)
{
    uint64_t place = order->next++;

    if (order->next == order->count)
        order->next = 0;
    return place;
}

static uint64_t next_stride(struct pattern_order *order)
{
    uint64_t place = order->next, stride = order->pattern.stride;

    if (order->count - place > stride) {
        order->next = place + stride;
        return place;
    }
    order->lane++;
    if (order->lane == stride || order->lane == order->count)
        order->lane = 0;
    order->next = order->lane;
    return place;
}

uint64_t pattern_next(struct pattern_order *order)
{
    switch (order->pattern.kind) {
    case PATTERN_SEQUENTIAL:
        return next_sequential(order);
    case PATTERN_RANDOM:
        return order->once ? permute(&order->permutation, next_sequential(order))
                           : random_below_64(&order->random, order->count);
    case PATTERN_ZIPF:
        return permute(&order->permutation, random_zipf_next(&order->zipf, &order->random) - 1);
    case PATTERN_STRIDE:
        return next_stride(order);
    default:
        return 0;
    }
}
