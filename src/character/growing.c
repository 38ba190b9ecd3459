#include "character/growing.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "nfs/scratch_name.h"

enum {
    TRIALS = 3,
    SLOW_MS = 200,
    SIZES_LEAST = 2,
    DEPTH = 16,
    CHUNK = 1000,
    MORE_THAN_MADE = 64 /* "." and ".." */
};

/* What a directory may take: to be filled in all, to be listed once, and to be emptied one by one.
 */
enum { FULL_FILL_MS = 5000, QUICK_FILL_MS = 1000 };
enum { FULL_LIST_MS = 2000, QUICK_LIST_MS = 200 };
enum { FULL_EMPTY_MS = 60000, QUICK_EMPTY_MS = 10000 };

/* Changing many names */

struct names {
    const struct nfs_handle *directory;
    uint32_t first;
};

static diropargs3 place(const void *context, size_t number)
{
    static char name[NFS_VARIANT_NAME_SIZE];
    const struct names *names = context;

    nfs_scratch_filler_name(name, names->first + (uint32_t)number);
    return (diropargs3){nfs_handle_argument(names->directory), name};
}

static void fill_create(const void *context, size_t number, union nfs_arguments *arguments)
{
    arguments->create = (CREATE3args){.where = place(context, number), .how.mode = UNCHECKED};
}

static void fill_remove(const void *context, size_t number, union nfs_arguments *arguments)
{
    arguments->remove.object = place(context, number);
}

/* CREATE or REMOVE all names up to COUNT, until END_NS at most. *DONE is how many. */
static int change_names(struct growing *growing, bool remove, const struct nfs_handle *directory,
                        uint32_t count, uint64_t end_ns, uint32_t *done, struct error *error)
{
    int code = 0;

    for (*done = 0; *done < count && code == 0 && clock_raw_ns() < end_ns;) {
        const struct names names = {directory, *done};
        const uint32_t chunk = count - *done < CHUNK ? count - *done : CHUNK;
        struct crowd_calls calls;
        uint64_t ticks;

        code = crowd_calls_make(&calls, growing->lab, remove ? "remove" : "create", chunk,
                                remove ? fill_remove : fill_create, &names, error);
        if (code == 0)
            code = crowd_run(&growing->many, &calls, chunk, &ticks, error);
        *done += code == 0 ? chunk : 0;
        crowd_calls_free(&calls);
    }
    return code;
}

/* Calls */

static int call_by_name(struct growing *growing, const char *op, size_t size, uint32_t number,
                        uint64_t *ticks, struct error *error)
{
    const struct names names = {&growing->handles[size], number};
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    if (strcmp(op, "lookup") == 0)
        arguments.lookup.what = place(&names, 0);
    else if (strcmp(op, "remove") == 0)
        fill_remove(&names, 0, &arguments);
    else
        fill_create(&names, 0, &arguments);
    return lab_call_timed(growing->lab, op, &arguments, ticks, error);
}

int growing_call(struct growing *growing, enum growing_operation operation, size_t size,
                 uint64_t *ticks, struct error *error)
{
    const uint32_t new_name = growing->sizes[size];
    uint64_t other;
    int code;

    if (operation >= GROWING_READDIR)
        return crowd_list(&growing->one, &growing->lists[operation - GROWING_READDIR][size], ticks,
                          error);
    if (operation == GROWING_LOOKUP)
        return call_by_name(growing, "lookup", size, growing->turn++ * 7919 % growing->sizes[size],
                            ticks, error);
    code = call_by_name(growing, "create", size, new_name,
                        operation == GROWING_CREATE ? ticks : &other, error);
    return code ? code
                : call_by_name(growing, "remove", size, new_name,
                               operation == GROWING_REMOVE ? ticks : &other, error);
}

int growing_walk(struct growing *growing, bool plus, uint32_t bytes, size_t size, uint64_t *ticks,
                 struct error *error)
{
    struct lab *lab = growing->lab;
    const uint64_t started = lab->clock.start();
    uint64_t entries;
    int code = lab_goes_on(lab, error);

    if (code == 0)
        code = nfs_walk(lab->client, &growing->handles[size], "a directory", plus, bytes,
                        growing->sizes[size] + MORE_THAN_MADE, &entries, error);
    *ticks = lab->clock.stop() - started;
    lab->calls++;
    return code;
}

/* Growing */

static int prepare_lists(struct growing *growing, size_t size, struct error *error)
{
    static const char *const ops[] = {"readdir-all", "readdirplus-all"};
    const struct lab *lab = growing->lab;
    int code = 0;

    growing->objects[size] = lab->setup.objects;
    growing->objects[size].directory = growing->handles[size];
    for (size_t plus = 0; plus < 2 && code == 0; plus++)
        code = nfs_call_make(&growing->lists[plus][size], nfs_procedure_find(ops[plus]),
                             &growing->objects[size], &lab->plan->run.identity, 1, error);
    return code;
}

/* Make a directory of SIZE entries, or of fewer if the time is over before: then it counts only if
 * it is at least twice as large as the last. */
static int add(struct growing *growing, uint32_t size, uint64_t end_ns, struct error *error)
{
    const size_t at = growing->count;
    uint32_t made = 0;
    int code = lab_make_directory(growing->lab, &growing->handles[at], error);

    growing->made += code == 0;
    if (code == 0)
        code = change_names(growing, false, &growing->handles[at], size, end_ns, &made, error);
    growing->sizes[at] = made;
    if (code || made == 0 || (at > 0 && made < 2 * growing->sizes[at - 1]))
        return code;
    code = prepare_lists(growing, at, error);
    growing->count += code == 0;
    return code;
}

/* What it takes to list and to empty the largest directory, ms: by the quickest of some calls,
 * since a busy machine can make any of them slow. */
struct burden {
    double list, empty;
};

static int find_quickest(struct growing *growing, enum growing_operation operation, double *ms,
                         struct error *error)
{
    uint64_t least = UINT64_MAX;
    int code = 0;

    *ms = 0;
    for (unsigned i = 0; i < TRIALS && *ms < SLOW_MS && !lab_is_over(code, error); i++) {
        uint64_t ticks = 0;

        code = growing_call(growing, operation, growing->count - 1, &ticks, error);
        least = ticks < least ? ticks : least;
        *ms = (double)least * growing->lab->clock.ns_per_tick / 1e6;
    }
    return lab_is_over(code, error) ? code : 0;
}

static int weigh(struct growing *growing, struct burden *burden, struct error *error)
{
    int code = find_quickest(growing, GROWING_READDIRPLUS, &burden->list, error);

    if (code == 0)
        code = find_quickest(growing, GROWING_REMOVE, &burden->empty, error);
    burden->empty *= growing->sizes[growing->count - 1];
    return code;
}

/* What the next size, STEP times as large, may take: STEP times more where this one takes far more
 * than in proportion to the one BEFORE. */
static double next_burden(double now, double before)
{
    return now * GROWING_STEP * (now > 2 * GROWING_STEP * before ? GROWING_STEP : 1);
}

static bool may_step(const struct lab *lab, const struct burden *now, const struct burden *before)
{
    return next_burden(now->list, before->list) < lab_scaled(lab, FULL_LIST_MS, QUICK_LIST_MS) &&
           next_burden(now->empty, before->empty) < lab_scaled(lab, FULL_EMPTY_MS, QUICK_EMPTY_MS);
}

/* A directory whose list takes too long is left out. */
static bool is_too_large(const struct growing *growing, const struct burden *now)
{
    return growing->count > SIZES_LEAST &&
           now->list > lab_scaled(growing->lab, FULL_LIST_MS, QUICK_LIST_MS);
}

static int grow(struct growing *growing, struct error *error)
{
    const struct lab *lab = growing->lab;
    const uint32_t most = lab->plan->entries;
    const uint64_t end_ns =
        clock_raw_ns() + lab_scaled(lab, FULL_FILL_MS, QUICK_FILL_MS) * UINT64_C(1000000);
    struct burden now = {INFINITY, INFINITY}, before;
    uint32_t size = GROWING_FIRST;
    bool more = true;
    int code = 0;

    while (code == 0 && more) {
        code = add(growing, size, end_ns, error);
        if (code || growing->count == 0 || growing->sizes[growing->count - 1] != size ||
            size == most)
            break;
        before = now;
        code = weigh(growing, &now, error);
        more = growing->count < SIZES_LEAST || may_step(lab, &now, &before);
        if (code == 0 && is_too_large(growing, &now)) {
            growing->count--;
            break;
        }
        size = size * GROWING_STEP < most ? size * GROWING_STEP : most;
    }
    if (code == 0 && growing->count < SIZES_LEAST)
        code = error_set(error, ERROR_FAILED, -ETIME, "making some hundred files took too long");
    return code;
}

int growing_open(struct growing *growing, struct lab *lab, struct error *error)
{
    int code;

    *growing = (struct growing){.lab = lab};
    code = crowd_open(&growing->many, lab, 1, DEPTH, error);
    if (code == 0)
        code = crowd_open(&growing->one, lab, 1, 1, error);
    return code ? code : grow(growing, error);
}

void growing_close(struct growing *growing)
{
    struct error ignored;
    uint32_t removed;

    for (size_t i = 0; i < growing->made; i++)
        if (growing->many.engine)
            change_names(growing, true, &growing->handles[i], growing->sizes[i],
                         growing->lab->ends_ns, &removed, &ignored);
    crowd_close(&growing->many);
    crowd_close(&growing->one);
    for (size_t i = 0; i < GROWING_SIZES; i++)
        for (size_t plus = 0; plus < 2; plus++)
            nfs_call_free(&growing->lists[plus][i]);
}
