/* --self-args: options for the embedded server, checked as a command line of its command. */
#include <stdio.h>
#include <string.h>

#include "job/command.h"
#include "job/plan.h"
#include "target/self.h"

/* plan_offer_kerberos() appends fewer than 64 bytes */
enum { WORDS_SIZE = RUN_PLAN_SERVER_ARGUMENTS_SIZE - 64 };

int option_parse_self_arguments(const struct option_entry *entry, const char *text, void *member,
                                struct error *error)
{
    const struct command *serve = command_of_self();
    static struct options server;
    char words[WORDS_SIZE], *argv[WORDS_SIZE / 2], *rest;
    int argc = 0, code = self_check(error);

    if (code)
        return code;
    if (snprintf(words, sizeof words, "%s %s", serve->name, text) >= WORDS_SIZE)
        return option_refuse(entry, text, "fewer words", error);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    code = options_parse(&server, serve, argc, argv, error);
    if (code == 0)
        code = rules_check(&server, error);
    if (code)
        return code;
    if (server.word_count > 0 || rules_are_given(&server, "bind|echo|help"))
        return option_refuse(
            entry, text, "options of 'nfsbench serve' other than --bind, --echo and --help", error);
    strcpy(member, text);
    return 0;
}
