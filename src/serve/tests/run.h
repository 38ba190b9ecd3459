/* Random operations on a server and on a model of it (model.h), which must have equal results. */
#pragma once

#include "service.h"

#include "model.h"
#include "serve/server.h"

enum {
    /* maximum of directories at the same time; few, so that operations conflict often */
    RUN_DIRECTORIES = 8,
    RUN_WALKS = 4,
    RUN_WALK_NAMES = 1024,
};

/* A function that sends REQUEST to SERVER, in the process or over a connection, stores the reply in
 * REPLY, and returns the reply's length. */
typedef size_t (*run_exchange)(void *server, const uint8_t *request, size_t length, uint8_t *reply);

/* A listing in progress. The directory may change between calls of the listing. */
struct walk {
    struct model_object *directory; /* directory that is listed; NULL: no listing */
    bool plus;                      /* READDIRPLUS */
    cookie3 cookie;
    cookieverf3 verifier;
    uint64_t first_serial;         /* serial of the first name made after the listing began */
    unsigned dots[2];              /* how often "." and ".." were listed */
    uint64_t seen[RUN_WALK_NAMES]; /* serials of the listed names except "." and ".." */
    unsigned seen_count;
};

struct run {
    run_exchange exchange;
    void *server;
    /* fixture with the last reply, and with the server if both are in one process */
    struct fixture *client;
    struct random random;
    uint64_t seed;
    unsigned step;
    char doing[200]; /* the current operation, for reports */
    struct model model;
    struct walk walks[RUN_WALKS];
    bool has_write_verifier;
    writeverf3 write_verifier; /* verifier of all WRITEs of the run */
};

/* Remove the server's initial contents, run random operations with complete checks in between, and
 * remove what they left. */
void run_steps(struct run *run);

/* Return how often PROCEDURE has returned STATUS so far, in all runs. */
unsigned long run_times_met(uint32_t procedure, nfsstat3 status);

/* Random choices */

uint32_t run_below(struct run *run, uint32_t bound);
bool run_one_in(struct run *run, uint32_t bound);
uint32_t run_pick_mode(struct run *run);

/* The names that random operations use, then NULL. run_pick_name() returns one of the names. */
extern const char *const run_names[];
const char *run_pick_name(struct run *run);

enum run_kind { RUN_ALIVE, RUN_GONE, RUN_DIRECTORY, RUN_FILE, RUN_SYMLINK };

/* run_count() returns the number of objects of KIND. run_pick_one() returns an object of KIND, or
 * the root if there is none. */
unsigned run_count(const struct run *run, enum run_kind kind);
struct model_object *run_pick_one(struct run *run, enum run_kind kind);

/* Return usually an object of KIND; sometimes an object of another kind, a removed object, or an
 * object that never existed. */
struct model_object *run_pick(struct run *run, enum run_kind kind);

/* run_pick_place() returns any place; run_pick_taken(), usually one where something exists. */
struct model_place run_pick_place(struct run *run);
struct model_place run_pick_taken(struct run *run);

/* Reports of operations */

#define RUN_DOING(run, ...) snprintf((run)->doing, sizeof(run)->doing, __VA_ARGS__)

/* Return OBJECT's number in reports. */
unsigned run_number(const struct run *run, const struct model_object *object);

#define RUN_PLACE_FORMAT            "%u/%.20s"
#define RUN_PLACE(run, model_place) run_number(run, (model_place).directory), (model_place).name

/* Calls */

nfs_fh3 run_handle(const struct model_object *object);
diropargs3 run_at(struct model_place place);

/* Store the server's handle and fileid in OBJECT. */
void run_learn(struct model_object *object, u_int length, const char *handle, fileid3 fileid);

/* Send REQUEST, and leave the reply in RUN's client. If REPEAT, send it twice, like a client that
 * missed the reply. The second reply must be the same. */
void run_ask(struct run *run, const uint8_t *request, size_t length, bool repeat);

/* Make a call of NFS PROCEDURE, decode its RESULT, which has SIZE bytes, and count its status.
 * Requests that are not idempotent are sometimes repeated. */
void run_ask_nfs(struct run *run, uint32_t procedure, xdrproc_t xdr, void *arguments,
                 xdrproc_t xdr_result, void *result, size_t size);

#define RUN_CALL(run, type, arguments, result)                                                     \
    run_ask_nfs(run, NFSPROC3_##type, (xdrproc_t)xdr_##type##3args, arguments,                     \
                (xdrproc_t)xdr_##type##3res, result, sizeof *(result))

#define RUN_FREE(type, result) xdr_free((xdrproc_t)xdr_##type##3res, (char *)(result))

/* Comparing */

void check_status(nfsstat3 status, struct model_verdict verdict);
void check_handle(const nfs_fh3 *handle, const struct model_object *object);
void check_attributes(const struct run *run, const fattr3 *attributes,
                      const struct model_object *object);

/* Check that ATTRIBUTES are OBJECT's, or are absent if OBJECT does not exist. */
void check_post_op(const struct run *run, const post_op_attr *attributes,
                   const struct model_object *object);

/* Check WCC, which must show whether OBJECT was CHANGED, or be empty if OBJECT does not exist. */
void check_wcc(const struct run *run, const wcc_data *wcc, const struct model_object *object,
               bool changed);

/* Operations on server and model. run_getattr() returns the ctime, or 0 if OBJECT does not exist.
 * PROCEDURE of run_remove() is REMOVE or RMDIR. */
nfstime3 run_getattr(struct run *run, const struct model_object *object);
void run_remove(struct run *run, struct model_place place, uint32_t procedure);

/* Operations with random arguments. */
void step_create(struct run *run);
void step_mkdir(struct run *run);
void step_symlink(struct run *run);
void step_mknod(struct run *run);
void step_link(struct run *run);
void step_remove(struct run *run);
void step_rmdir(struct run *run);
void step_rename(struct run *run);
void step_write(struct run *run);
void step_setattr(struct run *run);
