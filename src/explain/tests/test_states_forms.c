/* The text of states if some states are missing. tests/golden tests the other forms. */
#include "test.h"

#include "states_sample.h"

static struct result_op op;
static struct result run = {.target = {.text = "/mnt", .transport = "TCP", .mount_point = "/mnt"},
                            .config = {.client_cpus = "0"},
                            .ops = &op};

static struct states_sample sample;

FIXTURE(set_up, memset(&sample, 0, sizeof sample), states_sample_fill(&sample, &run))

FIXTURE(tear_down, states_close(&sample.op), 0)

static char *text_of_it(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    view_write_text(&view_states, &sample.result, false, out);
    fclose(out);
    return text;
}

static void contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in\n%s", part, text);
}

TEST_CASE_WITH(text_says_what_is_missing, set_up, tear_down)
{
    char *text;

    sample.result.missing = "run as root";
    sample.op.table_count = 0; /* nothing was traced */
    text = text_of_it();
    contains(text, "there are no states, only mountstats' averages: run as root");
    assert_null(strstr(text, "before the RPC"));
    free(text);
}

/* With --knfsd, if no request in the server was recorded. */
TEST_CASE_WITH(text_says_that_nothing_was_seen, set_up, tear_down)
{
    char *text;

    sample.op.system_call = NULL;
    sample.op.table_count = 0;
    text = text_of_it();
    contains(text, "getattr: no request was seen inside the kernel's server");
    free(text);
}
