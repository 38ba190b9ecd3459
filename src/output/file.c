#include "output/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What exists and is no regular file, such as /dev/stderr, is written to as it is; anything else is
 * written beside and then renamed. */
static char *path_to_write(const char *path)
{
    struct stat status;
    char *name = NULL;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return strdup(path);
    return asprintf(&name, "%s.partial", path) < 0 ? NULL : name;
}

int file_check(const char *option, const char *path, struct error *error)
{
    char *name = strcmp(path, "-") == 0 ? NULL : path_to_write(path);
    FILE *file = name ? fopen(name, "we") : NULL;
    int code = name && !file ? -errno : 0;

    if (file)
        fclose(file);
    if (file && strcmp(name, path) != 0)
        unlink(name);
    free(name);
    return code
               ? error_set(error, ERROR_USAGE, code, "%s %.300s: %s", option, path, strerror(-code))
               : 0;
}

static int write_and_flush(file_writer writer, const void *data, FILE *file)
{
    int code;

    errno = 0;
    code = writer(data, file);
    if (ferror(file) || (code == 0 && fflush(file) != 0)) /* errno says more than the writer */
        code = errno ? -errno : -EIO;
    return code;
}

static int write_beside(file_writer writer, const void *data, const char *path)
{
    char *name = path_to_write(path);
    FILE *file = name ? fopen(name, "we") : NULL;
    int code = file ? write_and_flush(writer, data, file) : -errno;

    if (file && fclose(file) != 0 && code == 0)
        code = -errno;
    if (name && strcmp(name, path) != 0) {
        if (code == 0 && rename(name, path) != 0)
            code = -errno;
        if (code)
            unlink(name);
    }
    free(name);
    return code;
}

int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error)
{
    int code = strcmp(path, "-") == 0 ? write_and_flush(writer, data, stdout)
                                      : write_beside(writer, data, path);

    return code ? error_set(error, ERROR_FAILED, code, "writing %s to %.300s: %s", option, path,
                            strerror(-code))
                : 0;
}

static bool is_on_stdout(const struct file_form *form)
{
    return form->path && strcmp(form->path, "-") == 0;
}

int file_forms_check(const struct file_form *forms, size_t count, struct error *error)
{
    unsigned on_stdout = 0;
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        on_stdout += is_on_stdout(&forms[i]);
        if (forms[i].path)
            code = file_check(forms[i].option, forms[i].path, error);
    }
    if (code == 0 && on_stdout > 1)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "only one form of the result fits on standard output");
    return code;
}

bool file_forms_on_stdout(const struct file_form *forms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_on_stdout(&forms[i]))
            return true;
    return false;
}

int file_forms_write(const struct file_form *forms, size_t count, const void *data,
                     struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++)
        if (forms[i].path)
            code = file_write(forms[i].writer, data, forms[i].option, forms[i].path, error);
    return code;
}
