/* What READ and WRITE cost over sizes and alignments. */
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "character/transfers.h"
#include "measure/piecewise.h"

/* Arms are the sizes of READ and its odd place, and the same of WRITE. */

static size_t arm_of(const struct transfers *transfers, enum transfer_kind kind, size_t index)
{
    return (kind == TRANSFER_READ ? 0 : transfers->counts[TRANSFER_READ] + 1) + index;
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct transfers *transfers = context;
    const enum transfer_kind kind =
        arm <= transfers->counts[TRANSFER_READ] ? TRANSFER_READ : TRANSFER_WRITE;
    const size_t index = arm - arm_of(transfers, kind, 0);

    return transfers_call(transfers, kind,
                          index == transfers->counts[kind] ? &transfers->odd[kind]
                                                           : &transfers->messages[kind][index],
                          ticks, error);
}

/* Fitting */

struct figures {
    struct piecewise cost;
    struct interval odd; /* an odd place against an aligned one */
    enum gain unaligned;
};

static int fit_cost(const struct transfers *transfers, const struct arms *arms,
                    enum transfer_kind kind, struct piecewise *cost, struct error *error)
{
    struct piecewise_point points[TRANSFER_SIZES];

    for (size_t i = 0; i < transfers->counts[kind]; i++) {
        const struct series *series = &arms->rounds.series[arm_of(transfers, kind, i)];

        points[i] = (struct piecewise_point){
            .size = transfers->sizes[kind][i],
            .cost = {series->blocks[BLOCK_TRIMMED_MEAN], arms->rounds.done}};
    }
    return piecewise_fit(points, transfers->counts[kind], transfers->lab->plan->run.seed, cost,
                         error);
}

static int compare_places(const struct transfers *transfers, const struct arms *arms,
                          enum transfer_kind kind, struct character_answer *answer,
                          struct figures *figures, struct error *error)
{
    const size_t odd = arm_of(transfers, kind, transfers->counts[kind]);
    size_t aligned = 0;
    struct interval level;
    char name[64];
    int code;

    while (transfers->sizes[kind][aligned] != TRANSFER_PIECE)
        aligned++;
    code = arms_level(arms, odd, &level, error);
    if (code == 0)
        code = arms_ratio(arms, odd, arm_of(transfers, kind, aligned), &figures->odd, error);
    if (code)
        return code;
    figures->unaligned = gain_classify(&figures->odd);
    snprintf(name, sizeof name, "%s at an odd place", transfer_names[kind]);
    answer_figure(answer, name, &level, "us",
                  "of %d bytes: %.2f times [%.2f, %.2f] as long as at offset 0", TRANSFER_PIECE,
                  figures->odd.estimate, figures->odd.low, figures->odd.high);
    return 0;
}

static int find_figures(const struct transfers *transfers, const struct arms *arms,
                        enum transfer_kind kind, struct character_answer *answer,
                        struct figures *figures, struct error *error)
{
    char name[64];
    int code = 0;

    for (size_t i = 0; i < transfers->counts[kind] && code == 0; i++) {
        const uint32_t bytes = transfers->sizes[kind][i];
        struct interval level;

        code = arms_level(arms, arm_of(transfers, kind, i), &level, error);
        snprintf(name, sizeof name, "%s of %u bytes", transfer_names[kind], bytes);
        if (code == 0)
            answer_figure(answer, name, &level, "us", "%.0f MB/s", bytes / level.estimate);
    }
    if (code == 0)
        code = compare_places(transfers, arms, kind, answer, figures, error);
    return code ? code : fit_cost(transfers, arms, kind, &figures->cost, error);
}

/* The answer */

/* "55.1 us and 0.796 us per KiB". */
static void describe_piece(const struct piecewise_piece *piece, char text[64])
{
    snprintf(text, 64, "%.1f us and %.3f us per KiB", piece->fixed_ns.estimate / 1000,
             piece->ns_per_byte.estimate * 1024 / 1000);
}

static bool is_at(const struct piecewise_break *at, uint32_t size)
{
    return size >= at->size.estimate && size < at->next;
}

static void report_cost(const struct transfers *transfers, enum transfer_kind kind,
                        const struct piecewise *cost, struct character_answer *answer)
{
    const char letter = kind == TRANSFER_READ ? 'r' : 'w';
    char name[64], text[64];

    snprintf(name, sizeof name, "sizes of %s", transfer_names[kind]);
    describe_piece(&cost->piece[0], text);
    answer_detail(answer, name, "%ctmax %u, %ctpref %u; up to %.0f bytes %s (misfit %.0f %%)",
                  letter, transfers->limits[kind], letter, transfers->preferred[kind],
                  cost->piece[0].last, text, 100 * cost->residual_largest);
    for (size_t i = 0; i < cost->breaks; i++) {
        const struct piecewise_break *at = &cost->at[i];
        const struct interval jump = {at->jump_ns.estimate / 1000, at->jump_ns.low / 1000,
                                      at->jump_ns.high / 1000};

        snprintf(name, sizeof name, "break of %s%s", transfer_names[kind], i ? ", second" : "");
        describe_piece(&cost->piece[i + 1], text);
        answer_figure(answer, name, &jump, "us", "more between %.0f and %.0f bytes%s; then %s",
                      at->size.estimate, at->next,
                      is_at(at, transfers->preferred[kind]) ? ", where the preferred size is" : "",
                      text);
    }
}

/* ", with a break between 64 and 128 KiB"; nothing where there is none. */
static const char *describe_breaks(const struct piecewise *cost, char text[96])
{
    if (cost->breaks == 0)
        return "";
    snprintf(text, 96, ", with %s between %.4g and %.4g KiB",
             cost->breaks > 1 ? "breaks, the first" : "a break", cost->at[0].size.estimate / 1024,
             cost->at[0].next / 1024);
    return text;
}

static void mean_kind(struct character_answer *answer, const struct transfers *transfers,
                      enum transfer_kind kind, const struct figures *figures)
{
    const struct piecewise_piece *first = &figures->cost.piece[0];
    const double half = first->fixed_ns.estimate / first->ns_per_byte.estimate;

    if (figures->unaligned == GAIN_SOME)
        answer_mean(answer, "%ss of records that are not aligned are %.1f times as slow.",
                    transfer_names[kind], figures->odd.estimate);
    for (size_t i = 0; i < figures->cost.breaks; i++)
        if (is_at(&figures->cost.at[i], transfers->preferred[kind]))
            answer_mean(answer, "%ss above the preferred size cost more: mount with that size.",
                        transfer_names[kind]);
    if (first->ns_per_byte.estimate > 0 && half >= 1024 && half <= transfers->limits[kind])
        answer_mean(answer, "%ss of less than %.0f KiB use less than half of the bandwidth.",
                    transfer_names[kind], half / 1024);
}

static void conclude(struct character_answer *answer, const struct transfers *transfers,
                     const struct figures figures[TRANSFER_KINDS])
{
    const bool odd = figures[TRANSFER_READ].unaligned == GAIN_SOME ||
                     figures[TRANSFER_WRITE].unaligned == GAIN_SOME;
    char costs[TRANSFER_KINDS][64], breaks[TRANSFER_KINDS][96];

    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++)
        describe_piece(&figures[kind].cost.piece[0], costs[kind]);
    answer_say(answer, "READs (of %u bytes at most) take %s%s, WRITEs (%u bytes) %s%s; %s.",
               transfers->limits[TRANSFER_READ], costs[TRANSFER_READ],
               describe_breaks(&figures[TRANSFER_READ].cost, breaks[TRANSFER_READ]),
               transfers->limits[TRANSFER_WRITE], costs[TRANSFER_WRITE],
               describe_breaks(&figures[TRANSFER_WRITE].cost, breaks[TRANSFER_WRITE]),
               odd ? "at odd places calls take longer"
                   : "calls at odd places were not seen to take longer");
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++)
        mean_kind(answer, transfers, kind, &figures[kind]);
}

static int measure(struct transfers *transfers, struct character_answer *answer,
                   struct error *error)
{
    struct arms arms = {.lab = transfers->lab,
                        .count = arm_of(transfers, TRANSFER_WRITE, 0) +
                                 transfers->counts[TRANSFER_WRITE] + 1,
                        .calls = 2,
                        .call = call,
                        .context = transfers,
                        .time_ns = lab_rounds_ns(transfers->lab)};
    struct figures figures[TRANSFER_KINDS];
    int code = arms_run(&arms, lab_scaled(transfers->lab, 60, 10), error);

    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS && code == 0; kind++) {
        code = find_figures(transfers, &arms, kind, answer, &figures[kind], error);
        if (code == 0)
            report_cost(transfers, kind, &figures[kind].cost, answer);
    }
    arms_close(&arms);
    if (code == 0)
        conclude(answer, transfers, figures);
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS && code == 0; kind++)
        code = transfers_try_beyond(transfers, kind, answer, error);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct transfers transfers;
    int code = transfers_open(&transfers, lab, error);

    if (code == 0)
        code = measure(&transfers, answer, error);
    transfers_close(&transfers);
    return code;
}

const struct experiment experiment_sizes = {
    .name = "sizes",
    .question = "What do READ and WRITE cost over sizes and alignments?",
    .unknown = "Data that are not in the server's memory; stable WRITEs; several calls at once, "
               "by which small ones gain most.",
    .works_in_directory = true,
    .run = run,
};
