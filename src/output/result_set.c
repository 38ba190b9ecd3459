#include "output/result_set.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "output/result_json.h"

const struct result_op *result_set_op(const struct result_set *set, size_t file, size_t op)
{
    return result_find(&set->results[file], set->ops[op]);
}

char result_set_letter(size_t file)
{
    return (char)('A' + file);
}

static bool all_have(const struct result_set *set, const char *op)
{
    for (size_t i = 0; i < set->count; i++)
        if (!result_find(&set->results[i], op))
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
    const struct result *first = &set->results[0];

    for (size_t i = 0; i < first->op_count; i++)
        if (&first->ops[i] != first->null_control && all_have(set, first->ops[i].op))
            add_op(set, first->ops[i].op);
    if (set->op_count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%s", "the files have no op in common");
    return 0;
}

/* An op is named in capitals or small letters. */
static const char *find_named(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (strcasecmp(result->ops[i].op, name) == 0)
            return result->ops[i].op;
    return NULL;
}

/* The first of WANTED's names. */
static int add_named(struct result_set *set, const char *wanted, size_t length, struct error *error)
{
    const char *op;
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), wanted);
    op = find_named(&set->results[0], name);
    if (!op || !all_have(set, op))
        return error_set(error, ERROR_USAGE, -ENOENT, "--op '%s': %s has no such op", name,
                         set->count > 1 ? "not every file" : set->results[0].path);
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

int result_set_open(struct result_set *set, char *const *paths, size_t count, const char *wanted,
                    const char *command, struct error *error)
{
    int code = 0;

    *set = (struct result_set){.count = 0};
    if (count == 0 || count > RESULT_SET_FILES)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected one to %d results, such as 'today.json'; see --help",
                         RESULT_SET_FILES);
    while (code == 0 && set->count < count) {
        code = result_read(&set->results[set->count], paths[set->count], command, error);
        if (code == 0)
            set->count++;
    }
    return code ? code : choose_ops(set, wanted, error);
}

void result_set_close(struct result_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        result_free(&set->results[i]);
    *set = (struct result_set){.count = 0};
}
