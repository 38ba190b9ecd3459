/* Verdicts: many reasons occur alone, just beyond their thresholds, or together. */
#include "test.h"

#include "measure/validity.h"

static const struct validity_evidence good = {.calls = 100000,
                                              .rounds = 1000,
                                              .warmed_up_steady = true,
                                              .clock_ppm = 0.1,
                                              .client_cpu_share = 0.5,
                                              .null_ns = 10000,
                                              .has_control = true,
                                              .control_low_ns = -3,
                                              .control_high_ns = 4,
                                              .others = NAN};

static struct validity validity;

/* The texts of each reason, by verdict; "" if the reason never causes this verdict. */
#define GRADES(id, name, traits, meaning, suspect, invalid, advice)                                \
    {[VERDICT_SUSPECT] = suspect, [VERDICT_INVALID] = invalid},

static const char *const grades[REASONS][VERDICT_INVALID + 1] = {REASON_LIST(GRADES)};

/* Check that REASON (NULL: none) is the only reason to doubt EVIDENCE, that it causes VERDICT, and
 * that its entry has a text for VERDICT. */
static void expect(struct validity_evidence evidence, enum verdict verdict, const char *reason)
{
    validity_judge(&validity, &evidence);
    assert_int_equal(validity.verdict, verdict);
    if (!reason) {
        assert_int_equal(validity.count, 0);
        return;
    }
    assert_all((validity.count, 1), (validity.reasons[0].name, reason));
    if (!*grades[validity.reasons[0].reason][verdict])
        fail_msg("a result is %s by '%s': say when in its entry in measure/reasons.h",
                 verdict_name(verdict), reason);
}

#define WITH(member, value)                                                                        \
    ({                                                                                             \
        struct validity_evidence changed = good;                                                   \
        changed.member = value;                                                                    \
        changed;                                                                                   \
    })

TEST_CASE(reasons)
{
    struct validity_evidence evidence = WITH(server_waited, 0.3);

    expect(good, VERDICT_OK, NULL);
    expect(WITH(failed, 1), VERDICT_SUSPECT, "errors");
    expect(WITH(failed, 1000), VERDICT_SUSPECT, "errors");
    expect(WITH(failed, 1001), VERDICT_INVALID, "errors");
    expect(WITH(retransmissions, 1), VERDICT_SUSPECT, "retransmits");
    expect(WITH(reconnections, 1), VERDICT_SUSPECT, "retransmits");
    expect(WITH(early, 1), VERDICT_INVALID, "early-replies");
    expect(WITH(rounds, 19), VERDICT_SUSPECT, "too-few-rounds");
    expect(WITH(rounds, 20), VERDICT_OK, NULL);
    expect(WITH(clock_ppm, 9), VERDICT_OK, NULL);
    expect(WITH(clock_ppm, -11), VERDICT_SUSPECT, "clock-disagreement");
    expect(WITH(clock_ppm, 1001), VERDICT_INVALID, "clock-disagreement");
    expect(WITH(steal_share, 0.03), VERDICT_SUSPECT, "steal");
    expect(WITH(involuntary_switches, 0.03), VERDICT_SUSPECT, "preempted");
    expect(WITH(clock_step_ns, 9e3), VERDICT_OK, NULL);
    expect(WITH(clock_step_ns, 11e3), VERDICT_SUSPECT, "clock-disagreement");
    expect(WITH(client_cpu_share, 0.96), VERDICT_SUSPECT, "client-cpu-bound");
    expect(WITH(frequency_change, -0.06), VERDICT_SUSPECT, "frequency-scaling");
    expect(WITH(frequency_change, 0.04), VERDICT_OK, NULL);
    expect(WITH(shares_core, true), VERDICT_SUSPECT, "shared-core");
    expect(WITH(client_waited, 0.029), VERDICT_OK, NULL);
    expect(WITH(client_waited, 0.031), VERDICT_SUSPECT, "waited-for-processor");
    expect(WITH(server_waited, 0.031), VERDICT_SUSPECT, "waited-for-processor");
    expect(WITH(server_waited, NAN), VERDICT_OK, NULL);
    evidence.others = 0.01;
    expect(evidence, VERDICT_OK, NULL);
    evidence.others = 0.02;
    expect(evidence, VERDICT_SUSPECT, "waited-for-processor");
    expect(WITH(others, 0.06), VERDICT_SUSPECT, "busy-processors");
    expect(WITH(others, 0.04), VERDICT_OK, NULL);
    expect(WITH(others, NAN), VERDICT_OK, NULL);
    expect(WITH(core_shared, 0.11), VERDICT_SUSPECT, "core-shared-by-host");
    expect(WITH(core_shared, 0.09), VERDICT_OK, NULL);
    expect(WITH(mean_over_median, 1.4), VERDICT_OK, NULL);
    expect(WITH(mean_over_median, 1.6), VERDICT_SUSPECT, "outliers");
    expect(WITH(outlier_share, 0.0021), VERDICT_SUSPECT, "outliers");
    expect(WITH(outlier_share, 0.0019), VERDICT_OK, NULL);
    expect(WITH(warmed_up_steady, false), VERDICT_SUSPECT, "drift");
    expect(WITH(level_change, 0.11), VERDICT_SUSPECT, "drift");
    expect(WITH(level_change, -0.11), VERDICT_SUSPECT, "drift");
    expect(WITH(autocorrelation, 0.51), VERDICT_SUSPECT, "autocorrelation");
    expect(WITH(control_low_ns, 0.5), VERDICT_OK, NULL); /* happens in one of twenty sound runs */
    expect(WITH(control_ns, 7.5), VERDICT_SUSPECT, "noise-floor-too-high");
    expect(WITH(control_ns, -7.5), VERDICT_SUSPECT, "noise-floor-too-high");
    expect(WITH(impossible_of, "write"), VERDICT_SUSPECT, "model-failed");
    expect(WITH(ranks_evenness, 0.89), VERDICT_SUSPECT, "uneven-ranks");
    expect(WITH(ranks_evenness, 0.91), VERDICT_OK, NULL);
    expect(WITH(late_frames, 0.006), VERDICT_SUSPECT, "late-frames");
    expect(WITH(late_frames, 0.004), VERDICT_OK, NULL);
    expect(WITH(control_high_ns, 201), VERDICT_SUSPECT, "noise-floor-too-high");
    expect(WITH(trend, 0.019), VERDICT_OK, NULL);
    expect(WITH(trend, 0.021), VERDICT_SUSPECT, "block-too-short");
    expect(WITH(trend, -0.021), VERDICT_SUSPECT, "block-too-short");
    expect(WITH(trend_width, 0.03), VERDICT_OK, NULL);
}

TEST_CASE(the_worst_counts)
{
    struct validity_evidence bad = {.calls = 10,
                                    .failed = 5,
                                    .retransmissions = 1,
                                    .rounds = 1,
                                    .clock_ppm = 5000,
                                    .steal_share = 1,
                                    .involuntary_switches = 1,
                                    .client_cpu_share = 1,
                                    .frequency_change = 1,
                                    .shares_core = true,
                                    .autocorrelation = 1,
                                    .ranks_evenness = 0.1};

    validity_judge(&validity, &bad);
    assert_all((validity.verdict, VERDICT_INVALID), (validity.count, 12),
               (validity.count <= VALIDITY_REASONS_MAXIMUM),
               (verdict_name(validity.verdict), "invalid"));
}

/* A short run has few ticks, so the time that other processes used must exceed the noise of
 * ticks. */
TEST_CASE(others_of_a_short_run)
{
    struct validity_evidence evidence = good;

    evidence.others = 0.3;
    evidence.others_error = 0.1;
    expect(evidence, VERDICT_OK, NULL);
    evidence.others_error = 0.08;
    expect(evidence, VERDICT_SUSPECT, "busy-processors");
}

/* Client and server on one processor wait for each other, which is intended. Only use of the
 * processor by other processes is a reason to doubt. */
TEST_CASE(one_processor)
{
    struct validity_evidence evidence = good;

    evidence.one_processor = evidence.shares_core = true;
    evidence.involuntary_switches = 0.5;
    evidence.client_waited = 0.3;
    evidence.server_waited = 0.6;
    evidence.others = 0;
    evidence.others_error = 0.1; /* the large error of a short run */
    evidence.not_own = 0.02;
    expect(evidence, VERDICT_OK, NULL);
    evidence.not_own = 0.04;
    expect(evidence, VERDICT_SUSPECT, "waited-for-processor");
    evidence.others_error = 0.02; /* others used 0.02 at most: NOT_OWN was mostly idle */
    expect(evidence, VERDICT_OK, NULL);
    evidence.others = 0.4;
    evidence.not_own = 0.4;
    validity_judge(&validity, &evidence);
    assert_int_equal(validity.count, 2);
    assert_non_null(validity_find(&validity, REASON_WAITED_FOR_PROCESSOR));
    assert_non_null(validity_find(&validity, REASON_BUSY_PROCESSORS));
    assert_non_null(strstr(validity.reasons[0].text, "up to 40.0 %"));
    evidence.one_processor = false;
    /* On two processors, waits count up to twice the share of others: 2 x (0.1 + 0.02). */
    evidence.others = 0.1;
    validity_judge(&validity, &evidence);
    assert_non_null(strstr(validity.reasons[2].text, "server's threads waited for up to 24.0 %"));
    assert_non_null(validity_find(&validity, REASON_PREEMPTED));
    assert_non_null(validity_find(&validity, REASON_SHARED_CORE));
}

TEST_CASE(reasons_say_what_to_do)
{
    struct validity_evidence evidence = good;

    evidence.client_waited = evidence.others = evidence.core_shared = 0.999;
    evidence.mean_over_median = 12345;
    validity_judge(&validity, &evidence);
    assert_int_equal(validity.count, 4);
    for (size_t i = 0; i < validity.count; i++) {
        assert_non_null(strchr(validity.reasons[i].text, ';'));
        assert_in_range(strlen(validity.reasons[i].text), 40, sizeof validity.reasons[i].text - 2);
    }
}

/* The texts fit a mount: the kernel's client sends calls again, and another op is the baseline. */
TEST_CASE(words_on_a_mount)
{
    struct validity_evidence evidence = good;

    evidence.on_mount = true;
    evidence.retransmissions = 1;
    evidence.control_high_ns = 201;
    validity_judge(&validity, &evidence);
    assert_int_equal(validity.count, 2);
    assert_non_null(strstr(validity.reasons[0].text, "did so during the measured calls"));
    assert_non_null(strstr(validity.reasons[1].text, "cached against cached"));
    assert_non_null(strstr(validity.reasons[1].text, "of the shortest op"));
}

TEST_CASE(names_of_reasons_are_unique)
{
    for (enum reason a = 0; a < REASONS; a++)
        for (enum reason b = 0; b < a; b++)
            assert_string_not_equal(reason_name(a), reason_name(b));
    assert_all((reason_name(REASON_LATE_FRAMES), "late-frames"),
               (reason_find("late-frames"), REASON_LATE_FRAMES),
               (reason_find("of-a-later-version"), REASONS), (reason_find(NULL), REASONS),
               (reason_has(REASON_STEAL, REASON_IN_INTERVAL)),
               (!reason_has(REASON_STEAL, REASON_OF_ALL_RANKS)),
               (!reason_has(REASONS, REASON_OF_ALL_RANKS)));
}
