/* The rules that find conspicuous values in a survey, as data; and the server's steadiness. */
#include <math.h>
#include <string.h>

#include "common/append.h"
#include "output/view/view.h"
#include "survey/survey.h"

/* A rule is applied to each row of the list EACH or, if EACH is NULL, to the survey. There is a
 * finding if the condition WHEN (output/README.md) holds there, and all members that the texts need
 * are known. SENTENCE is the finding's text, NEXT a command that investigates it. Both have members
 * in braces, like a view's lines. */
struct rule {
    const char *name, *each, *when, *sentence, *next;
    bool is_of_times; /* left out on a busy machine: waits for its processors look the same */
};

#define OPS  "parts/run.ops"     /* ops of all measurements */
#define LACK "parts/run.skipped" /* ops that a measurement could not call */

#define RESENT   "most.tcp_retransmitted_share"
#define DISORDER "most.tcp_out_of_order_share"
#define SPURIOUS "most.tcp_spurious_share"
#define RARE     "mean_above_null_ns.rare"
#define RATE     "limit.throughput_per_s.level"
#define LIMIT_SENTENCE                                                                             \
    "{op}{? of {size:,} bytes}: {phrase} ({sureness}), at {" RATE ":,} calls/s"                    \
    "{? [{" RATE ".low:,}, {" RATE ".high:,}]}"
#define CERTAIN    "sureness=sure|sureness=likely sureness=sure|" RATE ".spread<0.33"
#define LIMIT_NEXT "nfsbench sweep --depth 1..64{? --size {size}} {?{^passed} |}{^target} {op}"

/* The rules, in the order of the findings: the worst first. */
static const struct rule rules[] = {
    {"errors", OPS, "failed role=op", "{op}: {failed#call} of {calls:,} were answered by an error",
     "nfsbench {?{^^passed} |}{^^target} {op}"},
    {"refused", LACK, "reason~NFS3ERR_|reason~UNAVAIL !op=readdirplus",
     "{op} does not work: {reason}", "nfsbench {?{^^passed} |}{^^target} {op}"},
    {"stalls", NULL, "steadiness.longest_stall_s>0.5",
     "the server gave no answer {steadiness.stalls#time}, for up to "
     "{steadiness.longest_stall_s:2} s",
     "nfsbench outage {?{passed} |}{target}"},
    {"sent-again", NULL, "steadiness.sent_again|steadiness.reconnections",
     "calls were sent again {steadiness.sent_again#time}, and connections broke "
     "{steadiness.reconnections#time}",
     "nfsbench outage {?{passed} |}{target}"},
    {"lost-packets", "parts",
     RESENT ".level>0.001|" DISORDER ".level>0.002 !" SPURIOUS ".level>0.5",
     "packets are lost or reordered: of TCP's segments, {" RESENT ".level/0.01:2} % were sent again"
     "{?, and {" DISORDER ".level/0.01:2} % arrived out of order}, at "
     "{most.throughput_per_s.level:,} calls/s of {most.op}",
     "nfsbench sweep --depth 1..64{? --size {most.size}} {?{^passed} |}{^target} {most.op}", true},
    {"line", "parts",
     "limited_by=loss|limited_by=reordering|limited_by=jitter|limited_by=receive-window|"
     "limited_by=send-buffer sureness=sure",
     LIMIT_SENTENCE, LIMIT_NEXT, true},
    {"throttle", "parts", "limited_by=call-rate|limited_by=byte-rate " CERTAIN, LIMIT_SENTENCE,
     LIMIT_NEXT},
    {"serialized", "parts",
     "limited_by=server-lock|limited_by=server-threads|limited_by=connection|"
     "limited_by=lock-or-device|limited_by=server-device " CERTAIN
     " alone.above_null_ns.level>100000 calls_in_work>0.5",
     LIMIT_SENTENCE, LIMIT_NEXT},
    {"slow-metadata", OPS,
     "op=getattr|op=lookup|op=access above_null_ns.low>500000 above_null_ns.spread<1",
     "{op} takes {above_null_ns/1000:0} us {above_null_ns.ci95/1000:0} more than NULL, which "
     "needs no file system",
     "nfsbench explain {?{^^passed} |}{^^target} {op}", true},
    {"rare-slow-calls", OPS, RARE "_of_typical>0.5 role=op",
     "rare slow calls add {" RARE "/1000:1} us {" RARE ".ci95/1000:1} to the mean of {op}, whose "
     "typical time is {latency_ns.p50/1000:1} us",
     "nfsbench explain --slowest 5 {?{^^passed} |}{^^target} {op}", true},
    {"slow-large-reads", OPS, "op=read ^part=large_reads ^^large_share<0.33",
     "a READ of {bytes.data:,} bytes takes {latency_ns.p50/1000:0} us, and moves "
     "{^^large_share/0.01:0} % of the bytes that READs of 64 KiB move in that time",
     "nfsbench sweep --size 4096..{bytes.data:0} {?{^^passed} |}{^^target} read", true},
    {"small-transfers", NULL, "proto=tcp limits.rtmax<65537|limits.wtmax<65537",
     "the server takes READs of {limits.rtmax:,} bytes and WRITEs of {limits.wtmax:,} at most; "
     "clients would use 1 MiB",
     "nfsbench characterize --only sizes {?{passed} |}{target}"},
    {"small-listings", NULL, "limits.dtpref<4096",
     "the server prefers lists of {limits.dtpref:,} bytes, so that a large directory takes many "
     "calls",
     "nfsbench {?{passed} |}{target} readdirplus-all"},
    {"no-readdirplus", LACK, "op=readdirplus",
     "no READDIRPLUS, so that a list with attributes takes a call for each entry: {reason}",
     "nfsbench {?{^^passed} |}{^^target} readdirplus"},
    {"slow-mount", NULL, "calls.setup.mount_ns>1000000000",
     "mounting took {calls.setup.mount_ns/1000000:0} ms{?, of these the look-up "
     "{calls.setup.look_up_ns/1000000:0}}{?, the port mapper "
     "{calls.setup.port_mapper_ns/1000000:0}}",
     "nfsbench characterize --only connections {?{passed} |}{target}"},
};

enum { RULES = sizeof rules / sizeof rules[0] };

struct trial {
    const struct rule *rule;
    struct survey *survey;
};

static void try_row(const struct view_row *row, void *data)
{
    const struct trial *trial = data;
    struct survey *survey = trial->survey;
    struct result_finding *finding = &survey->findings[survey->finding_count];

    finding->name = trial->rule->name;
    if (survey->finding_count < SURVEY_FINDINGS && view_holds(row, trial->rule->when) &&
        view_expand(row, trial->rule->sentence, finding->text, sizeof finding->text) &&
        view_expand(row, trial->rule->next, finding->next, sizeof finding->next))
        survey->finding_count++;
}

static void find(struct survey *survey)
{
    const struct view_row root = view_root(&view_survey, survey, false);

    survey->finding_count = 0;
    survey->looked_for[0] = '\0';
    for (size_t i = 0; i < RULES; i++) {
        struct trial trial = {&rules[i], survey};

        if (rules[i].is_of_times && survey->is_machine_busy)
            continue;
        append_item(survey->looked_for, sizeof survey->looked_for, "%s", rules[i].name);
        if (rules[i].each)
            view_each(&root, rules[i].each, try_row, &trial);
        else
            try_row(&root, &trial);
    }
}

static void add_measurement(struct survey_steadiness *steadiness, const struct result *result)
{
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];
        const double tail = op->latency.p999 / op->latency.p50;

        if (op->role == RESULT_NULL_CONTROL)
            continue;
        steadiness->sent_again += op->retransmissions;
        steadiness->reconnections += op->reconnections;
        if (tail > steadiness->tail || !steadiness->tail_op) {
            steadiness->tail = tail;
            steadiness->tail_op = op->op;
        }
    }
    steadiness->stalls += result->stall_count;
    for (size_t i = 0; i < result->stall_count; i++)
        steadiness->longest_stall_s = fmax(steadiness->longest_stall_s, result->stalls[i].length_s);
    for (size_t i = 0; i < result->validity.count; i++)
        if (strcmp(result->validity.reasons[i].name, "drift") == 0)
            steadiness->drift = result->validity.reasons[i].text;
}

void survey_conclude(struct survey *survey)
{
    const double busy = 0.5; /* share of the processors' time that other processes use */

    survey->is_machine_busy = survey->parts[SURVEY_CALLS].file.result.evidence.others > busy;
    survey->steadiness = (struct survey_steadiness){.tail = NAN};
    for (size_t step = 0; step < SURVEY_STEPS; step++)
        add_measurement(&survey->steadiness, &survey->parts[step].file.result);
    find(survey);
}
