/* What the files of the log of calls under load share. */
#pragma once

#include "explain/load_log.h"

/* The callbacks that note what happens to the calls of THREAD. */
struct load_watch load_notes_watch(struct load_thread *thread);

/* Keep CODE, a negative errno, if it is the first; 0 is none. */
void load_log_fail(struct load_log *log, int code);

void load_log_clear_marks(struct load_connection *connection);

/* Collect the kernel's timestamps of what was sent, as far as they have arrived. */
void load_log_collect(struct load_log *log, struct load_connection *connection);
