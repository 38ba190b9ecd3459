/* How views show the difference of two sides, for rows with 'word', 'below_ns' and 'ratio'. */
#pragma once

#include "output/view/view.h"

/* Remarks with TEXT in the colour of the row's verdict. */
#define DIFFERENCE_REMARKS(text)                                                                   \
    {text, .when = "word=slower", .tone = TERMINAL_WORSE},                                         \
        {text, .when = "word=faster", .tone = TERMINAL_BETTER}, {text, .tone = TERMINAL_FAINT},    \
    {                                                                                              \
        NULL                                                                                       \
    }

/* For TEXT: the smallest detectable difference; and "; B is 1.08 times A [1.05, 1.11]". */
#define DIFFERENCE_BELOW "{?; a difference above {below_ns/1000:3} us would have been seen}"
#define DIFFERENCE_RATIO "{?(word=slower|word=faster){?; B is {ratio:3g} times A {ratio.ci95:3g}}}"
