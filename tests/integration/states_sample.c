/* Writes a result of states as JSON, since only a machine with a mount can measure one. */
#include <math.h>

#include "../unit/states_sample.h"

int main(void)
{
    static struct states_sample sample;
    static const struct result run;
    const struct predictions predictions = {
        .count = 3,
        .list = {{&phase_life, 0, 2000, NAN},
                 {&rpc_phase_types[RPC_PHASE_SENT], 0, 100, NAN},
                 {&rpc_phase_types[RPC_PHASE_CALLER_WAITS], 0, 100, NAN}}};
    int code = states_sample_fill(&sample, &run);

    if (code == 0)
        code = states_fill(&sample.op, &predictions);
    if (code == 0)
        code = view_write_json(&view_states, &sample.result, stdout);
    states_close(&sample.op);
    return code ? 1 : 0;
}
