/* Texts by which views show the difference of two sides. The rows have the fields 'word' ("slower",
 * "faster" or another verdict), 'below_ns' and 'ratio'. */
#pragma once

#include "output/view/view.h"

/* A list of remarks (struct view_line): TEXT in the colour of the row's verdict. */
#define DIFFERENCE_REMARKS(text)                                                                   \
    {text, .when = "word=slower", .tone = TERMINAL_WORSE},                                         \
        {text, .when = "word=faster", .tone = TERMINAL_BETTER}, {text, .tone = TERMINAL_FAINT},    \
    {                                                                                              \
        NULL                                                                                       \
    }

/* Parts of TEXT: BELOW has the smallest difference that would have been detected, RATIO is for
 * example "; B is 1.08 times A [1.05, 1.11]". */
#define DIFFERENCE_BELOW "{?; a difference above {below_ns/1000:3} us would have been seen}"
#define DIFFERENCE_RATIO "{?(word=slower|word=faster){?; B is {ratio:3g} times A {ratio.ci95:3g}}}"
