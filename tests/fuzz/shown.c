#include "shown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/forms.h"
#include "common/printable.h"
#include "output/measurement_view.h"
#include "output/result_json.h"
#include "output/text.h"

void shown_comparison(struct compare_pair *pair, FILE *out)
{
    struct compare_result result = {
        .pairs = pair, .count = 1, .threshold = {0.05, NAN}, .gate = {.asked = true}};

    view_write_text(&view_comparison, &result, true, out);
    compare_print_histograms(&result, out);
    if (view_write_markdown(&view_comparison, &result, out) != 0 ||
        view_write_csv(&view_comparison, &result, out) != 0 ||
        view_write_json(&view_comparison, &result, out) != 0)
        abort();
}

void shown_result(const struct result *result, FILE *out)
{
    view_write_text(&view_measurement, result, true, out);
    text_print_histograms(result, out);
    if (view_write_json(&view_measurement, result, out) != 0)
        abort();
}

void shown_must_be_harmless(const char *text)
{
    struct printable_character character;

    for (; (character = printable_first(text)).length; text += character.length)
        if (!character.harmless && *text != '\n' && strncmp(text, "\r\n", 2) != 0) {
            fprintf(stderr, "printed: %.60s\n", printable(text).text);
            abort();
        }
}
