/* Experiment: how much slower calls are if they use the same object at the same time. */
#include <stdio.h>

#include "characterize/burst.h"
#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "common/append.h"
#include "common/counted.h"
#include "nfs/objects/scratch_name.h"

enum { CONNECTIONS = 4, OBJECTS = CONNECTIONS, CALLS = 2 * CONNECTIONS, BYTES = 4096 };
enum { READS = 4, LIST_BYTES = 4096 };

/* Kinds of conflicts. For each, calls on separate objects are compared with calls on one object. */
enum conflict { CREATES, WRITES, GETATTRS, READDIRS, CONFLICTS };

static const struct {
    const char *name, *alone, *together, *meaning;
} conflict_types[CONFLICTS] = {
    [CREATES] = {"CREATE, REMOVE", "in 4 directories", "in one directory",
                 "Jobs that create many files at once are faster if each has its own directory."},
    [WRITES] = {"WRITE", "to 4 files", "to one file",
                "Jobs that write at once are faster if each has its own file."},
    [GETATTRS] = {"GETATTR", "while another file is written", "while the same file is written",
                  "ls -l and open() are slow for files that are being written."},
    [READDIRS] = {"READDIR", "while another directory changes", "while the same directory changes",
                  "Listing a directory is slow while files are created in it."},
};

struct locks {
    struct nfs_handle directories[OBJECTS], files[OBJECTS];
    struct burst burst; /* connections for the calls of CREATES and WRITES */
    struct encoded_calls creates[2], removes[2], writes[2];
    struct channel_message changes[2]; /* CREATE and REMOVE in the first directory, in turn */
    struct channel *channel;
    /* First index: 0 is GETATTR, 1 is READDIR. Second index: 1 is the object that is changed, 0 is
     * another object. */
    struct channel_message reads[2][2];
    unsigned later; /* number of replies with NFS3ERR_JUKEBOX */
};

/* Calls are for all objects in turn or, if TOGETHER, for the first object. */

struct filling {
    const struct locks *locks;
    bool together;
    char name[NFS_VARIANT_NAME_SIZE]; /* name in a call's arguments, until the call is encoded */
    char data[BYTES];
};

static size_t choose_object(const struct filling *filling, size_t number)
{
    return filling->together ? 0 : number % OBJECTS;
}

static diropargs3 next_name(struct filling *filling, size_t number)
{
    const struct nfs_handle *directory =
        &filling->locks->directories[choose_object(filling, number)];

    nfs_scratch_filler_name(filling->name, (uint32_t)number);
    return (diropargs3){nfs_handle_argument(directory), filling->name};
}

static void fill_create(void *context, size_t number, union nfs_arguments *arguments)
{
    arguments->create.where = next_name(context, number);
    arguments->create.how.mode = UNCHECKED;
}

static void fill_remove(void *context, size_t number, union nfs_arguments *arguments)
{
    arguments->remove.object = next_name(context, number);
}

static void fill_write(void *context, size_t number, union nfs_arguments *arguments)
{
    struct filling *filling = context;
    const struct nfs_handle *file = &filling->locks->files[choose_object(filling, number)];

    arguments->write = (WRITE3args){.file = nfs_handle_argument(file),
                                    .offset = (uint64_t)number * BYTES,
                                    .count = BYTES,
                                    .data = {BYTES, filling->data}};
}

static void make_changes(struct testbed *testbed, struct locks *locks, bool together)
{
    struct filling filling = {.locks = locks, .together = together};

    burst_encode(&locks->creates[together], testbed, "create", CALLS, fill_create, &filling);
    burst_encode(&locks->removes[together], testbed, "remove", CALLS, fill_remove, &filling);
    burst_encode(&locks->writes[together], testbed, "write", CALLS, fill_write, &filling);
}

static void make_reads(struct testbed *testbed, struct locks *locks, bool together)
{
    const size_t object = together ? 0 : 1;
    union nfs_arguments getattr = {.getattr.object = nfs_handle_argument(&locks->files[object])};
    union nfs_arguments readdir = {
        .readdir = {.dir = nfs_handle_argument(&locks->directories[object]), .count = LIST_BYTES}};

    locks->reads[0][together] = testbed_message(testbed, "getattr", &getattr);
    locks->reads[1][together] = testbed_message(testbed, "readdir", &readdir);
}

static void prepare_locks(struct testbed *testbed, void *state)
{
    struct locks *locks = state;

    locks->channel = testbed_connect(testbed, NULL);
    for (size_t i = 0; i < OBJECTS; i++) {
        testbed_make_directory(testbed, &locks->directories[i]);
        testbed_make_file(testbed, NULL, &locks->files[i]);
    }
    for (size_t together = 0; together < 2; together++) {
        make_changes(testbed, locks, together);
        make_reads(testbed, locks, together);
    }
    if (testbed->code)
        return;
    locks->changes[0] = locks->creates[true].messages[0];
    locks->changes[1] = locks->removes[true].messages[0];
    burst_open(&locks->burst, testbed, CONNECTIONS, 1);
}

/* Calls */

static uint64_t change_names(struct locks *locks, bool together)
{
    const uint64_t creating = burst_run(&locks->burst, &locks->creates[together], CALLS);

    return (creating + burst_run(&locks->burst, &locks->removes[together], CALLS)) / (2 * CALLS);
}

static uint64_t write_files(struct locks *locks, bool together)
{
    return burst_run(&locks->burst, &locks->writes[together], CALLS) / CALLS;
}

/* Repeat the call in MESSAGE without pauses until its status is not NFS3ERR_JUKEBOX. The
 * repetitions are part of the conflict's cost, so they are timed. Returns false on failure. */
static bool call_until_ready(struct testbed *testbed, struct locks *locks,
                             const struct channel_message *message, struct channel_reply *reply)
{
    while (testbed_transact(testbed, locks->channel, message, reply)) {
        if (testbed_status_of(reply) != NFS3ERR_JUKEBOX)
            return true;
        locks->later++;
    }
    return false;
}

/* Make READS timed calls of OP after one untimed call. Returns their mean, ticks; 0 on failure. */
static uint64_t read_some(struct testbed *testbed, struct locks *locks,
                          const struct channel_message *message, const char *op)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i <= READS; i++) {
        const uint64_t started = testbed->clock.start();
        struct channel_reply reply;

        if (!call_until_ready(testbed, locks, message, &reply))
            return 0;
        if (testbed_status_of(&reply) != NFS3_OK)
            testbed->code =
                testbed_refuse(op, (nfsstat3)testbed_status_of(&reply), &testbed->error);
        sum += i > 0 ? testbed->clock.stop() - started : 0;
    }
    return sum / READS;
}

/* Time READDIRs of a directory (if LIST) or GETATTRs of a file. Meanwhile, CREATE and REMOVE of one
 * name change the first directory, or WRITEs change the first file. If TOGETHER, the reads are of
 * the changed object, else of another. CREATE and REMOVE have a queue depth of 1, because the
 * server may execute simultaneous calls in any order. */
static uint64_t read_meanwhile(struct testbed *testbed, struct locks *locks, bool list,
                               bool together)
{
    const struct encoded_calls changes = {
        .op = "create", .messages = locks->changes, .variants = 2};
    struct burst burst;
    uint64_t ticks;

    if (!burst_start(&burst, testbed, list ? 1 : CONNECTIONS,
                     list ? &changes : &locks->writes[true]))
        return 0;
    ticks = read_some(testbed, locks, &locks->reads[list][together], list ? "readdir" : "getattr");
    burst_stop(&burst);
    return ticks;
}

/* Make the calls of SERIES. Series number 2 * CONFLICT uses separate objects, 2 * CONFLICT + 1 uses
 * one object. Returns the mean time of a GETATTR or READDIR, ticks. For CREATES and WRITES, whose
 * calls are in flight together, returns the time of all calls divided by their number. */
static uint64_t call_in_conflict(struct testbed *testbed, void *state, size_t series)
{
    struct locks *locks = state;
    const enum conflict conflict = (enum conflict)(series / 2);
    const bool together = series % 2;

    switch (conflict) {
    case CREATES:
        return change_names(locks, together);
    case WRITES:
        return write_files(locks, together);
    default:
        return read_meanwhile(testbed, locks, conflict == READDIRS, together);
    }
}

struct figures {
    struct interval alone, together, ratio;
    enum gain cost; /* whether calls on separate objects are faster */
};

static struct figures estimate_conflict(struct testbed *testbed, enum conflict conflict)
{
    const size_t alone = 2 * (size_t)conflict, together = alone + 1;
    struct figures figures = {.alone = timing_level(testbed, alone),
                              .together = timing_level(testbed, together),
                              .ratio = timing_ratio(testbed, together, alone)};

    figures.cost = gain_classify(&figures.ratio);
    return figures;
}

static void report_conflict(struct character_answer *answer, enum conflict conflict,
                            const struct figures *figures)
{
    const char *name = conflict_types[conflict].name;

    answer_figure(answer, answer_named("%s alone", name).text, figures->alone, "us", "%s",
                  conflict_types[conflict].alone);
    answer_figure(answer, answer_named("%s together", name).text, figures->together, "us", "%s",
                  conflict_types[conflict].together);
    answer_figure(answer, answer_named("conflict, %s", name).text, figures->ratio, "times", "%s",
                  figures->cost == GAIN_SOME   ? "slower in conflict"
                  : figures->cost == GAIN_NONE ? "no slower in conflict"
                                               : "not known, because the figures vary too much");
}

/* Write the conflicts whose cost is COST to TEXT: "CREATE, REMOVE in one directory, WRITE to one
 * file". Returns the number of conflicts. */
static unsigned list_conflicts(const struct figures figures[CONFLICTS], enum gain cost,
                               char text[256])
{
    unsigned count = 0;

    text[0] = '\0';
    for (enum conflict conflict = 0; conflict < CONFLICTS; conflict++)
        if (figures[conflict].cost == cost) {
            append_item(text, 256, "%s %s", conflict_types[conflict].name,
                        conflict_types[conflict].together);
            count++;
        }
    return count;
}

static void answer_locks(struct character_answer *answer, const struct figures figures[CONFLICTS])
{
    char slower[256], unclear[256];
    unsigned count = list_conflicts(figures, GAIN_SOME, slower);
    unsigned unknown = list_conflicts(figures, GAIN_UNKNOWN, unclear);

    answer_set(answer, "%s%s.%s%s%s",
               count ? "Conflicts cost time: " : "No conflict was seen to cost time",
               count ? slower : "",
               unknown ? " Not known, because the figures vary too much: " : "", unclear,
               unknown ? "." : "");
    for (enum conflict conflict = 0; conflict < CONFLICTS; conflict++)
        if (figures[conflict].cost == GAIN_SOME)
            answer_add_meaning(answer, "%s", conflict_types[conflict].meaning);
    if (count == 0 && unknown == 0)
        answer_add_meaning(answer,
                           "A few clients can share directories and files without loss of speed.");
}

static void conclude_locks(struct testbed *testbed, void *state)
{
    const struct locks *locks = state;
    struct figures figures[CONFLICTS];

    for (enum conflict conflict = 0; conflict < CONFLICTS; conflict++) {
        figures[conflict] = estimate_conflict(testbed, conflict);
        report_conflict(testbed->answer, conflict, &figures[conflict]);
    }
    if (locks->later > 0)
        answer_detail(testbed->answer, "NFS3ERR_JUKEBOX", "%s; each call was repeated at once",
                      counted(locks->later, "reply").text);
    answer_locks(testbed->answer, figures);
}

const struct experiment experiment_locks = {
    .name = "locks",
    .question = "How much slower are calls that concern the same directory or file?",
    .unknown = "More clients at once; whether a server that carries out one call at a time (see "
               "parallel) has locks at all; locks on byte ranges of files.",
    .need = {.full = 225, .quick = 225},
    .works_in_directory = true,
    .state_size = sizeof(struct locks),
    .prepare = prepare_locks,
    .timing =
        {.series = 2 * CONFLICTS, .calls = 1, .full = 80, .quick = 12, .call = call_in_conflict},
    .conclude = conclude_locks,
};
