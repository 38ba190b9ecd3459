/* The file of --predict: if it is accepted, it has different phases, each with a range. */
#include "explain/explain.h"
#include "text.h"

static void check(const struct predictions *predictions)
{
    FUZZ_CHECK(predictions->count >= 1 && predictions->count <= PREDICTIONS_MAXIMUM);
    for (size_t i = 0; i < predictions->count; i++) {
        const struct prediction *range = &predictions->list[i].range;

        FUZZ_CHECK(predictions->list[i].type && range->low >= 0 && range->low <= range->high);
        for (size_t j = 0; j < i; j++)
            FUZZ_CHECK(predictions->list[i].type != predictions->list[j].type);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct predictions predictions;
    struct explanation *explanation;
    struct error error = {.text = ""};

    if (predictions_read(text_file(data, size), &predictions, &error) != 0) {
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
        return 0;
    }
    check(&predictions);
    explanation = calloc(1, sizeof *explanation);
    FUZZ_CHECK(explanation);
    explain_predict(explanation, &predictions);
    FUZZ_CHECK(explanation->unmeasured_count == predictions.count);
    free(explanation);
    return 0;
}
