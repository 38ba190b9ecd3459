/* A gap lasts from the due time of the first call without a good answer until every line in the gap
 * has had a good answer again. */
#include "test.h"

#include "outage/gaps.h"

enum { LINES = 2, THRESHOLD = 100 };

static struct gaps gaps;

FIXTURE(set_up, gaps_open(&gaps, LINES, THRESHOLD, NULL, NULL))

FIXTURE(tear_down, gaps_close(&gaps), 0)

TEST_CASE_WITH(what_is_answered_in_time_is_no_gap, set_up, tear_down)
{
    for (uint64_t due = 1000; due < 2000; due += 10) { /* calls for longer than the threshold */
        gaps_due(&gaps, 0, due);
        gaps_find_waiting(&gaps, due);
        gaps_answered(&gaps, 0, GAPS_GOOD, due + 5);
    }
    assert_int_equal(gaps.count, 0);
}

TEST_CASE_WITH(a_gap_has_a_row_for_each_line_in_it, set_up, tear_down)
{
    const struct gap *gap;

    gaps_due(&gaps, 0, 1000);
    gaps_due(&gaps, 1, 1020);
    gaps_due(&gaps, 0, 1050); /* the gap begins at 1000, when the first call was due */
    gaps_find_waiting(&gaps, 1099);
    assert_null(gaps_after(&gaps, 0));
    gaps_find_waiting(&gaps, 1130);
    assert_true(gaps.is_open);
    gaps_answered(&gaps, 1, GAPS_GOOD, 1500);
    assert_true(gaps.is_open);
    gaps_answered(&gaps, 0, GAPS_GOOD, 1700);
    assert_false(gaps.is_open);
    gap = gaps_after(&gaps, 0);
    assert_all((gap->time.began, 1000), (gap->time.ended, 1700), (gap->first_back.procedure, 1),
               (gap->rows[1].time.began, 1020), (gap->rows[1].time.ended, 1500),
               (gaps_after(&gaps, 1000) == gap), (gaps_after(&gaps, 1001), NULL));
}

TEST_CASE_WITH(errors_are_no_end_and_grace_counts_from_the_first, set_up, tear_down)
{
    const struct gap_row *row;

    gaps_due(&gaps, 0, 1000);
    gaps_answered(&gaps, 0, GAPS_ERROR, 1200);
    gaps_answered(&gaps, 0, GAPS_WAIT, 1300);
    gaps_answered(&gaps, 0, GAPS_WAIT, 1400);
    gaps_answered(&gaps, 0, GAPS_GOOD, 1600); /* without gaps_find_waiting() */
    row = &gaps_after(&gaps, 0)->rows[0];
    assert_all((row->errors, 3), (row->grace, 300), (row->time.ended, 1600),
               (gaps_after(&gaps, 0)->row_count, 1));
}

TEST_CASE_WITH(a_line_that_fails_twice_in_a_gap_has_one_row, set_up, tear_down)
{
    gaps_due(&gaps, 0, 1000);
    gaps_due(&gaps, 1, 1000);
    gaps_find_waiting(&gaps, 1100);
    gaps_answered(&gaps, 0, GAPS_GOOD, 1150);
    gaps_due(&gaps, 0, 1200);
    gaps_find_waiting(&gaps, 1300);
    gaps_answered(&gaps, 0, GAPS_GOOD, 1350);
    gaps_answered(&gaps, 1, GAPS_GOOD, 1400);
    assert_all((gaps.count, 1), (gaps.gap[0].rows[0].time.began, 1000),
               (gaps.gap[0].rows[0].time.ended, 1350), (gaps.gap[0].first_back.procedure, 0),
               (gaps.gap[0].time.ended, 1400));
}

TEST_CASE_WITH(what_the_caller_missed_is_no_gap, set_up, tear_down)
{
    gaps_due(&gaps, 0, 1000);
    gaps_excuse(&gaps, 1500);
    gaps_due(&gaps, 1, 1400);
    gaps_answered(&gaps, 1, GAPS_GOOD, 1510);
    gaps_find_waiting(&gaps, 1550);
    assert_int_equal(gaps.count, 0);
    gaps_find_waiting(&gaps, 1600);
    assert_int_equal(gaps.gap[0].time.began, 1500);
    gaps_excuse(&gaps, 2000); /* an open gap is not changed */
    assert_int_equal(gaps.lines[0].waiting_since, 1500);
}

TEST_CASE_WITH(what_goes_on_has_no_end, set_up, tear_down)
{
    gaps_due(&gaps, 0, 1000);
    gaps_answered(&gaps, 0, GAPS_WAIT, 1010);
    gaps_finish(&gaps, 2000);
    assert_all((gaps.count, 1), (!gaps.gap[0].time.is_over), (gaps.gap[0].rows[0].grace, 990),
               (gaps.gap[0].first_back.connection, 0));
}

/* A procedure that never worked is in no gap, so that it does not hide gaps of other procedures. */
TEST_CASE_WITH(what_never_worked_is_in_no_gap, set_up, tear_down)
{
    gaps.unproven[1] = true;
    for (uint64_t due = 1000; due < 2000; due += 50) {
        gaps_due(&gaps, 0, due);
        gaps_due(&gaps, 1, due);
        gaps_answered(&gaps, 0, GAPS_GOOD, due + 5);
        gaps_answered(&gaps, 1, GAPS_ERROR, due + 5);
        gaps_find_waiting(&gaps, due + 10);
    }
    assert_all((gaps.count, 0), (gaps_never_worked(&gaps, 1, 2000), true),
               (gaps_never_worked(&gaps, 0, 2000), false));
    gaps_due(&gaps, 0, 2000);
    gaps_find_waiting(&gaps, 2100);
    gaps_answered(&gaps, 0, GAPS_GOOD, 2200);
    assert_all((gaps.count, 1), (gaps.gap[0].row_count, 1), (gaps.is_open, false));
}

/* The first good answer of a procedure shows that its waiting time belongs to the last gap. */
TEST_CASE_WITH(what_works_later_belongs_to_the_gap_before, set_up, tear_down)
{
    gaps.unproven[1] = true;
    gaps_due(&gaps, 0, 1000);
    gaps_due(&gaps, 1, 1010);
    gaps_find_waiting(&gaps, 1200);
    gaps_answered(&gaps, 0, GAPS_GOOD, 1300);
    assert_all((gaps.count, 1), (gaps.is_open, false));
    gaps_answered(&gaps, 1, GAPS_GOOD, 1310);
    assert_all((gaps.count, 1), (gaps.gap[0].row_count, 2), (gaps.gap[0].time.ended, 1310),
               (gaps.is_open, false), (gaps.unproven[1], false));
}

/* A procedure whose calls the server asks to try later is expected to work, so it has a gap. */
TEST_CASE_WITH(grace_is_a_gap_from_the_first_call_on, set_up, tear_down)
{
    gaps.unproven[1] = true;
    gaps_due(&gaps, 1, 1000);
    gaps_answered(&gaps, 1, GAPS_WAIT, 1010);
    gaps_find_waiting(&gaps, 1100);
    assert_all((gaps.is_open, true), (gaps_never_worked(&gaps, 1, 1100), false));
}

TEST_CASE_WITH(more_than_can_be_kept_are_counted, set_up, tear_down)
{
    for (uint64_t i = 1; i <= GAPS_MAXIMUM + 3; i++) {
        gaps_due(&gaps, 0, i * 1000);
        gaps_answered(&gaps, 0, GAPS_GOOD, i * 1000 + THRESHOLD);
    }
    assert_all((gaps.count, GAPS_MAXIMUM), (gaps.not_kept, 3));
}
