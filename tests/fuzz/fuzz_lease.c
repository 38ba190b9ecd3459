/* The lease in a scratch directory, which anyone may have written: what is accepted as a lease
 * equals what is written for it. */
#include "nfs/lease.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size ? size : 1), text[NFS_LEASE_TEXT_SIZE];
    struct nfs_lease lease;

    FUZZ_CHECK(bytes);
    memcpy(bytes, data, size); /* so that reading past the end is detected */
    if (nfs_lease_parse(&lease, bytes, size)) {
        FUZZ_CHECK(nfs_lease_print(&lease, text) == size && memcmp(text, bytes, size) == 0);
        FUZZ_CHECK(memchr(lease.host, '\0', sizeof lease.host) &&
                   memchr(lease.name, '\0', sizeof lease.name) &&
                   memchr(lease.started, '\0', sizeof lease.started));
    }
    free(bytes);
    return 0;
}
