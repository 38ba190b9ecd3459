/* Job files: sections and settings, and the line in which something else stands. */
#include "file_sandbox.h"

#include <errno.h>

#include "cli/job_file.h"

static struct job_file file;

static int read_text(const char *text, size_t length)
{
    FILE *out = fopen("jobs", "w");

    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    fclose(out);
    return job_file_read(&file, "jobs", &error);
}

static void test_sections(void **state)
{
    static const char text[] = "; a comment\n"
                               "[global]\n"
                               "op = read = twice \n"
                               "\tquiet\r\n"
                               "\n"
                               "# another\n"
                               " [ first job ] \n"
                               "size=64KiB\n"
                               "op=\n"
                               "[second]";
    const struct job_section *first = &file.jobs[0], *second = &file.jobs[1];

    assert_int_equal(read_text(text, strlen(text)), 0);
    assert_int_equal(file.count, 2);
    assert_string_equal(first->name, "first job");
    assert_int_equal(first->line, 7);
    assert_string_equal(job_file_setting(&file, first, "size")->value, "64KiB");
    assert_int_equal(job_file_setting(&file, first, "size")->line, 8);
    assert_string_equal(job_file_setting(&file, first, "op")->value, "");
    assert_string_equal(job_file_setting(&file, second, "op")->value, "read = twice");
    assert_null(job_file_setting(&file, second, "quiet")->value);
    assert_null(job_file_setting(&file, second, "size"));
    job_file_free(&file);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "has no jobs"},
        {"[global]\nop=read\n", "has no jobs"},
        {"op=read\n[a]\n", "line 1: a job's name, such as [first], is missing before 'op=read'"},
        {"[a]\n[b\n", "line 2: expected [NAME], not '[b'"},
        {"[", "line 1: expected [NAME], not '['"},
        {"[]\n", "line 1: a job can't be called ''"},
        {"[..]\n", "line 1: a job can't be called '..'"},
        {"[a/b]\n", "line 1: a job can't be called 'a/b'"},
        {"[a]]\n", "line 1: a job can't be called 'a]'"},
        {"[a]\n[b]\n[ a]\n", "line 3: there is a second job 'a'"},
        {"[a]\nop=x\n op =y\n", "line 3: there is a second 'op'"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(read_text(cases[i].text, strlen(cases[i].text)), -EINVAL);
        assert_int_equal(error.kind, ERROR_USAGE);
        if (!strstr(error.text, cases[i].words))
            fail_msg("%zu: '%s'", i, error.text);
        job_file_free(&file);
    }
    assert_int_equal(read_text("[a]\n\0op", 7), -EILSEQ);
    job_file_free(&file);
}

/* There are so many jobs, and settings of each, and no more. */
static void test_limits(void **state)
{
    static char text[JOBS_MAXIMUM * 16 + 16];
    size_t used = 0;

    for (unsigned i = 0; i < JOBS_MAXIMUM; i++)
        used += (size_t)sprintf(text + used, "[job %u]\n", i);
    assert_int_equal(read_text(text, used), 0);
    assert_int_equal(file.count, JOBS_MAXIMUM);
    job_file_free(&file);
    used += (size_t)sprintf(text + used, "[more]\n");
    assert_int_equal(read_text(text, used), -EINVAL);
    assert_non_null(strstr(error.text, "line 257: there are too many jobs before 'more'"));
    job_file_free(&file);

    used = (size_t)sprintf(text, "[job]\n");
    for (unsigned i = 0; i < JOB_KEYS_MAXIMUM; i++)
        used += (size_t)sprintf(text + used, "k%u\n", i);
    assert_int_equal(read_text(text, used), 0);
    job_file_free(&file);
    used += (size_t)sprintf(text + used, "more\n");
    assert_int_equal(read_text(text, used), -EINVAL);
    assert_non_null(strstr(error.text, "line 66: there are too many settings before 'more'"));
    job_file_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sections, sandbox_enter, sandbox_leave),
        cmocka_unit_test_setup_teardown(test_refusals, sandbox_enter, sandbox_leave),
        cmocka_unit_test_setup_teardown(test_limits, sandbox_enter, sandbox_leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
