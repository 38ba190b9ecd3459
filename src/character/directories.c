/* How calls on a directory become slower as it grows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/crowd.h"
#include "character/experiment.h"
#include "character/growth.h"
#include "nfs/scratch_name.h"

enum {
    SIZES = 4,
    FULL_SIZES = SIZES,
    QUICK_SIZES = 3,
    SIZES_LEAST = 2,
    FIRST_SIZE = 10,
    STEP = 10
};
enum { DEPTH = 16, FULL_FILL_MS = 4000, QUICK_FILL_MS = 1000 };

enum operation { LOOKUPS, CREATES, REMOVES, LISTS, LISTS_PLUS, OPERATIONS };

static const char *const operation_names[OPERATIONS] = {[LOOKUPS] = "LOOKUP",
                                                        [CREATES] = "CREATE",
                                                        [REMOVES] = "REMOVE",
                                                        [LISTS] = "READDIR, all",
                                                        [LISTS_PLUS] = "READDIRPLUS, all"};

struct directories {
    struct lab *lab;
    size_t count; /* of the sizes that there are */
    uint32_t sizes[SIZES];
    struct nfs_handle handles[SIZES];
    uint32_t turn; /* chooses the names that are looked up */
    struct crowd crowd;
    struct nfs_objects objects[SIZES];
    struct nfs_call lists[2][SIZES]; /* by READDIR, by READDIRPLUS */
};

/* Filling */

static void fill_create(const void *context, size_t number, union nfs_arguments *arguments)
{
    static char name[NFS_VARIANT_NAME_SIZE];

    nfs_scratch_filler_name(name, (uint32_t)number);
    arguments->create.where = (diropargs3){nfs_handle_argument(context), name};
    arguments->create.how.mode = UNCHECKED;
}

static int fill(struct directories *directories, struct crowd *crowd, struct error *error)
{
    const size_t at = directories->count;
    const struct nfs_handle *handle = &directories->handles[at];
    struct crowd_calls calls = {.variants = 0};
    uint64_t ticks;
    int code = lab_make_directory(directories->lab, &directories->handles[at], error);

    if (code == 0)
        code = crowd_calls_make(&calls, directories->lab, "create", directories->sizes[at],
                                fill_create, handle, error);
    if (code == 0)
        code = crowd_run(crowd, &calls, directories->sizes[at], &ticks, error);
    crowd_calls_free(&calls);
    directories->count += code == 0;
    return code;
}

/* Is there time for a directory that is STEP times as large as the last? */
static bool may_go_on(const struct lab *lab, uint64_t last_ns)
{
    return last_ns * STEP < lab_scaled(lab, FULL_FILL_MS, QUICK_FILL_MS) * UINT64_C(1000000);
}

static int fill_all(struct directories *directories, struct error *error)
{
    const unsigned most = lab_scaled(directories->lab, FULL_SIZES, QUICK_SIZES);
    struct crowd crowd;
    uint64_t took_ns = 0;
    int code = crowd_open(&crowd, directories->lab, 1, DEPTH, error);

    for (uint32_t size = FIRST_SIZE;
         directories->count < most && code == 0 && may_go_on(directories->lab, took_ns);
         size *= STEP) {
        const uint64_t began = clock_raw_ns();

        directories->sizes[directories->count] = size;
        code = fill(directories, &crowd, error);
        took_ns = clock_raw_ns() - began;
    }
    crowd_close(&crowd);
    if (code == 0 && directories->count < SIZES_LEAST)
        code = error_set(error, ERROR_FAILED, -ETIME, "making %u files took too long", FIRST_SIZE);
    return code;
}

/* Calls */

static int call_by_name(struct directories *directories, enum operation operation, size_t size,
                        uint32_t number, uint64_t *ticks, struct error *error)
{
    static const char *const ops[] = {
        [LOOKUPS] = "lookup", [CREATES] = "create", [REMOVES] = "remove"};
    struct lab *lab = directories->lab;
    char name[NFS_VARIANT_NAME_SIZE];
    diropargs3 place = {nfs_handle_argument(&directories->handles[size]), name};
    union nfs_arguments arguments;
    union nfs_result result;
    uint64_t started;
    int code;

    nfs_scratch_filler_name(name, number);
    memset(&arguments, 0, sizeof arguments);
    if (operation == LOOKUPS)
        arguments.lookup.what = place;
    else if (operation == REMOVES)
        arguments.remove.object = place;
    else
        arguments.create = (CREATE3args){.where = place, .how.mode = UNCHECKED};
    started = lab->clock.start();
    code = lab_call_well(lab, ops[operation], &arguments, &result, error);
    *ticks = lab->clock.stop() - started;
    if (code == 0)
        nfs_free_result(ops[operation], &result);
    return code;
}

/* A CREATE is undone and a REMOVE made possible outside of the time. */
static int call_one(struct directories *directories, enum operation operation, size_t size,
                    uint64_t *ticks, struct error *error)
{
    const uint32_t new_name = directories->sizes[size];
    uint64_t other;
    int code;

    if (operation == LOOKUPS)
        return call_by_name(directories, LOOKUPS, size,
                            directories->turn++ * 7919 % directories->sizes[size], ticks, error);
    code = call_by_name(directories, CREATES, size, new_name, operation == CREATES ? ticks : &other,
                        error);
    return code ? code
                : call_by_name(directories, REMOVES, size, new_name,
                               operation == REMOVES ? ticks : &other, error);
}

static int prepare_lists(struct directories *directories, struct error *error)
{
    static const char *const ops[] = {"readdir-all", "readdirplus-all"};
    struct lab *lab = directories->lab;
    int code = crowd_open(&directories->crowd, lab, 1, 1, error);

    for (size_t i = 0; i < directories->count && code == 0; i++) {
        directories->objects[i] = lab->setup.objects;
        directories->objects[i].directory = directories->handles[i];
        for (size_t plus = 0; plus < 2 && code == 0; plus++)
            code = nfs_call_make(&directories->lists[plus][i], nfs_procedure_find(ops[plus]),
                                 &directories->objects[i], &lab->plan->run.identity, 1, error);
    }
    return code;
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct directories *directories = context;
    const size_t size = arm % directories->count;
    const enum operation operation = (enum operation)(arm / directories->count);

    return operation >= LISTS
               ? crowd_list(&directories->crowd, &directories->lists[operation - LISTS][size],
                            ticks, error)
               : call_one(directories, operation, size, ticks, error);
}

/* The answer */

/* "12.1 us at 10, 13 us at 100". */
static void list_levels(const struct directories *directories, const double *costs, char text[160])
{
    size_t used = 0;

    for (size_t i = 0; i < directories->count; i++)
        used += (size_t)snprintf(text + used, 160 - used, "%s%.3g at %u", i ? ", " : "", costs[i],
                                 directories->sizes[i]);
}

static int fit(struct directories *directories, const struct arms *arms, enum operation operation,
               struct character_answer *answer, struct growth_fit *fit, struct error *error)
{
    const size_t first = (size_t)operation * directories->count;
    double numbers[SIZES], costs[SIZES];
    const double largest = directories->sizes[directories->count - 1];
    struct interval level = {0, 0, 0};
    char text[160], entry[48] = "";
    int code = 0;

    for (size_t i = 0; i < directories->count && code == 0; i++) {
        code = arms_level(arms, first + i, &level, error);
        numbers[i] = directories->sizes[i];
        costs[i] = level.estimate;
    }
    if (code)
        return code;
    if (operation >= LISTS)
        growth_fit_total(fit, numbers, costs, directories->count);
    else
        growth_fit(fit, numbers, costs, directories->count);
    list_levels(directories, costs, text);
    if (operation >= LISTS)
        snprintf(entry, sizeof entry, ", %.2f us an entry", level.estimate / largest);
    answer_figure(answer, operation_names[operation], &level, "us",
                  "at %.0f entries%s; %s (misfit %.0f %%): %s us", largest, entry,
                  growth_names[fit->growth], 100 * fit->misfit, text);
    return 0;
}

/* "LOOKUP constant; CREATE linear". */
static void list_forms(const struct growth_fit fits[OPERATIONS], char text[256])
{
    size_t used = 0;

    for (enum operation operation = 0; operation < OPERATIONS; operation++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%s %s", operation ? "; " : "",
                                 operation_names[operation], growth_names[fits[operation].growth]);
}

/* One of no simple form is not known to grow so. */
static bool is_at_least(const struct growth_fit *fit, enum growth growth)
{
    return fit->growth >= growth && fit->growth != GROWTH_OTHER;
}

static void conclude(struct character_answer *answer, const struct directories *directories,
                     const struct growth_fit fits[OPERATIONS])
{
    const bool calls = is_at_least(&fits[LOOKUPS], GROWTH_LINEAR) ||
                       is_at_least(&fits[CREATES], GROWTH_LINEAR) ||
                       is_at_least(&fits[REMOVES], GROWTH_LINEAR);
    const bool lists =
        is_at_least(&fits[LISTS], GROWTH_MORE) || is_at_least(&fits[LISTS_PLUS], GROWTH_MORE);
    char forms[256];

    list_forms(fits, forms);
    answer_say(answer, "Costs over directories of %u to %u entries: %s%s.", directories->sizes[0],
               directories->sizes[directories->count - 1], forms,
               directories->count == SIZES_LEAST
                   ? " (of two sizes, which show only whether a cost grows)"
                   : "");
    if (calls)
        answer_mean(answer, "Large directories are slow: spread files over several.");
    if (lists)
        answer_mean(answer,
                    "An entry of a list costs more in a large directory: ls takes more than "
                    "in proportion to its size.");
    if (!calls && !lists)
        answer_mean(answer, "Up to this size a directory may hold as many files as suits.");
}

static int measure(struct directories *directories, struct character_answer *answer,
                   struct error *error)
{
    struct arms arms = {.lab = directories->lab,
                        .count = OPERATIONS * directories->count,
                        .calls = 1,
                        .call = call,
                        .context = directories,
                        .time_ns = lab_rounds_ns(directories->lab)};
    struct growth_fit fits[OPERATIONS];
    int code = arms_run(&arms, lab_scaled(directories->lab, 60, 10), error);

    for (enum operation operation = 0; operation < OPERATIONS && code == 0; operation++)
        code = fit(directories, &arms, operation, answer, &fits[operation], error);
    arms_close(&arms);
    if (code == 0)
        conclude(answer, directories, fits);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct directories *directories = calloc(1, sizeof *directories);
    int code;

    if (!directories)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for directories");
    directories->lab = lab;
    code = fill_all(directories, error);
    if (code == 0)
        code = prepare_lists(directories, error);
    if (code == 0)
        code = measure(directories, answer, error);
    crowd_close(&directories->crowd);
    for (size_t i = 0; i < 2 * SIZES; i++)
        nfs_call_free(&directories->lists[i / SIZES][i % SIZES]);
    free(directories);
    return code;
}

const struct experiment experiment_directories = {
    .name = "directories",
    .question = "How do calls on a directory become slower as it grows?",
    .unknown = "Larger directories; other names, and how they were made; directories that the "
               "server does not have in memory.",
    .works_in_directory = true,
    .run = run,
};
