/* Numbers for people. */
#ifndef NFSBENCH_OUTPUT_NUMBER_H
#define NFSBENCH_OUTPUT_NUMBER_H

enum { NUMBER_SIZE = 32 };

/* 1234567 as "1,234,567". Returns OUT. */
const char *number_grouped(double value, char out[NUMBER_SIZE]);

/* NANOSECONDS in us, with as many decimals as fit into WIDTH characters, 3 at most; a dash for NAN.
 * Returns OUT. */
const char *number_us(double nanoseconds, int width, char out[NUMBER_SIZE]);

#endif
