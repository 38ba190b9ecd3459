#include "output/form/existing.h"

#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "common/environment.h"
#include "output/form/destination.h"
#include "output/result/result_json.h"
#include "output/result/settings.h"

static const struct {
    const char *key, *what;
} sets[] = {{"kind", "kind"},
            {"preset", "preset"},
            {"machine", "machine"},
            {"target", "target"},
            {"op", "choice of ops"}};

enum { SETS = sizeof sets / sizeof sets[0] };

void existing_claim_add(json_t *claim, const char *key, const char *name)
{
    if (!json_object_get(claim, key))
        json_object_set_new(claim, key, json_object());
    if (name)
        json_object_set_new(json_object_get(claim, key), name, json_true());
}

json_t *existing_claim(enum result_kind kind)
{
    json_t *claim = json_object();

    existing_claim_add(claim, "kind", result_kind_name(kind));
    return claim;
}

void existing_claim_machine(json_t *claim, bool hostname)
{
    struct host host;

    host_read(&host);
    existing_claim_add(claim, "machine", hostname ? host.name : host.cpu);
}

/* Return VALUE if it is a string, its string MEMBER if it is an object, otherwise NULL. */
static const char *text_of(const json_t *value, const char *member)
{
    return json_string_value(json_is_object(value) ? json_object_get(value, member) : value);
}

/* For each item of OBJECT's list KEY, add the name in its member MEMBER to the set SET of CLAIM.
 * Leaves out the names "null" and "null_control", and items with another role than "op". */
static void add_items(json_t *claim, const char *set, const json_t *object, const char *key,
                      const char *member)
{
    const json_t *item;
    size_t i;

    json_array_foreach(json_object_get(object, key), i, item)
    {
        const char *name = text_of(item, member);
        const char *role = json_string_value(json_object_get(item, "role"));

        if (name && strcmp(name, "null") != 0 && strcmp(name, "null_control") != 0 &&
            (!role || strcmp(role, "op") == 0))
            existing_claim_add(claim, set, name);
    }
}

static void add_machine(json_t *claim, const json_t *host)
{
    const char *name = text_of(host, "name");

    if (host)
        existing_claim_add(claim, "machine", name ? name : text_of(host, "cpu"));
}

/* Add the machine, preset, targets and ops of OBJECT, a result or a part of one, to CLAIM. For a
 * result that was made from files, the files are its targets. */
static void add_object(json_t *claim, const json_t *object)
{
    const char *const targets[] = {"target", "workload", "file"};
    const char *op = text_of(json_object_get(object, "op"), "op");

    add_machine(claim, json_object_get(object, "host"));
    existing_claim_add(claim, "preset", text_of(json_object_get(object, "preset"), NULL));
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        existing_claim_add(claim, "target", text_of(json_object_get(object, targets[i]), "text"));
    add_items(claim, "target", object, "pairs", "first");
    add_items(claim, "target", object, "pairs", "second");
    add_items(claim, "target", object, "results", "file");
    if (op)
        existing_claim_add(claim, "op", op);
    add_items(claim, "op", object, "ops", "op");
    add_items(claim, "op", object, "skipped", "op");
    add_items(claim, "op", object, "cells", "op");
    add_items(claim, "op", object, "answers", "name");
}

static bool kind_of(const json_t *root, enum result_kind *kind)
{
    struct error ignored;

    return json_is_object(root) && result_kind_of_root(root, "", kind, &ignored) == 0;
}

/* keys of the measurements in a result */
static const char *const inside[] = {"first", "second", "run"};

json_t *existing_claim_of(const json_t *root)
{
    enum result_kind kind;
    json_t *claim;

    if (!kind_of(root, &kind))
        return NULL;
    claim = existing_claim(kind);
    for (size_t i = 1; i < SETS; i++)
        existing_claim_add(claim, sets[i].key, NULL);
    add_object(claim, root);
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
        add_object(claim, json_object_get(root, inside[i]));
    return claim;
}

bool existing_is_cut_short(const json_t *root)
{
    bool cut_short = json_is_true(json_object_get(root, "cut_short")) ||
                     json_is_true(json_object_get(root, "interrupted")) ||
                     json_is_string(json_object_get(root, "cut_short_by"));

    for (size_t i = 0; i < sizeof inside / sizeof inside[0] && !cut_short; i++)
        cut_short = json_is_object(json_object_get(root, inside[i])) &&
                    existing_is_cut_short(json_object_get(root, inside[i]));
    return cut_short;
}

static json_t *claim_of_file(const char *path)
{
    struct error ignored;
    json_t *root, *claim = NULL;

    if (result_load_file(path, path, &root, &ignored) == 0)
        claim = existing_claim_of(root);
    json_decref(root);
    return claim;
}

static void describe(const char *what, json_t *names, char why[EXISTING_WHY_SIZE])
{
    const char *name, *comma = "";
    json_t *unused;

    snprintf(why, EXISTING_WHY_SIZE, "it holds a result of another %s (", what);
    json_object_foreach(names, name, unused)
    {
        if (strlen(why) < EXISTING_WHY_SIZE - 60)
            append(why, EXISTING_WHY_SIZE, "%s%.50s", comma, name);
        comma = ", ";
    }
    append(why, EXISTING_WHY_SIZE, ")");
}

bool existing_may_be_replaced(const char *path, const json_t *claim, char why[EXISTING_WHY_SIZE])
{
    json_t *own = claim ? claim_of_file(path) : NULL;
    bool same = own != NULL;

    snprintf(why, EXISTING_WHY_SIZE, "%s",
             claim ? "it exists, and is not a result in JSON" : "it exists");
    for (size_t i = 0; i < SETS && same; i++) {
        json_t *there = json_object_get(own, sets[i].key),
               *here = json_object_get(claim, sets[i].key);

        same = !here || json_equal(here, there);
        if (!same)
            describe(sets[i].what, there, why);
    }
    json_decref(own);
    return same;
}

static bool are_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Return whether the latencies of NULL calls in EARLIER and RESULT can be compared: both have NULL
 * calls and the same host, target and settings, and EARLIER's verdict is not invalid. */
static bool is_earlier(const struct result *earlier, const struct result *result)
{
    char difference[256];

    return earlier->validity.verdict != VERDICT_INVALID && earlier->start && earlier->null_calls &&
           result->null_calls && are_same(earlier->host.name, result->host.name) &&
           are_same(earlier->target.text, result->target.text) &&
           !settings_find_difference(earlier, result, earlier->null_calls->op, difference,
                                     sizeof difference);
}

void existing_compare_null(const char *path, struct result *result)
{
    struct result earlier = {.path = NULL};
    struct error ignored;

    if (path && destination_has_data(path) &&
        result_read(&earlier, path, "nfsbench", &ignored) == 0 && is_earlier(&earlier, result)) {
        result->evidence.null_change =
            result_level(result, result->null_calls) / result_level(&earlier, earlier.null_calls) -
            1;
        result->evidence.earlier_start = arena_copy(&result->arena, earlier.start);
    }
    result_free(&earlier);
}
