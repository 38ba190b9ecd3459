/* Starting the embedded server: a wait for a server that is never ready ends in time. */
#include "sandbox.h"

#include <errno.h>

#include "target/self.h"

static struct self_server server;
static struct error error;

/* Start a program that prints nothing instead of the server. */
static int start_silent(const struct deadline *deadline)
{
    struct target target = {.self = true};
    FILE *program = fopen("silent", "we");

    self_use("serve");
    assert_non_null(program);
    assert_true(fputs("#!/bin/sh\nexec sleep 1000\n", program) >= 0);
    assert_all((fclose(program), 0), (chmod("silent", 0755), 0));
    return self_start(&server, &target, "./silent", NULL, deadline, &error);
}

TEST_CASE_WITH(a_signal_ends_the_wait, sandbox_enter, sandbox_leave)
{
    volatile sig_atomic_t stop = 1;
    const struct deadline deadline = {.stop = &stop};

    assert_all((start_silent(&deadline), -EINTR), (server.pid, 0));
    assert_true(strstr(error.text, "interrupted"));
}

TEST_CASE_WITH(the_deadline_ends_the_wait, sandbox_enter, sandbox_leave)
{
    const struct deadline deadline = deadline_within(NULL, 1);

    assert_all((start_silent(&deadline), -ETIMEDOUT), (server.pid, 0));
    assert_true(strstr(error.text, "did not start"));
    assert_int_equal(deadline_left_ns(&deadline), 0);
}
