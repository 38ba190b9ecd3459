/* The named reasons to doubt a result. Each reason has one line, with its name and its traits:
 * merges of launches and of ranks, and experiments, go by the traits. A reason without traits is
 * kept by all of them. */
#pragma once

#include <stdbool.h>

enum reason_trait {
    /* The launches' data together decide on it. A merge of launches judges it anew, and does not
     * keep what single launches say. */
    REASON_OF_AMOUNT = 1,
    /* The ranks' data together decide on it. A merge of ranks judges it anew, and does not keep
     * what single ranks say. All other reasons concern a rank's machine or process. */
    REASON_OF_ALL_RANKS = 2,
    /* Something else took time. If this happened to few launches, the interval over the launches
     * contains the effect, and a merge of launches does not keep the reason. */
    REASON_IN_INTERVAL = 4,
    /* It does not matter to an experiment, whose intervals come from many units, and for which a
     * busy client or a rate that is not reached are results. */
    REASON_OF_UNIT = 8,
};

/* REASON(ID, name, traits): ID is that of enum reason without REASON_; the name is stable, for
 * programs. */
#define REASON_LIST(REASON)                                                                        \
    /* A run's calls */                                                                            \
    REASON(ERRORS, "errors", REASON_OF_ALL_RANKS)                                                  \
    REASON(RETRANSMITS, "retransmits", REASON_OF_ALL_RANKS)                                        \
    REASON(TRAILING_BYTES, "trailing-bytes", 0)                                                    \
    REASON(OP_FAILED, "op-failed", 0)                                                              \
    REASON(CUT_SHORT, "cut-short", 0)                                                              \
    REASON(EARLY_REPLIES, "early-replies", 0)                                                      \
    REASON(OP_SKIPPED, "op-skipped", 0)                                                            \
    REASON(SHORT_READS, "short-reads", 0)                                                          \
    REASON(SHORT_WRITES, "short-writes", 0)                                                        \
    REASON(SHORT_CALLS, "short-calls", 0)                                                          \
    REASON(INCONSISTENT_LISTING, "inconsistent-listing", 0)                                        \
    REASON(STALLED, "stalled", REASON_OF_ALL_RANKS | REASON_IN_INTERVAL)                           \
    REASON(TOO_FEW_ROUNDS, "too-few-rounds",                                                       \
           REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_OF_UNIT)                                \
    REASON(OUTLIERS, "outliers", REASON_OF_ALL_RANKS | REASON_IN_INTERVAL)                         \
    REASON(DRIFT, "drift", REASON_OF_ALL_RANKS | REASON_IN_INTERVAL)                               \
    REASON(AUTOCORRELATION, "autocorrelation", REASON_OF_ALL_RANKS | REASON_OF_UNIT)               \
    REASON(NOISE_FLOOR_TOO_HIGH, "noise-floor-too-high",                                           \
           REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_OF_UNIT)                                \
    REASON(MODEL_FAILED, "model-failed", REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_OF_UNIT)  \
    REASON(BLOCK_TOO_SHORT, "block-too-short", REASON_OF_ALL_RANKS)                                \
    REASON(UNEVEN_RANKS, "uneven-ranks", REASON_OF_ALL_RANKS)                                      \
    /* Its client, its machine and what is between it and the server */                            \
    REASON(CLOCK_DISAGREEMENT, "clock-disagreement", 0)                                            \
    REASON(STEAL, "steal", REASON_IN_INTERVAL)                                                     \
    REASON(PREEMPTED, "preempted", REASON_IN_INTERVAL)                                             \
    REASON(CLIENT_CPU_BOUND, "client-cpu-bound", REASON_OF_UNIT)                                   \
    REASON(FREQUENCY_SCALING, "frequency-scaling", 0)                                              \
    REASON(SHARED_CORE, "shared-core", 0)                                                          \
    REASON(WAITED_FOR_PROCESSOR, "waited-for-processor", REASON_IN_INTERVAL)                       \
    REASON(BUSY_PROCESSORS, "busy-processors", REASON_IN_INTERVAL)                                 \
    REASON(CORE_SHARED_BY_HOST, "core-shared-by-host", REASON_IN_INTERVAL)                         \
    REASON(RATE_NOT_REACHED, "rate-not-reached", REASON_OF_UNIT)                                   \
    REASON(SENDER_LATE, "sender-late", 0)                                                          \
    REASON(CALLS_HELD, "calls-held", REASON_OF_UNIT)                                               \
    REASON(SCHEDULE_INTERRUPTED, "schedule-interrupted", 0)                                        \
    REASON(UNANSWERED, "unanswered", REASON_OF_UNIT)                                               \
    REASON(LATE_FRAMES, "late-frames", 0)                                                          \
    REASON(MOUNT_CHANGED, "mount-changed", 0)                                                      \
    /* The phases of calls */                                                                      \
    REASON(WAITING_FOR_PROCESSORS, "waiting-for-processors", 0)                                    \
    REASON(UNEXPLAINED, "unexplained", 0)                                                          \
    REASON(DISCREPANCY, "discrepancy", 0)                                                          \
    /* An experiment */                                                                            \
    REASON(COMPANY, "company", 0)                                                                  \
    REASON(INVALID_TRIALS, "invalid-trials", 0)                                                    \
    REASON(TOO_FEW_REPEATS, "too-few-repeats", REASON_OF_UNIT)                                     \
    REASON(LITTLE, "little", 0)                                                                    \
    REASON(PROBES_WITHOUT_ANSWER, "probes-without-answer", 0)                                      \
    REASON(NOT_NARROW, "not-narrow", 0)                                                            \
    REASON(TOO_FEW_CALLS, "too-few-calls", 0)                                                      \
    /* The character of a server */                                                                \
    REASON(CONTRADICTION, "contradiction", 0)                                                      \
    REASON(INTERRUPTED, "interrupted", 0)

#define REASON_ID(id, name, traits) REASON_##id,

enum reason { REASON_LIST(REASON_ID) REASONS };

#undef REASON_ID

/* REASON's name: "late-frames". */
const char *reason_name(enum reason reason);

/* Does the reason NAME have TRAIT? A name that is not in the list, such as that of another
 * version's reason, has no traits. */
bool reason_has(const char *name, enum reason_trait trait);
