/* Fuzzes the file of --predict: predictions must have different names and valid ranges. */
#include <math.h>
#include <string.h>

#include "explain/kernel/rpc_states.h"
#include "explain/phases/prediction.h"
#include "memory_file.h"
#include "text.h"

static void check_predictions(const struct predictions *predictions)
{
    FUZZ_CHECK(predictions->count >= 1 && predictions->count <= PREDICTIONS_MAXIMUM);
    for (size_t i = 0; i < predictions->count; i++) {
        const struct prediction *prediction = &predictions->list[i];

        FUZZ_CHECK(prediction->name[0] && prediction->phases[0] && prediction->low >= 0 &&
                   prediction->low <= prediction->high && isnan(prediction->mean));
        for (size_t j = 0; j < i; j++)
            FUZZ_CHECK(strcmp(prediction->name, predictions->list[j].name) != 0);
    }
}

static void read_for(const struct phase_type *types, size_t count, const char *path)
{
    struct predictions predictions;
    struct error error = {.text = ""};

    if (predictions_read(path, types, count, &predictions, &error) != 0)
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
    else
        check_predictions(&predictions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = memory_file(0, data, size);

    read_for(phase_types, PHASE_TYPES, path);
    read_for(rpc_phase_types, RPC_PHASES, path);
    return 0;
}
