#include "measure/load.h"

const char *const load_hold_texts[LOAD_HOLDS] = {
    [HOLD_DEPTH] = "as many as --depth allows were in flight",
    [HOLD_SOCKET] = "the socket's buffer was full, since the server or the path took no more",
    [HOLD_CONNECTION] = "the connection was lost",
    [HOLD_WINDOW] = "the server's window of RPCSEC_GSS sequence numbers was full",
};

enum load_hold load_longest_hold(const double held[LOAD_HOLDS])
{
    enum load_hold longest = HOLD_DEPTH;

    for (enum load_hold i = HOLD_DEPTH; i < LOAD_HOLDS; i++)
        longest = held[i] > held[longest] ? i : longest;
    return longest;
}
