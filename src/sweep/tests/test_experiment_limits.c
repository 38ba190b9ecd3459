/* Finding what limits the cells and curves of an experiment. */
#include "test.h"

#include "sweep/experiment.h"

enum { POINTS = 4 };

static struct experiment_cell cells[POINTS];
static struct experiment_result sweep;

/* Set up READs of 64 KiB at 1, 4, 16 and 64 calls in flight. The last three loads have nearly the
 * same throughput: 95 Mbit/s are received. */
static int set_up(void **state)
{
    const double rates[] = {100, 180, 181, 179};

    memset(cells, 0, sizeof cells);
    sweep = (struct experiment_result){.cells = cells, .cell_count = POINTS, .varies_depth = true};
    for (size_t i = 0; i < POINTS; i++) {
        const double typical_ns = (double)(1U << 2 * i) / rates[i] * 1e9;

        cells[i] = (struct experiment_cell){
            .op = "read", .setting = {1, 1, 1U << 2 * i, 65536, 0}, .units = 1};
        for (size_t figure = 0; figure < CELL_FIGURES; figure++)
            cells[i].intervals[figure] = (struct interval){NAN, NAN, NAN};
        cells[i].intervals[CELL_RATE].estimate = rates[i];
        cells[i].intervals[CELL_BYTES].estimate = 66000;
        cells[i].intervals[CELL_TYPICAL].estimate = typical_ns;
        cells[i].intervals[CELL_MEAN].estimate = typical_ns;
        cells[i].intervals[CELL_CLIENT_CPU].estimate = 0.1;
    }
    return 0;
}

/* Trials at the last point show the link as limit, also for points with the same throughput.
 * TRIALS: the rate falls with the size (-0.97); with 4 times the connections it stays (1); NULL
 * takes 0.2 ms alone, 300 ms under load; after a pause, the rate stays (1); no UNSTABLE WRITEs. */
TEST_CASE_WITH(trials, set_up, NULL)
{
    struct experiment_diagnosis *diagnosis = sweep.diagnoses;

    *diagnosis = (struct experiment_diagnosis){
        .op = "read", .at = cells[3].setting, .trials = {-0.97, 4, 1, 2e5, 3e8, 1, NAN}};
    sweep.diagnosis_count = 1;
    experiment_find_limits(&sweep);
    assert_all((cells[0].bottleneck, BOTTLENECK_ROUND_TRIP), (cells[1].bottleneck, BOTTLENECK_LINK),
               (cells[2].bottleneck, BOTTLENECK_LINK), (cells[3].bottleneck, BOTTLENECK_LINK));
    assert_all((sweep.diagnosis_count, 1), (diagnosis->answer.limit, BOTTLENECK_LINK),
               (diagnosis->answer.sureness, BOTTLENECK_LIKELY),
               (strstr(diagnosis->answer.evidence, "94.5 Mbit/s to the client") != NULL));
    /* a cell's figures can show another limit */
    cells[2].intervals[CELL_CLIENT_CPU].estimate = 0.95;
    experiment_find_limits(&sweep);
    assert_all((cells[2].bottleneck, BOTTLENECK_CLIENT_CPU),
               (cells[1].bottleneck, BOTTLENECK_LINK));
}

/* Without trials, a curve's limit is unknown. Trials at a point not in the result are ignored. */
TEST_CASE_WITH(no_trials, set_up, NULL)
{
    experiment_find_limits(&sweep);
    assert_all((cells[1].bottleneck, BOTTLENECK_ROUND_TRIP),
               (cells[2].bottleneck, BOTTLENECK_UNKNOWN), (cells[3].bottleneck, BOTTLENECK_UNKNOWN),
               (sweep.diagnosis_count, 1), (sweep.diagnoses[0].at.depth, 64),
               (isnan(sweep.diagnoses[0].trials.pause_ratio)),
               (strstr(sweep.diagnoses[0].answer.advice, "--no-diagnosis") != NULL));
    sweep.diagnoses[0].at.depth = 256;
    sweep.diagnoses[0].trials.size_elasticity = -1;
    experiment_find_limits(&sweep);
    assert_all((sweep.diagnosis_count, 1), (sweep.diagnoses[0].at.depth, 64),
               (isnan(sweep.diagnoses[0].trials.size_elasticity)));
}

/* Each curve of a sweep has a diagnosis. If throughput still grew, no other cell gets the limit. */
TEST_CASE_WITH(curves, set_up, NULL)
{
    cells[2].op = cells[3].op = "getattr";
    cells[3].intervals[CELL_RATE].estimate = 700;
    experiment_find_limits(&sweep);
    assert_all((sweep.diagnosis_count, 2), (sweep.diagnoses[0].at.depth, 4),
               (sweep.diagnoses[1].answer.limit, BOTTLENECK_ROUND_TRIP),
               (cells[2].bottleneck, BOTTLENECK_UNKNOWN));
    sweep.preset = PRESET_VERSUS;
    sweep.diagnosis_count = 0;
    experiment_find_limits(&sweep);
    assert_int_equal(sweep.diagnosis_count, 0);
}

/* A search's limit is the highest rate that failed the objective or, if none did, the highest. */
TEST_CASE_WITH(search, set_up, NULL)
{
    sweep.objective_text = "p99<1ms";
    for (size_t i = 0; i < POINTS; i++) {
        cells[i].setting = (struct cell_setting){1, 1, 64, 65536, 100 * (double)(i + 1)};
        cells[i].answer = i == 2 ? OBJECTIVE_FAILED : OBJECTIVE_HELD;
    }
    experiment_find_limits(&sweep);
    assert_all((sweep.diagnosis_count, 1), (sweep.diagnoses[0].at.rate, 300, 0),
               (cells[0].bottleneck, BOTTLENECK_NONE), (cells[2].bottleneck, BOTTLENECK_UNKNOWN));
    cells[2].answer = OBJECTIVE_HELD;
    sweep.diagnosis_count = 0;
    experiment_find_limits(&sweep);
    assert_all((sweep.diagnoses[0].at.rate, 400, 0));
}
