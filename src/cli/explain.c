/* nfsbench explain: where each microsecond of a call goes. */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/explain_ladder.h"
#include "cli/explain_plan.h"
#include "cli/explain_run.h"
#include "cli/explain_xdr.h"
#include "cli/interrupt.h"

static void print_help(void)
{
    printf("usage: nfsbench explain [options] TARGET OP [COUNT]\n\n"
           "Where each microsecond of a call goes: its phases from encoding to decoding, by stamps "
           "that the\nclient and its kernel take, and by eBPF on the server's machine. COUNT "
           "defaults to 20k calls.\n\noptions\n");
    explain_plan_help(stdout);
    printf("  and those of the measuring run: see 'nfsbench --help'\n\n"
           "examples\n"
           "  nfsbench explain self: getattr\n"
           "  nfsbench explain --slowest 5 --svg read.svg server:/export read 100k\n"
           "  nfsbench explain --server-cmd 'ssh server' server:/export getattr\n"
           "  nfsbench explain --ladder self: getattr\n"
           "  nfsbench explain --xdr self: all\n");
}

int command_explain(int argc, char **argv)
{
    static struct explain_plan plan;
    struct error error;
    int status = 0;

    if (explain_plan_parse(&plan, argc, argv, &error) != 0) {
        error_print(&error);
        status = (int)error.kind;
    } else if (plan.words.help) {
        print_help();
    } else {
        interrupt_catch();
        status = plan.xdr      ? explain_xdr(&plan)
                 : plan.ladder ? explain_ladder(&plan)
                               : explain_run(&plan);
    }
    explain_plan_free(&plan);
    return status;
}
