/* The character of a server: the answers of experiments, and the functions that set, judge and
 * print them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/statistics/estimate.h"
#include "measure/validity.h"
#include "output/result/origin.h"
#include "output/view/view.h"

enum { CHARACTER_ANSWERS_MAXIMUM = 16, CHARACTER_DETAILS_MAXIMUM = 32 };

/* A fact that supports an answer. */
struct character_detail {
    char name[64];
    char text[320];
    bool has_figure;
    struct interval figure; /* value in UNIT; low and high are NAN if there is no interval */
    /* "us", "%", "times" or the name of the counted things; NULL if there is no figure */
    const char *unit;
};

/* Whether the server executes calls of several connections at the same time. If one experiment
 * concludes AT_ONCE and another ONE_AT_A_TIME, their answers contradict each other. */
enum character_at_once { AT_ONCE_UNKNOWN, AT_ONCE, ONE_AT_A_TIME };

struct character_answer {
    const char *name, *question;
    const char *unknown; /* what remains unknown even if the experiment has an answer */
    bool known;          /* TEXT is the answer; false: TEXT is the reason why it is not known */
    char text[640];      /* one or several sentences */
    char meaning[960];   /* meaning for a user; empty if the answer is not known */
    struct character_detail details[CHARACTER_DETAILS_MAXIMUM];
    size_t detail_count;
    double duration; /* seconds */
    uint64_t calls;
    enum character_at_once at_once; /* conclusion from the answer, or AT_ONCE_UNKNOWN */
    /* true: the answer is not known, because figures of its experiment or another answer contradict
     * it */
    bool contradicted;
};

struct character {
    struct origin origin;
    const char *scratch; /* reason why there was no scratch directory; NULL if there was one */
    bool quick;
    bool interrupted; /* Ctrl-C ended the run before the last experiment had ended */
    double duration;  /* seconds */
    struct validity validity;
    struct character_answer answers[CHARACTER_ANSWERS_MAXIMUM];
    size_t answer_count;
};

/* Set ANSWER's text, and mark ANSWER as known. */
void answer_set(struct character_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Mark ANSWER as not known, set its text to the reason, and clear its meaning. Its details
 * remain. */
void answer_not_known(struct character_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Mark answers that contradict each other as not known. For contradictions and for an interrupt,
 * add a reason to the verdict of CHARACTER. */
void character_judge(struct character *character);

/* Add a sentence to ANSWER's meaning for a user. */
void answer_add_meaning(struct character_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add a detail called NAME to ANSWER. answer_detail() adds a text, answer_figure() adds FIGURE in
 * UNIT and a text; UNIT is not copied. If ANSWER has no room for the detail, nothing is added. */
void answer_detail(struct character_answer *answer, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_figure(struct character_answer *answer, const char *name, struct interval figure,
                   const char *unit, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Make the name of a detail for use within one expression: answer_named("%s alone", op).text. */
struct answer_name {
    char text[64];
};
struct answer_name answer_named(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return FIGURE without an interval. */
struct interval figure_without_interval(double figure);

/* Write the figure of DETAIL with its unit and interval to TEXT: "12.3 us [12.1, 12.6]", "64
 * calls"; "" if DETAIL has no figure. Returns TEXT. */
enum { CHARACTER_FIGURE_SIZE = 96 };
const char *character_figure(const struct character_detail *detail,
                             char text[CHARACTER_FIGURE_SIZE]);

extern const struct view view_character;

/* Write DATA, a struct character, to OUT as a page of HTML, for file_write(). Returns 0. */
int character_write_page(const void *data, FILE *out);
