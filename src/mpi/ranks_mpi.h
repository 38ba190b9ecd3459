/* Ranks over MPI. All use of MPI is here: messages to and from rank 0, with bounded waits. */
#pragma once

#include "mpi/ranks_merge.h"
#include "run/ranks.h"

/* Join the other ranks that mpirun (or another launcher) started; without a launcher there is one
 * rank. 0, or a negative errno with ERROR set, in all ranks. */
int ranks_mpi_open(struct ranks **ranks, struct error *error);

/* Send every rank's OWN message, which may be empty and is taken over, to rank 0, where *PARTS is
 * set to all of them; they live until the end. 0, or a negative errno with ERROR set. */
int ranks_mpi_gather(struct ranks *ranks, struct ranks_message own,
                     const struct ranks_message **parts, struct error *error);

/* Leave the other ranks. If one has failed to respond, the program exits here with STATUS, and
 * mpirun ends the remaining ranks. */
void ranks_mpi_close(struct ranks *ranks, int status);
