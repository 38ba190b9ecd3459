/* A simple model of a file system with which tests compare the server: a list of objects and a list
 * of names, which are searched from the start for each request; contents are plain arrays. It
 * shares nothing with the server except the protocol's constants. How a request fails follows RFC
 * 1813 and, where that leaves a choice, Linux. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nfs3.h"

enum {
    MODEL_OBJECTS = 8192, /* ever made, at most */
    MODEL_NAMES = 512,    /* at the same time, at most */
    MODEL_DATA = 20 << 10 /* bytes in a file, at most */
};

struct model_object {
    bool alive;
    bool foreign; /* no object of this file system: a call with its handle does not even get
                     NFS3ERR_STALE */
    ftype3 type;
    uint32_t mode;
    uint64_t size;
    uint8_t *data;  /* a file's, zeros after its size, or a symbolic link's text; else NULL */
    bool exclusive; /* made by an exclusive create, with this verifier */
    uint8_t verifier[NFS3_CREATEVERFSIZE];
    /* The server's handle for it. */
    char handle[NFS3_FHSIZE];
    uint32_t handle_length;
    uint64_t fileid;
};

/* NAME in the directory PARENT names OBJECT. */
struct model_name {
    struct model_object *parent, *object;
    const char *name;
    uint64_t serial; /* which name this is: a name that is removed and made again is another one */
};

struct model {
    struct model_object objects[MODEL_OBJECTS]; /* the root is the first */
    unsigned object_count;
    struct model_name names[MODEL_NAMES];
    unsigned name_count;
    uint64_t serial; /* the last serial that was given */
    struct model_object stranger;
};

struct model_place {
    struct model_object *directory;
    const char *name;
};

/* An empty root, in a MODEL of zeros. */
void model_open(struct model *model);
void model_close(struct model *model);

/* Queries */

struct model_name *model_find(struct model *model, struct model_place place);
bool model_is_directory(const struct model_object *object);

/* Names in DIRECTORY. */
unsigned model_entries(const struct model *model, const struct model_object *directory);

/* OBJECT's link count. */
unsigned model_links(const struct model *model, const struct model_object *object);

/* The directory that contains DIRECTORY; the root contains itself. */
struct model_object *model_parent(struct model *model, struct model_object *directory);

/* The number of existing objects. */
unsigned model_alive(const struct model *model);

/* The statuses that a request must get. If a request has two errors and nothing says which is
 * reported first, there are two statuses, and either is accepted. */
struct model_verdict {
    nfsstat3 status, other;
};

/* One of the two; OTHER may be NFS3_OK: then STATUS alone. */
struct model_verdict model_either(nfsstat3 status, nfsstat3 other);

/* The status for a handle; for one that must be a directory's; for one that must be a regular
 * file's. */
nfsstat3 model_check(const struct model_object *object);
nfsstat3 model_check_directory(const struct model_object *object);
nfsstat3 model_check_file(const struct model_object *object);

/* MKDIR, SYMLINK, MKNOD: the status for a place where nothing may exist yet. */
nfsstat3 model_check_free(struct model *model, struct model_place place);

nfsstat3 model_check_lookup(struct model *model, struct model_place place);
nfsstat3 model_check_create(struct model *model, struct model_place place, createmode3 mode,
                            const void *verifier);
nfsstat3 model_check_remove(struct model *model, struct model_place place);
nfsstat3 model_check_rmdir(struct model *model, struct model_place place);
struct model_verdict model_check_link(struct model *model, const struct model_object *object,
                                      struct model_place place);
struct model_verdict model_check_rename(struct model *model, struct model_place from,
                                        struct model_place to);

/* Changes, none of which fails: the status was determined before. */

struct model_object *model_make(struct model *model, struct model_place place, ftype3 type,
                                uint32_t mode);

/* Give OBJECT one more name. */
void model_link(struct model *model, struct model_place place, struct model_object *object);

/* Remove a name; the object is removed with its last name. */
void model_remove(struct model *model, struct model_place place);

/* An existing name in TO remains the same name, and names another object. Two names of one object
 * both remain. */
void model_rename(struct model *model, struct model_place from, struct model_place to);

void model_resize(struct model_object *file, uint64_t size);
void model_write(struct model_object *file, uint64_t offset, const void *bytes, size_t length);
