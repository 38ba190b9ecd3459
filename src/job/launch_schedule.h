/* The start times of launches that are spread over a time (--over). */
#pragma once

#include "common/error.h"
#include "common/random.h"
#include "run/plan.h"

/* The sum of all launches' measuring times is at most --over / LAUNCH_SCHEDULE_IDLE_PARTS, so that
 * the last launch ends in time. */
enum { LAUNCH_SCHEDULE_IDLE_PARTS = 2 };

/* Return when launch NUMBER (from 0) of TOTAL begins, ns after the first launch. OVER_NS is divided
 * into TOTAL equal slots. The first launch begins at once, each later launch at a RANDOM time in
 * the first quarter of its slot, because periodic events could else affect all launches or none. */
uint64_t launch_schedule_begin_ns(uint64_t over_ns, size_t number, size_t total,
                                  struct random *random);

/* Wait until BEGINS_NS, on the clock of deadlines, to begin launch NUMBER (from 0) of TOTAL. Unless
 * PLAN is quiet, show the time left until BEGINS_NS or, if the launch begins 1 s late or more,
 * print how late. Returns 0, -EINTR after Ctrl-C, or -ETIME at PLAN's deadline; the errors with
 * ERROR set. */
int launch_schedule_await(uint64_t begins_ns, size_t number, size_t total,
                          const struct run_plan *plan, struct error *error);
