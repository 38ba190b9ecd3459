#include "output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "output/replacement.h"

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int file_check(const char *option, const char *path, struct error *error)
{
    struct destination destination;
    int code;

    if (is_stdout(path))
        return 0;
    code = destination_open(&destination, path);
    if (code == 0)
        code = destination_check(&destination);
    destination_close(&destination);
    if (code)
        return error_set(error, ERROR_USAGE, code, "%s %.300s: %s", option, path,
                         destination_error(code));
    return existing_check(option, path, error);
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

/* Write to what stands there. */
static int write_in_place(file_writer writer, const void *data,
                          const struct destination *destination)
{
    static const int flags[] = {[DESTINATION_FILE] = O_TRUNC | O_NOFOLLOW,
                                [DESTINATION_DEVICE] = O_NOFOLLOW,
                                [DESTINATION_STREAM] = O_APPEND};
    int fd = openat(destination->directory, destination->name,
                    O_WRONLY | O_CLOEXEC | O_NOCTTY | flags[destination->kind]);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    int code = file ? write_and_flush(writer, data, file) : -errno;

    if (fd >= 0 && !file)
        close(fd);
    if (file && fclose(file) != 0 && code == 0)
        code = -errno;
    return code;
}

static int write_whole(file_writer writer, const void *data, const struct destination *destination)
{
    struct replacement replacement;
    int code = replacement_begin(&replacement, destination);

    if (code)
        return code;
    code = write_and_flush(writer, data, replacement.out);
    if (code) {
        replacement_abandon(&replacement);
        return code;
    }
    code = replacement_commit(&replacement);
    /* To have the result is worth more than to replace the file at once. */
    if (destination->exists && (code == -EBUSY || code == -EPERM || code == -EACCES))
        code = write_in_place(writer, data, destination);
    return code;
}

static int write_to(file_writer writer, const void *data, const char *path)
{
    struct destination destination;
    int code = destination_open(&destination, path);

    if (code == 0)
        code = destination.kind == DESTINATION_FILE ? write_whole(writer, data, &destination)
                                                    : write_in_place(writer, data, &destination);
    destination_close(&destination);
    return code;
}

int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error)
{
    int code =
        is_stdout(path) ? write_and_flush(writer, data, stdout) : write_to(writer, data, path);

    return code ? error_set(error, ERROR_FAILED, code, "writing %s to %.300s: %s", option, path,
                            destination_error(code))
                : 0;
}

/* Forms */

/* Does an earlier form go to the same file, so that it would be lost? */
static bool is_taken(const struct file_form *forms, size_t form)
{
    struct stat status;
    bool file = stat(forms[form].path, &status) != 0 || S_ISREG(status.st_mode);

    for (size_t i = 0; i < form; i++)
        if (file && forms[i].path && strcmp(forms[i].path, forms[form].path) == 0)
            return true;
    return false;
}

static int check_form(const struct file_form *forms, size_t form, struct error *error)
{
    const char *path = forms[form].path;

    if (!is_stdout(path) && is_taken(forms, form))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s %.300s: another form of the result goes there already",
                         forms[form].option, path);
    return file_check(forms[form].option, path, error);
}

int file_forms_check(const struct file_form *forms, size_t count, struct error *error)
{
    unsigned on_stdout = 0;
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        on_stdout += is_stdout(forms[i].path);
        if (forms[i].path)
            code = check_form(forms, i, error);
    }
    if (code == 0 && on_stdout > 1)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "only one form of the result fits on standard output");
    return code;
}
