/* An engine that makes one call at a time with timestamps. It encodes each call, as real clients
 * do, sends it through a channel, and reports its steps to a log. */
#pragma once

#include "engine/engine.h"
#include "explain/phases/load_log.h"

/* Open an engine and connect it. Only the calls that LOG selects are logged and timed. If LOG is
 * NULL, all calls are timed and none has timestamps, so that the cost of timestamps can be
 * measured. LOG must be for one thread and outlive *ENGINE. The ticks that engine_run() measures
 * include encoding and decoding. Returns 0, or a negative errno with ERROR set. */
int stamped_open(struct engine **engine, const struct engine_config *config, struct load_log *log,
                 struct error *error);
