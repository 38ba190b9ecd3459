/* A measurement as a view; and its table of what the kernel's client counted of a mount, which
 * other kinds show, too. */
#pragma once

#include "output/view.h"

extern const struct view view_measurement;
extern const struct view_table measurement_mounted;
