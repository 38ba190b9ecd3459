/* Writes a result of states as JSON, since only a machine with a mount can measure one. */
#include "../unit/states_sample.h"

int main(void)
{
    static struct states_sample sample;
    static const struct result run;
    int code = states_sample_fill(&sample, &run);

    if (code == 0)
        code = states_write_json(&sample.result, stdout);
    rpc_states_close(&sample.op.rpcs);
    return code ? 1 : 0;
}
