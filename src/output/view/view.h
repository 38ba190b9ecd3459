/* A view: how a result looks, as data. The fields (output/view/fields.h) describe a result's
 * members; the view describes the lines of text and tables that people see, which name members by
 * their paths in the file ("latency_ns.p50"). JSON, its schema, CSV and OpenMetrics use the fields;
 * text, Markdown and HTML use the lines and tables. A view does not compute. A value that follows
 * from other members is a field with a function, which may be for views only (FIELD_SHOWN). */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/kind.h"
#include "output/view/fields.h"
#include "output/view/number.h"
#include "output/view/terminal.h"

struct result_reading;

/* Numbers of decimals that depend on the value. */
enum view_decimals {
    VIEW_GROUPED = NUMBER_GROUPED, /* none (1,234,567); two for a double below 10, except for 0 */
    VIEW_SHORT = -2,               /* 2 if below 100, else none */
    VIEW_WHOLE = -3,               /* none for a value without a fraction, else 1 */
    VIEW_FIT = -4,                 /* as many decimals as fit in WIDTH, at most 3 */
    VIEW_KNOWN = -5, /* as many decimals as the interval's width allows: number_round_known() */
};

/* 4 significant digits, like "%.4g". */
#define VIEW_DIGITS NUMBER_DIGITS(4)

enum view_flag {
    VIEW_RANGE = 1,    /* show the interval's ends in brackets instead of its estimate */
    VIEW_LEFT = 2,     /* left-align the column; columns with texts or VIEW_RANGE always are */
    VIEW_SIGNED = 4,   /* show "+" before numbers that are not negative */
    VIEW_VERBOSE = 8,  /* the part, line or table is shown only with -v */
    VIEW_IF_ANY = 16,  /* the column is left out if no row has a value */
    VIEW_PERCENT = 32, /* show a share as "12.3 %" */
    /* for lists in rows ("ranks/ops"): show row 1 of every list, then row 2 of every list, ... */
    VIEW_ACROSS = 64,
    VIEW_BOTH = 128,   /* show the interval's ends in brackets after its estimate */
    VIEW_NARROW = 256, /* without -v, the table as text is fitted to terminal_narrow() */
};

#define VIEW_US 1e-3 /* scale that converts ns to us */

/* Lines for the verdict in the member "validity" of the result, or of the measurement that is the
 * member WHOSE ("run."). They show the main reason and how many more there are; with -v all. */
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

/* A column of a table, or a line (part) below each of its rows. */
struct view_column {
    /* A path, or a text with members in braces as in struct view_line. A path names a member of the
     * row or, after "^", of the row that contains the list. The path "#" is the row's number, from
     * 1; "@" is the row's name (struct view_row). */
    const char *path;
    const char *heading;
    /* rank by which columns are dropped from long lines, the highest first; 0: never dropped */
    unsigned spare;
    int decimals;       /* number (large values have fewer), enum view_decimals or NUMBER_DIGITS */
    double scale;       /* factor for the shown value; 0 means 1, or 100 with VIEW_PERCENT */
    unsigned flags;     /* flags of enum view_flag */
    int width;          /* minimum width in characters */
    const char *when;   /* condition (struct view_line); unless it holds, the value is unknown */
    const char *remark; /* for a part: text after its values, as in struct view_line; or NULL */
};

/* A line of text with members in braces. ../README.md has an example of each form: {path}
 * {path:HOW} {path/1000:HOW} {path#round} {?A|B} {?(WHEN)A|B} {*LIST(WHEN)|A} {!A} A line is not
 * printed if a member outside {? }, or in a B that replaces its A, is unknown. A {* } for which
 * LIST has no row counts as an unknown member. */
struct view_line {
    const char *text;
    /* A list, as in struct view_table: the line is printed for each row. NULL for one line.
     * Adjacent lines of one list, and of lists in its rows ("answers", "answers/details"), are
     * printed together, row by row. */
    const char *each;
    const char *when;        /* condition on which the line is shown (../README.md); NULL: always */
    unsigned flags;          /* VIEW_VERBOSE */
    enum terminal_tone tone; /* tone of {! }; of the whole text of a remark */
    /* Maximum number of rows of EACH; 0 for all. A last line counts the others. For lines that are
     * printed together, it limits each inner list ("answers/details"), and not the outer list. */
    size_t most;
    /* for a note of a table: heading of the column without which the note is left out */
    const char *column;
};

struct view_table {
    const char *rows; /* path of a list, "ops", or of the lists within its rows, "ops/phases" */
    /* A line above the table; NULL for none. With a title, and ROWS such as "ops/phases", each row
     * of "ops" has its own table and title, which may name members of that row. */
    const char *title;
    const struct view_column *columns; /* columns; the first names the row */
    /* Lines below each row: heading, value and range, in the first three columns; NULL for none. */
    const struct view_column *parts;
    /* A row shows one of these remarks after its last known cell: the first whose condition holds
     * and whose members are known; nothing if its text is "". NULL: no remarks. */
    const struct view_line *remarks;
    const struct view_line *notes; /* lines below the table, if it has rows */
    unsigned flags;                /* flags VIEW_VERBOSE, VIEW_ACROSS, VIEW_NARROW */
    size_t most;                   /* maximum number of rows, as for struct view_line */
    const char *when;              /* condition for a row to be shown, as for struct view_line */
    /* For an HTML page: heading of the table, and how to read it. Markdown and HTML leave out a
     * table with VIEW_VERBOSE that has no heading. */
    const char *heading, *about;
    /* Draw a picture instead of the table, if the list ROWS has rows. Only the form text draws it;
     * all other forms show neither the picture nor the table. */
    void (*draw)(const void *result, FILE *out);
};

struct view {
    enum result_kind kind;
    const struct field *fields; /* fields of the result's structure */
    /* lines above the tables; array that ends with a NULL text, like NOTES; or NULL */
    const struct view_line *head;
    const struct view_table *tables; /* array that ends with NULL rows; or NULL */
    const struct view_line *notes;
    /* How files of the kind are read (output/result/result_file.h). NULL if they cannot be read;
     * compare and report then refuse them. */
    const struct result_reading *reading;
};

/* Register VIEWS, an array that ends with NULL, for view_of_kind(). */
void views_add(const struct view *const *views);

const struct view *view_of_kind(enum result_kind kind);

/* Write RESULT to OUT in a form; Markdown as with -v. Return 0 or a negative errno. */
int view_write_text(const struct view *view, const void *result, bool verbose, FILE *out);
int view_write_markdown(const struct view *view, const void *result, FILE *out);
int view_write_json(const struct view *view, const void *result, FILE *out);
int view_write_csv(const struct view *view, const void *result, FILE *out);

/* Print TEXT, made printable, as the quoted value of an OpenMetrics label. */
void openmetrics_print_quoted(const char *text, FILE *out);

/* Print only LINES, whose paths are those of VIEW, with the members of RESULT, as text. */
void view_print_lines(const struct view *view, const struct view_line *lines, const void *result,
                      bool verbose, FILE *out);

/* The value of a member, as it is shown and compared. */
struct view_cell {
    enum { CELL_NONE, CELL_TEXT, CELL_NUMBER } type;
    bool exact;  /* the member is an integer or a bool, not a double */
    bool choice; /* the value is one of several words or, in view_items(), a name of the result */
    bool range;  /* the ends of NUMBER are shown, not its estimate */
    struct interval number;
    const char *text;
    char room[FIELD_ROOM];
};

/* One row of a list. OUTER is the row that contains the list, or NULL for the result itself. */
struct view_row {
    const struct field *fields;
    const void *object, *root;
    size_t number; /* number of the row in its list, from 0 */
    const struct view_row *outer;
    const char *name; /* name of the row: from the enum that indexes the list, or the caller's */
    bool verbose;     /* option -v */
};

struct view_row view_root(const struct view *view, const void *result, bool verbose);

/* Set CELL to the member at PATH of ROW: a path of the fields, "#" or "@". Each "^" before it leads
 * to the row that contains the list. Aborts the program if there is no such path. */
void view_cell(const struct view_row *row, const char *path, struct view_cell *cell);

/* Set CELL to the value of COLUMN in ROW; CELL_NONE if COLUMN's condition does not hold. */
void view_column_cell(const struct view_row *row, const struct view_column *column,
                      struct view_cell *cell);

/* Set TEXT to CELL as COLUMN shows it; "-" if not known, "no end" if infinite. Returns TEXT. */
const char *view_cell_text(const struct view_cell *cell, const struct view_column *column,
                           char text[FIELD_ROOM]);

/* Settings that a result may record: start, host, target, proto, verdict, engine, clients, depth,
 * rate_per_s. */
enum { VIEW_SETTINGS = 9 };
extern const char *const view_setting_names[VIEW_SETTINGS];
void view_setting(const struct view_row *root, size_t setting, struct view_cell *cell);

/* Call TAKE with each row of the list at the path ROWS ("ops/phases") within ROW, and with DATA. */
typedef void (*view_take)(const struct view_row *row, void *data);
void view_each(const struct view_row *row, const char *rows, view_take take, void *data);

/* Return whether the condition WHEN (struct view_line) holds for ROW. */
bool view_holds(const struct view_row *row, const char *when);

/* Return the line of REMARKS (may be NULL) that applies to ROW; NULL if none. OUT is its text. */
const struct view_line *view_remark(const struct view_row *row, const struct view_line *remarks,
                                    char out[FIELD_ROOM]);

/* Write TEXT, the text of a line, to OUT with the values of ROW's members. The contents of {! }
 * stand between VIEW_TONE and VIEW_TONE_END, which never occur in texts from files. Returns false
 * if the line must not be printed because a member is unknown (struct view_line). */
#define VIEW_TONE     "\1"
#define VIEW_TONE_END "\2"
bool view_expand(const struct view_row *row, const char *text, char *out, size_t size);

/* A member in braces, without a choice: its path and how to show it. */
enum { VIEW_PATH = 80 };
struct view_member {
    char path[VIEW_PATH];
    /* noun of the count, as in {rounds#round}; points into the text that was parsed; or NULL */
    const char *noun;
    /* how to show the member: scale, decimals and sign of a number, width of a text */
    struct view_column how;
    bool as_it_is; /* no HOW was given: a member that is an integer is shown without decimals */
};

/* Parse TEXT ("cost_ns/1000:3") into MEMBER. Returns false if TEXT has none of the forms. */
bool view_member_parse(const char *text, struct view_member *member);

/* Depth of nested lists up to which there are items; each level has a column in CSV. */
enum { VIEW_KEYS = 3 };

/* A known number or choice (one of several words) of a result, or a text that names the result.
 * Values of a FIELD_OWN are not items. */
struct view_item {
    const char *list; /* path of the list: "" for the result itself, "ops", "ops/phases" */
    /* Names (without a name: numbers) of the rows that contain the item; in a list of values, then
     * the item's number. Keys in a list are unique: a second "getattr" becomes "getattr (2)". */
    const char *keys[VIEW_KEYS];
    size_t key_count;
    bool of_values;   /* the item is in a list of values */
    const char *path; /* path within the row */
    const struct view_cell *cell;
};
typedef void (*view_take_item)(const struct view_item *item, void *data);
/* Call TAKE with each item of RESULT that is not FIELD_SHOWN, and with DATA. */
void view_items(const struct view *view, const void *result, view_take_item take, void *data);
