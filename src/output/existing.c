#include "output/file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/environment.h"
#include "output/origin.h"
#include "output/result_json.h"
#include "output/settings.h"

/* A pipe must not be read here. */
static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The host that a file names, if any. */
struct recorded {
    char name[ORIGIN_HOST_SIZE];
};

/* In the object of the run: with two sides that of the first, with a ladder that of its run. */
static void find_in_json(const char *path, struct recorded *host)
{
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *first = json_object_get(root, "first"), *run = json_object_get(root, "run");
    const json_t *owner = json_is_object(first) ? first : json_is_object(run) ? run : root;
    const char *name = json_string_value(json_object_get(json_object_get(owner, "host"), "name"));

    if (name && json_string_value(json_object_get(root, "schema")))
        snprintf(host->name, sizeof host->name, "%s", name);
    json_decref(root);
}

static void find_after(const char *text, const char *mark, const char *ends, struct recorded *host)
{
    const char *name = strstr(text, mark);

    if (name && !host->name[0])
        snprintf(host->name, sizeof host->name, "%.*s", (int)strcspn(name + strlen(mark), ends),
                 name + strlen(mark));
}

/* In CSV the second column of the first line after the heading. */
static void find_in_text(const char *text, struct recorded *host)
{
    const char *line = strstr(text, "\r\n");

    if (line && strncmp(text, ORIGIN_CSV_COLUMNS, strlen(ORIGIN_CSV_COLUMNS)) == 0)
        sscanf(line, "\r\n\"%*[^\"]\",\"%79[^\"]", host->name);
    find_after(text, ORIGIN_MARKDOWN_HOST, "`", host);
    find_after(text, ORIGIN_OPENMETRICS_HOST "\"", "\"", host);
    find_after(text, ORIGIN_HDR_HOST, "]", host);
}

static void find_host(const char *path, struct recorded *host)
{
    enum { HEAD = 1 << 16 };
    FILE *file = is_file(path) ? fopen(path, "re") : NULL;
    char *head = calloc(1, HEAD + 1);

    host->name[0] = '\0';
    if (file && head && fread(head, 1, HEAD, file) > 0 && head[0] == '{')
        find_in_json(path, host);
    else if (head)
        find_in_text(head, host);
    if (file)
        fclose(file);
    free(head);
}

int existing_check(const char *option, const char *path, struct error *error)
{
    struct recorded recorded;
    struct host host;

    find_host(path, &recorded);
    host_fill(&host);
    if (!recorded.name[0] || strcmp(recorded.name, host.name) == 0)
        return 0;
    return error_set(error, ERROR_USAGE, -EEXIST,
                     "%s %.200s: it holds a result that was measured on %s, which would be lost; "
                     "give another name, or remove it first",
                     option, path, recorded.name);
}

static bool are_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Should the null calls of both take the same time, if nothing has changed? */
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
