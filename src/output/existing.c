#include "output/existing.h"

#include <errno.h>
#include <jansson.h>
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

/* The object with the host: of two sides the first, of a ladder its run. */
static const json_t *run_of(const json_t *root)
{
    const json_t *first = json_object_get(root, "first"), *run = json_object_get(root, "run");

    return json_is_object(first) ? first : json_is_object(run) ? run : root;
}

static const char *hostname_of(const json_t *run)
{
    return json_string_value(json_object_get(json_object_get(run, "host"), "name"));
}

int existing_check(const char *option, const char *path, const struct existing_run *run,
                   struct error *error)
{
    json_t *root = load(path);
    const char *hostname = hostname_of(run_of(root));
    int code = 0;

    if (hostname && run->hostname && strcmp(hostname, run->hostname) != 0)
        code = error_set(error, ERROR_USAGE, -EEXIST,
                         "%s %.200s: it holds a result that was measured on %.100s, which would be "
                         "lost; give another name, or remove it first",
                         option, path, hostname);
    json_decref(root);
    return code;
}
