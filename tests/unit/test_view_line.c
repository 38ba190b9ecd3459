/* The lines of a view, in each form that src/output/README.md describes. */
#include "output/view/number.h"
#include "output/view/view.h"
#include "test.h"

struct sample_error {
    const char *name;
    uint64_t count;
};

struct sample {
    const char *op;
    uint64_t calls, size;
    struct interval cost;
    double share;
    struct sample_error errors[2];
    size_t error_count;
};

static const struct field error_fields[] = {
    {"name", FIELD_WORD, FIELD_AT(struct sample_error, name)},
    {"count", FIELD_COUNT, FIELD_AT(struct sample_error, count)},
    FIELD_END,
};

static const struct field fields[] = {
    {"op", FIELD_WORD, FIELD_AT(struct sample, op)},
    {"calls", FIELD_COUNT, FIELD_AT(struct sample, calls)},
    {"size", FIELD_COUNT, FIELD_AT(struct sample, size), FIELD_OR_NONE},
    {"cost_ns", FIELD_INTERVAL, FIELD_AT(struct sample, cost)},
    {"share", FIELD_QUANTITY, FIELD_AT(struct sample, share)},
    {"errors", FIELD_ARRAY, FIELD_ITEMS(struct sample, errors, error_count, error_fields)},
    FIELD_END,
};

static const struct sample sample = {.op = "getattr",
                                     .calls = 2,
                                     .cost = {1840.4, 1801, 1879},
                                     .share = 0.134,
                                     .errors = {{"IO", 2}, {"STALE", 3}},
                                     .error_count = 2};

static const struct view_row row = {.fields = fields, .object = &sample, .root = &sample};

/* Return TEXT expanded, or "(left out)" if a member of it is unknown. */
static const char *line(const char *text)
{
    static char out[FIELD_ROOM];

    return view_expand(&row, text, out, sizeof out) ? out : "(left out)";
}

TEST_CASE(members)
{
    assert_string_equal(line("{op}, {calls}, {cost_ns}"), "getattr, 2, 1840");
    assert_string_equal(line("{cost_ns:1} {cost_ns:+1} {cost_ns:2g} {cost_ns:,}"),
                        "1840.4 +1840.4 1.8e+03 1,840");
    assert_string_equal(line("{op:8}|{op:-8}|"), " getattr|getattr |");
    assert_string_equal(line("{cost_ns/1000:3} us {cost_ns.ci95/1000:2}"), "1.840 us [1.80, 1.88]");
    assert_string_equal(line("{cost_ns.low} {cost_ns.high} {share/0.01:1} %"), "1801 1879 13.4 %");
    assert_string_equal(line("{calls#call} {cost_ns.spread:3}"), "2 calls 0.042");
    assert_string_equal(line("{!{calls} lost}, {op}"),
                        VIEW_TONE "2 lost" VIEW_TONE_END ", getattr");
    assert_string_equal(line("{size} bytes"), "(left out)");
}

/* A value that is written as 0 has no minus sign. */
TEST_CASE(zero)
{
    char out[NUMBER_SIZE];

    assert_string_equal(number_grouped(-0.5, out), "0");
    assert_string_equal(number_print(-0.5, 0, false, out), "0");
    assert_string_equal(number_print(-0.04, 1, true, out), "+0.0");
    assert_string_equal(number_print(0.05, 1, false, out), "0.1");
    assert_string_equal(number_print(-0.05, 1, false, out), "-0.1");
}

TEST_CASE(choices)
{
    assert_string_equal(line("{op}{?, {size} bytes}"), "getattr");
    assert_string_equal(line("{op}{?, {size} bytes|, no size}"), "getattr, no size");
    assert_string_equal(line("{?(calls>1)many|one} {?(calls>2)many|one}"), "many one");
    assert_string_equal(line("{?(op=null|calls>1 !size)a|b}{?(op=null !size)a|b}"), "ab");
    assert_string_equal(line("{?(calls<3)few|many} {?(calls<2)few|many}{?(size<2)few}"),
                        "few many");
    assert_string_equal(line("{?(op~tatt)has|lacks} {?(op~read)has|lacks}"), "has lacks");
    assert_string_equal(line("{?({calls} cost_ns.low>1800){?(!-v)a|b}|c}"), "a");
}

TEST_CASE(lists)
{
    assert_string_equal(line("{*errors|{name} {count#time}}"), "IO 2 times, STALE 3 times");
    assert_string_equal(line("{*errors(count>2|name=IO name~S)|{^op} {name}}"), "getattr STALE");
    assert_string_equal(line("{*errors(count>9)|{name}}"), "(left out)");
    assert_string_equal(line("{op}{? ({*errors(count>9)|{name}})}"), "getattr");
}

/* Return the text of a cell with all known digits: the estimate; with VIEW_BOTH in FLAGS also its
 * interval, with VIEW_RANGE only the interval's ends. */
static const char *known(double estimate, double low, double high, unsigned flags)
{
    static char text[FIELD_ROOM];
    const struct view_column column = {.decimals = VIEW_KNOWN, .flags = flags};
    const struct view_cell cell = {.type = CELL_NUMBER, .number = {estimate, low, high}};

    return view_cell_text(&cell, &column, text);
}

TEST_CASE(known_digits)
{
    assert_string_equal(known(10085, 7136, 13035, 0), "10,100");
    assert_string_equal(known(10085, 7136, 13035, VIEW_RANGE), "[7,100, 13,000]");
    assert_string_equal(known(91.213, 83.892, 98.521, VIEW_BOTH), "91.2 [83.9, 98.5]");
    assert_string_equal(known(0.0123412, 0.012, 0.013, 0), "0.01234");
    assert_string_equal(known(4800, -60000, 60000, VIEW_BOTH), "5,000 [-60,000, 60,000]");
    assert_string_equal(known(10.76, -1580, 1602, VIEW_SIGNED), "+10");
    assert_string_equal(known(1234, 1200, 1280, VIEW_SIGNED), "+1234");
    assert_string_equal(known(-0.004, -0.12, 0.11, VIEW_SIGNED), "+0.00");
    assert_string_equal(known(10234.5, NAN, NAN, 0), "10,230");
    assert_string_equal(known(2.71828, NAN, NAN, 0), "2.718");
    assert_string_equal(known(0, 0, 0, 0), "0");
}

TEST_CASE(no_members)
{
    static const char *const wrong[] = {"op*", "calls[2", "share%1",  "+share:1", "@ops|, |op",
                                        "!op", "op:",     "calls:2x", "calls/x",  "calls#"};
    struct view_member member;

    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_false(view_member_parse(wrong[i], &member));
}
