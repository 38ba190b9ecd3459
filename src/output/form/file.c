#include "output/form/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output/form/destination.h"
#include "output/form/existing.h"

enum { EXTRA_SERIES_MAXIMUM = 1000 };

static bool forced;

void file_force(bool force)
{
    forced = force;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int check_path(const char *option, const char *path, const json_t *claim,
                      struct error *error)
{
    struct destination destination;
    char why[EXISTING_WHY_SIZE];
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
    if (forced || !destination_has_data(path) || existing_may_be_replaced(path, claim, why))
        return 0;
    return error_set(error, ERROR_USAGE, -EEXIST,
                     "%s %.200s: %s; give another name, or --force to replace it", option, path,
                     why);
}

int file_check(const char *option, const char *path, struct error *error)
{
    return check_path(option, path, NULL, error);
}

FILE *file_open(const char *path)
{
    struct destination destination;
    int code = destination_open(&destination, path);
    FILE *file = code ? NULL : destination_write_to(&destination);

    destination_close(&destination);
    if (code)
        errno = -code;
    return file;
}

static int write_to(file_writer writer, const void *data, const char *path)
{
    struct destination destination;
    int code = destination_open(&destination, path);

    if (code == 0)
        code = destination_write(&destination, writer, data);
    destination_close(&destination);
    return code;
}

static int fail(int code, const char *option, const char *path, struct error *error)
{
    return error_set(error, ERROR_FAILED, code, "writing %s to %.300s: %s", option, path,
                     destination_error(code));
}

int file_replace(file_writer writer, const void *data, const char *option, const char *path,
                 struct error *error)
{
    int code =
        is_stdout(path) ? destination_print(writer, data, stdout) : write_to(writer, data, path);

    return code ? fail(code, option, path, error) : 0;
}

int file_free_name(const char *path, const char *word, char beside[PATH_MAX])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *ending = strrchr(name, '.');
    struct stat status;
    char number[16] = "";

    if (!ending || ending == name)
        ending = name + strlen(name);
    for (unsigned i = 2; i < EXTRA_SERIES_MAXIMUM; i++) {
        int length = snprintf(beside, PATH_MAX, "%.*s.%s%s%s", (int)(ending - path), path, word,
                              number, ending);

        if (length >= PATH_MAX)
            return -ENAMETOOLONG;
        if (lstat(beside, &status) != 0)
            return errno == ENOENT ? 0 : -errno;
        snprintf(number, sizeof number, "-%u", i);
    }
    return -EEXIST;
}

/* Return RESULT as parsed JSON; NULL if RESULT is NULL or cannot be written. */
static json_t *root_of(const struct file_result *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = result ? open_memstream(&text, &size) : NULL;
    int code = out ? result->json(result->data, out) : -1;
    json_t *root = out && fclose(out) == 0 && code == 0 ? json_loadb(text, size, 0, NULL) : NULL;

    free(text);
    return root;
}

/* Return NULL if DATA may replace the file PATH. If not, set WHY, and return the word for
 * file_free_name() to name another file: "partial" if the run was cut short, otherwise "new". */
static const char *word_beside(const struct file_result *result, file_writer writer,
                               const void *data, const char *path, char why[EXISTING_WHY_SIZE])
{
    json_t *root = root_of(result), *claim = existing_claim_of(root);
    bool cut_short = existing_is_cut_short(root);
    bool json = result && writer == result->json && data == result->data;
    const char *word = cut_short ? "partial"
                       : forced || existing_may_be_replaced(path, json ? claim : NULL, why) ? NULL
                                                                                            : "new";

    if (cut_short)
        snprintf(why, EXISTING_WHY_SIZE, "it stays as it was, since the run was cut short");
    json_decref(claim);
    json_decref(root);
    return word;
}

static int write_beside(file_writer writer, const void *data, const char *option, const char *path,
                        const char *word, const char *why, struct error *error)
{
    char beside[PATH_MAX];
    int code = file_free_name(path, word, beside);

    if (code)
        return fail(code, option, path, error);
    code = file_replace(writer, data, option, beside, error);
    return code ? code
                : error_set(error, ERROR_FAILED, -EEXIST,
                            "writing %s: %.150s; what was found is in %.300s", option, why, beside);
}

int file_write_result(const struct file_result *result, file_writer writer, const void *data,
                      const char *option, const char *path, struct error *error)
{
    char why[EXISTING_WHY_SIZE];
    const char *word = !is_stdout(path) && destination_has_data(path)
                           ? word_beside(result, writer, data, path, why)
                           : NULL;

    return word ? write_beside(writer, data, option, path, word, why, error)
                : file_replace(writer, data, option, path, error);
}

int file_write(file_writer writer, const void *data, const char *option, const char *path,
               struct error *error)
{
    return file_write_result(NULL, writer, data, option, path, error);
}

static bool is_same(const struct destination *a, const struct destination *b)
{
    struct stat around_a, around_b;

    if (a->exists || b->exists)
        return a->exists && b->exists && S_ISREG(a->status.st_mode) &&
               a->status.st_dev == b->status.st_dev && a->status.st_ino == b->status.st_ino;
    return strcmp(a->name, b->name) == 0 && fstat(a->directory, &around_a) == 0 &&
           fstat(b->directory, &around_b) == 0 && around_a.st_dev == around_b.st_dev &&
           around_a.st_ino == around_b.st_ino;
}

bool file_is_same(const char *path, const char *other)
{
    struct destination a, b = {.directory = -1};
    const bool same =
        destination_open(&a, path) == 0 && destination_open(&b, other) == 0 && is_same(&a, &b);

    destination_close(&a);
    destination_close(&b);
    return same;
}

static int check_form(const struct file_form *forms, size_t form, struct error *error)
{
    const char *path = forms[form].path;

    for (size_t i = 0; i < form && !is_stdout(path); i++)
        if (forms[i].path && !is_stdout(forms[i].path) && file_is_same(forms[i].path, path))
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "%s %.300s: %s goes there already; give another name",
                             forms[form].option, path, forms[i].option);
    return forms[form].checked ? 0 : check_path(forms[form].option, path, forms[form].claim, error);
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
