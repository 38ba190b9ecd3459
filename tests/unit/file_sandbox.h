/* Tests that write files in a new directory, as a run writes a form of its result. */
#pragma once

#include "output/form/file.h"
#include "sandbox.h"

static struct error error;

/* Files are replaced, as with --force, until a test calls file_force(false). */
FIXTURE(file_sandbox_enter, file_force(true), sandbox_enter(state))

#define FILE_TEST(name) TEST_CASE_WITH(name, file_sandbox_enter, sandbox_leave)

static inline int write_text(const void *text, FILE *out)
{
    return fputs(text, out) < 0 ? -5 : 0;
}

static inline int write_file(const char *path, const char *text)
{
    return file_write(write_text, text, "--json", path, &error);
}

/* Check PATH as a run does when it begins. If PATH may be written, write TEXT. Returns 0 or
 * -errno. */
static inline int write_checked(const char *path, const char *text)
{
    int code = file_check("--json", path, &error);

    return code ? code : write_file(path, text);
}
