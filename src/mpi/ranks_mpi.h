/* Ranks over MPI. All use of MPI is here: messages to and from rank 0, with bounded waits. */
#pragma once

#include "mpi/ranks_merge.h"
#include "run/ranks.h"

struct ranks_mpi;

/* Join the other ranks that mpirun (or another launcher) started; without a launcher there is one
 * rank. 0, or a negative errno with ERROR set, in all ranks. */
int ranks_mpi_open(struct ranks_mpi **ranks, struct error *error);

/* The interface that sessions use. */
struct ranks *ranks_mpi_ranks(struct ranks_mpi *ranks);

/* Has a rank failed to respond in time? Then no more messages can be sent. */
bool ranks_mpi_are_broken(const struct ranks_mpi *ranks);

/* Send every rank's OWN message, which may be empty, to rank 0, where MESSAGES has room for all of
 * them. The data of all but the first, which is rank 0's own, must be freed. 0, or a negative errno
 * with ERROR set. */
int ranks_mpi_gather(struct ranks_mpi *ranks, const struct ranks_message *own,
                     struct ranks_message *messages, struct error *error);

/* Leave the other ranks. If one has failed to respond, the program exits here with STATUS, and
 * mpirun ends the remaining ranks. */
void ranks_mpi_close(struct ranks_mpi *ranks, int status);
