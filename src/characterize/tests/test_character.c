/* Functions of experiments that need no server: bisection, conclusions from replies and figures,
 * texts of answers, contradictions, comparison of figures, and the schedule. */
#include "test.h"

#include "characterize/character_compare.h"
#include "characterize/judgement.h"
#include "characterize/schedule.h"

/* Bisect with a property that the numbers up to LIMIT have. Returns the number of trials. */
static unsigned search(struct bisection *bisection, uint64_t limit)
{
    unsigned trials = 0;
    uint64_t number;

    while ((number = bisection_next(bisection)) > 0) {
        assert_all((number <= bisection->maximum), (number > bisection->holds));
        bisection_note(bisection, number, number <= limit);
        assert_true(++trials < 200);
    }
    return trials;
}

TEST_CASE(every_limit_is_found)
{
    for (uint64_t limit = 0; limit < 300; limit++) {
        struct bisection bisection;

        bisection_begin(&bisection, 16, 255, 0);
        search(&bisection, limit);
        assert_int_equal(bisection.holds, limit < 255 ? limit : 255);
        assert_int_equal(bisection.fails, limit < 255 ? limit + 1 : 0);
    }
}

TEST_CASE(a_width_saves_trials)
{
    struct bisection exact, rough;

    bisection_begin(&exact, 8, 100000, 0);
    bisection_begin(&rough, 8, 100000, 0.05);
    assert_true(search(&rough, 33333) < search(&exact, 33333));
    assert_true(rough.holds <= 33333 && rough.fails > 33333);
    assert_true((double)(rough.fails - rough.holds) <= 0.05 * (double)rough.fails);
}

TEST_CASE(classes)
{
    enum { NOENT = 2, EXIST = 17, IO = 5 };
    const struct interval vague = {60, -119, 557}, none = {0, -1, 1}, part = {40, 35, 45},
                          most = {95, 90, 99};
    const struct interval nothing = {0.1, -1, 2}, disk = {4000, 3500, 5000}, noise = {3, -50, 60};

    /* The status of the reply to a repeated request shows whether it was executed again. */
    assert_int_equal(duplicate_classify(0, NOENT), DUPLICATE_KNOWN);
    assert_int_equal(duplicate_classify(NOENT, NOENT), DUPLICATE_AGAIN);
    assert_int_equal(duplicate_classify(EXIST, EXIST), DUPLICATE_AGAIN);
    assert_int_equal(duplicate_classify(IO, NOENT), DUPLICATE_OTHER);
    assert_int_equal(duplicate_classify(-5, NOENT), DUPLICATE_OTHER);
    /* A wait is judged by its share of the slow call's time, if the slow call is slow enough. */
    assert_int_equal(waiting_classify(&none, 100, 10), WAITING_NOT);
    assert_int_equal(waiting_classify(&part, 100, 10), WAITING_PARTLY);
    assert_int_equal(waiting_classify(&most, 100, 10), WAITING_WHOLLY);
    assert_int_equal(waiting_classify(&vague, 100, 10), WAITING_UNCLEAR);
    assert_int_equal(waiting_classify(&most, 100, 50), WAITING_UNKNOWN);
    assert_int_equal(waiting_classify(&most, NAN, 50), WAITING_UNKNOWN);
    /* If a sync costs nothing, the data can't have reached a medium. */
    assert_int_equal(sync_cost_classify(&nothing), SYNC_COST_TOO_SMALL);
    assert_int_equal(sync_cost_classify(&disk), SYNC_COST_PLAUSIBLE);
    assert_int_equal(sync_cost_classify(&noise), SYNC_COST_UNCLEAR);
    /* If the interval contains GAIN_LEAST, whether there is a gain is unknown. */
    assert_int_equal(gain_classify(&(struct interval){2, 1.5, 3}), GAIN_SOME);
    assert_int_equal(gain_classify(&(struct interval){1, 0.9, 1.1}), GAIN_NONE);
    assert_int_equal(gain_classify(&(struct interval){2, 0.5, 4}), GAIN_UNKNOWN);
    assert_int_equal(gain_classify(&(struct interval){2, NAN, NAN}), GAIN_UNKNOWN);
}

TEST_CASE(requests_of_one_fate_are_named_together)
{
    static const enum duplicate_fate fates[] = {DUPLICATE_KNOWN, DUPLICATE_AGAIN, DUPLICATE_KNOWN};
    static const char *const ops[] = {"remove", "mkdir", "create"};
    char text[DUPLICATES_TEXT_SIZE];

    assert_string_equal(duplicates_describe(fates, ops, 3, text),
                        "recognised: remove, create; carried out again: mkdir");
    assert_int_equal(duplicates_common(fates, 3), DUPLICATE_MIXED);
    assert_int_equal(duplicates_common(fates, 1), DUPLICATE_KNOWN);
}

/* If two answers contradict each other, both become unknown, and the verdict names the
 * contradiction. */
TEST_CASE(answers_that_exclude_each_other)
{
    struct character character = {.answer_count = 3};
    struct character_answer *answers = character.answers;

    for (size_t i = 0; i < character.answer_count; i++)
        answer_set(&answers[i], "Yes.");
    answers[0].name = "order";
    answers[0].at_once = ONE_AT_A_TIME;
    character_judge(&character);
    assert_all((answers[0].known), (character.validity.verdict, VERDICT_OK));
    answers[2].at_once = AT_ONCE;
    character_judge(&character);
    assert_all((!answers[0].known), (answers[1].known), (!answers[2].known),
               (answers[2].text, "Not known, because it contradicts the answer on order."),
               (character.validity.verdict, VERDICT_SUSPECT),
               (character.validity.reasons[0].name, "contradiction"));
}

TEST_CASE(times_show_the_clock_behind_them)
{
    static const struct {
        uint64_t times[4];
        size_t count;
        uint64_t unit;
        double least_step;
    } cases[] = {{{3000000000, 3000000000, 4000000000, 4000000000}, 4, 1000000000, 1e9},
                 {{1000004000000, 1000008000000, 1000008000000}, 3, 1000000, 4e6},
                 {{5, 5, 5}, 3, 0, 0}};

    assert_int_equal(granularity_moves(cases[0].times, 4), 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(granularity_unit(cases[i].times, cases[i].count), cases[i].unit);
        assert_near(granularity_least_step(cases[i].times, cases[i].count), cases[i].least_step, 0);
    }
}

TEST_CASE(what_can_not_be_found_out_has_a_reason)
{
    struct character_answer answer = {.name = "names"};

    answer_set(&answer, "Names of %d bytes.", 255);
    answer_add_meaning(&answer, "One.");
    answer_add_meaning(&answer, "Two.");
    assert_all((answer.known), (answer.meaning, "One. Two."));
    answer_not_known(&answer, "Not known: %s.", "no reply");
    assert_all((!answer.known), (answer.text, "Not known: no reply."), (answer.meaning, ""));
}

TEST_CASE(figures_have_no_more_digits_than_they_need)
{
    struct character_answer answer = {.name = "names"};
    char text[CHARACTER_FIGURE_SIZE];

    answer_figure(&answer, "wait", (struct interval){12.345, 12.2, 12.5}, "us", "-");
    answer_figure(&answer, "calls", (struct interval){65536, NAN, NAN}, "calls", "-");
    answer_detail(&answer, "words", "only");
    assert_string_equal(character_figure(&answer.details[0], text), "12.3 us [12.2, 12.5]");
    assert_string_equal(character_figure(&answer.details[1], text), "65536 calls");
    assert_string_equal(character_figure(&answer.details[2], text), "");
    for (int i = 0; i < 2 * CHARACTER_DETAILS_MAXIMUM; i++)
        answer_detail(&answer, "one", "more");
    assert_int_equal(answer.detail_count, CHARACTER_DETAILS_MAXIMUM);
}

/* A cost that rises and falls again, or that may be noise, is not a knee. */
TEST_CASE(a_knee_is_where_costs_rise_for_good)
{
    const struct interval step[] = {{10, 9, 11}, {9, 8, 10}, {30, 25, 35}, {31, 28, 40}};
    const struct interval peak[] = {{10, 9, 11}, {30, 25, 35}, {10, 9, 11}, {11, 9, 12}};
    const struct interval noise[] = {{10, 9, 11}, {10, 8, 11}, {30, 5, 90}, {31, 6, 90}};

    assert_all((knee_find(step, 4), 2), (knee_find(peak, 4), 0), (knee_find(noise, 4), 0),
               (knee_find(step, 1), 0));
    assert_all((!knee_is_excluded(step, 4)), (!knee_is_excluded(noise, 4)),
               (knee_is_excluded(step, 2)));
}

static bool differ(struct interval first, struct interval second)
{
    const struct character_detail a = {.has_figure = true, .figure = first},
                                  b = {.has_figure = true, .figure = second};

    assert_true(character_figures_differ(&a, &b) == character_figures_differ(&b, &a));
    return character_figures_differ(&a, &b);
}

TEST_CASE(figures_differ_whose_intervals_do_not_meet)
{
    assert_true(differ((struct interval){1, 0.9, 1.1}, (struct interval){2, 1.5, 3}));
    assert_false(differ((struct interval){1, 0.9, 1.6}, (struct interval){2, 1.5, 3}));
    assert_true(differ(figure_without_interval(64), figure_without_interval(512)));
    assert_false(differ(figure_without_interval(100), figure_without_interval(95)));
    assert_false(differ(figure_without_interval(0), figure_without_interval(0)));
}

/* With a round trip of 10 ms, the three experiments below take 2, 3 and 4 s at full scale, and 0.3,
 * 0.4 and 0.5 s at quick scale. */

#define MS UINT64_C(1000000)

static const struct schedule_need one = {100, 10}, two = {200, 20}, three = {300, 30};
static const struct schedule_need *const needs[] = {&three, &two, &one};

TEST_CASE(the_last_experiments_are_given_up_first)
{
    enum { COUNT = 3 };
    static const struct {
        uint64_t time_ms, least_ms;
        enum schedule_scale wanted;
        const char *made; /* F: full, Q: quick, -: left out */
    } cases[] = {
        {9000, 9000, SCHEDULE_FULL, "FFF"},  {8999, 7300, SCHEDULE_FULL, "FFQ"},
        {7299, 4700, SCHEDULE_FULL, "FQQ"},  {4699, 1200, SCHEDULE_FULL, "QQQ"},
        {1199, 900, SCHEDULE_FULL, "QQ-"},   {899, 800, SCHEDULE_FULL, "Q-Q"},
        {499, 400, SCHEDULE_FULL, "-Q-"},    {299, 0, SCHEDULE_FULL, "---"},
        {9000, 1200, SCHEDULE_QUICK, "QQQ"}, {600, 500, SCHEDULE_QUICK, "Q--"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        enum schedule_scale scales[COUNT] = {cases[i].wanted, cases[i].wanted, cases[i].wanted};
        char made[COUNT + 1] = "";

        assert_int_equal(character_schedule(scales, needs, COUNT, 10 * MS, cases[i].time_ms * MS),
                         cases[i].least_ms * MS);
        for (size_t j = 0; j < COUNT; j++)
            made[j] = "FQ-"[scales[j]];
        assert_string_equal(made, cases[i].made);
    }
}
