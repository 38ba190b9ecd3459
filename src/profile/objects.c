#include "profile/objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the mean of ln(rank) of calls on COUNT files, if each call is on the file of rank r with a
 * probability proportional to r^-EXPONENT. */
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

/* Zipf's law is an exponential family in ln(rank). So the likelihood is greatest for the exponent
 * at which the expected mean of ln(rank) equals the observed mean. The expected mean falls as the
 * exponent grows. */
double objects_fit_zipf(const uint64_t *uses, size_t count)
{
    double seen = 0, total = 0, low = 0, high = 4;

    if (count < 2)
        return 0;
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

static int more_used_first(const void *a, const void *b)
{
    const struct object *x = *(const struct object *const *)a;
    const struct object *y = *(const struct object *const *)b;

    if (x->uses != y->uses)
        return x->uses < y->uses ? 1 : -1;
    return (x->end < y->end) - (x->end > y->end);
}

static void name_most_used(struct workload *workload, const struct object *const *files)
{
    for (size_t i = 0; i < workload->most_used_count; i++) {
        struct workload_file *file = &workload->most_used[i];

        file->calls = (double)files[i]->uses;
        file->bytes = (double)files[i]->end;
        if (workload->names_kept)
            write_name(files[i], file->name);
        else
            snprintf(file->name, sizeof file->name, "file-%zu", i + 1);
    }
}

/* Store in FILES each object that had a call of an op on files, the most used object first. Returns
 * the number of these objects. */
static size_t find_files(const struct table *objects, const struct object **files)
{
    size_t count = 0;

    for (size_t i = 0; i < objects->added; i++) {
        const struct object *object = table_at(objects, i);

        if (object->uses)
            files[count++] = object;
    }
    qsort(files, count, sizeof(const struct object *), more_used_first);
    return count;
}

/* Return the mean size of the files whose size is known, in bytes; 0 if none is. A file's size is
 * the largest offset at which a READ or WRITE ended. */
static double mean_size(const struct table *objects)
{
    size_t sized = 0;
    double sizes = 0;

    for (size_t i = 0; i < objects->added; i++) {
        const struct object *object = table_at(objects, i);

        sized += object->end > 0;
        sizes += (double)object->end;
    }
    return sized ? sizes / (double)sized : 0;
}

void objects_describe(const struct table *objects, struct workload *workload)
{
    const struct object **files = calloc(objects->added + 1, sizeof *files);
    uint64_t *uses = calloc(objects->added + 1, sizeof *uses);
    size_t count = files && uses ? find_files(objects, files) : 0;

    for (size_t i = 0; i < count; i++)
        uses[i] = files[i]->uses;
    workload->most_used_count = count < WORKLOAD_FILES_MAXIMUM ? count : WORKLOAD_FILES_MAXIMUM;
    name_most_used(workload, files);
    workload->files[0] = (double)count;
    workload->files[1] = objects_fit_zipf(uses, count);
    workload->file_size = mean_size(objects);
    free(files);
    free(uses);
}
