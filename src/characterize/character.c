#include "characterize/character.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/counted.h"

void answer_set(struct character_answer *answer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->text, sizeof answer->text, format, arguments);
    va_end(arguments);
    answer->known = true;
}

void answer_not_known(struct character_answer *answer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->text, sizeof answer->text, format, arguments);
    va_end(arguments);
    answer->known = false;
    answer->meaning[0] = '\0';
}

void answer_add_meaning(struct character_answer *answer, const char *format, ...)
{
    size_t used = strlen(answer->meaning);
    va_list arguments;

    if (used > 0 && used + 1 < sizeof answer->meaning)
        answer->meaning[used++] = ' ';
    va_start(arguments, format);
    vsnprintf(answer->meaning + used, sizeof answer->meaning - used, format, arguments);
    va_end(arguments);
}

/* Judging */

static void contradict(struct character_answer *first, struct character_answer *second)
{
    if (!first->known || first->at_once != AT_ONCE || !second->known ||
        second->at_once != ONE_AT_A_TIME)
        return;
    answer_not_known(first, "Not known, because it contradicts the answer on %s.", second->name);
    answer_not_known(second, "Not known, because it contradicts the answer on %s.", first->name);
    first->contradicted = second->contradicted = true;
}

void character_judge(struct character *character)
{
    struct validity *validity = &character->validity;
    struct character_answer *answers = character->answers;
    unsigned contradicted = 0;

    for (size_t i = 0; i < character->answer_count; i++)
        for (size_t j = 0; j < character->answer_count; j++)
            contradict(&answers[i], &answers[j]);
    for (size_t i = 0; i < character->answer_count; i++)
        contradicted += answers[i].contradicted;
    if (contradicted > 0)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_CONTRADICTION,
                            "%s and other figures contradict each other: something other than the "
                            "server affected the times; repeat the run on an idle machine",
                            counted(contradicted, "answer").text);
    if (character->interrupted)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_INTERRUPTED,
                            "the remaining experiments were not made");
}

static struct character_detail *add_detail(struct character_answer *answer, const char *name)
{
    struct character_detail *detail;

    if (answer->detail_count == CHARACTER_DETAILS_MAXIMUM)
        return NULL;
    detail = &answer->details[answer->detail_count++];
    *detail = (struct character_detail){.has_figure = false};
    snprintf(detail->name, sizeof detail->name, "%s", name);
    return detail;
}

void answer_detail(struct character_answer *answer, const char *name, const char *format, ...)
{
    struct character_detail *detail = add_detail(answer, name);
    va_list arguments;

    if (!detail)
        return;
    va_start(arguments, format);
    vsnprintf(detail->text, sizeof detail->text, format, arguments);
    va_end(arguments);
}

void answer_figure(struct character_answer *answer, const char *name, struct interval figure,
                   const char *unit, const char *format, ...)
{
    struct character_detail *detail = add_detail(answer, name);
    va_list arguments;

    if (!detail)
        return;
    detail->has_figure = true;
    detail->figure = figure;
    detail->unit = unit;
    va_start(arguments, format);
    vsnprintf(detail->text, sizeof detail->text, format, arguments);
    va_end(arguments);
}

struct answer_name answer_named(const char *format, ...)
{
    struct answer_name name;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(name.text, sizeof name.text, format, arguments);
    va_end(arguments);
    return name;
}

struct interval figure_without_interval(double figure)
{
    return (struct interval){figure, NAN, NAN};
}

/* Return the number of decimals for VALUE: 0 for an integer or from 100 on, else 1 to 3. */
static int decimals_of(double value)
{
    double size = fabs(value);

    if (size >= 100 || size == floor(size))
        return 0;
    return size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

const char *character_figure(const struct character_detail *detail,
                             char text[CHARACTER_FIGURE_SIZE])
{
    const struct interval *figure = &detail->figure;
    int decimals = decimals_of(figure->estimate);

    text[0] = '\0';
    if (!detail->has_figure)
        return text;
    if (isnan(figure->low) || isnan(figure->high))
        snprintf(text, CHARACTER_FIGURE_SIZE, "%.*f %s", decimals, figure->estimate, detail->unit);
    else
        snprintf(text, CHARACTER_FIGURE_SIZE, "%.*f %s [%.*f, %.*f]", decimals, figure->estimate,
                 detail->unit, decimals, figure->low, decimals, figure->high);
    return text;
}
