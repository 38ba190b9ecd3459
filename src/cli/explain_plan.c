#include "cli/explain_plan.h"

#include <errno.h>
#include <string.h>

#include "common/units.h"
#include "output/explain.h"
#include "output/ladder.h"
#include "output/xdr.h"

/* Calls without COUNT: enough for a p99.9, and done in some seconds. */
enum { CALLS = 20000, CALLS_MAXIMUM = 1000000 };

#define MEMBER(member) offsetof(struct explain_plan, member)

static const struct own_option own_options[] = {
    {"ladder", 0, MEMBER(ladder), NULL,
     "timer, XDR, bare echo, NULL and OP one above the other: what each step adds"},
    {"echo", 0, MEMBER(echo), "HOST:PORT",
     "of the ladder: an 'nfsbench serve --echo' beside the server; else one is started here"},
    {"xdr", 0, MEMBER(xdr), NULL, "encoding and decoding alone, for each OP"},
    {"slowest", 0, MEMBER(slowest_text), "N",
     "what the scheduler did to the N slowest calls (default 0)"},
    {"predict", 0, MEMBER(predict), "FILE",
     "ranges expected of phases, such as 'server-work 1us-3us' on a line, against those measured"},
    {"no-server", 0, MEMBER(no_server), NULL, "the client's phases alone, without eBPF"},
    {"server-cmd", 0, MEMBER(server_command), "COMMAND",
     "what runs a command on the server's machine, such as 'ssh server', for its phases"},
    {"svg", 0, MEMBER(svg), "FILE", "the waterfall as a picture"},
    {"trace", 0, MEMBER(trace), "FILE",
     "the slowest, median and fastest call in Chrome's format, for Perfetto"},
    {"json", 'j', MEMBER(json), "FILE", "write the result there, too; - for standard output"},
    {"csv", 0, MEMBER(csv), "FILE", "the table as CSV, likewise"},
    {0},
};

void explain_plan_help(FILE *out)
{
    own_options_help(own_options, out);
}

/* What must hold, and the line for when it does not. */
struct rule {
    bool holds;
    const char *text;
};

static int check_rules(const struct rule *rules, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!rules[i].holds)
            return error_set(error, ERROR_USAGE, -EINVAL, "%s", rules[i].text);
    return 0;
}

static int parse_slowest(struct explain_plan *plan, struct error *error)
{
    uint64_t count = 0;

    if (plan->slowest_text && (units_parse_count(plan->slowest_text, &count) != 0 || count == 0 ||
                               count > EXPLAIN_SLOW_MAXIMUM))
        return error_set(error, ERROR_USAGE, -EINVAL, "--slowest '%.60s': expected 1 to %d",
                         plan->slowest_text, EXPLAIN_SLOW_MAXIMUM);
    plan->slowest = (size_t)count;
    return 0;
}

static void set_forms(struct explain_plan *plan)
{
    file_writer json = plan->ladder ? ladder_write_json
                       : plan->xdr  ? xdr_write_json
                                    : explain_write_json;
    file_writer csv = plan->ladder ? ladder_write_csv
                      : plan->xdr  ? xdr_write_csv
                                   : explain_write_csv;

    plan->forms[0] = (struct file_form){"--json", plan->json, json};
    plan->forms[1] = (struct file_form){"--csv", plan->csv, csv};
    plan->forms[2] = (struct file_form){"--svg", plan->svg, explain_write_svg};
    plan->forms[3] = (struct file_form){"--trace", plan->trace, explain_write_trace};
}

/* Options of the one way to explain that the other has no use for. */
static int check_ways(const struct explain_plan *plan, struct error *error)
{
    bool phases = plan->slowest || plan->predict || plan->no_server || plan->server_command ||
                  plan->settings.server_pid || plan->svg || plan->trace;
    const struct rule rules[] = {
        {!(plan->ladder && plan->xdr),
         "--ladder and --xdr are two commands' worth; ask for one at a time"},
        {!(phases && (plan->ladder || plan->xdr)),
         "--slowest, --predict, --no-server, --server-cmd, --server-pid, --svg and --trace are of "
         "the "
         "phases; leave --ladder and --xdr out"},
        {plan->ladder || !plan->echo, "--echo goes with --ladder"},
        {!(plan->no_server && plan->server_command),
         "--no-server and --server-cmd exclude each other"},
        {!(plan->server_command && plan->settings.server_pid),
         "--server-pid is for a server on this machine, --server-cmd for one on another; leave one "
         "of "
         "the two out"},
    };

    return check_rules(rules, sizeof rules / sizeof rules[0], error);
}

static int check_settings(const struct explain_plan *plan, struct error *error)
{
    const struct settings *settings = &plan->settings;
    const struct rule rules[] = {
        {!settings_make_load(settings),
         "one call at a time is explained; leave --clients, --connections, --depth, --batch and "
         "--rate out"},
        {strcmp(settings->engine_name, "wire") == 0,
         "explain makes its calls itself; leave --engine out"},
        {!settings_have_versus(settings),
         "one target is explained; leave --versus, --versus-proto and --versus-engine out"},
        {!settings->openmetrics && !settings->hdr && !settings->histograms,
         "explain has other forms; leave --openmetrics, --hdr and --hist out"},
        {plan->ladder || plan->xdr || !settings->length_given,
         "the phases are those of COUNT calls; leave --precision and --max-time out"},
        {plan->xdr || (settings->op_count == 1 && !settings->mix_name),
         "one op is explained at a time; see --help"},
        {settings->calls <= CALLS_MAXIMUM, "COUNT: at most 1M calls are explained"},
    };

    return check_rules(rules, sizeof rules / sizeof rules[0], error);
}

static int parse_settings(struct explain_plan *plan, struct error *error)
{
    struct settings *settings = &plan->settings;
    int code = settings_parse(settings, plan->words.count, plan->words.words, error);

    if (code == 0)
        code = check_ways(plan, error);
    if (code)
        return code;
    code = check_settings(plan, error);
    plan->quiet = settings->quiet;
    settings->no_ledger = settings->no_model = true;
    if (settings->calls == 0 && !plan->ladder && !plan->xdr)
        settings->calls = CALLS;
    return code;
}

int explain_plan_parse(struct explain_plan *plan, int argc, char **argv, struct error *error)
{
    int code;

    memset(plan, 0, sizeof *plan);
    code = own_options_take(own_options, argc, argv, plan, &plan->words, error);
    if (code || plan->words.help)
        return code;
    code = parse_slowest(plan, error);
    if (code == 0)
        code = parse_settings(plan, error);
    set_forms(plan);
    return code ? code : file_forms_check(plan->forms, EXPLAIN_FORMS, error);
}

bool explain_plan_wants_table(const struct explain_plan *plan)
{
    return !plan->quiet && !file_forms_on_stdout(plan->forms, EXPLAIN_FORMS);
}

void explain_plan_free(struct explain_plan *plan)
{
    own_words_free(&plan->words);
}
