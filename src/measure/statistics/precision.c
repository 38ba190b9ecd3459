#include "measure/statistics/precision.h"

#include <math.h>

bool precision_is_look(size_t round)
{
    size_t look = PRECISION_FIRST_LOOK;

    while (look < round)
        look += look / 2;
    return look == round;
}

bool precision_reached(const struct precision *precision, const struct interval *interval)
{
    double width = interval->high - interval->low;
    double narrow = fmax(precision->share * fabs(interval->estimate), precision->ns);

    return width <= narrow;
}

bool precision_ends(bool *was_narrow, bool narrow)
{
    bool ends = *was_narrow;

    *was_narrow = *was_narrow || narrow;
    return ends;
}
