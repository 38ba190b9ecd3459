/* The states of RPCs as text and as CSV. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "states_sample.h"

static struct result_op op;
static struct result run = {.target = {.text = "/mnt", .transport = "TCP", .mount_point = "/mnt"},
                            .config = {.client_cpus = "0"},
                            .ops = &op};

static struct states_sample sample;

static int set_up(void **state)
{
    memset(&sample, 0, sizeof sample);
    return states_sample_fill(&sample, &run);
}

static int tear_down(void **state)
{
    rpc_states_close(&sample.op.rpcs);
    return 0;
}

static char *text_of(void (*print)(const struct states_result *, FILE *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    print(&sample.result, out);
    fclose(out);
    return text;
}

static void contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in\n%s", part, text);
}

static void text_has_a_table_for_each(void **state)
{
    char *text = text_of(states_print);

    contains(text, "explain of getattr on /mnt  NFSv3 over TCP");
    contains(text, "getattr: 1 system calls: statx");
    contains(text, "before the RPC             1   20.0 %      0.200      0.200");
    contains(text, "sum 1.000 us; lifetime 1.000 us from its begin to its end: +0.00 %");
    contains(text, "getattr: 1 RPCs GETATTR");
    contains(text, "pending                    1   42.9 %      0.300      0.300");
    contains(text, "sum 0.700 us; lifetime 0.700 us by the kernel's own figure: +0.00 %");
    contains(text, "too few rounds");
    free(text);
}

static void text_says_what_is_missing(void **state)
{
    char *text;

    sample.result.missing = "run as root";
    sample.op.blocks_left_out = 2;
    text = text_of(states_print);
    contains(text, "there are no states, only mountstats' averages: run as root");
    assert_null(strstr(text, "before the RPC"));
    free(text);
    sample.result.missing = NULL;
    sample.result.absent = "xs_data_ready";
    sample.op.rpcs.states->without_end = 3;
    text = text_of(states_print);
    contains(text, "the kernel lacks the tracepoints xs_data_ready");
    contains(text, "left out: 3 whose end was not seen, 2 blocks that had to be made again");
    free(text);
}

static void write_csv(const struct states_result *result, FILE *out)
{
    assert_int_equal(states_write_csv(result, out), 0);
}

static void predict(size_t index, const char *key, double low, double high)
{
    const struct phase_view *view = rpc_phase_views[0];
    size_t i = 0;

    while (i < view->count && strcmp(view->phases[i]->key, key) != 0)
        i++;
    sample.op.predictions.list[index] =
        (struct prediction){i < view->count ? view->phases[i] : &phase_life, low, high, NAN};
    sample.op.predictions.count = index + 1;
}

static void phases_are_compared_with_predictions(void **state)
{
    struct predictions predictions;
    char *text;

    predict(0, "network-and-server", 200, 300);
    predict(1, "before-rpc", 300, 400);
    predict(2, "caller-woken", 0, 100);
    predict(3, "life", 0, 999);
    predictions = sample.op.predictions;
    states_predict(&sample.op, &predictions);
    text = text_of(states_print);
    contains(text, "network and server        0.200     0.300     0.300  within\n");
    contains(text, "before the RPC            0.300     0.400     0.200  BELOW\n");
    contains(text, "caller woken                                      -  not measured\n");
    contains(text, "lifetime of a call        0.000     0.999     1.000  ABOVE\n");
    contains(text, "1 of 4 predictions hold");
    free(text);
    text = text_of(write_csv);
    contains(text, "system-call,statx,1,network and server,network-and-server,1,0.3,");
    contains(text, ",1000,0,200.000,300.000\r\n");
    free(text);
}

static void csv_has_a_line_for_each_state(void **state)
{
    char *text = text_of(write_csv);
    size_t lines = 0;

    for (const char *at = text; (at = strstr(at, "\r\n")); at += 2)
        lines++;
    assert_int_equal(lines, 1 + 9 + 5); /* nine phases, five states */
    contains(text, "procedure,GETATTR,1,pending,network-and-server,1,0.428571429,");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_has_a_table_for_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_says_what_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(phases_are_compared_with_predictions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(csv_has_a_line_for_each_state, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
