#include "capture/objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct objects {
    size_t count, limit, buckets;
    struct object table[]; /* open addressing */
};

struct objects *objects_open(size_t count)
{
    size_t buckets = 2 * count;
    struct objects *objects = calloc(1, sizeof *objects + buckets * sizeof objects->table[0]);

    if (!objects)
        return NULL;
    objects->limit = count;
    objects->buckets = buckets;
    return objects;
}

void objects_close(struct objects *objects)
{
    for (size_t i = 0; objects && i < objects->buckets; i++)
        free(objects->table[i].name);
    free(objects);
}

void objects_keep_name(struct object *object, const char *name)
{
    if (!object->name)
        object->name = strdup(name);
}

struct object *objects_find(struct objects *objects, uint64_t hash)
{
    size_t i = hash / 2 % objects->buckets; /* the last bit is always set */

    while (objects->table[i].hash && objects->table[i].hash != hash)
        i = (i + 1) % objects->buckets;
    if (objects->table[i].hash)
        return &objects->table[i];
    if (objects->count == objects->limit)
        return NULL;
    objects->count++;
    objects->table[i].hash = hash;
    return &objects->table[i];
}

static int more_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

/* The mean of ln(rank) among COUNT ranks by Zipf's law with EXPONENT. */
static double mean_log_rank(size_t count, double exponent)
{
    double sum = 0, weights = 0;

    for (size_t rank = 1; rank <= count; rank++) {
        double weight = pow((double)rank, -exponent);

        sum += weight * log((double)rank);
        weights += weight;
    }
    return sum / weights;
}

/* The law is an exponential family in ln(rank): the likelihood is greatest where the mean of that
 * is the one that was seen, and the mean falls as the exponent grows. */
double objects_fit_zipf(uint64_t *uses, size_t count)
{
    double seen = 0, total = 0, low = 0, high = 4;

    if (count < 2)
        return 0;
    qsort(uses, count, sizeof *uses, more_first);
    for (size_t i = 0; i < count; i++) {
        seen += (double)uses[i] * log((double)i + 1);
        total += (double)uses[i];
    }
    for (int step = 0; step < 24; step++) {
        double middle = (low + high) / 2;

        if (mean_log_rank(count, middle) > seen / total)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* As plain characters, whatever the name has. */
static void write_name(const struct object *object, char *text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+~";
    size_t used = 0;

    for (const char *c = object->name ? object->name : "?"; *c && used < WORKLOAD_NAME_SIZE; c++)
        used += (size_t)snprintf(text + used, WORKLOAD_NAME_SIZE - used,
                                 strchr(plain, *c) || !object->name ? "%c" : "%%%02x",
                                 (unsigned char)*c);
}

/* The most used come first. */
static void note_most_used(struct workload *workload, const struct object *object)
{
    struct workload_file *files = workload->most_used;
    size_t at = workload->most_used_count;

    while (at > 0 && (files[at - 1].calls < (double)object->uses ||
                      (files[at - 1].calls == (double)object->uses &&
                       files[at - 1].bytes < (double)object->end)))
        at--;
    if (at == WORKLOAD_FILES_MAXIMUM)
        return;
    if (workload->most_used_count < WORKLOAD_FILES_MAXIMUM)
        workload->most_used_count++;
    memmove(&files[at + 1], &files[at], (workload->most_used_count - at - 1) * sizeof files[0]);
    files[at] = (struct workload_file){.calls = (double)object->uses, .bytes = (double)object->end};
    if (workload->names_kept)
        write_name(object, files[at].name);
}

void objects_describe(const struct objects *objects, struct workload *workload)
{
    uint64_t *uses = calloc(objects->count + 1, sizeof *uses);
    size_t files = 0, sized = 0;
    double sizes = 0;

    for (size_t i = 0; uses && i < objects->buckets; i++) {
        const struct object *object = &objects->table[i];

        if (object->uses) {
            uses[files++] = object->uses;
            note_most_used(workload, object);
        }
        sized += object->end > 0;
        sizes += (double)object->end;
    }
    for (size_t i = 0; i < workload->most_used_count && !workload->names_kept; i++)
        snprintf(workload->most_used[i].name, WORKLOAD_NAME_SIZE, "file-%zu", i + 1);
    workload->files[0] = (double)files;
    workload->files[1] = uses ? objects_fit_zipf(uses, files) : 0;
    workload->file_size = sized ? sizes / (double)sized : 0;
    free(uses);
}
