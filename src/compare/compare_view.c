/* The view of a comparison. */
#include "compare/compare_fields.h"
#include "output/view/difference.h"

#define DOUBTS(begin)                                                                              \
    {begin "{doubt}", "pairs/first_files", .when = "!^has_same_first"},                            \
    {                                                                                              \
        begin "{doubt}", "pairs/second_files"                                                      \
    }

/* A line on an op that failed the gate. WHICH is "" for the op's own row, or the key of a further
 * figure with a dot at its end, such as "server_part.". */
#define FAILED(begin, which, phrase)                                                               \
    {                                                                                              \
        begin "the gate failed: {op} in {^second} is slower " phrase "by {" which                  \
              "difference_ns:0} ns {" which "difference_ns.ci95:0}{?, {" which                     \
              "share/0.01:1} %} (p {" which                                                        \
              "shown_p}); the threshold is {^^limits}{?; {^doubtful} doubtful, so measure again}", \
            "pairs/ops", .when = which "regression"                                                \
    }

#define GATE(begin)                                                                                \
    FAILED(begin, "", ""), FAILED(begin, "mean_above_null.", "in the mean "),                      \
        FAILED(begin, "p99_above_null.", "at p99 "),                                               \
        FAILED(begin, "server_part.", "in the server's part "),                                    \
        FAILED(begin, "mean_server_part.", "in the server's part in the mean "),                   \
        {begin "the gate failed: {of}, {name}, is worse in {^second}: {b:3} instead of {a:3}; "    \
               "the threshold is {^^limits}",                                                      \
         "pairs/figures", .when = "regression"},                                                   \
        {begin "the gate failed: no op could be compared", .when = "gate !gate.ops"},              \
        {begin "the gate can't tell, so it did not pass: it is not known whether {undecided_ops} " \
               "{?(gate.undecided>1)are|is} worse by more than {limits}; {remedy}, or allow more", \
         .when = "gate.undecided"},                                                                \
    {                                                                                              \
        begin "the gate passed: {gate.ops#op} compared, none seen to be slower by more than "      \
              "{limits}{?(gate.path_changed), but the path changed}"                               \
              "{?(gate.doubtful); but not all results are ok}",                                    \
            .when = "gate.passed gate.ops"                                                         \
    }

const struct view_line compare_doubt_lines[] = {DOUBTS("nfsbench: "), {NULL}};
const struct view_line compare_gate_lines[] = {GATE("nfsbench: "), {NULL}};

static const struct view_line head[] = {
    {"A  {description}", "pairs/first_files", .when = "!^has_same_first"},
    {"B  {description}", "pairs/second_files"},
    {"   note{? ({^title})}: {}", "pairs/notes"},
    DOUBTS("   doubtful: "),
    {"   path{? ({title})}: {path_said}{?. To find out, {path_advice}}", "pairs"},
    {NULL},
};

static const struct view_column row_columns[] = {
    {"label", "op", .width = 16},
    {"a.mean_ns", "A mean us", 4, 2, VIEW_US},
    {"b.mean_ns", "B mean us", 4, 2, VIEW_US},
    {"quantity", "quantity", 3},
    {"first_ns", "A us", 0, 3, VIEW_US},
    {"second_ns", "B us", 0, 3, VIEW_US},
    {"difference_ns", "B - A us", 0, 3, VIEW_US, VIEW_SIGNED},
    {"difference_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE | VIEW_SIGNED, 18},
    {"share", "of A", 2, 1, .flags = VIEW_PERCENT | VIEW_SIGNED},
    {"shown_p", "p"},
    {NULL},
};

#define ROW_REMARK                                                                                 \
    "{?(below_floor)significant, but below the floor of {noise_floor_ns/1000:3} "                  \
    "us|"                                                                                          \
    "{word}{?(word=slower|word=faster), but in doubt, as {^doubtful} doubtful}"                    \
    "{?: {reason}}" DIFFERENCE_BELOW DIFFERENCE_RATIO "}"

static const struct view_line row_remarks[] = {
    {ROW_REMARK, .when = "word=slower large", .tone = TERMINAL_MUCH_WORSE},
    {ROW_REMARK, .when = "word=faster large", .tone = TERMINAL_MUCH_BETTER},
    DIFFERENCE_REMARKS(ROW_REMARK),
};

static const struct view_line row_notes[] = {{"  {?{title}: }{basis}", "pairs"}, {NULL}};

static const struct view_column changed_columns[] = {
    {"op", "op", .width = 16},
    {"changed", "what changed, per call"},
    {NULL},
};

static const struct view_column local_columns[] = {
    {"op", "of the local rate", .width = 16},          {"a.of_local", "A", 0, 3},
    {"a.of_local", "95 %", 0, 3, .flags = VIEW_RANGE}, {"b.of_local", "B", 0, 3},
    {"b.of_local", "95 %", 0, 3, .flags = VIEW_RANGE}, {NULL},
};

static const struct view_column figure_columns[] = {
    {"of", "point", .width = 16},
    {"name", "figure"},
    {"a", "A", 0, VIEW_FIT, .width = 7},
    {"b", "B", 0, VIEW_FIT, .width = 7},
    {"b_less_a", "B - A", 2, VIEW_FIT, .flags = VIEW_SIGNED, .width = 7},
    {"range", "95 %", 3},
    {"shown_p", "p", 1},
    {NULL},
};

static const struct view_line figure_remarks[] = {DIFFERENCE_REMARKS(
    "{?(!reason){word}{?; a difference above {below:3g} would have been seen}" DIFFERENCE_RATIO
    "}")};

static const struct view_line figure_notes[] = {{"  {open}", "pairs/figures"}, {NULL}};

static const struct view_table tables[] = {
    {"pairs/rows", "{title}", row_columns, .remarks = row_remarks, .notes = row_notes,
     .when = "shown"},
    {"pairs/ops", "{title}", changed_columns, .when = "changed"},
    {"pairs/ops", "{title}", local_columns, .when = "a.of_local b.of_local"},
    {"pairs/figures", "{title}", figure_columns, .remarks = figure_remarks, .notes = figure_notes},
    {NULL},
};

static const struct view_line notes[] = {
    {"  the mount{? ({title})}: {mount_changed}", "pairs"},
    {"", .when = "findings"},
    {"  {?(is_new)new|gone}: {text}", "findings"},
    {"", .when = "gate"},
    GATE("  "),
    {NULL},
};

const struct view view_comparison = {RESULT_COMPARISON, compare_fields, head, tables, notes};
