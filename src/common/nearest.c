#include "common/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_MAXIMUM = 40 };

/* Return the maximum number of edits (distance()) with which a name is near to WORD: 1 for up to 3
 * letters, 2 for up to 7, and so on. */
static unsigned allowance(const char *word)
{
    return 1 + (unsigned)strlen(word) / 4;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Return how many edits, as in nearest_offer(), turn A into B. Returns LENGTH_MAXIMUM if A or B has
 * more letters. ROWS[i][j] is the number for the first i letters of A and the first j of B. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[LENGTH_MAXIMUM + 1][LENGTH_MAXIMUM + 1];
    size_t length_a = strlen(a), length_b = strlen(b);

    if (length_a > LENGTH_MAXIMUM || length_b > LENGTH_MAXIMUM)
        return LENGTH_MAXIMUM;
    for (unsigned j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= length_a; i++) {
        rows[i][0] = i;
        for (unsigned j = 1; j <= length_b; j++) {
            unsigned changed = rows[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);

            rows[i][j] = least(changed, 1 + least(rows[i - 1][j], rows[i][j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[length_a][length_b];
}

void nearest_begin(struct nearest *nearest, const char *word)
{
    *nearest = (struct nearest){.word = word, .distance = allowance(word) + 1};
}

void nearest_offer(struct nearest *nearest, const char *name)
{
    unsigned found = distance(nearest->word, name);

    /* A name is not near if no letter of it remains. */
    if (found >= nearest->distance || found >= strlen(name))
        return;
    nearest->name = name;
    nearest->distance = found;
}

const char *nearest_hint(const struct nearest *nearest, char buffer[NEAREST_HINT_SIZE])
{
    buffer[0] = '\0';
    if (nearest->name)
        snprintf(buffer, NEAREST_HINT_SIZE, "; did you mean '%.60s'?", nearest->name);
    return buffer;
}
