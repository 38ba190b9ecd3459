/* The named reasons to doubt a result, one entry each. Merges of launches or ranks, and
 * experiments, drop a reason or judge it anew according to its traits. A merge always keeps a
 * reason without traits; an experiment keeps it if more than a quarter of the units have it.
 * METHOD's table of reasons is made from the entries (nfsbench-documents method). */
#pragma once

#include <stdbool.h>

enum reason_trait {
    /* The launches' data together decide on the reason. A merge of launches judges it anew, and
     * drops the reasons of single launches. */
    REASON_OF_AMOUNT = 1,
    /* The ranks' data together decide on the reason. A merge of ranks judges it anew, and drops the
     * reasons of single ranks. It keeps each reason without this trait. */
    REASON_OF_ALL_RANKS = 2,
    /* Other work disturbed the calls. If it made only few of many launches suspect, a merge of
     * launches drops the reason, because the interval over all launches contains its effect. */
    REASON_IN_INTERVAL = 4,
    /* The reason does not matter to an experiment. Its intervals come from many units, and a busy
     * client or an unreached rate is a result of the experiment. */
    REASON_OF_UNIT = 8,
};

/* Each reason is defined by one REASON(ID, name, traits, meaning, suspect, invalid, advice).
 * - ID: REASON_ID in enum reason
 * - name: stable, for programs
 * - traits: a combination of enum reason_trait
 * - meaning: what happened (Markdown, as the texts below; for METHOD's table)
 * - suspect, invalid: when a result is graded so; "" if never
 * - advice: what to do
 * The exact conditions, and the messages with measured values, are in the code that judges. */
#define REASON_LIST(REASON)                                                                        \
    /* A run's calls */                                                                            \
    REASON(ERRORS, "errors", REASON_OF_ALL_RANKS, "calls were answered by an error", "any",        \
           "over 1 % of the calls", "look at the errors' names and the server's log")              \
    REASON(RETRANSMITS, "retransmits", REASON_OF_ALL_RANKS,                                        \
           "messages were sent again, or connections were made again", "any", "",                  \
           "look for loss on the network and for restarts of the server")                          \
    REASON(TRAILING_BYTES, "trailing-bytes", 0,                                                    \
           "replies, measured or not, had bytes after their result, which was decoded", "any", "", \
           "report it to the makers of the server")                                                \
    REASON(OP_FAILED, "op-failed", 0,                                                              \
           "an op failed during the run or a launch, and is left out of the result", "any", "",    \
           "see its error in `skipped`")                                                           \
    REASON(CUT_SHORT, "cut-short", 0,                                                              \
           "an error ended the run early (a user's interrupt is no reason)", "any", "",            \
           "remove the cause that is printed, and repeat the run")                                 \
    REASON(EARLY_REPLIES, "early-replies", 0,                                                      \
           "replies came to calls that had not been sent yet; they are not taken for answers", "", \
           "any", "find what replies: the server, or something before it")                         \
    REASON(OP_SKIPPED, "op-skipped", 0,                                                            \
           "an op that was named, or whose set-up failed, could not be called, and is left out; "  \
           "not one of a group that server or export lacks",                                       \
           "any", "", "see its error in `skipped`")                                                \
    REASON(SHORT_READS, "short-reads", 0,                                                          \
           "each READ returns the same number of bytes, fewer than requested (RFC 1813 allows "    \
           "it); the figures are of these calls",                                                  \
           "any", "", "choose a `--size` that is returned whole")                                  \
    REASON(SHORT_WRITES, "short-writes", 0,                                                        \
           "each WRITE takes the same number of bytes, fewer than were sent (RFC 1813 allows "     \
           "it); the figures are of these calls",                                                  \
           "any", "", "choose a `--size` that is taken whole")                                     \
    REASON(SHORT_CALLS, "short-calls", 0,                                                          \
           "some READs or WRITEs moved fewer bytes than others; they have no latency, and count "  \
           "as `SHORT_READ` or `SHORT_WRITE`, not as failed",                                      \
           "any", "", "compare their number with that of all calls")                               \
    REASON(INCONSISTENT_LISTING, "inconsistent-listing", 0,                                        \
           "a directory's listing had no end (NFS3ERR_BAD_COOKIE), pages with different cookie "   \
           "verifiers or, in the untimed listing, names twice; the page is printed",               \
           "any", "", "make sure that nothing else changes the directory")                         \
    REASON(STALLED, "stalled", REASON_OF_ALL_RANKS | REASON_IN_INTERVAL,                           \
           "a call of any purpose had no answer for long: server, network or this machine stood "  \
           "still",                                                                                \
           "over 100 ms and 100 times its series' usual time, or over 1 s", "",                    \
           "look at what both machines did at the time that is printed")                           \
    REASON(TOO_FEW_ROUNDS, "too-few-rounds",                                                       \
           REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_OF_UNIT,                                \
           "the intervals themselves are uncertain", "fewer than 20 rounds", "",                   \
           "raise COUNT or `--max-time`")                                                          \
    REASON(OUTLIERS, "outliers", REASON_OF_ALL_RANKS | REASON_IN_INTERVAL,                         \
           "slow calls dominate a series; the worst series is named",                              \
           "its mean exceeds 1.5 medians, or over 0.2 % of its calls took over 10 medians", "",    \
           "see 'slowest' with `-v`; end other processes")                                         \
    REASON(DRIFT, "drift", REASON_OF_ALL_RANKS | REASON_IN_INTERVAL,                               \
           "NULL's level changed during the run; in an experiment, NULL's or the reference's "     \
           "during the trials",                                                                    \
           "by over 10 % from the first third to the last, or still changing after a warm-up of "  \
           "ten rounds or more",                                                                   \
           "", "repeat the run when machine and server are steady")                                \
    REASON(MACHINE_CHANGED_STATE, "machine-changed-state",                                         \
           REASON_OF_ALL_RANKS | REASON_IN_INTERVAL | REASON_OF_UNIT,                              \
           "a bare echo, or NULL where there is none, had several levels (see \"The witness\")",   \
           "3 % within a launch, or 10 % between launches", "",                                    \
           "compare costs, not round trips, or repeat the run")                                    \
    REASON(AUTOCORRELATION, "autocorrelation", REASON_OF_ALL_RANKS | REASON_OF_UNIT,               \
           "the costs of successive rounds are correlated: the intervals are too narrow",          \
           "over 0.5", "", "repeat the run; look for work that comes and goes on either machine")  \
    REASON(NOISE_FLOOR_TOO_HIGH, "noise-floor-too-high",                                           \
           REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_OF_UNIT,                                \
           "NULL against NULL is not 0, or known only roughly; any cost may be wrong by as much",  \
           "the null control's distance from 0 exceeds its interval's width, or the noise floor "  \
           "exceeds 2 % of NULL's median",                                                         \
           "", "raise COUNT, or see `nfsbench doctor`")                                            \
    REASON(MODEL_FAILED, "model-failed", REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_OF_UNIT,  \
           "a part of a significant cost is below 0, which is impossible; that op's parts are "    \
           "not given",                                                                            \
           "below 0 beyond its interval and the noise floor", "",                                  \
           "use the whole cost, which does not depend on its parts")                               \
    REASON(BLOCK_TOO_SHORT, "block-too-short", REASON_OF_ALL_RANKS,                                \
           "under load, how a block begins still matters at its end",                              \
           "calls of its first and last third differ by over 2 %, and by more than the width of "  \
           "the difference's interval",                                                            \
           "", "raise `--block`")                                                                  \
    REASON(UNEVEN_RANKS, "uneven-ranks", REASON_OF_ALL_RANKS,                                      \
           "the slowest rank's last calls were made alone: the sum of the rates is too high",      \
           "it has under 90 % of the fastest rank's rate", "",                                     \
           "use equal machines, with a processor for each rank")                                   \
    /* The client, its machine and network, open loops, and the mount */                           \
    REASON(CLOCK_DISAGREEMENT, "clock-disagreement", 0,                                            \
           "the clock and CLOCK_MONOTONIC_RAW differ",                                             \
           "over 10 ppm, or over 10 us within a round", "over 1000 ppm",                           \
           "measure with `--clock monotonic`")                                                     \
    REASON(STEAL, "steal", REASON_IN_INTERVAL, "the hypervisor took time of the processors",       \
           "over 2 % of it", "", "repeat it later, or on a host of your own")                      \
    REASON(PREEMPTED, "preempted", REASON_IN_INTERVAL,                                             \
           "other work runs on the client's processor (with `--one-processor` the server does, "   \
           "which is no reason)",                                                                  \
           "over 0.02 involuntary context switches per call", "",                                  \
           "end it, or move it with taskset")                                                      \
    REASON(CLIENT_CPU_BOUND, "client-cpu-bound", REASON_OF_UNIT,                                   \
           "the client was nearly always on its processor, without `--spin`: it measured itself",  \
           "over 95 % of the time", "",                                                            \
           "use more `--threads`, or several machines with nfsbench-mpi")                          \
    REASON(FREQUENCY_SCALING, "frequency-scaling", 0,                                              \
           "the client's processor changed its frequency", "by over 5 %", "",                      \
           "fix it with `cpupower frequency-set -g performance`")                                  \
    REASON(SHARED_CORE, "shared-core", 0,                                                          \
           "client and server are bound to one core: while one works the other waits",             \
           "any, without `--one-processor`", "", "bind them to different cores with taskset")      \
    REASON(WAITED_FOR_PROCESSOR, "waited-for-processor", REASON_IN_INTERVAL,                       \
           "threads of the client or a local server waited for a processor (`schedstat`'s run "    \
           "delay). Counted at most: what others used of two processors or, with "                 \
           "`--one-processor`, what neither used",                                                 \
           "over 3 % of the time of the rounds, or of `characterize`", "",                         \
           "end them, or move them with taskset")                                                  \
    REASON(BUSY_PROCESSORS, "busy-processors", REASON_IN_INTERVAL,                                 \
           "other processes used the processors in use (`/proc/stat`, less client and server)",    \
           "over 5 % of their time, plus 3 standard errors of counting in ticks", "",              \
           "end them, or move them with taskset")                                                  \
    REASON(CORE_SHARED_BY_HOST, "core-shared-by-host", REASON_IN_INTERVAL,                         \
           "another machine's work slows the client's core",                                       \
           "in over 10 % of the rounds additions took over 1.25 times their least time, relative " \
           "to a chain of multiplications",                                                        \
           "", "repeat it later, or on a host of your own")                                        \
    REASON(RATE_NOT_REACHED, "rate-not-reached", REASON_OF_UNIT,                                   \
           "an open loop: fewer calls a second were sent than requested (of Poisson arrivals, "    \
           "less two standard deviations)",                                                        \
           "less than 98 %", "less than 90 %",                                                     \
           "lower `--rate`, or raise `--depth` or `--clients`")                                    \
    REASON(SENDER_LATE, "sender-late", 0,                                                          \
           "an open loop: the client's processor sent calls after they were due",                  \
           "the lateness (p99) exceeds 10 % of the response time's p99", "over 50 %",              \
           "lower `--rate`, or free processors for the client")                                    \
    REASON(CALLS_HELD, "calls-held", REASON_OF_UNIT,                                               \
           "an open loop: calls that were due could not be sent; the main cause is named",         \
           "for over 10 % of the mean response time", "",                                          \
           "if `--depth` held them, raise it; else the server or the path takes no more")          \
    REASON(SCHEDULE_INTERRUPTED, "schedule-interrupted", 0,                                        \
           "an open loop: no call was due while replies were awaited or calls prepared",           \
           "for over 2 % of the time", "",                                                         \
           "the rates are those of the time in which calls were sent")                             \
    REASON(UNANSWERED, "unanswered", REASON_OF_UNIT,                                               \
           "an open loop: calls had no reply, or were not sent, `--timeout` after the last; "      \
           "their times are in no figure",                                                         \
           "", "any", "lower `--rate`: the server does not keep up")                               \
    REASON(LATE_FRAMES, "late-frames", 0,                                                          \
           "frames left the emulated wire (`scripts/with-ethernet`) late; how late its relay "     \
           "noticed a frame is unknown",                                                           \
           "over 0.5 % of the frames, by over 5 us", "",                                           \
           "give the relay a processor of its own, or less load")                                  \
    REASON(MOUNT_CHANGED, "mount-changed", 0, "the mount of the calls was another one at the end", \
           "", "any change", "leave the mount alone during a run")                                 \
    /* The phases of calls */                                                                      \
    REASON(WAITING_FOR_PROCESSORS, "waiting-for-processors", 0,                                    \
           "`explain`: an op's calls waited for a processor, of either side, that the load did "   \
           "not keep busy",                                                                        \
           "over 20 % of their lifetimes", "", "end other work on both machines")                  \
    REASON(UNEXPLAINED, "unexplained", 0,                                                          \
           "`explain`: calls are not explained; failed ones and those sent again do not count",    \
           "under 99 % are explained", "", "repeat it when the machine is quiet")                  \
    REASON(DISCREPANCY, "discrepancy", 0, "`explain`: the phases differ from the lifetime",        \
           "by over 1 %, and by over 0.3 us", "", "repeat it when the machine is quiet")           \
    /* Experiments */                                                                              \
    REASON(INTERFERENCE, "interference", 0,                                                        \
           "an experiment: calls take another time alone than with other variants (see \"Units "   \
           "and groups\")",                                                                        \
           "over 3 %, and the 95 % interval over passes excludes 0", "",                           \
           "measure each variant by itself with `--group 1`")                                      \
    REASON(INVALID_TRIALS, "invalid-trials", 0, "an experiment: trials had an invalid verdict",    \
           "any", "over half of a point's trials", "remove what made them invalid")                \
    REASON(TOO_FEW_REPEATS, "too-few-repeats", REASON_OF_UNIT,                                     \
           "an experiment: the intervals themselves are uncertain",                                \
           "fewer than 3 trials of a point", "", "raise `--repeat` or `--launches`")               \
    REASON(LITTLE, "little", 0,                                                                    \
           "an experiment: throughput times latency is not the number of calls in flight "         \
           "(Little's law)",                                                                       \
           "more calls than were in flight, beyond the interval; also fewer, if the turn-around "  \
           "is known",                                                                             \
           "", "raise `--repeat`")                                                                 \
    REASON(PROBES_WITHOUT_ANSWER, "probes-without-answer", 0,                                      \
           "a search: probes gave no answer, even after repetition", "over 25 % of the probes",    \
           "over 50 %", "repeat it when the machine is quiet")                                     \
    REASON(NOT_NARROW, "not-narrow", 0,                                                            \
           "a search: its probes did not determine the rate precisely enough", "any", "",          \
           "raise `--max-time`")                                                                   \
    REASON(TOO_FEW_CALLS, "too-few-calls", 0,                                                      \
           "a search: a probe had fewer calls than its objective needs", "any", "",                \
           "choose a lower quantile, or raise `--max-time`")                                       \
    /* The character of a server */                                                                \
    REASON(CONTRADICTION, "contradiction", 0,                                                      \
           "`characterize`: answers contradict other figures: something else was measured than "   \
           "the server",                                                                           \
           "any", "", "repeat it on a machine that does nothing else")                             \
    REASON(INTERRUPTED, "interrupted", 0,                                                          \
           "`characterize`: it was interrupted; the remaining experiments were not made", "any",   \
           "", "let it end")

#define REASON_ID(id, name, traits, meaning, suspect, invalid, advice) REASON_##id,

enum reason { REASON_LIST(REASON_ID) REASONS };

#undef REASON_ID

const char *reason_name(enum reason reason);

/* Return the reason called NAME; REASONS if NAME is NULL or unknown (another version's). */
enum reason reason_find(const char *name);

/* Return true if REASON has TRAIT. REASONS has no trait. */
bool reason_has(enum reason reason, enum reason_trait trait);
