#include "nfs/listing_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/printable.h"

enum { NAMES_MAXIMUM = 1000 * 1000, TEXT_MAXIMUM = 64 << 20 };

static bool has_room(struct nfs_names *names, uint32_t length)
{
    return array_reserve(&names->names, &names->room, names->count + 1, sizeof *names->names) ==
               0 &&
           array_reserve(&names->text, &names->text_room, names->text_length + length + 1, 1) == 0;
}

void nfs_names_add(struct nfs_names *names, const uint8_t *name, uint32_t length)
{
    if (names->count == NAMES_MAXIMUM || names->text_length + length > TEXT_MAXIMUM ||
        !has_room(names, length))
        return;
    if (length > 0)
        memcpy(names->text + names->text_length, name, length);
    names->names[names->count++] = (struct nfs_name){names->text_length, length};
    names->text_length += length;
}

static int compare_names(const void *a, const void *b, void *context)
{
    const struct nfs_names *names = context;
    const struct nfs_name *x = a, *y = b;
    const uint32_t shorter = x->length < y->length ? x->length : y->length;
    int order = shorter ? memcmp(names->text + x->at, names->text + y->at, shorter) : 0;

    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static void note_repeated(const struct nfs_names *names, const struct nfs_name *name,
                          struct nfs_listing_findings *findings)
{
    char text[256], safe[256];
    const size_t used = strlen(findings->names);
    int length;

    snprintf(text, sizeof text, "%.*s", (int)name->length, names->text + name->at);
    printable_copy(safe, sizeof safe, text);
    length = snprintf(findings->names + used, sizeof findings->names - used, "%s'%s'",
                      used ? ", " : "", safe);
    if ((size_t)length < sizeof findings->names - used)
        return;
    findings->names[used] = '\0';
    findings->has_more = true;
}

void nfs_names_compare(struct nfs_names *names, struct nfs_listing_findings *findings)
{
    const struct nfs_name *first = names->names;

    findings->entries += names->count;
    if (names->count > 0)
        qsort_r(names->names, names->count, sizeof *names->names, compare_names, names);
    for (size_t i = 1; i < names->count; i++) {
        if (compare_names(first, &names->names[i], names) != 0) {
            first = &names->names[i];
            continue;
        }
        findings->repeated++;
        if (first == &names->names[i - 1])
            note_repeated(names, first, findings);
    }
    nfs_names_clear(names);
}

void nfs_names_clear(struct nfs_names *names)
{
    names->count = names->text_length = 0;
}

void nfs_names_free(struct nfs_names *names)
{
    free(names->text);
    free(names->names);
    *names = (struct nfs_names){.text = NULL};
}

/* Texts */

static void describe_repeated(const struct nfs_listing_findings *findings, const char *procedure,
                              const char *path, char *text, size_t size)
{
    const unsigned long long repeated = findings->repeated;

    snprintf(text, size,
             "%s of %.200s: pages overlap: of %llu listed entries, %llu were repeated, so "
             "there are %llu names; repeated: %s%s",
             procedure, path, (unsigned long long)findings->entries, repeated,
             (unsigned long long)findings->entries - repeated, findings->names,
             findings->has_more ? ", ..." : "");
}

static void describe_verifier(const struct nfs_listing_findings *findings, const char *procedure,
                              const char *path, char *text, size_t size)
{
    static const char *const reasons[] = {
        [NFS_LISTING_UNKNOWN] = ": the directory was changed, or this server does not keep its "
                                "cookies valid; replies don't show which",
        [NFS_LISTING_UNCHANGED] = ", although the directory's time of last change is the same: "
                                  "this server does not keep its cookies valid",
        [NFS_LISTING_CHANGED] = ": the directory was changed in between",
    };

    snprintf(
        text, size, "%s of %.200s: page %llu has another cookie verifier than the previous page%s",
        procedure, path, (unsigned long long)findings->verifier_page, reasons[findings->change]);
}

bool nfs_listing_findings_describe(const struct nfs_listing_findings *findings,
                                   const char *procedure, const char *path, char *text, size_t size)
{
    if (findings->failure[0])
        snprintf(text, size, "%s", findings->failure);
    else if (findings->repeated > 0)
        describe_repeated(findings, procedure, path, text, size);
    else if (findings->verifier_page > 0)
        describe_verifier(findings, procedure, path, text, size);
    else
        return false;
    return true;
}
