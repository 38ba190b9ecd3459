/* A sample result of characterize, for the tests of its views. */
#include <math.h>
#include <string.h>

#include "characterize/character.h"
#include "figures.h"
#include "unit_sample.h"

static struct character character;

static void fill_sample(void)
{
    struct character_answer *answer = &character.answers[0];

    character =
        (struct character){.origin = {.target = "self:", .transport = "TCP"}, .answer_count = 1};
    answer->name = "order";
    answer->question = answer->unknown = "?";
    answer_set(answer, "In order.");
    answer_figure(answer, "wait", (struct interval){1, 0, 2}, "us", "of one call");
}

static void fill_full_sample(void)
{
    struct character_answer *answer = &character.answers[1];

    strcpy(character.origin.start, "2026-01-02T03:04:05+00:00");
    character.answer_count = 3;
    character.duration = 31.5;
    character.scratch = "NFS3ERR_ROFS";
    character.quick = character.interrupted = true;
    character.validity =
        (struct validity){.verdict = VERDICT_SUSPECT,
                          .reasons = {{REASON_INTERRUPTED, "interrupted", VERDICT_SUSPECT,
                                       "the other experiments were not made"}},
                          .count = 1};
    answer->name = "locks";
    answer->question = "Do calls of one directory wait for each other?";
    answer->unknown = "Whether other clients' calls do.";
    answer->duration = 2.5;
    answer->calls = 12345;
    answer_set(answer, "They do, but for those that change nothing: a LOOKUP is answered while a "
                       "CREATE in the same directory is carried out.");
    strcpy(answer->meaning, "Make files in several directories.");
    answer_figure(answer, "create", (struct interval){12.25, 11, 13.5}, "us",
                  "longer with a second client");
    answer_figure(answer, "lookup", (struct interval){-0.0625, -0.5, 0.375}, "us",
                  "longer with a second client, which is less than two calls to an idle directory "
                  "differ");
    answer_figure(answer, "answered meanwhile", (struct interval){93.75, NAN, NAN}, "%", "%s", "");
    answer_figure(answer, "calls", (struct interval){2048, NAN, NAN}, "calls", "were in flight");
    answer_detail(answer, "a name that is longer than its column", "another directory");
    answer++;
    answer->name = "caches";
    answer->question = "What is kept in memory?";
    answer->unknown = "";
    answer_figure(answer, "read", (struct interval){415.5, 401.25, 433.75}, "us", "%s", "");
    answer_not_known(answer, "CREATE was answered by NFS3ERR_ROFS.");
}

const void *sample_CHARACTER(bool full)
{
    fill_sample();
    if (full) {
        fill_full_sample();
        figures_set_missing(view_character.fields, &character);
    }
    return &character;
}
