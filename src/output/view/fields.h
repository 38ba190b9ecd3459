/* Members of a structure as a table: a member is one line. JSON is written and read by it, its
 * schema is made of it, the results of several launches or ranks are merged by it, and views
 * (output/view/view.h) name members by their keys. Keys are written in the table's order. What is
 * read is checked as in output/view/json_reader.h, and what is not there is not known: NAN, 0,
 * false or NULL. A key ends in its number's unit, as "_ns", "_s", "_bytes" and "_per_s". */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/result/result.h"
#include "output/view/json_reader.h"

/* The types of members, each with what it is in JSON. */
enum field_kind {
    FIELD_TEXT = 1, /* const char *: a text of anyone's */
    FIELD_WORD,     /* const char *: a text that nfsbench chose, printable ASCII */
    FIELD_BUFFER,   /* char[]: a text; "?" where there is none in a file */
    FIELD_NUMBER,   /* double: of either sign */
    FIELD_QUANTITY, /* double: 0 or more */
    FIELD_BYTES,    /* double: 0 or more, written without a fraction where it has none */
    FIELD_COUNT,    /* an integer of 2, 4 or 8 bytes: from 0 to MAXIMUM */
    FIELD_SEED,     /* uint64_t: an integer; the upper half of them is below 0 */
    FIELD_CPU,      /* int: the number of a processor; null for -1 */
    FIELD_FLAG,     /* bool: true or false */
    FIELD_CHOICE,   /* enum or bool: one of NAMES; where it is none of them, the first */
    FIELD_INTERVAL, /* struct interval */
    FIELD_OBJECT,   /* a structure, whose members FIELDS describe */
    FIELD_POINTER,  /* a pointer to one; left out where it is NULL */
    FIELD_ARRAY,    /* a structure[]: MAXIMUM at most; how many is the member at COUNT, or where an
                       enum indexes it, each has one of NAMES */
    FIELD_LIST,     /* a pointer to these */
    FIELD_OWN,      /* whatever WRITE makes and READ takes, one of which may be NULL */
};

enum field_flag {
    FIELD_OR_NULL = 1,     /* null where it is not known */
    FIELD_OR_NONE = 2,     /* not written where it is not known */
    FIELD_OR_TRUE = 4,     /* a flag that is true where it is not there */
    FIELD_OR_LAST = 8,     /* a choice that is the last of NAMES where it is none of them */
    FIELD_SETS_IF = 16,    /* reading it sets the flag at IF: was it there? */
    FIELD_PART = 32,       /* without it the object that it is in counts as not there */
    FIELD_NAME = 64,       /* a file in which the object has no such name is refused */
    FIELD_UNREAD = 128,    /* only written; it follows from other fields */
    FIELD_BY_NAME = 256,   /* structures that are an object: the first of FIELDS is the key, the
                              second the value */
    FIELD_OR_NAN = 512,    /* not written where it is NAN, or an interval of NAN */
    FIELD_SHOWN = 1024,    /* for views only: in no file */
    FIELD_PLAIN = 2048,    /* items that are values: the only one of FIELDS says which */
    FIELD_KEY = 8192,      /* with the others of its kind it names its row, or the result */
    FIELD_OR_ZERO = 16384, /* a number that is 0 where it is not there */
    FIELD_COUNTED =
        32768,         /* an array whose COUNT was read before: it has as many, or is not there */
    FIELD_ROOT = 4096, /* what is in it is of this structure, not of the one that it is in */
};

/* What is made of the members of several launches; or of several ranks, which measured at once. */
enum field_merge {
    MERGE_FIRST, /* the first one's, or what output/merge/result_merge.c makes */
    MERGE_SUM,
    MERGE_MEAN,   /* of those that are known */
    MERGE_RATE,   /* the mean; of ranks the sum */
    MERGE_TIME,   /* the sum; of ranks the mean */
    MERGE_ROUNDS, /* the sum; of ranks the least, since a rank's last round may be incomplete */
    MERGE_LEAST,
    MERGE_MOST,
    MERGE_ALL, /* flags: all are true */
    MERGE_ANY,
    MERGE_ESTIMATE, /* intervals: the estimate over launches; of ranks the first one's */
    MERGE_PARTS,    /* each member of the structure as its own line says */
    MERGE_JOIN,     /* a list: all of them, one after another, each with the number of its launch or
                       rank, from 0, if it has such a member */
};

enum {
    FIELD_CPUS = 1 << 20, /* more processors than a machine has */
    FIELD_ROOM = 1024,    /* of a text that is made of a member */
};

/* What the member is in C, by which unit/tables checks its kind. */
enum field_type {
    FIELD_TYPE_UNKNOWN, /* its place is given by other means than FIELD_AT */
    FIELD_TYPE_DOUBLE,
    FIELD_TYPE_BOOL,
    FIELD_TYPE_TEXT, /* a pointer to one, or an array */
    FIELD_TYPE_OTHER,
};

struct field {
    const char *key; /* NULL: what belongs to it stands in the object itself */
    enum field_kind kind;
    enum field_type type;
    size_t offset, size; /* of the member */
    unsigned flags;      /* of enum field_flag */
    uint64_t maximum;    /* 0: what the member has room for */
    const char *const *names;
    const struct field *fields; /* of the structure, or of each */
    size_t item;                /* the structure's size */
    size_t count, count_size;   /* where the number of them is, a size_t */
    /* It is known where the member at IF is not 0, or KNOWN says so; where neither is given and
     * FLAGS have FIELD_OR_NULL or FIELD_OR_NONE, where it is not 0 itself; else always. */
    size_t if_offset, if_size;
    bool (*known)(const void *object, const void *root);
    /* OBJECT, of the result ROOT, as JSON, or what is to be added to its JSON; NULL: nothing. It
     * takes the place of what KIND would be written as. */
    json_t *(*write)(const void *object, const void *root);
    /* Set in OBJECT what FROM, which has the member, says: instead of what KIND would be read as.
     */
    void (*read)(struct json_reader *reader, const json_t *from, void *object);
    const char *schema; /* of what WRITE makes: its JSON Schema, or the properties that it adds */
    enum field_merge merge;
    /* What it is, where it follows from other members; it is only written. NAN and NULL: not known.
     * A text is in ROOM, or lives as long as the result. */
    double (*number)(const void *object, const void *root);
    const char *(*text)(const void *object, const void *root, char room[FIELD_ROOM]);
};

/* The schema of a FIELD_OWN that is an array of numbers. */
#define FIELD_NUMBERS_SCHEMA "{\"type\": \"array\", \"items\": {\"type\": [\"number\", \"null\"]}}"

/* The last line of a table. */
#define FIELD_END                                                                                  \
    {                                                                                              \
        .kind = 0                                                                                  \
    }

#define FIELD_AT(structure, member)                                                                \
    .type = FIELD_TYPE(((const structure *)NULL)->member), .offset = offsetof(structure, member),  \
    .size = sizeof(((const structure *)NULL)->member)

#define FIELD_TYPE(member)                                                                         \
    _Generic((member), double: FIELD_TYPE_DOUBLE, bool: FIELD_TYPE_BOOL, char *: FIELD_TYPE_TEXT,  \
             const char *: FIELD_TYPE_TEXT, default: FIELD_TYPE_OTHER)
#define FIELD_IF(type, member)                                                                     \
    .if_offset = offsetof(type, member), .if_size = sizeof(((const type *)NULL)->member)
#define FIELD_TO(type, member, list)                                                               \
    .item = sizeof(*((const type *)NULL)->member), .fields = (list), FIELD_AT(type, member)
#define FIELD_ITEMS(type, member, number, list)                                                    \
    .count = offsetof(type, number), .count_size = sizeof(((const type *)NULL)->number),           \
    FIELD_TO(type, member, list)

/* A list or an array of values, of which LIST has one field. */
#define FIELD_VALUES(type, member, number, list)                                                   \
    FIELD_ITEMS(type, member, number, list), FIELD_PLAIN

/* The structure OBJECT, a part of the result ROOT, as a JSON object. */
json_t *fields_write(const struct field *fields, const void *object, const void *root);

/* Add its fields to JSON, which may have others. */
void fields_add(json_t *json, const struct field *fields, const void *object, const void *root);

/* Read FROM (NULL: nothing is known) into OBJECT, which is zeroed. False where a part of it is not
 * there. */
bool fields_read(struct json_reader *reader, const json_t *from, const struct field *fields,
                 void *object);

/* The member of FIELD, and the integer or the pointer that it is. */
void *field_in(const struct field *field, const void *object);
const void *field_pointer(const struct field *field, const void *object);
uint64_t field_integer(const struct field *field, const void *object);
void field_set_integer(const struct field *field, void *object, uint64_t value);

/* Is it known in OBJECT? */
bool field_is_known(const struct field *field, const void *object, const void *root);

/* For fields with a function: set ROOM to a text, or add to it. Returns ROOM. */
const char *field_print(char room[FIELD_ROOM], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *field_append(char room[FIELD_ROOM], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* TEXT, such as a file's name, as JSON can have it: as it is shown to people where it is no UTF-8;
 * then it is in ROOM. */
const char *field_utf8(const char *text, char room[FIELD_ROOM]);

/* The structure that FIELD, an object or a pointer, is in OBJECT; the root of what is in it. */
const void *field_object(const struct field *field, const void *object);
const void *field_root(const struct field *field, const void *object, const void *root);

/* The items of FIELD, a list or an array, and how many there are. */
const char *field_items(const struct field *field, const void *object, size_t *count);

/* The member at PATH ("latency_ns.p50"; of an interval also "cost_ns.ci95", its two ends,
 * "cost_ns.low" and "cost_ns.high") of OBJECT, which FIELDS describe: its field, and the structure
 * that it is in, and that one's root. Without such a path FIELD is NULL; where the member is within
 * what is not known, or OBJECT is NULL, OBJECT is. */
struct field_at {
    const struct field *field;
    const void *object, *root;
};
struct field_at field_find(const struct field *fields, const void *object, const void *root,
                           const char *path);

extern const struct field latency_fields[]; /* of struct result_latency */
