/* A measurement as CSV that anyone may have written: read as compare reads it, and compared with
 * itself and with a good one, on both sides, in all forms. The output must be safe for a terminal,
 * whatever the file contains. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/result_file.h"
#include "shown.h"

/* The first word says that a file is CSV; the input is what comes after it. */
static const char first_word[] = "start,";

static const char good[] =
    "start,host,target,proto,engine,clients,depth,rate,size,op,role,quantity,value,low,high,launch,"
    "server,verdict\r\n"
    "2026-01-01T00:00:00Z,here,self:,tcp,wire,1,1,,,null,null,round_trip_ns,9000,,,,,ok\r\n"
    "2026-01-01T00:00:00Z,here,self:,tcp,wire,1,1,,,getattr,op,round_trip_ns,9500,,,,,ok\r\n"
    "2026-01-01T00:00:00Z,here,self:,tcp,wire,1,1,,,getattr,op,above_null_ns,500,490,510,,,ok\r\n";

/* Files in memory, under names that can be opened. */
enum { GOOD, ANY, FILES };

static int descriptors[FILES];
static char paths[FILES][32];

static void put(int file, const void *data, size_t size, off_t at)
{
    if (ftruncate(descriptors[file], at) != 0 ||
        pwrite(descriptors[file], data, size, at) != (ssize_t)size)
        abort();
}

/* A measurement, which the file is: it is CSV, or the good one. */
static int read_measurement(struct result *result, const char *path, struct error *error)
{
    struct result_file file;
    int code = result_file_read(&file, path, true, "fuzz", error);

    *result = file.result;
    return code;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct result result;
    struct error error;

    for (int i = 0; i < FILES; i++) {
        descriptors[i] = memfd_create("result", MFD_CLOEXEC);
        snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", descriptors[i]);
    }
    put(GOOD, good, sizeof good - 1, 0);
    put(ANY, first_word, sizeof first_word - 1, 0);
    if (read_measurement(&result, paths[GOOD], &error) != 0)
        abort(); /* everything would be refused */
    result_free(&result);
    return 0;
}

static void compare(const struct result *first, const struct result *second, FILE *out)
{
    struct compare_pair pair = {.first = first, .second = second};
    struct error error;

    if (pair_compare(&pair, &(struct compare_threshold){0.05, NAN}, NULL, &error) == 0)
        shown_comparison(&pair, out);
    free(pair.rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct result results[FILES];
    struct error error;
    char *text;
    size_t length;
    FILE *out;

    put(ANY, data, size, sizeof first_word - 1);
    if (read_measurement(&results[ANY], paths[ANY], &error) != 0)
        return 0;
    if (read_measurement(&results[GOOD], paths[GOOD], &error) != 0)
        abort();
    out = open_memstream(&text, &length);
    compare(&results[ANY], &results[ANY], out);
    compare(&results[ANY], &results[GOOD], out);
    compare(&results[GOOD], &results[ANY], out);
    shown_result(&results[ANY], out);
    fclose(out);
    shown_must_be_harmless(text);
    free(text);
    result_free(&results[ANY]);
    result_free(&results[GOOD]);
    return 0;
}
