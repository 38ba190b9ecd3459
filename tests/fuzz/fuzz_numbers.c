/* Numbers in options: with units (compared with reading the same text as floating point), ranges of
 * a sweep, and the costs, delays and errors to inject. */
#include <errno.h>
#include <math.h>

#include "cli/option_values.h"
#include "common/units.h"
#include "text.h"

/* The number at the start, without what follows it. */
static void check_value(const char *text, uint64_t value, bool binary)
{
    char *unit;
    double number = strtod(text, &unit);
    double factor = number > 0 ? (double)value / number : 1;

    FUZZ_CHECK(number >= 0 && (number > 0 || value == 0));
    if (*unit == '\0' && number > 0)
        FUZZ_CHECK(fabs(factor - 1) < 1e-9);
    else if (number > 0)
        FUZZ_CHECK(factor > 1 - 1e-9 && factor < 3.7e12 && /* ns in an hour: 3.6e12 */
                   (binary || fabs(factor - round(factor)) <= 1e-15 * factor));
}

static void check_units(const char *text)
{
    uint64_t value;
    int code = units_parse_count(text, &value);

    FUZZ_CHECK(code == 0 || code == -EINVAL || code == -ERANGE);
    if (code == 0)
        check_value(text, value, true);
    /* 1.55k is a count, 1550, but no size, since 1587.2 bytes are none. */
    if (units_parse_size(text, &value) == 0)
        check_value(text, value, true);
    if (units_parse_time(text, &value) == 0)
        check_value(text, value, false);
}

static void check_range(const char *text, option_parser *parse)
{
    const struct option_entry entry = {.name = "size"};
    struct sweep_range range;
    struct error error = {.text = ""};

    if (parse(&entry, text, &range, &error) != 0) {
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
        return;
    }
    FUZZ_CHECK(range.count >= 1 && range.count <= SWEEP_VALUES_MAXIMUM);
    FUZZ_CHECK(parse == option_parse_shares || !range.percent);
    for (size_t i = 0; i < range.count; i++)
        FUZZ_CHECK(range.values[i] > 0 && range.values[i] < UINT32_MAX);
}

static bool is_probability(double value)
{
    return value >= 0 && value <= 1;
}

/* What of a policy is parsed from WORD by PARSE is a probability, or refused. */
static void check_injection(const char *word)
{
    static struct policy policy;
    const struct {
        option_parser *parse;
        void *member;
    } options[] = {{option_parse_times, policy.costs},
                   {option_parse_errors, policy.errors},
                   {option_parse_habit, &policy.habits},
                   {option_parse_probability, &policy.drop}};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct option_entry entry = {.name = "option"};
        struct error error = {.text = ""};

        policy = (struct policy){.read_only = false};
        if (options[i].parse(&entry, word, options[i].member, &error) != 0) {
            FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
            continue;
        }
        FUZZ_CHECK(is_probability(policy.drop));
        FUZZ_CHECK(policy.errors[NFSPROC3_NULL].probability == 0);
        for (size_t j = 0; j < POLICY_PROCEDURES; j++)
            FUZZ_CHECK(is_probability(policy.costs[j].probability) &&
                       is_probability(policy.errors[j].probability));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    check_units(text);
    check_range(text, option_parse_range);
    check_range(text, option_parse_sizes);
    check_range(text, option_parse_shares);
    check_injection(text);
    free(text);
    return 0;
}
