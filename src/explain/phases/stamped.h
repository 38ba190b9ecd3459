/* An engine that makes one call at a time, with timestamps: it encodes each call, as real clients
 * do, over a channel, and tells a log of its steps. */
#pragma once

#include "engine/engine.h"
#include "explain/phases/load_log.h"

/* Connect. The calls that LOG wants are logged in it, and only these are timed; with NULL, the same
 * calls are made without timestamps, so that the difference is their cost. LOG, of one thread, must
 * outlive the engine. The ticks from engine_run() include encoding and decoding. Returns 0, or a
 * negative errno with ERROR set. */
int stamped_open(struct engine **engine, const struct engine_config *config, struct load_log *log,
                 struct error *error);
