#include "output/existing.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* The result at PATH as JSON; NULL if there is none. */
static json_t *load(const char *path)
{
    struct stat status;
    json_t *root;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) /* a pipe must not be read here */
        return NULL;
    root = json_load_file(path, 0, NULL);
    if (json_string_value(json_object_get(root, "schema")))
        return root;
    json_decref(root);
    return NULL;
}

/* The object with host and target: of two sides the first, of a ladder its run. */
static const json_t *run_of(const json_t *root)
{
    const json_t *first = json_object_get(root, "first"), *run = json_object_get(root, "run");

    return json_is_object(first) ? first : json_is_object(run) ? run : root;
}

static const char *target_of(const json_t *run)
{
    const json_t *target = json_object_get(run, "target");

    return json_string_value(json_is_object(target) ? json_object_get(target, "text") : target);
}

static const char *hostname_of(const json_t *run)
{
    return json_string_value(json_object_get(json_object_get(run, "host"), "name"));
}

static bool differ(const char *one, const char *other)
{
    return one && other && strcmp(one, other) != 0;
}

static int refuse(const char *option, const char *path, const char *what, const char *name,
                  struct error *error)
{
    return error_set(error, ERROR_USAGE, -EEXIST,
                     "%s %.200s: it holds %s%.100s, which would be lost; give another name, or "
                     "remove it first",
                     option, path, what, name);
}

static int compare(const char *option, const char *path, const json_t *root,
                   const struct existing_run *run, struct error *error)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    enum result_kind kind =
        result_kind_of(schema, json_string_value(json_object_get(root, "kind")));
    const char *target = target_of(run_of(root)), *hostname = hostname_of(run_of(root));

    if (kind == RESULT_KINDS)
        return refuse(option, path, "a result with the schema ", schema, error);
    if (kind != run->kind)
        return refuse(option, path, result_kind_name(kind), "", error);
    if (differ(target, run->target))
        return refuse(option, path, "a result of ", target, error);
    if (differ(hostname, run->hostname))
        return refuse(option, path, "a result that was measured on ", hostname, error);
    return 0;
}

int existing_check(const char *option, const char *path, const struct existing_run *run,
                   struct error *error)
{
    json_t *root = load(path);
    int code = root ? compare(option, path, root, run, error) : 0;

    json_decref(root);
    return code;
}
