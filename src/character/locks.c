/* What calls on one object cost that are in each other's way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/crowd.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "character/link.h"
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
    struct lab *lab;
    struct nfs_handle directories[OBJECTS], files[OBJECTS];
    struct crowd crowd; /* the connections */
    struct crowd_calls creates[2], removes[2], writes[2];
    struct channel_message changes[2]; /* of the first directory, in turn */
    struct link link;
    struct channel_message reads[2][2]; /* GETATTR and READDIR; of another object, of the same */
    uint32_t xid;
    unsigned later; /* replies of NFS3ERR_JUKEBOX */
};

/* Messages: for different objects in turn, or all for the first. */

struct filling {
    const struct locks *locks;
    bool together;
};

static const struct nfs_handle *choose(const struct nfs_handle *objects, size_t number,
                                       bool together)
{
    return &objects[together ? 0 : number % OBJECTS];
}

static void fill_create(const void *context, size_t number, union nfs_arguments *arguments)
{
    static char name[NFS_VARIANT_NAME_SIZE];
    const struct filling *filling = context;
    const struct nfs_handle *directory =
        choose(filling->locks->directories, number, filling->together);

    nfs_scratch_filler_name(name, (uint32_t)number);
    arguments->create.where = (diropargs3){nfs_handle_argument(directory), name};
    arguments->create.how.mode = UNCHECKED;
}

static void fill_remove(const void *context, size_t number, union nfs_arguments *arguments)
{
    static char name[NFS_VARIANT_NAME_SIZE];
    const struct filling *filling = context;
    const struct nfs_handle *directory =
        choose(filling->locks->directories, number, filling->together);

    nfs_scratch_filler_name(name, (uint32_t)number);
    arguments->remove.object = (diropargs3){nfs_handle_argument(directory), name};
}

static void fill_write(const void *context, size_t number, union nfs_arguments *arguments)
{
    static char data[BYTES];
    const struct filling *filling = context;

    arguments->write = (WRITE3args){
        .file = nfs_handle_argument(choose(filling->locks->files, number, filling->together)),
        .offset = (uint64_t)number * BYTES,
        .count = BYTES,
        .data = {BYTES, data}};
}

static int make_messages(struct locks *locks, struct error *error)
{
    int code = 0;

    for (size_t together = 0; together < 2 && code == 0; together++) {
        const struct filling filling = {locks, together};

        code = crowd_calls_make(&locks->creates[together], locks->lab, "create", CALLS, fill_create,
                                &filling, error);
        if (code == 0)
            code = crowd_calls_make(&locks->removes[together], locks->lab, "remove", CALLS,
                                    fill_remove, &filling, error);
        if (code == 0)
            code = crowd_calls_make(&locks->writes[together], locks->lab, "write", CALLS,
                                    fill_write, &filling, error);
    }
    if (code == 0) {
        locks->changes[0] = locks->creates[true].messages[0];
        locks->changes[1] = locks->removes[true].messages[0];
    }
    return code;
}

static int make_reads(struct locks *locks, struct error *error)
{
    int code = 0;

    for (size_t together = 0; together < 2 && code == 0; together++) {
        union nfs_arguments getattr, readdir;

        memset(&getattr, 0, sizeof getattr);
        memset(&readdir, 0, sizeof readdir);
        getattr.getattr.object = nfs_handle_argument(&locks->files[together ? 0 : 1]);
        readdir.readdir = (READDIR3args){
            .dir = nfs_handle_argument(&locks->directories[together ? 0 : 1]), .count = LIST_BYTES};
        code = link_message(&locks->reads[0][together], locks->lab, "getattr", &getattr, error);
        if (code == 0)
            code = link_message(&locks->reads[1][together], locks->lab, "readdir", &readdir, error);
    }
    return code;
}

static int prepare(struct locks *locks, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&locks->lab->setup, SERVICE_NFS);
    int code = 0;

    for (size_t i = 0; i < OBJECTS && code == 0; i++) {
        code = lab_make_directory(locks->lab, &locks->directories[i], error);
        if (code == 0)
            code = lab_make_file(locks->lab, NULL, &locks->files[i], error);
    }
    if (code == 0)
        code = make_messages(locks, error);
    if (code == 0)
        code = make_reads(locks, error);
    if (code == 0)
        code = link_open(&locks->link, locks->lab, &endpoint, error);
    return code ? code : crowd_open(&locks->crowd, locks->lab, CONNECTIONS, 1, error);
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
static int call_until_ready(struct locks *locks, const struct channel_message *message,
                            struct link_reply *reply, struct error *error)
{
    int code = link_call(&locks->link, message, ++locks->xid, reply, error);

    while (code == 0 && link_status(reply) == NFS3ERR_JUKEBOX) {
        locks->later++;
        code = link_call(&locks->link, message, ++locks->xid, reply, error);
    }
    return code;
}

/* The first call is not timed. */
static int read_some(struct locks *locks, const struct channel_message *message, const char *op,
                     uint64_t *ticks, struct error *error)
{
    uint64_t sum = 0;
    int code = 0;

    for (unsigned i = 0; i <= READS && code == 0; i++) {
        const uint64_t started = locks->lab->clock.start();
        struct link_reply reply;

        code = call_until_ready(locks, message, &reply, error);
        if (code == 0 && link_status(&reply) != NFS3_OK)
            code = lab_refuse(op, (nfsstat3)link_status(&reply), error);
        if (code == 0 && i > 0)
            sum += reply.ticks - started;
    }
    *ticks = sum / READS;
    return code;
}

/* The first directory, or file, is changed meanwhile. A name that is made and removed in turn is by
 * one call at a time, since several may be carried out in any order. */
static int read_meanwhile(struct locks *locks, bool list, bool together, uint64_t *ticks,
                          struct error *error)
{
    const char *op = list ? "readdir" : "getattr";
    const struct crowd_calls changes = {.op = "create", .messages = locks->changes, .variants = 2};
    struct error crowd_error;
    struct crowd crowd;
    int code, crowd_code;
    double us;

    code = crowd_begin(&crowd, locks->lab, list ? 1 : CONNECTIONS,
                       list ? &changes : &locks->writes[true], error);
    if (code)
        return code;
    code = read_some(locks, &locks->reads[list][together], op, ticks, error);
    crowd_code = crowd_end(&crowd, &us, &crowd_error);
    if (code == 0 && crowd_code)
        *error = crowd_error;
    return code ? code : crowd_code;
}

/* Arms come in pairs: on objects of their own, and on one. */
static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct locks *locks = context;
    const enum conflict conflict = (enum conflict)(arm / 2);
    const bool together = arm % 2;

    switch (conflict) {
    case CREATES:
        return change_names(locks, together, ticks, error);
    case WRITES:
        return write_files(locks, together, ticks, error);
    default:
        return read_meanwhile(locks, conflict == READDIRS, together, ticks, error);
    }
}

/* The answer */

struct figures {
    struct interval alone, together, ratio;
    enum gain cost; /* of the conflict */
};

static int estimate(const struct arms *arms, enum conflict conflict, struct figures *figures,
                    struct error *error)
{
    const size_t alone = 2 * (size_t)conflict, together = alone + 1;
    int code = arms_level(arms, alone, &figures->alone, error);

    if (code == 0)
        code = arms_level(arms, together, &figures->together, error);
    if (code == 0)
        code = arms_ratio(arms, together, alone, &figures->ratio, error);
    figures->cost = gain_classify(&figures->ratio);
    return code;
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

static void conclude(struct character_answer *answer, const struct figures figures[CONFLICTS])
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

static int measure(struct locks *locks, struct character_answer *answer, struct error *error)
{
    struct arms arms = {.lab = locks->lab,
                        .count = 2 * (size_t)CONFLICTS,
                        .calls = 1,
                        .call = call,
                        .context = locks,
                        .time_ns = lab_rounds_ns(locks->lab)};
    struct figures figures[CONFLICTS];
    int code = arms_run(&arms, lab_scaled(locks->lab, 80, 12), error);

    for (enum conflict conflict = 0; conflict < CONFLICTS && code == 0; conflict++) {
        code = estimate(&arms, conflict, &figures[conflict], error);
        if (code == 0)
            report(answer, conflict, &figures[conflict]);
    }
    arms_close(&arms);
    if (code == 0 && locks->later > 0)
        answer_detail(answer, "NFS3ERR_JUKEBOX", "%s, after which the call was made again at once",
                      counted(locks->later, "reply").text);
    if (code == 0)
        conclude(answer, figures);
    return code;
}

static void release(struct locks *locks)
{
    crowd_close(&locks->crowd);
    link_close(&locks->link);
    for (size_t together = 0; together < 2; together++) {
        crowd_calls_free(&locks->creates[together]);
        crowd_calls_free(&locks->removes[together]);
        crowd_calls_free(&locks->writes[together]);
        free(locks->reads[0][together].bytes);
        free(locks->reads[1][together].bytes);
    }
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct locks locks = {.lab = lab, .link.fd = -1, .xid = (uint32_t)lab->plan->run.seed};
    int code = prepare(&locks, error);

    if (code == 0)
        code = measure(&locks, answer, error);
    release(&locks);
    return code;
}

const struct experiment experiment_locks = {
    .name = "locks",
    .question = "What does it cost that calls concern the same directory or file?",
    .unknown = "More clients at once; whether a server on which nothing is faster at once (see "
               "parallel) has locks at all; locks of larger parts of files.",
    .works_in_directory = true,
    .run = run,
};
