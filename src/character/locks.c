/* What calls on one object cost that are in each other's way. */
#include <stdio.h>
#include <string.h>

#include "character/crowd.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "common/counted.h"
#include "nfs/scratch_name.h"

enum { CONNECTIONS = 4, OBJECTS = CONNECTIONS, CALLS = 2 * CONNECTIONS, BYTES = 4096 };
enum { READS = 4, LIST_BYTES = 4096 };

/* What is compared: calls on as many objects as connections, and on one. */
enum conflict { CREATES, WRITES, GETATTRS, READDIRS, CONFLICTS };

static const struct {
    const char *name, *alone, *together, *meaning;
} conflict_types[CONFLICTS] = {
    [CREATES] = {"CREATE, REMOVE", "in 4 directories", "in one directory",
                 "Jobs that make many files at once are faster with a directory for each."},
    [WRITES] = {"WRITE", "to 4 files", "to one file",
                "Jobs that write one file together are faster with a file for each."},
    [GETATTRS] = {"GETATTR", "while another file is written", "while that file is written",
                  "ls -l and opening files are slow where files are being written."},
    [READDIRS] = {"READDIR", "while another directory changes", "while that directory changes",
                  "Listing a directory is slow while files are made in it."},
};

struct locks {
    struct nfs_handle directories[OBJECTS], files[OBJECTS];
    struct crowd crowd; /* the connections */
    struct crowd_calls creates[2], removes[2], writes[2];
    struct channel_message changes[2]; /* of the first directory, in turn */
    struct channel *channel;
    struct channel_message reads[2][2]; /* GETATTR and READDIR; of another object, of the same */
    unsigned later;                     /* replies of NFS3ERR_JUKEBOX */
};

/* Messages: for different objects in turn, or all for the first. */

struct filling {
    const struct locks *locks;
    bool together;
    char name[NFS_VARIANT_NAME_SIZE]; /* until the call is encoded */
    char data[BYTES];
};

static size_t choose(const struct filling *filling, size_t number)
{
    return filling->together ? 0 : number % OBJECTS;
}

static diropargs3 place(struct filling *filling, size_t number)
{
    const struct nfs_handle *directory = &filling->locks->directories[choose(filling, number)];

    nfs_scratch_filler_name(filling->name, (uint32_t)number);
    return (diropargs3){nfs_handle_argument(directory), filling->name};
}

static void fill_create(void *context, size_t number, union nfs_arguments *arguments)
{
    arguments->create.where = place(context, number);
    arguments->create.how.mode = UNCHECKED;
}

static void fill_remove(void *context, size_t number, union nfs_arguments *arguments)
{
    arguments->remove.object = place(context, number);
}

static void fill_write(void *context, size_t number, union nfs_arguments *arguments)
{
    struct filling *filling = context;
    const struct nfs_handle *file = &filling->locks->files[choose(filling, number)];

    arguments->write = (WRITE3args){.file = nfs_handle_argument(file),
                                    .offset = (uint64_t)number * BYTES,
                                    .count = BYTES,
                                    .data = {BYTES, filling->data}};
}

static int make_changes(struct lab *lab, struct locks *locks, bool together, struct error *error)
{
    struct filling filling = {.locks = locks, .together = together};
    int code = crowd_calls_make(&locks->creates[together], lab, "create", CALLS, fill_create,
                                &filling, error);

    if (code == 0)
        code = crowd_calls_make(&locks->removes[together], lab, "remove", CALLS, fill_remove,
                                &filling, error);
    return code ? code
                : crowd_calls_make(&locks->writes[together], lab, "write", CALLS, fill_write,
                                   &filling, error);
}

static int make_reads(struct lab *lab, struct locks *locks, bool together, struct error *error)
{
    const size_t object = together ? 0 : 1;
    union nfs_arguments getattr, readdir;
    int code;

    memset(&getattr, 0, sizeof getattr);
    memset(&readdir, 0, sizeof readdir);
    getattr.getattr.object = nfs_handle_argument(&locks->files[object]);
    readdir.readdir = (READDIR3args){.dir = nfs_handle_argument(&locks->directories[object]),
                                     .count = LIST_BYTES};
    code = lab_message(lab, "getattr", &getattr, &locks->reads[0][together], error);
    return code ? code : lab_message(lab, "readdir", &readdir, &locks->reads[1][together], error);
}

static int prepare(struct lab *lab, void *state, struct character_answer *answer,
                   struct error *error)
{
    struct locks *locks = state;
    int code = lab_connect(lab, NULL, &locks->channel, error);

    for (size_t i = 0; i < OBJECTS && code == 0; i++) {
        code = lab_make_directory(lab, &locks->directories[i], error);
        if (code == 0)
            code = lab_make_file(lab, NULL, &locks->files[i], error);
    }
    for (size_t together = 0; together < 2 && code == 0; together++) {
        code = make_changes(lab, locks, together, error);
        if (code == 0)
            code = make_reads(lab, locks, together, error);
    }
    if (code)
        return code;
    locks->changes[0] = locks->creates[true].messages[0];
    locks->changes[1] = locks->removes[true].messages[0];
    return crowd_open(&locks->crowd, lab, CONNECTIONS, 1, error);
}

/* Calls */

static int change_names(struct locks *locks, bool together, uint64_t *ticks, struct error *error)
{
    uint64_t more = 0;
    int code = crowd_run(&locks->crowd, &locks->creates[together], CALLS, ticks, error);

    if (code == 0)
        code = crowd_run(&locks->crowd, &locks->removes[together], CALLS, &more, error);
    *ticks = (*ticks + more) / (2 * CALLS);
    return code;
}

static int write_files(struct locks *locks, bool together, uint64_t *ticks, struct error *error)
{
    int code = crowd_run(&locks->crowd, &locks->writes[together], CALLS, ticks, error);

    *ticks /= CALLS;
    return code;
}

/* What the server asks to be tried later is tried again at once: it is what the conflict costs. */
static int call_until_ready(struct lab *lab, struct locks *locks,
                            const struct channel_message *message, struct channel_reply *reply,
                            struct error *error)
{
    int code = lab_transact(lab, locks->channel, message, reply, error);

    while (code == 0 && lab_status_of(reply) == NFS3ERR_JUKEBOX) {
        locks->later++;
        code = lab_transact(lab, locks->channel, message, reply, error);
    }
    return code;
}

/* The first call is not timed. */
static int read_some(struct lab *lab, struct locks *locks, const struct channel_message *message,
                     const char *op, uint64_t *ticks, struct error *error)
{
    uint64_t sum = 0;
    int code = 0;

    for (unsigned i = 0; i <= READS && code == 0; i++) {
        const uint64_t started = lab->clock.start();
        struct channel_reply reply;

        code = call_until_ready(lab, locks, message, &reply, error);
        if (code == 0 && lab_status_of(&reply) != NFS3_OK)
            code = lab_refuse(op, (nfsstat3)lab_status_of(&reply), error);
        if (code == 0 && i > 0)
            sum += lab->clock.stop() - started;
    }
    *ticks = sum / READS;
    return code;
}

/* The first directory, or file, is changed meanwhile. A name that is made and removed in turn is by
 * one call at a time, since several may be carried out in any order. */
static int read_meanwhile(struct lab *lab, struct locks *locks, bool list, bool together,
                          uint64_t *ticks, struct error *error)
{
    const char *op = list ? "readdir" : "getattr";
    const struct crowd_calls changes = {.op = "create", .messages = locks->changes, .variants = 2};
    struct error crowd_error;
    struct crowd crowd;
    int code, crowd_code;

    code = crowd_begin(&crowd, lab, list ? 1 : CONNECTIONS, list ? &changes : &locks->writes[true],
                       error);
    if (code)
        return code;
    code = read_some(lab, locks, &locks->reads[list][together], op, ticks, error);
    crowd_code = crowd_end(&crowd, &crowd_error);
    if (code == 0 && crowd_code)
        *error = crowd_error;
    return code ? code : crowd_code;
}

/* Series come in pairs: on objects of their own, and on one. */
static int call(struct lab *lab, void *state, size_t series, uint64_t *ticks, struct error *error)
{
    struct locks *locks = state;
    const enum conflict conflict = (enum conflict)(series / 2);
    const bool together = series % 2;

    switch (conflict) {
    case CREATES:
        return change_names(locks, together, ticks, error);
    case WRITES:
        return write_files(locks, together, ticks, error);
    default:
        return read_meanwhile(lab, locks, conflict == READDIRS, together, ticks, error);
    }
}

/* The answer */

struct figures {
    struct interval alone, together, ratio;
    enum gain cost; /* of the conflict */
};

static struct figures estimate(struct timing *timing, enum conflict conflict)
{
    const size_t alone = 2 * (size_t)conflict, together = alone + 1;
    struct figures figures = {.alone = timing_level(timing, alone),
                              .together = timing_level(timing, together),
                              .ratio = timing_ratio(timing, together, alone)};

    figures.cost = gain_classify(&figures.ratio);
    return figures;
}

static void report(struct character_answer *answer, enum conflict conflict,
                   const struct figures *figures)
{
    char name[64];

    snprintf(name, sizeof name, "%s alone", conflict_types[conflict].name);
    answer_figure(answer, name, &figures->alone, "us", "%s", conflict_types[conflict].alone);
    snprintf(name, sizeof name, "%s together", conflict_types[conflict].name);
    answer_figure(answer, name, &figures->together, "us", "%s", conflict_types[conflict].together);
    snprintf(name, sizeof name, "conflict, %s", conflict_types[conflict].name);
    answer_figure(answer, name, &figures->ratio, "times", "%s",
                  figures->cost == GAIN_SOME   ? "slower together"
                  : figures->cost == GAIN_NONE ? "no slower together"
                                               : "not clear");
}

/* "CREATE and REMOVE in one directory, WRITE to one file". Returns how many have COST. */
static unsigned list(const struct figures figures[CONFLICTS], enum gain cost, char text[256])
{
    unsigned count = 0;
    size_t used = 0;

    text[0] = '\0';
    for (enum conflict conflict = 0; conflict < CONFLICTS; conflict++)
        if (figures[conflict].cost == cost) {
            used +=
                (size_t)snprintf(text + used, 256 - used, "%s%s %s", count ? ", " : "",
                                 conflict_types[conflict].name, conflict_types[conflict].together);
            count++;
        }
    return count;
}

static void say(struct character_answer *answer, const struct figures figures[CONFLICTS])
{
    char slower[256], unclear[256];
    unsigned count = list(figures, GAIN_SOME, slower);
    unsigned unknown = list(figures, GAIN_UNKNOWN, unclear);

    answer_say(answer, "%s%s.%s%s%s",
               count ? "Conflicts cost time: " : "No conflict was seen to cost time",
               count ? slower : "", unknown ? " Not clear: " : "", unclear, unknown ? "." : "");
    for (enum conflict conflict = 0; conflict < CONFLICTS; conflict++)
        if (figures[conflict].cost == GAIN_SOME)
            answer_mean(answer, "%s", conflict_types[conflict].meaning);
    if (count == 0 && unknown == 0)
        answer_mean(answer, "It does not matter to a few clients whether they share directories "
                            "and files.");
}

static int conclude(struct lab *lab, void *state, struct character_answer *answer,
                    struct error *error)
{
    const struct locks *locks = state;
    struct figures figures[CONFLICTS];

    for (enum conflict conflict = 0; conflict < CONFLICTS; conflict++) {
        figures[conflict] = estimate(&lab->timing, conflict);
        report(answer, conflict, &figures[conflict]);
    }
    if (locks->later > 0)
        answer_detail(answer, "NFS3ERR_JUKEBOX", "%s, after which the call was made again at once",
                      counted(locks->later, "reply").text);
    say(answer, figures);
    return 0;
}

const struct experiment experiment_locks = {
    .name = "locks",
    .question = "What does it cost that calls concern the same directory or file?",
    .unknown = "More clients at once; whether a server on which nothing is faster at once (see "
               "parallel) has locks at all; locks of larger parts of files.",
    .works_in_directory = true,
    .state_size = sizeof(struct locks),
    .prepare = prepare,
    .timing = {.series = 2 * CONFLICTS, .calls = 1, .full = 80, .quick = 12, .call = call},
    .conclude = conclude,
};
