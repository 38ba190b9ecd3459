/* An explanation as a trace; tests/golden has its other forms. */
#include <jansson.h>
#include <stdlib.h>

#include "explanation_sample.h"
#include "test.h"

static struct explanation_sample sample;
static struct explanation *const explanation = &sample.explanation;
static char *text;
static json_t *root;

static int forget(void **state)
{
    free(text);
    text = NULL;
    json_decref(root);
    root = NULL;
    return 0;
}

static void write_trace(void)
{
    json_error_t error;

    free(text);
    text = explanation_written(explanation, explain_write_trace);
    assert_non_null(text);
    json_decref(root);
    root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("line %d: %s", error.line, error.text);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value))
        fail_msg("%s is no number", key);
    return json_number_value(value);
}

static const char *string(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    if (!value)
        fail_msg("%s is no text", key);
    return value;
}

static bool is_phase_letter(const json_t *event, const char *letter)
{
    return strcmp(string(event, "ph"), letter) == 0;
}

/* Two slices of a track follow each other, or one contains the other. */
static void check_nesting(const json_t *first, const json_t *second)
{
    double begin = number(first, "ts"), end = begin + number(first, "dur");
    double begin2 = number(second, "ts"), end2 = begin2 + number(second, "dur");
    const double precision = 1e-6; /* us */
    bool apart = end <= begin2 + precision || end2 <= begin + precision;
    bool within = (begin <= begin2 + precision && end2 <= end + precision) ||
                  (begin2 <= begin + precision && end <= end2 + precision);

    assert_true(apart || within);
}

static void check_trace_event(const json_t *events, const json_t *event)
{
    size_t i;
    json_t *other;

    number(event, "pid");
    number(event, "tid");
    if (is_phase_letter(event, "M"))
        return;
    assert_true(number(event, "ts") >= 0);
    if (!is_phase_letter(event, "X"))
        return;
    assert_true(number(event, "dur") >= 0);
    json_array_foreach(events, i, other)
    {
        if (other != event && is_phase_letter(other, "X") &&
            number(other, "pid") == number(event, "pid") &&
            number(other, "tid") == number(event, "tid"))
            check_nesting(event, other);
    }
}

/* An arrow ends in a slice of its track. */
static void check_arrow_end(const json_t *events, const json_t *end)
{
    size_t i;
    json_t *slice;
    double ts = number(end, "ts");

    json_array_foreach(events, i, slice)
    {
        if (is_phase_letter(slice, "X") && number(slice, "pid") == number(end, "pid") &&
            number(slice, "tid") == number(end, "tid") && number(slice, "ts") <= ts &&
            ts <= number(slice, "ts") + number(slice, "dur"))
            return;
    }
    fail_msg("an arrow at %g us begins or ends outside of all slices", ts);
}

static size_t count_letter(const json_t *events, const char *letter)
{
    size_t i, count = 0;
    json_t *event;

    json_array_foreach(events, i, event) count += is_phase_letter(event, letter);
    return count;
}

static void test_trace(void **state)
{
    static const struct phase_view *const views[] = {&phase_view_client, &phase_view_both,
                                                     &phase_view_joined};

    for (size_t view = 0; view < COUNT_OF(views); view++) {
        const json_t *events;
        size_t i;
        json_t *event;

        explanation_sample_fill(&sample, views[view], 10);
        write_trace();
        assert_string_equal(string(root, "displayTimeUnit"), "ns");
        events = json_object_get(root, "traceEvents");
        json_array_foreach(events, i, event)
        {
            check_trace_event(events, event);
            if (is_phase_letter(event, "s") || is_phase_letter(event, "f"))
                check_arrow_end(events, event);
        }
        assert_true(count_letter(events, "s") >= 2 * EXPLAIN_EXAMPLES);
        assert_int_equal(count_letter(events, "s"), count_letter(events, "f"));
    }
}

/* The phases of an example, in us, equal those of the call. */
static void test_trace_is_in_microseconds(void **state)
{
    double ns[PHASES_MAXIMUM], sum = 0, expected = 0;
    size_t i, count = 0;
    json_t *event;

    explanation_sample_fill(&sample, &phase_view_both, 10);
    explanation->example_count = 1;
    phases_of_call(&phase_view_both, &explanation->examples[0].times, ns);
    for (size_t j = 0; j < phase_view_both.count; j++)
        expected += isnan(ns[j]) ? 0 : ns[j] / 1000;
    write_trace();
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        if (!is_phase_letter(event, "X") || number(event, "tid") == 4)
            continue; /* tid 4: send() */
        if (strcmp(string(event, "cat"), "call") == 0) {
            assert_near(number(event, "dur"), expected, 1e-6);
            continue;
        }
        sum += number(event, "dur");
        count++;
        assert_near(number(json_object_get(event, "args"), "us"), number(event, "dur"), 1e-9);
    }
    assert_near(sum, expected, 1e-6);
    assert_int_equal(count, 15);
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_trace),
        TEST(test_trace_is_in_microseconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
