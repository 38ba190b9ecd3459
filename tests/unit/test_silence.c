/* Times without answers from the server are distinguished from calls that waited for other
 * reasons. */
#include "test.h"

#include "engine/silence.h"

/* Add a silence from BEGAN to ENDED, in which three calls waited. The oldest of these calls was
 * sent at OLDEST. */
static void add_silence(struct silences *silences, struct engine_gaps *waits, uint64_t began,
                        uint64_t ended, uint64_t oldest)
{
    silences_note(silences, waits, &(struct engine_gap){began, ended, 3}, oldest);
}

TEST_CASE(silences_that_follow_each_other_are_not_one)
{
    struct silences silences = {.answered_at = 0};
    struct engine_gaps waits = {.count = 0};

    add_silence(&silences, &waits, 100, 200, 100);
    add_silence(&silences, &waits, 200, 250, 200);
    assert_all((waits.kept, 2), (waits.longest[0].ended, 200), (waits.longest[0].calls, 3));
}

TEST_CASE(calls_that_were_lost_in_a_silence_waited_no_longer_than_it_lasted)
{
    struct silences silences = {.answered_at = 0};
    struct engine_gaps waits = {.count = 0}, gaps = {.count = 0};

    add_silence(&silences, &waits, 100, 600, 100);
    silences_note_resent(&silences, &gaps, 100);
    add_silence(&silences, &waits, 600, 620, 300); /* ends with retransmissions */
    silences_note_resent(&silences, &gaps, 599);
    assert_all((gaps.count, 1), (gaps.longest[0].began, 100), (gaps.longest[0].ended, 600),
               (gaps.longest[0].calls, 2));
}

TEST_CASE(a_call_that_was_lost_among_answered_ones_has_no_gap)
{
    struct silences silences = {.answered_at = 0};
    struct engine_gaps waits = {.count = 0}, gaps = {.count = 0};

    add_silence(&silences, &waits, 100, 600, 100);
    silences_note_resent(&silences, &gaps, 700);
    assert_int_equal(gaps.count, 0);
    /* This silence is shorter, but counts: its calls were all sent after the first silence. */
    add_silence(&silences, &waits, 900, 950, 800);
    silences_note_resent(&silences, &gaps, 800);
    assert_all((gaps.count, 1), (gaps.longest[0].began, 900));
}

TEST_CASE(a_call_waits_alone_if_later_ones_were_answered_long_before)
{
    struct silences silences = {.latest_sent = 900};
    struct engine_gaps waits = {.count = 0};

    silences_note_call(&silences, &waits, 100, 1000);
    assert_all((waits.kept, 1), (waits.longest[0].began, 100), (waits.longest[0].ended, 1000));
    /* Not alone: the latest call was sent 100 after this one, less than half of its wait of 300. */
    silences_note_call(&silences, &waits, 800, 1100);
    assert_int_equal(waits.kept, 1);
}

TEST_CASE(calls_that_waited_for_those_of_a_silence_are_no_stall_of_their_own)
{
    struct silences silences = {.latest_sent = 990};
    struct engine_gaps waits = {.count = 0};

    add_silence(&silences, &waits, 100, 1000, 100);
    silences_note_call(&silences, &waits, 150, 1200);
    assert_int_equal(waits.kept, 1);
}
