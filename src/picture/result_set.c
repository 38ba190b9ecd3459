#include "picture/result_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct result_op *result_set_op(const struct result_set *set, size_t result, size_t op)
{
    return result_find(set->results[result], set->ops[op]);
}

char result_set_letter(size_t result)
{
    return (char)('A' + result);
}

static bool all_have(const struct result_set *set, const char *op)
{
    for (size_t i = 0; i < set->count; i++)
        if (!result_find(set->results[i], op))
            return false;
    return true;
}

static bool is_listed(const struct result_set *set, const char *op)
{
    for (size_t i = 0; i < set->op_count; i++)
        if (strcmp(set->ops[i], op) == 0)
            return true;
    return false;
}

static void add_op(struct result_set *set, const char *op)
{
    if (set->op_count < RESULT_SET_OPS && !is_listed(set, op))
        set->ops[set->op_count++] = op;
}

static int add_all(struct result_set *set, struct error *error)
{
    const struct result *first = set->results[0];

    for (size_t i = 0; i < first->op_count; i++)
        if (&first->ops[i] != first->null_control && all_have(set, first->ops[i].op))
            add_op(set, first->ops[i].op);
    if (set->op_count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%s", "the files have no op in common");
    return 0;
}

/* Return NAME as RESULT spells it, found without regard to case; NULL if RESULT has no such op. */
static const char *find_named(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (strcasecmp(result->ops[i].op, name) == 0)
            return result->ops[i].op;
    return NULL;
}

static int add_named(struct result_set *set, const char *wanted, size_t length, struct error *error)
{
    const char *op;
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), wanted);
    op = find_named(set->results[0], name);
    if (!op || !all_have(set, op))
        return error_set(error, ERROR_USAGE, -ENOENT, "--op '%s': %s has no such op", name,
                         set->count > 1 ? "one of the files" : set->results[0]->path);
    add_op(set, op);
    return 0;
}

static int choose_ops(struct result_set *set, const char *wanted, struct error *error)
{
    int code = 0;

    if (!wanted)
        return add_all(set, error);
    while (code == 0 && *wanted) {
        size_t length = strcspn(wanted, ",");

        code = add_named(set, wanted, length, error);
        wanted += length + (wanted[length] == ',');
    }
    if (code == 0 && set->op_count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--op: expected names of ops, such as 'read'");
    return code;
}

static void add_results(struct result_set *set, const struct result_file *file)
{
    set->results[set->count++] = &file->result;
    if (file->has_sides)
        set->results[set->count++] = &file->second;
}

/* Remove FILE's breakdowns that WANTED does not name. Returns whether any breakdowns are left. */
static bool choose_breakdowns(struct result_file *file, const char *wanted)
{
    size_t kept = 0;

    for (size_t i = 0; i < file->breakdown_count; i++)
        if (result_names_op(wanted, file->breakdowns[i].op))
            file->breakdowns[kept++] = file->breakdowns[i];
    file->breakdown_count = kept;
    return kept > 0;
}

static int choose_of_files(struct result_set *set, const char *wanted, struct error *error)
{
    for (size_t i = 0; wanted && i < set->file_count; i++) {
        struct result_file *file = set->files[i];

        if (!(file->reading->choose ? file->reading->choose : choose_breakdowns)(file, wanted))
            return error_set(error, ERROR_USAGE, -ENOENT, "--op '%.60s': %.200s has no such op",
                             wanted, file->result.path);
    }
    return 0;
}

static int refuse_kinds(const struct result_set *set, const struct result_file *file,
                        struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%.200s is %s, and %.200s %s: expected results of one kind; "
                     "'nfsbench report -o PAGE.html' takes several kinds",
                     set->results[0]->path, result_file_name(set->files[0]), file->result.path,
                     result_file_name(file));
}

static int place_file(struct result_set *sets, size_t most, size_t *opened,
                      struct result_file *file, struct error *error)
{
    size_t at = 0;

    while (at < *opened && !result_files_fit(sets[at].files[0], file))
        at++;
    if (at == most)
        return refuse_kinds(&sets[0], file, error);
    if (at == *opened)
        sets[(*opened)++] = (struct result_set){.count = 0};
    if (sets[at].count + file->has_sides >= RESULT_SET_FILES)
        return error_set(error, ERROR_USAGE, -E2BIG,
                         "expected %d results at most; a file with two sides counts as two",
                         RESULT_SET_FILES);
    sets[at].files[sets[at].file_count++] = file;
    add_results(&sets[at], file);
    return 0;
}

static void free_file(struct result_file *file)
{
    result_file_free(file);
    free(file);
}

/* Put each part of FILE, such as a survey's results, into the first set that fits or a new set. */
static int place_parts(struct result_set *sets, size_t most, size_t *opened,
                       struct result_file *file, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < file->part_count && code == 0; i++) {
        struct result_file *part = calloc(1, sizeof *part);

        if (!part)
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
        *part = file->parts[i];
        file->parts[i] = (struct result_file){.reading = NULL};
        code = place_file(sets, most, opened, part, error);
        if (code)
            free_file(part);
    }
    return code;
}

static int add_file(struct result_set *sets, size_t most, size_t *opened, const char *path,
                    const char *command, struct error *error)
{
    struct result_file *file = calloc(1, sizeof *file);
    int code;

    if (!file)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    code = result_file_read(file, path, command, error);
    /* a kind with write_pair has only texts, and no values for a set */
    if (code == 0 && file->reading->write_pair)
        code = result_file_refuse(file->kind, path, command, error);
    if (code == 0 && file->part_count > 0) {
        code = place_parts(sets, most, opened, file, error);
        free_file(file);
        return code;
    }
    if (code == 0)
        code = place_file(sets, most, opened, file, error);
    if (code)
        free_file(file);
    return code;
}

static int choose_wanted(struct result_set *set, const char *wanted, struct error *error)
{
    return result_file_has_ops(set->files[0]) ? choose_ops(set, wanted, error)
                                              : choose_of_files(set, wanted, error);
}

int result_sets_open(struct result_set *sets, size_t most, size_t *opened, char *const *paths,
                     size_t count, const char *wanted, const char *command, struct error *error)
{
    int code = 0;

    *opened = 0;
    if (count == 0 || count > RESULT_SET_FILES)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected one to %d results, such as 'today.json'; see --help",
                         RESULT_SET_FILES);
    for (size_t i = 0; code == 0 && i < count; i++)
        code = add_file(sets, most, opened, paths[i], command, error);
    for (size_t i = 0; code == 0 && i < *opened; i++)
        code = choose_wanted(&sets[i], wanted, error);
    return code;
}

int result_set_of_file(struct result_set *set, struct result_file *file, struct error *error)
{
    *set = (struct result_set){.files = {file}, .file_count = 1};
    add_results(set, file);
    return choose_wanted(set, NULL, error);
}

void result_set_close(struct result_set *set)
{
    for (size_t i = 0; i < set->file_count; i++)
        free_file(set->files[i]);
    *set = (struct result_set){.count = 0};
}
