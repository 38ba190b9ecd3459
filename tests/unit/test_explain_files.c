/* An explanation as JSON and trace. */
#include <jansson.h>
#include <stdlib.h>

#include "explain/prediction.h"
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

static int write_json(const void *data, FILE *out)
{
    return view_write_json(&view_explanation, data, out);
}

static void write_form(file_writer writer)
{
    free(text);
    text = explanation_written(explanation, writer);
    assert_non_null(text);
}

static void write_and_parse(file_writer writer)
{
    json_error_t error;

    write_form(writer);
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

static json_t *phase(const char *key)
{
    size_t i;
    json_t *object;

    json_array_foreach(json_object_get(root, "phases"), i,
                       object) if (strcmp(string(object, "key"), key) == 0) return object;
    fail_msg("no phase %s", key);
    return NULL;
}

/* JSON */

static void test_json(void **state)
{
    double sum = 0;
    size_t i;
    json_t *object;

    explanation_sample_fill(&sample, &phase_view_both, 400);
    sample.phases.failed = 2;
    write_and_parse(write_json);
    assert_string_equal(string(root, "schema"), "nfsbench-result/2");
    assert_string_equal(string(root, "proto"), "tcp");
    assert_string_equal(string(root, "view"), "both");
    assert_near(number(root, "explained"), 400, 0);
    assert_near(number(json_object_get(root, "left_out"), "failed"), 2, 0);
    assert_near(number(json_object_get(json_object_get(root, "stamps"), "cost_ns"), "estimate"),
                231, 0);
    assert_true(json_is_null(json_object_get(root, "server_missing")));
    assert_null(json_object_get(root, "cut_short_by"));
    json_array_foreach(json_object_get(root, "phases"), i, object)
    {
        sum += number(object, "adjusted_ns");
        assert_true(number(object, "min_ns") <= number(object, "p50_ns"));
        assert_true(number(object, "p50_ns") <= number(object, "p99_ns"));
        assert_true(number(object, "p99_ns") <= number(object, "max_ns"));
        assert_null(json_object_get(object, "second"));
    }
    assert_near(sum, number(root, "sum_ns"), 1e-3);
    assert_near(number(phase("server-wake"), "calls"), 300, 0);
    assert_string_equal(string(phase("client-run"), "kind"), "queueing");
    assert_true(json_is_null(json_object_get(phase("client-run"), "share_of_client")));
}

/* The phases of each example add up to its lifetime, except for the time that no phase covers. */
static void test_json_calls(void **state)
{
    size_t i;
    json_t *object, *value;
    const char *key;

    explanation_sample_fill(&sample, &phase_view_joined, 50);
    write_and_parse(write_json);
    assert_int_equal(json_array_size(json_object_get(root, "examples")), 3);
    json_array_foreach(json_object_get(root, "examples"), i, object)
    {
        double sum = 0;

        json_object_foreach(json_object_get(object, "phases_ns"), key, value) sum +=
            json_number_value(value);
        assert_near(sum + 40, number(object, "lifetime_ns"), 1e-3);
    }
    assert_true(number(json_object_get(phase("network"), "second"), "mean_ns") > 0);
    object = json_object_get(root, "slow");
    assert_near(number(object, "total"), 10, 0);
    object = json_array_get(json_object_get(object, "calls"), 0);
    assert_string_equal(string(object, "longest"),
                        explanation->rows[explanation->row_count - 2].type->key);
    assert_int_equal(json_array_size(json_object_get(object, "notes")), 2);
}

static void test_json_of_predictions(void **state)
{
    static struct predictions predictions = {.count = 2};

    explanation_sample_fill(&sample, &phase_view_client, 50);
    write_and_parse(write_json);
    assert_null(json_object_get(root, "predicted_unmeasured"));
    predictions.list[0] = (struct prediction){explanation->rows[1].type, 1, 2, NAN};
    predictions.list[1] = (struct prediction){phase_view_both.phases[9], 0, 1, NAN};
    explain_predict(explanation, &predictions);
    write_and_parse(write_json);
    assert_true(
        json_is_false(json_object_get(json_object_get(phase("send"), "predicted"), "holds")));
    assert_null(json_object_get(phase("encode"), "predicted"));
    assert_int_equal(json_array_size(json_object_get(root, "predicted_unmeasured")), 1);
}

static void test_json_of_no_calls(void **state)
{
    explanation_sample_fill(&sample, &phase_view_client, 0);
    explanation->has_stamping = false;
    explanation->slow_count = 0;
    explanation->example_count = 0;
    explanation->unstamped_mean = NAN;
    explanation->slow_beyond = NAN;
    write_and_parse(write_json);
    assert_int_equal(json_array_size(json_object_get(root, "phases")), 0);
    assert_true(
        json_is_null(json_object_get(json_object_get(root, "stamps"), "unstamped_mean_ns")));
    assert_true(json_is_null(json_object_get(json_object_get(root, "stamps"), "cost_ns")));
}

/* The trace */

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
        write_and_parse(explain_write_trace);
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
    write_and_parse(explain_write_trace);
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
        TEST(test_json),
        TEST(test_json_calls),
        TEST(test_json_of_predictions),
        TEST(test_json_of_no_calls),
        TEST(test_trace),
        TEST(test_trace_is_in_microseconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
