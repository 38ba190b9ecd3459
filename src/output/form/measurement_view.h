/* The view of a measurement. Other kinds also use its table of the kernel NFS client's counters. */
#pragma once

#include "output/view/view.h"

extern const struct view view_measurement;

extern const struct view_column measurement_mounted[];
#define MEASUREMENT_MOUNTED_NOTES(whose)                                                           \
    {"  {op}: blocks that sent other RPCs do not count and were repeated; the last of them sent "  \
     "{mounted.sent_instead}",                                                                     \
     whose "ops"},                                                                                 \
    {                                                                                              \
        "  {" whose "mount_connections}"                                                           \
    }
