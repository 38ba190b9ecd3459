/* A simple model of a file system, with which tests compare the server: a list of objects and a
 * list of names, which are searched from the start for each request. Contents are plain arrays. The
 * model shares nothing with the server except the protocol's constants. Errors follow RFC 1813 and,
 * if it leaves a choice, Linux. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nfs3.h"

enum {
    MODEL_OBJECTS = 8192, /* maximum number of objects ever made */
    MODEL_NAMES = 512,    /* maximum number of names at the same time */
    MODEL_DATA = 20 << 10 /* maximum bytes in a file */
};

struct model_object {
    bool alive;
    bool foreign; /* has a handle of another file system, which gets NFS3ERR_BADHANDLE */
    ftype3 type;
    uint32_t mode;
    uint64_t size;
    uint8_t *data;  /* data of a file (zeros after SIZE), text of a symbolic link; else NULL */
    bool exclusive; /* made by an exclusive CREATE, with VERIFIER */
    uint8_t verifier[NFS3_CREATEVERFSIZE];
    char handle[NFS3_FHSIZE]; /* the server's handle of the object */
    uint32_t handle_length;
    uint64_t fileid;
};

/* The name NAME of OBJECT in the directory PARENT. */
struct model_name {
    struct model_object *parent, *object;
    const char *name;
    uint64_t serial; /* number of the name; a name that is made again gets a new number */
};

struct model {
    struct model_object objects[MODEL_OBJECTS]; /* the root is the first */
    unsigned object_count;
    struct model_name names[MODEL_NAMES];
    unsigned name_count;
    uint64_t serial; /* serial of the newest name */
    struct model_object stranger;
};

struct model_place {
    struct model_object *directory;
    const char *name;
};

/* Give MODEL, which is zeroed, an empty root. */
void model_open(struct model *model);
void model_close(struct model *model);

/* Queries */

struct model_name *model_find(struct model *model, struct model_place place);
bool model_is_directory(const struct model_object *object);

/* Return the number of names in DIRECTORY. */
unsigned model_entries(const struct model *model, const struct model_object *directory);

unsigned model_links(const struct model *model, const struct model_object *object);

/* Return the directory that contains DIRECTORY. The root contains itself. */
struct model_object *model_parent(struct model *model, struct model_object *directory);

/* Return the number of existing objects. */
unsigned model_alive(const struct model *model);

/* The status that a request must get. If a request has two errors, and nothing says which is
 * reported first, both STATUS and OTHER are accepted. Otherwise OTHER is equal to STATUS. */
struct model_verdict {
    nfsstat3 status, other;
};

/* Return a verdict that accepts STATUS, and OTHER unless OTHER is NFS3_OK. */
struct model_verdict model_either(nfsstat3 status, nfsstat3 other);

/* Return the status of a request with OBJECT's handle. model_check(): the request accepts any type.
 * model_check_directory(): it needs a directory. model_check_file(): it needs a regular file. */
nfsstat3 model_check(const struct model_object *object);
nfsstat3 model_check_directory(const struct model_object *object);
nfsstat3 model_check_file(const struct model_object *object);

/* Return the status of MKDIR, SYMLINK and MKNOD at PLACE, such as EXIST if PLACE is taken. */
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

/* Changes of the model, made after the server has made the same changes. None can fail. */

struct model_object *model_make(struct model *model, struct model_place place, ftype3 type,
                                uint32_t mode);

/* Add PLACE to the names of OBJECT. */
void model_link(struct model *model, struct model_place place, struct model_object *object);

/* Remove the name PLACE. The object is removed with its last name. */
void model_remove(struct model *model, struct model_place place);

/* Rename FROM to TO. If TO exists, it keeps its serial and becomes a name of FROM's object; the old
 * object is removed with its last name. If FROM and TO are names of one object, nothing changes. */
void model_rename(struct model *model, struct model_place from, struct model_place to);

void model_resize(struct model_object *file, uint64_t size);
void model_write(struct model_object *file, uint64_t offset, const void *bytes, size_t length);
