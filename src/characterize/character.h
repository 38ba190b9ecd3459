/* What kind of server it is, as experiments found, as data and in its forms. Filled in by
 * characterize/command.c and the experiments. */
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

/* One of the things that an answer rests on. */
struct character_detail {
    char name[64];
    char text[320];
    bool has_figure;
    struct interval figure; /* in UNIT; its ends are NAN where it has no interval */
    const char *unit;       /* "us", "s", "%", or what is counted; NULL where there is no figure */
};

/* Are calls of several connections carried out at once? Answers of different experiments may
 * exclude each other in that. */
enum character_at_once { AT_ONCE_NOT_SAID, AT_ONCE, ONE_AT_A_TIME };

/* What an experiment found. */
struct character_answer {
    const char *name, *question;
    const char *unknown; /* what it leaves unknown */
    bool known;          /* else TEXT says why it is not */
    char text[640];      /* the answer, in words */
    char meaning[960];   /* what it means for a user; empty where it is not known */
    struct character_detail details[CHARACTER_DETAILS_MAXIMUM];
    size_t detail_count;
    double duration; /* seconds */
    uint64_t calls;
    enum character_at_once at_once; /* as the answer has it, where it is known */
    bool contradicted;              /* by itself or another answer, so that it is not known */
};

struct character {
    struct origin origin;
    const char *scratch; /* why there was no scratch directory; NULL where there was one */
    bool quick;
    bool interrupted; /* Ctrl-C came before the last experiment was over */
    double duration;  /* seconds */
    struct validity validity;
    struct character_answer answers[CHARACTER_ANSWERS_MAXIMUM];
    size_t answer_count;
};

/* Set the answer in words, which then is known. */
void answer_say(struct character_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* It is not known, for that reason; what details there are stay. */
void answer_not_known(struct character_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Answers that exclude each other become ones that are not known; and the verdict on all. */
void character_judge(struct character *character);

/* Add a sentence to what it means for a user. */
void answer_mean(struct character_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add a detail in words, or with a FIGURE in UNIT; those that there is no room for are dropped. */
void answer_detail(struct character_answer *answer, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_figure(struct character_answer *answer, const char *name, struct interval figure,
                   const char *unit, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The name of a detail, for use within one expression: answer_named("%s alone", op).text. */
struct answer_name {
    char text[64];
};
struct answer_name answer_named(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A figure without an interval. */
struct interval answer_exactly(double figure);

/* FIGURE with its interval and unit, as "12.3 us [12.1, 12.6]"; "" where there is none. Returns
 * TEXT. */
enum { CHARACTER_FIGURE_SIZE = 96 };
const char *character_figure(const struct character_detail *detail,
                             char text[CHARACTER_FIGURE_SIZE]);

extern const struct view view_character;

/* For file_write(); DATA is a struct character. */
int character_write_page(const void *data, FILE *out);
