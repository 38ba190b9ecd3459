/* Ranks over MPI. All of it is here: messages to and from rank 0, each waited for in bounded time.
 */
#ifndef NFSBENCH_MPI_RANKS_MPI_H
#define NFSBENCH_MPI_RANKS_MPI_H

#include "mpi/ranks_merge.h"
#include "run/ranks.h"

struct ranks_mpi;

/* Join the others, as mpirun (or an equal of it) started them; alone, where none did. 0, or a
 * negative errno with ERROR set, in all ranks. */
int ranks_mpi_open(struct ranks_mpi **ranks, struct error *error);

/* What sessions know of them. */
struct ranks *ranks_mpi_ranks(struct ranks_mpi *ranks);

/* The name of this rank's machine. */
const char *ranks_mpi_host(const struct ranks_mpi *ranks);

/* Has a rank not been heard of when it was waited for? Then no message can be sent any more. */
bool ranks_mpi_are_broken(const struct ranks_mpi *ranks);

/* Bring every rank's OWN message, which may be empty, to rank 0, where MESSAGES has room for all of
 * them; their data are to be freed, but for the first's, which is its own. 0, or a negative errno
 * with ERROR set. */
int ranks_mpi_gather(struct ranks_mpi *ranks, const struct ranks_message *own,
                     struct ranks_message *messages, struct error *error);

/* Take leave of the others. Where they are broken, the program ends here, with STATUS, and the
 * ranks that are left are ended by mpirun. */
void ranks_mpi_close(struct ranks_mpi *ranks, int status);

#endif
