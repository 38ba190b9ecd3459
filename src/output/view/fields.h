/* A field describes one member of a structure; an array of fields describes the structure. By these
 * tables JSON is written and read, its schema is made, and results of several launches or ranks are
 * merged. Views (output/view/view.h) name members by their keys. Keys are written in the table's
 * order. Values that are read are checked (output/view/json_reader.h); missing values become NAN,
 * 0, false or NULL, unless the kind or a flag says otherwise. Many keys end in a unit ("_ns"). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/result/result.h"
#include "output/view/json_reader.h"

/* C type of a member, and its form in JSON. */
enum field_kind {
    FIELD_TEXT = 1, /* const char *: text of any origin */
    FIELD_WORD,     /* const char *: text chosen by nfsbench, printable ASCII */
    FIELD_BUFFER,   /* char[]: text; "?" if the file has none ("" with FIELD_OR_NONE) */
    FIELD_NUMBER,   /* double of either sign */
    FIELD_QUANTITY, /* double, at least 0 */
    FIELD_BYTES,    /* double, at least 0; written as an integer if it has no fraction */
    FIELD_COUNT,    /* integer of 2, 4 or 8 bytes, 0 to MAXIMUM */
    FIELD_SEED,     /* uint64_t, written as a signed integer */
    FIELD_CPU,      /* int: number of a processor; -1 is written as null */
    FIELD_FLAG,     /* bool */
    FIELD_CHOICE,   /* enum or bool: one of NAMES; a missing or unknown name is read as the first */
    FIELD_INTERVAL,
    FIELD_OBJECT,  /* structure described by FIELDS */
    FIELD_POINTER, /* pointer to a structure; NULL if not known */
    FIELD_ARRAY,   /* items in the structure: COUNT, or one for each of NAMES (only for writing) */
    FIELD_LIST,    /* pointer to COUNT items: structures or, with FIELD_PLAIN, values */
    FIELD_OWN, /* any type; the functions WRITE and READ handle it, and one of them may be NULL */
};

enum field_flag {
    /* An unknown member is written as null; without this flag it is not written. Whether it is
     * unknown: see KNOWN. A missing number is read as 0. */
    FIELD_OR_NULL = 1,
    FIELD_OR_NONE = 2, /* a member that is 0 is unknown, and is not written; see KNOWN */
    FIELD_OR_TRUE = 4, /* a flag that is missing in a file is read as true */
    FIELD_OR_LAST = 8, /* a missing or unknown name of a choice is read as the last of NAMES */
    /* Reading sets the flag at IF: true if the field is there and whole. Merging sets the flag to
     * true if it is true in all results. */
    FIELD_SETS_IF = 16,
    FIELD_PART = 32, /* an object in which this field is missing is not whole (FIELD_SETS_IF) */
    FIELD_NAME = 64, /* names the row like FIELD_KEY; a file in which it is missing is refused */
    /* the field is only written: it follows from other fields, or is read by other code */
    FIELD_UNREAD = 128,
    /* The items are written as one object with a member for each. The first of FIELDS names the
     * member, the second is its value. If the second has no key, the value is an object of all
     * FIELDS but the first. */
    FIELD_BY_NAME = 256,
    FIELD_OR_NAN = 512,    /* a member that is NAN, or whose estimate is NAN, is unknown */
    FIELD_SHOWN = 1024,    /* for lines and tables only; not in JSON, CSV or OpenMetrics */
    FIELD_PLAIN = 2048,    /* the items are values, not structures; FIELDS has one field for them */
    FIELD_KEY = 8192,      /* all fields with this flag together name the row or the result */
    FIELD_OR_ZERO = 16384, /* a missing number is read as 0 */
    /* COUNT is read by another, earlier field. The array in the file has COUNT items, or is
     * missing; if it is missing, the structure gets COUNT zeroed items. */
    FIELD_COUNTED = 32768,
    FIELD_ROOT = 4096, /* the structure, not the surrounding ROOT, is the ROOT of its members */
};

/* How the members of several results become one. The results are from launches, or from ranks,
 * which ran at the same time. */
enum field_merge {
    MERGE_FIRST, /* the member of the first result; or set by other code in output/merge */
    MERGE_SUM,
    MERGE_MEAN, /* mean of the known values */
    MERGE_RATE, /* mean of the known values; for ranks multiplied by their number */
    MERGE_TIME, /* sum over launches; mean over ranks */
    /* sum over launches; least of all ranks, because a rank may lack its last round */
    MERGE_ROUNDS,
    MERGE_LEAST,
    MERGE_MOST,
    MERGE_ALL, /* a flag: true if true in all results */
    MERGE_ANY,
    MERGE_ESTIMATE, /* intervals: the estimate over launches; of ranks, the first rank's */
    /* a structure, or each item of a list: members as their own fields say; the merged list has
     * only as many items as the shortest list */
    MERGE_PARTS,
    /* a list: all lists are joined; the items' member "launch" or "rank", if any, gets the number
     * of the launch or rank, from 0 */
    MERGE_JOIN,
};

enum {
    FIELD_CPUS = 1 << 20, /* more processors than any machine has */
    FIELD_ROOM = 1024,    /* size of a buffer for the text of a field */
};

/* C type of a member, by which unit/tables checks the field's kind. */
enum field_type {
    FIELD_TYPE_UNKNOWN, /* the field's place is not given by FIELD_AT */
    FIELD_TYPE_DOUBLE,
    FIELD_TYPE_BOOL,
    FIELD_TYPE_TEXT, /* pointer to char, or an array of char */
    FIELD_TYPE_OTHER,
};

struct field {
    /* key in JSON; NULL: the structure's members are added to the surrounding object */
    const char *key;
    enum field_kind kind;
    enum field_type type;
    size_t offset, size; /* offset and size of the member in its structure */
    unsigned flags;      /* flags of enum field_flag */
    /* Of a list or array: maximum number of items; a file with more is refused, even if 0. Of a
     * FIELD_COUNT: largest value; 0 means what the member can hold, up to INT64_MAX. */
    uint64_t maximum;
    const char *const *names;
    const struct field *fields; /* fields of the structure, or of each item */
    size_t item;                /* size of the structure or of an item, bytes */
    size_t count, count_size; /* offset and size of the member with the number of items, a size_t */
    /* A member is known if KNOWN returns true. Without KNOWN, it is known if the member at IF is
     * not 0. Without both, a FIELD_POINTER, and a field with FIELD_OR_NULL or FIELD_OR_NONE, is
     * known if it is not 0; all other fields are known. With FIELD_OR_NAN, NAN is never known. */
    size_t if_offset, if_size;
    bool (*known)(const void *object, const void *root);
    /* Return the member of OBJECT as JSON or, if KEY is NULL, an object whose members are added to
     * OBJECT's JSON. Return NULL to write nothing. ROOT is the result, or the structure of a
     * FIELD_ROOT. If WRITE is NULL, KIND says how the member is written. */
    json_t *(*write)(const void *object, const void *root);
    /* Set the member in OBJECT from FROM, OBJECT's JSON. If READ is NULL, KIND says how. */
    void (*read)(struct json_reader *reader, const json_t *from, void *object);
    /* JSON Schema of the value that WRITE returns, or the properties that it adds. */
    const char *schema;
    enum field_merge merge;
    /* For a field that follows from other members and is not read: return its value. NAN or NULL
     * if not known. A text is stored in ROOM, or lives as long as the result. */
    double (*number)(const void *object, const void *root);
    const char *(*text)(const void *object, const void *root, char room[FIELD_ROOM]);
};

/* JSON Schema of a FIELD_OWN that is an array of numbers. */
#define FIELD_NUMBERS_SCHEMA "{\"type\": \"array\", \"items\": {\"type\": [\"number\", \"null\"]}}"

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

/* A list or an array of values. LIST is a table with one field. */
#define FIELD_VALUES(type, member, number, list)                                                   \
    FIELD_ITEMS(type, member, number, list), FIELD_PLAIN

/* Return OBJECT, which belongs to the result ROOT, as a new JSON object; NULL without memory. */
json_t *fields_write(const struct field *fields, const void *object, const void *root);

/* Add the fields of OBJECT to JSON, which may have other members. */
void fields_add(json_t *json, const struct field *fields, const void *object, const void *root);

/* Read FROM into zeroed OBJECT. Returns false if FROM is NULL or lacks a field with FIELD_PART. */
bool fields_read(struct json_reader *reader, const json_t *from, const struct field *fields,
                 void *object);

/* field_in() returns a pointer to FIELD's member of OBJECT. field_pointer() and field_integer()
 * return the member's value; field_set_integer() sets it. */
void *field_in(const struct field *field, const void *object);
const void *field_pointer(const struct field *field, const void *object);
uint64_t field_integer(const struct field *field, const void *object);
void field_set_integer(const struct field *field, void *object, uint64_t value);

/* Return whether the member of FIELD is known in OBJECT. */
bool field_is_known(const struct field *field, const void *object, const void *root);

/* field_print() sets ROOM to a text, field_append() appends a text to ROOM. Both return ROOM. */
const char *field_print(char room[FIELD_ROOM], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *field_append(char room[FIELD_ROOM], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Return TEXT if it is UTF-8, as JSON requires; otherwise a printable form of TEXT in ROOM. */
const char *field_utf8(const char *text, char room[FIELD_ROOM]);

/* field_object() returns the structure in OBJECT that FIELD, an object or a pointer, describes.
 * field_root() returns the root of its members: the structure with FIELD_ROOT, else ROOT. */
const void *field_object(const struct field *field, const void *object);
const void *field_root(const struct field *field, const void *object, const void *root);

/* Return the items of FIELD, a list or an array, and set *COUNT to their number. */
const char *field_items(const struct field *field, const void *object, size_t *count);

/* Find the member at PATH in OBJECT, a structure described by FIELDS. PATH is such as
 * "latency_ns.p50"; an interval has also ".ci95" (both ends), ".low", ".high", and ".spread", its
 * width as a share of the estimate. Returns the field, the structure that contains the member, and
 * its root; for a part of an interval, the interval's field. FIELD is NULL if there is no such
 * path. OBJECT is NULL if the member is within an unknown structure, or if OBJECT was NULL. */
struct field_at {
    const struct field *field;
    const void *object, *root;
};
struct field_at field_find(const struct field *fields, const void *object, const void *root,
                           const char *path);

extern const struct field latency_fields[]; /* fields of struct result_latency */
