#include "character/gain.h"

enum gain gain_classify(const struct interval *ratio)
{
    if (ratio->low >= GAIN_LEAST)
        return GAIN_SOME;
    return ratio->high < GAIN_LEAST ? GAIN_NONE : GAIN_UNKNOWN;
}
