/* Parsers of texts that people and other programs write. Each TARGET() below is one fuzz target,
 * chosen by FUZZ_TARGET. An accepted value is complete and in range. A lease is the same after it
 * is written and read again, as is a target that has a plain notation. A refusal of a mix, a
 * target, an option or a command line has an error text. */
#include <errno.h>
#include <math.h>

#include "cli/command_line.h"
#include "commands.h"
#include "common/units.h"
#include "engine/wire/connection.h"
#include "job/option_values.h"
#include "job/plan.h"
#include "measure/counters.h"
#include "nfs/mix.h"
#include "nfs/objects/lease.h"
#include "serve/injection.h"
#include "serve/policy.h"
#include "target/target.h"
#include "text.h"

/* Define a target: a function of LENGTH BYTES and of TEXT, a writable string of the same bytes. */
#define TARGET(name)                                                                               \
    static __attribute__((unused)) void name(const uint8_t *bytes, size_t length, char *text)

#define CHECK_TEXT(buffer) FUZZ_CHECK(memchr(buffer, '\0', sizeof(buffer)))

static void must_be_refused(const struct error *error)
{
    FUZZ_CHECK(error->kind == ERROR_USAGE && error->text[0]);
}

/* The lease in a scratch directory, which anyone may have written. */
TARGET(lease)
{
    char printed[NFS_LEASE_TEXT_SIZE];
    struct nfs_lease lease;

    if (!nfs_lease_parse(&lease, (const char *)bytes, length))
        return;
    FUZZ_CHECK(nfs_lease_print(&lease, printed) == length && memcmp(printed, bytes, length) == 0);
    CHECK_TEXT(lease.host);
    CHECK_TEXT(lease.name);
    CHECK_TEXT(lease.started);
}

/* The file of a mix: different ops, each with a weight. */

enum { CALLS = 100 };

static void check_mix(const struct nfs_mix *mix)
{
    uint32_t shares[NFS_MIX_OPS_MAXIMUM], sum = 0;

    FUZZ_CHECK(mix->count >= 1 && mix->count <= NFS_MIX_OPS_MAXIMUM);
    for (size_t i = 0; i < mix->count; i++) {
        FUZZ_CHECK(mix->ops[i].procedure && mix->ops[i].weight >= 1 &&
                   mix->ops[i].weight <= NFS_MIX_WEIGHT_MAXIMUM);
        for (size_t j = 0; j < i; j++)
            FUZZ_CHECK(mix->ops[i].procedure != mix->ops[j].procedure);
    }
    sum = nfs_mix_divide(mix, CALLS, shares);
    for (size_t i = 0; i < mix->count; i++) {
        FUZZ_CHECK(shares[i] >= 1 && shares[i] <= CALLS);
        sum -= shares[i];
    }
    FUZZ_CHECK(sum == 0);
}

TARGET(mix)
{
    struct nfs_mix mix;
    struct error error = {.text = ""};

    if (nfs_mix_load(&mix, memory_file(0, bytes, length), &error) == 0)
        check_mix(&mix);
    else
        must_be_refused(&error);
}

/* /proc/stat, /proc/net/dev and a thread's status, which a container's file system may forge. */
TARGET(proc)
{
    struct counters counters;
    double voluntary, involuntary;
    FILE *file;

    if (length == 0)
        return;
    file = fmemopen(text, length, "r");
    FUZZ_CHECK(file);
    counters_clear(&counters);
    counters_parse_stat(&counters, file);
    rewind(file);
    counters_parse_interfaces(&counters, file);
    FUZZ_CHECK(counters.interface_count <= COUNTERS_INTERFACES_MAXIMUM);
    for (size_t i = 0; i < counters.interface_count; i++)
        CHECK_TEXT(counters.interfaces[i].name);
    rewind(file);
    counters_parse_switches(file, &voluntary, &involuntary);
    fclose(file);
}

/* A target in any notation. If it has a plain notation, its host and path must be the same after
 * they are written in this notation and parsed again. */

static bool can_be_plain(const struct target *target)
{
    return !target->self && !target->mounted && !strchr(target->host, ']');
}

static void parse_again(const struct target *target)
{
    char plain[TARGET_HOST_SIZE + TARGET_PATH_SIZE + 4];
    struct target again;
    struct error error;

    snprintf(plain, sizeof plain, "[%s]:%s", target->host, target->path);
    FUZZ_CHECK(target_parse(plain, &again, &error) == 0);
    FUZZ_CHECK(strcmp(again.host, target->host) == 0 && strcmp(again.path, target->path) == 0);
}

static void check_target(const struct target *target)
{
    size_t length = strnlen(target->path, sizeof target->path);

    FUZZ_CHECK(strnlen(target->host, sizeof target->host) < sizeof target->host);
    FUZZ_CHECK(length < sizeof target->path);
    FUZZ_CHECK(length <= 1 || target->path[length - 1] != '/');
    if (target->mounted) {
        FUZZ_CHECK(length > 0 && !target->host[0] && !target->self);
        return;
    }
    FUZZ_CHECK(target->self ? length == 0 || target->path[0] == '/' : target->path[0] == '/');
    FUZZ_CHECK(target->self || target->host[0]);
    if (can_be_plain(target))
        parse_again(target);
}

TARGET(target)
{
    struct target target;
    struct error error = {.text = ""};

    if (target_parse(text, &target, &error) == 0)
        check_target(&target);
    else
        must_be_refused(&error);
}

/* Numbers in options: with units (compared with the same text read as floating point), and in the
 * options of a policy. */

/* Check VALUE against the number at the start of TEXT. Unless BINARY, the factor of its unit
 * must be a whole number. */
static void check_value(const char *text, uint64_t value, bool binary)
{
    char *unit;
    double number = strtod(text, &unit);
    double factor = number > 0 ? (double)value / number : 1;

    FUZZ_CHECK(number >= 0 && (number > 0 || value == 0));
    if (*unit == '\0' && number > 0)
        FUZZ_CHECK(fabs(factor - 1) < 1e-9);
    else if (number > 0)
        FUZZ_CHECK(factor > 1 - 1e-9 && factor < 3.7e12 && /* an hour is 3.6e12 ns */
                   (binary || fabs(factor - round(factor)) <= 1e-15 * factor));
}

static void check_units(const char *text)
{
    uint64_t value;
    int code = units_parse_count(text, &value);

    FUZZ_CHECK(code == 0 || code == -EINVAL || code == -ERANGE);
    if (code == 0)
        check_value(text, value, true);
    /* 1.55k is a count, 1550, but not a size: 1587.2 bytes. */
    if (units_parse_size(text, &value) == 0)
        check_value(text, value, true);
    if (units_parse_time(text, &value) == 0)
        check_value(text, value, false);
}

static bool is_probability(double value)
{
    return value >= 0 && value <= 1;
}

/* Parse WORD as each option of a policy. In an accepted policy, the probabilities and the device
 * are valid, and NULL has no errors. */
static void check_injection(const char *word)
{
    static struct policy policy;
    const struct {
        option_parser *parse;
        void *member;
    } options[] = {
        {serve_parse_times, policy.costs},          {serve_parse_errors, policy.errors},
        {serve_parse_device, &policy.device},       {serve_parse_call_rate, &policy.call_rate},
        {serve_parse_byte_rate, &policy.byte_rate}, {serve_parse_habit, &policy.habits},
        {serve_parse_probability, &policy.drop}};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct option_entry entry = {.name = "option"};
        struct error error = {.text = ""};

        policy = (struct policy){.read_only = false};
        if (options[i].parse(&entry, word, options[i].member, &error) != 0) {
            must_be_refused(&error);
            continue;
        }
        FUZZ_CHECK(is_probability(policy.drop));
        FUZZ_CHECK(policy.device.at_once <= POLICY_DEVICE_MAXIMUM);
        FUZZ_CHECK(policy.device.at_once > 0 || policy.device.ns == 0);
        FUZZ_CHECK(policy.errors[NFSPROC3_NULL].probability == 0);
        for (size_t j = 0; j < POLICY_PROCEDURES; j++)
            FUZZ_CHECK(is_probability(policy.costs[j].probability) &&
                       is_probability(policy.errors[j].probability));
    }
}

TARGET(numbers)
{
    commands_use(&commands_of_nfsbench);
    check_units(text);
    check_injection(text);
}

/* A command line: the command's name and its words, one per line. The values of an accepted plan
 * are in range. */

enum { WORDS_MAXIMUM = 64 };

static void must_be_refused_in_a_line(const struct error *error)
{
    must_be_refused(error);
    FUZZ_CHECK(!strchr(error->text, '\n'));
}

static void check_load(const struct load *load)
{
    FUZZ_CHECK(load->clients >= 1 && load->connections >= 1 && load->threads >= 1);
    FUZZ_CHECK(load->depth >= 1 && load->depth <= CONNECTION_DEPTH_MAXIMUM);
    FUZZ_CHECK(load->rate >= 0);
}

static void check_plan(const struct run_plan *plan)
{
    FUZZ_CHECK(plan->engine && plan->target_text && plan->timeout_ns > 0);
    FUZZ_CHECK(plan->op_count >= 1 && plan->op_count <= RUN_PLAN_OPS_MAXIMUM);
    for (size_t i = 0; i < plan->op_count; i++)
        FUZZ_CHECK(plan->ops[i]);
    FUZZ_CHECK(plan->read_size >= 1 && plan->read_size <= NFS3_DATA_MAXIMUM);
    check_load(&plan->load);
}

static void make_run(const struct options *options)
{
    static struct run_plan plan, second;
    struct error error = {.text = ""};

    if (plan_make(&plan, options, &error) != 0) {
        must_be_refused_in_a_line(&error);
        return;
    }
    check_plan(&plan);
    if (plan_make_second(&second, &plan, options, &error) != 0)
        must_be_refused_in_a_line(&error);
    else if (second.target_text)
        check_plan(&second);
}

static void parse_command(const struct command *command, int argc, char **argv)
{
    static struct options options;
    struct error error = {.text = ""};

    if (options_parse(&options, command, argc, argv, &error) != 0) {
        must_be_refused_in_a_line(&error);
        return;
    }
    FUZZ_CHECK(options.word_count <= (size_t)argc - 1);
    if (options.help || options.version)
        return;
    if (command->groups & GROUP_MEASURING)
        make_run(&options);
    else if (rules_check(&options, &error) != 0)
        must_be_refused_in_a_line(&error);
}

/* Return whether WORD names the file of a mix. A command line with this word is not parsed, because
 * reading the file may block. */
static bool names_file(const char *word)
{
    return strncasecmp(word, "mix:", 4) == 0 && strchr(word, '/');
}

TARGET(options)
{
    char *argv[WORDS_MAXIMUM + 1], *word;
    const struct command *command;
    bool takes_part = true;
    int argc = 0;

    while (argc < WORDS_MAXIMUM && (word = strsep(&text, "\n"))) {
        takes_part = takes_part && !names_file(word);
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    commands_use(&commands_of_nfsbench);
    command = command_find(argv[0]);
    if (command && takes_part)
        parse_command(command, argc, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    FUZZ_TARGET(data, size, text);
    free(text);
    return 0;
}
