/* If the waits of retransmitted calls overlap, they are one gap. The longest gaps are kept. */
#include "test.h"

#include "engine/resent.h"

TEST_CASE(calls_that_overlap_are_one_gap)
{
    struct engine_gaps gaps = {.count = 0};

    engine_gaps_note(&gaps, 100, 200);
    engine_gaps_note(&gaps, 300, 400);
    assert_int_equal(gaps.count, 2);
    engine_gaps_note(&gaps, 150, 350);
    assert_all((gaps.count, 1), (gaps.kept, 1), (gaps.longest[0].began, 100),
               (gaps.longest[0].ended, 400), (gaps.longest[0].calls, 3));
}

TEST_CASE(the_longest_are_kept_and_all_are_counted)
{
    struct engine_gaps gaps = {.count = 0};
    uint64_t least = UINT64_MAX;

    for (uint64_t i = 1; i <= 100; i++)
        engine_gaps_note(&gaps, i * 1000, i * 1000 + i);
    assert_all((gaps.count, 100), (gaps.kept, ENGINE_GAPS_MAXIMUM));
    for (size_t i = 0; i < gaps.kept; i++)
        if (gaps.longest[i].ended - gaps.longest[i].began < least)
            least = gaps.longest[i].ended - gaps.longest[i].began;
    assert_int_equal(least, 100 - ENGINE_GAPS_MAXIMUM + 1);
}

TEST_CASE(those_of_threads_are_added)
{
    struct engine_gaps sum = {.count = 0}, added = {.count = 0};

    engine_gaps_note(&sum, 100, 200);
    engine_gaps_note(&added, 150, 250);
    engine_gaps_note(&added, 500, 600);
    engine_gaps_add(&sum, &added);
    assert_all((sum.count, 2), (sum.longest[0].calls + sum.longest[1].calls, 3));
}
