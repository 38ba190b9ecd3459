#include "nfs/objects/scratch_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/random.h"
#include "nfs/objects/lease.h"

enum { RANDOM_DIGITS = 8, VARIANT_DIGITS = 8, NUMBER_DIGITS_MAXIMUM = 10 };

#define DIGITS "0123456789"

/* Directory name */

static bool is_of_host_name(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == '-' || c == '_';
}

void nfs_scratch_host_name(char host[NFS_HOST_NAME_SIZE])
{
    memset(host, 0, NFS_HOST_NAME_SIZE);
    gethostname(host, NFS_HOST_NAME_SIZE - 1);
    for (char *at = host; *at; at++)
        if (!is_of_host_name(*at))
            *at = '_';
    if (!*host)
        strcpy(host, "_");
}

void nfs_scratch_choose_name(char name[NFS_NAME_SIZE])
{
    char host[NFS_HOST_NAME_SIZE];

    nfs_scratch_host_name(host);
    snprintf(name, NFS_NAME_SIZE, "%s%s-%ld-%0*x", NFS_SCRATCH_PREFIX, host, (long)getpid(),
             RANDOM_DIGITS, (unsigned)random_system_seed());
}

/* Return whether the text from FIRST to LAST (exclusive) is a number without leading zeros. */
static bool is_number(const char *first, const char *last)
{
    size_t length = (size_t)(last - first);

    return length > 0 && length <= NUMBER_DIGITS_MAXIMUM && strspn(first, DIGITS) >= length &&
           (*first != '0' || length == 1);
}

bool nfs_scratch_is_chosen_name(const char *name)
{
    const char *host, *process, *random;

    if (strncmp(name, NFS_SCRATCH_PREFIX, strlen(NFS_SCRATCH_PREFIX)) != 0)
        return false;
    host = name + strlen(NFS_SCRATCH_PREFIX);
    random = strrchr(host, '-');
    if (!random || strlen(random + 1) != RANDOM_DIGITS ||
        strspn(random + 1, DIGITS "abcdef") != RANDOM_DIGITS)
        return false;
    process = memrchr(host, '-', (size_t)(random - host));
    if (!process || process == host || process - host >= NFS_HOST_NAME_SIZE ||
        !is_number(process + 1, random))
        return false;
    while (host < process && is_of_host_name(*host))
        host++;
    return host == process;
}

/* Entry names */

void nfs_scratch_filler_name(char name[NFS_VARIANT_NAME_SIZE], uint32_t number)
{
    snprintf(name, NFS_VARIANT_NAME_SIZE, "filler-%u", number);
}

/* Return whether NAME is STEM followed by a number of at least LEAST digits. */
static bool is_numbered(const char *name, const char *stem, size_t least)
{
    size_t length = strlen(stem);
    const char *digits = name + length;

    return strncmp(name, stem, length) == 0 && strlen(digits) >= least && *digits &&
           strlen(digits) <= NUMBER_DIGITS_MAXIMUM && strspn(digits, DIGITS) == strlen(digits);
}

/* Return whether NAME is one that nfs_call_make_variant() gives to objects of PROCEDURE's calls, or
 * that nfs/verify/verify.h gives to files of verified calls. */
static bool is_variant(const char *name, const struct nfs_procedure *procedure)
{
    char stem[NFS_VARIANT_NAME_SIZE];

    if (procedure->object != NFS_OBJECT_SCRATCH && !procedure->renewed)
        return false;
    snprintf(stem, sizeof stem, "%s-", procedure->op);
    if (is_numbered(name, stem, VARIANT_DIGITS))
        return true;
    snprintf(stem, sizeof stem, "%s-to-", procedure->op);
    return procedure->rpc.number == NFSPROC3_RENAME && is_numbered(name, stem, VARIANT_DIGITS);
}

enum nfs_scratch_kind nfs_scratch_kind_of(const char *name)
{
    static const char *const files[] = {NFS_SCRATCH_FILE, NFS_SCRATCH_COMMIT_FILE,
                                        NFS_SCRATCH_SYMLINK};
    const struct nfs_procedure *procedure;

    if (strcmp(name, NFS_LEASE_FILE) == 0)
        return NFS_SCRATCH_LEASE;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(name, files[i]) == 0)
            return NFS_SCRATCH_FILES;
    if (strncmp(name, NFS_SCRATCH_ODD_PREFIX, strlen(NFS_SCRATCH_ODD_PREFIX)) == 0 &&
        strlen(name) < NFS_NAME_SIZE)
        return NFS_SCRATCH_FILES;
    if (is_numbered(name, "filler-", 1) || is_numbered(name, "file-", VARIANT_DIGITS))
        return NFS_SCRATCH_FILES;
    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++) {
        uint32_t number = procedure->rpc.number;

        if (is_variant(name, procedure))
            return number == NFSPROC3_MKDIR || number == NFSPROC3_RMDIR ? NFS_SCRATCH_DIRECTORIES
                                                                        : NFS_SCRATCH_FILES;
    }
    return NFS_SCRATCH_FOREIGN;
}
