/* The lease in a scratch directory, which anybody may have written: what is read as one is what
 * writing it gives. */
#include "nfs/lease.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size ? size : 1), text[NFS_LEASE_TEXT_SIZE];
    struct nfs_lease lease;

    FUZZ_CHECK(bytes);
    memcpy(bytes, data, size); /* so that reading beyond it is seen */
    if (nfs_lease_parse(&lease, bytes, size)) {
        FUZZ_CHECK(nfs_lease_print(&lease, text) == size && memcmp(text, bytes, size) == 0);
        FUZZ_CHECK(memchr(lease.host, '\0', sizeof lease.host) &&
                   memchr(lease.name, '\0', sizeof lease.name) &&
                   memchr(lease.started, '\0', sizeof lease.started));
    }
    free(bytes);
    return 0;
}
