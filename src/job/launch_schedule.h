/* The moments at which launches begin that are spread over a time (--over). */
#pragma once

#include "common/error.h"
#include "common/random.h"
#include "run/plan.h"

/* Launches measure for one part in so many of the time that they are spread over, at most: the rest
 * is idle, and the last launch ends in time. */
enum { LAUNCH_SCHEDULE_IDLE_PARTS = 2 };

/* When launch NUMBER, from 0, of TOTAL is to begin, ns after the first one. Each has one of TOTAL
 * equal parts of OVER_NS and begins in its first quarter, at a time that RANDOM draws; the first
 * launch begins at once. Without the random time, events that recur with the same period, such as a
 * job of every minute, would meet all launches or none. */
uint64_t launch_schedule_begin_ns(uint64_t over_ns, size_t number, size_t total,
                                  struct random *random);

/* Wait until BEGINS_NS, on the clock of deadlines, when launch NUMBER, from 0, of TOTAL is to
 * begin, and show when that is, unless PLAN is quiet. If that time is over, because launches take
 * longer than the time between them, a notice says by how much. Returns 0, or with ERROR set -EINTR
 * after Ctrl-C or -ETIME at PLAN's deadline. */
int launch_schedule_await(uint64_t begins_ns, size_t number, size_t total,
                          const struct run_plan *plan, struct error *error);
