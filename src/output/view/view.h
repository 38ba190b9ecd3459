/* What a result looks like, as data. Its fields (output/view/fields.h) say what there is: key,
 * type, place, when it is known. Its view says what people see of it: lines of text and tables of
 * columns, which name members by their paths in the file ("latency_ns.p50"). Every form renders
 * every view: JSON, its schema, CSV and OpenMetrics by the fields, text, Markdown and HTML by the
 * lines and tables. A view never computes: what follows from other members is a field with a
 * function, which may be for views only (FIELD_SHOWN). */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/kind.h"
#include "output/view/fields.h"
#include "output/view/number.h"
#include "output/view/terminal.h"

struct result_reading;

/* How many decimals, where that depends on the number. */
enum view_decimals {
    VIEW_GROUPED = NUMBER_GROUPED, /* none: 1,234,567 */
    VIEW_SHORT = -2,               /* 2 below 100, else none */
    VIEW_WHOLE = -3,               /* none if it is whole, else 1 */
    VIEW_FIT = -4,                 /* 3, or as many as WIDTH has room for */
    VIEW_KNOWN = -5, /* as many digits as the interval lets know: number_round_known() */
};

/* 4 significant digits, as "%.4g". */
#define VIEW_DIGITS NUMBER_DIGITS(4)

enum view_flag {
    VIEW_RANGE = 1,    /* the interval's ends in brackets, in place of its estimate */
    VIEW_LEFT = 2,     /* cells stand at the left end, as texts and ranges do */
    VIEW_SIGNED = 4,   /* "+" is shown, too */
    VIEW_VERBOSE = 8,  /* only with -v */
    VIEW_IF_ANY = 16,  /* left out where no row has it */
    VIEW_PERCENT = 32, /* "12.3 %", of a share */
    VIEW_ACROSS = 64,  /* of lists in rows, "ranks/ops", first the first row of each */
    VIEW_BOTH = 128,   /* the interval's ends in brackets behind its estimate */
    VIEW_NARROW = 256, /* flag of a table: without -v it is at most 100 columns wide if the
                          terminal's width is unknown */
};

#define VIEW_US 1e-3 /* of ns */

/* The lines of a result's verdict, which is the member "validity", or that of the measurement that
 * is the member WHOSE, "run.": its main reason, or with -v all of them. */
#define VIEW_VERDICT VIEW_VERDICT_OF("")
#define VIEW_VERDICT_LINE(whose, word, shown_in)                                                   \
    {                                                                                              \
        "  verdict {!" word "}{?(!-v){?: {" whose "validity.main}}}"                               \
        "{?(!-v){? ({" whose "validity.others}, -v)}}",                                            \
            .when = whose "validity.verdict=" word, .tone = shown_in                               \
    }
#define VIEW_VERDICT_OF(whose)                                                                     \
    VIEW_VERDICT_LINE(whose, "ok", TERMINAL_MUCH_BETTER),                                          \
        VIEW_VERDICT_LINE(whose, "suspect", TERMINAL_DOUBTFUL),                                    \
        VIEW_VERDICT_LINE(whose, "invalid", TERMINAL_MUCH_WORSE),                                  \
    {                                                                                              \
        "    {name} ({verdict}): {text}", .each = whose "validity.reasons", .flags = VIEW_VERBOSE  \
    }

/* A column of a table, or one of the parts below its rows. */
struct view_column {
    const char *path; /* of a member of the row, or with "^" of the row that this list is in; "#":
                         the row's number, from 1; "@": its name, where an enum indexes the list;
                         or a text with members in braces, as in struct view_line */
    const char *heading;
    unsigned spare;   /* 0: always shown; else the column with the highest number is given up first
                         where lines have too little room */
    int decimals;     /* or enum view_decimals */
    double scale;     /* what is shown is the value times this; 0: 1 */
    unsigned flags;   /* of enum view_flag */
    int width;        /* at least */
    const char *when; /* known only where it holds, as in struct view_line */
    const char
        *remark; /* of a part: what stands behind it, as in struct view_line; NULL: nothing */
};

/* A line of text with members in braces. README.md has an example of each form:
 *     {path}  {path:HOW}  {path/1000:HOW}  {path#round}  {?A|B}  {?(WHEN)A|B}  {!A}
 * A line is printed only if every member outside {? } is known. */
struct view_line {
    const char *text;
    const char *each; /* a list: a line for each of its rows, as in struct view_table; or NULL.
                         Lines of one list that follow each other, and of lists in its rows
                         ("answers", "answers/details"), are printed together, row by row */
    const char *when; /* the condition on which the line is shown (README.md); NULL: always */
    unsigned flags;   /* VIEW_VERBOSE */
    enum terminal_tone tone;
    size_t most; /* rows of EACH that have a line; 0: all; how many more there are is a line, too */
    const char *column; /* of a table's notes: shown where the column of that heading is */
};

struct view_table {
    const char *rows;  /* a list, "ops", or the lists within the rows of one, "ops/phases" */
    const char *title; /* a line above it; with "/" in ROWS, a table with a title of its own for
                          each of the rows that the last list is in, whose members it may name */
    const struct view_column *columns; /* the first names the row */
    const struct view_column *parts;   /* lines below each row: heading, value, range, below the
                                          table's first three columns; NULL: none */
    /* What stands behind a row, in place of the cells at its end that are not known: the first of
     * these that holds and whose members are known, unless that is "". NULL: nothing. */
    const struct view_line *remarks;
    const struct view_line *notes; /* below it, if it has rows */
    unsigned flags;                /* VIEW_VERBOSE, VIEW_ACROSS, VIEW_NARROW */
    size_t most;                   /* rows that are shown, as in struct view_line */
    const char *when;              /* what holds of the rows that are shown, likewise */
    const char *heading, *about;   /* in an HTML page: what stands above it, and how to read it */
    /* Instead of a table: what text alone has there, if there are ROWS. */
    void (*draw)(const void *result, FILE *out);
};

struct view {
    enum result_kind kind;
    const struct field *fields;      /* of the structure that is the result */
    const struct view_line *head;    /* ends with a NULL text, as NOTES do; NULL: none */
    const struct view_table *tables; /* ends with NULL rows; NULL: none */
    const struct view_line *notes;
    /* How files of the kind are read again (output/result/result_file.h). NULL: they are not, and
     * compare and report refuse them. */
    const struct result_reading *reading;
};

/* Let view_of_kind() find VIEWS, which NULL ends, too. */
void views_add(const struct view *const *views);

/* The view of the results of KIND, or NULL. */
const struct view *view_of_kind(enum result_kind kind);

/* The forms. 0, or a negative errno. */
int view_write_text(const struct view *view, const void *result, bool verbose, FILE *out);
int view_write_markdown(const struct view *view, const void *result, FILE *out);
int view_write_json(const struct view *view, const void *result, FILE *out);
int view_write_csv(const struct view *view, const void *result, FILE *out);

/* TEXT as the value of a label of OpenMetrics, in quotes. */
void openmetrics_print_quoted(const char *text, FILE *out);

/* Only LINES of RESULT as text. */
void view_print_lines(const struct view *view, const struct view_line *lines, const void *result,
                      bool verbose, FILE *out);

/* For the forms: members and rows */

/* A member as it is shown and compared. */
struct view_cell {
    enum { CELL_NONE, CELL_TEXT, CELL_NUMBER } type;
    bool exact;  /* an integer */
    bool choice; /* one of several words */
    bool range;  /* the ends of NUMBER are shown, not its estimate */
    struct interval number;
    const char *text;
    char room[FIELD_ROOM];
};

/* A row of a list, which is in the row OUTER; of the first, the result, that is NULL. */
struct view_row {
    const struct field *fields;
    const void *object, *root;
    size_t number;
    const struct view_row *outer;
    const char *name; /* where an enum indexes the list */
    bool verbose;     /* -v */
};

struct view_row view_root(const struct view *view, const void *result, bool verbose);

/* The member at PATH, which is one of the fields' paths, "#" or "@", with "^" as in struct
 * view_column. */
void view_cell(const struct view_row *row, const char *path, struct view_cell *cell);

/* What COLUMN has in ROW. */
void view_column_cell(const struct view_row *row, const struct view_column *column,
                      struct view_cell *cell);

/* TEXT is set to what COLUMN shows of CELL; "-" where it is not known. Returns TEXT. */
const char *view_cell_text(const struct view_cell *cell, const struct view_column *column,
                           char text[FIELD_ROOM]);

/* Under which settings a result came to be, as far as it says so: start, host, target, proto,
 * verdict, engine, clients, depth, rate_per_s. */
enum { VIEW_SETTINGS = 9 };
extern const char *const view_setting_names[VIEW_SETTINGS];
void view_setting(const struct view_row *root, size_t setting, struct view_cell *cell);

/* Call TAKE for each row of the list ROWS within ROW. */
typedef void (*view_take)(const struct view_row *row, void *data);
void view_each(const struct view_row *row, const char *rows, view_take take, void *data);

/* Does WHEN, as in struct view_line, hold of ROW? */
bool view_holds(const struct view_row *row, const char *when);

/* What stands behind ROW: that one of REMARKS (or NULL), whose text is in OUT. NULL: nothing. */
const struct view_line *view_remark(const struct view_row *row, const struct view_line *remarks,
                                    char out[FIELD_ROOM]);

/* Write TEXT, a line's text, to OUT with the members of ROW, and what is in {! } between VIEW_TONE
 * and VIEW_TONE_END, which no text from a file has. Returns false if a member outside {? } is not
 * known. */
#define VIEW_TONE     "\1"
#define VIEW_TONE_END "\2"
bool view_expand(const struct view_row *row, const char *text, char *out, size_t size);

/* A member in braces, without a choice: its path, and how it is shown. */
enum { VIEW_PATH = 80 };
struct view_member {
    char path[VIEW_PATH];
    const char *noun;       /* of {rounds#round}, within the text that was parsed; or NULL */
    struct view_column how; /* scale, decimals and sign of a number, width of a text */
    bool as_it_is;          /* no HOW: an integer has no decimals */
};

/* Set MEMBER to what TEXT, "cost_ns/1000:3", says. Returns false if it has none of the forms. */
bool view_member_parse(const char *text, struct view_member *member);

/* For the forms: everything that is known, one after the other */

/* The most lists within each other whose rows are taken; each has a column in CSV. */
enum { VIEW_KEYS = 3 };

/* A number, or a choice. */
struct view_item {
    const char *list;            /* "" for the result itself, "ops", "ops/phases" */
    const char *keys[VIEW_KEYS]; /* of the rows that it is in: their names, or else their numbers;
                                    of one of a list of values its number, too. No two rows of a
                                    list have the same key: a name that is there already gets a
                                    number, "getattr (2)" */
    size_t key_count;
    bool of_values;   /* one of a list of values */
    const char *path; /* in the row */
    const struct view_cell *cell;
};
typedef void (*view_take_item)(const struct view_item *item, void *data);
void view_items(const struct view *view, const void *result, view_take_item take, void *data);
