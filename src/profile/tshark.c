#include "profile/tshark.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/child.h"
#include "common/descriptors.h"

enum { OTHERS_MAXIMUM = 512, NAME_SIZE = 64, ARGUMENTS_MAXIMUM = 160 + 2 * OTHERS_MAXIMUM };

/* Protocols other than RPC that tshark would recognize on any TCP or UDP port by the contents. */
struct heuristics {
    char names[OTHERS_MAXIMUM][NAME_SIZE];
    size_t count;
};

/* -n: do not look up names. -M: forget all state after this many packets. A port does not identify
 * a protocol here, so heuristics (RPC) come before ports. After a lost packet, look for the next
 * record, because waiting (tcp.reassemble_out_of_order) would lose the rest of the connection. */
static const char *const options[] = {
    "tshark", "-n",
    "-M",     "100000",
    "-o",     "tcp.try_heuristic_first:TRUE",
    "-o",     "udp.try_heuristic_first:TRUE",
    "-o",     "rpc.find_fragment_start:TRUE",
    "-T",     "fields",
    "-E",     "separator=/t",
    "-E",     "occurrence=a",
    "-E",
};

/* Set ARGUMENTS to tshark's command line. It disables the protocols in OTHERS, because tshark
 * assigns a conversation to the first protocol that recognizes a packet. A UDP conversation may
 * begin with a reply without its call, which tshark does not recognize as RPC. */
static void make_arguments(const char *arguments[ARGUMENTS_MAXIMUM], const char *path,
                           const char *filter, const char *const *fields, const char *aggregator,
                           const struct heuristics *others)
{
    size_t count = sizeof options / sizeof options[0];

    memcpy(arguments, options, sizeof options);
    arguments[count++] = aggregator;
    arguments[count++] = "-r";
    arguments[count++] = path;
    if (filter) {
        arguments[count++] = "-Y";
        arguments[count++] = filter;
    }
    for (size_t i = 0; i < others->count; i++) {
        arguments[count++] = "--disable-protocol";
        arguments[count++] = others->names[i];
    }
    for (; *fields && count < ARGUMENTS_MAXIMUM - 2; fields++) {
        arguments[count++] = "-e";
        arguments[count++] = *fields;
    }
    arguments[count] = NULL;
}

/* Call TAKE with each line of FD, and close FD. Returns 0 or a negative errno. */
static int read_lines(int fd, void (*take)(void *context, char *line), void *context)
{
    FILE *lines = fdopen(fd, "r");
    char *line = NULL;
    size_t size = 0;
    int code;

    if (!lines) {
        close(fd);
        return -ENOMEM;
    }
    while (getline(&line, &size, lines) >= 0)
        take(context, line);
    code = feof(lines) ? 0 : -ENOMEM;
    free(line);
    fclose(lines);
    return code;
}

/* Set COMPLAINT to the text after "tshark: " in the first line that begins so, or else to the last
 * line. Other lines may be a warning (as root), or a drawing of an error in a filter. */
static void read_complaint(FILE *complaints, char complaint[TSHARK_COMPLAINT_SIZE])
{
    static const char name[] = "tshark: ";
    char line[TSHARK_COMPLAINT_SIZE];

    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        bool own = strncmp(line, name, strlen(name)) == 0;

        line[strcspn(line, "\n")] = '\0';
        if (line[0])
            snprintf(complaint, TSHARK_COMPLAINT_SIZE, "%s", own ? line + strlen(name) : line);
        if (own)
            return;
    }
}

static int start_tshark(pid_t *pid, int *output, const char *const *arguments, FILE *complaints)
{
    int pipes[1][2], code = descriptors_pipes(pipes, 1);

    if (code)
        return code;
    /* the user's settings could change the output */
    setenv("WIRESHARK_CONFIG_DIR", "/nonexistent", 1);
    code = child_start(pid, arguments, (int[]){-1, pipes[0][1], fileno(complaints)});
    close(pipes[0][1]);
    if (code)
        close(pipes[0][0]);
    *output = pipes[0][0];
    return code;
}

static int run_tshark(const char *const *arguments, void (*take)(void *context, char *line),
                      void *context, FILE *complaints, char complaint[TSHARK_COMPLAINT_SIZE])
{
    int output, status, code;
    pid_t pid;

    complaint[0] = '\0';
    code = start_tshark(&pid, &output, arguments, complaints);
    if (code)
        return code;
    code = read_lines(output, take, context);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (code || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return code;
    read_complaint(complaints, complaint);
    if (!complaint[0] || WIFSIGNALED(status))
        snprintf(complaint, TSHARK_COMPLAINT_SIZE, "tshark ended by %s %d",
                 WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 0;
}

/* Add LINE's protocol to CONTEXT, the heuristics, if it is enabled, uses TCP or UDP, and is not
 * RPC. LINE has transport, protocol and T (enabled) or F, separated by tabs. */
static void take_heuristic(void *context, char *line)
{
    struct heuristics *others = context;
    const char *carrier = strsep(&line, "\t"), *name = strsep(&line, "\t");

    if (!name || !line || line[0] != 'T' || strlen(name) >= NAME_SIZE ||
        others->count == OTHERS_MAXIMUM)
        return;
    if ((strcmp(carrier, "tcp") == 0 || strcmp(carrier, "udp") == 0) && strcmp(name, "rpc") != 0)
        strcpy(others->names[others->count++], name);
}

/* Ask tshark for its heuristics, because they depend on its version and plugins, and tshark refuses
 * to disable an unknown protocol. Messages of tshark are discarded. */
static int find_heuristics(struct heuristics *others, FILE *complaints)
{
    const char *const arguments[] = {"tshark", "-G", "heuristic-decodes", NULL};
    char complaint[TSHARK_COMPLAINT_SIZE];
    int code = run_tshark(arguments, take_heuristic, others, complaints, complaint);

    rewind(complaints);
    return code == 0 && ftruncate(fileno(complaints), 0) ? -errno : code;
}

int tshark_run(const char *path, const char *filter, const char *const *fields,
               const char *aggregator, void (*take)(void *context, char *line), void *context,
               char complaint[TSHARK_COMPLAINT_SIZE], struct error *error)
{
    struct heuristics others = {.count = 0};
    const char *arguments[ARGUMENTS_MAXIMUM];
    char option[32];
    FILE *complaints = tmpfile();
    int code = complaints ? find_heuristics(&others, complaints) : -errno;

    snprintf(option, sizeof option, "aggregator=%s", aggregator);
    make_arguments(arguments, path, filter, fields, option, &others);
    if (code == 0)
        code = run_tshark(arguments, take, context, complaints, complaint);
    if (complaints)
        fclose(complaints);
    if (code == -ENOENT)
        return error_set(error, ERROR_USAGE, code,
                         "nfsbench reads captures by tshark, which is not in the PATH; install it "
                         "(Debian: apt-get install tshark)");
    return code ? error_set(error, ERROR_FAILED, code, "running tshark: %s", strerror(-code)) : 0;
}
