#include "common/signals.h"

#include <stddef.h>

void signals_add_ending(sigset_t *set)
{
    static const int ending[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,  SIGALRM,
                                 SIGPROF, SIGVTALRM, SIGXCPU, SIGIO,   SIGPWR,  SIGSTKFLT};

    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        sigaddset(set, ending[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        sigaddset(set, number);
}

void signals_handle_ending(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART */
    sigset_t ending;

    sigemptyset(&ending);
    signals_add_ending(&ending);
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sigismember(&ending, number))
            sigaction(number, &action, NULL);
}

void signals_ignore_writes(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void signals_add_writes(sigset_t *set)
{
    sigaddset(set, SIGPIPE);
    sigaddset(set, SIGXFSZ);
}
