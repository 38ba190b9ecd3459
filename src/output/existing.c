#include "output/existing.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "output/result_json.h"
#include "output/settings.h"

/* A pipe must not be read here. */
static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The result at PATH as JSON; NULL if there is none. */
static json_t *load(const char *path)
{
    json_t *root;

    if (!is_file(path))
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

static bool are_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Do null calls of both say the same, if nothing has changed? */
static bool is_earlier(const struct result *earlier, const struct result *result)
{
    char difference[256];

    return earlier->validity.verdict != VERDICT_INVALID && earlier->start && earlier->null_calls &&
           result->null_calls && are_same(earlier->host.name, result->host.name) &&
           are_same(earlier->target.text, result->target.text) &&
           !settings_against(earlier, result, earlier->null_calls->op, difference,
                             sizeof difference);
}

void existing_compare_null(const char *path, struct result *result)
{
    struct result earlier = {.path = NULL};
    struct error ignored;

    if (path && is_file(path) && result_read(&earlier, path, "nfsbench", &ignored) == 0 &&
        is_earlier(&earlier, result)) {
        result->evidence.null_change =
            result_level(result, result->null_calls) / result_level(&earlier, earlier.null_calls) -
            1;
        result->evidence.earlier_start = arena_copy(&result->arena, earlier.start);
    }
    result_free(&earlier);
}
