/* Lists and lengths from a hostile server. Lists are decoded by the project's decoders, which
 * replace rpcgen's recursive ones, and other types by rpcgen's decoders. A million elements do not
 * overflow the stack, and an excessive length allocates little memory. */
#include "test.h"

#include "mount3.h"
#include "nfs3.h"

enum { ELEMENTS = 1000 * 1000, ELEMENT_MAXIMUM = 64, FEW = 3 };

/* A list on the wire: ELEMENT, which begins with TRUE, any number of times; at the end, FALSE. */
struct kind {
    xdrproc_t xdr;
    size_t link; /* offset of the pointer to the next element */
    size_t length;
    uint8_t element[ELEMENT_MAXIMUM];
};

#define ENTRY 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9
#define NAMED 0, 0, 0, 1, 0, 0, 0, 1, 'x', 0, 0, 0

static const struct kind kinds[] = {
    {(xdrproc_t)xdr_entrylist3, offsetof(entry3, nextentry), 28, {ENTRY}},
    {(xdrproc_t)xdr_entrypluslist3,
     offsetof(entryplus3, nextentry),
     36,
     {ENTRY, 0, 0, 0, 0, 0, 0, 0, 0}},
    {(xdrproc_t)xdr_mountlist, offsetof(mountbody, ml_next), 20, {NAMED, 0, 0, 0, 1, '/', 0, 0, 0}},
    {(xdrproc_t)xdr_groups, offsetof(groupnode, gr_next), 12, {NAMED}},
    {(xdrproc_t)xdr_exports, offsetof(exportnode, ex_next), 16, {NAMED, 0, 0, 0, 0}},
};

static uint8_t *make_list(const struct kind *kind, size_t count, size_t *length)
{
    uint8_t *bytes;

    *length = count * kind->length + 4;
    bytes = calloc(1, *length);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + i * kind->length, kind->element, kind->length);
    return bytes;
}

static bool_t code(xdrproc_t routine, enum xdr_op op, void *bytes, size_t length, void *object)
{
    XDR xdr;

    xdrmem_create(&xdr, bytes, (unsigned)length, op);
    return routine(&xdr, object, 0) && (op == XDR_FREE || xdr_getpos(&xdr) == length);
}

TEST_CASE(long_lists)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t length, count = 0;
        uint8_t *bytes = make_list(&kinds[i], ELEMENTS, &length), *again = calloc(1, length);
        char *first = NULL;

        assert_all((again), (code(kinds[i].xdr, XDR_DECODE, bytes, length, &first)));
        for (char *at = first; at; memcpy(&at, at + kinds[i].link, sizeof at))
            count++;
        assert_all((count, ELEMENTS), (code(kinds[i].xdr, XDR_ENCODE, again, length, &first)));
        assert_memory_equal(bytes, again, length);
        assert_all((code(kinds[i].xdr, XDR_FREE, NULL, 0, &first)), (first, NULL));
        free(bytes);
        free(again);
    }
}

TEST_CASE(lists_cut_short)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t length;
        uint8_t *bytes = make_list(&kinds[i], FEW, &length);

        for (size_t cut = 0; cut < length; cut++) {
            char *first = NULL;

            assert_false(code(kinds[i].xdr, XDR_DECODE, bytes, cut, &first));
            code(kinds[i].xdr, XDR_FREE, NULL, 0, &first);
        }
        free(bytes);
    }
}

static unsigned long peak_kib(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    unsigned long peak = 0;
    char line[128];

    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        sscanf(line, "VmPeak: %lu", &peak);
    fclose(status);
    return peak;
}

/* Strings and arrays that state a length of 768 MiB or more, but have few bytes. */
TEST_CASE(long_lengths)
{
    enum { KEPT_KIB = 64 * 1024 };
    static const struct {
        xdrproc_t xdr;
        size_t at; /* offset of the length; the bytes before it are zeros */
    } lengths[] = {
        {(xdrproc_t)xdr_filename3, 0},    {(xdrproc_t)xdr_nfspath3, 0},
        {(xdrproc_t)xdr_READ3resok, 12},  {(xdrproc_t)xdr_READ3res, 16},
        {(xdrproc_t)xdr_name, 0},         {(xdrproc_t)xdr_dirpath, 0},
        {(xdrproc_t)xdr_fhandle3, 0},     {(xdrproc_t)xdr_nfs_fh3, 0},
        {(xdrproc_t)xdr_mountres3_ok, 4}, {(xdrproc_t)xdr_READLINK3res, 8},
    };
    static const uint8_t huge[][4] = {{0x7f, 0xff, 0xff, 0xf0}, {0xd0, 0, 0, 0}, {0x30, 0, 0, 0}};
    unsigned long before = peak_kib();

    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        for (size_t j = 0; j < COUNT_OF(huge); j++) {
            union {
                READ3res read;
                mountres3_ok mount;
                char bytes[1024];
            } result = {.bytes = {0}};
            uint8_t bytes[140] = {0};

            memcpy(bytes + lengths[i].at, huge[j], sizeof huge[j]);
            assert_false(code(lengths[i].xdr, XDR_DECODE, bytes, sizeof bytes, &result));
            code(lengths[i].xdr, XDR_FREE, NULL, 0, &result);
        }
    assert_true(peak_kib() < before + KEPT_KIB);
}
