/* A file of jobs: an INI file, as fio's are, whose sections are measurements. */
#ifndef NFSBENCH_CLI_JOB_FILE_H
#define NFSBENCH_CLI_JOB_FILE_H

#include <stddef.h>

#include "common/error.h"
#include "common/memory.h"

enum { JOBS_MAXIMUM = 256, JOB_KEYS_MAXIMUM = 64 };

/* "key = value", or a key alone, whose VALUE is NULL. */
struct job_setting {
    const char *key, *value;
    unsigned line; /* of the file, from 1 */
};

struct job_section {
    const char *name;
    unsigned line;
    struct job_setting settings[JOB_KEYS_MAXIMUM];
    size_t count;
};

struct job_file {
    const char *path;
    struct job_section global; /* what [global] says, for all jobs */
    struct job_section jobs[JOBS_MAXIMUM];
    size_t count;
    struct arena arena;
};

/* Read the file PATH: sections with a name in brackets, settings of a line each, empty lines, and
 * comments, which begin with ; or #. Space around keys and values does not count. 0, or a negative
 * errno with ERROR set (ERROR_USAGE): those of input_read(), or -EINVAL, with the number of the
 * line, for a line of another form, a setting before any section, a name or a key that is there
 * twice in its place, and a file without jobs. Release it with job_file_free(), after an error,
 * too. */
int job_file_read(struct job_file *file, const char *path, struct error *error);
void job_file_free(struct job_file *file);

/* What JOB, or else [global], says of KEY; NULL if neither does. */
const struct job_setting *job_file_setting(const struct job_file *file,
                                           const struct job_section *job, const char *key);

#endif
