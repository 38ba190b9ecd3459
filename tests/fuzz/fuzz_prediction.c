/* The file of --predict: if it is accepted, it has different phases, each with a range. */
#include <math.h>

#include "explain/prediction.h"
#include "explain/rpc_states.h"
#include "text.h"

static void check(const struct predictions *predictions)
{
    FUZZ_CHECK(predictions->count >= 1 && predictions->count <= PREDICTIONS_MAXIMUM);
    for (size_t i = 0; i < predictions->count; i++) {
        const struct prediction *prediction = &predictions->list[i];

        FUZZ_CHECK(prediction->type && prediction->low >= 0 &&
                   prediction->low <= prediction->high && isnan(prediction->mean));
        for (size_t j = 0; j < i; j++)
            FUZZ_CHECK(predictions->list[i].type != predictions->list[j].type);
    }
}

static void read_for(const struct phase_view *const *views, const char *path)
{
    struct predictions predictions;
    struct error error = {.text = ""};

    if (predictions_read(path, views, &predictions, &error) != 0)
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
    else
        check(&predictions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = text_file(data, size);

    read_for(phase_views, path);
    read_for(rpc_phase_views, path);
    return 0;
}
