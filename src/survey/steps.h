/* The commands that a survey is made of. */
#pragma once

#include "job/options.h"
#include "survey/survey.h"

/* Write SURVEY as a page of HTML to the file of --output. 0, or a negative errno with ERROR set. */
int survey_write_page(const struct options *options, const void *survey, struct error *error);

/* Make the steps of SURVEY one after another, each by this program in a process of its own, until
 * PLAN's deadline. Options that say how to reach the server are those of OPTIONS, whose command is
 * the survey's. 0; or -EINTR with ERROR set after Ctrl-C, which is passed on to the process. */
int survey_make_steps(struct survey *survey, const struct run_plan *plan,
                      const struct options *options, struct error *error);
