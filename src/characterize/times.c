/* Experiment: resolution of the server's times, and whether each change updates the ctime. */

#include "characterize/experiment.h"
#include "characterize/judgement.h"

enum { WRITES_MAXIMUM = 400 };

struct times {
    uint64_t modified, changed; /* ns */
};

static uint64_t in_ns(const nfstime3 *time)
{
    return time->seconds * UINT64_C(1000000000) + time->nseconds;
}

static void get_times(struct testbed *testbed, const struct nfs_handle *file, struct times *times)
{
    union nfs_arguments arguments = {.getattr.object = nfs_handle_argument(file)};
    union nfs_result result;
    const fattr3 *attributes = &result.getattr.GETATTR3res_u.resok.obj_attributes;

    if (!testbed_call_ok(testbed, "getattr", &arguments, &result))
        return;
    *times = (struct times){in_ns(&attributes->mtime), in_ns(&attributes->ctime)};
    nfs_free_result("getattr", &result);
}

static void write_byte(struct testbed *testbed, const struct nfs_handle *file, unsigned number)
{
    char byte = (char)number;
    union nfs_arguments arguments = {.write = {.file = nfs_handle_argument(file),
                                               .count = 1,
                                               .stable = UNSTABLE,
                                               .data = {.data_len = 1, .data_val = &byte}}};

    testbed_call_timed(testbed, "write", &arguments);
}

static void change_mode(struct testbed *testbed, const struct nfs_handle *file, unsigned number)
{
    union nfs_arguments arguments = {
        .setattr = {
            .object = nfs_handle_argument(file),
            .new_attributes.mode = {.set_it = TRUE, .set_mode3_u.mode = number % 2 ? 0600 : 0640}}};

    testbed_call_timed(testbed, "setattr", &arguments);
}

/* A file's times after each of several changes. */
struct watched {
    uint64_t modified[WRITES_MAXIMUM], changed[WRITES_MAXIMUM];
    size_t count;
};

typedef void change_file(struct testbed *testbed, const struct nfs_handle *file, unsigned number);

static void watch_times(struct testbed *testbed, const struct nfs_handle *file, change_file *change,
                        struct watched *watched)
{
    const unsigned changes = testbed_scaled(testbed, WRITES_MAXIMUM, WRITES_MAXIMUM / 4);

    for (watched->count = 0; watched->count < changes && testbed->code == 0; watched->count++) {
        struct times times = {0};

        change(testbed, file, (unsigned)watched->count);
        get_times(testbed, file, &times);
        watched->modified[watched->count] = times.modified;
        watched->changed[watched->count] = times.changed;
    }
}

static void report_moves(struct character_answer *answer, const char *name, const char *what,
                         const uint64_t *times, size_t count)
{
    const double share = 100.0 * (double)granularity_moves(times, count) / (double)(count - 1);

    answer_figure(answer, name, figure_without_interval(share), "%", "of %zu %s changed it",
                  count - 1, what);
}

/* Write NS as "1 ns" or "4 ms" to TEXT. */
static void describe_ns(double ns, char text[32])
{
    if (ns >= 1e9)
        snprintf(text, 32, "%.3g s", ns / 1e9);
    else if (ns >= 1e6)
        snprintf(text, 32, "%.3g ms", ns / 1e6);
    else if (ns >= 1e3)
        snprintf(text, 32, "%.3g us", ns / 1e3);
    else
        snprintf(text, 32, "%.3g ns", ns);
}

static void report_steps(struct character_answer *answer, const struct watched *writes)
{
    const uint64_t unit = granularity_unit(writes->modified, writes->count);
    const double step = granularity_least_step(writes->modified, writes->count);
    char text[32];

    if (unit == 0) {
        answer_detail(answer, "least step of mtime", "not known: no WRITE changed it");
        return;
    }
    describe_ns((double)unit, text);
    answer_figure(answer, "least step of mtime", figure_without_interval(step / 1000), "us",
                  "between two WRITEs; all times are multiples of %s", text);
}

static void answer_times(struct character_answer *answer, const struct watched *writes,
                         const struct watched *modes)
{
    const size_t moved_by_writes = granularity_moves(writes->changed, writes->count);
    const size_t moved = moved_by_writes + granularity_moves(modes->changed, modes->count);
    const size_t changes = writes->count + modes->count - 2;

    answer_set(answer, "%s: %zu of %zu changes moved the change time.",
               moved == changes ? "Yes"
               : moved == 0     ? "No"
                                : "Not always",
               moved, changes);
    if (moved == changes)
        answer_add_meaning(
            answer, "A client that compares change times notices every change at this rate.");
    else if (moved_by_writes == 0 && moved > 0)
        answer_add_meaning(answer,
                           "WRITEs leave the change time unchanged, against RFC 1813: backups and "
                           "clients that rely on it miss new data.");
    else
        answer_add_meaning(answer,
                           "Changes within one step of the server's clock get the same change "
                           "time: a client that cached data between two of them does not notice "
                           "the second one, and make and backups may miss it.");
}

static void conclude_times(struct testbed *testbed, void *state)
{
    struct watched *writes = state, *modes = writes + 1;
    struct character_answer *answer = testbed->answer;
    struct nfs_handle file;

    testbed_make_file(testbed, NULL, &file);
    watch_times(testbed, &file, write_byte, writes);
    watch_times(testbed, &file, change_mode, modes);
    if (testbed->code)
        return;
    report_moves(answer, "ctime after WRITE", "WRITEs", writes->changed, writes->count);
    report_moves(answer, "mtime after WRITE", "WRITEs", writes->modified, writes->count);
    report_moves(answer, "ctime after SETATTR", "SETATTRs of the mode", modes->changed,
                 modes->count);
    report_steps(answer, writes);
    answer_times(answer, writes, modes);
}

const struct experiment experiment_times = {
    .name = "times",
    .question = "Does each change update the change time, and how fine are times?",
    .unknown =
        "Faster changes, such as those of several clients at once; access times; directories.",
    .need = {.full = 1655, .quick = 410},
    .works_in_directory = true,
    .state_size = 2 * sizeof(struct watched),
    .conclude = conclude_times,
};
