/* Reads a result file of any origin, compares it with itself, and with a good file in both orders,
 * writes it again, makes its report, and draws it without starting gnuplot. Whatever the file
 * contains, the output must be safe for a terminal. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "commands.h"
#include "common/printable.h"
#include "experiment/experiment.h"
#include "job/forms.h"
#include "output/form/measurement_view.h"
#include "output/result/result_json.h"
#include "output/view/text.h"
#include "picture/panel.h"
#include "report/report.h"
#include "text.h"

static const char good[] =
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"measurement\","
    " \"target\": {\"text\": \"self:\", \"proto\": \"tcp\"},"
    " \"config\": {\"engine\": \"wire\", \"wait\": \"block\", \"baseline\": true},"
    " \"ops\": [{\"op\": \"null\", \"role\": \"null\", \"blocks\": [10.5, 11.5]},"
    " {\"op\": \"read\", \"role\": \"op\", \"blocks\": [12.5, 13.5], \"above_null_ns\": "
    "{\"estimate\": 2.0,"
    " \"ci95\": [1.5, 2.5]}, \"histogram\": {\"low_ns\": [12, 13], \"count\": [1, 1]}}]}";

/* Indices in PATHS: a good file, and the file from the fuzzer. */
enum { GOOD, ANY };

static char *paths[MEMORY_FILES];

/* Mutations that keep the input valid JSON. Mutations of bytes alone rarely get past the parser. */

enum { PLACES = 4096 };

/* Position of a value: KEY in an object, or INDEX in an array. */
struct place {
    json_t *parent, *value;
    const char *key;
    size_t index;
};

struct places {
    size_t count;
    struct place list[PLACES];
};

static unsigned choice(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return below ? (*seed >> 8) % (unsigned)below : 0;
}

static void add_place(struct places *places, const struct place *place);

static void add_all(struct places *places, json_t *parent)
{
    const char *key;
    size_t index;
    json_t *value;

    json_object_foreach(parent, key, value)
        add_place(places, &(struct place){parent, value, key, 0});
    json_array_foreach(parent, index, value)
        add_place(places, &(struct place){parent, value, NULL, index});
}

static void add_place(struct places *places, const struct place *place)
{
    if (places->count == PLACES)
        return;
    places->list[places->count++] = *place;
    add_all(places, place->value);
}

static json_t *make_value(const struct places *places, unsigned *seed)
{
    static const char *const texts[] = {
        "",        "\033[31m",     "\xe2\x80\xae", "=1+1",    "`a|b`",   "a\nb",     "<b>",
        "poisson", "null_control", "null",         "getattr", "suspect", "\xc2\x9b", "x'; !y"};
    static const double reals[] = {-1, 0.5, 1e17, 1e18, 2e18, 1e300, -1e300, 5e-324};
    static const json_int_t integers[] = {0,  1,         -1,        2,
                                          64, INT64_MAX, INT64_MIN, (json_int_t)1 << 42};

    switch (choice(seed, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(choice(seed, 2));
    case 2:
        return json_string(texts[choice(seed, sizeof texts / sizeof texts[0])]);
    case 3:
        return json_real(reals[choice(seed, sizeof reals / sizeof reals[0])]);
    case 4:
        return json_integer(integers[choice(seed, sizeof integers / sizeof integers[0])]);
    case 5:
        return choice(seed, 2) ? json_array() : json_object();
    default:
        return json_deep_copy(places->list[choice(seed, places->count)].value);
    }
}

static void put(const struct place *place, json_t *value)
{
    if (place->key)
        json_object_set_new(place->parent, place->key, value);
    else
        json_array_set_new(place->parent, place->index, value);
}

static void change(const struct places *places, unsigned *seed)
{
    const struct place *place = &places->list[choice(seed, places->count)];
    double number = json_number_value(place->value);

    switch (choice(seed, 6)) {
    case 0:
        if (place->key)
            json_object_del(place->parent, place->key);
        else
            json_array_remove(place->parent, place->index);
        break;
    case 1: /* append a copy to the value's array; if it is in an object, replace any value */
        if (place->key)
            put(&places->list[choice(seed, places->count)], json_deep_copy(place->value));
        else
            json_array_append_new(place->parent, json_deep_copy(place->value));
        break;
    case 2: /* replace a number by one of similar size */
        if (json_is_number(place->value))
            put(place, json_real(number * (0.5 + choice(seed, 100) / 50.0)));
        break;
    default:
        put(place, make_value(places, seed));
    }
}

/* Change one to three places, chosen by SEED, in the JSON of SIZE bytes at DATA, which has room for
 * MAXIMUM. Returns the new size; 0 if DATA are no JSON or would be too long. */
static size_t json_mutate(uint8_t *data, size_t size, size_t maximum, unsigned seed)
{
    static struct places places;
    json_t *root = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
    size_t length = 0;

    for (unsigned rounds = 1 + choice(&seed, 3); root && rounds > 0; rounds--) {
        places.count = 0;
        add_all(&places, root);
        if (places.count > 0)
            change(&places, &seed);
    }
    if (root)
        length = json_dumpb(root, (char *)data, maximum, JSON_COMPACT);
    json_decref(root);
    return length <= maximum ? length : 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed)
{
    uint8_t copy[8192];
    size_t mutated = 0;

    if (seed % 8 && size <= sizeof copy) {
        memcpy(copy, data, size);
        mutated = json_mutate(data, size, maximum, seed);
        if (mutated == 0)
            memcpy(data, copy, size);
    }
    return mutated ? mutated : LLVMFuzzerMutate(data, size, maximum);
}

static void write_comparison(struct compare_pair *pairs, size_t count, FILE *out)
{
    struct compare_result result = {
        .pairs = pairs, .count = count, .threshold = {0.05, NAN}, .gate = {.asked = true}};

    view_write_text(&view_comparison, &result, true, out);
    compare_print_histograms(&result, out);
    FUZZ_CHECK(view_write_markdown(&view_comparison, &result, out) == 0 &&
               view_write_csv(&view_comparison, &result, out) == 0 &&
               view_write_json(&view_comparison, &result, out) == 0);
}

static void write_measurement(const struct result *result, FILE *out)
{
    view_write_text(&view_measurement, result, true, out);
    text_print_histograms(result, out);
    FUZZ_CHECK(view_write_json(&view_measurement, result, out) == 0);
}

static void must_be_harmless(const char *text)
{
    struct printable_character character;

    for (; (character = printable_first(text)).length; text += character.length)
        if (!character.harmless && *text != '\n' && strncmp(text, "\r\n", 2) != 0) {
            fprintf(stderr, "printed: %.60s\n", printable(text).text);
            abort();
        }
}

static void write_file_again(struct result_file *file, FILE *out)
{
    if (file->has_sides)
        experiment_print_sides(experiment_of(file), true, out);
    else if (result_file_has_ops(file))
        write_measurement(&file->result, out);
    if (experiment_of(file)) {
        FUZZ_CHECK(view_write_json(&view_experiment, experiment_of(file), out) == 0);
        FUZZ_CHECK(view_write_text(&view_experiment, experiment_of(file), true, out) == 0);
    }
}

static bool draw(const struct plot_kind *kind, const struct result_set *set, size_t index,
                 FILE *out)
{
    struct panel panel;
    const bool drawn = panel_open(&panel) == 0 && kind->draw(set, index, &panel);

    fflush(panel.out);
    fflush(panel.drawn);
    if (drawn)
        fprintf(out, "%s%s", panel.texts[0].data, panel.texts[1].data);
    panel_close(&panel);
    return drawn;
}

static void draw_all(const struct result_set *set, FILE *out)
{
    for (size_t i = 0; plot_kinds[i]; i++)
        for (size_t index = 0; index < PLOT_PANELS && draw(plot_kinds[i], set, index, out);)
            index++;
}

static int open_set(struct result_set *set, char *const *names, size_t count, const char *wanted,
                    const char *command, struct error *why)
{
    size_t opened;

    *set = (struct result_set){.count = 0};
    return result_sets_open(set, 1, &opened, names, count, wanted, command, why);
}

/* Read the file at index PLACE of PATHS with only the op OP, which the file has, and check that the
 * set has no other op. */
static void choose_op(int place, const char *op)
{
    char *const names[] = {paths[place], paths[place]};
    struct result_set set;
    struct error error;

    FUZZ_CHECK(open_set(&set, names, 2, op, "fuzz", &error) == 0);
    for (size_t i = 0; i < set.op_count; i++)
        FUZZ_CHECK(strcasecmp(set.ops[i], op) == 0);
    for (size_t i = 0; i < set.files[1]->breakdown_count; i++)
        FUZZ_CHECK(strcasecmp(set.files[1]->breakdowns[i].op, op) == 0);
    for (size_t i = 0; experiment_of(set.files[1]) && i < experiment_of(set.files[1])->cell_count;
         i++)
        FUZZ_CHECK(strcasecmp(experiment_of(set.files[1])->cells[i].op, op) == 0);
    result_set_close(&set);
}

/* Set NAME to an op of SET's first file; "" if it has none, or the op has a comma or is long. */
static void name_op(const struct result_set *set, char name[64])
{
    const struct result_file *file = set->files[0];
    const char *op = set->op_count               ? set->ops[set->op_count - 1]
                     : result_file_has_ops(file) ? ""
                     : file->breakdown_count > 0 ? file->breakdowns[0].op
                     : experiment_of(file) && experiment_of(file)->cell_count > 0
                         ? experiment_of(file)->cells[0].op
                         : "";

    snprintf(name, 64, "%s", op && strlen(op) < 63 && !strchr(op, ',') ? op : "");
}

/* Open the files at indices FIRST and, if COUNT is 2, SECOND of PATHS, and compare the two. Write
 * the report, all pictures, and the first file again, and check that the output is harmless. */
static void use_files(int first, int second, size_t count)
{
    char *const names[] = {paths[first], paths[second]};
    struct result_set set = {.count = 0};
    const struct compare_threshold threshold = {0.05, NAN};
    struct compare_pair pairs[2] = {{.first = NULL}};
    struct report report = {.set = &set, .pairs = pairs};
    struct error error;
    char *text, op[64] = "";
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (open_set(&set, names, count, NULL, "fuzz", &error) == 0) {
        name_op(&set, op);
        if (count == 2 && compare_files(set.files[0], set.files[1], &threshold, NULL, pairs,
                                        &report.pair_count, &error) == 0)
            write_comparison(pairs, report.pair_count, out);
        else
            report.pair_count = 0;
        report_write(&report, out);
        draw_all(&set, out);
        write_file_again(set.files[0], out);
    }
    fclose(out);
    must_be_harmless(text);
    free(text);
    for (size_t i = 0; i < 2; i++) {
        free(pairs[i].rows);
        free(pairs[i].figures);
    }
    result_set_close(&set);
    if (count == 1 && *op)
        choose_op(first, op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    commands_use(&commands_of_nfsbench);
    paths[GOOD] = memory_file(GOOD, good, sizeof good - 1);
    paths[ANY] = memory_file(ANY, data, size);
    use_files(ANY, ANY, 1);
    use_files(ANY, ANY, 2);
    use_files(ANY, GOOD, 2);
    use_files(GOOD, ANY, 2);
    return 0;
}
