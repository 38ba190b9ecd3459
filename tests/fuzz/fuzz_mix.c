/* The file of a mix: if it is accepted, it has different ops, each with a weight. */
#include "nfs/mix.h"
#include "text.h"

enum { CALLS = 100 };

static void check(const struct nfs_mix *mix)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nfs_mix mix;
    struct error error = {.text = ""};

    if (nfs_mix_load(&mix, text_file(data, size), &error) == 0)
        check(&mix);
    else
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
    return 0;
}
