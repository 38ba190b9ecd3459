/* Styles of ops in pictures: no two ops look alike. */
#include "engine/engines.h"
#include "nfs/procedures/procedures.h"
#include "picture/panel.h"
#include "test.h"

enum { NAMES_MAXIMUM = 200 };

static size_t list_ops(const char *names[NAMES_MAXIMUM])
{
    static const char *const others[] = {"null_control",
                                         "mix",
                                         "read-local",
                                         "write-local",
                                         "write-data-sync-local",
                                         "write-file-sync-local",
                                         "commit-local"};
    size_t count = 0;

    for (size_t i = 0; nfs_procedure_at(i); i++)
        names[count++] = nfs_procedure_at(i)->op;
    for (const struct engine_type *const *engine = engine_types; *engine; engine++)
        for (const char *const *own = (*engine)->own_ops; own && *own; own++)
            names[count++] = *own;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        names[count++] = others[i];
    assert_in_range(count, 50, NAMES_MAXIMUM);
    return count;
}

TEST_CASE(no_two_ops_share_colour_and_dash)
{
    const char *names[NAMES_MAXIMUM];
    const size_t count = list_ops(names);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            struct plot_style a = plot_style_of(names[i]), b = plot_style_of(names[j]);

            if (strcmp(a.colour, b.colour) == 0 && strcmp(a.dash, b.dash) == 0)
                fail_msg("%s and %s look the same", names[i], names[j]);
        }
}

TEST_CASE(other_names_have_a_style)
{
    static const char *const names[] = {"", "-local", "later-op", "later-op-local", "read-lo"};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_all((plot_style_of(names[i]).colour), (plot_style_of(names[i]).dash));
    assert_string_equal(plot_style_of("read").colour, plot_style_of("read-local").colour);
}
